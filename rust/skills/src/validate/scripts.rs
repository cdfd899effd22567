//! Scripts: what is more than a small wrapper belongs in TypeScript, and says so until it is.

use crate::problem::{Problem, Problems};
use clawperator_contract::ErrorCode;
use clawperator_tree::Place;

/// Lines of code of a small wrapper: find the folder, set two variables, call one program, with
/// room for a usage message.
const WRAPPER_LINES: usize = 30;
/// The note stands in the comments a script begins with, or right after them.
const TOP_LINES: usize = 20;
/// Words a loop begins with, and programs that take texts apart.
const LOOPS: [&str; 4] = ["for", "while", "until", "select"];
const PARSERS: [&str; 8] = ["jq", "sed", "awk", "grep", "cut", "tr", "xmllint", "python3"];

/// Everything that should be otherwise in a script.
pub(super) fn check(file: &str, text: &str) -> Vec<Problem> {
    let mut problems = Problems::new(file, text);
    if file.ends_with(".sh")
        && let Some(why) = not_trivial(text)
        && !has_note(text)
    {
        let place = Place { line: 1, column: 1 };
        let code = ErrorCode::SkillValidationFailed;
        let message = format!(
            "this Bash script is more than a small wrapper ({why}) and has no migration note"
        );
        problems.warning(code, "bash-note", place, message).hint = Some(
            "move it to TypeScript, or say so at its top: # Migration: queued for TypeScript"
                .into(),
        );
    }
    problems.into_sorted()
}

/// Why a script is more than a small wrapper.
fn not_trivial(text: &str) -> Option<String> {
    let code: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    if code.len() > WRAPPER_LINES {
        return Some(format!("{} lines of code", code.len()));
    }
    let first = |line: &&&str| LOOPS.contains(&line.split_whitespace().next().unwrap_or_default());
    if let Some(line) = code.iter().find(first) {
        return Some(format!("a loop: {line}"));
    }
    let word = |line: &&&str| {
        let mut words = line.split(|c: char| c.is_whitespace() || "|()`;&\"".contains(c));
        words.any(|word| PARSERS.contains(&word))
    };
    code.iter().find(word).map(|line| format!("it takes texts apart: {line}"))
}

/// A comment at the top that says where the script goes.
fn has_note(text: &str) -> bool {
    let comments = text.lines().take(TOP_LINES).filter(|line| line.trim_start().starts_with('#'));
    let comments = comments.collect::<Vec<_>>().join(" ").to_lowercase();
    comments.contains("migrat") && (comments.contains("typescript") || comments.contains("node"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_script_that_does_much_needs_a_note() {
        let wrapper = "#!/usr/bin/env bash\nset -euo pipefail\nhere=\"$(cd \"$(dirname \"$0\")\" && pwd)\"\nexec node \"$here/run.ts\" \"$@\"\n";
        assert!(check("a.sh", wrapper).is_empty());
        let looping = "#!/bin/sh\nfor n in 1 2; do\n  echo $n\ndone\n";
        assert_eq!(check("a.sh", looping)[0].rule, "bash-note");
        let parsing = "#!/bin/sh\nclawperator snapshot | jq .x\n";
        assert_eq!(check("a.sh", parsing).len(), 1);
        let long = format!("#!/bin/sh\n{}", "echo x\n".repeat(WRAPPER_LINES + 1));
        assert_eq!(check("a.sh", &long).len(), 1);
        let noted = looping
            .replace("#!/bin/sh\n", "#!/bin/sh\n# Migration: queued for Node.js/TypeScript.\n");
        assert!(check("a.sh", &noted).is_empty());
        assert!(check("a.ts", looping).is_empty());
    }
}
