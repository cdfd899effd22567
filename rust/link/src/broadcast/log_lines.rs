//! The operator's end: an envelope as lines of the log.

use clawperator_contract::limits::MAX_SLICE_BYTES;
use clawperator_contract::{Envelope, json, slices};

/// What the line with the envelope begins with.
pub const RESULT_MARKER: &str = "[Clawperator-Result]";
/// The line after which a snapshot's lines come.
pub const HIERARCHY_MARKER: &str = "[TaskScope] UI Hierarchy:";

/// The lines that tell an envelope, each short enough for the log.
#[must_use]
pub fn lines(envelope: &Envelope, dispatch_id: Option<&str>) -> Vec<String> {
    match dispatch_id {
        Some(id) => sliced(&json::compact(envelope), id),
        None => {
            let mut told = envelope.clone();
            let mut lines = Vec::new();
            for step in &mut told.step_results {
                let is_snapshot = step.success && step.action_type == "snapshot_ui";
                let text = if is_snapshot { step.data.remove("text") } else { None };
                if let Some(text) = text {
                    lines.push(HIERARCHY_MARKER.to_owned());
                    lines.extend(text.lines().flat_map(wrapped));
                }
            }
            lines.extend(result(&told, &told.command_id));
            lines
        }
    }
}

/// One line where it fits, else slices.
fn result(envelope: &Envelope, id: &str) -> Vec<String> {
    let text = json::compact(envelope);
    let line = format!("{RESULT_MARKER} {text}");
    if line.len() <= MAX_SLICE_BYTES {
        return vec![line];
    }
    sliced(&text, id)
}

fn sliced(text: &str, id: &str) -> Vec<String> {
    // An id may hold what a line may not; the text holds the true one.
    let id: String =
        id.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    slices::slice(&id, text).unwrap_or_else(|_| vec![format!("{RESULT_MARKER} {text}")])
}

/// A line of XML that is too long, broken at spaces: between attributes and inside their values a
/// line break means the same to a parser.
fn wrapped(line: &str) -> Vec<String> {
    let mut rest = line;
    let mut parts = Vec::new();
    while rest.len() > MAX_SLICE_BYTES {
        let most = rest.floor_char_boundary(MAX_SLICE_BYTES);
        let at = rest[..most].rfind(' ').filter(|at| *at > 0).unwrap_or(most);
        parts.push(rest[..at].to_owned());
        rest = rest[at..].strip_prefix(' ').unwrap_or(&rest[at..]);
    }
    parts.push(rest.to_owned());
    parts
}
