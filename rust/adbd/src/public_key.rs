//! A host's public key, in the format Android keeps in `adb_keys`.
//!
//! ```text
//! modulus words u32 (64) | n0inv u32 | modulus [u8; 256] | R*R mod n [u8; 256] | exponent u32
//! ```
//!
//! little-endian, in base64, then a space and a name such as `user@host`. `n0inv` and `R*R` are
//! helps for a small verifier and say nothing that the modulus does not.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rsa::{BigUint, Pkcs1v15Sign, RsaPublicKey};

/// Bytes of the token that a host signs.
pub const TOKEN_BYTES: usize = 20;

const MODULUS_BYTES: usize = 256;
const MODULUS_WORDS: u32 = 64;
/// Where the modulus begins: after its length and `n0inv`.
const MODULUS_AT: usize = 8;
const EXPONENT_AT: usize = MODULUS_AT + 2 * MODULUS_BYTES;
const ENCODED_BYTES: usize = EXPONENT_AT + 4;

/// The DER prefix that says "SHA-1": a host signs the token as if it were a digest.
const SHA1_PREFIX: [u8; 15] =
    [0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00, 0x04, 0x14];

/// A host's RSA-2048 public key. Two are equal when the key is, whatever their names.
#[derive(Clone)]
pub struct PublicKey {
    line: String,
    key: RsaPublicKey,
}

impl PublicKey {
    /// Reads a line of `adbkey.pub` or `adb_keys`, or the payload of a host's `AUTH`.
    ///
    /// # Errors
    /// When it is not an RSA-2048 key in Android's format.
    pub fn parse(line: &str) -> Result<Self, KeyError> {
        let line = line.trim_end_matches('\0').trim();
        let encoded = line.split_ascii_whitespace().next().ok_or(KeyError::Empty)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| KeyError::NotBase64)?;
        let bytes: &[u8; ENCODED_BYTES] =
            bytes.as_slice().try_into().map_err(|_| KeyError::NotRsa2048)?;
        if bytes[..4] != MODULUS_WORDS.to_le_bytes() {
            return Err(KeyError::NotRsa2048);
        }
        let modulus = &bytes[MODULUS_AT..MODULUS_AT + MODULUS_BYTES];
        // Without its highest bit it would be a shorter, weaker key in a long coat.
        if modulus[MODULUS_BYTES - 1] & 0x80 == 0 {
            return Err(KeyError::NotRsa2048);
        }
        let exponent = &bytes[EXPONENT_AT..];
        let key =
            RsaPublicKey::new(BigUint::from_bytes_le(modulus), BigUint::from_bytes_le(exponent))
                .map_err(|_| KeyError::NotRsa2048)?;
        Ok(Self { line: line.to_owned(), key })
    }

    /// The line as it came: base64, a space, the name.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }

    /// What the host calls itself, such as `user@host`; empty when it does not say.
    #[must_use]
    pub fn name(&self) -> &str {
        self.line.split_once(char::is_whitespace).map_or("", |(_, name)| name.trim())
    }

    /// Whether `signature` is this key's signature of `token`.
    pub(crate) fn signed(&self, token: &[u8; TOKEN_BYTES], signature: &[u8]) -> bool {
        let scheme = Pkcs1v15Sign { hash_len: Some(TOKEN_BYTES), prefix: Box::new(SHA1_PREFIX) };
        self.key.verify(scheme, token, signature).is_ok()
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PublicKey").field(&self.name()).finish()
    }
}

/// Why a line is no public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// There is nothing in it.
    Empty,
    /// Its first word is not base64.
    NotBase64,
    /// It is not an RSA key of 2048 bits in Android's format.
    NotRsa2048,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the line is empty",
            Self::NotBase64 => "the line does not begin with base64",
            Self::NotRsa2048 => "not an RSA-2048 key in Android's format",
        })
    }
}

impl std::error::Error for KeyError {}
