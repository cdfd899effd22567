//! `operator`, `grant-device-permissions` and `packages`: what is installed on the phone.

use crate::args::Globals;
use crate::args::host::{OperatorWhat, PackagesWhat};
use crate::human::say;
use crate::output::{DONE, Format};
use clawperator_contract::Failure;
use clawperator_host::operator::{self, Granted, SetUp, SetupOptions};
use clawperator_host::packages;
use serde::Serialize;
use serde_json::json;
use std::process::ExitCode;

/// `operator setup`.
pub(crate) fn run(what: &OperatorWhat, globals: &Globals, format: Format) -> ExitCode {
    let OperatorWhat::Setup { apk, force } = what;
    let options =
        SetupOptions { apk: apk.clone(), package: globals.named_package(), force: *force };
    let done = globals.phone().and_then(|phone| operator::setup(phone.as_ref(), &options));
    told(done, |done: &SetUp| &done.message, format)
}

/// `grant-device-permissions`.
pub(crate) fn grant(globals: &Globals, format: Format) -> ExitCode {
    let package = globals.named_package();
    let done =
        globals.phone().and_then(|phone| operator::grant(phone.as_ref(), package.as_deref()));
    told(done, |done: &Granted| &done.message, format)
}

/// `packages list`.
pub(crate) fn list(what: &PackagesWhat, globals: &Globals, format: Format) -> ExitCode {
    let PackagesWhat::List { third_party } = what;
    let listed = globals.phone().and_then(|phone| packages::list(phone.as_ref(), *third_party));
    match (listed, format) {
        (Ok(packages), Format::Human) => {
            say(&packages.iter().map(|name| format!("{name}\n")).collect::<String>());
            ExitCode::from(DONE)
        }
        (listed, _) => format.result(listed.map(|packages| json!({ "packages": packages }))),
    }
}

/// People read the sentence, programs the whole.
fn told<T: Serialize>(
    done: Result<T, Failure>,
    message: impl Fn(&T) -> &String,
    format: Format,
) -> ExitCode {
    if let (Ok(done), Format::Human) = (&done, format) {
        say(&format!("{}\n", message(done)));
        return ExitCode::from(DONE);
    }
    format.result(done)
}
