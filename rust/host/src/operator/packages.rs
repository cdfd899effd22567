//! Which of the operator's packages is meant, and how commands name it.

use super::presence::{Census, missing};
use crate::device::Device;
use clawperator_contract::operator::RELEASE_PACKAGE;
use clawperator_contract::{ErrorCode, Failure};
use serde_json::json;

/// The operator that is meant: the one named, or the only one installed.
///
/// One that is named is not looked for: whoever uses it next finds out what is wrong with it.
pub fn the_one_meant(device: &dyn Device, named: Option<&str>) -> Result<String, Failure> {
    match named {
        Some(named) => Ok(named.to_owned()),
        None => Census::take(device, None)?.the_one_meant(None),
    }
}

impl Census {
    /// The same, of a phone that was looked at already.
    pub(crate) fn the_one_meant(&self, named: Option<&str>) -> Result<String, Failure> {
        if let Some(named) = named {
            return Ok(named.to_owned());
        }
        match self.packages().as_slice() {
            [only] => Ok((*only).to_owned()),
            [] => Err(missing(self.serial(), RELEASE_PACKAGE)),
            several => {
                let message =
                    format!("{} are both installed; say which one", several.join(" and "));
                let hint = format!("add --operator-package {}", several[0]);
                Err(Failure::new(ErrorCode::OperatorVariantMismatch, message)
                    .detail("installed", json!(several))
                    .hint(hint))
            }
        }
    }
}

/// A command line of this program, for this phone and this operator.
pub(crate) fn next_command(command: &str, serial: &str, package: &str) -> String {
    let package = match package {
        RELEASE_PACKAGE => String::new(),
        other => format!(" --operator-package {other}"),
    };
    format!("clawperator {command} --device {serial}{package}")
}
