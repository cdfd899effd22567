//! Starting and stopping recordings.

use crate::context::Run;
use crate::recording::RecordingError;
use crate::step::{Outcome, StepFailure, data};
use clawperator_contract::envelope::StepData;
use clawperator_contract::runnable::Recording;

pub(super) fn start(run: &mut Run<'_>, recording: &Recording) -> Outcome<StepData> {
    let id = recording.session_id.as_deref();
    let started = run
        .recorder
        .start(id, run.operator_package, run.clock.epoch_ms())
        .map_err(|error| failure(&error))?;
    Ok(data([("sessionId", started.session_id), ("filePath", started.file_path)]))
}

pub(super) fn stop(run: &mut Run<'_>, recording: &Recording) -> Outcome<StepData> {
    let stopped =
        run.recorder.stop(recording.session_id.as_deref()).map_err(|error| failure(&error))?;
    let mut told = data([
        ("sessionId", stopped.session_id),
        ("filePath", stopped.file_path),
        ("eventCount", stopped.event_count.to_string()),
    ]);
    // There is one recording at a time: it was stopped, but the caller meant another.
    told.extend(stopped.mismatch.map(|asked| ("requestedSessionId".to_owned(), asked)));
    Ok(told)
}

fn failure(error: &RecordingError) -> StepFailure {
    let mut failure = StepFailure::new(error.code(), error.message());
    failure.data.extend(error.data());
    failure
}
