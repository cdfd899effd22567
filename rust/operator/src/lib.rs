//! The operator on Android: a runtime whose phone is reached over JNI.
//!
//! The app's Kotlin shim decides nothing: it tells this library what happens on the phone and does
//! what it is asked. The library holds the rest: the worker that runs executions, the abstract
//! socket and the broadcasts they come over, and recordings. It knows nothing of the host.

#[cfg(any(target_os = "android", target_os = "linux"))]
mod abstract_socket;
mod app;
mod awaited;
mod changes;
mod clock;
#[cfg(test)]
mod closed;
mod commands;
mod fingers;
#[allow(unsafe_code, reason = "JNI hands over raw pointers and is called through them")]
#[allow(elided_lifetimes_in_paths, reason = "the bindings' macro writes them so")]
#[allow(clippy::too_many_arguments, reason = "a crossing carries all it has at once")]
mod java;
mod logging;
mod phone;
mod recorded;
pub mod status;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whoever panicked left nothing half-done behind the locks of this crate.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
