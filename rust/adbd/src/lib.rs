//! adb's device side over TCP: what a stock `adb connect 127.0.0.1:PORT` takes for a phone.
//!
//! It speaks the protocol - greeting, keys, streams with their flow control, the framing of
//! `shell,v2`, all of `sync:` - and it can go offline, refuse keys, or break the link in the middle
//! of a byte. It must not know what a phone is: which services there are, what a command prints
//! and which apps are installed is for whoever implements [`Device`].
//!
//! ```
//! use std::io::Write;
//! use std::sync::Arc;
//! use clawperator_adbd::{Auth, Banner, Device, Server, Service, Shell, ShellRequest};
//!
//! struct Greeter;
//!
//! impl Device for Greeter {
//!     fn banner(&self) -> Banner {
//!         Banner::new("greeter", "Greeter", "greeter")
//!     }
//!
//!     fn open(&self, service: &str) -> Option<Service> {
//!         let request = ShellRequest::parse(service)?;
//!         Some(Box::new(move |stream| {
//!             let shell = Shell::new(request.protocol, stream);
//!             // A host that has gone does not mind that it is not greeted.
//!             let _ = shell.output.stdout().write_all(b"hello\n");
//!             let _ = shell.output.exit(0);
//!         }))
//!     }
//! }
//!
//! # fn main() -> std::io::Result<()> {
//! let server = Server::bind("127.0.0.1:0", Arc::new(Greeter), Auth::NoAuth)?;
//! println!("adb connect {}", server.address());
//! # Ok(())
//! # }
//! ```

mod auth;
mod channel;
mod connection;
mod device;
pub mod files;
mod link;
mod lock;
pub mod packet;
mod public_key;
mod server;
pub mod shell;
mod stream;
pub mod sync;
mod wire;
mod workers;

pub use auth::Auth;
pub use device::{Banner, Device, FEATURES, Service};
pub use files::{FileError, Files, MemoryFiles, Stat};
pub use public_key::{KeyError, PublicKey, TOKEN_BYTES};
pub use server::{Presence, Server};
pub use shell::{Shell, ShellRequest};
pub use stream::{Stream, StreamReader, StreamWriter};
