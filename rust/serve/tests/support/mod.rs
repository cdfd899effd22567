//! Simulated phones in this process, any number of them, at a desk.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use clawperator_adb::{Listed, State};
use clawperator_contract::{ErrorCode, Execution, Failure};
use clawperator_embedded::EmbeddedPhone;
use clawperator_host::device::Device;
use clawperator_host::flight::Flight;
use clawperator_serve::desk::{DEFAULT_WAITING, Desk, Order, Phones, Sendings, Setup};
use clawperator_simphone::device::{Latency, Options};
use clawperator_simphone::system::{OperatorPackage, RELEASE_PACKAGE};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Phones that outlive desks, as real ones do. Copies are the same phones.
#[derive(Clone)]
pub struct Sims {
    phones: Arc<BTreeMap<String, Arc<EmbeddedPhone>>>,
    /// Is another process using them?
    pub held: Arc<Mutex<bool>>,
}

impl Sims {
    pub fn new(serials: &[&str]) -> Self {
        let named = |serial: &&str| {
            let options = Options { latency: Latency::default(), ..Options::real().unwrap() };
            let phone = EmbeddedPhone::boot(options, vec![OperatorPackage::current()]).unwrap();
            ((*serial).to_owned(), Arc::new(phone.named(serial)))
        };
        Self { phones: Arc::new(serials.iter().map(named).collect()), held: Arc::default() }
    }
}

impl Phones for Sims {
    fn list(&self) -> Result<Vec<Listed>, Failure> {
        let listed = |serial: &String| Listed {
            serial: serial.clone(),
            state: State::Device,
            product: None,
            model: Some("Sim_Phone".into()),
            device: None,
            transport_id: None,
        };
        Ok(self.phones.keys().map(listed).collect())
    }

    fn only(&self) -> Result<String, Failure> {
        let mut serials = self.phones.keys();
        match (serials.next(), serials.next()) {
            (Some(only), None) => Ok(only.clone()),
            _ => Err(Failure::new(ErrorCode::MultipleDevicesDeviceIdRequired, "say which one")),
        }
    }

    fn open(&self, serial: &str) -> Result<Arc<dyn Device>, Failure> {
        let phone = self.phones.get(serial).cloned();
        phone.map(|phone| phone as Arc<dyn Device>).ok_or_else(|| {
            Failure::new(ErrorCode::DeviceNotFound, format!("no phone {serial} is connected"))
        })
    }

    fn claim(&self, _serial: &str, _command_id: &str) -> Result<Option<Flight>, Failure> {
        if *self.held.lock().unwrap() {
            let code = ErrorCode::ExecutionConflictInFlight;
            return Err(Failure::new(code, "another process runs an execution"));
        }
        Ok(None)
    }
}

pub fn setup(sims: &Sims) -> Setup {
    Setup {
        phones: Box::new(sims.clone()),
        package: RELEASE_PACKAGE.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        link: None,
        waiting: DEFAULT_WAITING,
        sendings: None,
        noted: Box::new(|_, _, _, _| {}),
    }
}

/// A desk at new phones.
pub fn desk(serials: &[&str]) -> Desk {
    Desk::new(setup(&Sims::new(serials)))
}

pub fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("serve-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

pub fn sendings(folder: &std::path::Path) -> Option<Sendings> {
    Some(Sendings::open(folder).unwrap())
}

pub fn payload(command_id: &str, actions: &Value) -> Value {
    json!({
        "commandId": command_id, "taskId": "t", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30000, "actions": actions,
    })
}

pub fn home(command_id: &str) -> Value {
    payload(command_id, &json!([{"id": "h", "type": "press_key", "params": {"key": "home"}}]))
}

/// Runs until it is stopped; its first step tells that it runs.
pub fn endless(command_id: &str) -> Value {
    let home = json!({"id": "h", "type": "press_key", "params": {"key": "home"}});
    let sleep = json!({"id": "s", "type": "sleep", "params": {"durationMs": 25000}});
    payload(command_id, &json!([home, sleep]))
}

pub fn order(device: &str, client: &str, payload: Value) -> Order {
    Order {
        execution: Execution::from_value(payload).unwrap(),
        device: device.into(),
        package: None,
        client: client.into(),
        dispatch_id: None,
        wait: Duration::ZERO,
    }
}
