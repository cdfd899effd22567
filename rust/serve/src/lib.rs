//! Many phones for many clients: a desk that takes orders, with HTTP and MCP in front of it.
//!
//! The [`desk`] runs executions: side by side on different phones, one after the other on each.
//! [`news`] tells what happens. This crate knows the host and
//! skills; it knows no command line, and its phones come from whoever starts it.

pub mod desk;
pub mod hand;
pub mod http;
pub mod mcp;
pub mod news;
