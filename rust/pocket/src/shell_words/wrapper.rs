//! Programs that run another program named in their arguments.

use super::lexer::Word;
use super::refusal::{Found, Why};

/// What else a command runs.
pub(super) enum Inner {
    Nothing,
    Commands(Vec<Vec<Word>>),
    Script(String),
    OnPhone(String),
}

struct Wrapper {
    name: &'static str,
    flags: &'static [&'static str],
    /// Options with a value after them.
    valued: &'static [&'static str],
    /// Arguments before the program.
    operands: usize,
}

const fn wrapper(
    name: &'static str,
    flags: &'static [&'static str],
    valued: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper { name, flags, valued, operands }
}

/// Only the options listed here: another one may change where the program stands.
const WRAPPERS: [Wrapper; 13] = [
    wrapper("builtin", &[], &[], 0),
    wrapper("busybox", &[], &[], 0),
    wrapper("command", &["-p", "-v", "-V"], &[], 0),
    wrapper("env", &["-", "-i", "-0", "--ignore-environment", "--null"], &["-u"], 0),
    wrapper("exec", &["-c", "-l"], &["-a"], 0),
    wrapper("nice", &[], &["-n"], 0),
    wrapper("nohup", &[], &[], 0),
    wrapper("setsid", &["-f", "-w"], &[], 0),
    wrapper("stdbuf", &[], &["-i", "-o", "-e"], 0),
    wrapper("time", &["-p", "-v"], &[], 0),
    wrapper("timeout", &["--foreground", "--preserve-status", "-v"], &["-k", "-s"], 1),
    wrapper("toybox", &[], &[], 0),
    wrapper(
        "xargs",
        &["-0", "-r", "-t", "-x", "-I{}", "--null", "--no-run-if-empty"],
        &["-n", "-L", "-P", "-s", "-d", "-a", "-E"],
        0,
    ),
];

const SHELLS: [&str; 6] = ["ash", "bash", "dash", "ksh", "mksh", "sh"];

pub(super) fn inner(name: &str, at: usize, arguments: &[Word]) -> Result<Inner, Found> {
    if SHELLS.contains(&name) {
        return shell(at, arguments);
    }
    match name {
        "find" => find(at, arguments),
        "adb" => adb(at, arguments),
        _ => match WRAPPERS.iter().find(|wrapper| wrapper.name == name) {
            Some(wrapper) => wrapped(wrapper, at, arguments),
            None => Ok(Inner::Nothing),
        },
    }
}

fn wrapped(wrapper: &Wrapper, at: usize, arguments: &[Word]) -> Result<Inner, Found> {
    let mut rest = arguments;
    while let Some((word, after)) = rest.split_first()
        && word.text.starts_with('-')
    {
        let text = word.text.as_str();
        let joined = wrapper.valued.iter().any(|short| text.starts_with(short));
        rest = if word.dynamic {
            return Err(unknown(wrapper.name, at));
        } else if text == "--" {
            rest = after;
            break;
        } else if (wrapper.name, text) == ("xargs", "-I")
            && after.first().is_some_and(|value| value.text == "{}")
        {
            // Any other mark could be the name of the program, which the input then replaces.
            &after[1..]
        } else if wrapper.valued.contains(&text) {
            after.get(1..).unwrap_or_default()
        } else if joined || wrapper.flags.contains(&text) {
            after
        } else {
            let what = format!("{} with the option {text}", wrapper.name);
            return Err((Why::Undecidable(what), word.at));
        };
    }
    if wrapper.name == "env" {
        while let Some((word, after)) = rest.split_first()
            && let Some((name, _)) = word.text.split_once('=')
        {
            super::variables::may_set(name, word.at)?;
            rest = after;
        }
    }
    // A value that is a variable may be several words, or none.
    let before = &arguments[..arguments.len() - rest.len()];
    let operands = rest.get(..wrapper.operands).unwrap_or(rest);
    if before.iter().chain(operands).any(|word| word.dynamic || word.glob) {
        return Err(unknown(wrapper.name, at));
    }
    let mut words = rest.get(wrapper.operands..).unwrap_or_default().to_vec();
    if words.is_empty() {
        return Ok(Inner::Nothing);
    }
    if wrapper.name == "xargs" {
        for word in &mut words {
            word.dynamic |= word.text.contains("{}");
        }
        words.push(Word { at, dynamic: true, ..Word::default() });
    }
    Ok(Inner::Commands(vec![words]))
}

/// A shell may only be given its script in the text we see.
fn shell(at: usize, arguments: &[Word]) -> Result<Inner, Found> {
    let mut rest = arguments;
    while let Some((word, after)) = rest.split_first() {
        let text = word.text.as_str();
        if word.dynamic || word.glob {
            break;
        }
        if text == "-o" && after.first().is_some_and(|value| value.text == "pipefail") {
            rest = &after[1..];
            continue;
        }
        let Some(letters) = text.strip_prefix('-') else { break };
        if letters.is_empty() || !letters.chars().all(|c| "ceux".contains(c)) {
            break;
        }
        if !letters.contains('c') {
            rest = after;
            continue;
        }
        return match after.first() {
            // Options may follow -c; then the script is not where we look.
            Some(script)
                if !script.dynamic && !script.glob && !script.text.starts_with(['-', '+']) =>
            {
                Ok(Inner::Script(script.text.clone()))
            }
            _ => Err((Why::Undecidable("a shell whose script is not written out".into()), at)),
        };
    }
    let what = "a shell that takes its commands from a file or its input; use -c '…'";
    Err((Why::Undecidable(what.to_owned()), at))
}

fn find(at: usize, arguments: &[Word]) -> Result<Inner, Found> {
    if arguments.iter().any(|word| word.dynamic) {
        return Err(unknown("find", at));
    }
    let mut commands = Vec::new();
    let mut rest = arguments;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        if ["-exec", "-execdir", "-ok", "-okdir"].contains(&word.text.as_str()) {
            let end = (0..after.len()).find(|at| match after[*at].text.as_str() {
                ";" => true,
                "+" => *at > 0 && after[*at - 1].text == "{}",
                _ => false,
            });
            let mut command = after[..end.unwrap_or(after.len())].to_vec();
            for word in &mut command {
                word.dynamic |= word.text.contains("{}");
            }
            commands.push(command);
        }
    }
    Ok(Inner::Commands(commands))
}

/// adb joins its arguments with blanks and the phone's shell reads them again.
fn adb(at: usize, arguments: &[Word]) -> Result<Inner, Found> {
    let mut rest = arguments;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        match word.text.as_str() {
            _ if word.dynamic || word.glob => return Err(unknown("adb", at)),
            "-s" | "-t" | "-H" | "-P" | "-L" => match after.split_first() {
                Some((value, after)) if !value.dynamic && !value.glob => rest = after,
                _ => return Err(unknown("adb", at)),
            },
            option if option.starts_with('-') => {}
            "shell" | "exec-out" | "exec-in" => {
                if after.iter().any(|word| word.dynamic || word.glob) {
                    return Err(unknown("adb shell", at));
                }
                let words = after.iter().skip_while(|word| word.text.starts_with('-'));
                let words: Vec<&str> = words.map(|word| word.text.as_str()).collect();
                return Ok(Inner::OnPhone(words.join(" ")));
            }
            "reboot" => return Err((Why::Denied("adb reboot".to_owned()), at)),
            _ => return Ok(Inner::Nothing),
        }
    }
    Ok(Inner::Nothing)
}

fn unknown(name: &str, at: usize) -> Found {
    (Why::Undecidable(format!("{name} with arguments known only at run time")), at)
}
