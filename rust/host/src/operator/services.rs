//! The list of enabled accessibility services, as Android's settings hold it: components with
//! colons between them. Others than ours are never touched.

use clawperator_contract::operator::{SERVICE_CLASS, service_component};

/// The setting itself.
pub(crate) const ENABLED_SERVICES: &str = "enabled_accessibility_services";
/// The switch over all of them.
pub(crate) const ACCESSIBILITY: &str = "accessibility_enabled";

/// The services in the setting, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Services(Vec<String>);

impl Services {
    /// From what `settings get` says; it says `null` where nothing was ever set.
    pub(crate) fn read(text: &str) -> Self {
        let words = text.trim().split(':').map(str::trim);
        Self(words.filter(|word| !matches!(*word, "" | "null")).map(str::to_owned).collect())
    }

    /// Is the operator's service in it?
    pub(crate) fn has(&self, package: &str) -> bool {
        self.0.iter().any(|component| is_ours(component, package))
    }

    /// All but the operator's.
    pub(crate) fn without(&self, package: &str) -> Self {
        Self(self.0.iter().filter(|one| !is_ours(one, package)).cloned().collect())
    }

    /// The others as they are, and the operator's once.
    pub(crate) fn with(&self, package: &str) -> Self {
        let mut all = self.without(package);
        all.0.push(service_component(package));
        all
    }

    /// The command that writes it. An empty list is taken away: not every phone's `settings` takes
    /// an empty value.
    pub(crate) fn command(&self) -> String {
        if self.0.is_empty() {
            return format!("settings delete secure {ENABLED_SERVICES}");
        }
        // A nested class has a `$` in its name.
        let value = self.0.join(":").replace('\'', r"'\''");
        format!("settings put secure {ENABLED_SERVICES} '{value}'")
    }
}

/// A class of the package itself may be written short: `a.b/.C` is `a.b/a.b.C`.
pub(crate) fn is_ours(component: &str, package: &str) -> bool {
    match component.split_once('/') {
        Some((own, class)) if own == package => match class.strip_prefix('.') {
            Some(short) => SERVICE_CLASS
                .strip_prefix(package)
                .and_then(|rest| rest.strip_prefix('.'))
                .is_some_and(|rest| rest == short),
            None => class == SERVICE_CLASS,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clawperator_contract::operator::{DEV_PACKAGE, RELEASE_PACKAGE};

    const READER: &str = "com.google.android.marvin.talkback/.TalkBackService";

    fn ours() -> String {
        service_component(RELEASE_PACKAGE)
    }

    #[test]
    fn nothing_set_is_an_empty_list() {
        for text in ["null", "", "\n", ":", "null\r\n"] {
            assert_eq!(Services::read(text), Services::default(), "{text:?}");
        }
    }

    #[test]
    fn ours_comes_after_the_others_which_stay_as_they_are() {
        let before = format!("{READER}:a.b/a.b.C$D");
        let after = Services::read(&before).with(RELEASE_PACKAGE);
        assert_eq!(
            after.command(),
            format!("settings put secure {ENABLED_SERVICES} '{before}:{}'", ours())
        );
        assert_eq!(after.without(RELEASE_PACKAGE), Services::read(&before));
    }

    #[test]
    fn the_short_form_and_repetitions_become_one() {
        let short = format!("{RELEASE_PACKAGE}/.OperatorService");
        let services = Services::read(&format!("{short}:{READER}:{}:{short}", ours()));
        assert!(services.has(RELEASE_PACKAGE));
        assert_eq!(services.with(RELEASE_PACKAGE).0, [READER.to_owned(), ours()]);
    }

    #[test]
    fn the_other_variant_is_somebody_else() {
        let services = Services::read(&service_component(DEV_PACKAGE));
        assert!(services.has(DEV_PACKAGE) && !services.has(RELEASE_PACKAGE));
        // Short for a class that the developers' package does not have.
        assert!(!is_ours(&format!("{DEV_PACKAGE}/.OperatorService"), DEV_PACKAGE));
    }

    #[test]
    fn a_list_that_becomes_empty_is_taken_away() {
        let command = Services::read(&ours()).without(RELEASE_PACKAGE).command();
        assert_eq!(command, format!("settings delete secure {ENABLED_SERVICES}"));
    }
}
