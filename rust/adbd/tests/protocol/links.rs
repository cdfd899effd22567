//! Links that end: cut, cut in the middle, offline, closed.

use std::net::TcpStream;
use std::sync::Arc;
use std::sync::mpsc::channel;

use clawperator_adbd::packet::{Command, HEADER_BYTES};
use clawperator_adbd::{Auth, Banner, Device, Presence, Server, Service};

use crate::host::Host;
use crate::support::phone::TestPhone;

#[test]
fn a_cut_ends_every_connection_and_the_next_one_lives() {
    let (_phone, server) = TestPhone::listen();
    let mut hosts: Vec<Host> = (0..3).map(|_| Host::online(server.port())).collect();
    hosts[0].open(1, "shell:flood");
    server.cut();
    for host in &mut hosts {
        host.until_hung_up();
    }
    Host::online(server.port());
}

#[test]
fn a_cut_after_so_many_bytes_is_exact() {
    // The device would answer with an OKAY and a WRTE, 49 bytes.
    for bytes in [0, 1, HEADER_BYTES, HEADER_BYTES + 3, 48] {
        let (_phone, server) = TestPhone::listen();
        let mut host = Host::online(server.port());
        let echo = host.open(1, "localabstract:echo");
        // What the host sends counts too.
        server.cut_after((HEADER_BYTES + 1 + bytes) as u64);
        host.send(Command::Write, 1, echo, b"x");
        assert_eq!(host.until_hung_up().len(), bytes);
        // It blew once; the next host lives.
        Host::online(server.port());
    }
}

#[test]
fn a_cut_may_come_in_the_middle_of_what_the_host_sends() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let echo = host.open(1, "localabstract:echo");
    server.cut_after(HEADER_BYTES as u64 + 3);
    host.send(Command::Write, 1, echo, b"never arrives");
    assert_eq!(host.until_hung_up(), b"");
}

#[test]
fn an_offline_device_hangs_up_until_it_is_back() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    server.set_presence(Presence::Offline);
    host.until_hung_up();
    assert_eq!(Host::silent(server.port()).until_hung_up(), b"");
    server.set_presence(Presence::Online);
    Host::online(server.port());
}

#[test]
fn a_device_without_keys_can_be_unauthorized_too() {
    let (_phone, server) = TestPhone::listen();
    server.set_presence(Presence::Unauthorized);
    assert_eq!(Host::greeting(server.port()).read().command, Command::Auth);
}

#[test]
fn closing_waits_for_services_and_frees_the_port() {
    struct Slow(std::sync::Mutex<std::sync::mpsc::Sender<&'static str>>);

    impl Device for Slow {
        fn banner(&self) -> Banner {
            Banner::new("slow", "Slow", "slow")
        }

        fn open(&self, _service: &str) -> Option<Service> {
            let tell = self.0.lock().unwrap().clone();
            Some(Box::new(move |mut stream| {
                tell.send("started").unwrap();
                std::io::copy(&mut stream, &mut std::io::sink()).unwrap();
                tell.send("ended").unwrap();
            }))
        }
    }

    let (tell, told) = channel();
    let device = Arc::new(Slow(tell.into()));
    let server = Server::bind("127.0.0.1:0", device, Auth::NoAuth).unwrap();
    let mut host = Host::online(server.port());
    host.open(1, "anything");
    assert_eq!(told.recv().unwrap(), "started");
    let port = server.port();
    server.close();
    assert_eq!(told.try_recv().unwrap(), "ended");
    host.until_hung_up();
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    // Closing again, as dropping does, is nothing.
    server.close();
}

#[test]
fn a_host_that_leaves_is_forgotten() {
    let (_phone, server) = TestPhone::listen();
    // More than may be connected at once: those before have made room.
    for _ in 0..40 {
        let mut host = Host::online(server.port());
        host.open(1, "test:idle");
        server.cut();
        host.until_hung_up();
        while server.hosts() > 0 {
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_device_listens_where_it_is_told() {
    let phone = TestPhone::new();
    let server = Server::bind(("0.0.0.0", 0), phone, Auth::NoAuth).unwrap();
    assert_eq!(server.address().ip().to_string(), "0.0.0.0");
    Host::online(server.port());
}
