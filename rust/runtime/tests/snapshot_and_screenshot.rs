//! Telling what is on the screen: as text and as a picture.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, unreachable_pub, reason = "each test file uses its part")]
mod support;

use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_runtime::phone::{PhoneError, Picture};
use clawperator_runtime::screen::{Bounds, WindowKind, WindowSpec};
use serde_json::json;
use support::scripted::{Done, Operation, World, button, field, node};
use support::{Bench, ms};

const APP: &str = "com.example";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.world().show(APP, vec![button("Go & stop", 300), field("app:id/name", "Anna", 600)]);
    bench
}

fn keyboard(world: &mut World) {
    let mut root = node("android.view.View", "", Bounds::new(0, 1_500, 1_080, 2_400));
    root.package = "com.keyboard".into();
    let window = WindowSpec {
        kind: WindowKind::InputMethod,
        active: false,
        id: 2,
        ..WindowSpec::application(root)
    };
    world.windows.push(window);
}

#[test]
fn a_snapshot_is_xml_that_says_everything() {
    let mut bench = bench();
    let step = bench.succeed("snapshot_ui", json!({}));
    assert_eq!(step.data["actual_format"], "hierarchy_xml");
    assert_eq!(step.data["foreground_package"], APP);
    assert_eq!(
        (step.data["has_overlay"].as_str(), step.data["window_count"].as_str()),
        ("false", "1")
    );
    assert!(!step.data.contains_key("overlay_package"));
    let text = &step.data["text"];
    assert!(text.starts_with("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"), "{text}");
    let xml = roxmltree::Document::parse(text).unwrap();
    assert_eq!(xml.root_element().tag_name().name(), "hierarchy");
    let go = xml.descendants().find(|node| node.attribute("text") == Some("Go & stop")).unwrap();
    assert_eq!(go.attribute("bounds"), Some("[100,300][900,420]"));
    assert_eq!(go.attribute("clickable"), Some("true"));
}

#[test]
fn the_text_view_names_nodes_by_references_that_can_be_used() {
    let mut bench = bench();
    let step = bench.succeed("snapshot_ui", json!({ "view": "text" }));
    assert_eq!(step.data["actual_format"], "text");
    let text = &step.data["text"];
    let header = text.lines().next().unwrap();
    let generation = header.strip_prefix("screen g").unwrap().split(' ').next().unwrap();
    let line = text.lines().find(|line| line.contains("\"Go & stop\"")).unwrap();
    let reference = format!("{}@{generation}", line.rsplit(' ').next().unwrap());
    bench.succeed("click", json!({ "ref": reference }));
    assert_eq!(bench.world().deeds(), [support::clicked("Go & stop")]);
}

#[test]
fn what_lies_over_the_app_is_named() {
    let mut bench = bench();
    keyboard(&mut bench.world());
    let step = bench.succeed("snapshot_ui", json!({}));
    assert_eq!(
        (step.data["has_overlay"].as_str(), step.data["window_count"].as_str()),
        ("true", "2")
    );
    assert_eq!(step.data["overlay_package"], "com.keyboard");
    assert_eq!(step.data["foreground_package"], APP);
}

#[test]
fn without_a_window_there_is_no_snapshot() {
    let mut bench = Bench::new();
    let took = bench.took(|bench| {
        let step = bench.fail("snapshot_ui", json!({}), "SNAPSHOT_EXTRACTION_FAILED");
        assert_eq!(step.data["attempts"], "5");
    });
    assert!((5_525..=7_475).contains(&took), "{took} ms");
    bench.world().faults(|_, operation| {
        (operation == Operation::Capture).then(|| PhoneError::Failed("torn capture".into()))
    });
    let step = bench.fail("snapshot_ui", json!({}), "SNAPSHOT_EXTRACTION_FAILED");
    assert_eq!(step.data["message"], "torn capture");
}

#[test]
fn a_window_that_comes_late_is_told_as_soon_as_it_is_there() {
    let mut bench = Bench::new();
    bench.world().after(ms(150), |world| world.show(APP, vec![button("Go", 300)]));
    let took = bench.took(|bench| {
        let step = bench.succeed("snapshot_ui", json!({}));
        assert!(step.data["text"].contains("Go"));
    });
    assert!((150..=160).contains(&took), "{took} ms");
}

