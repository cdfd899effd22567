//! A phone as the hand of a recipe.

use clawperator_contract::{Envelope, Execution, Failure};
use clawperator_host::dispatch::{self, Route};
use clawperator_host::packages;
use clawperator_skills::run::Hand;

/// The way to the phone. It keeps no evidence: that is the screen as it is, and a recipe's run
/// shows nothing of it.
pub(crate) struct PhoneHand<'a>(pub(crate) Route<'a>);

impl Hand for PhoneHand<'_> {
    fn execute(&mut self, execution: &Execution) -> Result<Envelope, Failure> {
        Ok(dispatch::execute(&self.0, execution, &mut ())?.envelope)
    }

    fn version_code(&mut self, package: &str) -> Result<Option<u64>, Failure> {
        packages::version_code(self.0.device, package)
    }
}
