//! A simulated phone as the host sees it, without adb between them.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use clawperator_embedded::Overheard;
use clawperator_host::dispatch::{Route, Stop};
use clawperator_pocket::normalise;
use clawperator_pocket::outcome::Done;
use clawperator_pocket::snapshot::ScreenSnapshot;
use clawperator_simphone::device::{Latency, Lock, Metrics, Options};
use clawperator_simphone::system::{OperatorPackage, RELEASE_PACKAGE};
use serde_json::Value;
use std::ops::Deref;

/// A phone that answers at once and remembers what its shell was told.
pub struct Phone {
    phone: Overheard,
    pub stop: Stop,
}

impl Phone {
    /// With the operator, its service on.
    pub fn with_operator() -> Self {
        Self::of(vec![OperatorPackage::current()], options())
    }

    /// With the operator, its service off.
    pub fn service_off() -> Self {
        let off = OperatorPackage { enabled: false, ..OperatorPackage::current() };
        Self::of(vec![off], options())
    }

    /// Without the operator.
    pub fn bare() -> Self {
        Self::of(Vec::new(), options())
    }

    /// With the operator, and a screen that is wider than high.
    pub fn turned() -> Self {
        let metrics = Metrics { width: 2400, height: 1080, dpi: 420 };
        Self::of(vec![OperatorPackage::current()], Options { metrics, ..options() })
    }

    pub fn of(operators: Vec<OperatorPackage>, options: Options) -> Self {
        Self { phone: Overheard::boot(options, operators).unwrap(), stop: Stop::default() }
    }

    /// Shows a screen of an app.
    pub fn show(&self, package: &str, screen: &str) -> &Self {
        self.system().device.launch_screen(package, screen);
        assert_eq!(self.front(), package);
        self
    }

    pub fn front(&self) -> String {
        self.system().device.focus().map(|focus| focus.package).unwrap_or_default()
    }

    pub fn route(&self) -> Route<'_> {
        Route {
            device: &self.phone,
            package: RELEASE_PACKAGE,
            host_version: env!("CARGO_PKG_VERSION"),
            link: None,
            evidence: None,
            stop: &self.stop,
        }
    }

    /// Does an action, read as a model would have sent it.
    pub fn perform(&self, action: &Value, screen: Option<&ScreenSnapshot>) -> Done {
        let read = normalise(action);
        let route = self.route();
        let hand = clawperator_pocket::device::Hand::new(&route);
        hand.perform(&read.action, &read.notes, screen).expect("an action of the phone")
    }
}

impl Deref for Phone {
    type Target = Overheard;

    fn deref(&self) -> &Overheard {
        &self.phone
    }
}

pub fn options() -> Options {
    Options { latency: Latency::default(), lock: Lock::Swipe, ..Options::real().unwrap() }
}
