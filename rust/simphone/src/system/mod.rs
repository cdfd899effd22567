//! The phone around its screen: files, log, settings, packages, and the operator inside.

mod operator;
mod settings;

pub use operator::{DEV_PACKAGE, OperatorPackage, RELEASE_PACKAGE, SERVICE_CLASS};
pub use settings::{Namespace, Settings};

use crate::device::{Device, Options};
use crate::logcat::{Level, Logcat};
use crate::{app::AppError, picture};
use clawperator_adbd::MemoryFiles;
use clawperator_runtime::phone::Clock;
use operator::Operators;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes the phone's storage holds. Pushes and screenshots of a test run, not of a life.
const STORAGE_BYTES: u64 = 64 << 20;

/// Everything a phone is. Shell commands, adb services and the operator all hold it.
pub struct System {
    /// What is on the screen, and what comes of touching it.
    pub device: Device,
    /// Its files.
    pub files: MemoryFiles,
    /// Its log.
    pub logcat: Arc<Logcat>,
    /// Its settings.
    pub settings: Settings,
    /// Its properties.
    properties: BTreeMap<String, String>,
    /// Permissions granted by name, as `package permission`.
    grants: Mutex<Vec<(String, String)>>,
    operators: Operators,
}

/// What a phone is told apart by.
#[derive(Clone, Debug)]
pub struct Identity {
    /// `ro.serialno`.
    pub serial: String,
    /// `ro.product.model`.
    pub model: String,
    /// Android's API level.
    pub api: u32,
}

impl Default for Identity {
    fn default() -> Self {
        Self { serial: "SIM0001".into(), model: "Simphone".into(), api: 35 }
    }
}

impl System {
    /// Switches a phone on, with the operator packages it comes with.
    pub fn boot(
        options: Options,
        identity: &Identity,
        operators: Vec<OperatorPackage>,
    ) -> Result<Arc<Self>, AppError> {
        let seed = options.seed;
        let device = Device::new(options)?;
        device.set_camera(Box::new(|screen| {
            picture::render(screen, &picture::Style::default()).png()
        }));
        let system = Arc::new(Self {
            files: MemoryFiles::new(STORAGE_BYTES),
            logcat: Arc::new(Logcat::default()),
            settings: Settings::default(),
            properties: properties(identity, &device),
            grants: Mutex::new(Vec::new()),
            operators: Operators::new(seed),
            device,
        });
        for folder in ["/sdcard/Download", "/data/local/tmp"] {
            // A fresh storage has room for two folders.
            let _ = system.files.make_directory(folder, 0o771, 0);
        }
        for operator in operators {
            system.install_operator(operator);
        }
        Ok(system)
    }

    /// A property; empty where there is none, as `getprop` says it.
    #[must_use]
    pub fn property(&self, name: &str) -> &str {
        self.properties.get(name).map_or("", String::as_str)
    }

    /// Every property.
    #[must_use]
    pub fn properties(&self) -> &BTreeMap<String, String> {
        &self.properties
    }

    /// Grants a permission to a package.
    pub fn grant(&self, package: &str, permission: &str) {
        lock(&self.grants).push((package.to_owned(), permission.to_owned()));
    }

    /// Permissions granted to a package.
    #[must_use]
    pub fn granted(&self, package: &str) -> Vec<String> {
        let grants = lock(&self.grants);
        grants.iter().filter(|(own, _)| own == package).map(|(_, name)| name.clone()).collect()
    }

    /// Writes to the log.
    pub fn log(&self, level: Level, tag: &str, message: &str) {
        self.logcat.write(self.device.clock().epoch_ms(), 1_000, level, tag, message);
    }

    /// Changes a setting, with all that hangs on it.
    pub fn put_setting(&self, namespace: Namespace, key: &str, value: Option<&str>) {
        self.settings.put(namespace, key, value);
        self.accessibility_changed();
    }

    /// Ends everything: the phone is switched off.
    pub fn shut_down(&self) {
        self.operators.stop_all();
        self.logcat.close();
    }
}

fn properties(identity: &Identity, device: &Device) -> BTreeMap<String, String> {
    let metrics = device.metrics();
    let release = identity.api.saturating_sub(20).to_string();
    let name = identity.model.to_lowercase().replace(' ', "_");
    [
        ("ro.serialno", identity.serial.clone()),
        ("ro.product.model", identity.model.clone()),
        ("ro.product.name", name.clone()),
        ("ro.product.device", name),
        ("ro.product.brand", "clawperator".into()),
        ("ro.product.manufacturer", "Clawperator".into()),
        ("ro.product.cpu.abi", "arm64-v8a".into()),
        ("ro.product.cpu.abilist", "arm64-v8a".into()),
        ("ro.build.version.sdk", identity.api.to_string()),
        ("ro.build.version.release", release),
        ("ro.build.characteristics", "default".into()),
        ("ro.debuggable", "1".into()),
        ("ro.sf.lcd_density", metrics.dpi.to_string()),
        ("ro.boot.qemu", "0".into()),
        ("sys.boot_completed", "1".into()),
        ("dev.bootcomplete", "1".into()),
        ("persist.sys.locale", "en-US".into()),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), value))
    .collect()
}

/// A thread that panicked left what is behind these locks whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
