//! One execution, from its first step to its envelope.

use crate::actions;
use crate::cancel::Cancel;
use crate::context::{Observer, Run};
use crate::phone::{Clock, GlobalAction, Moment, Phone, PhoneError};
use crate::recording::Recorder;
use crate::screen::Screen;
use crate::step::{StepFailure, Stop};
use clawperator_contract::envelope::{Envelope, StepData, StepResult};
use clawperator_contract::runnable::{Act, Runnable, RunnableAction, Unrunnable};
use clawperator_contract::{ErrorCode, Invalid};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A phone with all that outlives a single execution.
pub struct Runtime<P, C> {
    phone: P,
    clock: C,
    rng: SmallRng,
    /// The newest capture: references point into it.
    screen: Option<Arc<Screen>>,
    launched: Option<String>,
    recorder: Arc<Recorder>,
    operator_package: String,
}

impl<P: Phone, C: Clock> Runtime<P, C> {
    /// A runtime on this phone. The seed decides the jitter of retries.
    pub fn new(
        phone: P,
        clock: C,
        recorder: Arc<Recorder>,
        operator_package: &str,
        seed: u64,
    ) -> Self {
        Self {
            phone,
            clock,
            rng: SmallRng::seed_from_u64(seed),
            screen: None,
            launched: None,
            recorder,
            operator_package: operator_package.to_owned(),
        }
    }

    /// The phone.
    pub fn phone(&self) -> &P {
        &self.phone
    }

    /// The phone, to be changed between executions.
    pub fn phone_mut(&mut self) -> &mut P {
        &mut self.phone
    }

    /// The clock.
    pub fn clock(&self) -> &C {
        &self.clock
    }

    /// Reads a payload and performs it. Always answers with an envelope.
    pub fn execute(
        &mut self,
        payload: &[u8],
        arrived: Moment,
        cancel: &Cancel,
        observer: &mut dyn Observer,
    ) -> Envelope {
        match Runnable::from_text(payload) {
            Ok(execution) => self.run(&execution, arrived, cancel, observer),
            Err(unrunnable) => refusal(&unrunnable),
        }
    }

    /// Performs an execution that arrived at `arrived`; the time it stood in a queue counts.
    pub fn run(
        &mut self,
        execution: &Runnable,
        arrived: Moment,
        cancel: &Cancel,
        observer: &mut dyn Observer,
    ) -> Envelope {
        cancel.wakes(self.phone.waker());
        let mut run = Run {
            phone: &mut self.phone,
            clock: &self.clock,
            rng: &mut self.rng,
            screen: &mut self.screen,
            recorder: &self.recorder,
            operator_package: &self.operator_package,
            observer,
            cancel,
            deadline: arrived + execution.timeout,
            origin: None,
            launched: &mut self.launched,
            picture: None,
        };
        // Steps look after their own faults; this is for whatever is around them.
        let outcome = catch_unwind(AssertUnwindSafe(|| run.all_steps(execution)));
        outcome.unwrap_or_else(|panic| {
            self.screen = None;
            let reason = panic_text(panic.as_ref());
            log::error!("an execution panicked: {reason}");
            let error = format!("a fault of the runtime ended the execution: {reason}");
            let (command_id, task_id) = (&execution.command_id, &execution.task_id);
            Envelope::failed(command_id, task_id, vec![], ErrorCode::InternalError, &error)
        })
    }
}

/// The envelope for a payload that cannot be run.
fn refusal(unrunnable: &Unrunnable) -> Envelope {
    let id = |id: &Option<String>| id.clone().unwrap_or_default();
    let Invalid { message, path, .. } = &unrunnable.invalid;
    let place = if path.is_empty() { String::new() } else { format!(" (at {path})") };
    let (command_id, task_id) = (id(&unrunnable.command_id), id(&unrunnable.task_id));
    Envelope::failed(&command_id, &task_id, vec![], Unrunnable::CODE, &format!("{message}{place}"))
}

