//! The error codes: one list, from which `clawperator explain`, `docs/errors.md` and the tests come.

mod table;

pub use table::ErrorCode;

use std::fmt;
use std::str::FromStr;

/// Where a code comes from, and so where a reader should look first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// The command line itself.
    CommandLine,
    /// The payload, before anything is sent.
    Payload,
    /// Choosing and reaching a phone.
    Device,
    /// The operator app on the phone.
    Operator,
    /// Sending an execution and getting its envelope back.
    Dispatch,
    /// The execution as a whole, on the phone.
    Execution,
    /// One step, in its `data.error`.
    Step,
    /// Recording what a person does.
    Recording,
    /// Skills and their registry.
    Skills,
    /// Recipes.
    Recipes,
    /// Emulators and the Android SDK.
    Emulator,
    /// The host's own health.
    Doctor,
    /// Sessions in OpenPocket's actions.
    Pocket,
    /// The HTTP surface.
    Http,
    /// Known from other implementations of this contract; never answered by this one.
    Elsewhere,
}

impl Area {
    /// All areas, in the order of the documentation.
    pub const ALL: [Self; 15] = [
        Self::CommandLine,
        Self::Payload,
        Self::Device,
        Self::Operator,
        Self::Dispatch,
        Self::Execution,
        Self::Step,
        Self::Recording,
        Self::Skills,
        Self::Recipes,
        Self::Emulator,
        Self::Doctor,
        Self::Pocket,
        Self::Http,
        Self::Elsewhere,
    ];

    /// A heading for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::CommandLine => "Command line",
            Self::Payload => "Payload",
            Self::Device => "Device",
            Self::Operator => "Operator",
            Self::Dispatch => "Dispatch",
            Self::Execution => "Execution",
            Self::Step => "Step",
            Self::Recording => "Recording",
            Self::Skills => "Skills",
            Self::Recipes => "Recipes",
            Self::Emulator => "Emulator",
            Self::Doctor => "Doctor",
            Self::Pocket => "Pocket",
            Self::Http => "HTTP",
            Self::Elsewhere => "Other implementations",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no code of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCode {
    /// The code whose name is nearest, when one is near enough to be meant.
    pub nearest: Option<ErrorCode>,
}

impl FromStr for ErrorCode {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        let wanted = text.trim().to_ascii_uppercase().replace('-', "_");
        if let Some(code) = Self::ALL.iter().find(|code| code.name() == wanted) {
            return Ok(*code);
        }
        let names = Self::ALL.iter().map(|code| code.name());
        let nearest = crate::suggest::nearest(&wanted, names)
            .and_then(|name| Self::ALL.iter().find(|code| code.name() == name))
            .copied();
        Err(UnknownCode { nearest })
    }
}

impl serde::Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_code_is_declared_once_and_says_what_to_do() {
        let mut seen = HashSet::new();
        for code in ErrorCode::ALL {
            assert!(seen.insert(code.name()), "{code} stands twice");
            assert!(code.meaning().ends_with('.'), "{code}: {}", code.meaning());
            assert!(code.remedy().ends_with('.'), "{code}: {}", code.remedy());
            let wire = code.name().chars().all(|c| c.is_ascii_uppercase() || c == '_');
            assert!(wire, "{code}");
        }
    }

    #[test]
    fn the_variant_and_the_wire_name_are_the_same_words() {
        for code in ErrorCode::ALL {
            let variant = format!("{code:?}").to_ascii_uppercase();
            assert_eq!(variant, code.name().replace('_', ""));
        }
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        assert_eq!("node_not_found".parse(), Ok(ErrorCode::NodeNotFound));
        assert_eq!(" NODE-NOT-FOUND ".parse(), Ok(ErrorCode::NodeNotFound));
        let miss = "NODE_NOT_FUOND".parse::<ErrorCode>().unwrap_err();
        assert_eq!(miss.nearest, Some(ErrorCode::NodeNotFound));
        assert_eq!("zebra".parse::<ErrorCode>().unwrap_err().nearest, None);
    }
}
