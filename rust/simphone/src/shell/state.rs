//! What the phone says of itself: properties, settings, windows, power, pictures.

use super::{Io, files, plain};
use crate::device::Lock;
use crate::system::{Namespace, System};
use clawperator_runtime::phone::{Display, Picture};
use clawperator_runtime::snapshot;
use std::sync::Arc;

pub(super) fn getprop(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    match args.first() {
        Some(name) => {
            let value = system.property(name);
            let value = match args.get(1) {
                Some(default) if value.is_empty() => default,
                _ => value,
            };
            io.say(format!("{value}\n"));
        }
        None => {
            for (name, value) in system.properties() {
                io.say(format!("[{name}]: [{value}]\n"));
            }
        }
    }
    0
}

pub(super) fn settings(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let words = setting_words(args);
    let (Some(verb), Some(namespace)) =
        (words.first(), words.get(1).and_then(|name| Namespace::named(name)))
    else {
        io.complain(
            "Settings provider (settings) commands: get, put, delete, list NAMESPACE ...\n",
        );
        return 255;
    };
    match (*verb, words.get(2), words.get(3)) {
        ("get", Some(key), _) => {
            let value = system.settings.get(namespace, key).unwrap_or_else(|| "null".into());
            io.say(format!("{value}\n"));
        }
        // An empty word is a value too.
        ("put", Some(key), Some(value)) => system.put_setting(namespace, key, Some(value)),
        ("delete", Some(key), _) => {
            let there = system.settings.get(namespace, key).is_some();
            system.put_setting(namespace, key, None);
            io.say(format!("Deleted {} rows\n", u8::from(there)));
        }
        ("list", ..) => {
            for (key, value) in system.settings.list(namespace) {
                io.say(format!("{key}={value}\n"));
            }
        }
        _ => {
            io.complain("Bad arguments\n");
            return 255;
        }
    }
    0
}

/// The words of `settings` without `--user` and its value. A value may look like a flag: `-1`.
fn setting_words(args: &[String]) -> Vec<&str> {
    let mut words = args.iter().map(String::as_str);
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if word == "--user" {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept
}

pub(super) fn wm(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let metrics = system.device.metrics();
    match args.first().map(String::as_str) {
        Some("size") => io.say(format!("Physical size: {}x{}\n", metrics.width, metrics.height)),
        Some("density") => io.say(format!("Physical density: {}\n", metrics.dpi)),
        Some("dismiss-keyguard") => {
            system.device.dismiss_keyguard();
        }
        _ => {
            io.complain("Window manager (window) commands: size, density, dismiss-keyguard\n");
            return 255;
        }
    }
    0
}

pub(super) fn svc(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    match args {
        [power, stay, _] if power == "power" && stay == "stayon" => {
            system.device.wake();
            0
        }
        _ => {
            io.complain("Available commands: power\n");
            255
        }
    }
}

pub(super) fn dumpsys(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["package", package, ..] => package_dump(system, package, io),
        ["window", ..] => window_dump(system, io),
        ["activity", ..] => activity_dump(system, io),
        ["power", ..] => power_dump(system, io),
        ["trust", ..] => trust_dump(system, io),
        ["accessibility", ..] => accessibility_dump(system, io),
        ["display", ..] => display_dump(system, io),
        ["battery", ..] => io.say(BATTERY),
        ["SurfaceFlinger", ..] | ["package"] => {}
        [other, ..] => {
            io.complain(format!("Can't find service: {other}\n"));
            return 1;
        }
        [] => io.say("Currently running services:\n  activity\n  package\n  power\n  window\n"),
    }
    0
}

/// As the phone's own settings show it.
const BATTERY: &str = "Current Battery Service state:\n  AC powered: false\n  USB powered: true\n  Wireless powered: false\n  status: 2\n  health: 2\n  present: true\n  level: 80\n  scale: 100\n  voltage: 4200\n  temperature: 250\n  technology: Li-ion\n";

fn display_dump(system: &Arc<System>, io: &mut Io<'_>) {
    let metrics = system.device.metrics();
    io.say(format!(
        "DISPLAY MANAGER (dumpsys display)\n  mViewports=[DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:0', physicalPort=0, orientation=0, logicalFrame=Rect(0, 0 - {0}, {1}), physicalFrame=Rect(0, 0 - {0}, {1}), deviceWidth={0}, deviceHeight={1}}}]\n",
        metrics.width, metrics.height
    ));
}

fn package_dump(system: &Arc<System>, package: &str, io: &mut Io<'_>) {
    let operator = system.operators().into_iter().find(|operator| operator.package == package);
    let version = match (operator, system.device.app(package)) {
        (Some(operator), _) => Some((operator.version, operator.version_code)),
        (None, Some(app)) => Some((app.version.clone(), 1)),
        (None, None) => None,
    };
    let Some((name, code)) = version else {
        io.say(format!("Unable to find package: {package}\n"));
        return;
    };
    io.say(format!(
        "Packages:\n  Package [{package}] (1a2b3c):\n    userId=10123\n    versionCode={code} minSdk=26 targetSdk=35\n    versionName={name}\n    runtime permissions:\n"
    ));
    for permission in system.granted(package) {
        io.say(format!("      {permission}: granted=true\n"));
    }
}

