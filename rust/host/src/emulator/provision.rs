//! One emulator that is ready, with as little work as possible.

use super::avd::ConfiguredAvd;
use super::lifecycle::{Start, Started};
use super::sdk::Tool;
use super::{Create, Emulators, running};
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;

/// What to do where no emulator is ready.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provision {
    /// The virtual device to take first, when there is a choice.
    pub preferred: Option<String>,
    /// How to start one.
    pub start: Start,
    /// What to create where there is none that would do.
    pub create: Create,
}

/// The answer to `provision emulator`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Provisioned {
    /// Always `emulator`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Which virtual device, where it tells.
    pub avd_name: Option<String>,
    /// What names it on adb.
    pub serial: String,
    /// Always true.
    pub booted: bool,
    /// Was it created now?
    pub created: bool,
    /// Was it started now?
    pub started: bool,
    /// Was it there before?
    pub reused: bool,
    /// Where the output of an emulator is that was started now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_file: Option<PathBuf>,
}

impl Emulators<'_> {
    /// Takes an emulator that runs, or starts one that there is, or creates one.
    pub fn provision(&self, wanted: &Provision) -> Result<Provisioned, Failure> {
        let preferred = wanted.preferred.as_deref();
        // What already runs needs no tool of the SDK.
        let mut running = running::all(self.phones, &self.host_abi)?;
        running.retain(|one| one.supported);
        running.sort_by_key(|one| preferred.is_none() || one.avd_name.as_deref() != preferred);
        if let Some(one) = running.into_iter().next() {
            let name = one.avd_name.as_deref().unwrap_or("an emulator");
            if !one.booted {
                self.boot(name, &one.serial, None)?;
            }
            return Ok(Provisioned {
                kind: one.kind,
                avd_name: one.avd_name,
                serial: one.serial,
                booted: true,
                created: false,
                started: false,
                reused: true,
                log_file: None,
            });
        }

        let avds = self.list()?.avds;
        if let Some(avd) = candidate(&avds, preferred)? {
            let started = self.start(&avd.name, &wanted.start)?;
            return Ok(provisioned(started, false));
        }
        let mut create = wanted.create.clone();
        if let Some(name) = preferred {
            name.clone_into(&mut create.name);
        }
        if let Some(avd) = avds.iter().find(|avd| avd.name == create.name)
            && !create.force
        {
            return Err(unsupported(avd));
        }
        // Before gigabytes are loaded for an emulator that then cannot be started.
        self.sdk.need(&[Tool::SdkManager, Tool::AvdManager, Tool::Emulator])?;
        let avd = self.create(&create)?;
        Ok(provisioned(self.start(&avd.name, &wanted.start)?, true))
    }
}

/// The virtual device to start: the preferred one, or the first that would do.
fn candidate<'a>(
    avds: &'a [ConfiguredAvd],
    preferred: Option<&str>,
) -> Result<Option<&'a ConfiguredAvd>, Failure> {
    match avds.iter().find(|avd| Some(&*avd.name) == preferred) {
        Some(avd) if !avd.supported => Err(unsupported(avd)),
        Some(avd) => Ok(Some(avd)),
        None => Ok(avds.iter().find(|avd| avd.supported)),
    }
}

fn unsupported(avd: &ConfiguredAvd) -> Failure {
    let reasons = json!(avd.unsupported_reasons);
    let words: Vec<&str> =
        reasons.as_array().into_iter().flatten().filter_map(|it| it.as_str()).collect();
    let message = format!(
        "the operator does not run on the virtual device {}: {} (API level {}, {})",
        avd.name,
        words.join(", "),
        avd.api_level.map_or("unknown".to_owned(), |level| level.to_string()),
        avd.abi.as_deref().unwrap_or("unknown processor"),
    );
    let hint = format!(
        "choose another --name, or replace it with `clawperator emulator create --name {} --force`",
        avd.name
    );
    Failure::new(ErrorCode::EmulatorUnsupported, message)
        .detail("avdName", avd.name.as_str())
        .detail("unsupportedReasons", reasons)
        .hint(hint)
}

fn provisioned(started: Started, created: bool) -> Provisioned {
    Provisioned {
        kind: started.kind,
        avd_name: Some(started.avd_name),
        serial: started.serial,
        booted: started.booted,
        created,
        started: true,
        reused: !created,
        log_file: Some(started.log_file),
    }
}
