//! One recording under way: its file, and how far it is.

use super::SCHEMA_VERSION;
use super::event::RecordedEvent;
use super::line::EventLine;
use super::sink::RecordingFile;
use serde::Serialize;
use std::io::{self, Write};

/// How a recording is told apart.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub(super) session_id: String,
    pub(super) file_path: String,
}

/// The first line of the file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Header<'a> {
    r#type: &'static str,
    schema_version: u32,
    session_id: &'a str,
    started_at: u64,
    operator_package: &'a str,
}

/// One recording under way.
pub(super) struct Session {
    pub(super) identity: Identity,
    /// Lines that were written whole, without the header; so the next one's number.
    pub(super) event_count: u64,
    /// The first thing that went wrong. Nothing is written after it: the file ends there, with one
    /// cut line at worst, and never has a hole in the middle that nobody sees.
    pub(super) failure: Option<io::Error>,
    writer: Box<dyn Write + Send>,
    /// Kept between lines, for its memory.
    line: Vec<u8>,
}

impl Session {
    /// Begins the file with its header.
    pub(super) fn begin(
        session_id: String,
        file: RecordingFile,
        operator_package: &str,
        started_at: u64,
    ) -> io::Result<Self> {
        let RecordingFile { writer, path } = file;
        let identity = Identity { session_id, file_path: path };
        let mut session =
            Self { identity, event_count: 0, failure: None, writer, line: Vec::new() };
        let header = Header {
            r#type: "recording_header",
            schema_version: SCHEMA_VERSION,
            session_id: &session.identity.session_id,
            started_at,
            operator_package,
        };
        write_line(&mut session.writer, &mut session.line, &header)?;
        Ok(session)
    }

    /// Writes an event, if all went well so far. Says whether it is in the file.
    pub(super) fn append(
        &mut self,
        event: &RecordedEvent,
        snapshot: Option<&str>,
        ts: u64,
    ) -> bool {
        if self.failure.is_some() {
            return false;
        }
        let line = EventLine { ts, seq: self.event_count, snapshot, event };
        match write_line(&mut self.writer, &mut self.line, &line) {
            Ok(()) => self.event_count += 1,
            Err(error) => self.failure = Some(error),
        }
        self.failure.is_none()
    }
}

/// Hands over the whole line, with its end, in one piece: whoever reads the file meanwhile, or
/// after the process was killed, finds whole lines, but for the last, of which there may be a part.
fn write_line(
    writer: &mut dyn Write,
    buffer: &mut Vec<u8>,
    line: &impl Serialize,
) -> io::Result<()> {
    buffer.clear();
    serde_json::to_writer(&mut *buffer, line)?;
    buffer.push(b'\n');
    writer.write_all(buffer)?;
    writer.flush()
}
