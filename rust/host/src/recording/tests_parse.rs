//! Promises of the reader of recordings.

use super::event::{Edges, What};
use super::parse::parse;
use super::test_recording::{HEADER, SAMPLE, lines};
use clawperator_contract::{ErrorCode, Failure};

const BACK: &str = r#"{"ts":5,"seq":0,"snapshot":null,"type":"press_key","key":"back"}"#;

fn refused(text: &str) -> Failure {
    parse(text.as_bytes()).unwrap_err()
}

/// The message of a file whose only event is this.
fn problem(event: &str) -> String {
    let failure = refused(&lines(&[event]));
    assert_eq!(failure.code, ErrorCode::RecordingParseFailed, "{event}");
    assert_eq!(failure.details["line"], 2, "{event}");
    failure.message
}

#[test]
fn a_whole_recording_is_read() {
    let recording = parse(SAMPLE.as_bytes()).unwrap();
    assert_eq!(recording.header.session_id, "sample");
    assert_eq!(recording.header.started_at, 1000);
    assert_eq!((recording.events.len(), recording.cut), (7, false));
    assert_eq!(recording.warnings, Vec::<String>::new());
    let What::Click(node) = &recording.events[1].what else { panic!("a click") };
    assert_eq!(node.text.as_deref(), Some("Shöp 🛒"));
    assert_eq!(node.bounds, Edges { left: 1, top: 2, right: 3, bottom: 4 });
    assert_eq!((recording.events[1].line, recording.events[1].ts), (3, 1200));
    assert_eq!(recording.events[1].snapshot.as_deref(), Some("<a/>"));
}

#[test]
fn a_recording_cut_at_any_byte_keeps_every_whole_line() {
    let bytes = SAMPLE.as_bytes();
    let header = SAMPLE.find('\n').unwrap();
    for length in 0..=bytes.len() {
        let read = parse(&bytes[..length]);
        if length < header {
            assert_eq!(read.unwrap_err().code, ErrorCode::RecordingParseFailed, "{length}");
            continue;
        }
        let recording = read.unwrap();
        // A line is whole with its last byte, whether or not the line break came.
        let whole = bytes.iter().enumerate();
        let whole = whole.filter(|(at, byte)| **byte == b'\n' && *at <= length).count() - 1;
        assert_eq!(recording.events.len(), whole, "{length}");
        let rest = bytes[..length].rsplit(|byte| *byte == b'\n').next().unwrap();
        let cut = !rest.is_empty() && bytes[length] != b'\n';
        assert_eq!(recording.cut, cut, "{length}");
        assert_eq!(recording.warnings.len(), usize::from(cut), "{length}");
        if cut {
            let expected = format!("line {} is cut", whole + 2);
            assert!(recording.warnings[0].starts_with(&expected), "{:?}", recording.warnings);
        }
    }
}

#[test]
fn only_the_end_of_the_file_may_be_cut() {
    let failure = refused(&format!("{HEADER}\n{{\"ts\":\n"));
    assert_eq!(failure.details["line"], 2);
    // Whole JSON, so nothing was cut: it is wrong.
    assert_eq!(refused(&format!("{HEADER}\n{BACK}\n{{\"ts\":5}}")).details["line"], 3);
    // What a crash may leave at the end of a file.
    let mut zeroes = lines(&[BACK]).into_bytes();
    zeroes.extend([0; 50]);
    let recording = parse(&zeroes).unwrap();
    assert_eq!((recording.events.len(), recording.cut), (1, true));
}

#[test]
fn lines_are_numbered_as_they_stand_in_the_file() {
    let failure = refused(&format!("\n{HEADER}\n\n  \n{BACK}\nnonsense\n"));
    assert_eq!(failure.code, ErrorCode::RecordingParseFailed);
    assert_eq!(failure.details["line"], 6);
    assert!(failure.message.starts_with("line 6 of the recording"), "{failure}");
    assert!(failure.message.contains("(column 2)"), "{failure}");
    assert!(failure.hint.is_some());
}

#[test]
fn line_ends_of_other_systems_and_a_byte_order_mark_are_passed_over() {
    let text = format!("\u{feff}{}", SAMPLE.replace('\n', "\r\n"));
    assert_eq!(parse(text.as_bytes()).unwrap().events.len(), 7);
    assert_eq!(parse(SAMPLE.trim_end().as_bytes()).unwrap().events.len(), 7);
}

#[test]
fn bytes_that_are_no_text_are_a_failure_at_their_line_unless_at_the_end() {
    let mut bytes = format!("{HEADER}\n").into_bytes();
    bytes.extend(b"{\"a\":\"\xff\"}");
    assert!(parse(&bytes).unwrap().cut);
    bytes.push(b'\n');
    let failure = parse(&bytes).unwrap_err();
    assert_eq!(failure.details["line"], 2);
    assert!(failure.message.contains("not UTF-8 (column 7)"), "{failure}");
}

#[test]
fn a_file_without_anything_or_without_a_header_is_no_recording() {
    for text in ["", "\n \r\n", "{}", "null\n", "[1]\n", "12", BACK, "PNG\n", "{\"type\":"] {
        let failure = refused(text);
        assert_eq!(failure.code, ErrorCode::RecordingParseFailed, "{text}");
        assert_eq!(failure.details["line"], 1, "{text}");
    }
}

