//! What goes wrong between the program and the phone, and what it says then.

mod conflicts;
mod devices;
mod middle;
mod operators;
mod servers;
mod sessions;
mod signals;
