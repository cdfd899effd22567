//! What the fields of a result may be.

use super::fields::{Fields, wrong};
use super::{SkillResult, Status, VERSION};
use clawperator_contract::Failure;
use semver::Version;
use serde_json::{Map, Value, json};

/// The result, if it holds to every rule.
pub(super) fn checked(
    mut object: Map<String, Value>,
    skill_id: &str,
) -> Result<SkillResult, Failure> {
    if object.contains_key("source") {
        return Err(wrong("source", "the runner adds it; a script must not"));
    }
    let mut warnings = Vec::new();
    check_version(&object, &mut warnings)?;
    let here = Fields { path: String::new(), object: &object };
    let said = here.text("skillId")?;
    if said != skill_id {
        return Err(wrong("skillId", format!("it is \"{said}\", but \"{skill_id}\" was run")));
    }
    here.optional_object("goal")?;
    here.optional_object("inputs")?;
    check_result(&here)?;
    let status = match here.one_of("status", &["success", "failed", "indeterminate"])? {
        "success" => Status::Success,
        "failed" => Status::Failed,
        _ => Status::Indeterminate,
    };
    let envelopes = here.optional_list("execEnvelopes")?.map_or(0, <[Value]>::len);
    let Some(checkpoints) = here.optional_list("checkpoints")? else {
        return Err(wrong("checkpoints", "it is missing; a list is wanted, which may be empty"));
    };
    for (index, checkpoint) in checkpoints.iter().enumerate() {
        check_checkpoint(&Fields::of(format!("checkpoints[{index}]"), checkpoint)?, envelopes)?;
    }
    let mut verified = false;
    if let Some(verification) = here.optional_object("terminalVerification")? {
        let status = verification.one_of("status", &["verified", "failed", "not_run"])?;
        verification.optional_text("note")?;
        verified = status == "verified";
    }
    if let Some(diagnostics) = here.optional_object("diagnostics")? {
        if diagnostics.object.contains_key("runtimeState") {
            diagnostics
                .one_of("runtimeState", &["healthy", "poisoned", "unavailable", "unknown"])?;
        }
        diagnostics.optional_texts("warnings")?;
        diagnostics.optional_texts("hints")?;
    }
    object.insert("source".into(), json!({ "kind": "script" }));
    Ok(SkillResult { object, status, verified, warnings })
}

fn check_version(object: &Map<String, Value>, warnings: &mut Vec<String>) -> Result<(), Failure> {
    let here = Fields { path: String::new(), object };
    let text = here.text("contractVersion")?;
    let known = Version::parse(text).ok().filter(|v| v.pre.is_empty() && v.build.is_empty());
    let Some(version) = known else {
        let reason = format!("\"{text}\" is not a version of the form N.N.N");
        return Err(wrong("contractVersion", reason));
    };
    if version.major != VERSION.major {
        let reason =
            format!("{version} is not a version this program reads ({}.x.x)", VERSION.major);
        return Err(wrong("contractVersion", reason));
    }
    if version.minor > VERSION.minor {
        warnings.push(format!(
            "the result is of version {version}, this program knows {VERSION}: newer fields are passed on unread"
        ));
    }
    Ok(())
}

fn check_result(here: &Fields<'_>) -> Result<(), Failure> {
    match here.object.get("result") {
        None | Some(Value::Null) => Ok(()),
        Some(value) => {
            let result = Fields::of("result".into(), value)?;
            match result.one_of("kind", &["text", "json"])? {
                "text" => result.text("text").map(|_| ()),
                _ if result.object.contains_key("value") => Ok(()),
                _ => Err(wrong("result.value", "it is missing")),
            }
        }
    }
}

fn check_checkpoint(checkpoint: &Fields<'_>, envelopes: usize) -> Result<(), Failure> {
    checkpoint.text("id")?;
    checkpoint.one_of("status", &["ok", "failed", "skipped"])?;
    checkpoint.optional_text("observedAt")?;
    checkpoint.optional_text("note")?;
    let Some(evidence) = checkpoint.optional_object("evidence")? else { return Ok(()) };
    match evidence.one_of("kind", &["text", "json", "result_envelope_ref"])? {
        "text" => evidence.text("text").map(|_| ()),
        "json" if evidence.object.contains_key("value") => Ok(()),
        "json" => Err(wrong(&evidence.at("value"), "it is missing")),
        _ => {
            evidence.optional_text("stepResultId")?;
            let path = evidence.at("execEnvelopeIndex");
            let index = evidence.object.get("execEnvelopeIndex").and_then(Value::as_u64);
            let index = index.and_then(|index| usize::try_from(index).ok());
            match index {
                None => Err(wrong(&path, "a whole number from 0 is wanted")),
                Some(index) if index >= envelopes => Err(wrong(
                    &path,
                    format!("there is no envelope {index}: execEnvelopes has {envelopes}"),
                )),
                Some(_) => Ok(()),
            }
        }
    }
}
