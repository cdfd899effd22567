//! The operator without Android: a runtime on its one worker thread, behind both links.
//!
//! The app on a phone and the simulated phone are both this, each with its own
//! [`clawperator_runtime::phone::Phone`]. It knows the runtime and the links; it knows no JNI, no
//! adb and no sockets.

mod broadcast;
mod worker;

pub use broadcast::Log;
pub use worker::{Operator, Setup};
