//! Frames of the socket link: bytes in, frames out, and back.
//!
//! ```text
//! length  u32 big endian   bytes that follow it, kind included
//! kind    u8               1 JSON, 2 binary
//! body    length - 1       JSON: one UTF-8 text; binary: u32 big endian id, then the bytes
//! ```

use crate::limits::{MAX_BINARY_FRAME_BYTES, MAX_JSON_FRAME_BYTES};
use std::fmt;

const KIND_JSON: u8 = 1;
const KIND_BINARY: u8 = 2;
const LENGTH_BYTES: usize = 4;
const ID_BYTES: usize = 4;

/// One frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A [`crate::message::Message`] as JSON text.
    Json(String),
    /// Bytes, such as a picture, that a later message speaks of by their id.
    Binary {
        /// Chosen by the sender, unique on its connection.
        id: u32,
        /// The bytes themselves.
        bytes: Vec<u8>,
    },
}

/// What makes a stream of bytes unreadable. Nothing after it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// The length leaves no room for a kind, or for the id of a binary frame.
    TooShort {
        /// The length read.
        length: usize,
    },
    /// The length is beyond what a frame of this kind may have.
    TooLong {
        /// The length read.
        length: usize,
        /// The longest allowed.
        max: usize,
    },
    /// No such kind.
    UnknownKind(u8),
    /// A JSON frame that is not UTF-8.
    NotText,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { length } => write!(f, "a frame of {length} bytes cannot exist"),
            Self::TooLong { length, max } => {
                write!(f, "a frame of {length} bytes is longer than the {max} allowed")
            }
            Self::UnknownKind(kind) => write!(f, "there is no frame of kind {kind}"),
            Self::NotText => f.write_str("a JSON frame is not UTF-8"),
        }
    }
}

impl std::error::Error for FrameError {}

impl Frame {
    /// Appends the frame's bytes to `out`. A body beyond the limits is refused: the other end
    /// would hang up on it.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), FrameError> {
        let (kind, body) = match self {
            Self::Json(text) => (KIND_JSON, text.as_bytes()),
            Self::Binary { bytes, .. } => (KIND_BINARY, bytes.as_slice()),
        };
        let id = match self {
            Self::Json(_) => None,
            Self::Binary { id, .. } => Some(id.to_be_bytes()),
        };
        let length = 1 + id.map_or(0, |id| id.len()) + body.len();
        let max = max_length(kind)?;
        let too_long = FrameError::TooLong { length, max };
        let prefix = u32::try_from(length).ok().filter(|_| length <= max).ok_or(too_long)?;
        out.reserve(LENGTH_BYTES + length);
        out.extend_from_slice(&prefix.to_be_bytes());
        out.push(kind);
        out.extend(id.into_iter().flatten());
        out.extend_from_slice(body);
        Ok(())
    }
}

fn max_length(kind: u8) -> Result<usize, FrameError> {
    match kind {
        KIND_JSON => Ok(1 + MAX_JSON_FRAME_BYTES),
        KIND_BINARY => Ok(1 + ID_BYTES + MAX_BINARY_FRAME_BYTES),
        other => Err(FrameError::UnknownKind(other)),
    }
}

/// Puts frames together from whatever pieces a stream delivers.
#[derive(Debug, Default)]
pub struct FrameReader {
    buffer: Vec<u8>,
    /// Bytes of `buffer` that were handed out already.
    used: usize,
}

