//! A phone for tests: it remembers what its shell was told, and answers what a test wants.

use crate::EmbeddedPhone;
use clawperator_contract::Failure;
use clawperator_host::device::{Device, Output, Reader, Unreachable, Writer};
use clawperator_simphone::device::Options;
use clawperator_simphone::system::{OperatorPackage, System};
use std::io::{Read, Write, empty};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A phone whose shell is listened to.
pub struct Overheard {
    phone: EmbeddedPhone,
    heard: Mutex<Vec<String>>,
    instead: Mutex<Vec<(&'static str, Output)>>,
}

impl Overheard {
    /// Switches one on that has these operators.
    pub fn boot(options: Options, operators: Vec<OperatorPackage>) -> Result<Self, Failure> {
        let phone = EmbeddedPhone::boot(options, operators)?;
        Ok(Self { phone, heard: Mutex::default(), instead: Mutex::default() })
    }

    /// The phone from within.
    #[must_use]
    pub fn system(&self) -> &Arc<System> {
        self.phone.system()
    }

    /// From now on lines with this in them are answered like this and reach nobody. What was said last
    /// counts.
    pub fn answer(&self, part: &'static str, text: &str, code: u8) {
        let output = Output { stdout: text.into(), stderr: Vec::new(), code };
        locked(&self.instead).insert(0, (part, output));
    }

    /// Every line its shell was told, in order.
    #[must_use]
    pub fn heard(&self) -> Vec<String> {
        locked(&self.heard).clone()
    }

    /// Was its shell told a line with this in it?
    #[must_use]
    pub fn was_told(&self, part: &str) -> bool {
        locked(&self.heard).iter().any(|line| line.contains(part))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Device for Overheard {
    fn serial(&self) -> &str {
        self.phone.serial()
    }

    fn shell(&self, line: &str, within: Duration) -> Result<Output, Failure> {
        self.shell_with_input(line, &mut empty(), within)
    }

    fn shell_with_input(
        &self,
        line: &str,
        input: &mut (dyn Read + Send),
        within: Duration,
    ) -> Result<Output, Failure> {
        locked(&self.heard).push(line.to_owned());
        let instead = locked(&self.instead);
        if let Some((_, output)) = instead.iter().find(|(part, _)| line.contains(part)) {
            return Ok(output.clone());
        }
        drop(instead);
        self.phone.shell_with_input(line, input, within)
    }

    fn follow(&self, line: &str, within: Duration) -> Result<Reader, Failure> {
        self.phone.follow(line, within)
    }

    fn connect(&self, socket: &str, within: Duration) -> Result<(Reader, Writer), Unreachable> {
        self.phone.connect(socket, within)
    }

    fn pull(&self, path: &str, into: &mut dyn Write, within: Duration) -> Result<u64, Failure> {
        self.phone.pull(path, into, within)
    }

    fn recover(&self, within: Duration) -> Result<(), Failure> {
        self.phone.recover(within)
    }
}
