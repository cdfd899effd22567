//! Starts and stops recordings, and takes what happens in between.

use super::error::RecordingError;
use super::event::RecordedEvent;
use super::session::Session;
use super::sink::{RecordingSink, SinkError};
use clawperator_contract::limits::MAX_ID_LENGTH;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A recording that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// Its id, as given or made up.
    pub session_id: String,
    /// Its file, as the sink calls it.
    pub file_path: String,
}

/// A recording that has ended well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Its id.
    pub session_id: String,
    /// Its file, as the sink calls it.
    pub file_path: String,
    /// Events in the file.
    pub event_count: u64,
    /// The id that was asked for, when it was another one. There is one recording at a time, so
    /// whoever asks to stop means this one; but they should hear of it.
    pub mismatch: Option<String>,
}

/// Records one session at a time. Starting and stopping come from the thread that runs executions,
/// events from the phone's.
///
/// Events are written where they arrive, under a lock, without a queue and a thread behind it:
/// whatever was recorded is in the file, and stopping waits for nobody. A line is small enough for
/// that: on a computer's ext4 one without a screen takes 1 µs and one with a screen of 50 kB 80 µs
/// (99 of 100 stay below 0.15 ms), while taking that screen takes a phone 4 to 180 ms. So the lock
/// is never held while the screen is taken. An event that nobody records costs 2 ns.
pub struct Recorder {
    /// Packages whose events are dropped.
    own_packages: Vec<String>,
    /// Number of the session that wants events, or zero. What is cheap for an event that nobody
    /// records: one look at this.
    wanted: AtomicU64,
    state: Mutex<State>,
}

struct State {
    sink: Box<dyn RecordingSink>,
    rng: SmallRng,
    /// Sessions so far; so the number of the active one.
    sessions: u64,
    active: Option<Session>,
}

impl Recorder {
    /// A recorder that writes to this sink and drops what happens in these packages; see
    /// [`operator::PACKAGES`](clawperator_contract::operator::PACKAGES). The seed is for the ids it makes up.
    #[must_use]
    pub fn new(sink: Box<dyn RecordingSink>, own_packages: Vec<String>, seed: u64) -> Self {
        let rng = SmallRng::seed_from_u64(seed);
        let state = Mutex::new(State { sink, rng, sessions: 0, active: None });
        Self { own_packages, wanted: AtomicU64::new(0), state }
    }

    /// Begins a recording. Without an id, or with a blank one, it makes one up. The sink is told
    /// at once that this is the newest one, so that it is found even if nobody ever stops it.
    pub fn start(
        &self,
        session_id: Option<&str>,
        operator_package: &str,
        now_epoch_ms: u64,
    ) -> Result<Started, RecordingError> {
        let mut state = self.lock();
        if let Some(active) = &state.active {
            return Err(RecordingError::already(&active.identity));
        }
        let id = match session_id.filter(|id| !id.trim().is_empty()) {
            Some(id) => id.to_owned(),
            None => format!("record-{now_epoch_ms}-{:08x}", state.rng.random::<u32>()),
        };
        if !is_file_name(&id) {
            return Err(RecordingError::BadSessionId { session_id: id });
        }
        let session = begin(&mut *state.sink, &id, operator_package, now_epoch_ms)
            .map_err(|error| RecordingError::not_begun(id, error))?;
        let identity = session.identity.clone();
        state.sessions += 1;
        state.active = Some(session);
        self.wanted.store(state.sessions, Ordering::Release);
        Ok(Started { session_id: identity.session_id, file_path: identity.file_path })
    }

    /// Writes down what happened, if a recording is running. `snapshot` takes the screen; it is
    /// called, without any lock, only for an event that carries one.
    pub fn record(
        &self,
        event: &RecordedEvent,
        snapshot: impl FnOnce() -> Option<String>,
        now_epoch_ms: u64,
    ) {
        let number = self.wanted.load(Ordering::Acquire);
        if number == 0 || self.is_own(event) {
            return;
        }
        let snapshot = if event.carries_snapshot() { snapshot() } else { None };
        let mut state = self.lock();
        // While the screen was taken, the recording may have ended and another one begun.
        if state.sessions != number {
            return;
        }
        let Some(session) = &mut state.active else { return };
        if !session.append(event, snapshot.as_deref(), now_epoch_ms) {
            self.wanted.store(0, Ordering::Release);
        }
    }

    /// Ends the recording, whichever id was asked for. It has ended afterwards even if this fails:
    /// a file that cannot be written now would not be written better later.
    pub fn stop(&self, requested: Option<&str>) -> Result<Stopped, RecordingError> {
        let mut state = self.lock();
        let mut session = state.active.take().ok_or(RecordingError::NotInProgress)?;
        self.wanted.store(0, Ordering::Release);
        let latest = state.sink.set_latest(&session.identity.session_id);
        let failure = session.failure.take().or(latest.err());
        let event_count = session.event_count;
        let (session_id, file_path) = (session.identity.session_id, session.identity.file_path);
        if let Some(cause) = failure {
            return Err(RecordingError::StopFailed { session_id, file_path, event_count, cause });
        }
        let other = requested.filter(|id| !id.trim().is_empty() && *id != session_id);
        let mismatch = other.map(str::to_owned);
        Ok(Stopped { session_id, file_path, event_count, mismatch })
    }

    /// Is a recording running? One whose file cannot be written any more still is, until it is
    /// stopped: that is when its failure is told.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.lock().active.is_some()
    }

    fn is_own(&self, event: &RecordedEvent) -> bool {
        event
            .package_name()
            .is_some_and(|package| self.own_packages.iter().any(|own| own == package))
    }

    /// A sink that panicked must not take the recorder with it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn begin(
    sink: &mut dyn RecordingSink,
    id: &str,
    operator_package: &str,
    started_at: u64,
) -> Result<Session, SinkError> {
    let file = sink.create(id)?;
    let session = Session::begin(id.to_owned(), file, operator_package, started_at)?;
    sink.set_latest(id)?;
    Ok(session)
}

/// Safe as a file name, wherever the file goes later.
fn is_file_name(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    id.len() <= MAX_ID_LENGTH && id.bytes().all(allowed)
}
