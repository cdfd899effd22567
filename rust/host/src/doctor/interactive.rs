//! Is the phone awake, and does a lock stand in the way?

use super::bridge::Host;
use super::repair::Repair;
use super::report::Check;
use crate::operator::Answers;
use clawperator_contract::ErrorCode;

const ID: &str = "device.interactive";

/// What mends a phone that sleeps.
pub(super) const WAKE: [&str; 2] = ["input keyevent KEYCODE_WAKEUP", "wm dismiss-keyguard"];

/// What the phone says of its screen and its lock. `None` is what it does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Screen {
    pub(super) awake: Option<bool>,
    /// The lock screen is there, whatever it asks for.
    pub(super) locked: Option<bool>,
    /// It asks for a secret.
    pub(super) secure: bool,
}

pub(super) fn questions() -> Vec<(String, String)> {
    let grep = |service: &str, words: &str| format!("dumpsys {service} | grep -E '{words}'");
    vec![
        ("power".to_owned(), grep("power", "mWakefulness=")),
        (
            "policy".to_owned(),
            grep("window policy", "howing=|mShowingLockscreen=|secure=|interactiveState="),
        ),
        ("trust".to_owned(), grep("trust", "deviceLocked=")),
    ]
}

impl Screen {
    pub(super) fn read(answers: &Answers) -> Self {
        let policy = answers.get("policy");
        let yes = |key: &str| policy.value(key).map(|value| value == "true");
        // `showing` stands in the lock's own section; the others are what older phones print.
        let locked = ["showing", "mIsShowing", "mShowingLockscreen", "isKeyguardShowing"];
        let locked: Vec<bool> = locked.into_iter().filter_map(yes).collect();
        let awake = match answers.get("power").value("mWakefulness") {
            Some(state) => Some(state == "Awake"),
            None => policy.value("interactiveState").map(|state| state.ends_with("_AWAKE")),
        };
        // A phone that trusts its owner's watch shows a lock but lets it be dismissed.
        let secure = match device_locked(&answers.get("trust").text) {
            Some(locked) => locked,
            None => yes("secure") == Some(true) && locked.contains(&true),
        };
        let known = !locked.is_empty() || secure;
        Self { awake, locked: known.then(|| locked.contains(&true) || secure), secure }
    }

    /// Nothing stands between an execution and the screen.
    pub(super) fn is_ready(self) -> bool {
        self.awake == Some(true) && self.locked == Some(false)
    }
}

/// Of the user in front, where several share the phone.
fn device_locked(text: &str) -> Option<bool> {
    let line = text
        .lines()
        .find(|line| line.contains("(current)"))
        .or_else(|| text.lines().find(|line| line.contains("deviceLocked=")))?;
    line.split([' ', ',']).find_map(|word| word.strip_prefix("deviceLocked=")).map(|v| v == "1")
}

/// An execution wakes a phone and sends an open lock away by itself, so those are warnings; a
/// secret it cannot know.
pub(super) fn check(screen: Screen, host: Host<'_>, serial: &str) -> Check {
    let code = ErrorCode::DeviceNotInteractive;
    let check = match screen {
        Screen { awake: None, .. } | Screen { locked: None, .. } => {
            Check::skipped(ID, "the phone does not say whether it is awake and unlocked")
        }
        Screen { secure: true, .. } => {
            let summary = "the phone is locked, and only its owner's secret opens it";
            Check::fail(ID, code, summary).manual(
                "Unlock the phone",
                &[
                    "Unlock the phone by hand.",
                    "A test phone is best left without a lock: Settings, Security, Screen lock, None.",
                ],
            )
        }
        Screen { awake: Some(true), locked: Some(false), .. } => {
            Check::pass(ID, "the screen is on and unlocked")
        }
        Screen { awake, .. } => {
            let what = if awake == Some(true) { "is locked" } else { "sleeps" };
            let summary = format!("the phone {what}; an execution will wake it");
            Check::warn(ID, code, summary)
                .shell("Wake the phone", &waking(host, serial))
                .repair(Repair::Wake)
        }
    };
    check
        .evidence("awake", screen.awake)
        .evidence("locked", screen.locked)
        .evidence("secure", screen.secure)
}