fn focused(system: &Arc<System>) -> Option<String> {
    let focus = system.device.focus()?;
    Some(format!("{}/{}", focus.package, focus.activity))
}

fn window_dump(system: &Arc<System>, io: &mut Io<'_>) {
    let metrics = system.device.metrics();
    let keyguard = system.device.display() == Display::Locked;
    let app = focused(system).unwrap_or_else(|| "null".into());
    let window = if keyguard { "NotificationShade".to_owned() } else { app.clone() };
    io.say(format!(
        "WINDOW MANAGER WINDOWS (dumpsys window windows)\n  mCurrentFocus=Window{{1a2b3c u0 {window}}}\n  mFocusedApp=ActivityRecord{{4d5e6f u0 {app} t1}}\n  mShowingLockscreen={keyguard}\n  mDreamingLockscreen={keyguard}\n  isKeyguardShowing={keyguard}\n  mCurrentRotation=ROTATION_0\n  init={}x{} {}dpi cur={0}x{1} app={0}x{1}\n",
        metrics.width, metrics.height, metrics.dpi
    ));
    let (showing, secure) = (system.device.is_locked(), system.device.lock() == Lock::Secure);
    io.say(format!(
        "  KeyguardServiceDelegate\n    showing={showing}\n    secure={secure}\n    deviceHasKeyguard=true\n"
    ));
}

/// A phone counts as locked only where a secret keeps others out.
fn trust_dump(system: &Arc<System>, io: &mut Io<'_>) {
    let locked = system.device.is_locked() && system.device.lock() == Lock::Secure;
    io.say(format!(
        "Trust manager state:\n User \"Owner\" (id=0, flags=0x13) (current): trusted=0, trustManaged=0, deviceLocked={}, strongAuthRequired=0x0\n",
        u8::from(locked)
    ));
}

fn accessibility_dump(system: &Arc<System>, io: &mut Io<'_>) {
    let services = system.settings.get(Namespace::Secure, "enabled_accessibility_services");
    let enabled: Vec<_> = services
        .iter()
        .flat_map(|services| services.split(':'))
        .filter(|component| !component.is_empty())
        .map(|component| format!("{{{component}}}"))
        .collect();
    io.say(format!(
        "ACCESSIBILITY MANAGER (dumpsys accessibility)\n\nUser state[\n     attributes:{{id=0}}\n     Enabled services:{{{}}}\n]\n",
        enabled.join(", ")
    ));
}

fn activity_dump(system: &Arc<System>, io: &mut Io<'_>) {
    let app = focused(system).unwrap_or_else(|| "null".into());
    io.say(format!(
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n  mResumedActivity: ActivityRecord{{4d5e6f u0 {app} t1}}\n  topResumedActivity=ActivityRecord{{4d5e6f u0 {app} t1}}\n  ResumedActivity: ActivityRecord{{4d5e6f u0 {app} t1}}\n"
    ));
    for package in system.device.running() {
        io.say(format!("  Proc # 0: fg  T/A/TOP  4321:{package}/u0a123 (top-activity)\n"));
    }
}

fn power_dump(system: &Arc<System>, io: &mut Io<'_>) {
    let on = system.device.display() != Display::Off;
    let wakefulness = if on { "Awake" } else { "Asleep" };
    io.say(format!(
        "POWER MANAGER (dumpsys power)\n  mWakefulness={wakefulness}\n  mHoldingDisplaySuspendBlocker={on}\nDisplay Power: state={}\n",
        if on { "ON" } else { "OFF" }
    ));
}

pub(super) fn screencap(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let Picture::Png(png) = system.device.picture() else {
        io.complain("Capturing failed\n");
        return 1;
    };
    let file = plain(args, &["-d"]);
    match file.first() {
        None => {
            let _ = io.out.write_all(&png);
            0
        }
        Some(path) => match files::write(system, path, png) {
            Ok(()) => 0,
            Err(error) => {
                io.complain(format!("Error opening file: {path} ({error})\n"));
                1
            }
        },
    }
}

pub(super) fn uiautomator(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    if args.first().map(String::as_str) != Some("dump") {
        io.complain("Usage: uiautomator dump [--compressed] [file]\n");
        return 1;
    }
    let Some(screen) = system.device.screen() else {
        io.complain("ERROR: could not get idle state.\n");
        return 137;
    };
    let xml = snapshot::xml::write(&screen);
    let words = plain(&args[1..], &[]);
    let path = words.first().copied().unwrap_or("/sdcard/window_dump.xml");
    if path == "/dev/tty" {
        io.say(xml.trim_end());
    } else if let Err(error) = files::write(system, path, xml.into_bytes()) {
        io.complain(format!("ERROR: {path}: {error}\n"));
        return 1;
    }
    io.say(format!("UI hierchary dumped to: {path}\n"));
    0
}
