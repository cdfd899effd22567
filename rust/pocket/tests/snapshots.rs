//! Snapshots of a simulated phone.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod phone_support;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::ErrorCode;
use clawperator_picture::{Pixels, visual_hash};
use clawperator_pocket::snapshot::{Eye, Scaling, ScreenSnapshot, Source};
use clawperator_simphone::system::OperatorPackage;
use phone_support::{Phone, options};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const SETTINGS: &str = "com.android.settings";

fn look(eye: &mut Eye, phone: &Phone) -> ScreenSnapshot {
    eye.snapshot(&phone.route(), Scaling::ShortSide).unwrap()
}

fn picture(base64: &str) -> Pixels {
    Pixels::from_png(&STANDARD.decode(base64).unwrap()).unwrap()
}

fn pixel(of: &Pixels, x: i32, y: i32) -> [u8; 3] {
    let at = (usize::try_from(y).unwrap() * of.width as usize + usize::try_from(x).unwrap()) * 3;
    [of.rgb[at], of.rgb[at + 1], of.rgb[at + 2]]
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn source(seen: &ScreenSnapshot) -> Source {
    seen.capture_metrics.as_ref().unwrap().ui_elements_source
}

#[test]
fn a_snapshot_has_the_fields_of_the_schema_and_few_more() {
    let phone = Phone::with_operator();
    phone.show(SETTINGS, "main");
    let seen = serde_json::to_value(look(&mut Eye::new(), &phone)).unwrap();
    assert_eq!(
        keys(&seen),
        [
            "deviceId",
            "currentApp",
            "width",
            "height",
            "screenshotBase64",
            "somScreenshotBase64",
            "capturedAt",
            "scaleX",
            "scaleY",
            "scaledWidth",
            "scaledHeight",
            "installedPackages",
            "uiElements",
            "captureMetrics",
            "secureSurfaceDetected",
        ]
    );
    assert_eq!(
        keys(&seen["captureMetrics"]),
        [
            "totalMs",
            "ensureReadyMs",
            "screencapMs",
            "screenSizeMs",
            "currentAppMs",
            "scaleMs",
            "uiDumpMs",
            "overlayMs",
            "uiElementsSource",
            "uiElementsCount",
            "visualHash",
            "visualHashHammingDistance",
            "uiDumpTimedOut",
            "secureSurfaceDetected",
            "via",
            "sameMoment",
            "captureTries",
        ]
    );
    let element = &seen["uiElements"][0];
    assert_eq!(
        keys(element),
        [
            "id",
            "text",
            "contentDesc",
            "resourceId",
            "className",
            "clickable",
            "enabled",
            "bounds",
            "center",
            "scaledBounds",
            "scaledCenter",
        ]
    );
    assert_eq!(keys(&element["bounds"]), ["left", "top", "right", "bottom"]);
    assert_eq!(keys(&element["center"]), ["x", "y"]);
    assert_eq!(seen["deviceId"], "sim");
    assert_eq!(seen["currentApp"], SETTINGS);
    assert_eq!((&seen["width"], &seen["height"]), (&json!(1080), &json!(2400)));
    assert_eq!((&seen["scaledWidth"], &seen["scaledHeight"]), (&json!(768), &json!(1707)));
    assert!(seen["capturedAt"].as_str().unwrap().ends_with('Z'));
    let apps = seen["installedPackages"].as_array().unwrap();
    assert!(apps.contains(&json!(SETTINGS)));
    let metrics = &seen["captureMetrics"];
    assert_eq!(metrics["uiElementsSource"], "fresh");
    assert_eq!(metrics["uiElementsCount"], seen["uiElements"].as_array().unwrap().len());
    assert_eq!((&metrics["via"], &metrics["sameMoment"]), (&json!("operator"), &json!(true)));
}

#[test]
fn the_pictures_show_the_screen_and_the_marks_are_where_the_elements_are() {
    let phone = Phone::with_operator();
    phone.show(SETTINGS, "main");
    let seen = look(&mut Eye::new(), &phone);
    let plain = picture(&seen.screenshot_base64);
    let marked = picture(seen.som_screenshot_base64.as_ref().unwrap());
    assert_eq!((plain.width, plain.height), (seen.scaled_width, seen.scaled_height));
    assert_eq!((marked.width, marked.height), (seen.scaled_width, seen.scaled_height));
    assert_eq!(visual_hash(&plain), seen.capture_metrics.as_ref().unwrap().visual_hash);
    let colours = [[0, 0xE5, 0xFF], [0xFF, 0xEE, 0x58], [0x81, 0xC7, 0x84]];
    for (element, colour) in seen.ui_elements.iter().zip(colours) {
        let at = element.scaled_bounds;
        let y = i32::midpoint(at.top, at.bottom) + 12;
        assert_eq!(pixel(&marked, at.left, y), colour, "{}", element.text);
        assert_eq!(pixel(&marked, at.right - 1, y), colour, "{}", element.text);
        assert_ne!(pixel(&plain, at.left, y), colour);
    }
}

#[test]
fn a_picture_suits_the_model_and_a_small_one_stays_as_it_is() {
    let phone = Phone::with_operator();
    phone.show(SETTINGS, "main");
    let scaling = Scaling::for_model("claude-sonnet");
    let seen = Eye::new().snapshot(&phone.route(), scaling).unwrap();
    assert_eq!((seen.scaled_width, seen.scaled_height), (706, 1568));
    let metrics = clawperator_simphone::device::Metrics { width: 480, height: 800, dpi: 240 };
    let small = clawperator_simphone::device::Options { metrics, ..options() };
    let phone = Phone::of(vec![OperatorPackage::current()], small);
    phone.show(SETTINGS, "main");
    let seen = look(&mut Eye::new(), &phone);
    assert_eq!((seen.scale_x, seen.scale_y, seen.scaled_width), (1.0, 1.0, 480));
    let picture = picture(&seen.screenshot_base64);
    assert_eq!((picture.width, picture.height), (480, 800));
}

#[test]
fn a_phone_that_was_turned_is_seen_as_it_is() {
    let phone = Phone::turned();
    phone.show(SETTINGS, "main");
    let seen = look(&mut Eye::new(), &phone);
    assert_eq!((seen.width, seen.height), (2400, 1080));
    assert_eq!((seen.scaled_width, seen.scaled_height), (1707, 768));
}

#[test]
fn elements_keep_their_ids_from_one_look_to_the_next() {
    let phone = Phone::with_operator();
    phone.show(SETTINGS, "main");
    let mut eye = Eye::new();
    let first = look(&mut eye, &phone);
    let ids: Vec<_> = first.ui_elements.iter().map(|element| element.id.clone()).collect();
    let counted: Vec<_> = (1..=ids.len()).map(|number| number.to_string()).collect();
    assert_eq!(ids, counted);
    assert_eq!(look(&mut eye, &phone).ui_elements, first.ui_elements);
    // After a short scroll the rows that are still there keep theirs.
    let swipe = json!({ "type": "drag", "x1": 540, "y1": 1500, "x2": 540, "y2": 1000,
                        "durationMs": 2000 });
    phone.perform(&swipe, None).unwrap();
    let then = look(&mut eye, &phone);
    let mut stayed = 0;
    for element in &then.ui_elements {
        match first.ui_elements.iter().find(|before| before.text == element.text) {
            Some(before) if !element.text.is_empty() => {
                assert_eq!(before.id, element.id, "{}", element.text);
                stayed += 1;
            }
            Some(_) => {}
            None => {
                assert!(first.element(&element.id).is_err(), "{} took a name over", element.text)
            }
        }
    }
    assert!(stayed >= 5, "{stayed}");
    assert_ne!(then.ui_elements, first.ui_elements);
}

#[test]
fn an_app_that_forbids_pictures_is_told_without_one() {
    for phone in [Phone::with_operator(), Phone::bare()] {
        phone.show("com.example.account", "login");
        // The simulated phone's list of windows does not tell their flags.
        let windows = "  Window #1 Window{1 u0 com.example.account/.Main}:\n   fl=SECURE\n";
        phone.answer("dumpsys window windows", windows, 0);
        let seen = look(&mut Eye::new(), &phone);
        assert!(seen.secure_surface_detected);
        assert_eq!((seen.screenshot_base64.as_str(), &seen.som_screenshot_base64), ("", &None));
        assert!(seen.ui_elements.iter().any(|element| element.text == "Remember me"));
        assert_eq!((seen.width, seen.height, seen.scaled_width), (1080, 2400, 768));
        let metrics = seen.capture_metrics.unwrap();
        assert_eq!((metrics.visual_hash.as_str(), metrics.secure_surface_detected), ("", true));
    }
}

#[test]
fn with_the_operator_nothing_is_ever_dumped() {
    let phone = Phone::with_operator();
    let mut eye = Eye::new();
    for (package, screen) in [(SETTINGS, "main"), ("com.example.news", "feed"), (SETTINGS, "main")]
    {
        phone.show(package, screen);
        let seen = look(&mut eye, &phone);
        assert_eq!((source(&seen), seen.current_app.as_str()), (Source::Fresh, package));
    }
    assert!(!phone.was_told("uiautomator"));
}

#[test]
fn while_the_other_operators_service_is_on_nothing_is_dumped() {
    let release = OperatorPackage { enabled: false, ..OperatorPackage::current() };
    let other = clawperator_contract::operator::DEV_PACKAGE;
    let on = OperatorPackage { package: other.into(), ..OperatorPackage::current() };
    let phone = Phone::of(vec![release, on], options());
    phone.show(SETTINGS, "main");
    let failure = Eye::new().snapshot(&phone.route(), Scaling::ShortSide).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OperatorVariantMismatch);
    assert!(failure.hint.unwrap().contains(other));
    assert!(!phone.was_told("uiautomator"));
}