fn waking(host: Host<'_>, serial: &str) -> Vec<String> {
    match host {
        Host::Adb(_) => WAKE.map(|line| format!("adb -s {serial} shell {line}")).to_vec(),
        Host::Embedded(_) => vec![format!("clawperator doctor --fix --device {serial}")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::ask;
    use crate::operator::fake::Fake;
    use std::time::Duration;

    fn screen(power: &'static str, policy: &'static str, trust: &'static str) -> Screen {
        let fake = Fake::saying(&[
            ("dumpsys power", power, 0),
            ("dumpsys window policy", policy, 0),
            ("dumpsys trust", trust, 0),
        ]);
        Screen::read(&ask(&fake, &questions(), Duration::ZERO).unwrap())
    }

    const AWAKE: &str =
        "Power Manager State:\n  mDirty=0x0\n  mWakefulness=Awake\n  mWakefulnessChanging=false\n";
    const DOZING: &str = "Power Manager State:\n  mWakefulness=Dozing\n";
    const ANDROID_11_OPEN: &str = "    mDreamingLockscreen=false\n    KeyguardServiceDelegate\n      showing=false\n      showingAndNotOccluded=true\n      inputRestricted=false\n      secure=true\n      interactiveState=INTERACTIVE_STATE_AWAKE\n      KeyguardStateMonitor\n        mIsShowing=false\n        mSimSecure=false\n";
    const ANDROID_14_LOCKED: &str = "    KeyguardServiceDelegate\n      showing=true\n      inputRestricted=false\n      occluded=false\n      secure=true\n      dreaming=false\n      screenState=SCREEN_STATE_ON\n      interactiveState=INTERACTIVE_STATE_AWAKE\n      KeyguardStateMonitor\n        mIsShowing=true\n";
    const TRUST_LOCKED: &str = "Trust manager state:\n User \"Guest\" (id=10, flags=0x14): trustState=UNTRUSTED, trustManaged=0, deviceLocked=0\n User \"Owner\" (id=0, flags=0x4c13) (current): trustState=UNTRUSTED, trustManaged=0, deviceLocked=1, isActiveUnlockRunning=0, strongAuthRequired=0x1\n";
    const TRUST_OPEN: &str = "Trust manager state:\n User \"Owner\" (id=0, flags=0x13) (current): trusted=0, trustManaged=0, deviceLocked=0, strongAuthRequired=0x0\n";

    #[test]
    fn a_phone_with_a_secret_that_is_open_is_open() {
        let screen = screen(AWAKE, ANDROID_11_OPEN, TRUST_OPEN);
        assert_eq!(screen, Screen { awake: Some(true), locked: Some(false), secure: false });
        assert!(screen.is_ready());
    }

    #[test]
    fn only_a_lock_that_asks_for_a_secret_is_secure() {
        let locked = Screen { awake: Some(true), locked: Some(true), secure: true };
        assert_eq!(screen(AWAKE, ANDROID_14_LOCKED, TRUST_LOCKED), locked);
        // Its owner's watch is near: the lock is there but asks for nothing.
        let trusted = screen(AWAKE, ANDROID_14_LOCKED, TRUST_OPEN);
        assert_eq!(trusted, Screen { secure: false, ..locked });
        // Without a word of trust the lock's own word counts.
        assert_eq!(screen(AWAKE, ANDROID_14_LOCKED, ""), locked);
    }

    #[test]
    fn a_phone_that_dozes_is_not_awake() {
        let screen =
            screen(DOZING, "  KeyguardServiceDelegate\n    showing=true\n    secure=false\n", "");
        assert_eq!(screen, Screen { awake: Some(false), locked: Some(true), secure: false });
    }

    #[test]
    fn an_old_phone_says_it_in_other_words() {
        let old =
            screen("", "  mShowingLockscreen=false interactiveState=INTERACTIVE_STATE_AWAKE\n", "");
        assert!(old.is_ready());
        assert_eq!(screen("", "", ""), Screen::default());
    }
}
