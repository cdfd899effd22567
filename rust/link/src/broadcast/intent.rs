//! The intent that carries an execution.

/// The intent's action.
pub const ACTION: &str = "app.clawperator.operator.ACTION_AGENT_COMMAND";
/// String extra: the execution.
pub const EXTRA_PAYLOAD: &str = "payload";
/// String extra: the dispatch id, when a host minted one.
pub const EXTRA_DISPATCH: &str = "dispatch";
/// String extra: a dispatch whose result is asked for again. Executes nothing.
pub const EXTRA_RESUME: &str = "resume";
/// String extra: a dispatch that is to stop at its next wait.
pub const EXTRA_CANCEL: &str = "cancel";

/// What a broadcast says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broadcast {
    /// Run this.
    Execute {
        /// The execution's text.
        payload: String,
        /// Minted by our host; other senders have none.
        dispatch_id: Option<String>,
    },
    /// Tell the result of this dispatch again.
    Resume {
        /// Which one.
        dispatch_id: String,
    },
    /// Stop this dispatch.
    Cancel {
        /// Which one.
        dispatch_id: String,
    },
}

impl Broadcast {
    /// The words of the `am` command that sends it to `package`.
    #[must_use]
    pub fn to_am(&self, package: &str) -> Vec<String> {
        let mut words: Vec<String> =
            ["am", "broadcast", "--receiver-foreground", "-a", ACTION, "-p", package]
                .map(str::to_owned)
                .into();
        let mut extra = |key: &str, value: &str| {
            words.extend(["--es", key, value].map(str::to_owned));
        };
        match self {
            Self::Execute { payload, dispatch_id } => {
                extra(EXTRA_PAYLOAD, payload);
                if let Some(id) = dispatch_id {
                    extra(EXTRA_DISPATCH, id);
                }
            }
            Self::Resume { dispatch_id } => extra(EXTRA_RESUME, dispatch_id),
            Self::Cancel { dispatch_id } => extra(EXTRA_CANCEL, dispatch_id),
        }
        words
    }

    /// What the string extras of a received intent say.
    #[must_use]
    pub fn from_extras(get: impl Fn(&str) -> Option<String>) -> Option<Self> {
        if let Some(dispatch_id) = get(EXTRA_RESUME) {
            return Some(Self::Resume { dispatch_id });
        }
        if let Some(dispatch_id) = get(EXTRA_CANCEL) {
            return Some(Self::Cancel { dispatch_id });
        }
        let payload = get(EXTRA_PAYLOAD)?;
        Some(Self::Execute { payload, dispatch_id: get(EXTRA_DISPATCH) })
    }
}

/// Words as one line that a shell takes apart into just these words, whatever is in them.
#[must_use]
pub fn shell_quoted(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    let quoted = words.iter().map(|word| {
        if !word.is_empty() && word.chars().all(plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broadcast_survives_the_way_through_am() {
        let d1 = || "d1".to_owned();
        let sent = Broadcast::Execute { payload: "{}".into(), dispatch_id: Some(d1()) };
        let words = sent.to_am("com.clawperator.operator");
        assert_eq!(
            words.join(" "),
            "am broadcast --receiver-foreground -a app.clawperator.operator.ACTION_AGENT_COMMAND \
             -p com.clawperator.operator --es payload {} --es dispatch d1"
        );
        let others =
            [Broadcast::Resume { dispatch_id: d1() }, Broadcast::Cancel { dispatch_id: d1() }];
        for sent in [sent].into_iter().chain(others) {
            let words = sent.to_am("com.clawperator.operator");
            let extra = |key: &str| {
                let at = words.windows(3).find(|w| w[0] == "--es" && w[1] == key)?;
                Some(at[2].clone())
            };
            assert_eq!(Broadcast::from_extras(extra), Some(sent));
        }
        assert_eq!(Broadcast::from_extras(|_| None), None);
    }

    #[test]
    fn nothing_in_a_payload_means_anything_to_the_shell() {
        let hostile = "a'b $(reboot) `id` \"x\" \\ \n; rm -rf / & |".to_owned();
        let line = format!("printf %s {}", shell_quoted(std::slice::from_ref(&hostile)));
        let output = std::process::Command::new("sh").arg("-c").arg(line).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), hostile);
        assert_eq!(shell_quoted(&["am".into(), String::new()]), "am ''");
    }
}
