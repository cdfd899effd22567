//! `pm` and `cmd package`: what is installed.

use super::{Io, plain, value_of};
use crate::app::{self, App};
use crate::system::{DEV_PACKAGE, OperatorPackage, RELEASE_PACKAGE, System};
use clawperator_adbd::Files;
use clawperator_apk::Apk;
use std::io::Read;
use std::sync::Arc;

/// Largest APK that is taken: more than any test needs, less than the phone's storage.
const MAX_APK_BYTES: u64 = 48 << 20;

pub(super) fn cmd(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    match args.split_first() {
        Some((service, args)) if service == "package" => pm(system, args, io),
        Some((service, _)) => {
            io.complain(format!("cmd: Can't find service: {service}\n"));
            20
        }
        None => {
            io.complain("cmd: No service specified; use -l to list all running services\n");
            20
        }
    }
}

pub(super) fn pm(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let Some((verb, args)) = args.split_first() else {
        io.say("Package manager (package) commands: list, path, grant, install, uninstall\n");
        return 255;
    };
    match verb.as_str() {
        "list" => list(system, args, io),
        "path" => path(system, args, io),
        "grant" | "revoke" => grant(system, verb, args, io),
        "install" => install(system, args, io),
        "uninstall" => uninstall(system, args, io),
        "clear" => clear(system, args, io),
        "resolve-activity" => resolve(system, args, io),
        "query-activities" => query(system, args, io),
        other => {
            io.complain(format!("Unknown command: {other}\n"));
            255
        }
    }
}

/// Every package, with whether a person installed it.
fn packages(system: &Arc<System>) -> Vec<(String, bool)> {
    let system_app = |package: &str| package.starts_with("com.android.");
    let apps = system.device.installed();
    let apps = apps.into_iter().map(|app| (app.package.clone(), !system_app(&app.package)));
    let operators = system.operators().into_iter().map(|operator| (operator.package, true));
    let mut all: Vec<_> = apps.chain(operators).collect();
    all.push(("android".into(), false));
    all.sort();
    all
}

fn is_installed(system: &Arc<System>, package: &str) -> bool {
    packages(system).iter().any(|(own, _)| own == package)
}

fn list(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let words = plain(args, &["--user", "-U"]);
    if words.first() != Some(&"packages") {
        io.complain("Error: unknown list type\n");
        return 255;
    }
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let filter = words.get(1).copied().unwrap_or_default();
    for (package, third_party) in packages(system) {
        let wanted = (!has("-3") || third_party) && (!has("-s") || !third_party);
        if wanted && package.contains(filter) {
            let file = if has("-f") { format!("{}=", apk_path(&package)) } else { String::new() };
            io.say(format!("package:{file}{package}\n"));
        }
    }
    0
}

fn apk_path(package: &str) -> String {
    format!("/data/app/{package}/base.apk")
}

fn path(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    match plain(args, &["--user"]).first() {
        Some(package) if is_installed(system, package) => {
            io.say(format!("package:{}\n", apk_path(package)));
            0
        }
        _ => 1,
    }
}

fn grant(system: &Arc<System>, verb: &str, args: &[String], io: &mut Io<'_>) -> u8 {
    let words = plain(args, &["--user"]);
    let (Some(package), Some(permission)) = (words.first(), words.get(1)) else {
        io.complain(format!("Error: no package or permission specified for {verb}\n"));
        return 255;
    };
    if !is_installed(system, package) {
        io.complain(format!(
            "Exception occurred while executing '{verb}':\njava.lang.IllegalArgumentException: Unknown package: {package}\n"
        ));
        return 255;
    }
    if verb == "grant" {
        system.grant(package, permission);
    }
    0
}

fn clear(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    match plain(args, &["--user"]).first() {
        Some(package) if is_installed(system, package) => {
            system.force_stop(package);
            io.say("Success\n");
            0
        }
        _ => {
            io.say("Failed\n");
            1
        }
    }
}

