//! What looks at a phone and remembers what it saw.

use super::cache::{Cache, Look};
use super::elements::{self, Found};
use super::metrics::{CaptureMetrics, Source, ms};
use super::names::Names;
use super::operator::Seen;
use super::scale::Scaled;
use super::{Scaling, ScreenSnapshot, UiElement, adb, operator, tree};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Route;
use clawperator_host::journal::Moment;
use clawperator_picture::{NoPicture, Pixels, draw_marks, png_size, visual_hash};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// What looks at one phone, for as long as a session lasts.
#[derive(Debug, Default)]
pub struct Eye {
    serial: String,
    names: Names,
    cache: Cache,
    /// Asked for once.
    packages: Option<Option<Vec<String>>>,
}

/// A picture that is being made smaller.
struct Shown {
    pixels: Option<Pixels>,
    /// The PNG as it came, where it is small enough already.
    as_it_is: Option<Vec<u8>>,
    scaled: Scaled,
}

impl Eye {
    /// An eye that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, but elements of a dump are used again for this long while the screen looks the same,
    /// and not for 15 seconds.
    #[must_use]
    pub fn keeping_elements(oldest: Duration) -> Self {
        Self { cache: Cache::up_to(oldest), ..Self::default() }
    }

    /// Looks at the phone: through the operator, or by adb's tools where there is none.
    pub fn snapshot(
        &mut self,
        route: &Route<'_>,
        scaling: Scaling,
    ) -> Result<ScreenSnapshot, Failure> {
        let start = Instant::now();
        let device = route.device;
        if self.serial != device.serial() {
            let anew = Self::keeping_elements(self.cache.oldest);
            *self = Self { serial: device.serial().to_owned(), ..anew };
        }
        let packages = self.packages.get_or_insert_with(|| adb::packages(device)).clone();
        let mut seen = match operator::look(route)? {
            Ok(seen) => seen,
            Err(_absent) => adb::look(device)?,
        };
        let asked = Instant::now();
        let size = self.size(route, &seen)?;
        if seen.png.is_none() {
            seen.metrics.screen_size_ms = ms(asked.elapsed());
        }
        let scaling_began = Instant::now();
        let mut shown = shown(seen.png.take(), scaling.of(size.0, size.1)).map_err(unreadable)?;
        let scaling = scaling_began.elapsed();
        seen.metrics.visual_hash = shown.pixels.as_ref().map(visual_hash).unwrap_or_default();
        let found = self.found(route, &mut seen, size, &shown.scaled)?;
        let names = self.names.give(&seen.app, &found);
        let ui_elements: Vec<UiElement> = found
            .into_iter()
            .zip(names)
            .map(|(found, id)| named(found, id, &shown.scaled))
            .collect();
        let (plain, marked) = pictures(&mut shown, &ui_elements, scaling, &mut seen.metrics);
        let (plain, marked) = (plain.map_err(unreadable)?, marked.map_err(unreadable)?);
        let Scaled { width, height, scale_x, scale_y } = shown.scaled;
        let base64 = |png: Vec<u8>| STANDARD.encode(png);
        let metrics = CaptureMetrics { ui_elements_count: ui_elements.len(), ..seen.metrics };
        let mut snapshot = ScreenSnapshot {
            device_id: self.serial.clone(),
            current_app: if seen.app.is_empty() { "unknown".into() } else { seen.app },
            width: size.0,
            height: size.1,
            screenshot_base64: plain.map(base64).unwrap_or_default(),
            som_screenshot_base64: marked.map(base64),
            captured_at: Moment::at(SystemTime::now()).to_string(),
            scale_x,
            scale_y,
            scaled_width: width,
            scaled_height: height,
            installed_packages: packages,
            secure_surface_detected: metrics.secure_surface_detected,
            ui_elements,
            capture_metrics: None,
        };
        let total_ms = ms(start.elapsed());
        snapshot.capture_metrics = Some(CaptureMetrics { total_ms, ..metrics });
        Ok(snapshot)
    }

    /// The screen's size: the picture's, so that a phone that was turned is seen as it is.
    fn size(&self, route: &Route<'_>, seen: &Seen) -> Result<(u32, u32), Failure> {
        match (&seen.png, &seen.xml) {
            (Some(png), _) => png_size(png).map_err(unreadable),
            (None, Some(xml)) => match tree::extent(xml) {
                Some(size) => Ok(size),
                None => adb::size(route.device),
            },
            (None, None) => adb::size(route.device),
        }
    }

