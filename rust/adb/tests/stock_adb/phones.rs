//! Which phones there are, and in what state.

use crate::{device, not_ready, server, short, soon};
use clawperator_adb::{AdbError, State};
use clawperator_adbd::{Auth, Presence, PublicKey};
use clawperator_lab::{Adb, Lab, adb, options};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

#[test]
fn the_server_has_a_version_and_a_list() {
    let lab = Lab::new();
    let server = server(adb());
    assert!(server.is_running(soon()));
    assert_eq!(server.version(soon()), Ok(41));
    let listed = server.devices(soon()).unwrap();
    let listed = listed.iter().find(|one| one.serial == lab.serial).unwrap();
    assert_eq!((&listed.state, listed.model.as_deref()), (&State::Device, Some("Sim_Phone")));
    assert_eq!(listed.product.as_deref(), Some("sim_phone"));
    assert!(listed.transport_id.is_some());
    assert_eq!(device(&lab).state(soon()), Ok(State::Device));
    assert_eq!(device(&lab).wait_until_ready(soon()), Ok(()));
}

#[test]
fn a_phone_nobody_connected_is_not_found() {
    let device = server(adb()).device("nothing");
    let expected = AdbError::DeviceNotFound { serial: "nothing".into() };
    assert_eq!(device.shell("id", soon()), Err(expected.clone()));
    assert_eq!(device.open("exec:id", soon()).unwrap_err(), expected);
    assert_eq!(device.state(soon()), Err(expected.clone()));
    assert_eq!(not_ready(&device), expected);
}

#[test]
fn connecting_goes_well_twice_and_says_why_not() {
    let lab = Lab::unconnected(options(), vec![], Auth::NoAuth);
    let server = server(&lab.host);
    assert_eq!(server.connect(&lab.serial, soon()), Ok(format!("connected to {}", lab.serial)));
    let again = format!("already connected to {}", lab.serial);
    assert_eq!(server.connect(&lab.serial, soon()), Ok(again));
    lab.phone.server().close();
    server.disconnect(&lab.serial, soon()).unwrap();
    let error = server.connect(&lab.serial, soon()).unwrap_err();
    let AdbError::Refused { message, .. } = error else { panic!("{error}") };
    assert!(message.contains("Connection refused"), "{message}");
}

#[test]
fn every_change_of_the_list_is_told() {
    let host = Adb::start();
    let mut tracker = server(&host).track(soon()).unwrap();
    assert_eq!(tracker.next(soon()), Ok(vec![]));
    let lab = Lab::at(&host, options(), vec![]);
    while tracker.next(soon()).unwrap().iter().all(|one| one.state != State::Device) {}
    drop(lab);
    while !tracker.next(soon()).unwrap().is_empty() {}
    assert!(matches!(tracker.next(short()), Err(AdbError::TimedOut { .. })));
}

#[test]
fn a_phone_that_comes_late_is_waited_for() {
    let host = Adb::start();
    let lab = Lab::at(&host, options(), vec![]);
    server(&host).disconnect(&lab.serial, soon()).unwrap();
    thread::scope(|scope| {
        let device = device(&lab);
        let waiting = scope.spawn(move || device.wait_until_ready(soon()));
        lab.connect();
        assert_eq!(waiting.join().unwrap(), Ok(()));
    });
}

#[test]
fn a_phone_without_our_key_is_unauthorized_until_it_takes_it() {
    let (show, shown) = channel();
    let show = Mutex::new(show);
    let on_new_key = Box::new(move |key: &PublicKey| {
        show.lock().unwrap_or_else(PoisonError::into_inner).send(key.clone()).unwrap();
        false
    });
    let auth = Auth::AcceptKeys { known: vec![], on_new_key };
    let lab = Lab::unconnected(options(), vec![], auth);
    let (server, device) = (server(&lab.host), device(&lab));
    let expected = AdbError::DeviceUnauthorized { serial: lab.serial.clone() };
    assert_eq!(server.connect(&lab.serial, soon()), Err(expected.clone()));
    assert_eq!(device.shell("id", soon()), Err(expected.clone()));
    assert_eq!(device.state(soon()), Ok(State::Unauthorized));
    assert_eq!(not_ready(&device), expected);
    lab.phone.server().accept_key(&shown.recv().unwrap());
    assert_eq!(device.wait_until_ready(soon()), Ok(()));
    assert!(device.shell("id", soon()).unwrap().text().starts_with("uid=2000(shell)"));
}

#[test]
fn a_phone_that_hangs_up_is_offline() {
    let lab = Lab::new();
    let device = device(&lab);
    lab.phone.server().set_presence(Presence::Offline);
    lab.does(&["wait-for-disconnect"]);
    let expected = AdbError::DeviceOffline { serial: lab.serial.clone() };
    assert_eq!(device.shell("id", soon()), Err(expected.clone()));
    assert_eq!(device.state(soon()), Ok(State::Offline));
    assert_eq!(not_ready(&device), expected);
    lab.phone.server().set_presence(Presence::Online);
    server(&lab.host).disconnect(&lab.serial, soon()).unwrap();
    server(&lab.host).connect(&lab.serial, soon()).unwrap();
    assert_eq!(device.wait_until_ready(soon()), Ok(()));
}
