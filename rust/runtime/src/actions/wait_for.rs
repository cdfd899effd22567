//! Waiting for nodes and for other screens.

use crate::context::{Origin, Run};
use crate::matching::Matcher;
use crate::search::Search;
use crate::step::{Outcome, StepFailure, Try, data, failed};
use crate::wait::Patience;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use clawperator_contract::runnable::{NavigationWait, NodeWait};

pub(super) fn node(run: &mut Run<'_>, wait: &NodeWait) -> Outcome<StepData> {
    let search = Search::new(&wait.target, wait.scope.as_ref());
    let patience = match wait.timeout {
        Some(timeout) => Patience::Until(run.clock.now() + timeout),
        None => Patience::Policy(wait.retry),
    };
    let found = run.seek(patience, &search, |_, _, node| {
        Ok(Try::Done([
            ("resource_id".to_owned(), node.resource_id().to_owned()),
            ("label".to_owned(), node.label().to_owned()),
            ("ref".to_owned(), node.reference().to_string()),
        ]))
    });
    let timeout_ms = wait.timeout.map(|timeout| timeout.as_millis().to_string());
    let (found, tries) = match found {
        Ok(found) => found,
        Err(stop) => {
            let mut failure = failed(stop)?;
            if let Some(ms) = &timeout_ms {
                failure.message = format!("within {ms} ms: {}", failure.message);
                failure = failure.with("timeout_ms", ms);
            }
            return Err(failure.into());
        }
    };
    let mut told = StepData::from(found);
    told.extend(timeout_ms.map(|ms| ("timeout_ms".to_owned(), ms)));
    tries.tell(&mut told);
    Ok(told)
}

pub(super) fn navigation(run: &mut Run<'_>, wait: &NavigationWait) -> Outcome<StepData> {
    let start = run.clock.now();
    let node = wait.expected_node.as_ref().map(Matcher::new);
    // Where the last step that could navigate started, or, without one, where this wait does.
    let mut origin = run.origin.clone();
    let launched = run.launched.clone();
    let mut left = false;
    let mut last_package = String::new();
    let outcome = run.patiently(Patience::Until(start + wait.timeout), |run| {
        let screen = match run.look_or()? {
            Ok(screen) => screen,
            Err(attempt) => return Ok(attempt),
        };
        let package = screen.foreground_package();
        let origin = origin.get_or_insert_with(|| Origin {
            package: Some(package.to_owned()).filter(|package| !package.is_empty()),
            launched: launched.clone(),
        });
        if !package.is_empty() {
            last_package = package.to_owned();
        }
        if let Some(expected) = wait.expected_package.as_deref() {
            left |= !package.is_empty() && package != expected;
            if package == expected && (left || has_come(origin, expected)) {
                return Ok(Try::Done(package.to_owned()));
            }
        }
        if node.as_ref().is_some_and(|node| node.find(&screen, None).is_some()) {
            return Ok(Try::Done(package.to_owned()));
        }
        Ok(Try::NotYet(StepFailure::new(ErrorCode::NavigationTimeout, waiting_for(wait))))
    });
    let (package, tries) = match outcome {
        Ok(arrived) => arrived,
        Err(stop) => {
            let mut failure = failed(stop)?;
            let ms = wait.timeout.as_millis();
            failure.code = ErrorCode::NavigationTimeout;
            failure.message = format!(
                "{} did not come up within {ms} ms; in front is \"{last_package}\"",
                waiting_for(wait)
            );
            return Err(failure.with("last_package", last_package).into());
        }
    };
    let elapsed = run.clock.now().saturating_sub(start).as_millis();
    let mut told = data([("resolved_package", package), ("elapsed_ms", elapsed.to_string())]);
    tries.tell(&mut told);
    Ok(told)
}

/// Being there counts when one has come from elsewhere, or when the step before launched this
/// very app: then it is in front because of that step, however fast it was or wherever it was.
fn has_come(origin: &Origin, expected: &str) -> bool {
    origin.launched.as_deref() == Some(expected)
        || origin.package.as_deref().is_some_and(|before| before != expected)
}

fn waiting_for(wait: &NavigationWait) -> String {
    let package = wait.expected_package.as_ref().map(|package| format!("the app {package}"));
    let node = wait.expected_node.as_ref().map(|node| format!("a node with {node}"));
    let both: Vec<_> = [package, node].into_iter().flatten().collect();
    both.join(" or ")
}
