//! `am`, `monkey`, `pm` and `cmd package`: apps started, stopped and asked about.

use clawperator_lab::Lab;

const SETTINGS: &str = "com.android.settings";

/// What is in front, as tools find it out.
fn focus(lab: &Lab) -> String {
    let windows = lab.shell("dumpsys window | grep mCurrentFocus");
    windows.trim().trim_end_matches('}').rsplit(' ').next().unwrap().to_owned()
}

#[test]
fn an_app_is_started_waited_for_and_stopped() {
    let lab = Lab::new();
    let said = lab.shell("am start -W -n com.android.settings/.Settings");
    assert!(said.starts_with("Starting: Intent { cmp=com.android.settings/"), "{said}");
    assert!(said.contains("\nStatus: ok\n"), "{said}");
    assert!(said.contains("\nActivity: com.android.settings/."), "{said}");
    assert!(said.ends_with("\nComplete\n"), "{said}");
    assert!(focus(&lab).starts_with("com.android.settings/"), "{}", focus(&lab));
    assert_eq!(lab.shell("am force-stop com.android.settings"), "");
    assert!(focus(&lab).starts_with("com.android.launcher3/"), "{}", focus(&lab));
    // One that is in front already is waited for too, but not for long.
    lab.shell("am start -W -n com.android.settings/.Settings");
    let said = lab.shell("am start -W -n com.android.settings/.Settings");
    assert!(said.contains("\nStatus: ok\n"), "{said}");
}

#[test]
fn a_start_without_waiting_comes_soon() {
    let lab = Lab::new();
    lab.shell("am start -n com.clawperator.conformance/.MainActivity");
    lab.until_shows("Add one");
    lab.shell("am start --user 0 -a android.intent.action.MAIN -n com.android.settings/.Settings");
    lab.until_shows("Network & internet");
}

#[test]
fn a_uri_opens_the_screen_that_answers_it() {
    let lab = Lab::new();
    let said = lab.shell("am start -W -a android.intent.action.VIEW -d settings://battery");
    assert!(said.starts_with("Starting: Intent { act=android.intent.action.VIEW dat=settings:"));
    assert!(said.contains("Activity: com.android.settings/.Battery"), "{said}");
    let ran = lab.adb(&["shell", "am start -d nobody://home"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err().starts_with("Error: Activity not started, unable to resolve"), "{ran:?}");
}

#[test]
fn an_app_that_is_not_there_does_not_start() {
    let lab = Lab::new();
    let ran = lab.adb(&["shell", "am start -n com.example.none/.Main"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err().contains("Error"), "{ran:?}");
    let ran = lab.adb(&["shell", "monkey -p com.example.none 1"]);
    assert_eq!(ran.code, Some(252));
    assert!(ran.text().contains("** No activities found to run, monkey aborted."), "{ran:?}");
}

#[test]
fn an_instrumentation_is_nowhere_to_be_found() {
    let lab = Lab::new();
    let component = "com.clawperator.conformance/.ConformanceInstrumentation";
    let ran = lab.adb(&["shell", "am", "instrument", "-w", "-r", "-e", "a", "b", component]);
    let full = component.replace("/.", "/com.clawperator.conformance.");
    let found = format!(
        "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{{{full}}}\n\
         INSTRUMENTATION_STATUS: id=ActivityManagerService\n\
         INSTRUMENTATION_STATUS_CODE: -1\n"
    );
    assert!(ran.text().starts_with(&found), "{ran:?}");
    let failed = format!("android.util.AndroidException: INSTRUMENTATION_FAILED: {full}\n");
    assert!(ran.err().starts_with(&failed), "{ran:?}");
    assert_eq!(ran.code, Some(1));
    // Who does not wait is told only that it failed.
    assert!(lab.adb(&["shell", "am", "instrument", component]).text().starts_with(&failed));
    assert_eq!(lab.adb(&["shell", "am", "instrument"]).code, Some(255));
}

#[test]
fn a_monkey_launches_by_package() {
    let lab = Lab::new();
    let line = "monkey -p com.example.news -c android.intent.category.LAUNCHER 1";
    assert!(lab.shell(line).contains("Events injected: 1\n"));
    lab.until_shows("For you");
}

#[test]
fn packages_are_listed_and_told_apart() {
    let lab = Lab::new();
    let all = lab.shell("pm list packages");
    for package in ["android", SETTINGS, "com.clawperator.operator", "com.example.news"] {
        assert!(all.contains(&format!("package:{package}\n")), "{all}");
    }
    let own = lab.shell("pm list packages -3");
    assert!(own.contains("package:com.example.news\n") && !own.contains(SETTINGS), "{own}");
    assert_eq!(lab.shell("pm list packages -s settings"), format!("package:{SETTINGS}\n"));
    assert_eq!(lab.shell("cmd package list packages settings"), format!("package:{SETTINGS}\n"));
}

#[test]
fn a_package_has_a_path_and_takes_permissions() {
    let lab = Lab::new();
    let path = lab.shell("pm path com.example.news");
    assert_eq!(path, "package:/data/app/com.example.news/base.apk\n");
    let ran = lab.adb(&["shell", "pm path com.example.none"]);
    assert_eq!((ran.code, ran.text().as_str()), (Some(1), ""));
    let notify = "android.permission.POST_NOTIFICATIONS";
    assert_eq!(lab.shell(&format!("pm grant com.clawperator.operator {notify}")), "");
    let dump = lab.shell("dumpsys package com.clawperator.operator");
    assert!(dump.contains(&format!("{notify}: granted=true")), "{dump}");
    let ran = lab.adb(&["shell", &format!("pm grant com.example.none {notify}")]);
    assert_eq!(ran.code, Some(255));
    assert!(ran.err().contains("Unknown package: com.example.none"), "{ran:?}");
}

#[test]
fn an_activity_is_resolved_by_package_and_by_uri() {
    let lab = Lab::new();
    let brief = lab.shell("cmd package resolve-activity --brief com.example.news");
    assert_eq!(brief.lines().last(), Some("com.example.news/.MainActivity"), "{brief}");
    let line = "cmd package resolve-activity --brief -c android.intent.category.LAUNCHER \
                com.android.settings | tail -n 1";
    assert_eq!(lab.shell(line), "com.android.settings/.MainActivity\n");
    let uri = lab.shell("cmd package resolve-activity --brief -d https://news.example.com/a");
    assert_eq!(uri.lines().last(), Some("com.example.news/.MainActivity"), "{uri}");
    assert_eq!(lab.shell("cmd package resolve-activity --brief a.b"), "No activity found\n");
    let all = lab.shell(
        "cmd package query-activities --brief -a android.intent.action.MAIN \
         -c android.intent.category.LAUNCHER",
    );
    for package in [SETTINGS, "com.example.news", "com.clawperator.conformance"] {
        assert!(all.contains(&format!("{package}/.MainActivity\n")), "{all}");
    }
    let ran = lab.adb(&["shell", "cmd nonsense"]);
    assert_eq!((ran.code, ran.err()), (Some(20), "cmd: Can't find service: nonsense\n".into()));
}
