//! What the doctor can mend by itself.

use super::Examination;
use super::bridge::Host;
use super::interactive::{self, Screen, WAKE};
use super::report::Fixed;
use super::round::Round;
use crate::device::Device;
use crate::operator::{ask, grant};
use clawperator_contract::{ErrorCode, Failure};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(15);
/// A lock screen slides away in a third of a second.
const WAKING: Duration = Duration::from_secs(3);
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(320);

/// One thing it can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repair {
    /// Start the adb server.
    StartServer,
    /// Switch the screen on and send an open lock away.
    Wake,
    /// Enable the operator's service, or start it again.
    Grant,
    /// Switch a global setting on.
    Setting(&'static str),
}

impl Repair {
    /// Does it, and tells what was done; whether it helped, the next look shows.
    pub(super) fn make(
        self,
        id: &'static str,
        examination: &Examination<'_>,
        round: &Round<'_>,
    ) -> Fixed {
        let device = round.device.as_ref().map(|held| held.device());
        let (action, done) = match (self, device) {
            (Self::StartServer, _) => {
                ("started the adb server".to_owned(), start(examination.host))
            }
            (Self::Wake, Some(device)) => ("woke the phone".to_owned(), wake(device)),
            (Self::Grant, Some(device)) => {
                let done = grant(device, round.package.as_deref());
                let action = "enabled the operator's accessibility service";
                match done {
                    Ok(granted) => (format!("{action}: {}", granted.message), Ok(())),
                    Err(failure) => (action.to_owned(), Err(failure)),
                }
            }
            (Self::Setting(key), Some(device)) => {
                (format!("set the global setting {key} to 1"), switch_on(device, key))
            }
            (_, None) => ("nothing".to_owned(), Err(no_phone())),
        };
        let action = if done.is_ok() { action } else { format!("tried: {action}") };
        Fixed { id, action, ok: false, error: done.err() }
    }
}

fn no_phone() -> Failure {
    Failure::new(ErrorCode::DoctorFailed, "there is no phone to mend")
}

fn start(host: Host<'_>) -> Result<(), Failure> {
    match host {
        Host::Adb(adb) => adb.start(),
        Host::Embedded(_) => Ok(()),
    }
}

/// Asks and looks until nothing stands in the way, a secret does, or the time is over.
fn wake(device: &dyn Device) -> Result<(), Failure> {
    let end = Instant::now() + WAKING;
    let mut pause = SHORTEST_PAUSE;
    let mut questions = interactive::questions();
    let asking =
        WAKE.iter().enumerate().map(|(index, line)| (format!("wake{index}"), (*line).to_owned()));
    questions.splice(..0, asking);
    loop {
        let screen = Screen::read(&ask(device, &questions, PATIENCE)?);
        let left = end.saturating_duration_since(Instant::now());
        if screen.is_ready() || screen.secure || left.is_zero() {
            return Ok(());
        }
        // Asked once; from now on only looked at.
        questions.retain(|(name, _)| !name.starts_with("wake"));
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

fn switch_on(device: &dyn Device, key: &str) -> Result<(), Failure> {
    let output = device.shell(&format!("settings put global {key} 1"), PATIENCE)?;
    if output.ok() && !output.said().contains("Exception") {
        return Ok(());
    }
    let code = ErrorCode::DeviceShellUnavailable;
    Err(Failure::new(code, format!("{key} could not be set: {}", output.said()))
        .hint(code.remedy()))
}
