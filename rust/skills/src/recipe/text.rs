//! A text in which `${inputs.name}` stands for the value of an input.

use std::collections::BTreeMap;

/// A text with placeholders. `$${` stands for `${` itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Plain(String),
    Input(String),
}

impl Text {
    /// Reads a text; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            plain.push_str(&rest[..at]);
            let inner = &rest[at + 2..];
            if plain.ends_with('$') {
                plain.push('{');
                rest = inner;
                continue;
            }
            let Some((name, after)) = inner.split_once('}') else {
                return Err(format!("`${{` without its `}}` in \"{text}\""));
            };
            let Some(input) = name.strip_prefix("inputs.").filter(|name| is_name(name)) else {
                return Err(format!("`${{{name}}}` is no placeholder"));
            };
            if !plain.is_empty() {
                pieces.push(Piece::Plain(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::Input(input.to_owned()));
            rest = after;
        }
        plain.push_str(rest);
        if !plain.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Plain(plain));
        }
        Ok(Self(pieces))
    }

    /// The inputs it names, in order.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Plain(_) => None,
            Piece::Input(name) => Some(name.as_str()),
        })
    }

    /// Does it name any input?
    #[must_use]
    pub fn has_inputs(&self) -> bool {
        self.inputs().next().is_some()
    }

    /// The text with values in place. What a value holds is never read as a placeholder. The error
    /// is the name of an input without a value.
    pub fn fill<'s>(&'s self, values: &BTreeMap<String, String>) -> Result<String, &'s str> {
        let mut filled = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Plain(text) => filled.push_str(text),
                Piece::Input(name) => filled.push_str(values.get(name).ok_or(name.as_str())?),
            }
        }
        Ok(filled)
    }
}

/// Letters, digits and underscores, with a letter first.
pub(crate) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    text.len() <= 64
        && letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> String {
        let values = [("a", "${inputs.b}"), ("b", "Zoë 🎉")];
        let values = values.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        Text::parse(text).unwrap().fill(&values).unwrap()
    }

    #[test]
    fn a_value_is_put_in_once_and_never_read_again() {
        assert_eq!(filled("${inputs.a} and ${inputs.b}."), "${inputs.b} and Zoë 🎉.");
    }

    #[test]
    fn a_doubled_dollar_is_the_sign_itself() {
        assert_eq!(filled("$${inputs.a} costs $5"), "${inputs.a} costs $5");
        assert_eq!(filled(""), "");
    }

    #[test]
    fn what_is_no_placeholder_is_said() {
        for text in ["${inputs.}", "${vars.a}", "${inputs.a", "${inputs.a-b}", "${ inputs.a }"] {
            assert!(Text::parse(text).is_err(), "{text}");
        }
        let missing = Text::parse("${inputs.zebra}").unwrap();
        assert_eq!(missing.fill(&BTreeMap::new()), Err("zebra"));
        assert_eq!(missing.inputs().collect::<Vec<_>>(), ["zebra"]);
    }
}
