//! The OpenPocket action schema: what an agent written for it sends, read safely, and the executors
//! that do it.
//!
//! [`action`] holds the types and the one table that describes them; [`mod@normalise`] makes an
//! action of any JSON value; [`tools`] tells a model which tools there are; [`step`] reads its answer.
//! [`device`] does the actions of the phone and [`snapshot`] shows its screen, both by way of the
//! host. [`computer`] performs what is done on the computer, by the settings of [`config`]: every
//! file is reached through [`workspace`], and [`shell_words`] judges what a command line would run.
//! [`human`] asks a person. [`session`] puts them together: lines in, lines out.

pub mod action;
pub mod computer;
pub mod config;
pub mod device;
pub mod human;
pub mod normalise;
pub mod outcome;
pub mod session;
pub mod shell_words;
pub mod snapshot;
pub mod step;
pub mod tools;
pub mod workspace;

pub use action::Action;
pub use computer::Computer;
pub use config::Config;
pub use normalise::{Normalised, Note, SeenKind, Used, normalise};
pub use outcome::{Done, Outcome};
pub use step::{ModelStepOutput, Step, StepError};
