//! Shell text read the way `sh` reads it, and a verdict on what it would run.
//!
//! Every simple command's program must be on a list. What cannot be known without running it
//! (command substitution, a program named by a variable, `eval`) is refused with its place, and so
//! is the part of the language we do not read (`case`, functions, arrays): a refusal is safe, a
//! guess is not. A program on the list may still run others of its own accord (`awk`, `node`):
//! whoever puts it on the list has decided that.

mod deny;
mod expansion;
mod lexer;
mod parse;
mod policy;
mod refusal;
mod variables;
mod wrapper;

pub use lexer::Word;
pub use parse::{Redirect, Simple, parse};
pub use policy::{EXEC_COMMANDS, MAX_SCRIPT_CHARS, Policy, SCRIPT_COMMANDS};
pub use refusal::{Refusal, Why};
