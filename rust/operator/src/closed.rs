//! A station for tests.

use clawperator_link::station::{Courier, DispatchState, Identity, Station, Taken};
use std::time::Duration;

/// A station that takes nothing, for tests of what is around one.
#[derive(Debug)]
pub(crate) struct Closed;

impl Station for Closed {
    fn identity(&self) -> Identity {
        Identity {
            app_version: "1".into(),
            package: "test".into(),
            boot_id: "b".into(),
            service_running: false,
            uptime: Duration::ZERO,
        }
    }

    fn submit(&self, _: Option<&str>, _: Vec<u8>, _: Box<dyn Courier>) -> Taken {
        Taken::Closed
    }

    fn outcome(&self, _: &str, _: Duration) -> DispatchState {
        DispatchState::Unknown
    }

    fn cancel(&self, _: &str) {}
}
