//! The program's own help, read back: what it says is what the pages list.

use std::process::Command;

/// One argument or flag.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// The heading it stands under.
    pub(crate) heading: String,
    /// As it is typed: `--text <TEXT>`.
    pub(crate) usage: String,
    /// What it is for.
    pub(crate) about: String,
    /// Its other names.
    pub(crate) aliases: Vec<String>,
    /// What it is when it is not given.
    pub(crate) default: Option<String>,
    /// The words it takes, where there are only some.
    pub(crate) values: Vec<String>,
}

impl Entry {
    /// Its name without what it takes: `--text`.
    pub(crate) fn name(&self) -> &str {
        self.usage.split([' ', '=', '[']).next().unwrap_or_default()
    }
}

/// The help of a command, or of the program.
pub(crate) fn of(command: &[&str]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_clawperator"));
    let output = program.arg("help").args(command).output().unwrap();
    assert!(output.status.success(), "there is no help for {command:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands below a command, each with what it does.
pub(crate) fn commands(help: &str) -> Vec<(String, String)> {
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let lines = list.lines().take_while(|line| !line.is_empty());
    let named = lines.filter_map(|line| line.trim().split_once("  "));
    named.map(|(name, about)| (name.to_owned(), about.trim().to_owned())).collect()
}

/// Its arguments and flags, in order.
pub(crate) fn entries(help: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut heading = "";
    for line in help.lines() {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        if indent == 0 && text.ends_with(':') && !text.starts_with("Usage") {
            heading = text.trim_end_matches(':');
        } else if heading == "Commands" {
        } else if (2..10).contains(&indent) {
            let (heading, usage) = (heading.to_owned(), text.to_owned());
            entries.push(Entry { heading, usage, ..Entry::default() });
        } else if let (10, Some(entry)) = (indent, entries.last_mut()) {
            entry.take(text);
        }
    }
    entries.retain(|entry| !["-h, --help", "-V, --version"].contains(&entry.usage.as_str()));
    entries
}

impl Entry {
    fn take(&mut self, line: &str) {
        let bracketed = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        match bracketed.and_then(|inner| inner.split_once(": ")) {
            Some(("alias" | "aliases", names)) => {
                self.aliases = names.split(", ").map(str::to_owned).collect();
            }
            Some(("default", value)) => self.default = Some(value.to_owned()),
            _ => match line.strip_prefix("- ").and_then(|value| value.split_once(':')) {
                Some((value, _)) => self.values.push(value.to_owned()),
                None if line == "Possible values:" => {}
                None => self.about = format!("{} {line}", self.about).trim().to_owned(),
            },
        }
    }
}
