//! How a phone is made.

use super::metrics::Metrics;
use crate::app::{App, AppError, shipped};
use crate::chaos::Faults;
use crate::clock::SimClock;
use std::time::Duration;

/// What kind of phone it is.
#[derive(Clone, Debug)]
pub struct Options {
    /// Its clock.
    pub clock: SimClock,
    /// Its screen.
    pub metrics: Metrics,
    /// Its apps. One of them must be the home screen.
    pub apps: Vec<App>,
    /// How long things take.
    pub latency: Latency,
    /// What goes wrong.
    pub faults: Faults,
    /// Decides when it goes wrong.
    pub seed: u64,
    /// What keeps others out.
    pub lock: Lock,
}

impl Options {
    /// A phone with the apps it comes with, in real time.
    pub fn real() -> Result<Self, AppError> {
        Ok(Self::with(SimClock::real(), shipped()?))
    }

    /// The same in virtual time, and everything is done at once.
    pub fn for_tests() -> Result<Self, AppError> {
        let options = Self::with(SimClock::virtual_time(), shipped()?);
        Ok(Self { latency: Latency::default(), ..options })
    }

    fn with(clock: SimClock, apps: Vec<App>) -> Self {
        Self {
            clock,
            metrics: Metrics::default(),
            apps,
            latency: Latency::phone(),
            faults: Faults::default(),
            seed: 1,
            lock: Lock::Swipe,
        }
    }
}

/// How long operations take. By default no time at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// Capturing the screen.
    pub capture: Duration,
    /// An action on a node, or a key of the system.
    pub action: Duration,
    /// From the start of an app to its window.
    pub launch: Duration,
    /// From a click to the screen it opens.
    pub open: Duration,
    /// Taking a picture.
    pub screenshot: Duration,
}

impl Latency {
    /// About as a fast phone: quick enough for demos, slow enough to show who does not wait.
    #[must_use]
    pub fn phone() -> Self {
        let ms = Duration::from_millis;
        Self { capture: ms(4), action: ms(2), launch: ms(150), open: ms(0), screenshot: ms(20) }
    }
}

/// What keeps others out of the phone when its screen goes off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// Nothing.
    None,
    /// A screen that goes away when it is swiped, or when the phone is woken politely.
    Swipe,
    /// A screen that asks for a PIN.
    Secure,
}
