//! How a node of the screen is named: every given field must hold.

use std::fmt;

/// The full selector: the six fields of a NodeMatcher, and what `where` adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    /// Exact resource id.
    pub resource_id: Option<String>,
    /// Role, ignoring case.
    pub role: Option<String>,
    /// Exact label.
    pub text_equals: Option<String>,
    /// Part of the label, ignoring case.
    pub text_contains: Option<String>,
    /// Exact content description.
    pub content_desc_equals: Option<String>,
    /// Part of the content description, ignoring case.
    pub content_desc_contains: Option<String>,
    /// Exact class name.
    pub class: Option<String>,
    /// Clickable itself, or inside something that is.
    pub clickable: Option<bool>,
    /// Enabled.
    pub enabled: Option<bool>,
    /// Selected.
    pub selected: Option<bool>,
    /// Position among its siblings, from zero.
    pub index_in_parent: Option<u32>,
    /// One of these must hold, when there are any.
    pub any_of: Vec<Selector>,
    /// All of these must hold.
    pub all_of: Vec<Selector>,
}

impl Selector {
    /// Does it say nothing at all?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// As a person would say it: `text "Wi-Fi" and role "switch"`.
impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = [
            ("id", &self.resource_id),
            ("role", &self.role),
            ("text", &self.text_equals),
            ("text containing", &self.text_contains),
            ("description", &self.content_desc_equals),
            ("description containing", &self.content_desc_contains),
            ("class", &self.class),
        ];
        let flags =
            [("clickable", self.clickable), ("enabled", self.enabled), ("selected", self.selected)];
        let mut parts: Vec<String> = texts
            .iter()
            .filter_map(|(name, text)| text.as_ref().map(|text| format!("{name} \"{text}\"")))
            .collect();
        for (name, flag) in flags {
            parts.extend(flag.map(|on| format!("{}{name}", if on { "" } else { "not " })));
        }
        parts.extend(self.index_in_parent.map(|index| format!("index {index} in its parent")));
        let group = |group: &[Self], word: &str| {
            let parts: Vec<_> = group.iter().map(|part| format!("({part})")).collect();
            (!parts.is_empty()).then(|| parts.join(word))
        };
        parts.extend(group(&self.any_of, " or "));
        parts.extend(group(&self.all_of, " and "));
        f.write_str(&parts.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_reads_as_a_person_would_say_it() {
        let text = |text: &str| Selector { text_equals: Some(text.into()), ..Selector::default() };
        let selector = Selector {
            role: Some("switch".into()),
            enabled: Some(false),
            any_of: vec![text("On"), text("Off")],
            ..Selector::default()
        };
        let said = r#"role "switch" and not enabled and (text "On") or (text "Off")"#;
        assert_eq!(selector.to_string(), said);
        assert!(Selector::default().is_empty());
    }
}
