//! A phone as the hand of a recipe.

use clawperator_contract::{Envelope, Execution, Failure};
use clawperator_host::dispatch::{self, Route, Watcher};
use clawperator_host::packages;
use clawperator_skills::run::Hand;

/// The way to the phone, and who is told of its steps. Give it no place for evidence: that is the
/// screen as it is, and a recipe's run shows nothing of it.
pub struct PhoneHand<'a, W: Watcher = ()> {
    /// The way.
    pub route: Route<'a>,
    /// Who is told.
    pub watcher: W,
}

impl<'a> PhoneHand<'a> {
    /// A hand nobody watches.
    #[must_use]
    pub fn new(route: Route<'a>) -> Self {
        Self { route, watcher: () }
    }
}

impl<W: Watcher> Hand for PhoneHand<'_, W> {
    fn execute(&mut self, execution: &Execution) -> Result<Envelope, Failure> {
        Ok(dispatch::execute(&self.route, execution, &mut self.watcher)?.envelope)
    }

    fn version_code(&mut self, package: &str) -> Result<Option<u64>, Failure> {
        packages::version_code(self.route.device, package)
    }
}
