//! Starting a server, with programs that only say they are adb.

use crate::fake::{Fake, SHORT, okay, soon};
use clawperator_adb::{AdbError, Deadline, Server};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, process};

/// A folder with a script called adb, gone with the test.
struct Script(PathBuf);

impl Script {
    fn new(test: &str, lines: &str) -> Self {
        let folder = env::temp_dir().join(format!("adb-starting-{test}-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        // Another process writes it: while one of ours has it open, no thread could run it.
        let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$2" && chmod +x "$2""#;
        let script = Self(folder);
        let mut writing = Command::new("sh");
        writing.args(["-c", write, "sh", lines]).arg(script.program());
        assert!(writing.status().unwrap().success());
        script
    }

    fn program(&self) -> PathBuf {
        self.0.join("adb")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn server(&self) -> Server {
        Server::at("127.0.0.1", free_port(), Some(self.program()))
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[track_caller]
fn failed<T: std::fmt::Debug>(result: Result<T, AdbError>) -> String {
    match result {
        Err(AdbError::ServerFailed { message }) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_server_that_does_not_run_needs_an_adb() {
    let program = PathBuf::from("/nowhere/adb");
    let server = Server::at("127.0.0.1", free_port(), Some(program.clone()));
    let expected = AdbError::ProgramNotFound { tried: vec![program] };
    assert_eq!(server.devices(soon()), Err(expected.clone()));
    assert_eq!(server.program(), Err(expected));
    assert!(!server.is_running(soon()));
}

#[test]
fn a_server_that_runs_needs_no_adb() {
    let fake = Fake::once(|peer| {
        peer.hears("host:devices-l").says(&okay(""));
    });
    assert_eq!(fake.server().devices(soon()), Ok(vec![]));
}

#[test]
fn adb_is_asked_for_a_server_at_the_port_and_has_nothing_to_read() {
    let script = Script::new("asked", r#"cat > "${0%adb}input"; echo "$@" > "${0%adb}args""#);
    let server = script.server();
    server.start(soon()).unwrap();
    let port = server.address().replace("127.0.0.1:", "");
    let args = fs::read_to_string(script.file("args")).unwrap();
    assert_eq!(args, format!("-P {port} start-server\n"));
    assert_eq!(fs::read_to_string(script.file("input")).unwrap(), "");
}

#[test]
fn a_start_that_brings_no_server_is_tried_once() {
    let script = Script::new("once", r#"echo started >> "${0%adb}log""#);
    let server = script.server();
    let message = failed(server.devices(soon()));
    assert!(message.starts_with(&format!("no adb server answers at {}", server.address())));
    assert_eq!(fs::read_to_string(script.file("log")).unwrap(), "started\n");
}

#[test]
fn what_adb_says_when_it_fails_is_told() {
    let script =
        Script::new("words", "echo 'cannot bind'; echo 'ADB server did not ACK' >&2; exit 1");
    let server = script.server();
    let message = failed(server.devices(soon()));
    let (program, address) = (script.program(), server.address());
    let expected = format!(
        "{} cannot start a server at {address}: cannot bind; ADB server did not ACK",
        program.display()
    );
    assert_eq!(message, expected);
    let silent = Script::new("silent", "exit 3");
    let message = failed(silent.server().devices(soon()));
    assert!(message.ends_with("exit status: 3"), "{message}");
}

#[test]
fn an_adb_that_cannot_be_run_is_told() {
    let script = Script::new("bits", "exit 0");
    let program = script.file("plain");
    fs::write(&program, "no program").unwrap();
    let server = Server::at("127.0.0.1", free_port(), Some(program.clone()));
    let message = failed(server.start(soon()));
    let expected = format!("{} cannot start a server at ", program.display());
    assert!(message.starts_with(&expected) && message.contains("ermission denied"), "{message}");
}

#[test]
fn an_adb_that_hangs_is_ended_at_the_deadline() {
    let script = Script::new(
        "hangs",
        r#"echo $$ > "${0%adb}part"; mv "${0%adb}part" "${0%adb}pid"
exec sleep 600"#,
    );
    // A slow computer may not even have begun when the first time is up.
    for wait in [SHORT, 20 * SHORT, 400 * SHORT] {
        match script.server().devices(Deadline::after(wait)) {
            Err(AdbError::TimedOut { during, after }) => {
                assert!(during.starts_with("starting the adb server at 127.0.0.1:"), "{during}");
                assert!(after >= wait, "{after:?}");
            }
            other => panic!("{other:?}"),
        }
        if let Ok(pid) = fs::read_to_string(script.file("pid")) {
            assert!(!Path::new("/proc").join(pid.trim()).exists(), "it still runs");
            return;
        }
    }
    panic!("it never began");
}

#[test]
fn words_nobody_ends_do_not_hold_up_a_failure() {
    // A server that was started may keep what it was given to write to.
    let script =
        Script::new("daemon", "echo oh dear >&2; sleep 600 & echo $! > \"${0%adb}pid\"; exit 1");
    let message = failed(script.server().devices(Deadline::after(Duration::from_secs(600))));
    let pid = fs::read_to_string(script.file("pid")).unwrap();
    assert!(Command::new("kill").arg(pid.trim()).status().unwrap().success());
    assert!(message.ends_with(": oh dear"), "{message}");
}

#[test]
fn a_server_on_another_computer_is_not_started() {
    let script = Script::new("remote", r#"echo started > "${0%adb}log""#);
    // It reaches this computer, but not by a name for this computer.
    let server = Server::at("0.0.0.0", free_port(), Some(script.program()));
    let message = failed(server.devices(soon()));
    assert!(message.starts_with("no adb server answers at 0.0.0.0:"), "{message}");
    let message = failed(server.start(soon()));
    assert!(message.ends_with("is on another computer: start it there"), "{message}");
    assert!(!script.file("log").exists());
}

#[test]
fn a_deadline_that_has_passed_starts_nothing() {
    let script = Script::new("late", r#"echo started > "${0%adb}log""#);
    let late = Deadline::after(Duration::ZERO);
    assert!(matches!(script.server().devices(late), Err(AdbError::TimedOut { .. })));
    assert!(!script.file("log").exists());
}

#[test]
fn a_host_that_has_no_address_is_told() {
    let server = Server::at("no-such-host.invalid", 5037, Some("/nowhere/adb".into()));
    let message = failed(server.devices(soon()));
    assert!(message.contains("host no-such-host.invalid cannot be found"), "{message}");
}
