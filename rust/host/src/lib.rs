//! The computer's side: finds a phone, sends it executions over a link, and answers.
//!
//! It knows the contract, the links and adb; it knows neither command lines nor HTTP. Whatever
//! surface calls it gets a result or a [`clawperator_contract::Failure`].

pub mod build;
pub mod conformance;
pub mod device;
pub mod dispatch;
pub mod doctor;
pub mod emulator;
pub mod flight;
pub mod ids;
pub mod journal;
pub mod operator;
pub mod packages;
pub mod recording;