#[test]
fn without_the_operator_adbs_tools_see_the_same() {
    let with = Phone::with_operator();
    let expected = look(&mut Eye::new(), with.show(SETTINGS, "main"));
    for phone in [Phone::bare(), Phone::service_off()] {
        let seen = look(&mut Eye::new(), phone.show(SETTINGS, "main"));
        assert_eq!(seen.ui_elements, expected.ui_elements);
        assert_eq!(seen.current_app, expected.current_app);
        assert_eq!(seen.installed_packages, expected.installed_packages);
        assert!(phone.was_told("uiautomator dump /dev/tty"));
        let metrics = seen.capture_metrics.unwrap();
        assert_eq!((metrics.via, metrics.same_moment), ("adb", None));
    }
}

#[test]
fn a_still_screen_is_dumped_every_second_time_and_a_failed_dump_is_stood_in_for() {
    let phone = Phone::bare();
    phone.show("com.example.climate", "home");
    // However long these looks take.
    let mut eye = Eye::keeping_elements(Duration::MAX);
    let first = look(&mut eye, &phone);
    let again = look(&mut eye, &phone);
    assert_eq!((source(&first), source(&again)), (Source::Fresh, Source::Cache));
    assert_eq!(again.ui_elements, first.ui_elements);
    assert_eq!(again.capture_metrics.unwrap().visual_hash_hamming_distance, Some(0));
    phone.answer("uiautomator", "ERROR: could not get idle state.\n", 137);
    let sources: Vec<_> = (0..4).map(|_| source(&look(&mut eye, &phone))).collect();
    use Source::{CacheFallback, FreshEmpty};
    assert_eq!(sources, [CacheFallback, CacheFallback, FreshEmpty, FreshEmpty]);
    let empty = look(&mut eye, &phone);
    assert_eq!((empty.ui_elements.len(), empty.som_screenshot_base64), (0, None));
    assert!(!empty.screenshot_base64.is_empty());
}

