//! The phones of a server: adb's and the one inside this process, or simulated ones alone.

use crate::args::Globals;
use crate::embedded;
use crate::reach;
use clawperator_adb::{AdbError, Deadline, Listed, Server, State};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_embedded::{EmbeddedPhone, NAME};
use clawperator_host::device::{self, AdbDevice, Device};
use clawperator_host::flight::{self, Flight};
use clawperator_serve::desk::Phones;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The adb server answers at once, or is started.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long it is listened to before somebody is asked whether to go on.
const LISTEN: Duration = Duration::from_millis(500);

/// The phones of a server.
pub(crate) struct Fleet {
    /// The phone that is meant where none is named.
    usual: Option<String>,
    adb: Option<PathBuf>,
    /// Simulated phones instead of adb's.
    sims: Vec<String>,
    /// Those inside this process that were asked for. They stay as they are left.
    booted: Mutex<BTreeMap<String, Arc<EmbeddedPhone>>>,
}

impl Fleet {
    pub(crate) fn new(globals: &Globals, sims: Option<u16>) -> Self {
        let sims = (1..=sims.unwrap_or(0)).map(|number| format!("sim-{number}")).collect();
        Self {
            usual: globals.named_device(),
            adb: globals.adb.clone(),
            sims,
            booted: Mutex::default(),
        }
    }

    /// Only the phone that is meant, where it is the one inside this process: nothing else is
    /// listed then, and no adb is needed.
    pub(crate) fn of_one_client(globals: &Globals) -> Self {
        let mut fleet = Self::new(globals, None);
        if globals.is_embedded() {
            fleet.sims.push(NAME.to_owned());
        }
        fleet
    }

    fn server(&self) -> Result<Server, Failure> {
        reach::server(self.adb.as_deref())
    }

    fn is_inside(&self, serial: &str) -> bool {
        serial == NAME || self.sims.iter().any(|sim| sim == serial)
    }

    fn inside(&self, serial: &str) -> Result<Arc<EmbeddedPhone>, Failure> {
        // Booting takes milliseconds, and two must not boot the same.
        let mut booted = self.booted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(phone) = booted.get(serial) {
            return Ok(Arc::clone(phone));
        }
        let phone = Arc::new(embedded::boot()?.named(serial));
        booted.insert(serial.to_owned(), Arc::clone(&phone));
        Ok(phone)
    }
}

impl Phones for Fleet {
    fn list(&self) -> Result<Vec<Listed>, Failure> {
        if self.sims.is_empty() {
            return device::list(&self.server()?);
        }
        let listed = |serial: &String| Listed {
            serial: serial.clone(),
            state: State::Device,
            product: None,
            model: Some("Sim_Phone".into()),
            device: None,
            transport_id: None,
        };
        Ok(self.sims.iter().map(listed).collect())
    }

    fn only(&self) -> Result<String, Failure> {
        match (&self.usual, self.sims.as_slice()) {
            (Some(usual), _) => Ok(usual.clone()),
            (None, []) => device::choose(&self.server()?, None),
            (None, [only]) => Ok(only.clone()),
            (None, several) => {
                let code = ErrorCode::MultipleDevicesDeviceIdRequired;
                let message = format!("{} phones are there; say which one", several.len());
                Err(Failure::new(code, message)
                    .detail("devices", json!(several))
                    .hint("give one of them as deviceId"))
            }
        }
    }

    fn open(&self, serial: &str) -> Result<Arc<dyn Device>, Failure> {
        if self.is_inside(serial) {
            return Ok(self.inside(serial)?);
        }
        if !self.sims.is_empty() {
            let code = ErrorCode::DeviceNotFound;
            let message = format!("no phone {serial:?} is here");
            return Err(Failure::new(code, message).detail("connected", json!(self.sims)));
        }
        Ok(Arc::new(AdbDevice::new(self.server()?.device(serial))))
    }

    fn claim(&self, serial: &str, command_id: &str) -> Result<Option<Flight>, Failure> {
        if self.is_inside(serial) || !self.sims.is_empty() {
            // Nobody else can reach a phone inside this process.
            return Ok(None);
        }
        flight::claim(&flight::folder(), serial, command_id, Duration::ZERO).map(Some)
    }

    fn follow(&self, changed: &mut dyn FnMut(Option<Vec<Listed>>) -> bool) -> Result<(), Failure> {
        if !self.sims.is_empty() {
            return Ok(());
        }
        let tracked = self.server()?.track(Deadline::after(PATIENCE));
        let mut tracker = tracked.map_err(|error| device::failure(&error))?;
        loop {
            let news = match tracker.next(Deadline::after(LISTEN)) {
                Ok(listed) => Some(listed),
                Err(AdbError::TimedOut { .. }) => None,
                Err(error) => return Err(device::failure(&error)),
            };
            if !changed(news) {
                return Ok(());
            }
        }
    }
}
