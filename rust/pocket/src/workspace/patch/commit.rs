//! The renames of a patch, and their undoing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use super::Change;
use crate::workspace::boundary::{Parents, Place};
use crate::workspace::{FileFailure, Workspace};

/// One file on its way: its new version and its old one lie beside it.
#[derive(Debug)]
struct Step {
    place: Place,
    staged: Option<OsString>,
    aside: Option<OsString>,
    done: bool,
}

pub(super) fn commit(
    workspace: &Workspace,
    changes: &BTreeMap<PathBuf, Change>,
) -> Result<(), FileFailure> {
    let mut steps = Vec::new();
    let mut made = Vec::new();
    let done = stage(workspace, changes, &mut steps, &mut made)
        .and_then(|()| steps.iter_mut().try_for_each(Step::take_place));
    let Err(cause) = done else {
        for step in &steps {
            step.tidy();
        }
        return Ok(());
    };
    let mut left: Vec<String> = steps.iter().rev().filter_map(Step::undo).collect();
    workspace.remove_directories(&made);
    if left.is_empty() {
        return Err(cause);
    }
    left.sort();
    Err(FileFailure::RollbackIncomplete { cause: Box::new(cause), left })
}

fn stage(
    workspace: &Workspace,
    changes: &BTreeMap<PathBuf, Change>,
    steps: &mut Vec<Step>,
    made: &mut Vec<PathBuf>,
) -> Result<(), FileFailure> {
    for (path, change) in changes {
        // Made and deleted by the same patch: nothing to do.
        if change.before.is_none() && change.after.is_none() {
            continue;
        }
        let mut place = workspace.place_inside(path, Parents::Make)?;
        made.append(&mut place.made);
        if place.content()? != change.before {
            return Err(FileFailure::Changed { path: place.shown() });
        }
        let mode = change.before.as_ref().map(|before| before.mode);
        let staged = change.after.as_ref().map(|after| place.stage(after, mode)).transpose()?;
        steps.push(Step { place, staged, aside: None, done: false });
        if let (Some(step), true) = (steps.last_mut(), change.before.is_some()) {
            step.aside = Some(step.place.keep_aside()?);
        }
    }
    Ok(())
}

impl Step {
    fn take_place(&mut self) -> Result<(), FileFailure> {
        match &self.staged {
            Some(staged) => self.place.promote(staged)?,
            None => self.place.remove()?,
        }
        self.done = true;
        Ok(())
    }

    fn tidy(&self) {
        for name in self.staged.iter().chain(&self.aside) {
            self.place.forget(name);
        }
    }

    /// Puts the old version back; says what could not be put back.
    fn undo(&self) -> Option<String> {
        let undone = match &self.aside {
            // Also when not done: without links the old version was moved aside.
            Some(aside) => self.place.promote(aside),
            None if self.done => self.place.remove(),
            None => Ok(()),
        };
        if undone.is_err() {
            return Some(self.place.shown());
        }
        self.tidy();
        None
    }
}
