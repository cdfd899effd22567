//! From what was done to the steps of a recipe.

use super::effect::Value;
use super::inputs::Inputs;
use super::snapshot::{Query, Screen};
use super::{Act, Recorded, What, ending};

/// One step as it will be written.
#[derive(Debug, Default)]
pub(super) struct Drafted {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) kind: &'static str,
    pub(super) selector: Option<Query>,
    pub(super) container: Option<Query>,
    pub(super) params: Vec<(&'static str, String)>,
    pub(super) effect: Option<&'static str>,
    /// What must be there afterwards, where it is looked for, and what it must say.
    pub(super) confirm: Option<(Query, Option<Query>, Option<String>)>,
    pub(super) verifies: Option<String>,
    pub(super) optional: bool,
    /// Does it switch something?
    pub(super) toggles: bool,
    /// Paragraphs before its block.
    pub(super) prose: Vec<String>,
    /// Other ways to name its target, with what is to be said of each.
    pub(super) candidates: Vec<(Query, bool, String)>,
    /// Paragraphs after it: what was left out there.
    pub(super) after: Vec<String>,
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Whole {
    pub(super) steps: Vec<Drafted>,
    pub(super) inputs: Inputs,
    /// Name, step it is read from, and whether it is a number.
    pub(super) outputs: Vec<(String, String, bool)>,
    /// What stands before the first step.
    pub(super) notes: Vec<String>,
    pub(super) warnings: Vec<String>,
}

/// A view that was scrolled before a click.
pub(super) struct Scrolled {
    pub(super) seq: i64,
    pub(super) line: usize,
    pub(super) package: String,
    pub(super) resource_id: Option<String>,
    pub(super) direction: Option<&'static str>,
}

pub(super) struct Drafter<'a> {
    pub(super) recorded: &'a Recorded,
    pub(super) app: &'a str,
    pub(super) is_personal: &'a dyn Fn(&str) -> bool,
    pub(super) whole: Whole,
    pub(super) scrolled: Option<Scrolled>,
    /// Screens since the last change.
    pub(super) earlier: Vec<Screen>,
    /// The screen after the last step, and the title of its window.
    pub(super) end: Option<(Screen, Option<String>)>,
    /// A value that changed and is still to be read, and the step that changed it.
    pub(super) unread: Option<(Value, String)>,
}

impl<'a> Drafter<'a> {
    pub(super) fn new(
        recorded: &'a Recorded,
        app: &'a str,
        is_personal: &'a dyn Fn(&str) -> bool,
    ) -> Self {
        let (whole, earlier) = (Whole::default(), Vec::new());
        Self { recorded, app, is_personal, whole, scrolled: None, earlier, end: None, unread: None }
    }

    pub(super) fn run(mut self) -> Whole {
        let acts = &self.recorded.acts;
        for (index, act) in acts.iter().enumerate() {
            match &act.what {
                What::OpenApp { package } => self.open(act, package),
                What::Click(touch) => self.click(index, act, touch),
                What::Scroll { package, resource_id, direction } => {
                    self.scroll(act, package, resource_id.as_ref(), *direction);
                }
                What::Other { told, .. } => self.other(index, act, told),
            }
        }
        self.scrolled_for_nothing();
        self.read_what_changed();
        ending::add(&mut self);
        self.whole
    }

    /// Says that something is not in the recipe, where it would have been and in the answer.
    pub(super) fn leave_out(&mut self, (seq, line): (i64, usize), what: &str) {
        self.whole.warnings.push(format!("seq {seq} (line {line}): left out: {what}"));
        let told = format!("Left out here: {what} (seq {seq}).");
        match self.whole.steps.last_mut() {
            Some(step) => step.after.push(told),
            None => self.whole.notes.push(told),
        }
    }

