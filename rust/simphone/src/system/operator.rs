//! The operator on the simulated phone: installed or not, enabled or not, alive or not.
//!
//! It is the same runtime behind the same links as in the app. It runs while its package is
//! installed, and its accessibility service runs while Android's settings say so.

use super::{Namespace, System, lock};
use crate::logcat::{Level, Logcat};
use crate::phone::SimPhone;
use clawperator_adbd::Files;
use clawperator_contract::operator;
pub use clawperator_contract::operator::{DEV_PACKAGE, RELEASE_PACKAGE, SERVICE_CLASS};
use clawperator_link::broadcast::Broadcast;
use clawperator_runtime::phone::Clock;
use clawperator_runtime::recording::{Recorder, RecordingFile, RecordingSink, SinkError};
use clawperator_station::{Log, Operator, Setup};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, Weak};

/// Process of the operator.
const OPERATOR_PID: u32 = 4_242;

/// An operator as it is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorPackage {
    /// Its package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// Its version as a number.
    pub version_code: u64,
    /// Is its accessibility service enabled from the start?
    pub enabled: bool,
}

impl OperatorPackage {
    /// The operator of this very version, enabled.
    #[must_use]
    pub fn current() -> Self {
        Self {
            package: RELEASE_PACKAGE.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            version_code: 1,
            enabled: true,
        }
    }
}

pub(super) struct Operators {
    installed: Mutex<Vec<(OperatorPackage, Option<Arc<Operator>>)>>,
    boots: Mutex<u64>,
    seed: u64,
}

impl Operators {
    pub(super) fn new(seed: u64) -> Self {
        Self { installed: Mutex::new(Vec::new()), boots: Mutex::new(0), seed }
    }

    pub(super) fn stop_all(&self) {
        let stopped = std::mem::take(&mut *lock(&self.installed));
        drop(stopped);
    }

    /// Numbers for seeds and boot ids: another one for every process.
    fn next_boot(&self) -> u64 {
        let mut boots = lock(&self.boots);
        *boots += 1;
        *boots
    }
}

impl System {
    /// Installs an operator, or replaces it. As on a phone, that ends its process.
    pub fn install_operator(self: &Arc<Self>, operator: OperatorPackage) {
        if operator.enabled {
            let own = operator::service_component(&operator.package);
            let others = self.settings.get(Namespace::Secure, ENABLED_SERVICES).unwrap_or_default();
            let all: Vec<_> = others
                .split(':')
                .filter(|one| !one.is_empty() && *one != own)
                .chain([&*own])
                .collect();
            self.settings.put(Namespace::Secure, "accessibility_enabled", Some("1"));
            self.settings.put(Namespace::Secure, ENABLED_SERVICES, Some(&all.join(":")));
        }
        let mut installed = lock(&self.operators.installed);
        installed.retain(|(other, _)| other.package != operator.package);
        installed.push((operator, None));
        drop(installed);
        self.accessibility_changed();
    }

    /// Removes an operator; says whether it was there.
    pub fn uninstall_operator(&self, package: &str) -> bool {
        let mut installed = lock(&self.operators.installed);
        let before = installed.len();
        installed.retain(|(other, _)| other.package != package);
        let removed = installed.len() < before;
        drop(installed);
        if removed {
            self.disable_service_of(package);
        }
        removed
    }

    /// The operators that are installed.
    #[must_use]
    pub fn operators(&self) -> Vec<OperatorPackage> {
        lock(&self.operators.installed).iter().map(|(operator, _)| operator.clone()).collect()
    }

    /// The process of an operator, started if it is not there: Android does the same for whoever
    /// sends it something.
    pub fn operator(self: &Arc<Self>, package: &str) -> Option<Arc<Operator>> {
        let mut installed = lock(&self.operators.installed);
        let (operator, process) =
            installed.iter_mut().find(|(operator, _)| operator.package == package)?;
        if process.is_none() {
            *process = self.start(operator).map(Arc::new).inspect_err(log_failure).ok();
        }
        let process = process.clone()?;
        drop(installed);
        process.set_service_running(self.service_enabled(package));
        Some(process)
    }

    /// Is this still the process of an operator, and not one that was killed?
    pub(crate) fn is_running(&self, operator: &Arc<Operator>) -> bool {
        let same = |process: &Arc<Operator>| Arc::ptr_eq(process, operator);
        lock(&self.operators.installed).iter().any(|(_, own)| own.as_ref().is_some_and(same))
    }

    /// Kills the operator's process; its memory of dispatches and its connections are gone.
    /// Android binds its service again by itself.
    pub fn kill_operator(&self, package: &str) {
        for (operator, process) in lock(&self.operators.installed).iter_mut() {
            if operator.package == package
                && let Some(process) = process.take()
            {
                process.kill();
            }
        }
    }

