//! Phones behind an adb server, which here is a thread that speaks its protocol.

use clawperator_adb::Server;
use clawperator_contract::ErrorCode;
use clawperator_host::emulator::{AdbPhones, Phones};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

const LIST: &str = "emulator-5554 device product:sdk transport_id:1\n\
                    emulator-5556 offline transport_id:2\n\
                    R5CT1 device product:phone transport_id:3\n";
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

/// A server, and a way to say what its list is from now on; without one it ends the tracking.
fn server() -> (AdbPhones, Sender<&'static str>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, changes) = mpsc::channel();
    thread::spawn(move || {
        // Whoever comes second to track finds no list to come any more.
        let mut changes = Some(changes);
        for stream in listener.incoming() {
            serve(stream.unwrap(), &mut changes);
        }
    });
    (AdbPhones::new(Server::at("127.0.0.1", port, None)), sender)
}

fn serve(mut stream: TcpStream, changes: &mut Option<Receiver<&'static str>>) {
    while let Some(request) = request(&mut stream) {
        stream.write_all(b"OKAY").unwrap();
        let text = |mut stream: &TcpStream, text: &str| {
            let _ = stream.write_all(format!("{:04x}{text}", text.len()).as_bytes());
        };
        match &*request {
            "host:devices-l" => text(&stream, LIST),
            "host:track-devices-l" => {
                let Some(changes) = changes.take() else { return };
                thread::spawn(move || changes.into_iter().for_each(|list| text(&stream, list)));
                return;
            }
            // The packets of shell v2: what it printed, then how it ended.
            "shell,v2,raw:getprop ro.boot.qemu.avd_name" => {
                stream.write_all(b"\x01\x06\0\0\0pixel\n\x03\x01\0\0\0\0").unwrap();
            }
            "shell,v2,raw:getprop broken" => {
                stream.write_all(b"\x02\x03\0\0\0no!\x03\x01\0\0\0\x7f").unwrap();
            }
            other => assert!(other.contains("emulator-5554"), "{other}"),
        }
    }
}

fn request(stream: &mut TcpStream) -> Option<String> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let length = usize::from_str_radix(std::str::from_utf8(&length).ok()?, 16).ok()?;
    let mut request = vec![0; length];
    stream.read_exact(&mut request).ok()?;
    String::from_utf8(request).ok()
}

#[test]
fn only_emulators_that_are_ready_count() {
    let (phones, _changes) = server();
    assert_eq!(phones.running().unwrap(), ["emulator-5554"]);
}

#[test]
fn a_property_is_read_without_its_line_end() {
    let (phones, _changes) = server();
    let name = phones.property("emulator-5554", "ro.boot.qemu.avd_name").unwrap();
    assert_eq!(name, "pixel");
    let failure = phones.property("emulator-5554", "broken").unwrap_err();
    assert_eq!(failure.code, ErrorCode::DeviceShellUnavailable);
    assert_eq!(failure.message, "getprop broken failed on emulator-5554: no!");
}

#[test]
fn a_change_ends_the_wait_even_one_between_two_waits() {
    let (phones, changes) = server();
    changes.send(LIST).unwrap();
    phones.wait_for_change(LONG).expect("the first list comes at once");
    phones.wait_for_change(SHORT).expect("that nothing changes is no failure");
    changes.send("").unwrap();
    phones.wait_for_change(LONG).expect("the same tracking goes on");
    drop(changes);
    let failure = phones.wait_for_change(LONG).unwrap_err();
    assert_eq!(failure.code, ErrorCode::AdbServerFailed, "{failure}");
}
