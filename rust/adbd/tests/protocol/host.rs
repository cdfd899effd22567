//! A host in a few lines: it writes exactly the packets a test wants and reads what comes back.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use clawperator_adbd::packet::{Command, MAX_PAYLOAD, Packet, VERSION_NO_CHECKSUMS};

/// Long enough for a slow machine; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Host {
    socket: TcpStream,
}

impl Host {
    /// Connects, and says nothing.
    pub(crate) fn silent(port: u16) -> Self {
        let socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        socket.set_nodelay(true).unwrap();
        Self { socket }
    }

    /// Connects and greets as adb does; the device's answer is still to be read.
    pub(crate) fn greeting(port: u16) -> Self {
        let mut host = Self::silent(port);
        host.send(Command::Connect, VERSION_NO_CHECKSUMS, 1 << 20, b"host::features=shell_v2");
        host
    }

    /// Connects and is let in.
    pub(crate) fn online(port: u16) -> Self {
        let mut host = Self::greeting(port);
        assert_eq!(host.read().command, Command::Connect);
        host
    }

    pub(crate) fn send(&mut self, command: Command, arg0: u32, arg1: u32, payload: &[u8]) {
        let packet = Packet { command, arg0, arg1, payload: payload.to_vec() };
        self.send_bytes(&packet.to_bytes(true));
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.socket.write_all(bytes).unwrap();
    }

    pub(crate) fn read(&mut self) -> Packet {
        Packet::read(&mut self.socket, MAX_PAYLOAD, false).unwrap().expect("the device hung up")
    }

    /// Asserts on the next packet in one line.
    pub(crate) fn expect(&mut self, command: Command, arg0: u32, arg1: u32, payload: &[u8]) {
        let expected = Packet { command, arg0, arg1, payload: payload.to_vec() };
        assert_eq!(self.read(), expected);
    }

    /// Opens a service as stream `local`; the device's number for it.
    pub(crate) fn open(&mut self, local: u32, service: &str) -> u32 {
        self.send(Command::Open, local, 0, format!("{service}\0").as_bytes());
        let answer = self.read();
        assert_eq!((answer.command, answer.arg1), (Command::Okay, local), "{service}");
        answer.arg0
    }

    /// Says that it sends no more, and waits until the device has hung up.
    pub(crate) fn leave(mut self) {
        // Fails when the device was quicker.
        let _ = self.socket.shutdown(Shutdown::Write);
        self.until_hung_up();
    }

    /// Reads until the device hangs up; what came before that.
    pub(crate) fn until_hung_up(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self.socket.read_to_end(&mut bytes) {
            Ok(_) => {}
            // What we had sent was not read to its end: the socket says so on closing.
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
            Err(error) => panic!("the device did not hang up: {error}"),
        }
        bytes
    }
}
