//! The result a script may print as its last two lines: the marker, and one JSON object.

mod fields;
mod rules;

use clawperator_contract::Failure;
use clawperator_process::Printed;
use fields::wrong;
use semver::Version;
use serde::Serialize;
use serde_json::{Map, Value};

/// The line before the result.
pub const MARKER: &str = "[Clawperator-Skill-Result]";
/// The version of the frame this program knows.
pub const VERSION: Version = Version::new(1, 0, 0);

/// What a skill says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It did what it was to do.
    Success,
    /// It did not.
    Failed,
    /// It does not know.
    Indeterminate,
}

/// A result frame that holds to all rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkillResult {
    /// All of it, with the `source` that the runner adds.
    #[serde(flatten)]
    pub object: Map<String, Value>,
    /// Its `status`.
    #[serde(skip)]
    pub status: Status,
    /// Is its `terminalVerification.status` `verified`?
    #[serde(skip)]
    pub verified: bool,
    /// What is odd about it but allowed.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// Reads the frame at the end of what a script printed; none when it printed no marker. `markers`
/// counts the lines that are the marker, also where nothing is kept.
///
/// # Errors
///
/// `SKILL_RESULT_PARSE_FAILED` with what is wrong, and at which field.
pub fn read(
    printed: &Printed,
    markers: u64,
    skill_id: &str,
) -> Result<Option<SkillResult>, Failure> {
    if markers == 0 {
        return Ok(None);
    }
    let mut lines = printed.text.lines().rev().filter(|line| !line.trim().is_empty());
    let (last, marker) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    if markers > 1 {
        return Err(wrong(
            "",
            format!("the marker {MARKER} was printed {markers} times, not once"),
        ));
    }
    if last == MARKER {
        return Err(wrong("", "no JSON object follows the marker"));
    }
    if marker != MARKER {
        let why = match printed.truncated && !printed.text.lines().any(|line| line == MARKER) {
            true => "the result is larger than the part of the output that is kept",
            false => "the marker is not the last line but one: nothing may follow its object",
        };
        return Err(wrong("", why));
    }
    let value: Value = serde_json::from_str(last)
        .map_err(|error| wrong("", format!("the line after the marker is not JSON: {error}")))?;
    let Value::Object(object) = value else {
        return Err(wrong("", "the line after the marker is not a JSON object"));
    };
    rules::checked(object, skill_id).map(Some)
}

/// What a run is worth, as far as its result frame says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing speaks against it.
    Fine,
    /// The skill says that it failed.
    Failed,
    /// What was to be proved was not; the reason.
    Indeterminate(&'static str),
}

