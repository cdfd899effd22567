//! Waiting: for changes, not for time. Every wait obeys the execution's deadline and ends when the
//! execution is cancelled.

use crate::context::Run;
use crate::phone::{Display, Moment, NodeAction, PhoneError};
use crate::screen::{Generation, NodeHandle, Screen};
use crate::step::{Outcome, StepFailure, Stop, Tries, Try, nothing_done};
use clawperator_contract::ErrorCode;
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::retry::RetryPolicy;
use rand::Rng;
use rand::rngs::SmallRng;
use std::sync::Arc;
use std::time::Duration;

/// Shortest time between two looks at the screen: half a frame at 60 Hz. An animation sends an
/// event per frame, and nobody can tell two looks in one frame apart.
const LOOK_INTERVAL: Duration = Duration::from_millis(8);

/// A look without an event, in case one was lost. Slow, because events rarely are.
const SAFETY_NET: Duration = Duration::from_millis(1_000);

/// How long a phone may take from "wake up" to a screen that is on.
const WAKING: Duration = Duration::from_millis(2_000);

/// Asked in this rhythm while waking: not every phone sends an event when the screen comes on.
const WAKING_LOOK: Duration = Duration::from_millis(50);

/// How long a step keeps trying.
#[derive(Clone, Copy)]
pub(crate) enum Patience {
    /// By a retry policy: each delay is a window in which every change is answered at once.
    Policy(RetryPolicy),
    /// Until a moment.
    Until(Moment),
}

impl Run<'_> {
    /// May the execution go on?
    pub(crate) fn check(&self) -> Outcome<()> {
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if self.clock.now() >= self.deadline {
            return Err(Stop::Timeout(None));
        }
        Ok(())
    }

    /// Acts on a node. Like every door to the phone it opens only while the execution may go on:
    /// nothing begins after the deadline, however slow the call before was.
    pub(crate) fn act_on(
        &mut self,
        node: NodeHandle,
        action: &NodeAction,
    ) -> Outcome<Result<bool, PhoneError>> {
        self.check()?;
        Ok(self.phone.perform(node, action))
    }

    /// Asks the host for what only it can do; `None` when there is none.
    pub(crate) fn ask_host(&mut self, call: HostCall) -> Outcome<Option<HostAnswer>> {
        self.check()?;
        let within = self.deadline.saturating_sub(self.clock.now());
        Ok(self.observer.host_call(call, within))
    }

    /// Waits for a change since `since`, at most until `until`.
    fn wait_for_change(&mut self, since: Generation, until: Moment) -> Outcome<()> {
        self.phone.wait(Some(since), until.min(self.deadline));
        self.check()
    }

    /// Waits for whatever happens next, at most until `until`; says whether something did.
    pub(crate) fn wait_for_next_change(&mut self, until: Moment) -> Outcome<bool> {
        let since = self.phone.generation();
        self.wait_for_change(since, until)?;
        Ok(self.phone.generation() != since)
    }

    /// Waits until `until`, whatever happens on the screen.
    pub(crate) fn pause_until(&mut self, until: Moment) -> Outcome<()> {
        while self.clock.now() < until {
            self.phone.wait(None, until.min(self.deadline));
            self.check()?;
        }
        Ok(())
    }

    /// Captures the screen.
    pub(crate) fn look(&mut self) -> Result<Arc<Screen>, PhoneError> {
        let screen = Arc::new(self.phone.capture()?);
        *self.screen = Some(Arc::clone(&screen));
        Ok(screen)
    }

    /// Tries until it is done, cannot get better, or the patience ends. A change on the screen is
    /// answered with another attempt at once; such attempts are free, only time uses patience up.
    pub(crate) fn patiently<T>(
        &mut self,
        patience: Patience,
        mut attempt: impl FnMut(&mut Self) -> Outcome<Try<T>>,
    ) -> Outcome<(T, Tries)> {
        let start = self.clock.now();
        let mut tries = Tries::default();
        let mut windows = Windows::of(patience);
        let mut window_end = start;
        loop {
            self.check()?;
            let looked = self.clock.now();
            let before = self.phone.generation();
            tries.attempts += 1;
            let outcome = attempt(self)?;
            tries.waited = looked.saturating_sub(start);
            let failure = match outcome {
                Try::Done(value) => return Ok((value, tries)),
                Try::Over(failure) => return Err(told(failure, tries).into()),
                Try::NotYet(failure) => failure,
            };
            let now = self.clock.now();
            if looked >= window_end {
                match windows.next(now, self.rng) {
                    Some(end) => window_end = end,
                    None => return Err(told(failure, tries).into()),
                }
            }
            // A look takes its time; looking again sooner than that would be all it does.
            let pause = LOOK_INTERVAL.max(now.saturating_sub(looked)).min(SAFETY_NET);
            // A change while the attempt was at it is news, unless the attempt's own look saw it.
            let seen = self.screen.as_ref().map_or(before, |screen| screen.generation.max(before));
            self.wait_between(seen, now + pause, window_end).map_err(|stop| match stop {
                Stop::Timeout(None) => Stop::Timeout(Some(told(failure, tries))),
                other => other,
            })?;
        }
    }

    fn wait_between(&mut self, seen: Generation, next: Moment, window_end: Moment) -> Outcome<()> {
        self.wait_for_change(seen, window_end)?;
        let earliest = next.min(window_end);
        if self.clock.now() < earliest { self.pause_until(earliest) } else { Ok(()) }
    }

    /// Sees to it that the screen is on with nothing in front, or says what stands in the way.
    pub(crate) fn awake(&mut self) -> Outcome<()> {
        let mut state = self.display()?;
        if state == Display::On {
            return Ok(());
        }
        // Whatever was seen before lies behind the lock now.
        *self.screen = None;
        self.check()?;
        self.phone.wake().map_err(|error| gone_or_failed(&error))?;
        let end = self.clock.now() + WAKING;
        while state != Display::On && self.clock.now() < end {
            self.pause_until((self.clock.now() + WAKING_LOOK).min(end))?;
            state = self.display()?;
        }
        match state {
            Display::On => Ok(()),
            Display::Locked => Err(StepFailure::new(
                ErrorCode::ScreenLocked,
                "the phone is locked; nothing behind the lock was read or touched",
            )
            .into()),
            Display::Off => Err(StepFailure::new(
                ErrorCode::DeviceNotInteractive,
                "the screen is off and did not come on",
            )
            .into()),
        }
    }

    fn display(&mut self) -> Outcome<Display> {
        self.phone.display().map_err(|error| gone_or_failed(&error))
    }

    /// Captures the screen for an attempt.
    pub(crate) fn look_or<T>(&mut self) -> Outcome<Result<Arc<Screen>, Try<T>>> {
        self.check()?;
        match self.look() {
            Ok(screen) => Ok(Ok(screen)),
            Err(error) => nothing_done(error).map(Err),
        }
    }
}

