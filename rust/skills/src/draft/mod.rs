//! Drafts a recipe from what a person did on a phone.
//!
//! A draft is a whole recipe: it passes every check, compiles, and leads through the same app
//! again. What only a person can judge is said in it in plain words. Texts that belong to whoever
//! recorded become inputs; their values are in the answer and not in the file.

mod candidates;
mod clicks;
mod effect;
mod ending;
mod inputs;
mod outcome;
mod snapshot;
mod steps;
mod write;

use crate::check;
use crate::problem::Problem;
pub use inputs::looks_personal;
pub use snapshot::Bounds;
use std::collections::{BTreeMap, BTreeSet};

/// A recording, as far as a recipe can be made of it.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Its id.
    pub session_id: String,
    /// Packages that are apps: not the launcher, not the system's bars, not a keyboard.
    pub apps: BTreeSet<String>,
    /// Packages that ask questions over an app, such as for permissions.
    pub dialogs: BTreeSet<String>,
    /// What was done, in order.
    pub acts: Vec<Act>,
    /// Screens that came after the last act, as XML, the newest at the end.
    pub last_screens: Vec<String>,
}

/// One thing that was done.
#[derive(Clone, Debug)]
pub struct Act {
    /// Number of its event.
    pub seq: i64,
    /// Its line in the file.
    pub line: usize,
    /// What was done.
    pub what: What,
    /// Screens that were recorded since the act before, as XML, with its own at the end.
    pub screens: Vec<String>,
    /// Titles of windows that came of it.
    pub windows: Vec<Option<String>>,
    /// Is it only guessed that this was done?
    pub guessed: bool,
}

/// What was done.
#[derive(Clone, Debug)]
pub enum What {
    /// An app was brought to the front.
    OpenApp {
        /// Which one.
        package: String,
    },
    /// A node was tapped, or pressed long.
    Click(Touch),
    /// A view was scrolled.
    Scroll {
        /// Its app.
        package: String,
        /// Its resource id.
        resource_id: Option<String>,
        /// `down`, `up`, `left` or `right`, where the phone told.
        direction: Option<&'static str>,
    },
    /// Something no recipe can do.
    Other {
        /// Its app, where it belongs to one.
        package: Option<String>,
        /// What it is, without anything that was typed.
        told: String,
    },
}

/// A node that was touched.
#[derive(Clone, Debug, Default)]
pub struct Touch {
    /// Its app.
    pub package: String,
    /// Its resource id.
    pub resource_id: Option<String>,
    /// Its text.
    pub text: Option<String>,
    /// Its content description.
    pub content_desc: Option<String>,
    /// Its place on the screen.
    pub bounds: Bounds,
    /// Was it pressed long?
    pub long: bool,
}

/// A recipe that was drafted.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The document.
    pub text: String,
    /// Its recipe's id.
    pub recipe_id: String,
    /// Steps in it.
    pub step_count: usize,
    /// The inputs and what they were when it was recorded. Nowhere in the document.
    pub vars: BTreeMap<String, String>,
    /// What was left out, and what a person must judge.
    pub warnings: Vec<String>,
}

/// Why there is no draft.
#[derive(Clone, Debug)]
pub enum NoDraft {
    /// Nothing was done in any app.
    Nothing,
    /// The document that was made breaks a rule. That is a fault of the drafting.
    Unsound(Vec<Problem>),
}

/// Drafts a recipe. `is_personal` says of a text whether it looks like one person's; see
/// [`looks_personal`].
pub fn draft(recorded: &Recorded, is_personal: &dyn Fn(&str) -> bool) -> Result<Draft, NoDraft> {
    let app = application(recorded).ok_or(NoDraft::Nothing)?;
    let mut drafted = steps::Drafter::new(recorded, &app, is_personal).run();
    if drafted.steps.is_empty() {
        return Err(NoDraft::Nothing);
    }
    let mut name = recorded.session_id.as_str();
    if is_personal(name) || is_personal(&format!("{app}.{name}")) {
        drafted.warnings.push(
            "the recording's id looks like one person's; the recipe is named \"recording\""
                .to_owned(),
        );
        name = "recording";
    }
    let recipe_id = format!("{app}.{name}");
    let text = write::document((&recipe_id, name), &app, recorded, &drafted);
    let checked = check::check("draft.recipe.md", &text, None);
    if !checked.is_sound() {
        return Err(NoDraft::Unsound(checked.problems));
    }
    Ok(Draft {
        text,
        recipe_id,
        step_count: drafted.steps.len(),
        vars: drafted.inputs.all.into_iter().collect(),
        warnings: drafted.warnings,
    })
}

/// The app that was worked in: the one with the most acts, and of several the first.
fn application(recorded: &Recorded) -> Option<String> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for act in &recorded.acts {
        let package = match &act.what {
            What::OpenApp { package } | What::Scroll { package, .. } => package,
            What::Click(touch) => &touch.package,
            What::Other { package: Some(package), .. } => package,
            What::Other { package: None, .. } => continue,
        };
        if !recorded.apps.contains(package) {
            continue;
        }
        match counts.iter_mut().find(|(known, _)| known == package) {
            Some((_, count)) => *count += 1,
            None => counts.push((package, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max()?;
    counts.iter().find(|(_, count)| *count == most).map(|(package, _)| (*package).to_owned())
}