#[test]
fn a_header_has_its_fields_and_may_have_more() {
    assert!(parse(HEADER.replace('}', r#","device":{"a":1}}"#).as_bytes()).is_ok());
    for (good, bad) in [
        (r#""sessionId":"sample""#, r#""sessionId":7"#),
        (r#""startedAt":1000"#, r#""startedAt":"1000""#),
        (r#""startedAt":1000"#, r#""startedAt":1000.5"#),
        (r#""schemaVersion":1"#, r#""schemaVersion":"1""#),
        (r#","operatorPackage":"com.clawperator.operator""#, ""),
    ] {
        let failure = refused(&HEADER.replace(good, bad));
        assert_eq!(failure.code, ErrorCode::RecordingParseFailed, "{bad}");
    }
    assert!(parse(HEADER.replace("1000", "1000.0").as_bytes()).is_ok());
}

#[test]
fn another_version_is_refused_whatever_else_its_header_has() {
    let header = r#"{"type":"recording_header","schemaVersion":2}"#;
    let failure = refused(header);
    assert_eq!(failure.code, ErrorCode::RecordingSchemaVersionUnsupported);
    assert_eq!(
        (&failure.details["schemaVersion"], &failure.details["supported"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn a_line_that_is_no_object_is_named_and_never_crashes() {
    assert!(problem("null").contains("not null"));
    assert!(problem("12").contains("not a number"));
    assert!(problem("[]").contains("not a list"));
    assert!(problem("\"x\"").contains("not a text"));
    assert!(problem(&"[".repeat(100_000)).contains("recursion limit"));
}

#[test]
fn every_event_has_a_moment_a_number_and_a_type() {
    for (good, bad, said) in [
        (r#""ts":5"#, r#""ts":"5""#, "\"ts\" of an event must be a whole number, but it is a text"),
        (r#""ts":5,"#, "", "\"ts\" of an event must be a whole number, but it is missing"),
        (r#""seq":0"#, r#""seq":0.5"#, "\"seq\" of an event must be a whole number"),
        (r#""type":"press_key","#, "", "\"type\" of an event must be a text"),
        (r#""snapshot":null"#, r#""snapshot":{}"#, "\"snapshot\" of an event must be a text"),
        (r#""key":"back""#, r#""key":null"#, "\"key\" of press_key must be a text, but it is null"),
    ] {
        let message = problem(&BACK.replace(good, bad));
        assert!(message.contains(said), "{message}");
    }
    assert!(parse(lines(&[BACK.replace(r#""snapshot":null,"#, "")]).as_bytes()).is_ok());
}

#[test]
fn every_field_of_a_known_event_is_needed_and_of_its_kind() {
    // Each field in turn is taken away, then made a list.
    let needed = [
        ("window_change", vec!["packageName"]),
        ("click", vec!["packageName", "resourceId", "text", "contentDesc", "bounds"]),
        (
            "scroll",
            vec!["packageName", "resourceId", "scrollX", "scrollY", "maxScrollX", "maxScrollY"],
        ),
        ("text_change", vec!["packageName", "resourceId", "text"]),
    ];
    for (kind, keys) in needed {
        let sample = SAMPLE.lines().find(|line| line.contains(&format!("\"{kind}\""))).unwrap();
        for key in keys {
            let mut event: serde_json::Map<_, _> = serde_json::from_str(sample).unwrap();
            event.insert(key.to_owned(), serde_json::json!([]));
            let message = problem(&serde_json::to_string(&event).unwrap());
            assert!(message.contains(&format!("\"{key}\" of {kind}")), "{message}");
            event.remove(key);
            let message = problem(&serde_json::to_string(&event).unwrap());
            assert!(message.contains("is missing"), "{message}");
        }
    }
    let click = SAMPLE.lines().nth(2).unwrap();
    assert!(problem(&click.replace(r#""left":1,"#, "")).contains("\"left\" of bounds of click"));
    let masked = SAMPLE.lines().nth(5).unwrap().replace(r#""type""#, r#""password":1,"type""#);
    assert!(problem(&masked).contains("\"password\" of text_change must be true or false"));
}

#[test]
fn a_failure_never_repeats_what_a_person_typed() {
    let typed = SAMPLE.lines().nth(5).unwrap().replace(r#""com.shop:id/search""#, "[\"hunter2\"]");
    assert!(!problem(&typed).contains("hunter2"));
}

#[test]
fn an_event_of_an_unknown_type_is_kept_with_a_warning() {
    let recording = parse(lines(&[BACK, r#"{"ts":1,"seq":1,"type":"pinch","x":1}"#]).as_bytes());
    let recording = recording.unwrap();
    assert_eq!(recording.events[1].what.kind(), "pinch");
    assert_eq!(
        recording.warnings,
        ["line 3: the event type \"pinch\" is not known; it becomes no step"]
    );
    assert!(problem(r#"{"seq":1,"type":"pinch"}"#).contains("\"ts\""));
}

#[test]
fn two_recordings_in_one_file_are_refused() {
    let failure = refused(&format!("{SAMPLE}{SAMPLE}"));
    assert_eq!(failure.details["line"], 9);
    assert!(failure.message.contains("two recordings"), "{failure}");
}

#[test]
fn events_are_sorted_by_number_and_those_of_one_number_stay_in_order() {
    let key = |seq: i32, key: &str| {
        BACK.replace(r#""seq":0"#, &format!(r#""seq":{seq}"#)).replace("back", key)
    };
    let text = lines(&[key(4, "e"), key(1, "b"), key(0, "a"), key(1, "c"), key(2, "d")]);
    let recording = parse(text.as_bytes()).unwrap();
    let order: Vec<_> = recording.events.iter().map(|event| (event.seq, event.line)).collect();
    assert_eq!(order, [(0, 4), (1, 3), (1, 5), (2, 6), (4, 2)]);
    assert_eq!(
        recording.warnings,
        ["events are missing: seq 3 to 3", "1 events have the number of the one before them"]
    );
}
