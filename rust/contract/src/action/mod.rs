//! The action types and their parameters: one table for the host's validation, the phone's
//! reading, the JSON Schema and the reference pages.

mod table;

use crate::limits::Bounds;
use crate::retry::Preset;
use std::fmt;

pub use table::ACTIONS;

/// A canonical action type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is described in its row of ACTIONS")]
pub enum ActionType {
    OpenApp,
    OpenUri,
    CloseApp,
    StartRecording,
    StopRecording,
    WaitForNode,
    Click,
    ScrollAndClick,
    Scroll,
    ScrollUntil,
    ReadText,
    EnterText,
    SnapshotUi,
    TakeScreenshot,
    Sleep,
    PressKey,
    WaitForNavigation,
    ReadKeyValuePair,
    Gesture,
    TypeText,
    DoctorPing,
}

/// Who asks for a type, a field or an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The contract every implementation shares.
    Contract,
    /// An addition of ours; a payload without it works everywhere.
    Extension,
    /// Between our host and our operator only; refused in payloads from outside.
    Internal,
}

/// One row of [`ACTIONS`].
#[derive(Debug)]
pub struct ActionSpec {
    /// The type this row describes.
    pub kind: ActionType,
    /// Its canonical name on the wire.
    pub name: &'static str,
    /// Other names accepted on input.
    pub aliases: &'static [&'static str],
    /// Who asks for it.
    pub origin: Origin,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Its parameters, in canonical order.
    pub fields: &'static [Field],
    /// What must hold between them.
    pub rules: &'static [Rule],
}

impl ActionSpec {
    /// The field of that canonical key.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.key == key)
    }
}

/// One parameter of one action type.
#[derive(Debug)]
pub struct Field {
    /// Canonical key inside `params`.
    pub key: &'static str,
    /// Must it be there?
    pub required: bool,
    /// What it holds.
    pub kind: Kind,
    /// Who asks for it.
    pub origin: Origin,
    /// What it is for, in a few words.
    pub note: &'static str,
}

/// What a parameter holds, for both readers.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A NodeMatcher.
    Matcher,
    /// The full selector of the recipe language.
    Selector,
    /// A node of a given screen, like `n12@57`.
    NodeRef,
    /// A point of the screen.
    Coordinate,
    /// The strokes of a gesture.
    Strokes,
    /// A retry object, and the preset that stands in for it.
    Retry(Preset),
    /// A boolean, and what the phone assumes without it.
    Flag(bool),
    /// A non-blank text, with its longest length on the host and on the phone.
    Text {
        /// Characters the host accepts.
        host_max: Option<usize>,
        /// Characters the phone accepts.
        phone_max: Option<usize>,
    },
    /// A text the host passes on as it is and the phone compares with `values`.
    Word {
        /// What the phone understands, without regard to case.
        values: &'static [&'static str],
    },
    /// A regular expression.
    Pattern,
    /// One of a few words.
    Choice {
        /// The words.
        values: &'static [&'static str],
        /// Does the host accept them in any case? The phone always does.
        any_case: bool,
    },
    /// A number.
    Number {
        /// What the host accepts.
        host: HostNumber,
        /// Does it count things, so that fractions make no sense?
        whole: bool,
        /// What the phone makes of any other number.
        phone: Bounds,
        /// What the phone assumes without it.
        default: Option<f64>,
    },
}

/// Which numbers the host accepts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HostNumber {
    /// Any: the phone clamps.
    Any,
    /// Only these.
    Within(Bounds),
    /// Above zero and up to this.
    AboveZeroTo(f64),
}

/// What must hold between the parameters of one action.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// Exactly one of these keys.
    ExactlyOne(&'static [&'static str]),
    /// At most one of these keys.
    AtMostOne(&'static [&'static str]),
    /// At least one of these keys.
    AtLeastOne(&'static [&'static str]),
    /// `clickAfter: true` needs one of these keys.
    ClickAfterNeeds(&'static [&'static str]),
    /// `clickType: "focus"` needs a node, not a point.
    FocusNeedsNode,
    /// `validator: "regex"` needs `validatorPattern`.
    RegexNeedsPattern,
}

impl ActionType {
    /// Its row of [`ACTIONS`].
    #[must_use]
    pub fn spec(self) -> &'static ActionSpec {
        &ACTIONS[self as usize]
    }

    /// Its canonical name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// The type of that canonical name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        ACTIONS.iter().find(|spec| spec.name == name).map(|spec| spec.kind)
    }

    /// The type of that canonical name or alias. `type_text` is both: see
    /// [`crate::normalise::action_type`].
    #[must_use]
    pub fn from_name_or_alias(name: &str) -> Option<Self> {
        let by_alias = || ACTIONS.iter().find(|spec| spec.aliases.contains(&name));
        Self::from_name(name).or_else(|| by_alias().map(|spec| spec.kind))
    }
}

impl fmt::Display for ActionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl serde::Serialize for ActionType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_table_stands_in_the_order_of_the_types() {
        for (index, spec) in ACTIONS.iter().enumerate() {
            assert_eq!(spec.kind as usize, index, "{}", spec.name);
        }
    }

    #[test]
    fn there_are_the_eighteen_types_of_the_contract_and_ours_are_marked() {
        let of = |origin| ACTIONS.iter().filter(|spec| spec.origin == origin).count();
        assert_eq!(of(Origin::Contract), 18);
        assert_eq!(of(Origin::Extension), 2);
        assert_eq!(of(Origin::Internal), 1);
    }

    #[test]
    fn no_name_or_alias_means_two_things() {
        let mut seen = HashSet::new();
        for spec in ACTIONS {
            assert!(seen.insert(spec.name), "{}", spec.name);
            for alias in spec.aliases {
                // The one double meaning of the contract, told apart by its parameters.
                let known = *alias == "type_text" && spec.kind == ActionType::EnterText;
                assert!(known || seen.insert(alias), "{alias}");
            }
        }
    }

    #[test]
    fn rules_speak_of_fields_the_action_has() {
        for spec in ACTIONS {
            for rule in spec.rules {
                let keys: &[&str] = match rule {
                    Rule::ExactlyOne(keys)
                    | Rule::AtMostOne(keys)
                    | Rule::AtLeastOne(keys)
                    | Rule::ClickAfterNeeds(keys) => keys,
                    Rule::FocusNeedsNode => &["clickType", "coordinate"],
                    Rule::RegexNeedsPattern => &["validator", "validatorPattern"],
                };
                for key in keys {
                    assert!(spec.field(key).is_some(), "{}.{key}", spec.name);
                }
            }
        }
    }
}
