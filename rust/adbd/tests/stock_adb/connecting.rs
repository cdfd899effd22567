//! `adb connect`, `adb devices`, keys, many devices, and links that end.

use std::io::Read;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread;

use clawperator_adbd::{Auth, Presence, PublicKey, Server};

use crate::support::phone::TestPhone;
use clawperator_lab::{Adb, finish};

#[test]
fn a_device_is_listed_as_it_introduced_itself() {
    let adb = Adb::start();
    let (_phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    let listed = adb.run(&["devices", "-l"]).text();
    let line = listed.lines().find(|line| line.starts_with(&serial)).expect(&listed);
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(
        words[1..5],
        ["device", "product:test_phone", "model:Test_Phone", "device:testphone"],
        "{line}"
    );
    assert_eq!(adb.on(&serial, &["get-state"]).text(), "device\n");
    let features = adb.on(&serial, &["features"]).text();
    assert_eq!(
        features.split_whitespace().collect::<Vec<_>>().len(),
        clawperator_adbd::FEATURES.len(),
        "{features}"
    );
    assert_eq!(adb.run(&["disconnect", &serial]).code, Some(0));
    assert!(!adb.run(&["devices"]).text().contains(&serial));
}

#[test]
fn wait_for_device_waits_for_it() {
    let adb = Adb::start();
    let (_phone, server) = TestPhone::listen();
    let serial = format!("127.0.0.1:{}", server.port());
    let args = ["-s", &serial, "wait-for-device"];
    let mut waiting = adb.command(&args).spawn().unwrap();
    adb.run(&["devices"]);
    assert!(waiting.try_wait().unwrap().is_none());
    adb.connect(server.port());
    assert_eq!(finish(waiting, &args).code, Some(0));
}

#[test]
fn a_host_is_unauthorized_until_its_key_is_accepted() {
    let adb = Adb::start();
    let (show, shown) = channel();
    let show = Mutex::new(show);
    let on_new_key = Box::new(move |key: &PublicKey| {
        show.lock().unwrap().send(key.clone()).unwrap();
        false
    });
    let auth = Auth::AcceptKeys { known: vec![], on_new_key };
    let server = Server::bind("127.0.0.1:0", TestPhone::new(), auth).unwrap();
    let serial = format!("127.0.0.1:{}", server.port());
    let ran = adb.run(&["connect", &serial]);
    assert!(ran.text().contains("failed to authenticate"), "{}", ran.text());
    assert!(adb.run(&["devices"]).text().contains(&format!("{serial}\tunauthorized")));
    let ran = adb.run(&["-s", &serial, "shell", "echo", "hello"]);
    assert!(ran.text().contains("unauthorized"), "{}", ran.text());

    let key = shown.recv().unwrap();
    let kept = std::fs::read_to_string(adb.home.join(".android/adbkey.pub")).unwrap();
    assert_eq!(key.line(), kept.trim());
    server.accept_key(&key);
    adb.on(&serial, &["wait-for-device"]);
    assert_eq!(adb.on(&serial, &["shell", "echo", "hello"]).stdout, b"hello\n");
    // The next time its signature is enough.
    adb.run(&["disconnect", &serial]);
    adb.connect(server.port());
    assert!(shown.try_recv().is_err());
}

#[test]
fn twenty_devices_at_once() {
    let adb = Adb::start();
    let devices: Vec<_> = (0..20).map(|_| TestPhone::listen()).collect();
    thread::scope(|scope| {
        for (_phone, server) in &devices {
            let adb = &adb;
            scope.spawn(move || {
                let serial = adb.connect(server.port());
                let ran = adb.on(&serial, &["shell", "echo", &serial]);
                assert_eq!(ran.stdout, format!("{serial}\n").as_bytes());
            });
        }
    });
    assert_eq!(adb.run(&["devices"]).text().matches("\tdevice").count(), 20);
    assert!(devices.iter().all(|(_, server)| server.hosts() == 1));
}

#[test]
fn a_host_that_is_killed_leaves_the_device_as_it_was() {
    let adb = Adb::start();
    let (_phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    let mut child = adb.command(&["-s", &serial, "shell", "flood"]).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 100_000]).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(adb.on(&serial, &["shell", "echo", "alive"]).stdout, b"alive\n");
    // And the whole server, in the middle of it.
    let mut child = adb.command(&["-s", &serial, "shell", "flood"]).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 100_000]).unwrap();
    adb.run(&["kill-server"]);
    child.kill().unwrap();
    child.wait().unwrap();
    // Waits for the flood's thread: it has noticed.
    server.close();
}

#[test]
fn a_link_that_is_cut_ends_what_it_carried() {
    let adb = Adb::start();
    let (_phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    let args = ["-s", &serial, "shell", "flood"];
    server.cut_after(3_000_000);
    let ran = finish(adb.command(&args).spawn().unwrap(), &args);
    // adb 36 says 1 then, adb 34 says 0: only what came through tells.
    assert!(ran.stdout.len() > 2_000_000 && ran.stdout.len() < 3_000_000);
    adb.run(&["disconnect", &serial]);
    adb.connect(server.port());
    adb.on(&serial, &["shell", "echo", "back"]);
}

#[test]
fn a_device_can_be_offline_and_unauthorized() {
    let adb = Adb::start();
    let (_phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    server.set_presence(Presence::Offline);
    adb.run(&["-s", &serial, "wait-for-disconnect"]);
    let listed = adb.run(&["devices"]).text();
    assert!(listed.contains(&format!("{serial}\toffline")), "{listed}");
    adb.run(&["disconnect", &serial]);
    server.set_presence(Presence::Unauthorized);
    adb.run(&["connect", &serial]);
    let listed = adb.run(&["devices"]).text();
    assert!(listed.contains(&format!("{serial}\tunauthorized")), "{listed}");
}
