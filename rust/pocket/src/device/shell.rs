//! A command of the phone's shell.

use super::Hand;
use crate::outcome::{Done, Outcome};
use clawperator_host::device::Output;
use std::time::Duration;

/// When a command is given up.
const LONGEST: Duration = Duration::from_secs(20);
/// Characters of output that are told.
const MOST: usize = 3_000;
/// Of a longer output, what is told of its beginning and its end.
const HEAD: usize = 2_086;
const TAIL: usize = 895;
const CUT: &str = "\n...[truncated]...\n";

impl Hand<'_> {
    pub(super) fn shell(&self, command: &str) -> Done {
        let command = command.trim();
        if command.is_empty() {
            return Ok(Outcome::new("Skipped empty shell command"));
        }
        let output = self.route.device.shell(command, LONGEST)?;
        let mut text = format!("Executed shell command: {command}");
        let said = said(&output);
        let chars = said.chars().count();
        if chars > MOST {
            text += &format!("\nOutput (truncated, totalChars={chars}):\n{}", shortened(&said));
        } else if chars > 0 {
            text += &format!("\nOutput:\n{said}");
        }
        if !output.ok() {
            text += &format!("\nExit code: {}", output.code);
        }
        Ok(Outcome::new(text)
            .with("via", "adb")
            .with("exitCode", output.code)
            .with("totalChars", chars)
            .with("truncated", chars > MOST))
    }
}

/// What it printed, and then what it complained of.
fn said(output: &Output) -> String {
    let text =
        |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n").trim().to_owned();
    let both = [text(&output.stdout), text(&output.stderr)];
    let both: Vec<_> = both.into_iter().filter(|text| !text.is_empty()).collect();
    both.join("\n")
}

fn shortened(text: &str) -> String {
    let head: String = text.chars().take(HEAD).collect();
    let skipped = text.chars().count().saturating_sub(TAIL);
    let tail: String = text.chars().skip(skipped).collect();
    [head.trim_end(), CUT, tail.trim_start()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_output_keeps_its_beginning_and_its_end() {
        let long = format!("{}{}", "a".repeat(5_000), "ü".repeat(5_000));
        let short = shortened(&long);
        assert_eq!(short.chars().count(), MOST);
        assert!(short.starts_with(&"a".repeat(HEAD)) && short.ends_with(&"ü".repeat(TAIL)));
        assert!(short.contains("\n...[truncated]...\n"));
    }
}
