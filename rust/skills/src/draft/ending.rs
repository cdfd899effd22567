//! The end of a draft: something that shows that the way led where it led before.

use super::candidates::Texts;
use super::snapshot::{Query, Screen};
use super::steps::{Drafted, Drafter};

/// Adds a step that waits for the last screen, unless the last step proves itself already.
pub(super) fn add(drafter: &mut Drafter<'_>) {
    let proved = drafter.whole.steps.last().is_some_and(|step| step.effect != Some("navigate"));
    if proved {
        return;
    }
    let Some((screen, title)) = drafter.end.take() else {
        return unproved(drafter, "the screen at the end was not recorded");
    };
    let texts = Texts { inputs: &mut drafter.whole.inputs, is_personal: drafter.is_personal };
    let chosen = choose(&screen, drafter.earlier.last(), title.as_deref(), &texts);
    let Some((query, why)) = chosen else {
        return unproved(drafter, "nothing on the last screen is new and can be named");
    };
    let step = Drafted {
        title: "See that it arrived".to_owned(),
        kind: "wait_for_node",
        selector: Some(query),
        prose: vec![format!("The recording ends on this screen: {why}.")],
        ..Drafted::default()
    };
    drafter.add("arrived", step);
}

fn unproved(drafter: &mut Drafter<'_>, why: &str) {
    let told = format!("{why}, so nothing proves that a run gets there");
    drafter.whole.notes.push(format!("Check: {told}. Add a wait_for_node step at the end."));
    drafter.whole.warnings.push(told);
}

/// A node that says that this screen is there: one the screen before did not have, the title
/// rather than a heading, a heading rather than any text, and any text rather than an id.
fn choose(
    screen: &Screen,
    before: Option<&Screen>,
    title: Option<&str>,
    texts: &Texts<'_>,
) -> Option<(Query, &'static str)> {
    let new = |query: &Query| before.is_none_or(|before| before.find(query).is_empty());
    let by_text = |at: usize| {
        let text_equals = Some(screen.nodes[at].label().to_owned());
        Query { text_equals, ..Query::default() }
    };
    let says = |at: &usize| {
        let node = &screen.nodes[*at];
        let fit = |text: &str| !text.trim().is_empty() && !text.chars().any(|c| c.is_ascii_digit());
        let known = texts.inputs.knows(&node.text);
        fit(&node.text) && (known || !texts.is_users(screen, *at)) && new(&by_text(*at))
    };
    let in_bar = |at: &usize| {
        screen.around(*at).any(|at| {
            ["Toolbar", "ActionBar"].iter().any(|bar| screen.nodes[at].kind().contains(bar))
        })
    };
    let all = || 0..screen.nodes.len();
    let titled = all().filter(says).find(|at| Some(screen.nodes[*at].label()) == title);
    let barred = || all().filter(says).find(in_bar);
    if let Some(at) = titled.or_else(barred) {
        return Some((by_text(at), "its title"));
    }
    // Entries come and go, and buttons are greyed or renamed sooner than plain texts.
    let steady =
        |at: &usize| screen.entry(*at).is_none() && !screen.nodes[screen.reached(*at)].clickable;
    if let Some(at) = all().filter(says).find(steady).or_else(|| all().find(says)) {
        return Some((by_text(at), "a text that was not on the screen before"));
    }
    all().find_map(|at| {
        let id = screen.nodes[at].own_id()?;
        let query = Query { resource_id: Some(id.to_owned()), ..Query::default() };
        new(&query).then_some((query, "a node that was not on the screen before"))
    })
}