#[test]
fn elements_that_are_too_old_are_not_used_again() {
    let phone = Phone::bare();
    phone.show("com.example.climate", "home");
    let mut eye = Eye::keeping_elements(Duration::ZERO);
    let sources = [(); 2].map(|()| source(&look(&mut eye, &phone)));
    assert_eq!(sources, [Source::Fresh, Source::Fresh]);
}

#[test]
fn the_apps_of_the_phone_are_asked_for_once() {
    let phone = Phone::with_operator();
    let mut eye = Eye::new();
    for _ in 0..3 {
        assert!(look(&mut eye, &phone).installed_packages.is_some());
    }
    let asked = phone.heard().iter().filter(|line| line.contains("query-activities")).count();
    assert_eq!(asked, 1);
}

#[test]
fn a_screen_that_moves_while_its_picture_is_taken_is_taken_again_but_not_for_ever() {
    for (moves, tries, same) in [(0, 1, true), (1, 2, true), (9, 3, false)] {
        let phone = Phone::with_operator();
        phone.show(SETTINGS, "main");
        let (system, count) = (Arc::clone(phone.system()), AtomicUsize::new(0));
        let png = Pixels::filled(1080, 2400, [9, 9, 9]).to_png().unwrap();
        phone.system().device.set_camera(Box::new(move |_| {
            let number = count.fetch_add(1, Ordering::Relaxed);
            if number < moves {
                let screens = ["battery", "display"];
                system.device.launch_screen(SETTINGS, screens[number % 2]);
            }
            png.clone()
        }));
        let metrics = look(&mut Eye::new(), &phone).capture_metrics.unwrap();
        assert_eq!((metrics.capture_tries, metrics.same_moment), (tries, Some(same)), "{moves}");
    }
}
