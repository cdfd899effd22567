//! A simulated phone as the host sees it, without adb between them.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use clawperator_apk::writer::{signed, tag, xml, zip};
use clawperator_contract::envelope::StepResult;
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure};
use clawperator_embedded::Overheard;
use clawperator_host::device::{Device, Output, Reader, Unreachable, Writer};
use clawperator_link::socket::{Caller, HostSession};
use clawperator_simphone::device::{Lock, Options};
use clawperator_simphone::system::{Namespace, OperatorPackage, RELEASE_PACKAGE};
use std::io::{Read, Write, empty};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

pub const VERSION: &str = env!("CARGO_PKG_VERSION");
pub const SERVICES: &str = "enabled_accessibility_services";
pub const SWITCH: &str = "accessibility_enabled";

/// A phone, and what a test lets go wrong with it.
pub struct Phone {
    phone: Overheard,
    /// The operator crashed: nobody listens until its service has been off.
    pub crashed: Mutex<bool>,
    pub greeted: AtomicUsize,
}

impl Phone {
    /// With the operator, enabled.
    pub fn healthy() -> Self {
        Self::with(vec![OperatorPackage::current()], Lock::Swipe)
    }

    /// With the operator, its service off.
    pub fn service_off() -> Self {
        Self::with(
            vec![OperatorPackage { enabled: false, ..OperatorPackage::current() }],
            Lock::Swipe,
        )
    }

    pub fn bare() -> Self {
        Self::with(Vec::new(), Lock::Swipe)
    }

    pub fn with(operators: Vec<OperatorPackage>, lock: Lock) -> Self {
        static READ: LazyLock<Options> = LazyLock::new(|| Options::real().unwrap());
        let clock = clawperator_simphone::clock::SimClock::real();
        let options = Options { clock, lock, ..READ.clone() };
        Self {
            phone: Overheard::boot(options, operators).unwrap(),
            crashed: Mutex::new(false),
            greeted: AtomicUsize::new(0),
        }
    }

    pub fn setting(&self, key: &str) -> String {
        self.system().settings.get(Namespace::Secure, key).unwrap_or_default()
    }

    pub fn put(&self, namespace: Namespace, key: &str, value: &str) {
        self.system().put_setting(namespace, key, Some(value));
    }

    pub fn crash(&self) {
        *self.crashed.lock().unwrap() = true;
    }
}

impl Deref for Phone {
    type Target = Overheard;

    fn deref(&self) -> &Overheard {
        &self.phone
    }
}

impl Device for Phone {
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
        let output = self.phone.shell_with_input(line, input, within);
        if !self.system().service_enabled(RELEASE_PACKAGE) {
            *self.crashed.lock().unwrap() = false;
        }
        output
    }

    fn follow(&self, line: &str, within: Duration) -> Result<Reader, Failure> {
        self.phone.follow(line, within)
    }

    fn connect(&self, socket: &str, within: Duration) -> Result<(Reader, Writer), Unreachable> {
        self.greeted.fetch_add(1, Ordering::Relaxed);
        if *self.crashed.lock().unwrap() {
            return Err(Unreachable::NobodyListens);
        }
        self.phone.connect(socket, within)
    }

    fn pull(&self, path: &str, into: &mut dyn Write, within: Duration) -> Result<u64, Failure> {
        self.phone.pull(path, into, within)
    }

    fn recover(&self, within: Duration) -> Result<(), Failure> {
        self.phone.recover(within)
    }
}

/// Runs an execution at an operator, as a dispatcher does.
pub fn run(device: &dyn Device, package: &str, execution: &Execution) -> Result<Envelope, Failure> {
    struct Nothing;
    impl Caller for Nothing {
        fn step_ended(&mut self, _: usize, _: &StepResult, _: Option<Vec<u8>>) {}
        fn host_call(&mut self, call: HostCall) -> HostAnswer {
            HostAnswer::Failed { code: "UNKNOWN".into(), message: format!("{call:?}") }
        }
    }
    let failed = |why: String| Failure::new(ErrorCode::LinkUnavailable, why);
    let within = Duration::from_secs(60);
    let (reader, writer) =
        device.connect(package, within).map_err(|error| failed(format!("{error:?}")))?;
    let mut session = HostSession::new(reader, writer, VERSION);
    let done = session.dispatch("1", execution, within, &mut Nothing);
    done.map(|done| done.envelope).map_err(|error| failed(error.to_string()))
}

/// An operator's APK, signed.
pub fn operator_apk(package: &'static str, version: &'static str, code: u32) -> Vec<u8> {
    signed(&unsigned_apk(package, version, code), &[0x7109_871a])
}

pub fn unsigned_apk(package: &'static str, version: &'static str, code: u32) -> Vec<u8> {
    let service = tag("service")
        .text("name", "com.clawperator.operator.OperatorService")
        .text("permission", "android.permission.BIND_ACCESSIBILITY_SERVICE");
    apk_with(package, version, code, service)
}

/// With this in its application.
pub fn apk_with(
    package: &'static str,
    version: &'static str,
    code: u32,
    inside: clawperator_apk::writer::Tag,
) -> Vec<u8> {
    let manifest = tag("manifest")
        .attr("versionCode", 0x10, code)
        .text("versionName", version)
        .plain("package", package)
        .has(tag("uses-sdk").attr("minSdkVersion", 0x10, 26).attr("targetSdkVersion", 0x10, 35))
        .has(tag("application").text("label", "Operator").has(inside));
    zip(&[("AndroidManifest.xml", xml(&manifest, true))], true)
}

/// A file that is gone when the test is over.
pub struct File(pub PathBuf);

impl File {
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
