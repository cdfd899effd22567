//! The scripted server.

use clawperator_adb::{AdbError, Deadline, Device, Server};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// For what must not happen before its time.
pub(crate) const SHORT: Duration = Duration::from_millis(100);

/// For what happens at once; nothing waits so long when all is well.
pub(crate) fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

/// A listener that plays a script; dropping it waits for the script's end and fails with it.
pub(crate) struct Fake {
    port: u16,
    script: Option<JoinHandle<()>>,
}

impl Fake {
    /// Plays a script that takes its calls itself.
    pub(crate) fn listening(script: impl FnOnce(&TcpListener) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        Self { port, script: Some(thread::spawn(move || script(&listener))) }
    }

    /// Plays a script for one call.
    pub(crate) fn once(script: impl FnOnce(&mut Peer) + Send + 'static) -> Self {
        Self::listening(move |listener| script(&mut Peer::accept(listener)))
    }

    /// A phone that is there; its service `request` has begun.
    pub(crate) fn serving(
        request: &'static str,
        script: impl FnOnce(&mut Peer) + Send + 'static,
    ) -> Self {
        Self::once(move |peer| {
            peer.hears("host:transport:X1").says(b"OKAY");
            peer.hears(request).says(b"OKAY");
            script(peer);
        })
    }

    pub(crate) fn server(&self) -> Server {
        Server::at("127.0.0.1", self.port, Some("/nowhere/adb".into()))
    }

    pub(crate) fn device(&self) -> Device {
        self.server().device("X1")
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let played = self.script.take().unwrap().join();
        if !thread::panicking() {
            played.expect("the script goes as it is written");
        }
    }
}

/// The other end of one call.
pub(crate) struct Peer(TcpStream);

impl Peer {
    pub(crate) fn accept(listener: &TcpListener) -> Self {
        let peer = Self(listener.accept().unwrap().0);
        peer.0.set_nodelay(true).unwrap();
        peer
    }

    /// The next request must be this one.
    pub(crate) fn hears(&mut self, request: &str) -> &mut Self {
        let expected = format!("{:04x}{request}", request.len());
        let heard = self.bytes(expected.len());
        assert_eq!(String::from_utf8_lossy(&heard), expected);
        self
    }

    pub(crate) fn says(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.write_all(bytes).unwrap();
        self
    }

    /// Says something to somebody who may be gone already.
    pub(crate) fn calls_after(&mut self, bytes: &[u8]) {
        let _ = self.0.write_all(bytes);
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.0.read_exact(&mut bytes).unwrap();
        bytes
    }

    /// All that comes until the other end goes.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self.0.read_to_end(&mut bytes) {
            Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("{error}"),
            _ => bytes,
        }
    }

    /// One byte and again one byte, for as long as anybody listens.
    pub(crate) fn trickles(&mut self, byte: u8) {
        self.0.set_read_timeout(Some(Duration::from_millis(2))).unwrap();
        while self.0.write_all(&[byte]).is_ok() {
            match self.0.read(&mut [0]) {
                Ok(1..) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                _ => return,
            }
        }
    }

    /// A packet of `shell,v2`.
    pub(crate) fn packet(&mut self, kind: u8, data: &[u8]) -> &mut Self {
        self.says(&packet(kind, data))
    }
}

pub(crate) fn packet(kind: u8, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_le_bytes();
    [&[kind][..], &length, data].concat()
}

/// A word of `sync:` with its number.
pub(crate) fn word(word: &str, number: usize) -> Vec<u8> {
    let number = u32::try_from(number).unwrap().to_le_bytes();
    [word.as_bytes(), &number].concat()
}

/// A `FAIL` as the server says it.
pub(crate) fn fail(text: &str) -> Vec<u8> {
    format!("FAIL{:04x}{text}", text.len()).into_bytes()
}

/// An `OKAY` with a text.
pub(crate) fn okay(text: &str) -> Vec<u8> {
    format!("OKAY{:04x}{text}", text.len()).into_bytes()
}

/// Nobody answers: it must wait until the deadline, and not longer.
#[track_caller]
pub(crate) fn timed_out<T: std::fmt::Debug>(
    doing: &str,
    ask: impl FnOnce(Deadline) -> Result<T, AdbError>,
) {
    let deadline = Deadline::after(SHORT);
    match ask(deadline) {
        Err(AdbError::TimedOut { during, .. }) => assert_eq!(during, doing),
        other => panic!("{other:?}"),
    }
    assert_eq!(deadline.left(), None);
}

/// For what takes all the time it is given, and shows something before: a busy computer gets more.
pub(crate) fn patiently<T>(ask: impl Fn(Deadline) -> Result<T, AdbError>) -> Result<T, AdbError> {
    let result = ask(Deadline::after(SHORT));
    if matches!(result, Err(AdbError::TimedOut { .. })) {
        return ask(Deadline::after(50 * SHORT));
    }
    result
}

#[track_caller]
pub(crate) fn died<T: std::fmt::Debug>(result: Result<T, AdbError>, doing: &str) {
    let expected = AdbError::ServerDied { during: doing.into() };
    assert_eq!(result.expect_err("it died"), expected);
}

#[track_caller]
pub(crate) fn nonsense<T: std::fmt::Debug>(result: Result<T, AdbError>, about: &str) {
    match result {
        Err(AdbError::Nonsense { message }) => assert!(message.contains(about), "{message}"),
        other => panic!("{other:?}"),
    }
}
