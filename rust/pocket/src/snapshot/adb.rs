//! A look by adb's own tools, for a phone without the operator.

use super::metrics::{CaptureMetrics, ms};
use super::operator::Seen;
use clawperator_contract::operator::PACKAGES;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::device::{Device, Output};
use clawperator_host::operator;
use std::time::{Duration, Instant};

const PICTURE: Duration = Duration::from_secs(15);
const QUESTION: Duration = Duration::from_secs(8);
/// It waits until nothing on the screen moves, for up to ten seconds.
const DUMP: Duration = Duration::from_secs(12);

/// What the app in front is called where the phone does not tell.
const UNKNOWN: &str = "unknown";

/// Names of what is in front, the surest first.
const MARKS: [&str; 4] =
    ["mCurrentFocus=", "mFocusedApp=", "topResumedActivity=", "ResumedActivity:"];

/// Picture and app; the tree comes later, if it is needed.
pub(super) fn look(device: &dyn Device) -> Result<Seen, Failure> {
    let start = Instant::now();
    let app = front(device)?;
    let current_app = start.elapsed();
    let windows = device.shell("dumpsys window windows", QUESTION)?.text();
    let secure = is_secure(&windows, &app);
    let start = Instant::now();
    let taken = device.shell("screencap -p", PICTURE)?;
    let png = taken.stdout.starts_with(b"\x89PNG").then_some(taken.stdout.clone());
    let metrics = CaptureMetrics {
        current_app_ms: ms(current_app),
        screencap_ms: ms(start.elapsed()),
        via: "adb",
        capture_tries: 1,
        secure_surface_detected: secure,
        ..CaptureMetrics::default()
    };
    if png.is_none() && !secure {
        let code = ErrorCode::ScreenshotFailed;
        let message = format!("screencap ended with {}: {}", taken.code, complaint(&taken));
        return Err(Failure::new(code, message).hint(code.remedy()));
    }
    Ok(Seen { app, xml: None, png: png.filter(|_| !secure), metrics })
}

fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if text.is_empty() { "no picture came".into() } else { text }
}

/// The package of the app in front.
pub(crate) fn front(device: &dyn Device) -> Result<String, Failure> {
    for dump in ["dumpsys activity activities", "dumpsys window windows"] {
        let pattern = MARKS.join("|");
        let said = device.shell(&format!("{dump} | grep -E '{pattern}'"), QUESTION)?;
        if let Some(package) = in_front(&said.text()) {
            return Ok(package);
        }
    }
    Ok(UNKNOWN.into())
}

fn in_front(dump: &str) -> Option<String> {
    MARKS.iter().find_map(|mark| {
        dump.lines().find_map(|line| {
            let (_, after) = line.split_once(mark)?;
            let words = after.split(|c: char| c.is_whitespace() || "{}".contains(c));
            let package =
                words.filter_map(|word| word.split_once('/')).map(|(name, _)| name).next()?;
            (!package.is_empty()).then(|| package.to_owned())
        })
    })
}

/// Does a window of the app forbid pictures? Windows are listed one after the other.
fn is_secure(windows: &str, app: &str) -> bool {
    let own = format!(" {app}/");
    let mut within = false;
    windows.lines().any(|line| {
        if line.trim_start().starts_with("Window #") {
            within = line.contains(&own);
        }
        let flags = line.contains("fl=") || line.contains("FLAG_");
        within
            && flags
            && line.split([' ', '|', '=']).any(|flag| flag == "SECURE" || flag == "FLAG_SECURE")
    })
}

/// The screen's size, where no picture tells it.
pub(super) fn size(device: &dyn Device) -> Result<(u32, u32), Failure> {
    let said = device.shell("wm size", QUESTION)?.text();
    // An override comes last and is what apps see.
    let last = said.lines().filter_map(|line| line.rsplit_once(": ")).next_back();
    let size = last.and_then(|(_, size)| size.trim().split_once('x'));
    let size = size.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    size.ok_or_else(|| {
        let code = ErrorCode::DeviceShellUnavailable;
        let message = format!("`wm size` does not tell the screen's size: {said}");
        Failure::new(code, message).hint(code.remedy())
    })
}

/// What became of a dump.
pub(super) struct Dumped {
    pub(super) xml: Option<String>,
    pub(super) timed_out: bool,
    pub(super) took: Duration,
}

