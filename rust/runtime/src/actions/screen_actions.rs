//! Telling what is on the screen: as text and as a picture.

use crate::context::Run;
use crate::phone::Picture;
use crate::snapshot;
use crate::step::{Outcome, StepFailure, Try, data, nothing_done};
use crate::wait::Patience;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::runnable::{Screenshot, Snapshot, View};

pub(super) fn snapshot(run: &mut Run<'_>, snapshot: &Snapshot) -> Outcome<StepData> {
    let (screen, tries) =
        run.patiently(Patience::Policy(snapshot.retry), |run| match run.look() {
            Ok(screen) if screen.is_empty() => Ok(Try::NotYet(StepFailure::new(
                ErrorCode::SnapshotExtractionFailed,
                "the screen has no nodes",
            ))),
            Ok(screen) => Ok(Try::Done(screen)),
            Err(error) => Ok(match nothing_done(error)? {
                Try::NotYet(failure) => Try::NotYet(StepFailure {
                    code: ErrorCode::SnapshotExtractionFailed,
                    ..failure
                }),
                other => other,
            }),
        })?;
    let (format, text) = match snapshot.view {
        View::Xml => ("hierarchy_xml", snapshot::xml::write(&screen)),
        View::Text => ("text", snapshot::text::write(&screen)),
    };
    let overlay = snapshot::overlay(&screen);
    let mut told = data([
        ("actual_format", format.to_owned()),
        ("foreground_package", screen.foreground_package().to_owned()),
        ("generation", screen.generation.to_string()),
        ("has_overlay", overlay.is_some().to_string()),
        ("window_count", screen.window_count().to_string()),
        ("text", text),
    ]);
    if let Some(package) = overlay {
        told.insert("overlay_package".into(), package.to_owned());
    }
    tries.tell(&mut told);
    Ok(told)
}

pub(super) fn screenshot(run: &mut Run<'_>, shot: &Screenshot) -> Outcome<StepData> {
    let (mut told, tries) = run.patiently(Patience::Policy(shot.retry), |run| {
        let failed = |code, message: &str| Ok(Try::NotYet(StepFailure::new(code, message)));
        match run.phone.screenshot() {
            Ok(Picture::Png(png)) => {
                let told = data([("format", "png".into()), ("bytes", png.len().to_string())]);
                run.picture = Some(png);
                Ok(Try::Done(told))
            }
            Ok(Picture::Unsupported) => by_host(run),
            // It stays forbidden while this screen is up.
            Ok(Picture::SecureWindow) => Ok(Try::Over(StepFailure::new(
                ErrorCode::ScreenshotSecureWindow,
                "the app on the screen forbids pictures",
            ))),
            Ok(Picture::RateLimited) => failed(
                ErrorCode::ScreenshotRateLimited,
                "the phone was asked for pictures too fast",
            ),
            Ok(Picture::Failed(reason)) => failed(ErrorCode::ScreenshotFailed, &reason),
            Err(error) => nothing_done(error),
        }
    })?;
    // Read after the picture was taken: what moved while it was being taken counts as a change.
    told.insert("generation".into(), run.phone.generation().to_string());
    if let Some(path) = &shot.path {
        told.entry("path".into()).or_insert_with(|| path.clone());
    }
    tries.tell(&mut told);
    Ok(told)
}

fn by_host(run: &mut Run<'_>) -> Outcome<Try<StepData>> {
    Ok(match run.ask_host(HostCall::Screenshot)? {
        Some(HostAnswer::Done { data }) => Try::Done(data),
        Some(HostAnswer::Failed { code, message }) => {
            let code = code.parse().unwrap_or(ErrorCode::ScreenshotFailed);
            Try::NotYet(StepFailure::new(code, message))
        }
        None => Try::Over(StepFailure::new(
            ErrorCode::UnsupportedRuntimeScreenshot,
            "the phone cannot take a picture by itself; the host does it",
        )),
    })
}
