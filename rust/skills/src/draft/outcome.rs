//! What a click did, as the recipe has it: its effect, and what proves it.

use super::Act;
use super::effect::{Came, NOT_RECORDED, Value};
use super::snapshot::{Query, Screen};
use super::steps::{Drafted, Drafter};

impl Drafter<'_> {
    /// Adds the step of a click on a node of this screen, with what is to be said of its outcome.
    pub(super) fn put(
        &mut self,
        mut step: Drafted,
        came: Came,
        screen: &Screen,
        at: usize,
        act: &Act,
    ) {
        let same = |value: &Value| {
            self.unread.as_ref().is_some_and(|(old, _)| {
                old.query == value.query && old.container == value.container
            })
        };
        if !matches!(&came, Came::Changed { value: Some(value), .. } if same(value)) {
            self.read_what_changed();
        }
        let node = &screen.nodes[at];
        let button = node.kind() == "Button";
        if button && matches!(came, Came::Led(_)) && !step.optional {
            let told = "Check: a button that leads elsewhere may also save or send something; then write `effect: change` and verify it.";
            step.prose.push(told.to_owned());
        }
        step.toggles = screen.switches(at);
        let by_id = node.own_id().and_then(|id| id.rsplit('/').next());
        let wish = match &step.selector {
            Some(Query { resource_id: Some(_), text_equals: None, .. }) => {
                by_id.map(|name| format!("click_{name}"))
            }
            _ => None,
        };
        let wish = wish.unwrap_or_else(|| step.title.clone());
        self.put_with(step, came, &wish, act);
    }

    /// Adds the step of a click under an id like this one.
    pub(super) fn put_with(&mut self, mut step: Drafted, came: Came, wish: &str, act: &Act) {
        let (why, value) = match came {
            Came::Led(why) => {
                step.effect = Some("navigate");
                step.prose.insert(0, format!("It only leads somewhere: {why}."));
                self.add(wish, step);
                return;
            }
            Came::Changed { why, value } => (why, value),
        };
        self.earlier.clear();
        step.effect = Some("change");
        step.prose.insert(0, format!("It counts as a change: {why}."));
        let switched = step.toggles;
        let Some(value) = value else {
            let watched = step.selector.clone();
            let id = self.add(wish, step);
            self.watch(&id, watched, why, act);
            return;
        };
        let users = |text: &String| (self.is_personal)(text) || self.whole.inputs.is_in(text);
        let told = value.texts.iter().any(users);
        let pattern = (!told).then(|| value.pattern(switched));
        if pattern.is_some() {
            let told = match (switched, value.is_number()) {
                (true, _) => {
                    "Check: `text_matches` takes either state. Write only the one that is wanted."
                }
                (_, true) => {
                    "Check: `text_matches` takes any number: it proves that a value is there, not which."
                }
                _ => "Check: `text_matches` is what the recording shows after the click.",
            };
            step.prose.push(told.to_owned());
        }
        step.confirm = Some((value.query.clone(), value.container.clone(), pattern));
        let id = self.add(wish, step);
        self.unread = Some((value, id));
    }

    /// Looks at the target again, as nothing better is known to look at.
    fn watch(&mut self, id: &str, query: Option<Query>, why: &str, act: &Act) {
        let (told, hint) = match why {
            NOT_RECORDED => (
                "what this click changed was not recorded",
                "end a recording with the Back key, so that the last screen is in it",
            ),
            _ => (
                "nothing that shows this change can be named by a selector",
                "only the target itself is looked at after it",
            ),
        };
        self.whole.warnings.push(format!("seq {} (line {}): {told}; {hint}", act.seq, act.line));
        let told = format!(
            "Check: {told}. Choose something that proves it, or write `effect: navigate` there."
        );
        let step = Drafted {
            title: "See that it is still there".to_owned(),
            kind: "wait_for_node",
            selector: query,
            verifies: Some(id.to_owned()),
            prose: vec![told],
            ..Drafted::default()
        };
        self.add(&format!("after_{id}"), step);
    }
}