/// From a file of the phone, or from as many bytes of the input as `-S` says.
fn install(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let flags = ["-S", "-i", "--user", "-g", "--abi", "--install-reason"];
    let bytes = match value_of(args, "-S").and_then(|size| size.parse::<u64>().ok()) {
        Some(size) if size > MAX_APK_BYTES => {
            return failed(io, "INSTALL_FAILED_INSUFFICIENT_STORAGE");
        }
        Some(size) => {
            let mut bytes = Vec::new();
            let _ = Read::take(&mut *io.input, size).read_to_end(&mut bytes);
            bytes
        }
        None => match plain(args, &flags).last().map(|path| system.files.read(path)) {
            Some(Ok(bytes)) => bytes.as_ref().clone(),
            _ => return failed(io, "INSTALL_FAILED_INVALID_URI"),
        },
    };
    match install_apk(system, &bytes) {
        Ok(()) => {
            io.say("Success\n");
            0
        }
        Err(why) => failed(io, &why),
    }
}

fn install_apk(system: &Arc<System>, bytes: &[u8]) -> Result<(), String> {
    let apk = Apk::read(bytes).map_err(|error| error.failure("/data/app/vmdl1.tmp/base.apk"))?;
    let version = apk.version_name.unwrap_or_else(|| "null".into());
    if [RELEASE_PACKAGE, DEV_PACKAGE].contains(&apk.package.as_str()) {
        // As on a phone: after a reinstall the service must be enabled anew.
        system.uninstall_operator(&apk.package);
        system.install_operator(OperatorPackage {
            package: apk.package,
            version,
            version_code: apk.version_code,
            enabled: false,
        });
    } else {
        let label = apk.label.unwrap_or_else(|| apk.package.clone());
        let app = match known_app(system, &apk.package) {
            Some(known) => App { version, ..known },
            None => blank_app(&apk.package, &label, &version)?,
        };
        system.device.install(app);
    }
    Ok(())
}

/// The model of an app that is there already, or comes with the phone: code is not run here, so an
/// APK of such an app brings only its version.
fn known_app(system: &Arc<System>, package: &str) -> Option<App> {
    let installed = system.device.app(package).map(|app| App::clone(&app));
    let shipped = || app::shipped().ok()?.into_iter().find(|app| app.package == package);
    installed.or_else(shipped)
}

/// An installed app nothing is known of but its name: one screen that says so.
fn blank_app(package: &str, label: &str, version: &str) -> Result<App, String> {
    // A text in JSON is a text in YAML too.
    let text = |text: &str| clawperator_contract::json::compact(&text);
    let (package, label, version) = (text(package), text(label), text(version));
    let yaml = format!(
        "package: {package}\nlabel: {label}\nversion: {version}\nentry: main\nscreens:\n  main:\n    title: {label}\n    widgets:\n      - text: {label}\n"
    );
    App::from_yaml("installed.apk", &yaml)
        .map_err(|error| format!("INSTALL_FAILED_INTERNAL_ERROR: {error}"))
}

fn failed(io: &mut Io<'_>, why: &str) -> u8 {
    io.say(format!("Failure [{why}]\n"));
    1
}

fn uninstall(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let words = plain(args, &["--user"]);
    let Some(package) = words.first() else { return failed(io, "no package") };
    if system.uninstall_operator(package) || system.device.uninstall(package) {
        io.say("Success\n");
        0
    } else {
        failed(io, "DELETE_FAILED_INTERNAL_ERROR")
    }
}

fn resolve(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let flags = ["-a", "-c", "-d", "-t", "-p", "--user", "--components"];
    let package = match value_of(args, "-d") {
        Some(uri) => system.device.resolve(uri),
        None => value_of(args, "-p")
            .or_else(|| plain(args, &flags).last().copied())
            .map(str::to_owned)
            .filter(|package| system.device.app(package).is_some()),
    };
    match package {
        Some(package) if args.iter().any(|arg| arg == "--brief") => {
            io.say(format!("priority=0 preferredOrder=0 match=0x108000\n{package}/.MainActivity\n"));
        }
        Some(package) => io.say(format!(
            "priority=0 preferredOrder=0 match=0x108000\nActivityInfo:\n  name={package}.MainActivity\n  packageName={package}\n"
        )),
        None => io.say("No activity found\n"),
    }
    0
}

fn query(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let apps = system.device.installed();
    let brief = args.iter().any(|arg| arg == "--brief" || arg == "--components");
    io.say(format!("{} activities found:\n", apps.len()));
    for (number, app) in apps.iter().enumerate() {
        let package = &app.package;
        if brief {
            io.say(format!("{package}/.MainActivity\n"));
        } else {
            io.say(format!(
                "  Activity #{number}:\n    ActivityInfo:\n      name={package}.MainActivity\n      packageName={package}\n"
            ));
        }
    }
    0
}
