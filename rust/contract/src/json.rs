//! JSON from outside, with errors that point at the place.

use crate::codes::ErrorCode;
use crate::failure::Failure;
use crate::limits::MAX_INPUT_BYTES;
use serde::Serialize;
use serde_json::Value;

/// Parses the text of a payload. A byte order mark in front of it is passed over.
pub fn parse(bytes: &[u8]) -> Result<Value, Failure> {
    if bytes.len() > MAX_INPUT_BYTES {
        return Err(too_large());
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = str::from_utf8(bytes).map_err(|error| {
        let (line, column) = position(bytes, error.valid_up_to());
        not_json("it is not UTF-8", line, column)
    })?;
    if text.trim().is_empty() {
        return Err(not_json("it is empty", 1, 1));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        let (line, column) = position(bytes, at);
        return Err(not_json("it holds a NUL byte", line, column));
    }
    serde_json::from_str(text).map_err(|error| {
        // serde_json ends its text with the position, which stands in the details already.
        let text = error.to_string();
        let problem = text.split(" at line ").next().unwrap_or(&text);
        not_json(problem, error.line(), error.column().max(1))
    })
}

/// Serialises without spaces. Our types have string keys and no failing parts.
#[must_use]
pub fn compact(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Refuses a payload by its size alone.
#[must_use]
pub fn too_large() -> Failure {
    let message = format!("the payload is larger than {MAX_INPUT_BYTES} bytes and was not read");
    Failure::new(ErrorCode::PayloadTooLarge, message)
        .hint("split the work into several executions, or shorten long texts")
}

fn not_json(problem: &str, line: usize, column: usize) -> Failure {
    let message =
        format!("the payload is not valid JSON: {problem} (line {line}, column {column})");
    Failure::new(ErrorCode::InvalidJson, message).detail("line", line).detail("column", column)
}

/// Line and column of a byte, counted from one, columns in bytes.
fn position(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = &bytes[..at];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    (line, at - line_start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(bytes: &[u8]) -> String {
        parse(bytes).unwrap_err().message
    }

    #[test]
    fn an_error_says_line_and_column() {
        let failure = parse(b"{\n  \"a\": nope\n}").unwrap_err();
        assert_eq!(failure.code, ErrorCode::InvalidJson);
        assert_eq!(failure.details["line"], 2);
        assert_eq!(failure.details["column"], 9);
        assert_eq!(
            failure.message,
            "the payload is not valid JSON: expected ident (line 2, column 9)"
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_told_apart() {
        assert!(problem(b"").contains("it is empty"));
        assert!(problem(b" \n ").contains("it is empty"));
        assert!(problem(b"{\n\"\xff\"}").contains("not UTF-8 (line 2, column 2)"));
        assert!(problem(b"{\"a\":\0}").contains("NUL byte (line 1, column 6)"));
        assert!(problem(&vec![b' '; MAX_INPUT_BYTES + 1]).contains("was not read"));
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        assert!(parse(b"\xEF\xBB\xBF{}").is_ok());
    }

    #[test]
    fn endless_nesting_is_refused_without_a_stack_overflow() {
        assert!(problem(&vec![b'['; 100_000]).contains("recursion limit"));
    }
}
