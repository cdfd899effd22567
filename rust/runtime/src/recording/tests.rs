//! Promises of the recorder as a whole.

use super::memory_sink::{Inner, Memory};
use super::*;
use clawperator_contract::ErrorCode;
use serde_json::Value;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

const PACKAGE: &str = "com.clawperator.operator";

fn click(package: &str) -> RecordedEvent {
    RecordedEvent::Click(Touched { package_name: package.into(), ..Touched::default() })
}

fn typed(text: &str) -> RecordedEvent {
    RecordedEvent::TextChange(TextChange { text: text.into(), ..TextChange::default() })
}

fn no_screen() -> Option<String> {
    None
}

fn data(error: &RecordingError) -> Vec<String> {
    error.data().into_iter().map(|(key, text)| format!("{key}={text}")).collect()
}

#[test]
fn a_recording_is_started_filled_and_stopped_and_then_another_one_can_be() {
    let memory = Memory::default();
    let recorder = memory.recorder();
    assert!(!recorder.is_recording());
    let started = recorder.start(Some("demo_1-A"), PACKAGE, 1000).unwrap();
    let file_path = "mem/demo_1-A.ndjson".to_owned();
    assert_eq!(started, Started { session_id: "demo_1-A".into(), file_path: file_path.clone() });
    assert!(recorder.is_recording());
    recorder.record(&RecordedEvent::PressKey(Key::Back), || Some("<x/>".into()), 1001);
    recorder.record(&typed("hi"), no_screen, 1002);
    let stopped = recorder.stop(Some("demo_1-A")).unwrap();
    assert_eq!(
        stopped,
        Stopped { session_id: "demo_1-A".into(), file_path, event_count: 2, mismatch: None }
    );
    assert!(!recorder.is_recording());
    assert_eq!(
        memory.text(),
        concat!(
            r#"{"type":"recording_header","schemaVersion":1,"sessionId":"demo_1-A","startedAt":1000,"operatorPackage":"com.clawperator.operator"}"#,
            "\n",
            r#"{"ts":1001,"seq":0,"snapshot":"<x/>","key":"back","type":"press_key"}"#,
            "\n",
            r#"{"ts":1002,"seq":1,"snapshot":null,"packageName":"","resourceId":null,"text":"hi","type":"text_change"}"#,
            "\n"
        )
    );
    recorder.start(Some("demo-2"), PACKAGE, 2000).unwrap();
    recorder.record(&typed("again"), no_screen, 2001);
    assert!(memory.text().contains(r#""seq":0"#));
    assert_eq!(recorder.stop(None).unwrap().event_count, 1);
}

#[test]
fn a_recording_without_events_is_a_good_one() {
    let recorder = Memory::default().recorder();
    recorder.start(Some("empty"), PACKAGE, 1).unwrap();
    assert_eq!(recorder.stop(Some(" ")).unwrap().event_count, 0);
}

#[test]
fn an_id_is_made_up_where_none_is_given() {
    let recorder = Memory::default().recorder();
    let mut ids = Vec::new();
    for given in [None, Some(""), Some("  ")] {
        let id = recorder.start(given, PACKAGE, 1_700_000_000_123).unwrap().session_id;
        let hex = id.strip_prefix("record-1700000000123-").unwrap();
        assert!(
            hex.len() == 8 && hex.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        );
        recorder.stop(None).unwrap();
        ids.push(id);
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 3);
}

#[test]
fn an_id_that_is_no_safe_file_name_is_refused_and_nothing_is_opened() {
    let memory = Memory::default();
    let recorder = memory.recorder();
    let long = "x".repeat(129);
    for id in ["a/b", "..", "a b", " a", "a.b", "ä", "a\n", &long] {
        let error = recorder.start(Some(id), PACKAGE, 1).unwrap_err();
        assert_eq!(error.code(), ErrorCode::RecordingStartFailed, "{id}");
        assert!(error.message().contains("letters (a-z), digits, _ and -"));
        assert_eq!(data(&error), [""; 0]);
    }
    assert!(!recorder.is_recording() && memory.latest().is_empty());
    assert!(recorder.start(Some(&long[1..]), PACKAGE, 1).is_ok());
}

#[test]
fn a_second_start_is_refused_and_names_the_first() {
    let memory = Memory::default();
    let recorder = memory.recorder();
    recorder.start(Some("one"), PACKAGE, 1).unwrap();
    let error = recorder.start(Some("../two"), PACKAGE, 2).unwrap_err();
    assert_eq!(error.code(), ErrorCode::RecordingAlreadyInProgress);
    assert_eq!(data(&error), ["sessionId=one", "filePath=mem/one.ndjson"]);
    assert_eq!(memory.text().lines().count(), 1);
    assert_eq!(recorder.stop(None).unwrap().session_id, "one");
}

#[test]
fn a_stop_without_a_recording_is_refused() {
    let recorder = Memory::default().recorder();
    let error = recorder.stop(Some("one")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::RecordingNotInProgress);
    assert_eq!(data(&error), [""; 0]);
}

#[test]
fn a_stop_of_another_id_stops_the_running_one_and_says_so() {
    let recorder = Memory::default().recorder();
    recorder.start(Some("one"), PACKAGE, 1).unwrap();
    let stopped = recorder.stop(Some("two")).unwrap();
    assert_eq!((&*stopped.session_id, stopped.mismatch.as_deref()), ("one", Some("two")));
}

#[test]
fn no_place_for_the_file_is_told_apart_from_a_file_that_cannot_be_begun() {
    let start = |change: fn(&mut Inner)| {
        let memory = Memory::default();
        memory.set(change);
        let recorder = memory.recorder();
        let error = recorder.start(Some("one"), PACKAGE, 1).unwrap_err();
        assert!(!recorder.is_recording());
        assert_eq!(data(&error), ["sessionId=one"]);
        error.code()
    };
    let unavailable = ErrorCode::RecordingStorageUnavailable;
    let failed = ErrorCode::RecordingStartFailed;
    assert_eq!(start(|sink| sink.fail_create = Some(ErrorKind::NotFound)), unavailable);
    assert_eq!(start(|sink| sink.fail_create = Some(ErrorKind::PermissionDenied)), failed);
    assert_eq!(start(|sink| sink.fail_write = Some(0)), unavailable);
    assert_eq!(start(|sink| sink.fail_latest = Some(ErrorKind::Other)), failed);
}

#[test]
fn after_a_failed_write_the_recording_stays_active_and_stop_tells_the_failure() {
    let memory = Memory::default();
    memory.set(|sink| sink.fail_write = Some(2));
    let recorder = memory.recorder();
    recorder.start(Some("one"), PACKAGE, 1).unwrap();
    recorder.record(&typed("kept"), no_screen, 2);
    recorder.record(&typed("lost"), no_screen, 3);
    assert!(recorder.is_recording());
    // Even if there is room again: a file with a hole in the middle would look complete.
    memory.set(|sink| sink.fail_write = None);
    let screen = || panic!("nobody would read this screen");
    recorder.record(&RecordedEvent::PressKey(Key::Home), screen, 4);
    let error = recorder.stop(None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::RecordingStopFailed);
    assert_eq!(data(&error), ["sessionId=one", "filePath=mem/one.ndjson", "eventCount=1"]);
    assert_eq!(memory.text().lines().count(), 2);
    assert!(!recorder.is_recording());
    assert!(recorder.start(Some("two"), PACKAGE, 5).is_ok());
}

#[test]
fn the_newest_recording_is_remembered_at_start_and_again_at_stop() {
    let memory = Memory::default();
    let recorder = memory.recorder();
    recorder.start(Some("one"), PACKAGE, 1).unwrap();
    assert_eq!(memory.latest(), ["one"]);
    memory.set(|sink| sink.fail_latest = Some(ErrorKind::Other));
    let error = recorder.stop(None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::RecordingStopFailed);
    assert_eq!(memory.latest(), ["one", "one"]);
}

#[test]
fn what_happens_in_the_operator_itself_is_dropped() {
    let memory = Memory::default();
    let recorder = memory.recorder();
    recorder.start(None, PACKAGE, 1).unwrap();
    let screen = || panic!("its screen is not wanted either");
    for own in clawperator_contract::operator::PACKAGES {
        recorder.record(&click(own), screen, 2);
    }
    recorder.record(&click("com.clawperator.operator.other"), no_screen, 3);
    recorder.record(&click("com.android.systemui"), no_screen, 4);
    assert_eq!(recorder.stop(None).unwrap().event_count, 2);
}

#[test]
fn the_screen_is_taken_only_for_events_that_carry_it_and_only_while_recording() {
    let memory = Memory::default();
    let recorder = memory.recorder();
    let events = [
        RecordedEvent::WindowChange(WindowChange::default()),
        click(""),
        RecordedEvent::LongClick(Touched::default()),
        RecordedEvent::PressKey(Key::Enter),
        RecordedEvent::Scroll(Scrolled::default()),
        typed("x"),
    ];
    let taken = AtomicU32::new(0);
    let screen = || Some(format!("<s{}/>", taken.fetch_add(1, Ordering::Relaxed)));
    recorder.record(&events[0], screen, 0);
    assert_eq!(taken.load(Ordering::Relaxed), 0);
    recorder.start(None, PACKAGE, 1).unwrap();
    for event in &events {
        recorder.record(event, screen, 2);
    }
    let lines = memory.text();
    let snapshots = lines.lines().skip(1).map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["snapshot"].as_str().unwrap_or("null").to_owned()
    });
    let expected = ["<s0/>", "<s1/>", "<s2/>", "<s3/>", "null", "null"];
    assert_eq!(snapshots.collect::<Vec<_>>(), expected);
}