/// Dumps the tree. Never while a service of the operator is on: the tool suspends all such services
/// while it runs, and executions would fail.
pub(super) fn dump(device: &dyn Device, package: &str) -> Result<Dumped, Failure> {
    if let Some(on) = service_on(device, package)? {
        let code = ErrorCode::OperatorVariantMismatch;
        let message = format!(
            "{package} does not run on {}, but the service of {on} is on, and uiautomator would \
             suspend it",
            device.serial()
        );
        return Err(Failure::new(code, message).hint(format!("add --operator-package {on}")));
    }
    let start = Instant::now();
    let file = "/data/local/tmp/clawperator-ui.xml";
    let lines = [
        "uiautomator dump /dev/tty".to_owned(),
        format!("uiautomator dump {file} >/dev/null && cat {file}; rm -f {file}"),
    ];
    let mut dumped = Dumped { xml: None, timed_out: false, took: Duration::ZERO };
    for line in lines {
        let asked = Instant::now();
        match device.shell(&line, DUMP) {
            Ok(output) => {
                let text = output.text();
                dumped.xml = text.contains("<hierarchy").then_some(text);
            }
            // Elements are worth having, but not worth a failure.
            Err(_) => dumped.timed_out |= asked.elapsed() >= DUMP,
        }
        if dumped.xml.is_some() {
            break;
        }
    }
    dumped.took = start.elapsed();
    Ok(dumped)
}

/// The package of an operator whose service is on.
fn service_on(device: &dyn Device, package: &str) -> Result<Option<String>, Failure> {
    let others = PACKAGES.into_iter().filter(|other| *other != package);
    for candidate in std::iter::once(package).chain(others) {
        match operator::inspect(device, candidate) {
            Ok(installed) if installed.accessibility.enabled() => {
                return Ok(Some(candidate.to_owned()));
            }
            Ok(_) => {}
            Err(why) => match why.code {
                ErrorCode::OperatorNotInstalled | ErrorCode::OperatorVariantMismatch => {}
                _ => return Err(why),
            },
        }
    }
    Ok(None)
}

/// The apps a launcher shows, in order; `None` where the phone does not tell.
pub(super) fn packages(device: &dyn Device) -> Option<Vec<String>> {
    let line = "cmd package query-activities -a android.intent.action.MAIN -c android.intent.category.LAUNCHER";
    let said = device.shell(line, PICTURE).ok().filter(Output::ok)?.text();
    let names = said.lines().filter_map(|line| line.trim().strip_prefix("packageName="));
    let mut names: Vec<String> = names.map(|name| name.trim().to_owned()).collect();
    names.sort();
    names.dedup();
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_app_in_front_is_named_in_many_ways() {
        for (dump, package) in [
            ("  mCurrentFocus=Window{1a2 u0 com.a/com.a.Main}", Some("com.a")),
            ("  mFocusedApp=ActivityRecord{4d u0 com.b/.Main t7}}", Some("com.b")),
            ("    topResumedActivity=ActivityRecord{4d u0 com.c/.Main t7}", Some("com.c")),
            ("  ResumedActivity: ActivityRecord{4d u0 com.d/.Main t7}", Some("com.d")),
            (
                "  mFocusedApp=ActivityRecord{1 u0 com.b/.M t1}\n  mCurrentFocus=Window{2 u0 com.a/.M}",
                Some("com.a"),
            ),
            ("  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{1 u0 com.b/.M t1}", Some("com.b")),
            ("  mCurrentFocus=Window{2 u0 NotificationShade}", None),
            ("", None),
        ] {
            assert_eq!(in_front(dump).as_deref(), package, "{dump}");
        }
    }

    #[test]
    fn only_a_window_of_the_app_in_front_makes_it_secure() {
        let windows = "  Window #1 Window{1 u0 com.bank/com.bank.Main}:\n    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION\n      fl=LAYOUT_IN_SCREEN SECURE HARDWARE_ACCELERATED\n  Window #2 Window{2 u0 com.a/com.a.Main}:\n      fl=LAYOUT_IN_SCREEN HARDWARE_ACCELERATED\n";
        assert!(is_secure(windows, "com.bank"));
        assert!(!is_secure(windows, "com.a") && !is_secure(windows, "com.ban"));
        assert!(is_secure("Window #3 Window{3 u0 com.x/.Y}:\n flags=FLAG_SECURE|FLAG_Z", "com.x"));
    }
}
