//! Whatever comes in: the connection is closed with a line in the log, and the device lives.

use std::sync::{Mutex, Once};

use clawperator_adbd::packet::{Command, Packet};

use crate::host::Host;
use crate::support::phone::TestPhone;

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
static LISTENING: Once = Once::new();

struct Lines;

impl log::Log for Lines {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        LINES.lock().unwrap().push(record.args().to_string());
    }

    fn flush(&self) {}
}

/// Sends `bytes` and asserts that the device hangs up, says why, and serves the next host.
fn hangs_up(mut host: Host, server: &clawperator_adbd::Server, bytes: &[u8], why: &str) {
    LISTENING.call_once(|| {
        log::set_logger(&Lines).unwrap();
        log::set_max_level(log::LevelFilter::Warn);
    });
    host.send_bytes(bytes);
    host.until_hung_up();
    let lines = LINES.lock().unwrap().clone();
    assert!(lines.iter().any(|line| line.contains(why)), "no {why:?} in {lines:?}");
    let mut next = Host::online(server.port());
    let stream = next.open(1, "shell:echo alive");
    next.expect(Command::Write, stream, 1, b"alive\n");
}

fn packet(command: Command, arg0: u32, arg1: u32, payload: &[u8]) -> Vec<u8> {
    Packet { command, arg0, arg1, payload: payload.to_vec() }.to_bytes(true)
}

fn header(words: [u32; 6]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn before_the_greeting() {
    let (_phone, server) = TestPhone::listen();
    let write = u32::from_le_bytes(*b"WRTE");
    let connect = u32::from_le_bytes(*b"CNXN");
    for (bytes, why) in [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec(), "not an adb packet"),
        (header([write, 1, 2, u32::MAX, 0, !write]), "4294967295 bytes, 4096 are allowed"),
        (header([connect, 0, 0, 4097, 0, !connect]), "4097 bytes"),
        (header([0, 0, 0, 0, 0, u32::MAX]), "unknown command"),
        (header([connect, 0x0100_0001, 1 << 20, 0, 5, !connect]), "checksum 0x5"),
        (packet(Command::Connect, 7, 1 << 20, b""), "version 0x00000007"),
        (packet(Command::Connect, 0x0100_0001, 0, b""), "payloads of 0 bytes"),
        (packet(Command::Auth, 2, 0, b""), "AUTH of kind 2"),
        (packet(Command::Open, 1, 0, b"shell:\0"), "OPEN before the handshake"),
    ] {
        hangs_up(Host::silent(server.port()), &server, &bytes, why);
    }
}

#[test]
fn after_the_greeting() {
    let (_phone, server) = TestPhone::listen();
    let write = u32::from_le_bytes(*b"WRTE");
    let greeting = packet(Command::Connect, 0x0100_0001, 1 << 20, b"");
    for (bytes, why) in [
        (header([write, 1, 2, 256 * 1024 + 1, 0, !write]), "262145 bytes"),
        (packet(Command::Open, 0, 0, b"shell:\0"), "OPEN for stream 0"),
        (greeting, "greeted twice"),
    ] {
        hangs_up(Host::online(server.port()), &server, &bytes, why);
    }
}

#[test]
fn a_host_that_writes_again_before_it_was_acknowledged() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let idle = host.open(7, "test:idle");
    host.send(Command::Write, 7, idle, b"one");
    let again = packet(Command::Write, 7, idle, b"two");
    hangs_up(host, &server, &again, "stream 7 wrote again");
}

#[test]
fn a_key_that_is_none() {
    let auth = clawperator_adbd::Auth::AcceptKeys {
        known: vec![],
        on_new_key: Box::new(|_| panic!("shown what is no key")),
    };
    let server = clawperator_adbd::Server::bind("127.0.0.1:0", TestPhone::new(), auth).unwrap();
    let mut host = Host::greeting(server.port());
    assert_eq!(host.read().command, Command::Auth);
    host.send(Command::Auth, 3, 0, b"\xff not a key");
    assert_eq!(host.until_hung_up(), b"");
}

#[test]
fn every_prefix_of_a_conversation() {
    let (_phone, server) = TestPhone::listen();
    let mut conversation = packet(Command::Connect, 0x0100_0001, 1 << 20, b"host::");
    conversation.extend(packet(Command::Open, 1, 0, b"localabstract:echo\0"));
    conversation.extend(packet(Command::Write, 1, 1, b"hello"));
    for end in 0..conversation.len() {
        let mut host = Host::silent(server.port());
        host.send_bytes(&conversation[..end]);
        host.leave();
    }
    let mut host = Host::online(server.port());
    host.open(1, "test:idle");
}

#[test]
fn noise() {
    let (_phone, server) = TestPhone::listen();
    // Any generator will do; this one is Numerical Recipes' and needs no crate.
    let mut seed = 1_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed
    };
    let letters = [*b"CNXN", *b"AUTH", *b"OPEN", *b"OKAY", *b"WRTE", *b"CLSE"];
    for _ in 0..200 {
        let mut host = Host::online(server.port());
        let mut bytes = Vec::new();
        for _ in 0..20 {
            let command = u32::from_le_bytes(letters[next() as usize % letters.len()]);
            let length = next() % 64;
            bytes.extend(header([command, next() % 8, next() % 8, length, 0, !command]));
            bytes.extend((0..length).map(|_| next().to_le_bytes()[3]));
        }
        host.send_bytes(&bytes);
        host.leave();
    }
    let mut host = Host::online(server.port());
    host.open(1, "test:idle");
}
