//! What apps are doing: their variables, and the pages on top of each other.

use super::view::Key;
use crate::app::{App, Page, State};
use clawperator_runtime::phone::Moment;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A page that is open.
#[derive(Clone, Debug)]
pub(crate) struct OpenPage {
    /// Never used twice.
    pub(crate) number: u64,
    pub(crate) page: Arc<Page>,
    pub(crate) dialog: bool,
    /// The number of the item that opened it.
    pub(crate) n: i64,
    pub(crate) opened: Moment,
    /// Its content is not there before this; a fault.
    pub(crate) content_from: Moment,
    pub(crate) scrolled: BTreeMap<Key, i32>,
    /// Items of feeds that have come so far.
    pub(crate) loaded: BTreeMap<Key, u32>,
    pub(crate) tabs: BTreeMap<Key, usize>,
    pub(crate) typed: BTreeMap<Key, String>,
    pub(crate) focus: Option<Key>,
    pub(crate) keyboard: bool,
}

/// An app that was started at least once.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) app: Arc<App>,
    pub(crate) state: State,
    /// Open pages, the one in front last. None: the app is not running.
    pub(crate) pages: Vec<OpenPage>,
    /// The app that started it: the way back.
    pub(crate) caller: Option<String>,
}

impl Task {
    pub(crate) fn new(app: Arc<App>) -> Self {
        let state = app.state.clone();
        Self { app, state, pages: Vec::new(), caller: None }
    }

    /// The page that fills the window, and the dialogs over it.
    pub(crate) fn shown(&self) -> &[OpenPage] {
        let first = self.pages.iter().rposition(|page| !page.dialog).unwrap_or(0);
        &self.pages[first..]
    }
}
