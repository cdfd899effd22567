//! The operator on a phone: whether it is there, which one, whether it runs, and how it gets there.
//!
//! All of it goes through the phone's shell and the operator's own socket, so it is the same for a
//! phone behind adb and for one inside this program.

mod apk;
mod ask;
mod greet;
mod install;
mod packages;
mod permissions;
mod presence;
mod services;
mod setup;
mod versions;

pub(crate) use ask::{Answers, ask};
pub(crate) use greet::{Silence, greet};
pub(crate) use packages::next_command;
pub use packages::the_one_meant;
pub use permissions::{Granted, Handshake, NotificationGrant, ServiceGrant, grant};
pub use presence::{Accessibility, Installed, inspect, why_unreachable};
pub(crate) use presence::{Census, questions};
pub use setup::{ApkFile, Install, Permissions, SetUp, SetupOptions, Verification, setup};
pub(crate) use versions::judge;
pub use versions::{Compatibility, DecidedBy, compatibility};

#[cfg(test)]
pub(crate) mod fake;
#[cfg(test)]
mod permissions_tests;
#[cfg(test)]
mod presence_tests;