#[test]
fn an_event_never_slips_into_the_next_recording_while_its_screen_is_taken() {
    let memory = Memory::default();
    let recorder = memory.recorder();
    recorder.start(Some("one"), PACKAGE, 1).unwrap();
    // That this ends at all shows that no lock is held while the screen is taken.
    let screen = || {
        recorder.stop(None).unwrap();
        recorder.start(Some("two"), PACKAGE, 2).unwrap();
        None
    };
    recorder.record(&click("com.shop"), screen, 2);
    assert_eq!(recorder.stop(None).unwrap().event_count, 0);
}

#[test]
fn events_of_four_threads_are_numbered_in_the_order_of_whole_lines() {
    let memory = Memory::default();
    let recorder = memory.recorder();
    recorder.start(None, PACKAGE, 1).unwrap();
    thread::scope(|scope| {
        for number in 0..4 {
            let recorder = &recorder;
            scope.spawn(move || {
                for _ in 0..250 {
                    recorder.record(&click(&format!("app{number}")), no_screen, 2);
                }
            });
        }
    });
    assert_eq!(recorder.stop(None).unwrap().event_count, 1000);
    let writes = memory.writes();
    assert_eq!(writes.len(), 1001);
    for (seq, line) in writes.iter().skip(1).enumerate() {
        assert_eq!(line.iter().position(|byte| *byte == b'\n'), Some(line.len() - 1));
        let line: Value = serde_json::from_slice(line).unwrap();
        assert_eq!(line["seq"], seq);
    }
}
