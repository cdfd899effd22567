//! Writes the steps of a recording to a file.

use super::files;
use super::parse::read;
use super::step::StepLog;
use super::steps::steps;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use std::path::Path;

/// What was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepLogWritten {
    /// Always true: a failure is answered otherwise.
    pub ok: bool,
    /// Where it is.
    pub output_file: String,
    /// Steps in it.
    pub step_count: usize,
    /// What a reader should know; the same as in the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The steps themselves, for a surface that shows them. Not part of the answer.
    #[serde(skip)]
    pub log: StepLog,
}

/// Reads the recording and writes its steps, to `out` or else beside it as `<name>.steps.json`.
pub fn write_step_log(input: &Path, out: Option<&Path>) -> Result<StepLogWritten, Failure> {
    let log = steps(&read(input)?);
    let text = serde_json::to_vec_pretty(&log).unwrap_or_default();
    let output_file = write_beside(input, out, (".steps.json", "step log"), &text)?;
    let (step_count, warnings) = (log.steps.len(), log.warnings.clone());
    Ok(StepLogWritten { ok: true, output_file, step_count, warnings, log })
}

/// Writes what was made of a recording, to `out` or else beside it under its name with this
/// ending. Says where it is.
pub fn write_beside(
    input: &Path,
    out: Option<&Path>,
    (ending, what): (&str, &str),
    content: &[u8],
) -> Result<String, Failure> {
    let out = out.map_or_else(|| files::beside(input, ending), Path::to_owned);
    let shown = out.display().to_string();
    let unwritable = |why: &str| {
        let code = ErrorCode::OutputUnwritable;
        Failure::new(code, format!("the {what} {shown} was not written: {why}"))
            .detail("path", shown.as_str())
            .hint(code.remedy())
    };
    if files::same(input, &out) {
        return Err(unwritable("it is the recording itself").hint("Name another file with --out."));
    }
    files::write(&out, content).map_err(|error| unwritable(&error.to_string()))?;
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::super::test_recording::{Place, SAMPLE};
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn steps_are_written_beside_the_recording() {
        let place = Place::new("steps");
        place.write("one.ndjson", SAMPLE.as_bytes());
        let written = write_step_log(&place.path("one.ndjson"), None).unwrap();
        let path = place.path("one.steps.json").display().to_string();
        let answer = serde_json::to_value(&written).unwrap();
        let expected = json!({"ok": true, "outputFile": path, "stepCount": 5});
        assert_eq!(answer, expected);
        let file: Value = serde_json::from_slice(&place.read("one.steps.json")).unwrap();
        assert_eq!(file["sessionId"], "sample");
        assert_eq!(file["steps"].as_array().unwrap().len(), 5);
        assert!(place.read("one.steps.json").starts_with(b"{\n  \"sessionId\": \"sample\""));
        assert_eq!(place.read("one.ndjson"), SAMPLE.as_bytes());
    }

    #[test]
    fn warnings_are_in_the_answer_and_in_the_file() {
        let place = Place::new("steps-warn");
        place.write("one.ndjson", &SAMPLE.as_bytes()[..SAMPLE.len() - 9]);
        let written =
            write_step_log(&place.path("one.ndjson"), Some(&place.path("x.json"))).unwrap();
        assert!(written.warnings[0].contains("is cut"), "{:?}", written.warnings);
        let file: Value = serde_json::from_slice(&place.read("x.json")).unwrap();
        assert_eq!(file["_warnings"], json!(written.warnings));
    }

    #[test]
    fn the_recording_itself_is_never_written_over() {
        let place = Place::new("steps-self");
        place.write("one.ndjson", SAMPLE.as_bytes());
        let input = place.path("one.ndjson");
        let mut roundabout = place.path(".");
        roundabout.push("one.ndjson");
        for out in [&input, &roundabout] {
            let failure = write_step_log(&input, Some(out)).unwrap_err();
            assert_eq!(failure.code, ErrorCode::OutputUnwritable);
            assert!(failure.message.contains("the recording itself"), "{failure}");
        }
        assert_eq!(place.read("one.ndjson"), SAMPLE.as_bytes());
    }

    #[test]
    fn files_that_cannot_be_read_or_written_are_told_apart() {
        let place = Place::new("steps-none");
        let failure = write_step_log(&place.path("none.ndjson"), None).unwrap_err();
        assert_eq!(failure.code, ErrorCode::InputUnreadable);
        assert_eq!(failure.details["path"], place.path("none.ndjson").display().to_string());
        place.write("one.ndjson", SAMPLE.as_bytes());
        let out = place.path("no-folder/x.json");
        let failure = write_step_log(&place.path("one.ndjson"), Some(&out)).unwrap_err();
        assert_eq!(failure.code, ErrorCode::OutputUnwritable);
    }
}