    /// The session policy opens the app at the beginning.
    fn open(&mut self, act: &Act, package: &str) {
        self.scrolled_for_nothing();
        self.read_what_changed();
        self.earlier.clear();
        self.end = act.screens.last().and_then(|xml| Screen::read(xml)).map(|end| (end, None));
        if package == self.app && self.whole.steps.is_empty() {
            if act.guessed {
                let told = "Check: the recording begins inside the app. A run begins at the app's first screen; add the steps that lead from there to the first one here.";
                self.whole.notes.push(told.to_owned());
                self.whole.warnings.push(format!(
                    "seq {} (line {}): the recording begins inside the app; a run begins at its first screen",
                    act.seq, act.line
                ));
            }
            return;
        }
        let last = package.rsplit('.').next().unwrap_or_default();
        let step = Drafted {
            title: format!("Open {package}"),
            kind: "open_app",
            params: vec![("applicationId", package.to_owned())],
            prose: vec!["The recording goes on in another app here.".to_owned()],
            ..Drafted::default()
        };
        self.add(&format!("open_{last}"), step);
    }

    /// Adds a step under an id like this one, and says which.
    pub(super) fn add(&mut self, wish: &str, step: Drafted) -> String {
        let mut slug = String::new();
        for letter in wish.to_lowercase().chars() {
            let fits = letter.is_ascii_alphanumeric();
            if fits || !slug.ends_with('_') {
                slug.push(if fits { letter } else { '_' });
            }
        }
        // Room for a number, and for what the compiler adds.
        let slug: String = slug.trim_matches('_').chars().take(40).collect();
        let slug = if slug.is_empty() { "step".to_owned() } else { slug };
        let taken = |id: &str| self.whole.steps.iter().any(|step| step.id == id);
        let numbered = (2..).map(|number| format!("{slug}_{number}"));
        let id = std::iter::once(slug.clone()).chain(numbered).find(|id| !taken(id));
        let id = id.unwrap_or_default();
        self.whole.steps.push(Drafted { id: id.clone(), ..step });
        id
    }

    fn scroll(
        &mut self,
        act: &Act,
        package: &str,
        resource_id: Option<&String>,
        direction: Option<&'static str>,
    ) {
        if let Some(before) = &self.scrolled
            && before.package == package
            && before.resource_id.as_ref() == resource_id
        {
            // Down and a little up again: it lies on the way down.
            return;
        }
        self.scrolled_for_nothing();
        self.scrolled = Some(Scrolled {
            seq: act.seq,
            line: act.line,
            package: package.to_owned(),
            resource_id: resource_id.cloned(),
            direction,
        });
    }

    /// A scroll is only worth something to the click after it.
    pub(super) fn scrolled_for_nothing(&mut self) {
        if let Some(Scrolled { seq, line, .. }) = self.scrolled.take() {
            self.leave_out((seq, line), "scrolling that no click follows");
        }
    }

    fn other(&mut self, index: usize, act: &Act, told: &str) {
        self.scrolled_for_nothing();
        self.read_what_changed();
        self.leave_out((act.seq, act.line), told);
        let goes_on = self.recorded.acts[index + 1..]
            .iter()
            .any(|act| matches!(act.what, What::Click(_) | What::OpenApp { .. }));
        if goes_on && let Some(step) = self.whole.steps.last_mut() {
            let told = "Check: what follows was recorded after that; make sure that it can be reached without it.";
            step.after.push(told.to_owned());
        }
    }

    /// Reads a value that changed, once, however often it did.
    pub(super) fn read_what_changed(&mut self) {
        let Some((value, changed_by)) = self.unread.take() else { return };
        let (number, name) = (value.is_number(), value.name.clone());
        let mut prose = vec!["What changed is read here, as an output.".to_owned()];
        if number {
            prose.push("Check: the output is the number in the text.".to_owned());
        } else {
            prose.push("Check: the output is a text, so it is covered unless you say otherwise with `redaction`.".to_owned());
        }
        let step = Drafted {
            title: "Read what changed".to_owned(),
            kind: "read_text",
            selector: Some(value.query),
            container: value.container,
            verifies: Some(changed_by),
            prose,
            ..Drafted::default()
        };
        let id = self.add(&format!("read_{name}"), step);
        let taken = |name: &str| self.whole.outputs.iter().any(|(known, ..)| known == name);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let output = std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name));
        self.whole.outputs.push((output.unwrap_or(name), id, number));
    }
}
