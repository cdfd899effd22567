//! Payloads from the command line: text, file or standard input.

use clawperator_contract::limits::MAX_INPUT_BYTES;
use clawperator_contract::{ErrorCode, Failure, json};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes a payload argument names.
pub(crate) fn payload(source: &OsStr) -> Result<Vec<u8>, Failure> {
    let bytes = source.as_encoded_bytes();
    if source == "-" {
        return read(io::stdin().lock(), "standard input");
    }
    // No path people use begins like JSON does; a text that is neither is a path that is missing.
    if matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return Ok(bytes.to_vec());
    }
    let path = Path::new(source);
    let name = path.display().to_string();
    if bytes.trim_ascii().is_empty() {
        return Err(unreadable("", "an empty argument names no payload"));
    }
    if path.is_dir() {
        return Err(unreadable(&name, &format!("{name} is a directory")));
    }
    let file = File::open(path)
        .map_err(|error| unreadable(&name, &format!("{name}: {}", reason(&error))))?;
    read(file, &name)
}

/// One byte more than is allowed is enough to know that there is too much.
fn read(from: impl Read, name: &str) -> Result<Vec<u8>, Failure> {
    let limit = MAX_INPUT_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    from.take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(name, &format!("{name}: {}", reason(&error))))?;
    if bytes.len() > MAX_INPUT_BYTES { Err(json::too_large()) } else { Ok(bytes) }
}

fn unreadable(path: &str, message: &str) -> Failure {
    Failure::new(ErrorCode::InputUnreadable, message)
        .detail("path", path)
        .hint("give JSON text, the path of a JSON file, or - for standard input")
}

/// The system's words without its error number.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}
