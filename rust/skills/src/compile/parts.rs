//! A recipe that counts its targets, or that may go on without a step, runs as several executions: between two of them the host can look at what was seen.

use super::{Origin, Role};
use crate::recipe::Recipe;
use clawperator_contract::Execution;
use std::ops::Range;

/// One execution of a run.
#[derive(Clone, Debug)]
pub struct Part {
    /// What is sent.
    pub execution: Execution,
    pub(crate) cut: Cut,
}

/// Where a part begins and ends, and what its end means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Its actions, of those of the whole.
    pub(crate) range: Range<usize>,
    /// May it fail?
    pub(crate) optional: bool,
}

impl Part {
    /// May it fail without ending the run?
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.cut.optional
    }

    /// Its actions, of those of the whole.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.cut.range.clone()
    }
}

/// Cuts after the counting, and around a step that may fail.
pub(super) fn cuts(recipe: &Recipe, origins: &[Origin]) -> Vec<Cut> {
    let optional = |origin: &Origin| origin.step.is_some_and(|step| recipe.steps[step].optional);
    let mut cuts: Vec<Cut> = Vec::new();
    let mut begun = 0;
    for (at, origin) in origins.iter().enumerate() {
        let next = origins.get(at + 1);
        let counted = origin.role == Role::Count;
        let borders = next.is_some_and(|next| {
            let other = next.step != origin.step;
            other && (optional(origin) || optional(next))
        });
        if next.is_none() || counted || borders {
            cuts.push(Cut { range: begun..at + 1, optional: optional(origin) });
            begun = at + 1;
        }
    }
    cuts
}
