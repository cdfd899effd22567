//! The examples of the reference pages are run by a shell, as a reader would run them, and their
//! answers are compared to the letter.
//!
//! A block of the language `console` holds commands (`$ `, continued by `> `), the exit code where
//! it is not zero (`? 1`), and the answer. `UPDATE_DOCS=1` writes the answers anew.
//!
//! A comment before a block, such as `<!-- phone: com.android.settings > Network & internet -->`,
//! gives its commands a simulated phone with that screen in front, connected to a stock adb.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[path = "support/answers.rs"]
mod answers;
#[path = "support/shell.rs"]
mod shell;
mod support;

use answers::steady;
use clawperator_contract::action::{ACTIONS, Origin};
use clawperator_contract::codes::Area;
use clawperator_contract::{ErrorCode, Execution};
use serde_json::Value;
use shell::{Answer, Surroundings};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Once;
use support::{Place, UPDATE, lines, name, pages, root};

/// A command of a page with what it is said to answer.
#[derive(Debug)]
struct Example {
    command: String,
    answer: Answer,
    /// Line of the page the command stands on, from one.
    line: usize,
    /// Line its block begins with: commands of one block have the same surroundings.
    block: usize,
    /// The phone it needs, in the words of the comment before the block.
    phone: Option<String>,
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
    let mut seen = run(parts).into_iter();
    let texts = parts.iter().map(|part| match part {
        Part::Line(line) => format!("{line}\n"),
        Part::Example(example) => {
            let seen = seen.next().unwrap();
            // What differs only in times stays as it is, so that nothing changes without reason.
            let answer = if same(&example.answer, &seen) { &example.answer } else { &seen };
            written(example, answer)
        }
    });
    let text: String = texts.collect();
    fs::write(root().join(page), text).unwrap();
}

fn same(said: &Answer, seen: &Answer) -> bool {
    said.status == seen.status && steady(&said.text) == steady(&seen.text)
}

