//! What belongs to whoever recorded: texts that become inputs, so that the draft holds none of them.

use super::snapshot::Screen;
use crate::literals;
use crate::recipe::words::Annotation;

/// Names of lists and labels that say nothing about what is in them.
const SAYS_NOTHING: [&str; 14] = [
    "list",
    "recycler",
    "recycler_view",
    "recyclerview",
    "items",
    "content",
    "container",
    "text",
    "text1",
    "title",
    "name",
    "label",
    "grid",
    "row",
];

/// A shorter one is found inside other words.
const SHORTEST_PART: usize = 3;

/// Texts that became inputs.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// Name and value of each.
    pub(super) all: Vec<(String, String)>,
}

impl Inputs {
    /// The input that stands for a value from now on.
    pub(super) fn take(&mut self, value: &str, wish: &str) -> String {
        if let Some((name, _)) = self.all.iter().find(|(_, known)| known == value) {
            return name.clone();
        }
        let taken = |name: &str| self.all.iter().any(|(known, _)| known == name);
        let numbered = (2..).map(|number| format!("{wish}_{number}"));
        let name = std::iter::once(wish.to_owned()).chain(numbered).find(|name| !taken(name));
        let name = name.unwrap_or_default();
        self.all.push((name.clone(), value.to_owned()));
        name
    }

    /// Is it one of them, letter by letter?
    pub(super) fn knows(&self, text: &str) -> bool {
        self.all.iter().any(|(_, value)| value == text)
    }

    /// Is one of them in it?
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.written(text).1 == Annotation::UserSpecific
    }

    /// A text of a selector as the draft writes it, and what it is then made of.
    pub(super) fn written(&self, text: &str) -> (String, Annotation) {
        let mut pieces = vec![Err(text.to_owned())];
        for (name, value) in &self.all {
            pieces = pieces
                .into_iter()
                .flat_map(|piece| match piece {
                    Err(plain) => apart(&plain, value, name),
                    done => vec![done],
                })
                .collect();
        }
        let found = pieces.iter().any(Result::is_ok);
        let written = pieces.into_iter().map(|piece| match piece {
            Ok(name) => format!("${{inputs.{name}}}"),
            // The sign of a placeholder itself.
            Err(plain) => plain.replace("${", "$${"),
        });
        (written.collect(), if found { Annotation::UserSpecific } else { Annotation::Structural })
    }
}

/// A text cut where a value stands in it as a word: the name of its input, or a plain piece.
fn apart(text: &str, value: &str, name: &str) -> Vec<Result<String, String>> {
    if text == value {
        return vec![Ok(name.to_owned())];
    }
    let (mut pieces, mut start, mut from) = (Vec::new(), 0, 0);
    while value.chars().count() >= SHORTEST_PART
        && let Some(at) = text[from..].find(value).map(|at| at + from)
    {
        let after = at + value.len();
        let word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        from = after;
        if word(text[..at].chars().next_back()) || word(text[after..].chars().next()) {
            continue;
        }
        if start < at {
            pieces.push(Err(text[start..at].to_owned()));
        }
        pieces.push(Ok(name.to_owned()));
        start = after;
    }
    if start < text.len() || pieces.is_empty() {
        pieces.push(Err(text[start..].to_owned()));
    }
    pieces
}

/// Does a text by itself look like one person's: an address, a number, a thing named after its owner?
#[must_use]
pub fn looks_personal(text: &str) -> bool {
    !literals::scan(text, literals::Options::default()).is_empty()
}

/// Is the text of this node the app's own although it stands in a list? Rows of settings are, and
/// what also stands outside of lists.
pub(super) fn is_structural_entry(screen: &Screen, at: usize) -> bool {
    let text = screen.nodes[at].label();
    screen.nodes[at].id == "android:id/title"
        || (0..screen.nodes.len())
            .any(|other| screen.nodes[other].label() == text && screen.entry(other).is_none())
}

/// A name for the input of a label: after its list, or else after itself.
pub(super) fn name_of(screen: &Screen, at: usize) -> String {
    let list = screen.entry(at).map(|(_, list)| list);
    let names = list.into_iter().chain([at]).filter_map(|at| last_word(&screen.nodes[at].id));
    let telling = names.map(singular).find(|name| !SAYS_NOTHING.contains(&name.as_str()));
    telling.unwrap_or_else(|| "item".to_owned())
}

/// The name in an id, if it can be one of ours.
pub(super) fn last_word(id: &str) -> Option<String> {
    let name = id.rsplit('/').next()?.to_lowercase();
    crate::recipe::is_name(&name).then_some(name)
}

fn singular(name: String) -> String {
    let plural = name.strip_suffix('s').filter(|one| one.len() > 2 && !one.ends_with('s'));
    plural.map_or_else(|| name.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_as_its_input_wherever_it_stands_as_a_word() {
        let mut inputs = Inputs::default();
        assert_eq!(inputs.take("Bedroom", "room"), "room");
        assert_eq!(inputs.take("Kitchen", "room"), "room_2");
        assert_eq!(inputs.take("Bedroom", "tile"), "room");
        let written = |text| inputs.written(text);
        assert_eq!(written("Bedroom"), ("${inputs.room}".into(), Annotation::UserSpecific));
        assert_eq!(written("Bedroom, Kitchen").0, "${inputs.room}, ${inputs.room_2}");
        assert_eq!(written("Bedrooms ${x}"), ("Bedrooms $${x}".into(), Annotation::Structural));
    }
}
