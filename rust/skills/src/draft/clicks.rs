//! Clicks: what was touched, how it is named, and what came of it.

use super::candidates::{self, Candidate, Texts};
use super::effect::{Came, Click, NOT_RECORDED};
use super::inputs::last_word;
use super::snapshot::{Query, Screen};
use super::steps::{Drafted, Drafter, Scrolled};
use super::{Act, Touch, What};

impl Drafter<'_> {
    pub(super) fn click(&mut self, index: usize, act: &Act, touch: &Touch) {
        let place = (act.seq, act.line);
        let dialog = self.recorded.dialogs.contains(&touch.package);
        if !dialog && !self.recorded.apps.contains(&touch.package) {
            self.scrolled_for_nothing();
            self.leave_out(place, "a tap outside of any app, such as on the launcher or the bars");
            return;
        }
        // A phone that was slow to take its screen shows what came of the tap already; then the
        // screen before is the one.
        let older = index.checked_sub(1).and_then(|index| self.recorded.acts[index].screens.last());
        let screens = act.screens.iter().rev().chain(older).filter_map(|xml| Screen::read(xml));
        let found = screens
            .enumerate()
            .find_map(|(age, screen)| locate(&screen, touch).map(|at| (age, screen, at)));
        let Some((age, screen, at)) = found else {
            self.click_unseen(act, touch);
            return;
        };
        let mut texts = Texts { inputs: &mut self.whole.inputs, is_personal: self.is_personal };
        let ways = candidates::of(&screen, at, &mut texts);
        if !ways.first().is_some_and(|best| best.leads) {
            self.scrolled_for_nothing();
            self.leave_out(place, "a tap on a node that no selector names on its screen");
            return;
        }
        let after = self
            .screen_after(index, &screen, &touch.package)
            .or_else(|| act.screens.last().filter(|_| age > 0).and_then(|xml| Screen::read(xml)));
        let came = match dialog {
            true => Came::Led("it answers a question of the system"),
            false => Click {
                before: &screen,
                at,
                after: after.as_ref(),
                earlier: &self.earlier,
                window: !act.windows.is_empty(),
                package: &touch.package,
            }
            .came(),
        };
        let mut step = self.described(&screen, at, ways, touch.long);
        step.optional = dialog;
        if dialog {
            let told =
                "Check: the system asks this only sometimes, so the step may fail without harm.";
            step.prose.push(told.to_owned());
        }
        self.scroll_first(&mut step, &screen);
        let led = matches!(came, Came::Led(_));
        self.put(step, came, &screen, at, act);
        if led {
            self.earlier.push(screen);
        }
        self.end = after.map(|after| (after, act.windows.iter().flatten().last().cloned()));
    }

    /// A click that stands on no recorded screen is taken at the event's word.
    fn click_unseen(&mut self, act: &Act, touch: &Touch) {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let text = said(&touch.text).or_else(|| said(&touch.content_desc));
        let query = match (said(&touch.resource_id), &text) {
            (Some(id), _) if !id.starts_with("android:id/") => {
                Query { resource_id: Some(id), ..Query::default() }
            }
            (_, Some(text)) => Query { text_equals: Some(text.clone()), ..Query::default() },
            _ => {
                self.scrolled_for_nothing();
                let told = "a tap on a node without a name, on a screen that was not recorded";
                self.leave_out((act.seq, act.line), told);
                return;
            }
        };
        if let Some(text) = query.text_equals.as_ref() {
            // Where it stood was not recorded, so it may be anybody's.
            self.whole.inputs.take(text, "item");
        }
        let told =
            "Check: the screen of this tap was not recorded, so nobody tried the selector on it.";
        self.whole.warnings.push(format!(
            "seq {} (line {}): the selector was not tried: no recorded screen shows the node",
            act.seq, act.line
        ));
        let step = Drafted {
            title: "Click".to_owned(),
            kind: "click",
            selector: Some(query),
            params: long(touch.long),
            prose: vec![told.to_owned()],
            ..Drafted::default()
        };
        let came = match act.windows.is_empty() {
            false => Came::Led("a window came of it"),
            true => Came::Changed { why: NOT_RECORDED, value: None },
        };
        self.scrolled_for_nothing();
        self.read_what_changed();
        self.end = None;
        self.put_with(step, came, "click", act);
    }

    /// The screen on which it can be seen what came of an act: the newest before the next one.
    fn screen_after(&self, index: usize, before: &Screen, package: &str) -> Option<Screen> {
        let read = |xmls: &[String]| xmls.last().and_then(|xml| Screen::read(xml));
        let later = &self.recorded.acts[index + 1..];
        match later.first() {
            None => read(&self.recorded.last_screens),
            Some(Act { what: What::OpenApp { .. }, screens, .. }) => {
                // The other app's window says nothing about this one.
                let own = |screen: &Screen| screen.nodes.iter().any(|node| node.package == package);
                screens.iter().rev().filter_map(|xml| Screen::read(xml)).find(own)
            }
            Some(Act { what: What::Scroll { .. }, screens, .. }) if screens.is_empty() => {
                // After scrolling everything stands elsewhere; only another screen tells something.
                let next = later.iter().find(|act| !act.screens.is_empty());
                next.and_then(|act| read(&act.screens)).filter(|after| !before.is_same(after))
            }
            Some(act) => read(&act.screens),
        }
    }

    /// The step for a node that can be named.
    fn described(
        &self,
        screen: &Screen,
        at: usize,
        ways: Vec<Candidate>,
        is_long: bool,
    ) -> Drafted {
        let best = &ways[0];
        let mut step = Drafted {
            kind: "click",
            title: self.title(screen, at, is_long),
            selector: Some(best.query.clone()),
            params: long(is_long),
            ..Drafted::default()
        };
        if best.query.index_in_parent.is_some() {
            let told =
                "Check: only its place names this target, which is another one on other accounts.";
            step.prose.push(told.to_owned());
        } else if best.fits > 1 {
            let told = format!(
                "Check: the selector fits {} nodes of the recorded screen; the first one is the target.",
                best.fits
            );
            step.prose.push(told);
        }
        let by_text = best.query.text_equals.as_ref().or(best.query.text_contains.as_ref());
        if by_text.is_some_and(|text| !self.whole.inputs.is_in(text)) && screen.entry(at).is_some()
        {
            let told = "Check: the text stands in a list. If it is yours and not the app's, make it an input.";
            step.prose.push(told.to_owned());
        }
        step.candidates = ways.into_iter().map(|way| (way.query, way.leads, way.why)).collect();
        step
    }

    fn title(&self, screen: &Screen, at: usize, is_long: bool) -> String {
        let verb = if is_long { "Press long" } else { "Click" };
        let label = std::iter::once(at)
            .chain(screen.labels(at))
            .find(|at| !screen.nodes[*at].label().trim().is_empty());
        let label = label.filter(|label| !screen.nodes[*label].is_field());
        let Some(label) = label.map(|label| screen.nodes[label].label()) else {
            let name = screen.nodes[at].own_id().and_then(last_word);
            return name.map_or_else(|| verb.to_owned(), |name| format!("{verb} {name}"));
        };
        match self.whole.inputs.all.iter().find(|(_, value)| value == label) {
            Some((name, _)) => format!("{verb} the {}", name.replace('_', " ")),
            None if self.whole.inputs.is_in(label) || (self.is_personal)(label) => verb.to_owned(),
            None => format!("{verb} \"{}\"", label.replace('`', "'")),
        }
    }

    /// Makes it a step that scrolls, if the person did.
    fn scroll_first(&mut self, step: &mut Drafted, screen: &Screen) {
        let Some(Scrolled { resource_id, direction, seq, line, .. }) = self.scrolled.take() else {
            return;
        };
        step.kind = "scroll_and_click";
        match direction {
            Some(direction) => step.params.push(("direction", direction.to_owned())),
            None => {
                let told = "Check: the phone did not tell which way was scrolled; down is assumed.";
                step.prose.push(told.to_owned());
                self.whole.warnings.push(format!(
                    "seq {seq} (line {line}): the direction is not known; down is assumed"
                ));
            }
        }
        let container = Query { resource_id, ..Query::default() };
        if container.resource_id.is_some() && screen.find(&container).len() == 1 {
            step.container = Some(container);
        }
    }
}

