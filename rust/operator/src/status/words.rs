//! What the screen says. Plain ASCII: every font has it.

use super::{Link, Status};
use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

pub(super) struct Words {
    pub(super) service_on: bool,
    pub(super) title: &'static str,
    pub(super) state: &'static str,
    pub(super) meaning: &'static str,
    /// Labels with what is known.
    pub(super) facts: [(&'static str, String); 3],
    pub(super) how: &'static str,
    pub(super) steps: &'static [&'static str],
    pub(super) by_computer: &'static str,
    pub(super) command: &'static str,
    pub(super) button: &'static str,
    pub(super) privacy: &'static str,
}

impl Words {
    pub(super) fn of(status: &Status) -> Self {
        let link = match &status.link {
            Link::Listening(name) => format!("Socket {name} is listening"),
            Link::Silent { name, why } => {
                format!("Socket {name} is not listening: {why}. Broadcasts still work.")
            }
            Link::NotStarted => "The operator did not start; the phone's log says why".to_owned(),
        };
        let last = status.last_command.map_or_else(|| "None yet".to_owned(), ago);
        let version = format!("{} on Android API level {}", status.version, status.api_level);
        let shared = Self {
            service_on: status.service_on,
            title: "Clawperator Operator",
            state: "Service on",
            meaning: "A computer connected over adb can read the screen and act on it.",
            facts: [("Link", link), ("Last command", last), ("Version", version)],
            how: "To switch it off",
            steps: &["Tap the button, choose Clawperator and switch it off."],
            by_computer: "To check it from the computer:",
            command: "clawperator doctor",
            button: "Open accessibility settings",
            privacy: "Commands come only over adb. This app has no network permission.",
        };
        if status.service_on {
            return shared;
        }
        Self {
            state: "Service off",
            meaning: "The screen cannot be read or acted on. Commands are refused.",
            how: "To switch it on",
            steps: &[
                "1. Tap the button.",
                "2. Choose Clawperator among the installed or downloaded apps.",
                "3. Switch it on and allow it.",
            ],
            by_computer: "Or from the computer:",
            command: "clawperator operator setup",
            ..shared
        }
    }

    pub(super) fn spoken(&self) -> String {
        let facts = self.facts.iter().map(|(label, value)| format!("{label}: {value}"));
        let parts = [self.title, self.state, self.meaning].map(str::to_owned).into_iter();
        let parts = parts.chain(facts).chain([self.how.to_owned() + ":"]);
        let parts = parts.chain(self.steps.iter().map(|step| (*step).to_owned()));
        let last = [format!("{} {}", self.by_computer, self.command), self.privacy.to_owned()];
        let parts = parts.chain(last).chain([self.button.to_owned()]);
        parts.collect::<Vec<_>>().join("\n")
    }
}

fn ago(passed: Duration) -> String {
    match passed.as_secs() {
        0..MINUTE => "Just now".to_owned(),
        seconds @ MINUTE..HOUR => format!("{} min ago", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{} h ago", seconds / HOUR),
        seconds if seconds < 2 * DAY => "1 day ago".to_owned(),
        seconds => format!("{} days ago", seconds / DAY),
    }
}

/// How long [`ago`] will say the same. Never nothing, so that whoever waits for it waits.
pub(super) fn keeps_for(passed: Duration) -> Duration {
    let unit = match passed.as_secs() {
        0..HOUR => MINUTE,
        HOUR..DAY => HOUR,
        _ => DAY,
    };
    Duration::from_secs(unit - passed.as_secs() % unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_since_a_command_is_told_in_its_largest_unit() {
        let told = [0, 59, 60, 179, 3_599, 3_600, 86_399, 86_400, 172_800]
            .map(|seconds| ago(Duration::from_secs(seconds)));
        let expected = [
            "Just now",
            "Just now",
            "1 min ago",
            "2 min ago",
            "59 min ago",
            "1 h ago",
            "23 h ago",
            "1 day ago",
            "2 days ago",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn the_told_time_stays_the_same_as_long_as_it_keeps_and_no_longer() {
        for seconds in [0, 1, 59, 60, 61, 3_599, 3_600, 5_000, 86_399, 86_400, 200_000] {
            let passed = Duration::from_secs(seconds);
            let keeps = keeps_for(passed);
            assert!(keeps >= Duration::from_secs(1), "{seconds}: {keeps:?}");
            assert_eq!(ago(passed), ago(passed + keeps - Duration::from_secs(1)), "{seconds}");
            assert_ne!(ago(passed), ago(passed + keeps), "{seconds}");
        }
    }
}
