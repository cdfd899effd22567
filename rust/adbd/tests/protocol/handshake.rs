//! Who is let in.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use clawperator_adbd::packet::Command;
use clawperator_adbd::{Auth, KeyError, Presence, PublicKey, Server};

use crate::host::Host;
use crate::support::keys::{PUBLIC_LINE, sign};
use crate::support::phone::TestPhone;

const TOKEN: u32 = 1;
const SIGNATURE: u32 = 2;
const PUBLIC_KEY: u32 = 3;

fn key() -> PublicKey {
    PublicKey::parse(PUBLIC_LINE).unwrap()
}

/// A server that knows `known`, answers `verdict` to a new key, and tells which it was shown.
fn server(known: Vec<PublicKey>, verdict: bool) -> (Server, Receiver<String>) {
    let (show, shown) = channel();
    let show = Mutex::new(show);
    let on_new_key = Box::new(move |key: &PublicKey| {
        show.lock().unwrap().send(key.line().to_owned()).unwrap();
        verdict
    });
    let auth = Auth::AcceptKeys { known, on_new_key };
    (Server::bind("127.0.0.1:0", TestPhone::new(), auth).unwrap(), shown)
}

fn read_token(host: &mut Host) -> Vec<u8> {
    let packet = host.read();
    assert_eq!((packet.command, packet.arg0), (Command::Auth, TOKEN));
    assert_eq!(packet.payload.len(), 20);
    packet.payload
}

fn show_key(host: &mut Host) {
    host.send(Command::Auth, PUBLIC_KEY, 0, format!("{PUBLIC_LINE}\0").as_bytes());
}

#[test]
fn a_known_key_lets_its_host_in() {
    let (server, _) = server(vec![key()], false);
    let mut host = Host::greeting(server.port());
    let token = read_token(&mut host);
    host.send(Command::Auth, SIGNATURE, 0, &sign(&token));
    assert_eq!(host.read().command, Command::Connect);
    assert_eq!(server.hosts(), 1);
}

#[test]
fn the_signature_of_another_token_does_not() {
    let (server, _) = server(vec![key()], false);
    let mut host = Host::greeting(server.port());
    let first = read_token(&mut host);
    host.send(Command::Auth, SIGNATURE, 0, &sign(&[7; 20]));
    let second = read_token(&mut host);
    assert_ne!(first, second);
    // An old token is of no use either, nor is what is no signature.
    host.send(Command::Auth, SIGNATURE, 0, &sign(&first));
    read_token(&mut host);
    host.send(Command::Auth, SIGNATURE, 0, b"");
    read_token(&mut host);
    assert_eq!(server.hosts(), 0);
}

#[test]
fn a_new_key_is_shown_and_once_accepted_it_is_known() {
    let (server, shown) = server(vec![], true);
    let mut host = Host::greeting(server.port());
    let token = read_token(&mut host);
    host.send(Command::Auth, SIGNATURE, 0, &sign(&token));
    read_token(&mut host);
    show_key(&mut host);
    assert_eq!(host.read().command, Command::Connect);
    assert_eq!(shown.recv().unwrap(), PUBLIC_LINE);

    let mut host = Host::greeting(server.port());
    let token = read_token(&mut host);
    host.send(Command::Auth, SIGNATURE, 0, &sign(&token));
    assert_eq!(host.read().command, Command::Connect);
}

#[test]
fn a_host_that_was_refused_waits_until_its_key_is_accepted() {
    let (server, shown) = server(vec![], false);
    let mut host = Host::greeting(server.port());
    read_token(&mut host);
    show_key(&mut host);
    assert_eq!(shown.recv().unwrap(), PUBLIC_LINE);
    assert_eq!(server.hosts(), 0);
    server.accept_key(&key());
    assert_eq!(host.read().command, Command::Connect);
}

#[test]
fn nothing_opens_before_the_handshake_is_done() {
    let (server, _) = server(vec![], false);
    let mut host = Host::greeting(server.port());
    read_token(&mut host);
    host.send(Command::Open, 1, 0, b"shell:echo hello\0");
    assert_eq!(host.until_hung_up(), b"");
}

#[test]
fn an_unauthorized_device_lets_nobody_in() {
    let (server, shown) = server(vec![key()], true);
    server.set_presence(Presence::Unauthorized);
    let mut host = Host::greeting(server.port());
    let token = read_token(&mut host);
    host.send(Command::Auth, SIGNATURE, 0, &sign(&token));
    read_token(&mut host);
    show_key(&mut host);
    server.accept_key(&key());
    server.set_presence(Presence::Online);
    assert_eq!(host.until_hung_up(), b"");
    assert!(shown.try_recv().is_err());

    let mut host = Host::greeting(server.port());
    let token = read_token(&mut host);
    host.send(Command::Auth, SIGNATURE, 0, &sign(&token));
    assert_eq!(host.read().command, Command::Connect);
}

#[test]
fn a_callback_may_ask_the_server() {
    let server: Arc<Mutex<Option<Server>>> = Arc::default();
    let (asked, inner) = (Arc::clone(&server), key());
    let on_new_key = Box::new(move |_: &PublicKey| {
        let server = asked.lock().unwrap();
        let server = server.as_ref().unwrap();
        server.accept_key(&inner);
        server.hosts() == 1
    });
    let auth = Auth::AcceptKeys { known: vec![], on_new_key };
    let bound = Server::bind("127.0.0.1:0", TestPhone::new(), auth).unwrap();
    let port = bound.port();
    *server.lock().unwrap() = Some(bound);
    let mut host = Host::greeting(port);
    read_token(&mut host);
    show_key(&mut host);
    assert_eq!(host.read().command, Command::Connect);
    drop(host);
    let bound = server.lock().unwrap().take();
    drop(bound);
}

#[test]
fn a_key_has_a_name_and_equals_itself_under_another() {
    assert_eq!(key().name(), "tester@nowhere");
    let (encoded, _) = PUBLIC_LINE.split_once(' ').unwrap();
    let unnamed = PublicKey::parse(&format!("{encoded}\0")).unwrap();
    assert_eq!(unnamed.name(), "");
    assert_eq!(unnamed, key());
}

#[test]
fn what_is_no_key_is_refused() {
    let (encoded, _) = PUBLIC_LINE.split_once(' ').unwrap();
    for (line, why) in [
        ("", KeyError::Empty),
        ("\0", KeyError::Empty),
        ("not base64!", KeyError::NotBase64),
        ("QAAAAA==", KeyError::NotRsa2048),
        (&encoded.replace("QAAAA", "IAAAA"), KeyError::NotRsa2048),
    ] {
        assert_eq!(PublicKey::parse(line).unwrap_err(), why, "{line}");
    }
}
