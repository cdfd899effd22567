//! The socket link: frames over one connection.
//!
//! ```text
//! host                         operator
//!   hello            ──────►
//!                    ◄──────   welcome
//!   request d1       ──────►
//!                    ◄──────   accepted d1
//!                    ◄──────   step d1 0, step d1 1, …
//!                    ◄──────   hostCall d1          (a step only the host can do, at its turn)
//!   hostAnswer d1    ──────►
//!                    ◄──────   result d1
//!   resume d1        ──────►                        (after the connection broke)
//!                    ◄──────   result d1, replayed
//! ```

mod host;
mod operator;
mod wire;

pub use host::{Caller, Dispatched, HostSession, LinkError};
pub use operator::serve;
pub use wire::Transport;
