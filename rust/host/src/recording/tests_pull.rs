//! Promises of `pull`.

use super::pull::pull;
use super::test_phone::{PACKAGE, TestPhone};
use super::test_recording::{HEADER, Place, SAMPLE};
use clawperator_contract::ErrorCode;
use serde_json::json;

fn phone() -> TestPhone {
    TestPhone::default().with("sample", SAMPLE.as_bytes()).latest("sample")
}

#[test]
fn the_newest_recording_is_copied_whole_and_nothing_else_is_left() {
    let place = Place::new("pull");
    let out = place.path("new/folder");
    let pulled = pull(&phone(), PACKAGE, None, &out).unwrap();
    let path = out.join("sample.ndjson");
    let expected = json!({"ok": true, "localPath": path.display().to_string(),
        "sessionId": "sample", "bytes": SAMPLE.len(), "eventCount": 7});
    assert_eq!(serde_json::to_value(&pulled).unwrap(), expected);
    assert_eq!(std::fs::read(&path).unwrap(), SAMPLE.as_bytes());
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1);
}

#[test]
fn a_recording_can_be_named() {
    let place = Place::new("pull-named");
    let phone = phone().with("other", HEADER.replace("sample", "other").as_bytes());
    let pulled = pull(&phone, PACKAGE, Some("other"), &place.path("")).unwrap();
    assert_eq!((pulled.session_id.as_str(), pulled.event_count), ("other", Some(0)));
    assert_eq!(pulled.warnings, Vec::<String>::new());
    assert_eq!(place.names(), ["other.ndjson"]);
}

#[test]
fn a_recording_that_is_not_there_is_told_with_those_that_are() {
    let place = Place::new("pull-none");
    for id in ["other", "", "../latest", "a b", &"x".repeat(129)] {
        let failure = pull(&phone(), PACKAGE, Some(id), &place.path("")).unwrap_err();
        assert_eq!(failure.code, ErrorCode::RecordingSessionNotFound, "{id}");
        assert_eq!(failure.details["sessions"], json!(["sample"]));
        assert!(failure.hint.unwrap().contains("sample"));
    }
    let failure = pull(&TestPhone::default(), PACKAGE, None, &place.path("")).unwrap_err();
    assert_eq!(failure.code, ErrorCode::RecordingSessionNotFound);
    assert!(failure.hint.unwrap().contains("recording start"));
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn a_pointer_that_is_no_id_is_not_followed() {
    let place = Place::new("pull-pointer");
    let failure = pull(&phone().latest("$(reboot)"), PACKAGE, None, &place.path("")).unwrap_err();
    assert_eq!(failure.code, ErrorCode::RecordingSessionNotFound);
    let padded = phone().latest(" sample\r\n");
    assert_eq!(pull(&padded, PACKAGE, None, &place.path("")).unwrap().session_id, "sample");
}

#[test]
fn without_a_pointer_the_only_recording_is_taken_and_of_several_none() {
    let place = Place::new("pull-only");
    let one = TestPhone::default().with("sample", SAMPLE.as_bytes());
    let pulled = pull(&one, PACKAGE, None, &place.path("")).unwrap();
    assert!(pulled.warnings[0].contains("the only one"), "{:?}", pulled.warnings);
    let failure = pull(&one.with("b", b"x"), PACKAGE, None, &place.path("")).unwrap_err();
    assert_eq!(failure.code, ErrorCode::RecordingSessionNotFound);
    assert_eq!(failure.details["sessions"], json!(["b", "sample"]));
}

#[test]
fn a_recording_that_still_runs_or_is_cut_is_copied_with_a_warning() {
    let place = Place::new("pull-running");
    let running = TestPhone { grows_by: b"{\"ts\":".to_vec(), ..phone() };
    let pulled = pull(&running, PACKAGE, None, &place.path("")).unwrap();
    assert_eq!(pulled.bytes, SAMPLE.len() as u64);
    assert!(pulled.warnings[0].contains("still running"), "{:?}", pulled.warnings);
    // Now half a line is there, which nobody adds to.
    let cut = TestPhone { grows_by: Vec::new(), ..running };
    let pulled = pull(&cut, PACKAGE, None, &place.path("")).unwrap();
    assert_eq!((pulled.event_count, pulled.warnings.len()), (Some(7), 1));
    assert!(pulled.warnings[0].contains("is cut"), "{:?}", pulled.warnings);
}

#[test]
fn what_is_no_recording_is_copied_with_a_warning() {
    let place = Place::new("pull-broken");
    let phone = phone().with("sample", b"not a recording\n");
    let pulled = pull(&phone, PACKAGE, None, &place.path("")).unwrap();
    assert_eq!(pulled.event_count, None);
    assert!(pulled.warnings[0].contains("cannot be read"), "{:?}", pulled.warnings);
    phone.put("sample.ndjson", HEADER.replace("sample", "wrong").as_bytes());
    let pulled = pull(&phone, PACKAGE, None, &place.path("")).unwrap();
    assert!(pulled.warnings[0].contains("calls itself \"wrong\""), "{:?}", pulled.warnings);
}

#[test]
fn a_longer_copy_replaces_its_beginning_and_another_recording_is_kept() {
    let place = Place::new("pull-over");
    let (old, phone) = (place.path("sample.ndjson"), phone());
    place.write("sample.ndjson", &SAMPLE.as_bytes()[..200]);
    assert_eq!(pull(&phone, PACKAGE, None, &place.path("")).unwrap().kept_as, None);
    assert_eq!(pull(&phone, PACKAGE, None, &place.path("")).unwrap().kept_as, None);
    assert_eq!(place.names(), ["sample.ndjson"]);

    let others = [SAMPLE.replace("tea", "tee"), format!("{SAMPLE}more")];
    for (other, ending) in others.iter().zip([".bak", ".bak2"]) {
        place.write("sample.ndjson", other.as_bytes());
        let pulled = pull(&phone, PACKAGE, None, &place.path("")).unwrap();
        let kept = format!("{}{ending}", old.display());
        assert_eq!(pulled.kept_as.as_deref(), Some(kept.as_str()));
        assert!(pulled.warnings[0].contains(&kept));
        assert_eq!(place.read(&format!("sample.ndjson{ending}")), other.as_bytes());
        assert_eq!(place.read("sample.ndjson"), SAMPLE.as_bytes());
    }
}

#[test]
fn a_copy_that_breaks_off_leaves_what_was_there() {
    let place = Place::new("pull-fails");
    place.write("sample.ndjson", b"precious");
    let cases = [
        (Some(ErrorCode::DeviceShellUnavailable), 0, ErrorCode::RecordingPullFailed),
        (Some(ErrorCode::DeviceOffline), 0, ErrorCode::DeviceOffline),
        (None, 3, ErrorCode::RecordingPullFailed),
    ];
    for (fails, loses, code) in cases {
        let phone = TestPhone { fails, loses, ..phone() };
        let failure = pull(&phone, PACKAGE, None, &place.path("")).unwrap_err();
        assert_eq!(failure.code, code);
        assert_eq!(place.names(), ["sample.ndjson"]);
        assert_eq!(place.read("sample.ndjson"), b"precious");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let place = Place::new("pull-nowhere");
    place.write("file", b"");
    let failure = pull(&phone(), PACKAGE, None, &place.path("file/below")).unwrap_err();
    assert_eq!(failure.code, ErrorCode::OutputUnwritable);
}
