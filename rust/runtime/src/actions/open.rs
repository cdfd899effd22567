//! Opening apps and URIs, closing apps.

use crate::context::Run;
use crate::phone::{Launch, PhoneError};
use crate::step::{Outcome, StepFailure, Try, data, failed, may_have_acted};
use crate::wait::Patience;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::retry::RetryPolicy;
use clawperator_contract::runnable::{App, OpenUri};
use std::time::Duration;

pub(super) fn app(run: &mut Run<'_>, app: &App) -> Outcome<StepData> {
    let id = app.application_id.as_str();
    let missing = || StepFailure::new(ErrorCode::AppNotFound, format!("no app {id} to launch"));
    let mut told = launched(run, app.retry, &missing, |run| run.phone.launch(id))?;
    come_up(run, id)?;
    told.insert("application_id".into(), id.into());
    Ok(told)
}

/// How long an app may take to come up before the next step looks all the same.
const COMING_UP: Duration = Duration::from_millis(2_000);

/// Until a launched app is in front the screen is another's, and the next step would find its
/// target there. An app that hands over to another one never comes, which is no failure.
fn come_up(run: &mut Run<'_>, id: &str) -> Outcome<()> {
    let until = run.clock.now() + COMING_UP;
    let outcome = run.patiently(Patience::Until(until), |run| {
        let screen = match run.look_or()? {
            Ok(screen) => screen,
            Err(attempt) => return Ok(attempt),
        };
        Ok(match screen.foreground_package() == id {
            true => Try::Done(()),
            false => Try::NotYet(StepFailure::new(ErrorCode::NavigationTimeout, "not up yet")),
        })
    });
    match outcome {
        Ok(_) => Ok(()),
        Err(stop) => failed(stop).map(drop),
    }
}

/// Schemes that hand an arbitrary command to another app, or read the phone's files.
const REFUSED_SCHEMES: &[&str] = &["intent", "android-app", "file", "javascript"];

pub(super) fn uri(run: &mut Run<'_>, open: &OpenUri) -> Outcome<StepData> {
    let uri = open.uri.trim();
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    if REFUSED_SCHEMES.iter().any(|refused| refused.eq_ignore_ascii_case(scheme)) {
        let message = format!("{scheme}: URIs are never opened");
        return Err(StepFailure::new(ErrorCode::UriRefused, message).with("uri", uri).into());
    }
    let missing = || {
        StepFailure::new(ErrorCode::UriNotHandled, format!("nothing on the phone opens {uri}"))
            .with("uri", uri)
    };
    let mut told = launched(run, open.retry, &missing, |run| run.phone.view(uri))?;
    told.insert("uri".into(), uri.into());
    Ok(told)
}

fn launched(
    run: &mut Run<'_>,
    retry: RetryPolicy,
    missing: &dyn Fn() -> StepFailure,
    mut launch: impl FnMut(&mut Run<'_>) -> Result<Launch, PhoneError>,
) -> Outcome<StepData> {
    let ((), tries) = run.patiently(Patience::Policy(retry), |run| match launch(run) {
        Ok(Launch::Started) => Ok(Try::Done(())),
        // It will not be installed while we wait.
        Ok(Launch::NoHandler) => Ok(Try::Over(missing())),
        Ok(Launch::Refused) => Ok(Try::NotYet(StepFailure::new(
            ErrorCode::ActionFailed,
            "the phone refused to start it",
        ))),
        Err(error) => may_have_acted(error),
    })?;
    let mut told = data([]);
    tries.tell(&mut told);
    Ok(told)
}

/// Only the host can force-stop an app; without one the step says so and the execution goes on.
/// Stopping an app twice does no harm, so a host that failed is asked again.
pub(super) fn close(run: &mut Run<'_>, app: &App) -> Outcome<StepData> {
    let id = app.application_id.as_str();
    let (mut told, tries) = run.patiently(Patience::Policy(app.retry), |run| {
        let call = HostCall::CloseApp { application_id: id.to_owned() };
        Ok(match run.ask_host(call)? {
            Some(HostAnswer::Done { data }) => Try::Done(data),
            Some(HostAnswer::Failed { code, message }) => {
                let code = code.parse().unwrap_or(ErrorCode::ActionFailed);
                Try::NotYet(StepFailure::new(code, message).with("application_id", id))
            }
            None => Try::Over(
                StepFailure::new(
                    ErrorCode::UnsupportedRuntimeClose,
                    "the phone cannot force-stop an app by itself; the host does it",
                )
                .with("application_id", id),
            ),
        })
    })?;
    told.insert("application_id".into(), id.into());
    tries.tell(&mut told);
    Ok(told)
}
