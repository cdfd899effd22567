//! `emulator`: Android emulators on this computer.

use crate::args::Globals;
use crate::args::host::{self, EmulatorWhat};
use crate::output::Format;
use clawperator_host::emulator::{
    AdbPhones, Create, Emulators, Environment, Provision, Sdk, Start,
};
use std::process::ExitCode;

pub(crate) fn run(what: &EmulatorWhat, globals: &Globals, format: Format) -> ExitCode {
    let server = match globals.server() {
        Ok(server) => server,
        Err(failure) => return format.failure(&failure),
    };
    let phones = AdbPhones::new(server);
    let emulators = Emulators::new(Sdk::new(Environment::of_this_process()), &phones);
    match what {
        EmulatorWhat::List => format.result(emulators.list()),
        EmulatorWhat::Inspect { name } => format.result(emulators.inspect(name)),
        EmulatorWhat::Create(args) => format.result(emulators.create(&create(args))),
        EmulatorWhat::Start { name, start: how } => {
            format.result(emulators.start(name, &start(how)))
        }
        EmulatorWhat::Stop { name } => format.result(emulators.stop(name)),
        EmulatorWhat::Delete { name } => format.result(emulators.delete(name)),
        EmulatorWhat::Status => format.result(emulators.status()),
        EmulatorWhat::Provision { create: new, start: how } => {
            let wanted =
                Provision { preferred: new.name.clone(), start: start(how), create: create(new) };
            format.result(emulators.provision(&wanted))
        }
    }
}

fn create(args: &host::Create) -> Create {
    let usual = Create::default();
    Create {
        name: args.name.clone().unwrap_or(usual.name),
        api_level: args.api.unwrap_or(usual.api_level),
        abi: args.abi.clone(),
        device_profile: args.profile.clone().unwrap_or(usual.device_profile),
        play_store: !args.no_play_store,
        force: args.force,
        accept_licenses: args.accept_licenses,
    }
}

fn start(args: &host::Start) -> Start {
    Start { headless: args.headless.then_some(true), arguments: Vec::new() }
}
