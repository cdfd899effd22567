//! Finding the node an action is aimed at, and trying until it is there.

use crate::context::Run;
use crate::matching::Matcher;
use crate::screen::{Node, Screen};
use crate::step::{Outcome, StepFailure, Stop, Tries, Try};
use crate::wait::Patience;
use crate::why;
use clawperator_contract::ErrorCode;
use clawperator_contract::runnable::{Scope, Target};
use clawperator_contract::selector::Selector;
use std::sync::Arc;

/// A selector and the container it looks in, ready to be tried on many screens.
pub(crate) struct Search<'a> {
    selector: &'a Selector,
    matcher: Matcher,
    scope: Option<(&'a Scope, Matcher)>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(selector: &'a Selector, scope: Option<&'a Scope>) -> Self {
        Self {
            selector,
            matcher: Matcher::new(selector),
            scope: scope.map(|scope| (scope, Matcher::new(scope))),
        }
    }

    /// The container on this screen; `Ok(None)` when the search has none.
    fn container<'s>(&self, screen: &'s Screen) -> Result<Option<Node<'s>>, StepFailure> {
        let Some((selector, matcher)) = &self.scope else { return Ok(None) };
        match matcher.find(screen, None) {
            Some(node) => Ok(Some(node)),
            None => Err(container_missing(selector)),
        }
    }

    /// The first node that fits.
    pub(crate) fn first<'s>(&self, screen: &'s Screen) -> Result<Node<'s>, StepFailure> {
        let container = self.container(screen)?;
        self.matcher.find(screen, container).ok_or_else(|| self.missing())
    }

    /// Every node that fits; at least one.
    pub(crate) fn all<'s>(&self, screen: &'s Screen) -> Result<Vec<Node<'s>>, StepFailure> {
        let container = self.container(screen)?;
        let found: Vec<_> = self.matcher.find_all(screen, container).collect();
        if found.is_empty() { Err(self.missing()) } else { Ok(found) }
    }

    /// In few words, while there is still hope; [`Self::explained`] says more.
    pub(crate) fn missing(&self) -> StepFailure {
        StepFailure::new(ErrorCode::NodeNotFound, format!("no node with {}", self.selector))
    }

    /// The same failure with the nearest misses of the newest screen. Made once, at the end.
    pub(crate) fn explained(
        &self,
        mut failure: StepFailure,
        screen: Option<&Screen>,
    ) -> StepFailure {
        let Some(screen) = screen else { return failure };
        if failure.code == ErrorCode::NodeNotFound && failure.message == self.missing().message {
            let container = self.container(screen).ok().flatten();
            failure.message = why::why_nothing(screen, self.selector, container);
        } else if failure.code == ErrorCode::ContainerNotFound
            && let Some((selector, _)) = &self.scope
        {
            let near = why::why_nothing(screen, selector, None);
            failure.message = format!("the container is not on the screen: {near}");
        } else if failure.code == ErrorCode::NodeStale {
            // Found and gone again, every time: to who searched for it, it is not there.
            failure.code = ErrorCode::NodeNotFound;
        }
        failure
    }
}

pub(crate) fn container_missing(selector: &Selector) -> StepFailure {
    StepFailure::new(ErrorCode::ContainerNotFound, format!("no container with {selector}"))
}

/// A node reference that no longer stands for a node.
pub(crate) fn stale(reference: clawperator_contract::NodeRef) -> StepFailure {
    let message =
        format!("{reference} is of a screen that is no longer the newest; nothing was done");
    StepFailure::new(ErrorCode::NodeStale, message)
}

impl Run<'_> {
    /// Looks, searches, and lets `act` do the rest, again and again until it is done.
    pub(crate) fn seek<T>(
        &mut self,
        patience: Patience,
        search: &Search<'_>,
        mut act: impl FnMut(&mut Self, &Arc<Screen>, Node<'_>) -> Outcome<Try<T>>,
    ) -> Outcome<(T, Tries)> {
        let outcome = self.patiently(patience, |run| {
            let screen = match run.look_or()? {
                Ok(screen) => screen,
                Err(attempt) => return Ok(attempt),
            };
            match search.first(&screen) {
                Ok(node) => act(run, &screen, node),
                Err(missing) => Ok(Try::NotYet(missing)),
            }
        });
        outcome.map_err(|stop| self.explain(stop, search))
    }

    /// Adds the nearest misses to a failed search.
    pub(crate) fn explain(&self, stop: Stop, search: &Search<'_>) -> Stop {
        let screen = self.screen.as_deref();
        match stop {
            Stop::Failed(failure) => Stop::Failed(search.explained(failure, screen)),
            Stop::Timeout(Some(failure)) => Stop::Timeout(Some(search.explained(failure, screen))),
            other => other,
        }
    }

    /// The same for a target that may be a reference: that one is tried once, on the very screen
    /// it speaks of.
    pub(crate) fn seek_target<T>(
        &mut self,
        patience: Patience,
        target: &Target,
        scope: Option<&Scope>,
        mut act: impl FnMut(&mut Self, &Arc<Screen>, Node<'_>) -> Outcome<Try<T>>,
    ) -> Outcome<(T, Tries)> {
        let reference = match target {
            Target::Search(selector) => {
                return self.seek(patience, &Search::new(selector, scope), act);
            }
            Target::Ref(reference) => *reference,
        };
        let newest = self.screen.clone();
        let Some(screen) = newest.filter(|screen| screen.resolve(reference).is_some()) else {
            return Err(stale(reference).into());
        };
        let node = screen.resolve(reference).ok_or_else(|| Stop::from(stale(reference)))?;
        match act(self, &screen, node)? {
            Try::Done(value) => Ok((value, Tries { attempts: 1, ..Tries::default() })),
            Try::NotYet(failure) if failure.code == ErrorCode::NodeStale => {
                Err(stale(reference).into())
            }
            Try::NotYet(failure) | Try::Over(failure) => Err(failure.into()),
        }
    }
}
