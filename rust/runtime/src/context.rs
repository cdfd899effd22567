//! What the steps of an execution have in hand.

use crate::cancel::Cancel;
use crate::phone::{Clock, Moment, Phone};
use crate::recording::Recorder;
use crate::screen::Screen;
use clawperator_contract::envelope::StepResult;
use clawperator_contract::message::{HostAnswer, HostCall};
use rand::rngs::SmallRng;
use std::sync::Arc;
use std::time::Duration;

/// Whoever watches an execution: the link it came over.
pub trait Observer {
    /// A step has ended. A picture it took comes with it.
    fn step_ended(&mut self, index: usize, result: &StepResult, picture: Option<Vec<u8>>);

    /// Asks the host to do what the phone cannot, within the given time. `None` means that there
    /// is no host to ask.
    fn host_call(&mut self, call: HostCall, within: Duration) -> Option<HostAnswer>;
}

/// Watches nothing, and has no host.
#[derive(Debug, Default)]
pub struct Unwatched;

impl Observer for Unwatched {
    fn step_ended(&mut self, _index: usize, _result: &StepResult, _picture: Option<Vec<u8>>) {}

    fn host_call(&mut self, _call: HostCall, _within: Duration) -> Option<HostAnswer> {
        None
    }
}

/// The execution that runs, with everything its steps need.
pub(crate) struct Run<'a> {
    pub(crate) phone: &'a mut dyn Phone,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) rng: &'a mut SmallRng,
    pub(crate) screen: &'a mut Option<Arc<Screen>>,
    pub(crate) recorder: &'a Recorder,
    pub(crate) operator_package: &'a str,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) cancel: &'a Cancel,
    pub(crate) deadline: Moment,
    /// Where the last step that could navigate started from.
    pub(crate) origin: Option<Origin>,
    /// The app the last step that could navigate launched, also in an execution before this one.
    pub(crate) launched: &'a mut Option<String>,
    /// A picture the present step took.
    pub(crate) picture: Option<Vec<u8>>,
}

/// The screen before a step that could navigate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The package in front; `None` when it could not be told.
    pub(crate) package: Option<String>,
    /// The package the step launched, if that is what it did.
    pub(crate) launched: Option<String>,
}
