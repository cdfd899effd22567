//! `request_human_auth`: asking a person for what only a person has.
//!
//! The [`bridge`] puts a question to a [`relay`], which shows it as a page on the person's own
//! phone; what the person gives comes back as an [`artifact`] with a plan for using it. The form on
//! the page comes from a [`template`]. Nothing here touches the phone that is driven: the relay
//! reaches it through [`relay::Takeover`] where there is one, and the plan is for the caller to do.

pub mod artifact;
pub mod bridge;
mod clock;
pub mod relay;
mod secret;
pub mod template;
mod token;

pub use artifact::{Artifact, Plan, Step};
pub use bridge::{Ask, Bridge, Decision, Opened, Status};
pub use clock::Clock;
pub use relay::{Relay, Takeover};
pub use secret::Secret;
