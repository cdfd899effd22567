//! Finds texts that belong to one person, phone or home, and so have no place in a shared file.
//!
//! Each rule is a pattern and a second look that knows what ordinary screens, versions, ids and
//! hashes look like: a detector that cries at every number is switched off.

mod allow;
pub mod denylist;
mod diff;
mod git;
pub mod guard;
pub mod hooks;
mod rules;

pub use denylist::Denylist;
pub use git::Repository;

use crate::problem::Severity;
use rules::RULES;
use serde::Serialize;

/// What kind of text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// On the local denylist.
    Denied,
    /// An email address.
    Email,
    /// A telephone number.
    Phone,
    /// A postal address.
    Address,
    /// A place on earth.
    Coordinates,
    /// A phone's serial number or Android id.
    Serial,
    /// A phone's or computer's address in a network.
    Ip,
    /// The address of a network card.
    Mac,
    /// A phone's number in the mobile network.
    Imei,
    /// A bank account.
    Iban,
    /// A payment card.
    Card,
    /// A thing named after its owner.
    Nickname,
    /// A home or place named after who lives there.
    Place,
    /// A number that names one object in the world.
    Uuid,
    /// A number of an account, customer or order.
    Account,
    /// A comment that allows a text but is not valid.
    AllowInvalid,
    /// A comment that allows a text that is not there.
    AllowUnused,
}

impl Kind {
    /// Those an allow comment can name. The local denylist is its owner's and cannot be overruled
    /// by a file.
    pub const ALLOWABLE: &'static [Self] = &[
        Self::Email,
        Self::Phone,
        Self::Address,
        Self::Coordinates,
        Self::Serial,
        Self::Ip,
        Self::Mac,
        Self::Imei,
        Self::Iban,
        Self::Card,
        Self::Nickname,
        Self::Place,
        Self::Uuid,
        Self::Account,
    ];

    /// Those that name a phone: they have no place in any file, not only in recipes.
    pub const DEVICES: &'static [Self] = &[Self::Serial, Self::Imei, Self::Mac];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Address => "address",
            Self::Coordinates => "coordinates",
            Self::Serial => "serial",
            Self::Ip => "ip",
            Self::Mac => "mac",
            Self::Imei => "imei",
            Self::Iban => "iban",
            Self::Card => "card",
            Self::Nickname => "nickname",
            Self::Place => "place",
            Self::Uuid => "uuid",
            Self::Account => "account",
            Self::AllowInvalid => "allow_invalid",
            Self::AllowUnused => "allow_unused",
        }
    }

    /// What it looks like.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Denied => "stands on the local denylist",
            Self::Email => "looks like an email address",
            Self::Phone => "looks like a telephone number",
            Self::Address => "looks like a postal address",
            Self::Coordinates => "looks like a place on earth",
            Self::Serial => "looks like the serial number of a phone",
            Self::Ip => "looks like the network address of a device",
            Self::Mac => "looks like the address of a network card",
            Self::Imei => "looks like the IMEI of a phone",
            Self::Iban => "is a valid IBAN",
            Self::Card => "looks like the number of a payment card",
            Self::Nickname => "looks like a thing named after its owner",
            Self::Place => "looks like a home named after who lives there",
            Self::Uuid => "is the id of one object in the world",
            Self::Account => "looks like the number of an account",
            Self::AllowInvalid => "is not a valid allow comment",
            Self::AllowUnused => "allows a text that is not there",
        }
    }

    /// What to do instead.
    #[must_use]
    pub const fn suggestion(self) -> &'static str {
        match self {
            Self::Denied => "Replace it with an input; the denylist is yours alone.",
            Self::Email => "Declare an input, or use an address at example.com.",
            Self::Phone => "Declare an input, or use a number of the range +1 555 0100.",
            Self::Serial | Self::Imei | Self::Mac => {
                "Take the phone from --device; write emulator-5554 in examples."
            }
            Self::Ip => "Take the phone from --device; write 192.0.2.1:5555 in examples.",
            Self::Address | Self::Coordinates | Self::Nickname | Self::Place => {
                "Declare an input and refer to it as ${inputs.name}."
            }
            Self::Iban | Self::Card | Self::Uuid | Self::Account => {
                "Declare an input; no example needs a real one."
            }
            Self::AllowInvalid => "Write `clawperator:allow KIND REASON` in a comment.",
            Self::AllowUnused => "Remove the comment.",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALLOWABLE.iter().copied().find(|kind| kind.name() == name)
    }
}

/// One text that should not be there. It does not hold the text itself: a finding goes into logs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// An unused allow comment is a warning, all else an error.
    pub severity: Severity,
    /// What it is.
    pub kind: Kind,
    /// From 1.
    pub line: u64,
    /// From 1, in characters.
    pub column: u64,
    /// In characters.
    pub length: u64,
    /// Its first letter and stars, enough to find it again.
    pub masked: String,
    /// What is wrong about it.
    pub reason: String,
    /// What to do.
    pub suggestion: &'static str,
}

impl Finding {
    /// What was found and what is wrong about it, for a message.
    #[must_use]
    pub fn message(&self) -> String {
        format!("\"{}\" {}", self.masked, self.reason)
    }
}

/// What is looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Texts that are never allowed.
    pub denylist: Option<&'a Denylist>,
    /// Only these kinds (and the denylist); all when nothing is said.
    pub only: Option<&'a [Kind]>,
}

/// All findings of a text, in order. Texts that overlap are found once, as the first kind.
#[must_use]
pub fn scan(text: &str, options: Options<'_>) -> Vec<Finding> {
    let lines: Vec<&str> = text.lines().collect();
    let mut findings: Vec<Finding> = Vec::new();
    for (number, line) in (1..).zip(&lines) {
        let mut taken: Vec<(usize, usize)> = Vec::new();
        let mut take = |kind: Kind, start: usize, end: usize| {
            if taken.iter().all(|&(from, to)| end <= from || to <= start) {
                taken.push((start, end));
                findings.push(found(kind, line, number, start, end));
            }
        };
        for (start, end) in options.denylist.iter().flat_map(|denylist| denylist.find(line)) {
            take(Kind::Denied, start, end);
        }
        let wanted = |kind| options.only.is_none_or(|only| only.contains(&kind));
        for rule in RULES.iter().filter(|rule| wanted(rule.kind) && (rule.hint)(line)) {
            rule.find(line).for_each(|(start, end)| take(rule.kind, start, end));
        }
    }
    allow::apply(&lines, &mut findings, options.only);
    findings.sort_by_key(|finding| (finding.line, finding.column));
    findings
}

fn found(kind: Kind, line: &str, number: u64, start: usize, end: usize) -> Finding {
    let characters = |text: &str| u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    Finding {
        severity: match kind {
            Kind::AllowUnused => Severity::Warning,
            _ => Severity::Error,
        },
        kind,
        line: number,
        column: characters(&line[..start]) + 1,
        length: characters(&line[start..end]),
        masked: mask(&line[start..end]),
        reason: kind.reason().to_owned(),
        suggestion: kind.suggestion(),
    }
}

/// The first letter, and a star for each other one up to eight. Short texts are all stars.
fn mask(text: &str) -> String {
    let length = text.chars().count();
    let shown = if length < 4 { 0 } else { 1 };
    let stars = length.saturating_sub(shown).min(8);
    text.chars().take(shown).chain(std::iter::repeat_n('*', stars)).collect()
}

#[cfg(test)]
mod tests;
