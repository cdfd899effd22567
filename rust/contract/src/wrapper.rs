//! What the command line and the HTTP surface put around an envelope or a validated execution.

use crate::envelope::Envelope;
use crate::execution::{Action, Execution};
use serde::Serialize;

/// Where a terminal result comes from; there is one source.
pub const TERMINAL_SOURCE: &str = "clawperator_result";

/// The command line's answer to a validation.
#[derive(Debug, Serialize)]
pub struct Validated<'a> {
    ok: bool,
    validated: bool,
    execution: &'a Execution,
}

impl<'a> Validated<'a> {
    /// The answer for this execution.
    #[must_use]
    pub fn new(execution: &'a Execution) -> Self {
        Self { ok: true, validated: true, execution }
    }
}

/// The command line's answer to a dry run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DryRun<'a> {
    ok: bool,
    dry_run: bool,
    plan: Plan<'a>,
}

/// What would be sent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Plan<'a> {
    command_id: &'a str,
    timeout_ms: &'a serde_json::Number,
    action_count: usize,
    actions: &'a [Action],
}

impl<'a> DryRun<'a> {
    /// The answer for this execution.
    #[must_use]
    pub fn new(execution: &'a Execution) -> Self {
        let plan = Plan {
            command_id: execution.command_id(),
            timeout_ms: execution.timeout_ms(),
            action_count: execution.actions().len(),
            actions: execution.actions(),
        };
        Self { ok: true, dry_run: true, plan }
    }
}

/// The command line's answer to an execution on a phone.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Executed<'a> {
    /// The result.
    pub envelope: &'a Envelope,
    /// Serial of the phone.
    pub device_id: &'a str,
    terminal_source: &'static str,
    is_canonical_terminal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    replayed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<serde_json::Value>,
}

impl<'a> Executed<'a> {
    /// The answer for this envelope from this phone.
    #[must_use]
    pub fn new(envelope: &'a Envelope, device_id: &'a str) -> Self {
        Self {
            envelope,
            device_id,
            terminal_source: TERMINAL_SOURCE,
            is_canonical_terminal: true,
            link: None,
            replayed: false,
            evidence: None,
        }
    }

    /// The same with the link that carried the envelope, and whether it had to be told again.
    #[must_use]
    pub fn over(self, link: &'a str, replayed: bool) -> Self {
        Self { link: Some(link), replayed, ..self }
    }

    /// The same with what was kept of a failure.
    #[must_use]
    pub fn with_evidence(self, evidence: Option<serde_json::Value>) -> Self {
        Self { evidence, ..self }
    }
}

/// The HTTP surface's answer to an execution on a phone.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Served<'a> {
    ok: bool,
    device_id: &'a str,
    terminal_source: &'static str,
    envelope: &'a Envelope,
    #[serde(skip_serializing_if = "Option::is_none")]
    dispatch_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    replayed: bool,
}

impl<'a> Served<'a> {
    /// The answer for this envelope from this phone.
    #[must_use]
    pub fn new(envelope: &'a Envelope, device_id: &'a str) -> Self {
        Self {
            ok: true,
            device_id,
            terminal_source: TERMINAL_SOURCE,
            envelope,
            dispatch_id: None,
            link: None,
            replayed: false,
        }
    }

    /// The same with the sending's id, the link that carried the envelope, and whether it had to be
    /// told again.
    #[must_use]
    pub fn over(self, dispatch_id: &'a str, link: &'a str, replayed: bool) -> Self {
        Self { dispatch_id: Some(dispatch_id), link: Some(link), replayed, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn the_answers_of_both_surfaces_have_their_keys_in_order() {
        let envelope = Envelope::of_steps("c", "t", vec![]);
        let inner = json::compact(&envelope);
        assert_eq!(
            json::compact(&Executed::new(&envelope, "sim")),
            format!(
                r#"{{"envelope":{inner},"deviceId":"sim","terminalSource":"clawperator_result","isCanonicalTerminal":true}}"#
            )
        );
        let carried = json::compact(&Executed::new(&envelope, "sim").over("socket", true));
        assert!(
            carried.ends_with(r#""isCanonicalTerminal":true,"link":"socket","replayed":true}"#)
        );
        assert_eq!(
            json::compact(&Served::new(&envelope, "sim")),
            format!(
                r#"{{"ok":true,"deviceId":"sim","terminalSource":"clawperator_result","envelope":{inner}}}"#
            )
        );
        let carried = json::compact(&Served::new(&envelope, "sim").over("d-1", "socket", true));
        assert!(carried.ends_with(r#","dispatchId":"d-1","link":"socket","replayed":true}"#));
    }
}
