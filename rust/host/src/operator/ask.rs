//! Several questions to the phone's shell in one round trip.
//!
//! A trip over a cable costs more than most of the commands, and over the air much more.

use crate::device::Device;
use clawperator_contract::{ErrorCode, Failure};
use std::time::Duration;

/// Stands before the name of a question, and before the exit code of its command.
const MARK: &str = "@@";
const END: &str = "@@=";

/// What the phone answered, question by question.
#[derive(Debug, Default)]
pub(crate) struct Answers(Vec<(String, Answer)>);

/// What one command said, in either stream, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Without blanks around it.
    pub(crate) text: String,
    /// The exit code; of a pipe it is that of its last command.
    pub(crate) code: u8,
}

/// Asks all of them. Questions are names with command lines; a name is one word.
pub(crate) fn ask(
    device: &dyn Device,
    questions: &[(String, String)],
    within: Duration,
) -> Result<Answers, Failure> {
    let parts = questions
        .iter()
        .map(|(name, command)| format!("echo {MARK}{name}; {command} 2>&1; echo {END}$?"));
    let output = device.shell(&parts.collect::<Vec<_>>().join("; "), within)?;
    let answers = Answers::read(&String::from_utf8_lossy(&output.stdout));
    match questions.iter().find(|(name, _)| answers.find(name).is_none()) {
        None => Ok(answers),
        Some((name, command)) => {
            let said = output.said();
            let said = if said.is_empty() { "nothing" } else { last_line(&said) };
            let message = format!(
                "the shell of {} did not answer `{command}`; the last it said was: {said}",
                device.serial()
            );
            Err(Failure::new(ErrorCode::DeviceShellUnavailable, message)
                .detail("question", name.as_str())
                .hint(ErrorCode::DeviceShellUnavailable.remedy()))
        }
    }
}

impl Answers {
    fn read(text: &str) -> Self {
        let mut all = Vec::new();
        let mut open: Option<(String, Vec<&str>)> = None;
        for line in text.lines().map(str::trim_end) {
            // A command that does not end its last line leaves the mark at the end of it.
            let (before, code) = match line.rsplit_once(END) {
                Some((before, code)) => (before, code.parse::<u8>().ok()),
                None => (line, None),
            };
            if let (Some(code), Some((name, mut lines))) = (code, open.take_if(|_| code.is_some()))
            {
                lines.push(before);
                let text = lines.join("\n").trim().to_owned();
                all.push((name, Answer { text, code }));
            } else if let (None, Some(name)) = (&open, line.strip_prefix(MARK)) {
                open = Some((name.to_owned(), Vec::new()));
            } else if let Some((_, lines)) = &mut open {
                lines.push(line);
            }
        }
        Self(all)
    }

    fn find(&self, name: &str) -> Option<&Answer> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, answer)| answer)
    }

    /// The answer to a question; an empty one to what was not asked.
    pub(crate) fn get(&self, name: &str) -> Answer {
        self.find(name).cloned().unwrap_or_default()
    }
}

impl Answer {
    /// The value after `key=` where it first stands as a word of its own.
    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        let words = self.text.split([' ', '\t', '\n', ',']);
        words.filter_map(|word| word.split_once('=')).find(|(own, _)| *own == key).map(|(_, v)| v)
    }
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_keeps_its_lines_and_its_exit_code() {
        let text = "@@a\r\none\r\ntwo\r\n@@=0\r\n@@b\r\n@@=1\r\n@@c\r\nno line end@@=20\r\n";
        let answers = Answers::read(text);
        assert_eq!(answers.get("a"), Answer { text: "one\ntwo".into(), code: 0 });
        assert_eq!(answers.get("b"), Answer { text: String::new(), code: 1 });
        assert_eq!(answers.get("c"), Answer { text: "no line end".into(), code: 20 });
    }

    #[test]
    fn an_answer_that_broke_off_is_none() {
        let answers = Answers::read("@@a\n1\n@@=0\n@@b\nhalf of");
        assert!(answers.find("a").is_some() && answers.find("b").is_none());
    }

    #[test]
    fn a_mark_inside_an_answer_is_part_of_it() {
        let answers = Answers::read("@@a\n@@b\nx@@=y\n@@=0\n");
        assert_eq!(answers.get("a").text, "@@b\nx@@=y");
        assert!(answers.find("b").is_none());
    }

    #[test]
    fn a_value_is_found_by_its_whole_key() {
        let answer =
            Answer { text: "minVersionCode=1\n  versionCode=42 minSdk=26".into(), code: 0 };
        assert_eq!(answer.value("versionCode"), Some("42"));
        assert_eq!(answer.value("minSdk"), Some("26"));
        assert_eq!(answer.value("Code"), None);
    }
}