/// Judges a result. `verification_declared`: the skill's contract has a `verification`, so the
/// result has to prove it.
#[must_use]
pub fn judge(verification_declared: bool, result: Option<&SkillResult>) -> Verdict {
    match result {
        Some(result) if result.status == Status::Failed => Verdict::Failed,
        Some(result) if result.status == Status::Indeterminate => {
            Verdict::Indeterminate("the skill itself says that it does not know")
        }
        Some(result) if verification_declared && !result.verified => Verdict::Indeterminate(
            "its contract declares a verification, and terminalVerification is not \"verified\"",
        ),
        None if verification_declared => Verdict::Indeterminate(
            "its contract declares a verification, and the script printed no result",
        ),
        _ => Verdict::Fine,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clawperator_contract::ErrorCode;
    use serde_json::json;

    fn read_text(text: &str) -> Result<Option<SkillResult>, Failure> {
        let markers = text.lines().filter(|line| *line == MARKER).count();
        let printed = Printed { text: text.into(), ..Printed::default() };
        read(&printed, u64::try_from(markers).unwrap(), "a.b")
    }

    fn full() -> Value {
        json!({
            "contractVersion": "1.0.0", "skillId": "a.b", "goal": {"kind": "set"},
            "inputs": {"percent": 40}, "result": {"kind": "text", "text": ""},
            "status": "success",
            "checkpoints": [
                {"id": "opened", "status": "ok", "observedAt": "2026-01-01T00:00:00Z",
                 "evidence": {"kind": "result_envelope_ref", "execEnvelopeIndex": 0, "stepResultId": "s"}},
                {"id": "read", "status": "skipped", "note": "not asked",
                 "evidence": {"kind": "json", "value": null}},
                {"id": "seen", "status": "failed", "evidence": {"kind": "text", "text": "x"}}
            ],
            "terminalVerification": {"status": "verified", "expected": 40, "observed": 40, "note": "n"},
            "execEnvelopes": [{}],
            "diagnostics": {"runtimeState": "healthy", "warnings": ["w"], "hints": [], "more": 1}
        })
    }

    #[test]
    fn a_full_result_is_taken_and_gets_its_source() {
        let result = read_text(&format!("words\n{MARKER}\n\n{}\n\n", full())).unwrap().unwrap();
        assert_eq!((result.status, result.verified), (Status::Success, true));
        let mut expected = full();
        expected["source"] = json!({"kind": "script"});
        assert_eq!(serde_json::to_value(&result).unwrap(), expected);
        assert!(result.warnings.is_empty());
    }

    #[test]
    fn without_a_marker_there_is_no_result() {
        assert_eq!(read_text("words\n{}\n").unwrap(), None);
        assert_eq!(read_text("").unwrap(), None);
    }

    #[test]
    fn a_frame_that_does_not_stand_at_the_end_or_holds_no_object_is_refused() {
        let object = full();
        for (text, reason) in [
            (format!("{MARKER}\n{object}\nmore"), "not the last line but one"),
            (format!("{MARKER}\n{MARKER}\n{object}"), "2 times"),
            (MARKER.to_owned(), "no JSON object follows"),
            (format!("{object}\n{MARKER}\n \n"), "no JSON object follows"),
            (format!("{MARKER}\nnot json"), "is not JSON"),
            (format!("{MARKER}\n[1]"), "not a JSON object"),
            (format!("{MARKER}\n{{\n}}"), "not the last line but one"),
        ] {
            let failure = read_text(&text).unwrap_err();
            assert_eq!(failure.code, ErrorCode::SkillResultParseFailed);
            assert!(failure.message.contains(reason), "{reason}: {failure}");
        }
        let lost = Printed { truncated: true, text: "}".into(), ..Printed::default() };
        assert!(read(&lost, 1, "a.b").unwrap_err().message.contains("larger than"));
    }

    #[test]
    fn every_field_is_checked_and_named() {
        let cases = [
            ("/source", json!({}), "source"),
            ("/contractVersion", json!("1.0"), "contractVersion"),
            ("/contractVersion", json!("1.0.0-beta"), "contractVersion"),
            ("/contractVersion", json!("2.0.0"), "contractVersion"),
            ("/contractVersion", json!(1), "contractVersion"),
            ("/skillId", json!("a.c"), "skillId"),
            ("/goal", json!([]), "goal"),
            ("/inputs", json!("x"), "inputs"),
            ("/result", json!("x"), "result"),
            ("/result", json!({"kind": "json"}), "result.value"),
            ("/result", json!({"kind": "picture"}), "result.kind"),
            ("/status", json!("ok"), "status"),
            ("/checkpoints", json!({}), "checkpoints"),
            ("/checkpoints", json!(null), "checkpoints"),
            ("/checkpoints/1", json!(1), "checkpoints[1]"),
            ("/checkpoints/1/id", json!(""), "checkpoints[1].id"),
            ("/checkpoints/1/status", json!("success"), "checkpoints[1].status"),
            ("/checkpoints/0/observedAt", json!(1), "checkpoints[0].observedAt"),
            ("/checkpoints/0/evidence/kind", json!("x"), "checkpoints[0].evidence.kind"),
            (
                "/checkpoints/0/evidence/execEnvelopeIndex",
                json!(1),
                "checkpoints[0].evidence.execEnvelopeIndex",
            ),
            (
                "/checkpoints/0/evidence/execEnvelopeIndex",
                json!(-1),
                "checkpoints[0].evidence.execEnvelopeIndex",
            ),
            ("/terminalVerification/status", json!("ok"), "terminalVerification.status"),
            ("/terminalVerification", json!(true), "terminalVerification"),
            ("/execEnvelopes", json!({}), "execEnvelopes"),
            ("/diagnostics/runtimeState", json!("sick"), "diagnostics.runtimeState"),
            ("/diagnostics/warnings", json!([1]), "diagnostics.warnings[0]"),
            ("/diagnostics/hints", json!("x"), "diagnostics.hints"),
        ];
        for (pointer, value, path) in cases {
            let mut object = full();
            match object.pointer_mut(pointer) {
                Some(place) => *place = value.clone(),
                None => object[&pointer[1..]] = value.clone(),
            }
            let failure = read_text(&format!("{MARKER}\n{object}")).unwrap_err();
            assert_eq!(failure.details["path"], path, "{pointer} = {value}: {failure}");
        }
        for field in ["contractVersion", "skillId", "status", "checkpoints"] {
            let mut object = full();
            object.as_object_mut().unwrap().remove(field);
            let failure = read_text(&format!("{MARKER}\n{object}")).unwrap_err();
            assert_eq!(failure.details["path"], field, "{failure}");
        }
    }

    #[test]
    fn a_newer_minor_version_is_a_warning() {
        let mut object = full();
        object["contractVersion"] = json!("1.4.0");
        let result = read_text(&format!("{MARKER}\n{object}")).unwrap().unwrap();
        assert!(result.warnings[0].contains("1.4.0"), "{:?}", result.warnings);
    }

    #[test]
    fn a_result_is_worth_what_it_proves() {
        let of = |status: &str, verification: &str| {
            let mut object = full();
            object["status"] = json!(status);
            object["terminalVerification"]["status"] = json!(verification);
            read_text(&format!("{MARKER}\n{object}")).unwrap()
        };
        let judged = |declared, result: Option<SkillResult>| judge(declared, result.as_ref());
        assert_eq!(judged(false, None), Verdict::Fine);
        assert!(matches!(judged(true, None), Verdict::Indeterminate(_)));
        assert_eq!(judged(true, of("success", "verified")), Verdict::Fine);
        assert_eq!(judged(false, of("success", "not_run")), Verdict::Fine);
        assert!(matches!(judged(true, of("success", "not_run")), Verdict::Indeterminate(_)));
        assert!(matches!(judged(true, of("success", "failed")), Verdict::Indeterminate(_)));
        assert!(matches!(
            judged(false, of("indeterminate", "verified")),
            Verdict::Indeterminate(_)
        ));
        assert_eq!(judged(true, of("failed", "verified")), Verdict::Failed);
    }
}
