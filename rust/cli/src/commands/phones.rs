//! Which phones there are, and which versions meet.

use crate::args::Globals;
use crate::commands::execution::VERSION;
use crate::human::say;
use crate::output::{DONE, FAILED, Format};
use clawperator_adb::Listed;
use clawperator_host::{device, operator};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;

/// `devices`: what the adb server lists.
pub(crate) fn devices(globals: &Globals, format: Format) -> ExitCode {
    let listed = globals.server().and_then(|server| device::list(&server));
    match (listed, format) {
        (Ok(listed), Format::Human) => {
            say(&lines(&listed));
            ExitCode::from(DONE)
        }
        (Ok(listed), _) => {
            let devices: Vec<_> = listed.iter().map(row).collect();
            format.answer(&json!({ "devices": devices }), DONE)
        }
        (Err(failure), _) => format.failure(&failure),
    }
}

fn row(one: &Listed) -> Value {
    let mut row = json!({ "serial": one.serial, "state": one.state.to_string() });
    let more = [("product", &one.product), ("model", &one.model), ("device", &one.device)];
    for (key, value) in more {
        if let Some(value) = value {
            row[key] = value.as_str().into();
        }
    }
    row
}

fn lines(listed: &[Listed]) -> String {
    if listed.is_empty() {
        return "no phone is connected; `clawperator sim` starts a simulated one\n".into();
    }
    let width = listed.iter().map(|one| one.serial.len()).max().unwrap_or_default();
    let mut text = String::new();
    for one in listed {
        let model = one.model.as_deref().unwrap_or_default();
        let line = format!("{:width$}  {:12}  {model}", one.serial, one.state.to_string());
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// `version`: of this program, and with `--check-compat` of the operator too.
pub(crate) fn version(check_compat: bool, globals: &Globals, format: Format) -> ExitCode {
    if !check_compat {
        return match format {
            Format::Human => {
                say(&format!("clawperator {VERSION}\n"));
                ExitCode::from(DONE)
            }
            _ => format.answer(&json!({ "cliVersion": VERSION }), DONE),
        };
    }
    let fits = globals.phone().and_then(|phone| {
        let named = globals.named_package();
        let package = operator::the_one_meant(phone.as_ref(), named.as_deref())?;
        Ok(operator::compatibility(phone.as_ref(), &package, VERSION))
    });
    match fits {
        Ok(fits) => format.answer(&fits, if fits.compatible { DONE } else { FAILED }),
        Err(failure) => format.failure(&failure),
    }
}
