//! `getprop`, `settings`, `wm`, `dumpsys`: what the phone says of itself, and its screen off and
//! locked.

use clawperator_lab::{Lab, options};
use clawperator_simphone::device::{Lock, Options};

#[test]
fn properties_are_told() {
    let lab = Lab::new();
    assert_eq!(lab.shell("getprop ro.product.model"), "Sim Phone\n");
    assert_eq!(lab.shell("getprop ro.build.version.sdk"), "35\n");
    assert_eq!(lab.shell("getprop sys.boot_completed"), "1\n");
    assert_eq!(lab.shell("getprop no.such.thing"), "\n");
    assert_eq!(lab.shell("getprop no.such.thing else"), "else\n");
    let all = lab.shell("getprop");
    assert!(all.contains("[ro.product.cpu.abi]: [arm64-v8a]\n"), "{all}");
}

#[test]
fn settings_are_read_written_listed_and_forgotten() {
    let lab = Lab::new();
    assert_eq!(lab.shell("settings get global adb_enabled"), "1\n");
    assert_eq!(lab.shell("settings get secure my_key"), "null\n");
    assert_eq!(lab.shell("settings put secure my_key 'two words'"), "");
    assert_eq!(lab.shell("settings get secure my_key"), "two words\n");
    assert!(lab.shell("settings list secure").contains("my_key=two words\n"));
    assert!(!lab.shell("settings list global").contains("my_key"));
    assert_eq!(lab.shell("settings put system number -1"), "");
    assert_eq!(lab.shell("settings --user 0 get system number"), "-1\n");
    assert_eq!(lab.shell("settings delete secure my_key"), "Deleted 1 rows\n");
    assert_eq!(lab.shell("settings delete secure my_key"), "Deleted 0 rows\n");
    assert_eq!(lab.adb(&["shell", "settings get nowhere my_key"]).code, Some(255));
}

#[test]
fn the_screen_has_a_size_and_a_density() {
    let lab = Lab::new();
    assert_eq!(lab.shell("wm size"), "Physical size: 1080x2400\n");
    assert_eq!(lab.shell("wm density"), "Physical density: 420\n");
    assert!(lab.shell("dumpsys display").contains("orientation=0, "));
    assert!(lab.shell("dumpsys window displays").contains("init=1080x2400 420dpi cur=1080x2400"));
}

#[test]
fn what_is_in_front_is_told_by_both_managers() {
    let lab = Lab::new();
    lab.shell("am start -W -d settings://about");
    let app = "u0 com.android.settings/.AboutPhone";
    let windows = lab.shell("dumpsys window windows");
    assert!(windows.contains(&format!("{{1a2b3c {app}")), "{windows}");
    assert!(windows.contains(&format!("mFocusedApp=ActivityRecord{{4d5e6f {app}")), "{windows}");
    let activities = lab.shell("dumpsys activity activities");
    let resumed = format!("mResumedActivity: ActivityRecord{{4d5e6f {app}");
    assert!(activities.contains(&resumed), "{activities}");
    assert!(activities.contains("topResumedActivity="), "{activities}");
    let said = lab.shell("dumpsys package com.example.none");
    assert_eq!(said, "Unable to find package: com.example.none\n");
    assert!(lab.shell("dumpsys package com.example.news").contains("versionName=7.0\n"));
    let ran = lab.adb(&["shell", "dumpsys nonsense"]);
    assert_eq!(ran.text(), "Can't find service: nonsense\n");
}

fn power(lab: &Lab) -> String {
    lab.shell("dumpsys power | grep mWakefulness=").trim().to_owned()
}

fn locked(lab: &Lab) -> bool {
    lab.shell("dumpsys window").contains("isKeyguardShowing=true")
}

#[test]
fn the_screen_goes_off_and_on_and_its_lock_is_swiped_away() {
    let lab = Lab::new();
    assert_eq!(power(&lab), "mWakefulness=Awake");
    lab.shell("input keyevent 26");
    assert_eq!(power(&lab), "mWakefulness=Asleep");
    assert!(lab.shell("dumpsys power").contains("Display Power: state=OFF"));
    lab.shell("input keyevent 224");
    assert_eq!(power(&lab), "mWakefulness=Awake");
    assert!(locked(&lab));
    let window = lab.shell("dumpsys window | grep mCurrentFocus");
    assert!(window.contains("NotificationShade"), "{window}");
    lab.shell("wm dismiss-keyguard");
    assert!(!locked(&lab));
    lab.shell("input keyevent KEYCODE_SLEEP");
    lab.shell("input keyevent KEYCODE_WAKEUP");
    lab.shell("input swipe 540 2000 540 400 200");
    assert!(!locked(&lab));
}

#[test]
fn a_lock_with_a_secret_stays() {
    let lab = Lab::with(Options { lock: Lock::Secure, ..options() }, vec![]);
    lab.shell("input keyevent 26");
    lab.shell("input keyevent 26");
    assert_eq!(power(&lab), "mWakefulness=Awake");
    lab.shell("wm dismiss-keyguard");
    assert!(locked(&lab));
    lab.phone.system().device.unlock();
    assert!(!locked(&lab));
}
