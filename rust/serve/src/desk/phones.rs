//! Where the desk gets its phones from.

use clawperator_adb::Listed;
use clawperator_contract::Failure;
use clawperator_host::device::Device;
use clawperator_host::flight::Flight;
use std::sync::Arc;
use std::time::Duration;

/// The phones of a program: those of an adb server, and whatever it embeds.
///
/// Every call may block, so none is made on a thread that serves connections.
pub trait Phones: Send + Sync + 'static {
    /// All of them, usable or not.
    fn list(&self) -> Result<Vec<Listed>, Failure>;

    /// The one that is meant when none is named.
    fn only(&self) -> Result<String, Failure>;

    /// This one. A name is believed until the phone is asked for something.
    fn open(&self, serial: &str) -> Result<Arc<dyn Device>, Failure>;

    /// This one alone, or [`clawperator_contract::ErrorCode::ExecutionConflictInFlight`] at once;
    /// `None` where nobody else can reach it.
    fn claim(&self, serial: &str, command_id: &str) -> Result<Option<Flight>, Failure>;

    /// Calls back with the list each time it changes, and with `None` now and then while it does
    /// not, until that answers `false`. The default is for phones that never change.
    fn follow(&self, changed: &mut dyn FnMut(Option<Vec<Listed>>) -> bool) -> Result<(), Failure> {
        let _ = changed;
        Ok(())
    }
}

/// How often a phone that another process holds is asked for again.
pub(super) const TURN: Duration = Duration::from_millis(50);