    /// The elements: those the operator told, or of a dump, or of a dump a moment ago.
    fn found(
        &mut self,
        route: &Route<'_>,
        seen: &mut Seen,
        size: (u32, u32),
        scaled: &Scaled,
    ) -> Result<Vec<Found>, Failure> {
        let chosen = |xml: Option<String>| {
            let nodes = xml.as_deref().and_then(tree::read).unwrap_or_default();
            elements::choose(&nodes, size)
        };
        let metrics = &mut seen.metrics;
        if metrics.via == "operator" {
            let found = chosen(seen.xml.take());
            let empty = found.is_empty();
            metrics.ui_elements_source = if empty { Source::FreshEmpty } else { Source::Fresh };
            return Ok(found);
        }
        let hash = metrics.visual_hash.clone();
        let look = Look { app: &seen.app, size: (scaled.width, scaled.height), hash: &hash };
        if metrics.secure_surface_detected {
            // What it shows is nobody's business a moment later.
            self.cache.forget();
        }
        metrics.visual_hash_hamming_distance = self.cache.distance(look);
        if let Some(found) = self.cache.reuse(look, Instant::now()) {
            metrics.ui_elements_source = Source::Cache;
            return Ok(found);
        }
        let dumped = adb::dump(route.device, route.package)?;
        metrics.ui_dump_ms = ms(dumped.took);
        metrics.ui_dump_timed_out = dumped.timed_out;
        let found = chosen(dumped.xml);
        let (found, source) = self.cache.after_dump(look, found, Instant::now());
        if metrics.secure_surface_detected {
            self.cache.forget();
        }
        metrics.ui_elements_source = source;
        Ok(found)
    }
}

fn unreadable(why: NoPicture) -> Failure {
    let code = ErrorCode::ScreenshotFailed;
    let message = format!("the phone's picture cannot be used: {why}");
    Failure::new(code, message).hint(code.remedy())
}

fn shown(png: Option<Vec<u8>>, scaled: Scaled) -> Result<Shown, NoPicture> {
    let Some(png) = png else { return Ok(Shown { pixels: None, as_it_is: None, scaled }) };
    let whole = Pixels::from_png(&png)?;
    if (scaled.width, scaled.height) == (whole.width, whole.height) {
        return Ok(Shown { pixels: Some(whole), as_it_is: Some(png), scaled });
    }
    Ok(Shown { pixels: Some(whole.resized(scaled.width, scaled.height)?), as_it_is: None, scaled })
}

type Png = Result<Option<Vec<u8>>, NoPicture>;

/// Writes the plain and the marked picture, both at once.
fn pictures(
    shown: &mut Shown,
    elements: &[UiElement],
    scaling: Duration,
    metrics: &mut CaptureMetrics,
) -> (Png, Png) {
    let Some(pixels) = shown.pixels.take() else { return (Ok(None), Ok(None)) };
    let as_it_is = shown.as_it_is.take();
    thread::scope(|scope| {
        let marked = (!elements.is_empty()).then(|| {
            let start = Instant::now();
            let mut marked = pixels.clone();
            scope.spawn(move || {
                let places: Vec<_> =
                    elements.iter().map(|e| (e.scaled_bounds.into(), e.id.as_str())).collect();
                draw_marks(&mut marked, &places);
                (marked.to_png(), start.elapsed())
            })
        });
        let start = Instant::now();
        let plain = match as_it_is {
            Some(png) => Ok(Some(png)),
            None => pixels.to_png().map(Some),
        };
        metrics.scale_ms = ms(scaling + start.elapsed());
        let marked = match marked.map(thread::ScopedJoinHandle::join) {
            None => Ok(None),
            Some(Ok((png, took))) => {
                metrics.overlay_ms = ms(took);
                png.map(Some)
            }
            Some(Err(_)) => Err(NoPicture::new("drawing the marks failed")),
        };
        (plain, marked)
    })
}

fn named(found: Found, id: String, scaled: &Scaled) -> UiElement {
    let scaled_bounds = found.bounds.scaled(scaled);
    UiElement {
        id,
        text: found.text,
        content_desc: found.description,
        resource_id: found.resource_id,
        class_name: found.class,
        clickable: found.clickable,
        enabled: true,
        bounds: found.bounds,
        center: found.bounds.center(),
        scaled_bounds,
        scaled_center: found.bounds.center().scaled(scaled),
    }
}
