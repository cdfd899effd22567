//! What will happen, and when.

use super::deed::Act;
use super::view::Key;
use clawperator_runtime::phone::Moment;
use std::collections::BTreeMap;

/// Something that will happen.
#[derive(Clone, Debug)]
pub(crate) enum Due {
    /// The next frame of a fling, unless another one has begun.
    Frame { fling: u64 },
    /// A page looks different by then.
    Changed { page: u64 },
    /// A node that was gone is back.
    Back { key: Key },
    /// Actions of an app, unless its page is gone.
    Act { package: String, page: u64, act: Act },
    /// A screen opens.
    Open { package: String, screen: String, n: i64 },
    /// An app comes to the front.
    Start { package: String, screen: Option<String>, caller: Option<String> },
    /// More items of a feed.
    Loaded { page: u64, feed: Key, count: u32 },
}

/// What will happen, in order; of two things at one moment the one that was planned first.
#[derive(Debug, Default)]
pub(crate) struct Agenda {
    due: BTreeMap<(Moment, u64), Due>,
    planned: u64,
}

impl Agenda {
    pub(crate) fn plan(&mut self, at: Moment, due: Due) {
        self.planned += 1;
        self.due.insert((at, self.planned), due);
    }

    /// When the next thing happens.
    pub(crate) fn next(&self) -> Option<Moment> {
        self.due.keys().next().map(|(at, _)| *at)
    }

    /// The next thing, if it is due by then.
    pub(crate) fn take(&mut self, by: Moment) -> Option<(Moment, Due)> {
        let ((at, _), _) = self.due.first_key_value().filter(|((at, _), _)| *at <= by)?;
        let at = *at;
        self.due.pop_first().map(|(_, due)| (at, due))
    }
}
