//! HTTP in front of the desk.
//!
//! One table (`table`) has every route with its handler, its parameters and the schemas of what
//! goes in and comes out; axum's routes and `/openapi.json` are both made from it. Every answer is
//! JSON, failures included, but for the stream of events and pictures.

mod answer;
mod bodies;
mod call;
mod events;
mod files;
mod guard;
mod openapi;
mod routes;
mod server;
mod shapes;
pub mod status;
mod table;
pub mod token;

pub use files::Files;
pub use guard::Guard;
pub use openapi::document;
pub use server::serve;
pub use table::summaries;

use crate::desk::Desk;
use clawperator_contract::Failure;
use clawperator_host::emulator::{Emulators, Sdk};
use clawperator_skills::policy::Policy;
use clawperator_skills::run::Redactor;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// What covers outputs of recipes; asked when one is run.
pub type Redacting = Arc<dyn Fn() -> Result<Redactor, Failure> + Send + Sync>;
/// The phones among which emulators are found.
pub type EmulatorPhones = Box<dyn Fn() -> Result<clawperator_adb::Server, Failure> + Send + Sync>;

/// What a server is made of.
pub struct Setup {
    /// The desk.
    pub desk: Desk,
    /// Who may ask.
    pub guard: Guard,
    /// Where files may be written.
    pub files: Files,
    /// How scripts of skills call this program.
    pub program: String,
    /// Registries of skills that were named, beside those of the environment.
    pub registries: Vec<PathBuf>,
    /// What recipes may do.
    pub policy: Policy,
    /// What covers outputs of recipes.
    pub redactor: Redacting,
    /// The adb server emulators are found at.
    pub adb: EmulatorPhones,
    /// Version of this program.
    pub version: String,
    /// How long executions may go on when the server is told to end.
    pub grace: Duration,
}

/// The server, as its routes see it.
pub(crate) struct App {
    setup: Setup,
    started: Instant,
    /// Raised when the server is told to end.
    closing: watch::Sender<bool>,
    listeners: AtomicUsize,
    scripts: tokio::sync::Semaphore,
    looks: routes::pocket::Looks,
}

/// Scripts of skills that may run at once: each is a process and its children.
const SCRIPTS: usize = 16;

impl App {
    fn new(setup: Setup) -> Self {
        Self {
            setup,
            started: Instant::now(),
            closing: watch::Sender::new(false),
            listeners: AtomicUsize::new(0),
            scripts: tokio::sync::Semaphore::new(SCRIPTS),
            looks: routes::pocket::Looks::default(),
        }
    }

    fn desk(&self) -> &Desk {
        &self.setup.desk
    }

    /// Something to do with the emulators of this computer. Blocks.
    fn with_emulators<T>(
        &self,
        what: impl FnOnce(&Emulators<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        use clawperator_host::emulator::{AdbPhones, Environment};
        let phones = AdbPhones::new((self.setup.adb)()?);
        what(&Emulators::new(Sdk::new(Environment::of_this_process()), &phones))
    }
}