/// The stretches of time in which changes are waited for, each made when the one before is over:
/// most steps need none.
struct Windows {
    patience: Patience,
    delay: Duration,
    left: u32,
}

impl Windows {
    fn of(patience: Patience) -> Self {
        let (delay, left) = match patience {
            Patience::Policy(policy) => {
                (policy.initial_delay, policy.max_attempts.saturating_sub(1))
            }
            Patience::Until(_) => (Duration::ZERO, 0),
        };
        Self { patience, delay, left }
    }

    /// The end of a window that begins now; `None` when the patience is used up.
    fn next(&mut self, now: Moment, rng: &mut SmallRng) -> Option<Moment> {
        let policy = match self.patience {
            Patience::Until(end) => return (now < end).then(|| end.min(now + SAFETY_NET)),
            Patience::Policy(policy) => policy,
        };
        self.left = self.left.checked_sub(1)?;
        let stray = self.delay.mul_f64(policy.jitter);
        let least = self.delay.saturating_sub(stray);
        self.delay = policy.after(self.delay);
        Some(now + least + stray.mul_f64(rng.random_range(0.0..=2.0)))
    }
}

fn told(mut failure: StepFailure, tries: Tries) -> StepFailure {
    tries.tell(&mut failure.data);
    failure
}

/// A phone's error where no further attempt makes sense.
pub(crate) fn gone_or_failed(error: &PhoneError) -> Stop {
    match error {
        PhoneError::ServiceUnavailable => Stop::ServiceGone,
        other => StepFailure::new(ErrorCode::ActionFailed, other.to_string()).into(),
    }
}
