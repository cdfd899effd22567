//! The trial run: opens Settings and looks whether it is really there.

use super::Run;
use super::report::{Check, Status};
use crate::device::Device;
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure};
use serde_json::json;

const ID: &str = "readiness.smoke";
const SETTINGS: &str = "com.android.settings";

/// Made only where all that it needs is there.
pub(super) fn check(ready: Option<(&dyn Device, &str)>, before: &[Check], run: &Run<'_>) -> Check {
    let needed = ["device.interactive", "readiness.version.compatibility", "readiness.handshake"];
    let failed =
        before.iter().find(|check| check.status == Status::Fail && needed.contains(&check.id));
    let (device, package) = match (ready, failed) {
        (None, _) => return Check::skipped(ID, "there is no operator to run it"),
        (_, Some(check)) => return Check::skipped(ID, format!("{} failed", check.id)),
        (Some(ready), None) => ready,
    };
    match trial().and_then(|execution| run(device, package, &execution)) {
        Ok(envelope) => judge(&envelope),
        Err(failure) => failed_with(format!("the trial run did not work: {failure}"))
            .evidence("error", json!(failure)),
    }
}

fn trial() -> Result<Execution, Failure> {
    let trial = Execution::from_value(json!({
        "commandId": "doctor-smoke",
        "taskId": "doctor",
        "source": "clawperator-doctor",
        "expectedFormat": "android-ui-automator",
        "timeoutMs": 20_000,
        "actions": [
            { "id": "open", "type": "open_app", "params": { "applicationId": SETTINGS } },
            { "id": "arrive", "type": "wait_for_navigation",
              "params": { "expectedPackage": SETTINGS, "timeoutMs": 10_000 } },
            { "id": "look", "type": "snapshot_ui" }
        ]
    }));
    Ok(trial?)
}

/// A snapshot that succeeded may still show something else.
fn judge(envelope: &Envelope) -> Check {
    let steps: Vec<_> = envelope
        .step_results
        .iter()
        .map(|step| json!({ "id": step.id, "success": step.success, "error": step.error() }))
        .collect();
    let steps = json!(steps);
    if let Some(step) = envelope.first_failure() {
        let why = step.data.get("message").map_or("no reason given", String::as_str);
        let code = step.error().unwrap_or_default();
        let summary = format!("the step \"{}\" of the trial run failed: {code}: {why}", step.id);
        return failed_with(summary).evidence("steps", steps);
    }
    let snapshot = envelope.step_results.iter().find(|step| step.action_type == "snapshot_ui");
    let text = snapshot.and_then(|step| step.data.get("text")).map_or("", String::as_str);
    let nodes = text.matches("<node ").count();
    let of_settings = text.matches(&format!("package=\"{SETTINGS}\"")).count();
    let check = match (&envelope.error, of_settings) {
        (Some(error), _) => failed_with(format!("the trial run failed as a whole: {error}")),
        (None, 0) => {
            failed_with(format!("the snapshot has {nodes} nodes and none of them is of Settings"))
        }
        (None, _) => Check::pass(ID, format!("Settings was opened and read: {of_settings} nodes")),
    };
    check.evidence("steps", steps).evidence("nodes", nodes).evidence("nodesOfSettings", of_settings)
}

fn failed_with(summary: String) -> Check {
    Check::fail(ID, ErrorCode::SmokeOpenSettingsFailed, summary)
        .manual("Look at the phone", &[ErrorCode::SmokeOpenSettingsFailed.remedy()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use clawperator_contract::envelope::StepResult;

    fn envelope(text: &str) -> Envelope {
        let data = [("text".to_owned(), text.to_owned())].into();
        let steps = vec![
            StepResult::success("open", "open_app", Default::default()),
            StepResult::success("look", "snapshot_ui", data),
        ];
        Envelope::of_steps("doctor-smoke", "doctor", steps)
    }

    #[test]
    fn a_snapshot_of_something_else_is_no_success() {
        let settings =
            "<hierarchy><node text=\"Battery\" package=\"com.android.settings\"/></hierarchy>";
        assert_eq!(judge(&envelope(settings)).status, Status::Pass);
        for text in
            ["", "<hierarchy/>", "<hierarchy><node package=\"com.android.launcher\"/></hierarchy>"]
        {
            let check = judge(&envelope(text));
            assert_eq!(check.code, Some(ErrorCode::SmokeOpenSettingsFailed), "{text}");
        }
    }

    #[test]
    fn the_step_that_failed_is_named() {
        let step = StepResult::failure("open", "open_app", ErrorCode::AppNotFound, "no such app");
        let check = judge(&Envelope::of_steps("doctor-smoke", "doctor", vec![step]));
        assert_eq!(check.status, Status::Fail);
        assert!(check.summary.contains("\"open\"") && check.summary.contains("no such app"));
    }

    #[test]
    fn the_trial_run_is_a_valid_execution() {
        assert_eq!(trial().unwrap().actions().len(), 3);
    }
}
