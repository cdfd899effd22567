//! A recording as one JSON document, for programs that do not want to read NDJSON.

use super::event::{Event, Header, Recording, What};
use super::files;
use super::parse::read;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The version of the document.
const EXPORT_VERSION: u32 = 1;

/// Are the screens in the document? They are nearly all of its size: of a short recording 2 kB
/// without them and 165 kB with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotMode {
    /// Only whether there is one.
    #[default]
    Omit,
    /// All of them.
    Include,
}

/// The document.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Export<'a> {
    export_version: u32,
    session: &'a Header,
    snapshot_mode: SnapshotMode,
    events: Vec<ExportedEvent<'a>>,
    counts: Counts,
    package_transitions: Vec<Transition<'a>>,
    timeline: Timeline,
    #[serde(rename = "_warnings", skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedEvent<'a> {
    seq: i64,
    ts: i64,
    delta_ms_since_previous: Option<i64>,
    #[serde(flatten)]
    what: &'a What,
    snapshot: Snapshot<'a>,
}

#[derive(Clone, Debug, Serialize)]
struct Snapshot<'a> {
    present: bool,
    xml: Option<&'a str>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Counts {
    total_events: usize,
    by_type: BTreeMap<String, usize>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Transition<'a> {
    seq: i64,
    ts: i64,
    from_package_name: &'a str,
    to_package_name: &'a str,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Timeline {
    first_event_ts: Option<i64>,
    last_event_ts: Option<i64>,
    duration_ms: Option<i64>,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Exported {
    /// Always true: a failure is answered otherwise.
    pub ok: bool,
    /// The recording that was read; of a folder, the newest.
    pub input_file: String,
    /// Where the document is.
    pub output_file: String,
    /// The recording's id.
    pub session_id: String,
    /// Events in it.
    pub event_count: usize,
    /// How often another app came.
    pub package_transition_count: usize,
    /// Events of each type.
    pub by_type: BTreeMap<String, usize>,
    /// What a reader should know; the same as in the document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The document of a recording.
#[must_use]
pub fn export_of(recording: &Recording, snapshots: SnapshotMode) -> Export<'_> {
    let events = &recording.events;
    let mut by_type = BTreeMap::new();
    for event in events {
        *by_type.entry(event.what.kind().to_owned()).or_default() += 1;
    }
    let (first, last) = (events.first().map(|e| e.ts), events.last().map(|e| e.ts));
    Export {
        export_version: EXPORT_VERSION,
        session: &recording.header,
        snapshot_mode: snapshots,
        events: exported(events, snapshots),
        counts: Counts { total_events: events.len(), by_type },
        package_transitions: transitions(events),
        timeline: Timeline {
            first_event_ts: first,
            last_event_ts: last,
            duration_ms: first.zip(last).map(|(first, last)| last.saturating_sub(first)),
        },
        warnings: &recording.warnings,
    }
}

fn exported<'a>(events: &'a [Event], snapshots: SnapshotMode) -> Vec<ExportedEvent<'a>> {
    let mut previous = None;
    let one = |Event { seq, ts, what, snapshot, .. }: &'a Event| {
        let delta = previous.replace(*ts).map(|previous| ts.saturating_sub(previous));
        let xml = snapshot.as_deref().filter(|_| snapshots == SnapshotMode::Include);
        let snapshot = Snapshot { present: snapshot.is_some(), xml };
        ExportedEvent { seq: *seq, ts: *ts, delta_ms_since_previous: delta, what, snapshot }
    };
    events.iter().map(one).collect()
}

/// Keys belong to no app, and an event that names none says nothing about where it was.
fn transitions(events: &[Event]) -> Vec<Transition<'_>> {
    let mut from = None;
    let mut transitions = Vec::new();
    for event in events {
        let Some(to) = event.what.package_name().filter(|name| !name.is_empty()) else { continue };
        if let Some(from_package_name) = from.replace(to).filter(|from| *from != to) {
            let Event { seq, ts, .. } = *event;
            transitions.push(Transition { seq, ts, from_package_name, to_package_name: to });
        }
    }
    transitions
}

/// Reads a recording, or the newest of a folder, and writes its document, to `out` or else beside
/// it as `<name>.export.json`.
pub fn export(
    input: &Path,
    out: Option<&Path>,
    snapshots: SnapshotMode,
) -> Result<Exported, Failure> {
    let input = if input.is_dir() { newest(input)? } else { input.to_owned() };
    let recording = read(&input)?;
    let out = out.map_or_else(|| files::beside(&input, ".export.json"), Path::to_owned);
    let failed = |why: &str| failed(&format!("{} was not written: {why}", out.display()));
    if files::same(&input, &out) {
        return Err(failed("it is the recording itself").hint("Name another file with --out."));
    }
    let document = export_of(&recording, snapshots);
    let text = serde_json::to_vec_pretty(&document).map_err(|error| failed(&error.to_string()))?;
    files::write(&out, &text).map_err(|error| failed(&error.to_string()))?;
    Ok(Exported {
        ok: true,
        input_file: input.display().to_string(),
        output_file: out.display().to_string(),
        session_id: recording.header.session_id.clone(),
        event_count: document.counts.total_events,
        package_transition_count: document.package_transitions.len(),
        by_type: document.counts.by_type,
        warnings: recording.warnings.clone(),
    })
}

