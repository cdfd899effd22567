//! The examples of the reference pages are run by a shell, as a reader would run them, and their
//! answers are compared to the letter.
//!
//! A block of the language `console` holds commands (`$ `, continued by `> `), the exit code where
//! it is not zero (`? 1`), and the answer. `UPDATE_DOCS=1` writes the answers anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::action::{ACTIONS, Origin};
use clawperator_contract::codes::Area;
use clawperator_contract::{ErrorCode, Execution};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Once;
use support::{Place, UPDATE, lines, name, pages, root};

/// A command of a page with what it is said to answer.
#[derive(Debug)]
struct Example {
    command: String,
    answer: Answer,
    /// Line of the page the command stands on, from one.
    line: usize,
}

#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: i32,
    text: String,
}

/// What a page is made of, so that it can be put together again.
#[derive(Debug)]
enum Part {
    Line(String),
    Example(Example),
}

fn reference() -> Vec<(String, Vec<Part>)> {
    // Before the first look of any test: what one of them rewrites the others would misread.
    static FIRST: Once = Once::new();
    FIRST.call_once(|| {
        if std::env::var_os(UPDATE).is_some() {
            read().iter().for_each(|(page, parts)| write_anew(page, parts));
        }
    });
    read()
}

fn read() -> Vec<(String, Vec<Part>)> {
    let pages = pages("docs/reference", true);
    assert!(!pages.is_empty(), "there are no reference pages");
    pages.iter().map(|page| (name(page), parts(page))).collect()
}

fn write_anew(page: &str, parts: &[Part]) {
    let texts = parts.iter().map(|part| match part {
        Part::Line(line) => format!("{line}\n"),
        Part::Example(example) => written(example, &run(&example.command)),
    });
    fs::write(root().join(page), texts.collect::<String>()).unwrap();
}

fn examples(parts: &[Part]) -> impl Iterator<Item = &Example> {
    parts.iter().filter_map(|part| match part {
        Part::Example(example) => Some(example),
        Part::Line(_) => None,
    })
}

fn parts(page: &Path) -> Vec<Part> {
    let text = fs::read_to_string(page).unwrap();
    let mut parts: Vec<Part> = Vec::new();
    let mut console = false;
    for (index, (place, line)) in lines(&text).into_iter().enumerate() {
        let line_number = index + 1;
        match place {
            Place::Opens(language) => console = language == "console",
            Place::Inside if console => {
                if let Some(command) = line.strip_prefix("$ ") {
                    let answer = Answer { status: 0, text: String::new() };
                    let command = command.to_owned();
                    parts.push(Part::Example(Example { command, answer, line: line_number }));
                    continue;
                }
                let Some(Part::Example(example)) = parts.last_mut() else {
                    panic!("{}:{line_number}: a console block begins with `$ `", name(page));
                };
                if let Some(more) = line.strip_prefix("> ") {
                    write!(example.command, "\n{more}").unwrap();
                } else if let Some(status) = line.strip_prefix("? ") {
                    example.answer.status = status.parse().unwrap();
                } else {
                    writeln!(example.answer.text, "{line}").unwrap();
                }
                continue;
            }
            _ => {}
        }
        parts.push(Part::Line(line.to_owned()));
    }
    parts
}

/// Runs a command in a shell at the root of the repository.
fn run(command: &str) -> Answer {
    let binary = Path::new(env!("CARGO_BIN_EXE_clawperator")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(root())
        .env("PATH", format!("{}:{path}", binary.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "", "an answer goes to standard output: {command}");
    Answer {
        status: output.status.code().expect("an exit code"),
        text: String::from_utf8(output.stdout).unwrap(),
    }
}

fn written(example: &Example, answer: &Answer) -> String {
    let mut text = format!("$ {}\n", example.command.replace('\n', "\n> "));
    if answer.status != 0 {
        writeln!(text, "? {}", answer.status).unwrap();
    }
    text + &answer.text
}

#[test]
fn every_example_of_the_reference_answers_exactly_as_printed() {
    let mut wrong = String::new();
    for (page, parts) in reference() {
        for example in examples(&parts) {
            let seen = run(&example.command);
            if seen != example.answer {
                let (line, said) = (example.line, written(example, &example.answer));
                let text = written(example, &seen);
                writeln!(wrong, "\n{page}:{line} says\n{said}it is\n{text}").unwrap();
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{wrong}\nto print what is: {UPDATE}=1 cargo test -p clawperator --test reference"
    );
}

#[test]
fn nothing_in_the_reference_hides_from_being_run() {
    let reference = reference();
    for page in pages("docs/reference", true) {
        let text = fs::read_to_string(&page).unwrap();
        let lines = lines(&text);
        let last = lines.iter().rfind(|(place, _)| *place != Place::Prose);
        assert!(
            matches!(last, None | Some((Place::Closes, _))),
            "{}: a block is left open",
            name(&page)
        );
        for (index, (place, line)) in lines.iter().enumerate() {
            let at = format!("{}:{}: {line}", name(&page), index + 1);
            match place {
                Place::Opens(language) => {
                    let unindented = line.starts_with("```");
                    assert!(unindented && ["console", "text"].contains(language), "{at}");
                }
                Place::Prose => assert!(!line.starts_with("    "), "indented code: {at}"),
                Place::Inside | Place::Closes => {}
            }
        }
    }
    for (page, parts) in reference {
        for example in examples(&parts) {
            assert!(example.command.contains("clawperator "), "{page}:{}", example.line);
        }
    }
}

#[test]
fn every_action_type_has_an_example_that_is_valid() {
    let mut shown = BTreeSet::new();
    for (_, parts) in reference() {
        for example in examples(&parts).filter(|example| example.answer.status == 0) {
            let Ok(answer) = serde_json::from_str::<Value>(&example.answer.text) else { continue };
            let actions = [&answer["execution"]["actions"], &answer["plan"]["actions"]];
            for action in actions.into_iter().filter_map(Value::as_array).flatten() {
                shown.insert(action["type"].as_str().unwrap().to_owned());
            }
        }
    }
    for spec in ACTIONS.iter().filter(|spec| spec.origin != Origin::Internal) {
        assert!(shown.contains(spec.name), "{} has no valid example", spec.name);
    }
}

#[test]
fn every_failure_of_a_payload_has_an_example() {
    let mut answers = String::new();
    for (_, parts) in reference() {
        let failed = examples(&parts).filter(|example| example.answer.status == 1);
        answers.extend(failed.map(|example| example.answer.text.as_str()));
    }
    for code in ErrorCode::ALL.iter().filter(|code| code.area() == Area::Payload) {
        assert!(answers.contains(code.name()), "{code} has no example");
    }
}

#[test]
fn what_an_example_prints_as_canonical_is_canonical() {
    for (page, parts) in reference() {
        for example in examples(&parts).filter(|example| example.answer.status == 0) {
            let Ok(answer) = serde_json::from_str::<Value>(&example.answer.text) else { continue };
            if answer["validated"] == true {
                let printed = answer["execution"].clone();
                let again = Execution::from_value(printed.clone()).unwrap();
                assert_eq!(again.to_json(), printed.to_string(), "{page}:{}", example.line);
            }
        }
    }
}
