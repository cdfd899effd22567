//! The operator on a phone.

use crate::device::Device;
use clawperator_contract::{ErrorCode, Failure};

/// Why the operator's socket could not be opened.
#[must_use]
pub fn why_unreachable(_device: &dyn Device, package: &str) -> Failure {
    Failure::new(ErrorCode::LinkUnavailable, format!("{package} does not listen"))
}