#[test]
fn a_picture_goes_to_whoever_watches() {
    let mut bench = bench();
    let step = bench.succeed("take_screenshot", json!({ "path": "/tmp/shot.png" }));
    assert_eq!(step.data["path"], "/tmp/shot.png");
    assert_eq!(bench.host.pictures, [b"png".to_vec()]);
    assert_eq!(bench.host.calls, []);
    // The next step's result brings no picture of this one.
    bench.succeed("sleep", json!({ "durationMs": 1 }));
    assert_eq!(bench.host.pictures.len(), 1);
}

#[test]
fn a_window_that_forbids_pictures_is_asked_once() {
    let mut bench = bench();
    bench.world().picture = Picture::SecureWindow;
    let retry = json!({ "maxAttempts": 5, "initialDelayMs": 100 });
    bench.fail("take_screenshot", json!({ "retry": retry }), "SCREENSHOT_SECURE_WINDOW");
    assert_eq!(bench.world().deeds(), [Done::Screenshot]);
}

#[test]
fn pictures_asked_for_too_fast_are_told_or_asked_again() {
    let mut bench = bench();
    bench.world().picture = Picture::RateLimited;
    let step = bench.fail("take_screenshot", json!({}), "SCREENSHOT_RATE_LIMITED");
    assert_eq!(step.data["attempts"], "1");
    bench.world().after(ms(300), |world| world.picture = Picture::Png(b"late".to_vec()));
    let retry = json!({ "maxAttempts": 3, "initialDelayMs": 350 });
    let step = bench.succeed("take_screenshot", json!({ "retry": retry }));
    assert_eq!((step.data["attempts"].as_str(), step.data["waited_ms"].as_str()), ("2", "350"));
    assert_eq!(bench.host.pictures, [b"late".to_vec()]);
}

#[test]
fn a_picture_that_went_wrong_says_why() {
    let mut bench = bench();
    bench.world().picture = Picture::Failed("no buffer".into());
    let step = bench.fail("take_screenshot", json!({}), "SCREENSHOT_FAILED");
    assert_eq!(step.data["message"], "no buffer");
    assert_eq!(bench.host.pictures.len(), 0);
}

#[test]
fn a_phone_that_takes_no_pictures_asks_the_host() {
    let mut bench = bench();
    bench.world().picture = Picture::Unsupported;
    let data = [("path".to_owned(), "/tmp/by-host.png".to_owned())].into();
    bench.host.answer = Some(HostAnswer::Done { data });
    let step = bench.succeed("take_screenshot", json!({}));
    assert_eq!(step.data["path"], "/tmp/by-host.png");
    assert_eq!(bench.host.calls, [HostCall::Screenshot]);
    let (code, message) = ("DEVICE_OFFLINE".into(), "gone".into());
    bench.host.answer = Some(HostAnswer::Failed { code, message });
    bench.fail("take_screenshot", json!({}), "DEVICE_OFFLINE");
}

#[test]
fn without_a_host_a_picture_is_unsupported_and_the_execution_goes_on() {
    let mut bench = bench();
    bench.world().picture = Picture::Unsupported;
    let envelope = bench.run(json!([
        { "id": "shot", "type": "take_screenshot" },
        { "id": "after", "type": "sleep", "params": { "durationMs": 1 } }
    ]));
    let [shot, after] = envelope.step_results.as_slice() else { panic!("{envelope:?}") };
    assert_eq!(shot.error(), Some("UNSUPPORTED_RUNTIME_SCREENSHOT"));
    assert!(after.success);
}

#[test]
fn a_tree_and_a_picture_of_the_same_moment_have_the_same_generation() {
    let mut bench = bench();
    let actions = json!([
        { "id": "tree", "type": "snapshot_ui" }, { "id": "picture", "type": "take_screenshot" },
    ]);
    let steps = bench.run(actions).step_results;
    assert_eq!(steps[0].data["generation"], steps[1].data["generation"]);
}
