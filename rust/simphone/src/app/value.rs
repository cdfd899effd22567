//! State variables, labels that show them, and conditions on them.

use std::collections::BTreeMap;
use std::fmt;

/// What a state variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Value {
    Bool(bool),
    Int(i64),
    Text(String),
}

impl Value {
    /// What kind of value it is, in a message.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "true or false",
            Self::Int(_) => "a whole number",
            Self::Text(_) => "a text",
        }
    }

    /// Do both hold the same kind of value?
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Does it count as yes?
    #[must_use]
    pub fn is_true(&self) -> bool {
        match self {
            Self::Bool(yes) => *yes,
            Self::Int(number) => *number != 0,
            Self::Text(text) => !text.is_empty(),
        }
    }

    /// What was written, taken as the kind of `like`.
    fn parse(text: &str, like: &Self) -> Option<Self> {
        match like {
            Self::Bool(_) => text.parse().ok().map(Self::Bool),
            Self::Int(_) => text.parse().ok().map(Self::Int),
            Self::Text(_) => Some(Self::Text(text.trim_matches(['"', '\'']).to_owned())),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(yes) => yes.fmt(f),
            Self::Int(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// The state of an app, by the names of its variables.
pub type State = BTreeMap<String, Value>;

/// What labels and conditions look at: the app's state, and the number of the item they stand in.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The app's variables.
    pub state: &'a State,
    /// The number of the item; on a screen that an item opened, the number of that item.
    pub n: i64,
}

/// The name that stands for the number of an item.
pub const ITEM_NUMBER: &str = "n";

/// A text in which `{variable}` stands for its value, `{variable ? yes : no}` for one of two
/// texts, and `{n}` for the number of the item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Value(String),
    Choice { variable: String, yes: String, no: String },
}

impl Label {
    /// A text without variables.
    #[must_use]
    pub fn plain(text: &str) -> Self {
        Self(vec![Piece::Text(text.to_owned())])
    }

    /// Reads a label; `{{` stands for a brace. The error says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let tail = &rest[at..];
            if let Some(after) = tail.strip_prefix("{{").or_else(|| tail.strip_prefix("}}")) {
                plain.push_str(&tail[..1]);
                rest = after;
                continue;
            }
            let inner = tail.strip_prefix('{').and_then(|tail| tail.split_once('}'));
            let Some((inner, after)) = inner else {
                return Err(format!("a brace without its other half in \"{text}\""));
            };
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::parse(inner)?);
            rest = after;
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Self(pieces))
    }

    /// The variables it shows.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Value(name) | Piece::Choice { variable: name, .. } => Some(name.as_str()),
        })
    }

    /// Its text, with the values as they are now.
    #[must_use]
    pub fn text(&self, scope: Scope<'_>) -> String {
        let mut out = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Value(name) if name == ITEM_NUMBER => out.push_str(&scope.n.to_string()),
                Piece::Value(name) => {
                    if let Some(value) = scope.state.get(name) {
                        out.push_str(&value.to_string());
                    }
                }
                Piece::Choice { variable, yes, no } => {
                    let is_true = scope.state.get(variable).is_some_and(Value::is_true);
                    out.push_str(if is_true { yes } else { no });
                }
            }
        }
        out
    }
}

impl Piece {
    fn parse(inner: &str) -> Result<Self, String> {
        let name = |text: &str| {
            let name = text.trim();
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if !name.is_empty() && name.chars().all(fits) {
                Ok(name.to_owned())
            } else {
                Err(format!("\"{name}\" is no name of a variable"))
            }
        };
        let Some((variable, choice)) = inner.split_once('?') else {
            return name(inner).map(Self::Value);
        };
        // With blanks around it where the texts themselves have colons.
        let texts = choice.split_once(" : ").or_else(|| choice.split_once(':'));
        let Some((yes, no)) = texts else {
            return Err(format!("\"{{{inner}}}\" needs two texts: {{variable ? yes : no}}"));
        };
        let text = |text: &str| text.trim().to_owned();
        Ok(Self::Choice { variable: name(variable)?, yes: text(yes), no: text(no) })
    }
}

