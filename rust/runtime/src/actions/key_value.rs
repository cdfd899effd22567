//! Reading the value that stands beside a label.

use super::click::described;
use crate::context::Run;
use crate::role::Role;
use crate::screen::Node;
use crate::search::Search;
use crate::step::{Outcome, StepFailure, Try, data};
use crate::wait::Patience;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use clawperator_contract::json;
use clawperator_contract::runnable::ReadKeyValuePair;

pub(super) fn perform(run: &mut Run<'_>, read: &ReadKeyValuePair) -> Outcome<StepData> {
    let search = Search::new(&read.label, read.scope.as_ref());
    let outcome = run.patiently(Patience::Policy(read.retry), |run| {
        let screen = match run.look_or()? {
            Ok(screen) => screen,
            Err(attempt) => return Ok(attempt),
        };
        let labels = match search.all(&screen) {
            Ok(labels) => labels,
            Err(missing) => return Ok(Try::NotYet(missing)),
        };
        let mut pairs = Vec::new();
        for label in &labels {
            if let Some(value) = value_of(*label) {
                pairs.push((label.label().to_owned(), value.label().to_owned()));
                if !read.all {
                    break;
                }
            }
        }
        if pairs.is_empty() {
            let message = format!("{} has no value beside it", described(labels[0]));
            let failure = StepFailure::new(ErrorCode::ValueNodeNotFound, message);
            return Ok(Try::NotYet(failure.with("label", labels[0].label())));
        }
        Ok(Try::Done(pairs))
    });
    let (pairs, tries) = outcome.map_err(|stop| run.explain(stop, &search))?;
    let mut told = if read.all {
        let (labels, values): (Vec<_>, Vec<_>) = pairs.iter().cloned().unzip();
        data([
            ("label", json::compact(&labels)),
            ("value", json::compact(&values)),
            ("all", "true".to_owned()),
            ("count", pairs.len().to_string()),
        ])
    } else {
        let (label, value) = pairs.into_iter().next().unwrap_or_default();
        data([("label", label), ("value", value)])
    };
    tries.tell(&mut told);
    Ok(told)
}

/// The first labelled node after the label, at the lowest level at which anything labelled
/// follows. A row, an item or a card is where one pair ends and the next begins.
fn value_of(label: Node<'_>) -> Option<Node<'_>> {
    let is_boundary = |node| matches!(Role::of(node), Role::Row | Role::ListItem | Role::Card);
    let mut below = label;
    while let Some(parent) = below.parent().filter(|_| !is_boundary(below)) {
        let after = || {
            let end_of_path = below;
            parent.descendants().filter(move |node| {
                node.index() > end_of_path.index()
                    && !node.is_within(end_of_path)
                    && node.is_shown()
                    && node.has_label()
            })
        };
        // Android's own preference rows name their value.
        let summary = || after().find(|node| node.resource_id().ends_with("/summary"));
        if let Some(value) = summary().or_else(|| after().next()) {
            return Some(value);
        }
        below = parent;
    }
    None
}
