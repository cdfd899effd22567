//! How a step can end.

use crate::phone::PhoneError;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use std::time::Duration;

/// A step that did not do what it was asked, told in its result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StepFailure {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    pub(crate) data: StepData,
}

impl StepFailure {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: StepData::new() }
    }

    pub(crate) fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.data.insert(key.to_owned(), value.to_string());
        self
    }
}

/// What ends a step early.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stop {
    /// The step failed.
    Failed(StepFailure),
    /// The execution's time is up. What the step was waiting for, when it was.
    Timeout(Option<StepFailure>),
    /// Somebody cancelled the execution.
    Cancelled,
    /// The phone's service is gone.
    ServiceGone,
}

/// The result of a part of a step.
pub(crate) type Outcome<T> = Result<T, Stop>;

impl From<StepFailure> for Stop {
    fn from(failure: StepFailure) -> Self {
        Self::Failed(failure)
    }
}

/// One attempt of a step that may be tried again.
pub(crate) enum Try<T> {
    /// It is done.
    Done(T),
    /// Nothing was done; another attempt may do better.
    NotYet(StepFailure),
    /// It cannot get better, or something may have been done already.
    Over(StepFailure),
}

/// What a phone's error means for an attempt that only looked, or was refused before it acted.
pub(crate) fn nothing_done<T>(error: PhoneError) -> Outcome<Try<T>> {
    match error {
        PhoneError::ServiceUnavailable => Err(Stop::ServiceGone),
        PhoneError::NodeGone => {
            Ok(Try::NotYet(StepFailure::new(ErrorCode::NodeStale, error.to_string())))
        }
        PhoneError::NoWindow | PhoneError::Failed(_) => {
            Ok(Try::NotYet(StepFailure::new(ErrorCode::ActionFailed, error.to_string())))
        }
    }
}

/// What a phone's error means for an attempt that was in the middle of acting.
pub(crate) fn may_have_acted<T>(error: PhoneError) -> Outcome<Try<T>> {
    match error {
        PhoneError::Failed(reason) => {
            Ok(Try::Over(StepFailure::new(ErrorCode::ActionFailed, reason)))
        }
        other => nothing_done(other),
    }
}

/// How often something was tried, and how long that took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tries {
    pub(crate) attempts: u32,
    pub(crate) waited: Duration,
}

impl Tries {
    pub(crate) fn tell(self, data: &mut StepData) {
        data.insert("attempts".into(), self.attempts.to_string());
        data.insert("waited_ms".into(), self.waited.as_millis().to_string());
    }
}

/// The failure in a stop, for a caller that has more to say; any other stop goes on as it is.
pub(crate) fn failed(stop: Stop) -> Result<StepFailure, Stop> {
    match stop {
        Stop::Failed(failure) => Ok(failure),
        other => Err(other),
    }
}

/// Result data from pairs.
pub(crate) fn data<const N: usize>(pairs: [(&str, String); N]) -> StepData {
    pairs.map(|(key, value)| (key.to_owned(), value)).into()
}
