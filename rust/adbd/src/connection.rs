//! One host's connection: the handshake, and packets to their streams.

use std::fmt;
use std::io::{self, BufReader};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::auth::{self, Gatekeeper};
use crate::channel::Delivery;
use crate::device::Device;
use crate::link::Link;
use crate::lock::lock;
use crate::packet::{
    Command, MAX_PAYLOAD, MIN_PAYLOAD, Packet, PacketError, VERSION_CHECKSUMS, VERSION_NO_CHECKSUMS,
};
use crate::public_key::{PublicKey, TOKEN_BYTES};
use crate::stream::Stream;
use crate::wire::Wire;
use crate::workers::Workers;

/// How long a peer may stay silent before its greeting. adb greets as soon as it is connected;
/// anything slower is no adb, and should not keep a thread.
const GREETING_TIMEOUT: Duration = Duration::from_secs(30);

/// How far the handshake has come.
enum Phase {
    /// Waiting for the host's greeting.
    Silent,
    /// Waiting for a signature of this token.
    Token([u8; TOKEN_BYTES]),
    /// The host has shown this key, and waits until somebody accepts it.
    Shown(PublicKey),
    /// Greeted from both sides.
    Online,
}

pub(crate) struct Connection {
    link: Link,
    wire: Arc<Wire>,
    device: Arc<dyn Device>,
    gatekeeper: Arc<Gatekeeper>,
    /// Whatever the host shows, nobody accepts it.
    locked: bool,
    phase: Mutex<Phase>,
}

impl Connection {
    pub(crate) fn new(
        link: Link,
        device: Arc<dyn Device>,
        gatekeeper: Arc<Gatekeeper>,
        locked: bool,
    ) -> Self {
        let wire = Arc::new(Wire::new(link.clone()));
        Self { link, wire, device, gatekeeper, locked, phase: Mutex::new(Phase::Silent) }
    }

    /// Serves the host until either side ends it.
    pub(crate) fn run(&self, workers: &Workers) {
        if let Err(fault) = self.serve(workers) {
            log::warn!("adb connection closed: {fault}");
        }
        self.wire.end();
    }

    pub(crate) fn cut(&self) {
        self.wire.cut();
    }

    pub(crate) fn is_online(&self) -> bool {
        matches!(*lock(&self.phase), Phase::Online)
    }

    /// Lets the host in if it waits with this key.
    pub(crate) fn accept_key(&self, key: &PublicKey) -> io::Result<()> {
        let mut phase = lock(&self.phase);
        match &*phase {
            Phase::Shown(shown) if shown == key && !self.locked => self.go_online(&mut phase),
            _ => Ok(()),
        }
    }

    fn serve(&self, workers: &Workers) -> Result<(), Fault> {
        self.link.set_read_timeout(Some(GREETING_TIMEOUT))?;
        let mut incoming = BufReader::with_capacity(MIN_PAYLOAD, self.link.clone());
        loop {
            let limit = if self.is_online() { MAX_PAYLOAD } else { MIN_PAYLOAD };
            let Some(packet) = Packet::read(&mut incoming, limit, self.wire.checksums())? else {
                return Ok(());
            };
            self.handle(packet, workers)?;
        }
    }

    fn handle(&self, packet: Packet, workers: &Workers) -> Result<(), Fault> {
        let Packet { command, arg0, arg1, payload } = packet;
        match command {
            Command::Connect => return self.greeted(arg0, arg1),
            Command::Auth => return self.proven(arg0, &payload),
            _ if !self.is_online() => return Err(Fault::NotOnline(command)),
            Command::Open => return self.open(arg0, &payload, workers),
            Command::Okay | Command::Write | Command::Close => {}
        }
        let Some(channel) = self.wire.stream(arg1, arg0) else {
            // Late: we closed the stream while this was under way.
            return Ok(());
        };
        match command {
            Command::Write => match channel.deliver(payload) {
                Delivery::Held => {}
                Delivery::Ignored => self.wire.send(Command::Okay, arg1, arg0, &[])?,
                Delivery::TooEarly => return Err(Fault::Unacknowledged(arg0)),
            },
            Command::Close => self.wire.closed_by_host(&channel),
            _ => channel.acknowledged(),
        }
        Ok(())
    }

    fn greeted(&self, version: u32, max_payload: u32) -> Result<(), Fault> {
        if version < VERSION_CHECKSUMS {
            return Err(Fault::Version(version));
        }
        let max_payload = usize::try_from(max_payload).unwrap_or(usize::MAX);
        if max_payload < MIN_PAYLOAD {
            return Err(Fault::MaxPayload(max_payload));
        }
        let mut phase = lock(&self.phase);
        if !matches!(*phase, Phase::Silent) {
            return Err(Fault::GreetedTwice);
        }
        self.link.set_read_timeout(None)?;
        self.wire.agree(version < VERSION_NO_CHECKSUMS, max_payload.min(MAX_PAYLOAD));
        if self.gatekeeper.lets_everyone_in() && !self.locked {
            Ok(self.go_online(&mut phase)?)
        } else {
            self.ask_for_signature(&mut phase)
        }
    }

