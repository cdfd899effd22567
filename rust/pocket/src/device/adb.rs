//! The same actions as words of the phone's shell, for a phone without the operator.

use super::fit::rounded;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::device::{Device, Output};
use clawperator_link::broadcast::shell_quoted;
use std::time::Duration;

/// A gesture shorter than this is none.
const SHORTEST_MOVE_MS: u64 = 100;
const SHORTEST_HOLD_MS: u64 = 120;

/// What the shell takes for more than a letter, as far as it can be typed on a keyboard.
const SPECIAL: &str = "\\(){}[]<>|;&$`!~\"'?#*^@\t";

pub(super) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub(super) fn tap(x: f64, y: f64) -> Vec<String> {
    let place = |at: f64| rounded(at).max(0).to_string();
    [words(&["input", "tap"]), vec![place(x), place(y)]].concat()
}

pub(super) fn swipe(from: (f64, f64), to: (f64, f64), ms: u64) -> Vec<String> {
    let places = [from.0, from.1, to.0, to.1].map(|at| rounded(at).to_string());
    let ms = vec![ms.max(SHORTEST_MOVE_MS).to_string()];
    [words(&["input", "swipe"]), places.to_vec(), ms].concat()
}

/// A slow swipe: the tool cannot hold still first.
pub(super) fn long_press_drag(from: (f64, f64), to: (f64, f64), hold: u64, ms: u64) -> Vec<String> {
    swipe(from, to, hold.max(SHORTEST_HOLD_MS) + ms.max(SHORTEST_MOVE_MS))
}

pub(super) fn key(code: &str) -> Vec<String> {
    words(&["input", "keyevent", code])
}

/// What types a text of ASCII: one line of the phone's shell for each part.
///
/// A line break is the enter key. The tool makes a space of `%s`, so a text that holds just that
/// is typed in two parts.
pub(super) fn typed(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let mut lines = Vec::new();
    for (number, line) in text.split(['\n', '\r']).enumerate() {
        if number > 0 {
            lines.push(shell_quoted(&key("KEYCODE_ENTER")));
        }
        let apart = line.replace("%s", "%\ns");
        let parts = apart.split('\n').filter(|part| !part.is_empty());
        lines.extend(parts.map(|part| format!("input text {}", encoded(part))));
    }
    lines
}

/// A text as one word of the shell, in the words of `input text`.
fn encoded(text: &str) -> String {
    let mut word = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            ' ' => word.push_str("%s"),
            _ => {
                if SPECIAL.contains(letter) {
                    word.push('\\');
                }
                word.push(letter);
            }
        }
    }
    word
}

/// Runs words; what does not succeed is a failure.
pub(super) fn run(device: &dyn Device, words: &[String], ms: f64) -> Result<Output, Failure> {
    run_line(device, &shell_quoted(words), Duration::from_secs_f64(ms / 1_000.0))
}

/// Runs a line of our own making; what does not succeed is a failure.
pub(super) fn run_line(
    device: &dyn Device,
    line: &str,
    within: Duration,
) -> Result<Output, Failure> {
    let output = device.shell(line, within)?;
    if output.ok() && !complains(&output) {
        return Ok(output);
    }
    let code = ErrorCode::ActionFailed;
    // Only the command: what follows may be a password, and so may what the phone says of it.
    let message = if line.starts_with("input text ") {
        format!("`input text` ended with {}", output.code)
    } else {
        let command: Vec<&str> = line.split(' ').take(2).collect();
        format!("`{}` ended with {}: {}", command.join(" "), output.code, output.said())
    };
    Err(Failure::new(code, message).hint(code.remedy()))
}

/// Java tools of old phones end with 0 whatever happened.
fn complains(output: &Output) -> bool {
    let said = output.said();
    said.starts_with("Error: ") || said.contains("Exception")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gestures_are_the_words_other_implementations_send() {
        assert_eq!(tap(-3.4, 10.5).join(" "), "input tap 0 11");
        let there = swipe((-1.5, 2.5), (3.0, 4.0), 1);
        assert_eq!(there.join(" "), "input swipe -1 3 3 4 100");
        assert_eq!(swipe((1.0, 2.0), (3.0, 4.0), 0).last().unwrap(), "100");
        assert_eq!(
            long_press_drag((1.0, 2.0), (3.0, 4.0), 0, 0).join(" "),
            "input swipe 1 2 3 4 220"
        );
        assert_eq!(key("KEYCODE_BACK").join(" "), "input keyevent KEYCODE_BACK");
    }

    #[test]
    fn special_letters_are_letters_to_the_shell() {
        assert_eq!(typed(r"P@ssw0rd!#$"), [r"input text P\@ssw0rd\!\#\$"]);
        let all = "~^*?#[]{}()<>|;&$`!";
        let escaped: String = all.chars().map(|letter| format!("\\{letter}")).collect();
        assert_eq!(typed(all), [format!("input text {escaped}")]);
        assert_eq!(typed("it's \"so\"\t\\"), ["input text it\\'s%s\\\"so\\\"\\\t\\\\"]);
    }

    #[test]
    fn a_line_break_is_the_enter_key_and_not_a_space() {
        let enter = "input keyevent KEYCODE_ENTER";
        assert_eq!(typed("a b\nc"), ["input text a%sb", enter, "input text c"]);
        assert_eq!(typed("a\r\n\nb\n"), ["input text a", enter, enter, "input text b", enter]);
    }

    #[test]
    fn what_means_a_space_to_the_tool_is_typed_in_two_parts() {
        assert_eq!(typed("100%sure"), ["input text 100%", "input text sure"]);
        assert_eq!(typed("50% off"), ["input text 50%%soff"]);
    }
}