impl FrameReader {
    /// Takes more bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        // Moving the rest forward only when bytes arrive keeps many small frames cheap.
        if self.used > 0 {
            self.buffer.drain(..self.used);
            self.used = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole frame, if it has arrived. After an error the stream is lost.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, FrameError> {
        let rest = &self.buffer[self.used..];
        let Some((prefix, rest)) = rest.split_first_chunk::<LENGTH_BYTES>() else {
            return Ok(None);
        };
        // A u32 fits a usize on every platform with an adb.
        let length = u32::from_be_bytes(*prefix) as usize;
        if length == 0 {
            return Err(FrameError::TooShort { length });
        }
        let Some(&kind) = rest.first() else { return Ok(None) };
        // Judged by its head: a hostile length must not make us wait for, or store, its body.
        let max = max_length(kind)?;
        if length > max {
            return Err(FrameError::TooLong { length, max });
        }
        let Some(body) = rest.get(1..length) else { return Ok(None) };
        let frame = match kind {
            KIND_JSON => {
                Frame::Json(str::from_utf8(body).map_err(|_| FrameError::NotText)?.to_owned())
            }
            _ => {
                let (id, bytes) =
                    body.split_first_chunk().ok_or(FrameError::TooShort { length })?;
                Frame::Binary { id: u32::from_be_bytes(*id), bytes: bytes.to_vec() }
            }
        };
        self.used += LENGTH_BYTES + length;
        Ok(Some(frame))
    }

    /// Did the stream end in the middle of a frame?
    #[must_use]
    pub fn is_mid_frame(&self) -> bool {
        self.used < self.buffer.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(frame: &Frame) -> Vec<u8> {
        let mut bytes = Vec::new();
        frame.write(&mut bytes).unwrap();
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Option<Frame>, FrameError> {
        let mut reader = FrameReader::default();
        reader.push(bytes);
        reader.next_frame()
    }

    #[test]
    fn a_json_frame_byte_by_byte() {
        let frame = Frame::Json("{}".into());
        #[rustfmt::skip]
        let bytes = [
            0x00, 0x00, 0x00, 0x03, // length: kind and two bytes of text
            0x01,                   // kind: JSON
            b'{', b'}',             // the text
        ];
        assert_eq!(bytes_of(&frame), bytes);
        assert_eq!(read(&bytes), Ok(Some(frame)));
    }

    #[test]
    fn a_binary_frame_byte_by_byte() {
        let frame = Frame::Binary { id: 258, bytes: vec![0x89, b'P'] };
        #[rustfmt::skip]
        let bytes = [
            0x00, 0x00, 0x00, 0x07, // length: kind, id and two bytes
            0x02,                   // kind: binary
            0x00, 0x00, 0x01, 0x02, // id: 258
            0x89, b'P',             // the bytes
        ];
        assert_eq!(bytes_of(&frame), bytes);
        assert_eq!(read(&bytes), Ok(Some(frame)));
    }

    #[test]
    fn frames_come_out_whole_however_the_stream_is_cut() {
        let frames = [
            Frame::Json("{\"a\":\"é\"}".into()),
            Frame::Binary { id: 1, bytes: vec![] },
            Frame::Json("1".into()),
        ];
        let stream: Vec<u8> = frames.iter().flat_map(bytes_of).collect();
        for size in 1..=stream.len() {
            let mut reader = FrameReader::default();
            let mut seen = Vec::new();
            for piece in stream.chunks(size) {
                reader.push(piece);
                while let Some(frame) = reader.next_frame().unwrap() {
                    seen.push(frame);
                }
            }
            assert_eq!(seen, frames);
            assert!(!reader.is_mid_frame());
        }
    }

    #[test]
    fn a_hostile_length_is_refused_before_its_body_arrives() {
        let max = 1 + MAX_JSON_FRAME_BYTES;
        let refused = FrameError::TooLong { length: 0xFFFF_FFFF, max };
        assert_eq!(read(&[0xFF, 0xFF, 0xFF, 0xFF, 1]), Err(refused));
        assert_eq!(read(&[0, 0, 0, 0]), Err(FrameError::TooShort { length: 0 }));
        assert_eq!(read(&[0, 0, 0, 2, 2, 0]), Err(FrameError::TooShort { length: 2 }));
        assert_eq!(read(&[0, 0, 0, 2, 9, 0]), Err(FrameError::UnknownKind(9)));
        assert_eq!(read(&[0, 0, 0, 2, 1, 0xFF]), Err(FrameError::NotText));
    }
}
