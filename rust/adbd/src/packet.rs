//! One adb packet: a header of 24 bytes, little-endian, and its payload.
//!
//! ```text
//! command u32 | arg0 u32 | arg1 u32 | length u32 | checksum u32 | magic u32 (= !command)
//! ```

use std::fmt;
use std::io::{self, Read};

/// Bytes of a packet before its payload.
pub const HEADER_BYTES: usize = 24;
/// The first version of the protocol: every payload carries its checksum.
pub const VERSION_CHECKSUMS: u32 = 0x0100_0000;
/// The version we speak: once both sides have said it, checksums are left at zero.
pub const VERSION_NO_CHECKSUMS: u32 = 0x0100_0001;
/// The payload every host can take, and all we take before we know the host: greetings and keys
/// are well below it.
pub const MIN_PAYLOAD: usize = 4 * 1024;
/// The longest payload we offer to take. adb's own limit is 1 MiB; a stream may hold two payloads
/// and a test may run hundreds of devices, and a quarter of it moves files just as fast (a host
/// sends them in blocks of 64 KiB).
pub const MAX_PAYLOAD: usize = 256 * 1024;

/// What a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `CNXN(version, max payload, banner)`: a greeting.
    Connect,
    /// `AUTH(kind, 0, data)`: a token, a signature of it, or a public key.
    Auth,
    /// `OPEN(sender's stream, 0, service)`.
    Open,
    /// `OKAY(sender's stream, receiver's stream)`: opened, or ready for the next `WRTE`.
    Okay,
    /// `WRTE(sender's stream, receiver's stream, data)`.
    Write,
    /// `CLSE(sender's stream, receiver's stream)`: closed; from stream 0, refused.
    Close,
}

impl Command {
    const ALL: [Self; 6] =
        [Self::Connect, Self::Auth, Self::Open, Self::Okay, Self::Write, Self::Close];

    /// The four letters that stand for it on the wire.
    #[must_use]
    pub const fn letters(self) -> [u8; 4] {
        match self {
            Self::Connect => *b"CNXN",
            Self::Auth => *b"AUTH",
            Self::Open => *b"OPEN",
            Self::Okay => *b"OKAY",
            Self::Write => *b"WRTE",
            Self::Close => *b"CLSE",
        }
    }

    const fn number(self) -> u32 {
        u32::from_le_bytes(self.letters())
    }

    fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|command| command.number() == number)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.letters()))
    }
}

/// A packet as it was received, or as it will be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// What it is.
    pub command: Command,
    /// Its first argument; see [`Command`].
    pub arg0: u32,
    /// Its second argument; see [`Command`].
    pub arg1: u32,
    /// What it carries.
    pub payload: Vec<u8>,
}

impl Packet {
    /// Reads one packet; `None` when the link ended between two packets.
    ///
    /// A payload longer than `limit` is refused before a byte of it is read, and memory grows only
    /// with what has really arrived.
    ///
    /// # Errors
    /// When the link breaks, or when what it carries is no adb packet.
    pub fn read(
        link: &mut impl Read,
        limit: usize,
        checksums: bool,
    ) -> Result<Option<Self>, PacketError> {
        let mut header = [0; HEADER_BYTES];
        if !read_unless_ended(link, &mut header)? {
            return Ok(None);
        }
        let [number, arg0, arg1, length, checksum, magic] = words(&header);
        if magic != !number {
            return Err(PacketError::BadMagic { number, magic });
        }
        let command = Command::from_number(number).ok_or(PacketError::UnknownCommand(number))?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > limit {
            return Err(PacketError::TooLong { command, length, limit });
        }
        let payload = read_payload(link, length)?;
        if checksums && checksum != sum(&payload) {
            return Err(PacketError::BadChecksum { command, said: checksum, is: sum(&payload) });
        }
        Ok(Some(Self { command, arg0, arg1, payload }))
    }

    /// The packet's bytes.
    #[must_use]
    pub fn to_bytes(&self, checksums: bool) -> Vec<u8> {
        encode(self.command, self.arg0, self.arg1, &self.payload, checksums)
    }
}

/// The bytes of a packet whose payload is borrowed.
pub(crate) fn encode(
    command: Command,
    arg0: u32,
    arg1: u32,
    payload: &[u8],
    checksums: bool,
) -> Vec<u8> {
    // Payloads are cut to the negotiated length before they come here.
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    let checksum = if checksums { sum(payload) } else { 0 };
    let number = command.number();
    let mut bytes = Vec::with_capacity(HEADER_BYTES + payload.len());
    for word in [number, arg0, arg1, length, checksum, !number] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(payload);
    bytes
}

/// What adb calls a crc32: the sum of the payload's bytes.
fn sum(payload: &[u8]) -> u32 {
    payload.iter().fold(0, |sum, byte| sum.wrapping_add(u32::from(*byte)))
}

fn words(header: &[u8; HEADER_BYTES]) -> [u32; 6] {
    let mut words = [0; 6];
    for (word, bytes) in words.iter_mut().zip(header.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// Fills `buffer`; `false` when there was not a single byte more.
fn read_unless_ended(link: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    let mut filled = 0;
    while filled < buffer.len() {
        match link.read(&mut buffer[filled..]) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

fn read_payload(link: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    // One allocation for everything a host usually sends; longer ones grow as they arrive.
    let mut payload = Vec::with_capacity(length.min(64 * 1024));
    link.take(length as u64).read_to_end(&mut payload)?;
    if payload.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(payload)
}

/// Why no packet could be read.
#[derive(Debug)]
pub enum PacketError {
    /// The link broke.
    Link(io::Error),
    /// The last word of the header is not the complement of the first.
    BadMagic {
        /// The first word.
        number: u32,
        /// The last word.
        magic: u32,
    },
    /// No command has this number.
    UnknownCommand(u32),
    /// The payload is longer than was agreed.
    TooLong {
        /// What the packet is.
        command: Command,
        /// How long it says its payload is.
        length: usize,
        /// The longest that was agreed.
        limit: usize,
    },
    /// The payload is not what was sent.
    BadChecksum {
        /// What the packet is.
        command: Command,
        /// The sum in the header.
        said: u32,
        /// The sum of the bytes.
        is: u32,
    },
}

impl From<io::Error> for PacketError {
    fn from(error: io::Error) -> Self {
        Self::Link(error)
    }
}

impl fmt::Display for PacketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link(error) => write!(f, "the link broke: {error}"),
            Self::BadMagic { number, magic } => {
                write!(f, "not an adb packet: command {number:#010x} with magic {magic:#010x}")
            }
            Self::UnknownCommand(number) => write!(f, "unknown command {number:#010x}"),
            Self::TooLong { command, length, limit } => {
                write!(f, "{command} with {length} bytes, {limit} are allowed")
            }
            Self::BadChecksum { command, said, is } => {
                write!(f, "{command} with checksum {said:#x}, its bytes sum to {is:#x}")
            }
        }
    }
}

impl std::error::Error for PacketError {}