    /// Force-stops a package. An operator also loses its accessibility service, as on a phone.
    pub fn force_stop(&self, package: &str) {
        self.device.force_stop(package);
        if self.operators().iter().any(|operator| operator.package == package) {
            self.kill_operator(package);
            self.disable_service_of(package);
        }
    }

    /// Hands a broadcast to an operator; says whether there is one to take it.
    pub fn broadcast(self: &Arc<Self>, package: &str, broadcast: Broadcast) -> bool {
        let Some(operator) = self.operator(package) else { return false };
        let log: Arc<dyn Log> =
            Arc::new(PhoneLog { logcat: Arc::clone(&self.logcat), clock: self.device.clock() });
        operator.receive(broadcast, &log);
        true
    }

    /// Do the settings say that this operator's service runs?
    #[must_use]
    pub fn service_enabled(&self, package: &str) -> bool {
        let on = self.settings.get(Namespace::Secure, "accessibility_enabled");
        let services = self.settings.get(Namespace::Secure, ENABLED_SERVICES).unwrap_or_default();
        let ours = |component: &str| component.split('/').next() == Some(package);
        on.as_deref() == Some("1") && services.split(':').any(ours)
    }

    fn disable_service_of(&self, package: &str) {
        let services = self.settings.get(Namespace::Secure, ENABLED_SERVICES).unwrap_or_default();
        let others: Vec<_> =
            services.split(':').filter(|own| own.split('/').next() != Some(package)).collect();
        self.settings.put(Namespace::Secure, ENABLED_SERVICES, Some(&others.join(":")));
        self.accessibility_changed();
    }

    /// Brings the service in line with the settings.
    pub(super) fn accessibility_changed(&self) {
        let running = self.operators().iter().any(|own| self.service_enabled(&own.package));
        if self.device.service() != running {
            self.device.set_service(running);
        }
    }

    fn start(self: &Arc<Self>, operator: &OperatorPackage) -> io::Result<Operator> {
        let boot = self.operators.next_boot();
        let sink = Sink { system: Arc::downgrade(self), package: operator.package.clone() };
        let own = operator::PACKAGES.map(str::to_owned).to_vec();
        let recorder = Arc::new(Recorder::new(Box::new(sink), own, self.operators.seed ^ boot));
        self.device.record_into(Arc::clone(&recorder));
        let setup = Setup {
            app_version: operator.version.clone(),
            package: operator.package.clone(),
            boot_id: format!("{:x}-{boot}", self.operators.seed),
            recorder,
            seed: self.operators.seed ^ boot,
        };
        Operator::start(SimPhone::new(self.device.clone()), self.device.clock(), setup)
    }
}

const ENABLED_SERVICES: &str = "enabled_accessibility_services";

fn log_failure(error: &io::Error) {
    log::error!("the operator's process could not be started: {error}");
}

/// Lines of the operator in the phone's log.
struct PhoneLog {
    logcat: Arc<Logcat>,
    clock: crate::clock::SimClock,
}

impl Log for PhoneLog {
    fn line(&self, text: &str) {
        self.logcat.write(
            self.clock.epoch_ms(),
            OPERATOR_PID,
            Level::Info,
            operator::LOG_TAG,
            text,
        );
    }
}

/// Recordings go where the app would put them.
struct Sink {
    system: Weak<System>,
    package: String,
}

impl Sink {
    fn folder(&self) -> String {
        operator::recordings_folder(&self.package)
    }

    fn system(&self) -> io::Result<Arc<System>> {
        self.system.upgrade().ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl RecordingSink for Sink {
    fn create(&mut self, session_id: &str) -> Result<RecordingFile, SinkError> {
        let path = format!("{}/{session_id}.ndjson", self.folder());
        let writer =
            FileWriter { system: self.system.clone(), path: path.clone(), text: Vec::new() };
        Ok(RecordingFile { writer: Box::new(writer), path })
    }

    fn set_latest(&mut self, session_id: &str) -> io::Result<()> {
        let path = format!("{}/latest", self.folder());
        let system = self.system()?;
        write_file(&system, &path, session_id.as_bytes().to_vec())
    }
}

/// Writes a file of the phone as it grows.
struct FileWriter {
    system: Weak<System>,
    path: String,
    text: Vec<u8>,
}

impl Write for FileWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let system = self.system.upgrade().ok_or(io::ErrorKind::NotConnected)?;
        self.text.extend_from_slice(bytes);
        write_file(&system, &self.path, self.text.clone())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_file(system: &System, path: &str, content: Vec<u8>) -> io::Result<()> {
    let now = u32::try_from(system.device.clock().epoch_ms() / 1_000).unwrap_or(u32::MAX);
    system
        .files
        .write(path, 0o100_660, now, content)
        .map_err(|error| io::Error::other(error.to_string()))
}
