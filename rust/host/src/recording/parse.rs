//! Reads the file of a recording.

use super::SCHEMA_VERSION;
use super::event::{Event, Header, Recording, What};
use super::fields::{self, Fields, Problem};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// Gaps that are named one by one; a file with more of them has another problem.
const GAPS_NAMED: usize = 5;

/// Reads the file at this path.
pub fn read(path: &Path) -> Result<Recording, Failure> {
    let shown = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| {
        let message = format!("the recording {shown} could not be read: {error}");
        Failure::new(ErrorCode::InputUnreadable, message)
            .detail("path", shown.as_str())
            .hint(ErrorCode::InputUnreadable.remedy())
    })?;
    parse(&bytes).map_err(|failure| failure.detail("path", shown))
}

/// Reads a recording. Lines are numbered as an editor numbers them.
///
/// A file that ends inside a line is a recording all the same: that is how one looks whose
/// operator was killed, or that is still being written. An event of an unknown type is kept and
/// named in a warning; one of a known type that breaks its rules is a failure.
pub fn parse(bytes: &[u8]) -> Result<Recording, Failure> {
    let mut lines = lines(bytes);
    let Some(first) = lines.next() else {
        return Err(broken(1, "there is nothing in it"));
    };
    let header = match object(first.content) {
        Ok(map) => header(map, first.number)?,
        Err(Unread::NotJson(_)) if !first.ended => {
            return Err(broken(first.number, "the file ends inside the header: nothing is in it"));
        }
        Err(unread) => return Err(broken(first.number, &format!("no header: {}", unread.said()))),
    };
    let mut events: Vec<Event> = Vec::new();
    let mut cut_line = None;
    for line in lines {
        let map = match object(line.content) {
            Ok(map) => map,
            Err(Unread::NotJson(_)) if !line.ended => {
                cut_line = Some(line.number);
                break;
            }
            Err(unread) => return Err(broken(line.number, &unread.said())),
        };
        let event = fields::event(map, line.number);
        events.push(event.map_err(|problem| broken(line.number, &problem))?);
    }
    // Stable: events of one number keep the order of the file.
    events.sort_by_key(|event| event.seq);
    let warnings = warnings(&events, cut_line);
    Ok(Recording { header, events, cut: cut_line.is_some(), warnings })
}

struct Line<'a> {
    /// Counted from one, blank lines too.
    number: usize,
    content: &'a [u8],
    /// Does a line break stand after it?
    ended: bool,
}

/// The lines that are not blank.
fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let count = bytes.iter().filter(|byte| **byte == b'\n').count();
    let pieces = bytes.split(|byte| *byte == b'\n').enumerate();
    let lines = pieces.map(move |(index, piece)| Line {
        number: index + 1,
        content: piece.trim_ascii(),
        ended: index < count,
    });
    lines.filter(|line| !line.content.is_empty())
}

/// Why a line is no object.
enum Unread {
    /// It is not JSON, which also a cut line is.
    NotJson(Problem),
    /// It is JSON, so it is whole; but it is something else.
    NotObject(&'static str),
}

impl Unread {
    fn said(&self) -> String {
        match self {
            Self::NotJson(problem) => problem.clone(),
            Self::NotObject(kind) => format!("an object must stand there, not {kind}"),
        }
    }
}

fn object(line: &[u8]) -> Result<Map<String, Value>, Unread> {
    let text = str::from_utf8(line).map_err(|error| {
        let column = error.valid_up_to() + 1;
        Unread::NotJson(format!("it is not UTF-8 (column {column})"))
    })?;
    let value = serde_json::from_str(text).map_err(|error| {
        // serde_json ends its text with a position that counts this line as the first.
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or(&said);
        Unread::NotJson(format!("it is not JSON: {said} (column {})", error.column()))
    })?;
    match value {
        Value::Object(map) => Ok(map),
        Value::Null => Err(Unread::NotObject("null")),
        Value::Bool(_) => Err(Unread::NotObject("true or false")),
        Value::Number(_) => Err(Unread::NotObject("a number")),
        Value::String(_) => Err(Unread::NotObject("a text")),
        Value::Array(_) => Err(Unread::NotObject("a list")),
    }
}

fn header(map: Map<String, Value>, line: usize) -> Result<Header, Failure> {
    if map.get("type").and_then(Value::as_str) != Some("recording_header") {
        return Err(broken(line, "the first line is no recording_header"));
    }
    // The version first: the rest of the header may look otherwise in another one.
    let version = map.get("schemaVersion").and_then(fields::whole);
    if let Some(version) = version.filter(|version| *version != i64::from(SCHEMA_VERSION)) {
        let code = ErrorCode::RecordingSchemaVersionUnsupported;
        let message = format!(
            "the recording has schema version {version}; this program reads {SCHEMA_VERSION}"
        );
        return Err(Failure::new(code, message)
            .detail("line", line)
            .detail("schemaVersion", version)
            .detail("supported", SCHEMA_VERSION)
            .hint(code.remedy()));
    }
    let read = |mut fields: Fields| {
        fields.whole("schemaVersion")?;
        Ok(Header {
            session_id: fields.text("sessionId")?,
            schema_version: SCHEMA_VERSION,
            started_at: fields.whole("startedAt")?,
            operator_package: fields.text("operatorPackage")?,
        })
    };
    read(Fields::new(map, "the header")).map_err(|problem: Problem| broken(line, &problem))
}

fn broken(line: usize, problem: &str) -> Failure {
    let code = ErrorCode::RecordingParseFailed;
    Failure::new(code, format!("line {line} of the recording cannot be used: {problem}"))
        .detail("line", line)
        .hint(code.remedy())
}

fn warnings(events: &[Event], cut_line: Option<usize>) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(line) = cut_line {
        warnings.push(format!(
            "line {line} is cut: the file ends inside it; the {} events before it are whole",
            events.len()
        ));
    }
    for event in events {
        if let What::Other(other) = &event.what {
            warnings.push(format!(
                "line {}: the event type \"{}\" is not known; it becomes no step",
                event.line, other.kind
            ));
        }
    }
    let pairs = events.iter().zip(events.iter().skip(1)).map(|(a, b)| (a.seq, b.seq));
    let missing: Vec<_> = pairs
        .clone()
        .filter(|(before, after)| after.saturating_sub(*before) > 1)
        .map(|(before, after)| format!("{} to {}", before + 1, after - 1))
        .collect();
    if !missing.is_empty() {
        let more = missing.len().saturating_sub(GAPS_NAMED);
        let more = if more > 0 { format!(" and {more} more gaps") } else { String::new() };
        let named = missing[..missing.len().min(GAPS_NAMED)].join(", ");
        warnings.push(format!("events are missing: seq {named}{more}"));
    }
    let twice = pairs.filter(|(before, after)| before == after).count();
    if twice > 0 {
        warnings.push(format!("{twice} events have the number of the one before them"));
    }
    warnings
}
