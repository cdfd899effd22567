//! `adb connect`, `adb devices`, keys.

use clawperator_adbd::{Auth, PublicKey};
use clawperator_lab::{Lab, adb, options};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};

#[test]
fn a_phone_is_listed_by_its_model() {
    let lab = Lab::new();
    let listed = adb().run(&["devices", "-l"]).out();
    let line = listed.lines().find(|line| line.starts_with(&lab.serial)).expect(&listed);
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(
        words[1..5],
        ["device", "product:sim_phone", "model:Sim_Phone", "device:sim_phone"],
        "{line}"
    );
    assert_eq!(lab.does(&["get-state"]).out(), "device\n");
    lab.does(&["wait-for-device"]);
    // `adb get-serialno` is the address it was connected by; the phone has its own.
    assert_eq!(lab.shell("getprop ro.serialno"), "SIM0001\n");
}

#[test]
fn a_phone_that_is_switched_off_is_gone() {
    let lab = Lab::new();
    let serial = lab.serial.clone();
    assert!(adb().run(&["devices"]).out().contains(&format!("{serial}\tdevice")));
    drop(lab);
    assert!(!adb().run(&["devices"]).out().contains(&serial));
    assert!(adb().run(&["connect", &serial]).text().contains("failed to connect"));
}

#[test]
fn a_host_shows_its_key_and_comes_in_when_it_is_accepted() {
    let (show, shown) = channel();
    let show = Mutex::new(show);
    let on_new_key = Box::new(move |key: &PublicKey| {
        show.lock().unwrap_or_else(PoisonError::into_inner).send(key.clone()).unwrap();
        false
    });
    let auth = Auth::AcceptKeys { known: vec![], on_new_key };
    let lab = Lab::unconnected(options(), vec![], auth);
    let ran = adb().run(&["connect", &lab.serial]);
    assert!(ran.text().contains("failed to authenticate"), "{}", ran.text());
    assert!(lab.adb(&["shell", "id"]).text().contains("unauthorized"));
    let key = shown.recv().unwrap();
    let own = std::fs::read_to_string(adb().home.join(".android/adbkey.pub")).unwrap();
    assert_eq!(key.line(), own.trim());
    lab.phone.server().accept_key(&key);
    lab.does(&["wait-for-device"]);
    assert!(lab.shell("id").starts_with("uid=2000(shell)"));
}
