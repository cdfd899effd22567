//! One open stream between its two sides: the connection, which delivers packets, and the service,
//! which reads and writes.
//!
//! adb's flow control: after a `WRTE` nobody writes on that stream until its `OKAY`. So a channel
//! holds at most one payload that was not taken, and a service that does not read stops its host
//! and nobody else.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::lock::lock;

type OnClose = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    /// The host's last write, until the service takes it.
    delivered: Option<Vec<u8>>,
    /// Our last write was not acknowledged yet.
    unacknowledged: bool,
    /// The service will read no more.
    deaf: bool,
    closed: bool,
    on_close: Option<OnClose>,
}

pub(crate) struct Channel {
    /// Our number for the stream.
    pub(crate) local: u32,
    /// The host's number for the stream.
    pub(crate) remote: u32,
    state: Mutex<State>,
    changed: Condvar,
}

/// What became of a host's write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// The service will take it, and acknowledge then.
    Held,
    /// Nobody will read it; acknowledge now, as a phone does for a process that ignores its input.
    Ignored,
    /// The host wrote again before we acknowledged.
    TooEarly,
}

impl Channel {
    pub(crate) fn new(local: u32, remote: u32) -> Self {
        Self { local, remote, state: Mutex::default(), changed: Condvar::new() }
    }

    // The connection's side.

    pub(crate) fn deliver(&self, payload: Vec<u8>) -> Delivery {
        let mut state = lock(&self.state);
        if state.deaf || state.closed {
            return Delivery::Ignored;
        }
        if state.delivered.is_some() {
            return Delivery::TooEarly;
        }
        state.delivered = Some(payload);
        self.changed.notify_all();
        Delivery::Held
    }

    pub(crate) fn acknowledged(&self) {
        lock(&self.state).unacknowledged = false;
        self.changed.notify_all();
    }

    /// Closes it; `false` when it was closed before. What was delivered can still be taken.
    pub(crate) fn close(&self) -> bool {
        let mut state = lock(&self.state);
        if std::mem::replace(&mut state.closed, true) {
            return false;
        }
        let on_close = state.on_close.take();
        drop(state);
        self.changed.notify_all();
        if let Some(tell) = on_close {
            tell();
        }
        true
    }

    // The service's side.

    /// The host's next write, to be acknowledged; `None` when it closed.
    pub(crate) fn take(&self, timeout: Option<Duration>) -> io::Result<Option<Vec<u8>>> {
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        let mut state = lock(&self.state);
        loop {
            if let Some(payload) = state.delivered.take() {
                return Ok(Some(payload));
            }
            if state.closed {
                return Ok(None);
            }
            state = self.wait(state, deadline)?;
        }
    }

    /// Waits until a write is allowed, and claims it.
    pub(crate) fn claim_write(&self) -> io::Result<()> {
        let mut state = lock(&self.state);
        loop {
            if state.closed {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            if !std::mem::replace(&mut state.unacknowledged, true) {
                return Ok(());
            }
            state = self.wait(state, None)?;
        }
    }

    /// The service reads no more; `true` when a delivered write is to be acknowledged for it.
    pub(crate) fn stop_reading(&self) -> bool {
        let mut state = lock(&self.state);
        state.deaf = true;
        state.delivered.take().is_some()
    }

    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.state).closed
    }

    pub(crate) fn on_close(&self, tell: OnClose) {
        let mut state = lock(&self.state);
        if !state.closed {
            state.on_close = Some(tell);
            return;
        }
        drop(state);
        tell();
    }

    fn wait<'a>(
        &self,
        state: MutexGuard<'a, State>,
        deadline: Option<Instant>,
    ) -> io::Result<MutexGuard<'a, State>> {
        let Some(deadline) = deadline else {
            return Ok(self.changed.wait(state).unwrap_or_else(PoisonError::into_inner));
        };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let (state, _) =
            self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        Ok(state)
    }
}
