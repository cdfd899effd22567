//! A simulated phone: apps as data, a screen that behaves, adb's device side, and the same operator
//! inside that real phones run.
//!
//! For tests, for demos and for trying skills without a phone. It knows the runtime, the links and
//! adb's device protocol; it knows no JNI and nothing of the host.

pub mod app;
mod boot;
pub mod chaos;
pub mod clock;
pub mod device;
pub mod import;
pub mod logcat;
mod mortal;
pub mod phone;
pub mod picture;
pub mod shell;
pub mod system;

pub use boot::{BootError, SimulatedPhone};