/// Runs the examples of a page, one after the other: adb has at most one phone, so that none has to
/// be named.
fn run(parts: &[Part]) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut around: Option<(usize, Surroundings)> = None;
    for example in examples(parts) {
        if around.as_ref().is_none_or(|(block, _)| *block != example.block) {
            // The last phone goes before the next one comes.
            drop(around.take());
            around = Some((example.block, Surroundings::new(example.phone.as_deref())));
        }
        let (_, surroundings) = around.as_ref().unwrap();
        answers.push(surroundings.run(&example.command));
    }
    answers
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
    let mut block = 0;
    let mut phone: Option<String> = None;
    for (index, (place, line)) in lines(&text).into_iter().enumerate() {
        let line_number = index + 1;
        match place {
            Place::Opens(language) => (console, block) = (language == "console", line_number),
            Place::Closes => phone = None,
            Place::Prose if line.starts_with(PHONE) => phone = Some(words(line).to_owned()),
            Place::Inside if console => {
                if let Some(command) = line.strip_prefix("$ ") {
                    let answer = Answer { status: 0, text: String::new() };
                    let command = command.to_owned();
                    let (line, phone) = (line_number, phone.clone());
                    parts.push(Part::Example(Example { command, answer, line, block, phone }));
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

/// How the comment begins that asks for a phone.
const PHONE: &str = "<!-- phone";

/// The way to the screen that is to be in front, in such a comment.
fn words(comment: &str) -> &str {
    let inner = comment.strip_prefix(PHONE).and_then(|rest| rest.strip_suffix("-->"));
    inner.unwrap_or_else(|| panic!("{comment} does not end")).trim_start_matches(':').trim()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
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
        for (example, seen) in examples(&parts).zip(run(&parts)) {
            if !same(&example.answer, &seen) {
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
        let mut blocks = BTreeMap::new();
        for example in examples(&parts) {
            *blocks.entry(example.block).or_insert(false) |=
                example.command.contains("clawperator ");
        }
        for (block, ours) in blocks {
            assert!(ours, "{page}:{block}: a block without a command of ours");
        }
    }
}

#[test]
fn every_action_type_has_an_example_that_does_it() {
    let mut shown = BTreeSet::new();
    for (_, parts) in reference() {
        for example in examples(&parts).filter(|example| example.answer.status == 0) {
            let Ok(answer) = serde_json::from_str::<Value>(&example.answer.text) else { continue };
            let steps = answer["envelope"]["stepResults"].as_array();
            shown.extend(steps.into_iter().flatten().map(|step| text(&step["actionType"])));
        }
    }
    for spec in ACTIONS.iter().filter(|spec| spec.origin != Origin::Internal) {
        assert!(shown.contains(spec.name), "{} has no example that does it", spec.name);
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

/// What the contract's own pages type, with how it ends. It stands in ours as it is written there.
const CONTRACT_COMMANDS: [(&str, i32); 11] = [
    (
        r#"clawperator exec --validate-only --payload '{"command_id":"cmd-001","task_id":"task-001","source":"docs","expected_format":"android-ui-automator","timeout_ms":30000,"actions":[{"id":"snap-1","type":"snapshot"}]}' --json"#,
        0,
    ),
    ("clawperator snapshot --json --device <device_serial>", 0),
    (r#"clawperator wait --text "Done" --role button"#, 0),
    (r#"clawperator read --text "Price" --container-id "android:id/list" --json"#, 0),
    (r#"clawperator read --text "Price" --selector '{"textEquals":"Price"}'"#, 1),
    (r#"clawperator type "hello world" --role textfield"#, 0),
    (r#"clawperator scroll-until --text "About phone" --container-id "android:id/list""#, 0),
    (r#"clawperator click --text "Wi-Fi""#, 0),
    (r#"clawperator read --selector '{"resourceId":"android:id/title"}' --json"#, 0),
    (r#"clawperator wait --text-contains "Done" --timeout 10000 --json"#, 0),
    (r#"clawperator read-value --label "Battery" --json"#, 0),
];

#[test]
fn every_command_the_contract_shows_is_an_example() {
    let reference = reference();
    for (command, status) in CONTRACT_COMMANDS {
        let all = reference.iter().flat_map(|(_, parts)| examples(parts));
        let found = all.into_iter().find(|example| example.command == command);
        let found = found.unwrap_or_else(|| panic!("no page shows {command}"));
        assert_eq!(found.answer.status, status, "{command}");
        let answer: Value = serde_json::from_str(&found.answer.text).unwrap();
        if status == 0 && answer["validated"] != true {
            assert_eq!(answer["envelope"]["status"], "success", "{command}");
            assert_eq!(answer["terminalSource"], "clawperator_result", "{command}");
            assert_eq!(answer["isCanonicalTerminal"], true, "{command}");
        }
    }
    let both = "{\"code\":\"EXECUTION_VALIDATION_FAILED\",\"message\":\"use --selector OR the simple flags, not both\"}\n";
    let all = reference.iter().flat_map(|(_, parts)| examples(parts));
    assert!(all.into_iter().any(|example| example.answer.text == both), "{both}");
}

#[test]
fn every_action_the_contract_shows_is_run_as_it_is_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/contract_actions.json");
    let wanted: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut run: Vec<Value> = Vec::new();
    for (_, parts) in reference() {
        for example in examples(&parts) {
            let Ok(answer) = serde_json::from_str::<Value>(&example.answer.text) else { continue };
            let payload = example.command.split('\'').nth(1).unwrap_or_default();
            let Ok(payload) = serde_json::from_str::<Value>(payload) else { continue };
            let (actions, steps) = (&payload["actions"], &answer["envelope"]["stepResults"]);
            let both = actions.as_array().zip(steps.as_array());
            let pairs = both.into_iter().flat_map(|(actions, steps)| actions.iter().zip(steps));
            // The one that must fail asks for what its own text cannot be.
            let done = |step: &Value| {
                step["success"] == true || step["data"]["error"] == "VALIDATOR_MISMATCH"
            };
            run.extend(pairs.filter(|(_, step)| done(step)).map(|(action, _)| action.clone()));
        }
    }
    for action in wanted {
        assert!(run.contains(&action), "no example runs {action}");
    }
}

#[test]
fn every_command_of_the_readme_works() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let inside = lines(&text).into_iter().filter(|(place, _)| *place == Place::Inside);
    let typed = inside.map(|(_, line)| line.replace("cargo run --release --", "clawperator"));
    // Those that stay, and what prepares the phone that the examples have anyway.
    let ours = |line: &String| line.starts_with("clawperator ") && !line.contains("sim  ");
    let commands: Vec<String> = typed.filter(ours).collect();
    assert!(commands.len() >= 8, "{commands:?}");
    let phone = Surroundings::new(Some(""));
    for command in commands {
        let answer = phone.run(&command);
        assert_eq!(answer.status, 0, "{command}: {}", answer.text);
    }
}
