//! The list every phone is held against: the simulated one passes it, over both links.

use crate::support::Desk;

#[test]
fn a_simulated_phone_conforms_over_the_socket() {
    conforms("socket");
}

#[test]
fn a_simulated_phone_conforms_over_broadcasts() {
    conforms("broadcast");
}

#[track_caller]
fn conforms(link: &str) {
    let desk = Desk::new();
    let report = desk.run(&["conformance", "--link", link]);
    assert_eq!(report.code, Some(0), "{}", report.out);
    assert_eq!(report.json["failed"], 0);
    let checks = report.json["checks"].as_array().unwrap();
    assert!(checks.len() >= 30);
    assert_eq!(report.json["passed"], checks.len());
    assert!(checks.iter().all(|check| check["link"] == link), "{}", report.out);
}

#[test]
fn without_the_app_the_run_ends_at_once() {
    let desk = Desk::new();
    desk.lab.shell("pm uninstall com.clawperator.conformance");
    let report = desk.run(&["conformance"]);
    assert_eq!((report.code, &report.json["code"]), (Some(1), &"APP_NOT_FOUND".into()));
}