impl Run<'_> {
    fn all_steps(&mut self, execution: &Runnable) -> Envelope {
        let mut results = Vec::with_capacity(execution.actions.len());
        let ended = self.steps(execution, &mut results);
        let (command_id, task_id) = (&execution.command_id, &execution.task_id);
        let Err((stop, place)) = ended else {
            return Envelope::of_steps(command_id, task_id, results);
        };
        let failed =
            |code, error: &str| Envelope::failed(command_id, task_id, results.clone(), code, error);
        match stop {
            // Told by its step already.
            Stop::Failed(_) => Envelope::of_steps(command_id, task_id, results),
            Stop::Timeout(_) => {
                let ms = execution.timeout.as_millis();
                let error = format!("Execution timed out after {ms} ms {place}");
                failed(ErrorCode::ExecutionTimeout, &error)
            }
            Stop::Cancelled => {
                failed(ErrorCode::ExecutionCancelled, &format!("Execution was cancelled {place}"))
            }
            Stop::ServiceGone => {
                failed(ErrorCode::ServiceUnavailable, "Accessibility service is not available")
            }
        }
    }

    /// Runs step after step; what ends it early comes with a word on where that was.
    fn steps(
        &mut self,
        execution: &Runnable,
        results: &mut Vec<StepResult>,
    ) -> Result<(), (Stop, String)> {
        let at = |word: &str, action: &RunnableAction| {
            format!("{word} step {} ({})", action.id, action.act.kind())
        };
        if let Some(first) = execution.actions.first() {
            let ready = self.check().and_then(|()| self.prepare());
            ready.map_err(|stop| (stop, at("before", first)))?;
        }
        for (index, action) in execution.actions.iter().enumerate() {
            self.check().map_err(|stop| (stop, at("before", action)))?;
            let navigation_follows = execution.actions[index + 1..]
                .iter()
                .any(|later| matches!(later.act, Act::WaitForNavigation(_)));
            let outcome = self.step(action, navigation_follows);
            let result = result_of(action, &outcome);
            let picture = self.picture.take();
            self.observer.step_ended(index, &result, picture);
            results.push(result);
            match outcome {
                Ok(_) => {}
                Err(Stop::Failed(failure)) if is_for_the_host(failure.code) => {}
                Err(stop) => return Err((stop, at("in", action))),
            }
        }
        Ok(())
    }

    /// The service must be there, and the notification shade out of the way.
    fn prepare(&mut self) -> Result<(), Stop> {
        match self.phone.global(GlobalAction::DismissNotificationShade) {
            Err(PhoneError::ServiceUnavailable) => Err(Stop::ServiceGone),
            // A shade that stays is seen in the next capture; a phone that knows no such key is old.
            _ => Ok(()),
        }
    }

    /// A fault of ours in one step is that step's failure, not the end of the app.
    fn step(
        &mut self,
        action: &RunnableAction,
        navigation_follows: bool,
    ) -> Result<StepData, Stop> {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            actions::perform(self, &action.act, navigation_follows)
        }));
        outcome.unwrap_or_else(|panic| {
            // Half-done work may have left it behind.
            *self.screen = None;
            let reason = panic_text(panic.as_ref());
            log::error!("step {} panicked: {reason}", action.act.kind());
            let message = format!("a fault of the runtime ended this step: {reason}");
            Err(StepFailure::new(ErrorCode::InternalError, message).into())
        })
    }
}

/// A step the host does in the phone's place does not end the execution.
fn is_for_the_host(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::UnsupportedRuntimeClose | ErrorCode::UnsupportedRuntimeScreenshot)
}

fn result_of(action: &RunnableAction, outcome: &Result<StepData, Stop>) -> StepResult {
    let (id, kind) = (&action.id, action.act.kind().name());
    let failure = |code, message: &str, data: StepData| {
        let mut result = StepResult::failure(id, kind, code, message);
        for (key, value) in data {
            result.data.entry(key).or_insert(value);
        }
        result
    };
    match outcome {
        Ok(data) => StepResult::success(id, kind, data.clone()),
        Err(Stop::Failed(f)) => failure(f.code, &f.message, f.data.clone()),
        Err(Stop::Timeout(waiting)) => {
            let code = ErrorCode::ExecutionTimeout;
            match waiting {
                Some(f) => {
                    let message = format!("the execution's time ran out: {}", f.message);
                    failure(code, &message, f.data.clone())
                }
                None => failure(code, "the execution's time ran out", StepData::new()),
            }
        }
        Err(Stop::Cancelled) => failure(
            ErrorCode::ExecutionCancelled,
            "the execution was cancelled during this step",
            StepData::new(),
        ),
        Err(Stop::ServiceGone) => failure(
            ErrorCode::ServiceUnavailable,
            "the accessibility service went away during this step",
            StepData::new(),
        ),
    }
}

/// The message of a panic, whichever way it was raised.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        return (*text).to_owned();
    }
    panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "unknown".into())
}
