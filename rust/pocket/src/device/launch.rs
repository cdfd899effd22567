//! Starting an app, and making sure that it came.

use super::{Hand, Sent, adb, incomplete, operator, send};
use crate::outcome::{Done, Outcome};
use crate::snapshot::front;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::build::timeout_around;
use clawperator_host::device::Device;
use clawperator_host::dispatch::Route;
use clawperator_link::broadcast::shell_quoted;
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};

/// How long an app may take to come to the front. Heavy ones take some seconds when cold.
const COMING: Duration = Duration::from_secs(10);
/// Between two looks at what is in front: one look takes about as long.
const LOOK: Duration = Duration::from_millis(200);
/// One command that starts it.
const START: Duration = Duration::from_secs(20);
/// Asking which activity is meant.
const RESOLVE: Duration = Duration::from_secs(8);

const MAIN: &str = "android.intent.action.MAIN";
const LAUNCHER: &str = "android.intent.category.LAUNCHER";

impl Hand<'_> {
    pub(super) fn launch(&self, package: &str) -> Done {
        let package = package.trim();
        if !is_package(package) {
            let message = "packageName must be the name of an app's package, such as \
                           com.android.settings; nothing was started";
            return Err(incomplete(message).detail("fields", json!(["packageName"])));
        }
        let ms = COMING.as_secs_f64() * 1_000.0;
        let actions = json!([
            { "id": "open", "type": "open_app", "params": { "applicationId": package } },
            { "id": "came", "type": "wait_for_navigation",
              "params": { "expectedPackage": package, "timeoutMs": ms } },
        ]);
        let (done, how) =
            match send(self.route, "launch", &actions, timeout_around(2.0 * ms, None))? {
                Sent::Done(done) => (operator::outcome(&done)?, String::new()),
                Sent::Unreachable(why) => {
                    let how = by_adb(self.route, package)?;
                    (operator::without(&why), how)
                }
            };
        let text = format!("Launched package {package}{how}");
        Ok(Outcome { text, ..done }.with("packageName", package))
    }
}

/// A name that neither ends a word of the shell nor looks like an option.
fn is_package(name: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    name.len() <= 255
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(inside)
}

/// Starts it in one of three ways; answers with which, in words.
fn by_adb(route: &Route<'_>, package: &str) -> Result<String, Failure> {
    let device = route.device;
    let monkey = ["monkey", "-p", package, "-c", LAUNCHER, "1"];
    let mut said = Vec::new();
    let mut how = None;
    match tried(device, &monkey)? {
        Ok(()) => how = Some(String::new()),
        Err(why) => said.push(format!("monkey: {why}")),
    }
    if how.is_none() {
        match component(device, package)? {
            Some(component) => match tried(device, &["am", "start", "-n", &component])? {
                Ok(()) => how = Some(format!(" via activity {component}")),
                Err(why) => said.push(format!("am start -n: {why}")),
            },
            None => said.push("resolve-activity: it names no activity".into()),
        }
    }
    if how.is_none() {
        match tried(device, &["am", "start", "-a", MAIN, "-c", LAUNCHER, "-p", package])? {
            Ok(()) => how = Some(" via package intent".into()),
            Err(why) => said.push(format!("am start -p: {why}")),
        }
    }
    let Some(how) = how else {
        let code = ErrorCode::AppNotFound;
        let message = format!("{package} could not be started ({})", said.join("; "));
        return Err(Failure::new(code, message).hint(code.remedy()));
    };
    came(route, package).map(|()| how)
}

/// Runs a command that starts an app. The tools say what went wrong in words, some of them with an
/// exit code of 0.
fn tried(device: &dyn Device, words: &[&str]) -> Result<Result<(), String>, Failure> {
    let output = device.shell(&shell_quoted(&adb::words(words)), START)?;
    let said = output.said();
    let bad = ["Error", "No activities found", "aborted", "Exception", "unable to resolve"];
    let failed = !output.ok() || bad.iter().any(|word| said.contains(word));
    let first = said.lines().next().unwrap_or("it said nothing").to_owned();
    Ok(if failed { Err(format!("{first} (exit code {})", output.code)) } else { Ok(()) })
}

/// The activity a launcher would start.
fn component(device: &dyn Device, package: &str) -> Result<Option<String>, Failure> {
    let words =
        ["cmd", "package", "resolve-activity", "--brief", "-a", MAIN, "-c", LAUNCHER, package];
    let output = device.shell(&shell_quoted(&adb::words(&words)), RESOLVE)?;
    let text = output.text();
    let last = text.lines().last().unwrap_or_default().trim();
    let named = last.split_once('/').is_some_and(|(of, class)| of == package && !class.is_empty());
    Ok(named.then(|| last.to_owned()))
}

/// Waits until it is in front.
fn came(route: &Route<'_>, package: &str) -> Result<(), Failure> {
    let end = Instant::now() + COMING;
    loop {
        let seen = front(route.device)?;
        if seen == package {
            return Ok(());
        }
        if route.stop.is_asked() {
            let code = ErrorCode::PocketStopped;
            let message = format!("stopped before {package} came to the front");
            return Err(Failure::new(code, message).hint(code.remedy()));
        }
        if Instant::now() >= end {
            let code = ErrorCode::NavigationTimeout;
            let message = format!(
                "{package} was started but did not come to the front within {} s; in front is {seen}",
                COMING.as_secs()
            );
            return Err(Failure::new(code, message).hint(code.remedy()));
        }
        thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_a_name_and_nothing_else() {
        assert!(is_package("com.android.settings") && is_package("a"));
        for other in ["", "-p", "com.a; reboot", "com.a b", ".a", "com.ä"] {
            assert!(!is_package(other), "{other}");
        }
    }
}