/// The recording that was changed last; of several, the one whose name sorts last, which among
/// ids with a time in them is the newest too.
fn newest(folder: &Path) -> Result<PathBuf, Failure> {
    let unread = |error: &dyn std::fmt::Display| {
        failed(&format!("the folder {} could not be read: {error}", folder.display()))
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| unread(&error))? {
        let path = entry.map_err(|error| unread(&error))?.path();
        let Ok(metadata) = fs::metadata(&path) else { continue };
        if metadata.is_file() && path.extension().is_some_and(|ending| ending == "ndjson") {
            let modified = metadata.modified().map_err(|error| unread(&error))?;
            found.push((modified, path));
        }
    }
    found.into_iter().max().map(|(_, path)| path).ok_or_else(|| {
        failed(&format!("there is no *.ndjson in {}", folder.display()))
            .hint("Fetch one with `clawperator recording pull`, or name a file.")
    })
}

fn failed(message: &str) -> Failure {
    let code = ErrorCode::RecordingExportFailed;
    Failure::new(code, message).hint(code.remedy())
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::super::test_recording::{Place, SAMPLE, lines};
    use super::*;
    use serde_json::{Value, json};
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    fn document(text: &str, snapshots: SnapshotMode) -> Value {
        serde_json::to_value(export_of(&parse(text.as_bytes()).unwrap(), snapshots)).unwrap()
    }

    #[test]
    fn a_document_has_every_event_and_what_can_be_counted() {
        let document = document(SAMPLE, SnapshotMode::Omit);
        assert_eq!(document["exportVersion"], 1);
        assert_eq!(document["snapshotMode"], "omit");
        let session = json!({"sessionId": "sample", "schemaVersion": 1, "startedAt": 1000,
            "operatorPackage": "com.clawperator.operator"});
        assert_eq!(document["session"], session);
        let by_type = json!({"click": 2, "press_key": 1, "scroll": 1, "text_change": 1,
            "window_change": 2});
        assert_eq!(document["counts"], json!({"totalEvents": 7, "byType": by_type}));
        let transition = json!({"seq": 2, "ts": 1300,
            "fromPackageName": "com.android.launcher3", "toPackageName": "com.shop"});
        assert_eq!(document["packageTransitions"], json!([transition]));
        let timeline = json!({"firstEventTs": 1100, "lastEventTs": 1700, "durationMs": 600});
        assert_eq!(document["timeline"], timeline);
        assert_eq!(document.get("_warnings"), None);
    }

    #[test]
    fn events_keep_their_fields_and_their_screens_only_if_asked() {
        let plain = document(SAMPLE, SnapshotMode::Omit);
        let event = &plain["events"][3];
        assert_eq!(event["type"], "click");
        assert_eq!(event["resourceId"], "com.shop:id/search");
        assert_eq!(event["bounds"]["right"], 30);
        assert_eq!(event["deltaMsSincePrevious"], 100);
        assert_eq!(event["snapshot"], json!({"present": true, "xml": null}));
        assert_eq!(plain["events"][0]["deltaMsSincePrevious"], Value::Null);
        let full = document(SAMPLE, SnapshotMode::Include);
        assert_eq!(full["events"][3]["snapshot"], json!({"present": true, "xml": "<c/>"}));
        assert_eq!(full["events"][4]["snapshot"], json!({"present": false, "xml": null}));
    }

    #[test]
    fn an_event_of_an_unknown_type_is_exported_as_it_stands() {
        let text = lines(&[r#"{"ts":5,"seq":0,"type":"pinch","packageName":"a","fingers":[1,2]}"#]);
        let document = document(&text, SnapshotMode::Omit);
        let event = &document["events"][0];
        assert_eq!((&event["type"], &event["fingers"]), (&json!("pinch"), &json!([1, 2])));
        assert_eq!(document["counts"]["byType"], json!({"pinch": 1}));
        assert!(document["_warnings"][0].as_str().unwrap().contains("pinch"));
    }

    #[test]
    fn a_recording_without_events_has_no_timeline() {
        let timeline = json!({"firstEventTs": null, "lastEventTs": null, "durationMs": null});
        assert_eq!(document(&lines(&[""; 0]), SnapshotMode::Omit)["timeline"], timeline);
    }

    #[test]
    fn of_a_folder_the_newest_recording_is_exported() {
        let place = Place::new("export-folder");
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        for (name, age) in [("a.ndjson", 0), ("c.ndjson", 5), ("b.ndjson", 5), ("z.txt", 9)] {
            place.write(name, SAMPLE.as_bytes());
            let file = File::options().write(true).open(place.path(name)).unwrap();
            file.set_modified(start + Duration::from_secs(age)).unwrap();
        }
        let exported = export(&place.path(""), None, SnapshotMode::Omit).unwrap();
        assert_eq!(exported.input_file, place.path("c.ndjson").display().to_string());
        assert_eq!(exported.output_file, place.path("c.export.json").display().to_string());
        let answer = serde_json::to_value(&exported).unwrap();
        assert_eq!(answer["sessionId"], "sample");
        assert_eq!(
            (&answer["eventCount"], &answer["packageTransitionCount"]),
            (&json!(7), &json!(1))
        );
        assert_eq!(answer["byType"]["click"], 2);
        assert!(place.path("c.export.json").exists());
    }

    #[test]
    fn what_cannot_be_exported_is_a_failure_of_its_own() {
        let place = Place::new("export-fails");
        let failure = export(&place.path(""), None, SnapshotMode::Omit).unwrap_err();
        assert_eq!(failure.code, ErrorCode::RecordingExportFailed);
        place.write("a.ndjson", SAMPLE.as_bytes());
        let input = place.path("a.ndjson");
        for out in [input.clone(), place.path("none/x.json")] {
            let failure = export(&input, Some(&out), SnapshotMode::Omit).unwrap_err();
            assert_eq!(failure.code, ErrorCode::RecordingExportFailed);
        }
        assert_eq!(place.read("a.ndjson"), SAMPLE.as_bytes());
        let failure = export(&place.path("none.ndjson"), None, SnapshotMode::Omit).unwrap_err();
        assert_eq!(failure.code, ErrorCode::InputUnreadable);
    }
}
