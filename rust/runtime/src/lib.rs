//! The runtime: what happens on the phone between "execution in" and "envelope out".
//!
//! It performs a [`clawperator_contract::Runnable`] step by step on anything that implements
//! [`phone::Phone`], waits for changes instead of sleeping, never acts twice, and always answers
//! with an envelope. It knows no JNI, no sockets and no adb, and no files but the recording sink
//! it is given.

mod actions;
mod cancel;
mod context;
pub mod dispatches;
pub mod executor;
mod fold;
pub mod matching;
pub mod phone;
pub mod recording;
pub mod role;
mod run;
pub mod screen;
mod scroll;
mod search;
pub mod snapshot;
mod step;
mod touch;
mod wait;
pub mod why;

pub use cancel::Cancel;
pub use context::{Observer, Unwatched};
pub use run::Runtime;
