//! Which hosts may come in.
//!
//! The device sends a token; the host signs it with each of its keys in turn; when none is known,
//! the host shows its public key and a person decides.

use std::fmt;
use std::sync::Mutex;

use crate::lock::lock;
use crate::public_key::{PublicKey, TOKEN_BYTES};

/// `arg0` of an `AUTH` packet: a token to be signed.
pub(crate) const TOKEN: u32 = 1;
/// `arg0` of an `AUTH` packet: the signature of the last token.
pub(crate) const SIGNATURE: u32 = 2;
/// `arg0` of an `AUTH` packet: a public key in Android's format.
pub(crate) const PUBLIC_KEY: u32 = 3;

/// Which hosts may come in.
pub enum Auth {
    /// Every host, without a key: an emulator, or a phone with `ro.adb.secure=0`.
    NoAuth,
    /// Hosts that hold one of these keys, and those whose key is accepted when it is shown.
    AcceptKeys {
        /// Keys that were accepted before.
        known: Vec<PublicKey>,
        /// Shown the key of an unknown host: the dialog on a phone. `true` lets it in and keeps
        /// the key; `false` leaves the host unauthorized, until [`crate::Server::accept_key`]
        /// perhaps. Must answer at once: the connection waits.
        on_new_key: Box<dyn Fn(&PublicKey) -> bool + Send + Sync>,
    },
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAuth => f.write_str("NoAuth"),
            Self::AcceptKeys { known, .. } => {
                f.debug_struct("AcceptKeys").field("known", known).finish_non_exhaustive()
            }
        }
    }
}

type Ask = Box<dyn Fn(&PublicKey) -> bool + Send + Sync>;

/// Decides, for all connections of one device.
pub(crate) struct Gatekeeper {
    /// `None`: everyone may come in.
    ask: Option<Ask>,
    known: Mutex<Vec<PublicKey>>,
}

impl Gatekeeper {
    pub(crate) fn new(auth: Auth) -> Self {
        match auth {
            Auth::NoAuth => Self { ask: None, known: Mutex::default() },
            Auth::AcceptKeys { known, on_new_key } => {
                Self { ask: Some(on_new_key), known: Mutex::new(known) }
            }
        }
    }

    pub(crate) fn lets_everyone_in(&self) -> bool {
        self.ask.is_none()
    }

    /// Whether a known key made this signature.
    pub(crate) fn knows_signer(&self, token: &[u8; TOKEN_BYTES], signature: &[u8]) -> bool {
        lock(&self.known).iter().any(|key| key.signed(token, signature))
    }

    /// Shows a key to whoever decides; an accepted one is known from now on.
    pub(crate) fn accepts(&self, key: &PublicKey) -> bool {
        let known = lock(&self.known).contains(key);
        // Unlocked while it is shown: whoever decides may accept keys meanwhile.
        let accepted = known || self.ask.as_ref().is_some_and(|ask| ask(key));
        if accepted {
            self.learn(key);
        }
        accepted
    }

    pub(crate) fn learn(&self, key: &PublicKey) {
        let mut known = lock(&self.known);
        if !known.contains(key) {
            known.push(key.clone());
        }
    }
}

/// A token no host has signed before.
pub(crate) fn new_token() -> Result<[u8; TOKEN_BYTES], getrandom::Error> {
    let mut token = [0; TOKEN_BYTES];
    getrandom::fill(&mut token)?;
    Ok(token)
}
