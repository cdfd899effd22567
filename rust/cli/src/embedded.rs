//! `--device sim`: a simulated phone inside this process.

use clawperator_contract::Failure;
use clawperator_embedded::{EmbeddedPhone, failed};
use clawperator_simphone::app::{self, App};
use clawperator_simphone::device::{Latency, Options};
use clawperator_simphone::import;
use clawperator_simphone::system::OperatorPackage;
use std::path::Path;

/// Switches one on.
pub(crate) fn boot() -> Result<EmbeddedPhone, Failure> {
    with_operator(Options::real().map_err(|error| failed(&error))?)
}

/// Switches one on that answers at once, with models or recorded screens beside the apps every
/// phone has.
pub(crate) fn boot_with(
    apps: Option<&Path>,
    screens: Option<&Path>,
) -> Result<EmbeddedPhone, Failure> {
    let options = Options::real().map_err(|error| failed(&error))?;
    let apps = installed(apps, screens)?;
    with_operator(Options { apps, latency: Latency::default(), ..options })
}

fn with_operator(options: Options) -> Result<EmbeddedPhone, Failure> {
    EmbeddedPhone::boot(options, vec![OperatorPackage::current()])
}

/// Package of the app that plays a folder of dumps.
const DUMPS_PACKAGE: &str = "com.example.dumps";

/// The apps every simulated phone has, with those of a folder and recorded screens.
pub(crate) fn installed(
    models: Option<&Path>,
    screens: Option<&Path>,
) -> Result<Vec<App>, Failure> {
    let mut apps = app::shipped().map_err(|error| failed(&error))?;
    if let Some(folder) = models {
        let own = app::from_folder(folder).map_err(|error| failed(&error))?;
        // A model of the same package takes the place of ours.
        apps.retain(|shipped| own.iter().all(|own| own.package != shipped.package));
        apps.extend(own);
    }
    if let Some(folder) = screens {
        let dumps = import::folder(DUMPS_PACKAGE, "Dumps", folder);
        apps.push(dumps.map_err(|error| failed(&error))?);
    }
    Ok(apps)
}
