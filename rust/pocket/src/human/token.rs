//! What opens a request: random, and known here only by its hash.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use clawperator_contract::{ErrorCode, Failure};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// 192 bits: as many as the original's, 32 letters in a link.
const BYTES: usize = 24;

/// The SHA-256 of a token.
#[derive(Clone, Copy)]
pub(super) struct Hash([u8; 32]);

impl Hash {
    pub(super) fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// Hashes what was presented, whatever it is, and compares all 32 bytes (the crate `subtle`
    /// keeps the compiler from stopping early): the time taken says nothing about the token.
    pub(super) fn fits(&self, presented: &str) -> bool {
        self.0.ct_eq(&Self::of(presented).0).into()
    }
}

/// A new token and its hash.
pub(super) fn mint() -> Result<(String, Hash), Failure> {
    let text = URL_SAFE_NO_PAD.encode(random::<BYTES>()?);
    let hash = Hash::of(&text);
    Ok((text, hash))
}

/// Random bytes as hex, for names.
pub(super) fn name() -> Result<String, Failure> {
    Ok(random::<8>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A token must not be guessed, so without randomness there is none.
fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::new(
            ErrorCode::PocketHumanUnavailable,
            format!("the system gives no random bytes for a token: {error}"),
        )
    })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_32_letters_of_the_url_alphabet_and_never_repeat() {
        let (one, hash) = mint().unwrap();
        let (two, _) = mint().unwrap();
        assert_ne!(one, two);
        assert_eq!(one.len(), 32);
        assert!(one.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
        assert!(hash.fits(&one));
        for wrong in ["", &two, &one[..31], &format!("{one} "), &one.to_lowercase()] {
            assert!(!hash.fits(wrong), "{wrong}");
        }
    }
}
