//! `emulator stop`, with a console of the emulator that is a thread.

use crate::world::{SHORT, World, contains, failed};
use clawperator_contract::ErrorCode;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

/// What the console does with the order to end.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    Obeys,
    Refuses,
    Ignores,
}

/// A console at some port; answers with the serial that names it, and what it was told.
fn console(token: Option<&'static str>, manner: Manner) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let serial = format!("emulator-{}", listener.local_addr().unwrap().port());
    let thread = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let mut say = |text: &str| stream.write_all(format!("{text}\r\n").as_bytes()).unwrap();
        if token.is_some() {
            say("Android Console: Authentication required");
            say("Android Console: type 'auth <auth_token>' to authenticate");
        }
        say("OK");
        let mut told = Vec::new();
        for line in lines {
            let line = line.unwrap();
            told.push(line.clone());
            match line.strip_prefix("auth ") {
                Some(given) if Some(given) == token => {
                    say("Android Console: type 'help' for a list of commands");
                    say("OK");
                }
                Some(_) => say("KO: authentication token does not match"),
                None if manner == Manner::Refuses => say("KO: not now"),
                None => {
                    say("OK: killing emulator, bye bye");
                    break;
                }
            }
        }
        if manner == Manner::Ignores {
            // Never taken off the list, and its port stays open: the listener is leaked.
            std::mem::forget(listener);
        }
        told
    });
    (serial, thread)
}

fn world(serial: &str) -> World {
    let world = World::new();
    world.avd("pixel", 35, "x86_64");
    world.running(serial, "pixel");
    world
}

#[test]
fn an_emulator_is_stopped_and_gone() {
    let (serial, console) = console(None, Manner::Obeys);
    let world = world(&serial);
    let name = serial.clone();
    world.phones.then(move |adb| adb.remove(&name));
    let stopped = serde_json::to_value(world.emulators().stop("pixel").unwrap()).unwrap();
    assert_eq!(
        stopped,
        json!({ "ok": true, "avdName": "pixel", "serial": serial, "stopped": true })
    );
    assert_eq!(console.join().unwrap(), ["kill"]);
    assert!(world.emulators().status().unwrap().devices.is_empty(), "it was waited for");
}

#[test]
fn a_console_that_wants_a_token_gets_the_one_of_the_home() {
    let (serial, console) = console(Some("s3cret"), Manner::Obeys);
    let world = world(&serial);
    world.write("home/.emulator_console_auth_token", "s3cret\n");
    world.phones.then(move |adb| adb.remove(&serial));
    world.emulators().stop("pixel").unwrap();
    assert_eq!(console.join().unwrap(), ["auth s3cret", "kill"]);
}

#[test]
fn a_wrong_or_missing_token_is_told() {
    let (serial, console) = console(Some("s3cret"), Manner::Obeys);
    let wrong = world(&serial);
    wrong.write("home/.emulator_console_auth_token", "guess");
    let failure = failed(wrong.emulators().stop("pixel"), ErrorCode::EmulatorStopFailed);
    contains(&failure.message, "KO: authentication token does not match");
    assert_eq!(console.join().unwrap(), ["auth guess"], "nothing was killed");

    let (serial, console) = self::console(Some("s3cret"), Manner::Obeys);
    let missing = world(&serial);
    let failure = failed(missing.emulators().stop("pixel"), ErrorCode::EmulatorStopFailed);
    contains(&failure.message, ".emulator_console_auth_token");
    assert!(console.join().unwrap().is_empty());
}

#[test]
fn a_console_that_refuses_or_is_not_there_is_told() {
    let (serial, console) = console(None, Manner::Refuses);
    let world = world(&serial);
    let failure = failed(world.emulators().stop("pixel"), ErrorCode::EmulatorStopFailed);
    contains(&failure.message, "KO: not now");
    assert_eq!(failure.details["serial"], serial);
    console.join().unwrap();
    // Now nobody listens at its port.
    let failure = failed(world.emulators().stop("pixel"), ErrorCode::EmulatorStopFailed);
    contains(&failure.message, "the emulator's console at port");
}

#[test]
fn an_emulator_that_does_not_end_is_told() {
    let (serial, console) = console(None, Manner::Ignores);
    let world = world(&serial);
    let mut emulators = world.emulators();
    emulators.limits.stop = SHORT;
    let failure = failed(emulators.stop("pixel"), ErrorCode::EmulatorStopFailed);
    contains(&failure.message, "was told to end but runs on after 0.3 s");
    console.join().unwrap();
}

#[test]
fn off_adb_is_not_gone_while_its_port_is_open() {
    let (serial, console) = console(None, Manner::Ignores);
    let world = world(&serial);
    let mut emulators = world.emulators();
    emulators.limits.stop = SHORT;
    world.phones.then(move |adb| adb.remove(&serial));
    failed(emulators.stop("pixel"), ErrorCode::EmulatorStopFailed);
    console.join().unwrap();
}

#[test]
fn what_does_not_run_or_does_not_exist_is_not_stopped() {
    let world = World::new();
    world.avd("pixel", 35, "x86_64");
    failed(world.emulators().stop("pixel"), ErrorCode::EmulatorNotRunning);
    failed(world.emulators().stop("pixle"), ErrorCode::EmulatorNotFound);
}
