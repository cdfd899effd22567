//! `sim`: simulated phones on ports of this computer, until they are stopped.

use crate::args::sim::{LockKind, Sim};
use crate::embedded::installed;
use crate::output::Format;
use clawperator_adbd::Auth;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_simphone::chaos::Faults;
use clawperator_simphone::device::{Latency, Lock, Metrics, Options};
use clawperator_simphone::system::{DEV_PACKAGE, Identity, OperatorPackage, RELEASE_PACKAGE};
use clawperator_simphone::{SimulatedPhone, clock};
use serde_json::json;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;

pub(crate) fn run(args: &Sim, format: Format) -> ExitCode {
    let phones = match boot_all(args) {
        Ok(phones) => phones,
        Err(failure) => return format.failure(&failure),
    };
    for phone in &phones {
        let serial = phone.serial();
        let line = match format {
            Format::Compact => json!({
                "serial": serial,
                "model": phone.system().property("ro.product.model"),
                "api": phone.system().property("ro.build.version.sdk"),
            })
            .to_string(),
            Format::Pretty | Format::Human => format!("{serial} is up: adb connect {serial}"),
        };
        // Whoever started us may not read along.
        let _ = writeln!(io::stdout(), "{line}").and_then(|()| io::stdout().flush());
    }
    // The phones live on threads of their own; this one only keeps them.
    loop {
        std::thread::park();
    }
}

fn boot_all(args: &Sim) -> Result<Vec<SimulatedPhone>, Failure> {
    let options = options(args)?;
    (0..args.count)
        .map(|number| {
            let port = match args.port {
                0 => 0,
                first => first.checked_add(number).ok_or_else(|| {
                    let message =
                        format!("{} phones from port {first} on are too many", args.count);
                    Failure::new(ErrorCode::Usage, message)
                })?,
            };
            let identity =
                Identity { serial: format!("SIM{:04}", number + 1), ..Identity::default() };
            // A clock of its own, so that no phone waits for another's lock.
            let own = Options {
                clock: clock::SimClock::real(),
                seed: options.seed + u64::from(number),
                ..options.clone()
            };
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            let phone = SimulatedPhone::boot(address, own, &identity, operators(args), auth(args))
                .map_err(|error| Failure::new(ErrorCode::SimulatorFailed, error.to_string()))?;
            if let Some(bytes) = args.cut_after {
                phone.server().cut_after(bytes);
            }
            Ok(phone)
        })
        .collect()
}

fn options(args: &Sim) -> Result<Options, Failure> {
    let apps = installed(args.apps.as_deref(), args.screens.as_deref())?;
    let (width, height) = args.size;
    Ok(Options {
        clock: clock::SimClock::real(),
        metrics: Metrics { width, height, dpi: args.density },
        apps,
        latency: if args.instant { Latency::default() } else { Latency::phone() },
        faults: Faults { killed_after: args.kill_service_after, ..faults(&args.faults)? },
        seed: args.seed,
        lock: match args.lock {
            LockKind::None => Lock::None,
            LockKind::Swipe => Lock::Swipe,
            LockKind::Secure => Lock::Secure,
        },
    })
}

fn faults(given: &[(String, f64)]) -> Result<Faults, Failure> {
    let mut faults = Faults::default();
    for (name, probability) in given {
        let place = match name.replace('-', "_").as_str() {
            "all" => {
                faults = Faults::all(*probability);
                continue;
            }
            "late_nodes" => &mut faults.late_nodes,
            "vanishing_nodes" => &mut faults.vanishing_nodes,
            "refused_gestures" => &mut faults.refused_gestures,
            "cancelled_gestures" => &mut faults.cancelled_gestures,
            "stale_trees" => &mut faults.stale_trees,
            "dropped_events" => &mut faults.dropped_events,
            "slow_captures" => &mut faults.slow_captures,
            other => {
                let message = format!("there is no fault \"{other}\"");
                return Err(Failure::new(ErrorCode::Usage, message).hint(
                    "faults: late_nodes, vanishing_nodes, refused_gestures, cancelled_gestures, \
                     stale_trees, dropped_events, slow_captures, all",
                ));
            }
        };
        *place = *probability;
    }
    Ok(faults)
}

fn operators(args: &Sim) -> Vec<OperatorPackage> {
    if args.operator == "none" {
        return Vec::new();
    }
    let package = if args.dev_operator { DEV_PACKAGE } else { RELEASE_PACKAGE };
    vec![OperatorPackage {
        package: package.to_owned(),
        version: args.operator.clone(),
        enabled: !args.service_off,
        ..OperatorPackage::current()
    }]
}

fn auth(args: &Sim) -> Auth {
    if !args.auth {
        return Auth::NoAuth;
    }
    Auth::AcceptKeys {
        known: Vec::new(),
        on_new_key: Box::new(|key| {
            let _ = writeln!(io::stderr(), "accepted the key of {}", key.name());
            true
        }),
    }
}
