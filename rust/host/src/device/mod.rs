//! A phone as the host sees it: something with a shell, files and the operator's socket.
//!
//! There are two: a phone behind an adb server ([`AdbDevice`]), and whatever the program embeds.

mod adb;
mod choose;

pub use adb::AdbDevice;
pub use choose::{choose, list};

use clawperator_adb::AdbError;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_link::socket::Transport;
use std::io::{Read, Write};
use std::time::Duration;

/// What a command on the phone printed, and how it ended.
pub use clawperator_adb::Output;

/// A stream to the phone that is read with a time limit.
pub type Reader = Box<dyn Transport>;
/// A stream to the phone that is written.
pub type Writer = Box<dyn Write + Send>;

/// A phone.
pub trait Device: Send + Sync {
    /// What names it on the command line and in answers.
    fn serial(&self) -> &str;

    /// Runs a line in the phone's shell and waits for its end. Any exit code is an answer.
    fn shell(&self, line: &str, within: Duration) -> Result<Output, Failure>;

    /// The same with something to read on its input, such as an APK.
    fn shell_with_input(
        &self,
        line: &str,
        input: &mut (dyn Read + Send),
        within: Duration,
    ) -> Result<Output, Failure>;

    /// Runs a line whose output is read while it runs, such as `logcat`.
    fn follow(&self, line: &str, within: Duration) -> Result<Reader, Failure>;

    /// Opens an abstract socket of the phone.
    fn connect(&self, socket: &str, within: Duration) -> Result<(Reader, Writer), Unreachable>;

    /// Copies a file of the phone; answers with its size.
    fn pull(&self, path: &str, into: &mut dyn Write, within: Duration) -> Result<u64, Failure>;

    /// After a connection was lost: brings back what can be brought back, and waits for the phone.
    fn recover(&self, within: Duration) -> Result<(), Failure>;
}

/// Why a socket of the phone could not be opened.
#[derive(Debug)]
pub enum Unreachable {
    /// The phone is there, but nobody listens at that name.
    NobodyListens,
    /// The phone itself cannot be reached.
    Phone(Failure),
}

/// A failure of adb, as every surface shows it.
#[must_use]
pub fn failure(error: &AdbError) -> Failure {
    let code = match error {
        AdbError::ProgramNotFound { .. } => ErrorCode::AdbNotFound,
        AdbError::ServerFailed { .. } | AdbError::ServerDied { .. } | AdbError::Nonsense { .. } => {
            ErrorCode::AdbServerFailed
        }
        AdbError::DeviceNotFound { .. } => ErrorCode::DeviceNotFound,
        AdbError::DeviceOffline { .. } => ErrorCode::DeviceOffline,
        AdbError::DeviceUnauthorized { .. } => ErrorCode::DeviceUnauthorized,
        AdbError::NoPermissions { .. } => ErrorCode::AdbNoUsbPermissions,
        AdbError::Refused { .. } | AdbError::RemoteFile { .. } | AdbError::TimedOut { .. } => {
            ErrorCode::DeviceShellUnavailable
        }
        AdbError::LocalFile { .. } => ErrorCode::OutputUnwritable,
    };
    Failure::new(code, error.to_string()).hint(code.remedy())
}
