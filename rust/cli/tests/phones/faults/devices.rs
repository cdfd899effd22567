//! Phones that are not there, not alone, or not to be used.

use crate::support::{Desk, Program, action, until};
use clawperator_adbd::Presence;
use clawperator_lab::{Adb, Lab, options};
use clawperator_simphone::device::{Lock, Options};
use clawperator_simphone::system::OperatorPackage;
use serde_json::json;
use std::sync::Arc;

#[test]
fn no_phone_at_all() {
    let host = Adb::start();
    let program = Program::at(host.port, &host.program());
    program.run(&["snapshot"]).failed("NO_DEVICES");
}

#[test]
fn a_phone_that_is_not_there_is_told_with_those_that_are() {
    let host = Adb::start();
    let lab = Lab::at(&host, options(), vec![OperatorPackage::current()]);
    let program = Program::at(host.port, &host.program());
    for link in ["socket", "broadcast"] {
        let answer = program.run(&["--device", "nobody", "snapshot", "--link", link]);
        let answer = answer.failed("DEVICE_NOT_FOUND");
        assert_eq!(*answer.detail("connected"), json!([lab.serial]), "{link}");
        assert!(answer.message().contains("nobody"), "{}", answer.message());
    }
}

#[test]
fn one_of_several_phones_has_to_be_named() {
    let host = Adb::start();
    let labs = [(); 2].map(|()| Lab::at(&host, options(), vec![OperatorPackage::current()]));
    let program = Program::at(host.port, &host.program());
    let answer = program.run(&["press", "home"]).failed("MULTIPLE_DEVICES_DEVICE_ID_REQUIRED");
    let mut told: Vec<&str> =
        answer.detail("devices").as_array().unwrap().iter().map(|d| d.as_str().unwrap()).collect();
    let mut there: Vec<&str> = labs.iter().map(|lab| lab.serial.as_str()).collect();
    told.sort_unstable();
    there.sort_unstable();
    assert_eq!(told, there);
    for lab in &labs {
        let answer = program.run(&["press", "home", "--device", &lab.serial]).succeeded();
        assert_eq!(answer.json["deviceId"], lab.serial.as_str());
    }
}

/// A phone in this state, at a server of its own.
fn phone_that_is(presence: Presence, word: &str) -> (Arc<Adb>, Lab) {
    let host = Adb::start();
    let lab = Lab::at(&host, options(), vec![OperatorPackage::current()]);
    let listed = || host.run(&["devices"]).text().contains(&format!("{}\t{word}", lab.serial));
    lab.phone.server().set_presence(presence);
    if presence == Presence::Unauthorized {
        host.run(&["disconnect", &lab.serial]);
        host.run(&["connect", &lab.serial]);
    }
    until(word, listed);
    (host, lab)
}

#[test]
fn a_phone_that_has_not_allowed_this_computer() {
    let (host, lab) = phone_that_is(Presence::Unauthorized, "unauthorized");
    let program = Program::at(host.port, &host.program());
    let listed = program.run(&["devices"]).went_well();
    assert_eq!(listed.json["devices"][0]["state"], "unauthorized");
    for args in [&["snapshot"][..], &["snapshot", "--device", &lab.serial]] {
        let answer = program.run(args).failed("DEVICE_UNAUTHORIZED");
        assert_eq!(answer.detail("serial"), lab.serial.as_str(), "{args:?}");
    }
}

#[test]
fn a_phone_that_is_offline() {
    let (host, lab) = phone_that_is(Presence::Offline, "offline");
    let program = Program::at(host.port, &host.program());
    let answer = program.run(&["snapshot"]).failed("DEVICE_OFFLINE");
    assert_eq!(answer.detail("serial"), lab.serial.as_str());
}

#[test]
fn a_phone_on_the_network_that_does_not_come_back_is_offline_or_gone() {
    let (host, lab) = phone_that_is(Presence::Offline, "offline");
    // It is called again, and until then the server may have forgotten it.
    let program = Program::at(host.port, &host.program()).on(&lab.serial);
    let answer = program.run(&["snapshot"]);
    let code = answer.json["code"].as_str().unwrap_or_default().to_owned();
    assert!(["DEVICE_OFFLINE", "DEVICE_NOT_FOUND"].contains(&code.as_str()), "{}", answer.out);
    answer.failed(&code);
}

#[test]
fn a_screen_that_is_off_is_woken() {
    for lock in [Lock::None, Lock::Swipe] {
        let desk = Desk::with(Options { lock, ..options() }, vec![OperatorPackage::current()]);
        desk.system().device.sleep();
        desk.run(&["snapshot"]).succeeded();
        assert!(desk.system().device.focus().is_some(), "{lock:?}");
    }
}

#[test]
fn nothing_behind_a_secure_lock_is_read_or_touched() {
    let options = Options { lock: Lock::Secure, ..options() };
    for link in ["socket", "broadcast"] {
        let desk = Desk::with(options.clone(), vec![OperatorPackage::current()]);
        let secret = desk.run(&["snapshot"]).succeeded();
        assert!(secret.data(0, "text").contains("Climate"));
        desk.system().device.sleep();
        let answer = desk.run(&["snapshot", "--link", link]).step_failed("SCREEN_LOCKED");
        assert!(!answer.out.contains("Climate"), "{}", answer.out);
        let tap = json!([action("tap", "click", json!({ "coordinate": { "x": 5, "y": 9 } }))]);
        desk.exec(&tap, &["--link", link]).step_failed("SCREEN_LOCKED");
        assert!(desk.system().device.is_locked());
        desk.system().device.unlock();
        desk.run(&["snapshot", "--link", link]).succeeded();
    }
}

#[test]
fn a_screen_that_does_not_come_on() {
    let desk =
        Desk::with(Options { lock: Lock::None, ..options() }, vec![OperatorPackage::current()]);
    // Whoever wakes it finds it asleep again.
    let phone = Arc::downgrade(desk.system());
    desk.system().device.listen(Box::new(move |_, _| {
        if let Some(system) = phone.upgrade() {
            system.device.sleep();
        }
    }));
    desk.system().device.sleep();
    desk.run(&["snapshot"]).step_failed("DEVICE_NOT_INTERACTIVE");
}
