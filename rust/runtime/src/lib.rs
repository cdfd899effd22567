//! The runtime: what happens on the phone between "execution in" and "envelope out".
//!
//! It performs a [`clawperator_contract::Runnable`] step by step on anything that implements
//! [`phone::Phone`], waits for changes instead of sleeping, never acts twice, and always answers
//! with an envelope. It knows no JNI, no sockets and no adb, and no files but the recording sink
//! it is given.

pub mod phone;
pub mod screen;
