//! Recipes and skills: what people write so that agents need not find the way again.
//!
//! A recipe is a document that compiles to an execution, always the same for the same inputs. A
//! skill is a folder with recipes or scripts and a description; a registry lists skills. This crate
//! reads, checks, compiles and runs them; a phone is whatever the caller gives it as one.

pub mod cases;
pub mod check;
pub mod ci;
pub mod compile;
pub mod draft;
pub mod index;
pub mod literals;
pub mod policy;
pub mod problem;
pub mod recipe;
pub mod registry;
pub mod run;
pub mod scaffold;
pub mod schema;
#[cfg(test)]
mod scratch;
pub mod script;
pub mod search;
pub mod sync;
pub mod template;
pub mod validate;
