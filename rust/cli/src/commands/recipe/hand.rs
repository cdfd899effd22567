//! A phone as the hand of a recipe, or of anything that sends it several executions in a row.

use crate::args::Globals;
use crate::commands::execution::VERSION;
use clawperator_contract::{Envelope, Execution, Failure};
use clawperator_host::device::Device;
use clawperator_host::dispatch::{self, Route, Stop};
use clawperator_host::packages;
use clawperator_skills::run::Hand;

pub(crate) struct PhoneHand<'a> {
    pub(crate) phone: &'a dyn Device,
    pub(crate) globals: &'a Globals,
    pub(crate) stop: &'a Stop,
}

impl Hand for PhoneHand<'_> {
    fn execute(&mut self, execution: &Execution) -> Result<Envelope, Failure> {
        let package = self.globals.package();
        let route = Route {
            device: self.phone,
            package: &package,
            host_version: VERSION,
            link: self.globals.wanted_link(),
            // Evidence is the screen as it is; a recipe's run shows nothing of it.
            evidence: None,
            stop: self.stop,
        };
        Ok(dispatch::execute(&route, execution, &mut ())?.envelope)
    }

    fn version_code(&mut self, package: &str) -> Result<Option<u64>, Failure> {
        packages::version_code(self.phone, package)
    }
}
