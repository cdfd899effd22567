//! Ids that stay with their elements from one snapshot to the next.

use super::elements::Found;
use std::collections::{HashMap, HashSet};

/// The names of the last snapshot.
#[derive(Debug, Default)]
pub(super) struct Names {
    app: String,
    known: Vec<(u32, Found)>,
}

type Key = (String, String, String, String, u64);

/// What makes two elements the same, the surest first. An empty answer means: not by this.
const SAME: [fn(&Found) -> Option<Key>; 4] = [
    // Just as it was, where it was.
    |e| {
        Some((
            e.resource_id.clone(),
            e.class.clone(),
            e.text.clone(),
            e.description.clone(),
            e.place,
        ))
    },
    // Just as it was; lists move.
    |e| Some((e.resource_id.clone(), e.class.clone(), e.text.clone(), e.description.clone(), 0)),
    // A field that was typed into.
    |e| {
        let field = e.class.contains("EditText");
        field.then(|| {
            (e.resource_id.clone(), e.class.clone(), String::new(), String::new(), e.place)
        })
    },
    // The only one of its resource id, whatever it says now.
    |e| {
        let named = !e.resource_id.is_empty();
        named.then(|| (e.resource_id.clone(), e.class.clone(), String::new(), String::new(), 0))
    },
];

/// Only what is unique in both snapshots counts there.
const UNIQUE: usize = 3;

impl Names {
    /// Names for the elements of a snapshot, in their order.
    ///
    /// What was there in the last snapshot of the same app keeps its name. What is new gets the
    /// lowest number that neither snapshot uses, so that no name passes from one element to another
    /// at once. Where less than half is known, it is another screen, and counting begins anew.
    pub(super) fn give(&mut self, app: &str, found: &[Found]) -> Vec<String> {
        let mut names: Vec<Option<u32>> = vec![None; found.len()];
        if self.app == app {
            self.recognise(found, &mut names);
        }
        let known = names.iter().flatten().count();
        if known * 2 < found.len() {
            names.fill(None);
            self.known.clear();
        }
        let mut used: HashSet<u32> = self.known.iter().map(|(name, _)| *name).collect();
        let mut next = 1;
        let named: Vec<u32> = names
            .into_iter()
            .map(|name| {
                name.unwrap_or_else(|| {
                    while !used.insert(next) {
                        next += 1;
                    }
                    next
                })
            })
            .collect();
        app.clone_into(&mut self.app);
        self.known = named.iter().copied().zip(found.iter().cloned()).collect();
        named.iter().map(ToString::to_string).collect()
    }

    fn recognise(&self, found: &[Found], names: &mut [Option<u32>]) {
        let mut taken = vec![false; self.known.len()];
        for (pass, key) in SAME.iter().enumerate() {
            let mut before: HashMap<Key, Vec<usize>> = HashMap::new();
            for (at, (_, element)) in self.known.iter().enumerate().rev() {
                if !taken[at]
                    && let Some(key) = key(element)
                {
                    before.entry(key).or_default().push(at);
                }
            }
            let mut now: HashMap<Key, usize> = HashMap::new();
            found.iter().filter_map(key).for_each(|key| *now.entry(key).or_default() += 1);
            for (element, name) in found.iter().zip(names.iter_mut()).filter(|(_, n)| n.is_none()) {
                let Some(key) = key(element) else { continue };
                let candidates = before.get_mut(&key);
                let Some(candidates) = candidates else { continue };
                if pass == UNIQUE && (candidates.len() != 1 || now[&key] != 1) {
                    continue;
                }
                if let Some(at) = candidates.pop() {
                    taken[at] = true;
                    *name = Some(self.known[at].0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Rect;

    fn element(id: &str, class: &str, text: &str, place: u64) -> Found {
        Found {
            text: text.into(),
            description: String::new(),
            resource_id: id.into(),
            class: class.into(),
            clickable: true,
            bounds: Rect { left: 0, top: 0, right: 10, bottom: 10 },
            place,
        }
    }

    fn rows(texts: &[&str]) -> Vec<Found> {
        let row = |(at, text): (usize, &&str)| element("a:id/row", "Row", text, at as u64);
        texts.iter().enumerate().map(row).collect()
    }

    #[test]
    fn the_same_screen_has_the_same_names() {
        let mut names = Names::default();
        let screen = rows(&["A", "B", "B", "C"]);
        assert_eq!(names.give("app", &screen), ["1", "2", "3", "4"]);
        assert_eq!(names.give("app", &screen), ["1", "2", "3", "4"]);
    }

    #[test]
    fn names_move_with_their_elements_and_new_ones_get_numbers_nobody_had() {
        let mut names = Names::default();
        names.give("app", &rows(&["A", "B", "C", "D"]));
        assert_eq!(names.give("app", &rows(&["C", "D", "E"])), ["3", "4", "5"]);
        // The names of A and B are free again: the last snapshot had no such elements.
        assert_eq!(names.give("app", &rows(&["D", "E", "F"])), ["4", "5", "1"]);
    }

    #[test]
    fn an_element_that_says_something_else_now_is_known_by_its_resource_id() {
        let mut names = Names::default();
        let screen = |count: &str| {
            let mut screen = rows(&["A", "B"]);
            screen.insert(0, element("a:id/count", "Text", count, 9));
            screen
        };
        assert_eq!(names.give("app", &screen("1 item")), ["1", "2", "3"]);
        assert_eq!(names.give("app", &screen("2 items")), ["1", "2", "3"]);
    }

    #[test]
    fn a_field_keeps_its_name_while_it_is_typed_into() {
        let mut names = Names::default();
        let screen = |text: &str| {
            let fields = [7, 8].map(|place| element("", "android.widget.EditText", text, place));
            [fields.to_vec(), rows(&["A"])].concat()
        };
        let first = names.give("app", &screen(""));
        assert_eq!(names.give("app", &screen("hello")), first);
    }

    #[test]
    fn another_screen_and_another_app_count_anew() {
        let mut names = Names::default();
        names.give("app", &rows(&["A", "B", "C"]));
        assert_eq!(names.give("app", &rows(&["X", "Y", "C"])), ["1", "2", "3"]);
        assert_eq!(names.give("other", &rows(&["C"])), ["1"]);
    }

    #[test]
    fn no_two_elements_share_a_name() {
        let mut names = Names::default();
        for screen in [&["A", "A", "B"][..], &["A", "A", "A", "B"], &["B", "A"], &["A"; 5]] {
            let given = names.give("app", &rows(screen));
            let different: HashSet<_> = given.iter().collect();
            assert_eq!(different.len(), given.len(), "{given:?}");
        }
    }
}
