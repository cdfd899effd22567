//! What the tests share.

pub mod keys;
pub mod phone;
