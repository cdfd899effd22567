//! Ways to name the node that was touched, the steadiest first, each tried on the recorded screen.

use super::inputs::{self, Inputs};
use super::snapshot::{Query, Screen};

/// A shorter piece of a text is found in too many others.
const SHORTEST_PIECE: usize = 3;

/// One way to name a node.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) query: Query,
    /// Does it lead to the node that was touched?
    pub(super) leads: bool,
    /// How many nodes of the screen it fits.
    pub(super) fits: usize,
    /// Why it stands where it stands.
    pub(super) why: String,
}

/// What is asked about texts.
pub(super) struct Texts<'a> {
    pub(super) inputs: &'a mut Inputs,
    pub(super) is_personal: &'a dyn Fn(&str) -> bool,
}

impl Texts<'_> {
    /// Is the text of this node one person's?
    pub(super) fn is_users(&self, screen: &Screen, at: usize) -> bool {
        let text = screen.nodes[at].label();
        screen.nodes[at].is_field()
            || self.inputs.is_in(text)
            || (self.is_personal)(text)
            || (screen.entry(at).is_some() && !inputs::is_structural_entry(screen, at))
    }
}

fn by_id(id: &str) -> Query {
    Query { resource_id: Some(id.to_owned()), ..Query::default() }
}

fn by_text(text: &str) -> Query {
    Query { text_equals: Some(text.to_owned()), ..Query::default() }
}

/// All ways to name a node: those that lead to it first, the steadiest of them at the front. A text
/// of the user's that is the best label becomes an input; other texts of the user's name nothing.
pub(super) fn of(screen: &Screen, at: usize, texts: &mut Texts<'_>) -> Vec<Candidate> {
    let node = &screen.nodes[at];
    let mut found = Found { screen, at, list: Vec::new() };
    // What a field says is what somebody typed there.
    let own = (!node.label().trim().is_empty() && !node.is_field()).then_some(at);
    let label = own.or_else(|| screen.labels(at).next());
    let users = label.is_some_and(|label| texts.is_users(screen, label));
    if let (Some(label), true) = (label, users) {
        texts.inputs.take(screen.nodes[label].label(), &inputs::name_of(screen, label));
    } else if let Some(id) = node.own_id() {
        found.add(by_id(id), "an id the app itself gave");
    }
    if let Some(label) = label {
        let text = screen.nodes[label].label();
        let whose = match (users, own.is_some()) {
            (true, _) => "the text of an entry, given as an input",
            (false, true) => "what it says",
            (false, false) => "a text inside it",
        };
        let steady = steady_piece(text).filter(|_| !users);
        if let Some(piece) = steady {
            let query = Query { text_contains: Some(piece), ..Query::default() };
            found.add(query, &format!("{whose}, without the number in it"));
        }
        found.add(by_text(text), whose);
        let more = &screen.nodes[label];
        if !more.id.is_empty() && (label != at || users || node.own_id().is_none()) {
            let query = Query { resource_id: Some(more.id.clone()), ..by_text(text) };
            found.add(query, &format!("{whose}, and its id"));
        }
        found.add(
            Query { class: Some(more.class.clone()), ..by_text(text) },
            &format!("{whose}, and its class"),
        );
    }
    if !node.desc.trim().is_empty() && !users && !(texts.is_personal)(&node.desc) {
        let query = Query { content_desc_contains: Some(node.desc.clone()), ..Query::default() };
        found.add(query, "its description");
    }
    let others = screen.labels(at).filter(|other| Some(*other) != label);
    for other in others.filter(|other| !texts.is_users(screen, *other)).take(2) {
        found
            .add(by_text(screen.nodes[other].label()), "another text inside it; it may be a value");
    }
    let id = node.own_id().filter(|_| !users);
    if id.is_none_or(|id| screen.find(&by_id(id)).len() != 1) {
        let class = Some(node.class.clone()).filter(|class| !class.is_empty() && id.is_none());
        let named = id.map(by_id).unwrap_or_default();
        let place = Query { class, index_in_parent: Some(node.index), ..named };
        found.add(place, "its place among its siblings, which differs between accounts");
    }
    // Some apps make ids of what they belong to.
    let clean = |one: &Candidate| !one.query.resource_id.as_deref().is_some_and(texts.is_personal);
    found.list.retain(clean);
    found.ranked()
}

struct Found<'s> {
    screen: &'s Screen,
    at: usize,
    list: Vec<Candidate>,
}

impl Found<'_> {
    fn add(&mut self, query: Query, why: &str) {
        let fits = self.screen.find(&query);
        let inside = self.at..self.screen.nodes[self.at].end;
        let leads = fits.first().is_some_and(|first| {
            inside.contains(first) && self.screen.reached(*first) == self.screen.reached(self.at)
        });
        let told = match (leads, fits.len()) {
            (true, 1) => format!("{why}; the only one on the screen"),
            (true, many) => format!("{why}; the first of {many} on the screen"),
            (false, 0) => format!("{why}; nothing on the screen fits it"),
            (false, _) => format!("{why}; another node fits it first"),
        };
        self.list.push(Candidate { query, leads, fits: fits.len(), why: told });
    }

    /// In the order in which they were added, but one that leads elsewhere at the end, and before
    /// those one that fits several nodes, and a place after everything that says something.
    fn ranked(mut self) -> Vec<Candidate> {
        let rank =
            |one: &Candidate| (!one.leads, one.query.index_in_parent.is_some(), one.fits != 1);
        self.list.sort_by_key(rank);
        self.list
    }
}

/// The longest piece of a text without digits, where it has any: what counts something says
/// another number tomorrow.
fn steady_piece(text: &str) -> Option<String> {
    if !text.contains(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    let trimmed = |piece: &str| piece.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let pieces = text.split(|letter: char| letter.is_ascii_digit()).map(trimmed);
    pieces.filter(|piece| piece.chars().count() >= SHORTEST_PIECE).max_by_key(String::len)
}