    fn proven(&self, kind: u32, proof: &[u8]) -> Result<(), Fault> {
        let mut phase = lock(&self.phase);
        match (&*phase, kind) {
            (Phase::Token(token), auth::SIGNATURE) => {
                if !self.locked && self.gatekeeper.knows_signer(token, proof) {
                    Ok(self.go_online(&mut phase)?)
                } else {
                    // The host tries its next key, or shows its public one.
                    self.ask_for_signature(&mut phase)
                }
            }
            (Phase::Token(_), auth::PUBLIC_KEY) => {
                let key = std::str::from_utf8(proof).ok().map(PublicKey::parse);
                let Some(Ok(key)) = key else {
                    return Err(Fault::NotAKey);
                };
                *phase = Phase::Shown(key.clone());
                // Unlocked while it is shown: whoever decides may ask the server things.
                drop(phase);
                if !self.locked && self.gatekeeper.accepts(&key) {
                    self.accept_key(&key)?;
                }
                Ok(())
            }
            _ => Err(Fault::UnexpectedAuth(kind)),
        }
    }

    fn ask_for_signature(&self, phase: &mut Phase) -> Result<(), Fault> {
        let token = auth::new_token().map_err(|_| Fault::NoRandomness)?;
        *phase = Phase::Token(token);
        Ok(self.wire.send(Command::Auth, auth::TOKEN, 0, &token)?)
    }

    fn go_online(&self, phase: &mut Phase) -> io::Result<()> {
        *phase = Phase::Online;
        let banner = self.device.banner().to_line();
        // 256 KiB fit into 32 bits.
        let max_payload = u32::try_from(MAX_PAYLOAD).unwrap_or(u32::MAX);
        self.wire.send(Command::Connect, VERSION_NO_CHECKSUMS, max_payload, banner.as_bytes())
    }

    fn open(&self, remote: u32, name: &[u8], workers: &Workers) -> Result<(), Fault> {
        if remote == 0 {
            return Err(Fault::StreamZero);
        }
        let refuse = || self.wire.send(Command::Close, 0, remote, &[]);
        let name = name.strip_suffix(b"\0").unwrap_or(name);
        let Ok(name) = std::str::from_utf8(name) else {
            log::warn!("refused a service whose name is not UTF-8");
            return Ok(refuse()?);
        };
        let Some(service) = self.device.open(name) else {
            log::debug!("refused the service {name:?}");
            return Ok(refuse()?);
        };
        let Some(channel) = self.wire.open(remote) else {
            log::warn!("refused the service {name:?}: too many streams are open");
            return Ok(refuse()?);
        };
        self.wire.send(Command::Okay, channel.local, channel.remote, &[])?;
        // If no thread can be had, the stream is dropped with the closure, and so closed.
        let stream = Stream::new(Arc::clone(&self.wire), channel);
        if let Err(error) = workers.spawn("adb service", move || service(stream)) {
            log::warn!("no thread for the service {name:?}: {error}");
        }
        Ok(())
    }
}

/// Why a connection was closed from our side.
#[derive(Debug)]
enum Fault {
    Packet(PacketError),
    Version(u32),
    MaxPayload(usize),
    GreetedTwice,
    NotOnline(Command),
    UnexpectedAuth(u32),
    NotAKey,
    NoRandomness,
    StreamZero,
    Unacknowledged(u32),
}

impl From<PacketError> for Fault {
    fn from(error: PacketError) -> Self {
        Self::Packet(error)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Packet(PacketError::Link(error))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Packet(error) => error.fmt(f),
            Self::Version(version) => write!(f, "the host speaks version {version:#010x}"),
            Self::MaxPayload(bytes) => write!(f, "the host takes payloads of {bytes} bytes"),
            Self::GreetedTwice => f.write_str("the host greeted twice"),
            Self::NotOnline(command) => write!(f, "{command} before the handshake was done"),
            Self::UnexpectedAuth(kind) => write!(f, "AUTH of kind {kind} out of turn"),
            Self::NotAKey => f.write_str("the host's public key cannot be read"),
            Self::NoRandomness => f.write_str("no randomness for a token"),
            Self::StreamZero => f.write_str("OPEN for stream 0"),
            Self::Unacknowledged(stream) => {
                write!(f, "the host's stream {stream} wrote again before it was acknowledged")
            }
        }
    }
}