/// Something that is so or not, by the state: `wifi`, `!wifi`, `count > 3`, `name == Ada`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    variable: String,
    test: Test,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    IsTrue(bool),
    Equals(bool, Value),
    Less(i64),
    Greater(i64),
}

impl Condition {
    /// Reads a condition on these variables. The error says what is wrong.
    pub fn parse(text: &str, state: &State) -> Result<Self, ConditionError> {
        let known = |name: &str| {
            let name = name.trim();
            let value = if name == ITEM_NUMBER { Some(&Value::Int(0)) } else { state.get(name) };
            value.ok_or_else(|| ConditionError::UnknownState(name.to_owned()))
        };
        for operator in ["==", "!=", "<", ">"] {
            let Some((name, value)) = text.split_once(operator) else { continue };
            let like = known(name)?;
            let value = Value::parse(value.trim(), like)
                .ok_or_else(|| ConditionError::WrongKind(name.trim().to_owned(), like.kind()))?;
            let test = match (operator, value) {
                ("==", value) => Test::Equals(true, value),
                ("!=", value) => Test::Equals(false, value),
                ("<", Value::Int(number)) => Test::Less(number),
                (">", Value::Int(number)) => Test::Greater(number),
                _ => {
                    return Err(ConditionError::WrongKind(name.trim().into(), "a whole number"));
                }
            };
            return Ok(Self { variable: name.trim().to_owned(), test });
        }
        let (name, wanted) = match text.trim().strip_prefix('!') {
            Some(name) => (name.trim(), false),
            None => (text.trim(), true),
        };
        known(name)?;
        Ok(Self { variable: name.to_owned(), test: Test::IsTrue(wanted) })
    }

    /// Is it so now?
    #[must_use]
    pub fn holds(&self, scope: Scope<'_>) -> bool {
        let number = Value::Int(scope.n);
        let value = match self.variable.as_str() {
            ITEM_NUMBER => Some(&number),
            name => scope.state.get(name),
        };
        let Some(value) = value else { return false };
        match (&self.test, value) {
            (Test::IsTrue(wanted), value) => value.is_true() == *wanted,
            (Test::Equals(wanted, other), value) => (value == other) == *wanted,
            (Test::Less(limit), Value::Int(number)) => number < limit,
            (Test::Greater(limit), Value::Int(number)) => number > limit,
            _ => false,
        }
    }
}

/// Why a condition cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionError {
    /// There is no such variable.
    UnknownState(String),
    /// The variable holds values of another kind than the one it is compared with.
    WrongKind(String, &'static str),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State::from([
            ("wifi".into(), Value::Bool(true)),
            ("count".into(), Value::Int(3)),
            ("name".into(), Value::Text("Ada".into())),
        ])
    }

    #[test]
    fn a_label_shows_values_choices_numbers_and_braces() {
        let state = state();
        let scope = Scope { state: &state, n: 7 };
        let text = |label: &str| Label::parse(label).unwrap().text(scope);
        assert_eq!(text("Row {n} of {count}"), "Row 7 of 3");
        assert_eq!(text("Wi-Fi is {wifi ? on : off}"), "Wi-Fi is on");
        assert_eq!(text("{wifi ? 10:15 : never}"), "10:15");
        assert_eq!(text("{{{name}}}"), "{Ada}");
        assert_eq!(text(""), "");
        for broken in ["{", "a}", "{a b}", "{wifi ? on}"] {
            assert!(Label::parse(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn conditions_compare_values_of_one_kind() {
        let state = state();
        let scope = Scope { state: &state, n: 7 };
        let holds = |text: &str| Condition::parse(text, &state).unwrap().holds(scope);
        assert!(holds("wifi") && !holds("!wifi") && holds("wifi == true"));
        assert!(holds("count > 2") && holds("count < 4") && !holds("count != 3"));
        assert!(holds("name == Ada") && holds("name == 'Ada'") && holds("n == 7"));
        let error = |text: &str| Condition::parse(text, &state).unwrap_err();
        assert_eq!(error("wlan"), ConditionError::UnknownState("wlan".into()));
        assert!(matches!(error("wifi == 3"), ConditionError::WrongKind(..)));
        assert!(matches!(error("name > 3"), ConditionError::WrongKind(..)));
    }
}
