//! What the host makes of an envelope before anybody sees it.

use super::Link;
use super::host_side::HostSide;
use clawperator_contract::action::ActionType;
use clawperator_contract::execution::Action;
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure, Status, StepResult};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is said of a snapshot that was taken at once after a click.
const UNSETTLED: &str = "snapshot captured without a preceding sleep step; UI may not have settled - consider adding a sleep step between click and snapshot_ui";
/// What is said of a picture that was taken when later steps had run already.
const LATE: &str = "over broadcast the picture is taken by the host when all steps have run";

/// Pictures travel once: the operator does not keep them.
const LOST: &str = "the picture was taken, but got lost when the link broke";

/// Pictures by the number of their step.
pub type Pictures = BTreeMap<usize, Vec<u8>>;

/// Where pictures go.
pub(super) enum Keep<'a> {
    /// Into the files that were asked for, or temporary ones.
    Files,
    /// Nowhere but here.
    Memory(&'a mut Pictures),
}

/// Refuses, before anything is done on the phone, pictures that could not be kept.
pub(super) fn check_paths(execution: &Execution) -> Result<(), Failure> {
    let paths = execution.actions().iter().filter_map(asked_path);
    for path in paths {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let why = if path.is_dir() {
            format!("{} is a folder, not a file", path.display())
        } else if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            format!("{}: there is no folder {}", path.display(), folder.display())
        } else {
            continue;
        };
        let code = ErrorCode::OutputUnwritable;
        let message = format!("{why}; nothing was sent");
        return Err(Failure::new(code, message)
            .detail("path", path.display().to_string())
            .hint(code.remedy()));
    }
    Ok(())
}

/// Puts everything the host knows into the envelope and brings its status in line.
pub(super) fn finish(
    envelope: &mut Envelope,
    execution: &Execution,
    mut side: HostSide<'_>,
    link: Link,
    dispatch_id: &str,
    keep: &mut Keep<'_>,
) {
    let count = envelope.step_results.len();
    for (index, step) in envelope.step_results.iter_mut().enumerate() {
        let Some(action) = execution.actions().get(index) else { break };
        match action.kind() {
            ActionType::SnapshotUi => snapshot(step),
            ActionType::TakeScreenshot => {
                let name = format!("clawperator-{dispatch_id}-{index}.png");
                let path = asked_path(action).unwrap_or_else(|| std::env::temp_dir().join(name));
                let picture = side.pictures.remove(&index);
                let taken = screenshot(step, picture, link, &side, index + 1 < count);
                match (taken, &mut *keep) {
                    (Some(png), Keep::Files) => write(step, &png, &path),
                    (Some(png), Keep::Memory(pictures)) => drop(pictures.insert(index, png)),
                    (None, _) => {}
                }
            }
            ActionType::CloseApp => close_app(step, action, &side),
            _ => {}
        }
    }
    conclude(envelope);
}

/// The same for an envelope that was asked for later, by somebody who has neither the execution
/// nor the pictures any more.
pub(super) fn finish_resumed(envelope: &mut Envelope) {
    for step in &mut envelope.step_results {
        match step.action_type.as_str() {
            "snapshot_ui" => snapshot(step),
            "take_screenshot" if step.success => fail(step, ErrorCode::ScreenshotFailed, LOST),
            _ => {}
        }
    }
    conclude(envelope);
}

/// Brings the status in line with the steps, and says what to do about a failure.
fn conclude(envelope: &mut Envelope) {
    warn_of_unsettled(envelope);
    envelope.reconcile();
    if envelope.status == Status::Failed && envelope.hint.is_none() {
        let step = envelope.first_failure().and_then(StepResult::error);
        let code = envelope.error_code.as_deref().or(step);
        let code = code.and_then(|code| code.parse::<ErrorCode>().ok());
        envelope.hint = code.map(|code| code.remedy().to_owned());
    }
}

fn asked_path(action: &Action) -> Option<PathBuf> {
    let is_picture = action.kind() == ActionType::TakeScreenshot;
    let path = action.param("path").filter(|_| is_picture)?;
    path.as_str().map(PathBuf::from)
}

fn snapshot(step: &mut StepResult) {
    if step.success && step.data.get("text").is_none_or(String::is_empty) {
        fail(step, ErrorCode::SnapshotExtractionFailed, "the snapshot's text did not arrive");
    }
}

/// The picture of a step, where there is one; mends a step whose picture the host took.
fn screenshot(
    step: &mut StepResult,
    picture: Option<Vec<u8>>,
    link: Link,
    side: &HostSide<'_>,
    steps_followed: bool,
) -> Option<Vec<u8>> {
    let unsupported = step.error() == Some(ErrorCode::UnsupportedRuntimeScreenshot.name());
    if !step.success && !unsupported {
        return None;
    }
    let by_host = picture.is_none() && link == Link::Broadcast;
    let picture = match picture {
        Some(png) => Ok(png),
        None if by_host => side.picture(),
        None => Err(LOST.into()),
    };
    let png = match picture {
        Ok(png) => png,
        Err(why) => {
            fail(step, ErrorCode::ScreenshotFailed, &why);
            return None;
        }
    };
    if unsupported {
        *step = StepResult::success(&step.id, &step.action_type, [].into());
    }
    if by_host {
        // It is of a later moment than the number the phone told.
        step.data.remove("generation");
        step.data.insert("format".into(), "png".into());
        step.data.insert("bytes".into(), png.len().to_string());
        if steps_followed {
            step.data.insert("warn".into(), LATE.into());
        }
    }
    Some(png)
}

fn write(step: &mut StepResult, png: &[u8], path: &Path) {
    match std::fs::write(path, png) {
        Ok(()) => drop(step.data.insert("path".into(), path.display().to_string())),
        Err(error) => {
            let why = format!("{}: {error}", path.display());
            fail(step, ErrorCode::OutputUnwritable, &why);
        }
    }
}

/// An app that was closed before the execution was sent needs no closing on the phone.
fn close_app(step: &mut StepResult, action: &Action, side: &HostSide<'_>) {
    let package = action.param("applicationId").and_then(|id| id.as_str()).unwrap_or_default();
    let unsupported = step.error() == Some(ErrorCode::UnsupportedRuntimeClose.name());
    if unsupported && side.closed.contains(package) {
        *step = StepResult::success(&step.id, &step.action_type, [].into());
    }
    if step.success {
        step.data.entry("application_id".into()).or_insert_with(|| package.to_owned());
    }
}

fn warn_of_unsettled(envelope: &mut Envelope) {
    let clicks = ["click", "scroll_and_click"];
    for index in 1..envelope.step_results.len() {
        let after_click = clicks.contains(&envelope.step_results[index - 1].action_type.as_str());
        let step = &mut envelope.step_results[index];
        if after_click && step.success && step.action_type == "snapshot_ui" {
            step.data.insert("warn".into(), UNSETTLED.into());
        }
    }
}

fn fail(step: &mut StepResult, code: ErrorCode, why: &str) {
    *step = StepResult::failure(&step.id, &step.action_type, code, why);
}