fn long(is_long: bool) -> Vec<(&'static str, String)> {
    is_long.then(|| ("clickType", "long_click".to_owned())).into_iter().collect()
}

/// The node of a screen that was touched.
fn locate(screen: &Screen, touch: &Touch) -> Option<usize> {
    let same = |seen: &str, told: &Option<String>| told.as_deref().unwrap_or_default() == seen;
    let likeness = |at: usize| {
        let node = &screen.nodes[at];
        let named = same(&node.id, &touch.resource_id);
        let text = same(&node.text, &touch.text);
        let desc = same(&node.desc, &touch.content_desc);
        [named, named, text, desc, node.clickable].into_iter().filter(|like| *like).count()
    };
    let there = (0..screen.nodes.len()).filter(|at| {
        let node = &screen.nodes[*at];
        node.bounds == touch.bounds && node.package == touch.package
    });
    // Of several that are alike the outer one, which comes first.
    let best = there.rev().max_by_key(|at| likeness(*at));
    best.or_else(|| {
        let id = touch.resource_id.as_ref().filter(|id| !id.is_empty())?;
        let query = Query {
            resource_id: Some(id.clone()),
            text_equals: touch.text.clone().filter(|text| !text.trim().is_empty()),
            ..Query::default()
        };
        match screen.find(&query).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    })
}
