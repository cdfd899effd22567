//! The binary as a person or a program meets it: what is typed, what comes out, how it ends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_contract::ErrorCode;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const BINARY: &str = env!("CARGO_BIN_EXE_clawperator");
const MIB: usize = 1 << 20;

/// What a run left behind.
#[derive(Debug)]
struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

fn run<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>, stdin: &[u8]) -> Run {
    let mut child = Command::new(BINARY)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may stop reading before the end: it reads no more than it would accept.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code().expect("an exit code, not a signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn typed<const N: usize>(args: [&str; N]) -> Run {
    run(args, b"")
}

/// Validates what comes on standard input.
fn validate(payload: &[u8]) -> Run {
    run(["exec", "--validate-only", "-"], payload)
}

/// Fails unless the run failed with this code and status, as JSON on standard output only.
#[track_caller]
fn failed(run: &Run, code: ErrorCode, status: i32) -> Value {
    let answer = run.json();
    assert_eq!((answer["code"].as_str(), run.status), (Some(code.name()), status), "{run:?}");
    assert!(answer["message"].as_str().is_some_and(|text| !text.is_empty()), "{run:?}");
    assert_eq!(run.stderr, "", "{run:?}");
    assert_eq!(run.stdout.lines().count(), 1, "one line when piped: {run:?}");
    answer
}

fn execution() -> Value {
    json!({
        "commandId": "cmd-001",
        "taskId": "task-001",
        "source": "tests",
        "expectedFormat": "android-ui-automator",
        "timeoutMs": 30000,
        "actions": [{ "id": "snap-1", "type": "snapshot_ui" }]
    })
}

/// A file of our own, so that tests that run at the same time do not meet.
fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path
}

#[test]
fn a_valid_execution_ends_with_zero_and_comes_back_canonical() {
    let text = execution().to_string();
    let expected = json!({ "ok": true, "validated": true, "execution": execution() });
    let run = typed(["exec", "--validate-only", &text]);
    assert_eq!((run.status, run.json(), run.stderr.as_str()), (0, expected, ""));
    let plan = typed(["exec", "--dry-run", &text]).json()["plan"].take();
    assert_eq!((&plan["commandId"], &plan["actionCount"]), (&json!("cmd-001"), &json!(1)));
}

#[test]
fn an_invalid_execution_ends_with_one_and_says_where() {
    let answer = failed(&validate(b"{}"), ErrorCode::ExecutionValidationFailed, 1);
    assert_eq!(answer["details"]["path"], "commandId");
}

#[test]
fn a_wrong_command_line_ends_with_two() {
    for args in [
        &["exec"][..],
        &["exec", "{}", "--nope"],
        &["exec", "{}", "{}"],
        &["exec", "--payload"],
        &["exec", "{}", "--validate-only", "--dry-run"],
        &["schema"],
        &["schema", "nope"],
        &["completions", "nope"],
        &["version", "extra"],
        &["version", "--output", "yaml"],
        &["explain", "A", "B"],
        &["--nope"],
    ] {
        let answer = failed(&run(args, b""), ErrorCode::Usage, 2);
        assert!(answer["hint"].is_string(), "{args:?}: {answer}");
    }
}

#[test]
fn an_unknown_command_is_answered_with_the_one_that_was_meant() {
    let answer = failed(&typed(["exce", "{}"]), ErrorCode::UnknownCommand, 2);
    assert_eq!(answer["details"]["suggestion"], "exec");
    assert_eq!(answer["hint"], "did you mean `clawperator exec`?");
    let answer = failed(&typed(["zebra"]), ErrorCode::UnknownCommand, 2);
    assert_eq!(answer["hint"], "`clawperator help` lists the commands");
}

#[test]
fn an_unknown_flag_is_named_and_the_near_one_suggested() {
    let answer = failed(&typed(["exec", "{}", "--dry-rum"]), ErrorCode::Usage, 2);
    assert!(answer["message"].as_str().unwrap().contains("--dry-rum"), "{answer}");
    assert_eq!(answer["hint"], "did you mean --dry-run?");
}

#[test]
fn help_and_version_are_for_people_and_end_with_zero() {
    let no_args: [&str; 0] = [];
    for args in [&no_args[..], &["help"], &["--help"], &["help", "exec"], &["exec", "--help"]] {
        let run = run(args, b"");
        assert_eq!(run.status, 0, "{args:?}");
        assert!(run.stdout.contains("Usage: clawperator"), "{args:?}: {run:?}");
    }
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(typed(["--version"]).stdout, format!("clawperator {version}\n"));
    assert_eq!(typed(["version"]).json(), json!({ "cliVersion": version }));
}

#[test]
fn a_payload_comes_by_argument_by_every_flag_by_file_and_by_standard_input() {
    let text = execution().to_string();
    let path = file("payload.json", text.as_bytes());
    let path = path.to_str().unwrap();
    let expected = typed(["exec", "--validate-only", &text]).stdout;
    assert!(expected.starts_with("{\"ok\":true"));
    for flag in ["--payload", "--execution", "--input", "--file"] {
        assert_eq!(typed(["exec", "--validate-only", flag, &text]).stdout, expected, "{flag}");
        assert_eq!(typed(["exec", "--validate-only", flag, path]).stdout, expected, "{flag}");
        let piped = run(["exec", "--validate-only", flag, "-"], text.as_bytes());
        assert_eq!(piped.stdout, expected, "{flag}");
    }
    assert_eq!(typed(["exec", "--validate-only", path]).stdout, expected);
    assert_eq!(validate(text.as_bytes()).stdout, expected);
    assert_eq!(typed(["execute", "--validate", &text]).stdout, expected);
    assert_eq!(typed(["exec", "--validate-only", &format!(" \n{text}")]).stdout, expected);
    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    assert_eq!(validate(&marked).stdout, expected, "a byte order mark does no harm");
}

#[test]
fn two_payloads_are_one_too_many() {
    for flag in ["--payload", "--execution", "--input", "--file"] {
        let answer = failed(&typed(["exec", "{}", flag, "{}"]), ErrorCode::Usage, 2);
        assert!(answer["message"].as_str().unwrap().contains("cannot be used with"), "{answer}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let run = typed(["exec", "--validate-only", "no-such-file.json"]);
    let answer = failed(&run, ErrorCode::InputUnreadable, 1);
    assert_eq!(answer["message"], "no-such-file.json: no such file");
    let folder = env!("CARGO_TARGET_TMPDIR");
    let run = typed(["exec", "--validate-only", folder]);
    let answer = failed(&run, ErrorCode::InputUnreadable, 1);
    assert_eq!(answer["message"], format!("{folder} is a directory"));
    let run = typed(["exec", "--validate-only", ""]);
    failed(&run, ErrorCode::InputUnreadable, 1);
}

#[test]
fn input_that_is_no_text_is_told_apart() {
    let said = |payload: &[u8], what: &str| {
        let answer = failed(&validate(payload), ErrorCode::InvalidJson, 1);
        assert!(answer["message"].as_str().unwrap().contains(what), "{answer}");
    };
    said(b"", "it is empty");
    said(b" \n\t", "it is empty");
    said(b"{\"commandId\":\"\xff\"}", "it is not UTF-8 (line 1, column 15)");
    said(b"{\n\0}", "it holds a NUL byte (line 2, column 1)");
    let binary = file("binary.json", &[0xff, 0xfe, 0x00]);
    let run = run([OsStr::new("exec"), "--validate-only".as_ref(), binary.as_ref()], b"");
    failed(&run, ErrorCode::InvalidJson, 1);
}

#[test]
fn json_that_breaks_off_is_answered_with_line_and_column() {
    let answer = failed(&validate(b"{\n  \"actions\": [,]\n}"), ErrorCode::InvalidJson, 1);
    assert_eq!(answer["details"], json!({ "line": 2, "column": 15 }));
    for payload in ["{", "{\"a\":1}x", "nope", "[1,]", &"[".repeat(MIB)] {
        failed(&validate(payload.as_bytes()), ErrorCode::InvalidJson, 1);
    }
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_no_panic() {
    use std::os::unix::ffi::OsStrExt as _;
    for (bytes, code) in [
        (&b"{\"a\":\"\xff\"}"[..], ErrorCode::InvalidJson),
        (b"\xff.json", ErrorCode::InputUnreadable),
    ] {
        let args = [OsStr::new("exec"), "--validate-only".as_ref(), OsStr::from_bytes(bytes)];
        failed(&run(args, b""), code, 1);
    }
    let args = [OsStr::from_bytes(b"\xff")];
    assert_eq!(run(args, b"").status, 2);
}

#[test]
fn ten_megabytes_are_refused_without_being_read() {
    let much = vec![b' '; 10 * MIB];
    let answer = failed(&validate(&much), ErrorCode::PayloadTooLarge, 1);
    assert!(answer["message"].as_str().unwrap().contains("was not read"), "{answer}");
    let path = file("much.json", &much);
    let run = typed(["exec", "--validate-only", path.to_str().unwrap()]);
    failed(&run, ErrorCode::PayloadTooLarge, 1);
}

#[test]
fn an_execution_beyond_the_limit_of_the_phone_is_refused() {
    let mut execution = execution();
    let params = json!({ "text": "x".repeat(64_000) });
    execution["actions"][0] = json!({ "id": "type-1", "type": "type_text", "params": params });
    let run = validate(execution.to_string().as_bytes());
    failed(&run, ErrorCode::PayloadTooLarge, 1);
}

#[test]
fn the_form_of_the_answer_can_be_chosen() {
    let line = typed(["version"]).stdout;
    let indented = typed(["version", "--output", "pretty"]).stdout;
    assert_eq!(line.lines().count(), 1);
    assert_eq!(indented.lines().count(), 3);
    for args in
        [&["version", "--json"][..], &["--json", "version"], &["version", "--output", "json"]]
    {
        assert_eq!(run(args, b"").stdout, line, "{args:?}");
    }
    for args in [
        &["version", "--output=pretty"][..],
        &["--output", "pretty", "version"],
        &["version", "--format", "pretty"],
        &["version", "--json", "--output", "pretty"],
    ] {
        assert_eq!(run(args, b"").stdout, indented, "{args:?}");
    }
    let failure = run(["exec", "--validate-only", "{}", "--output", "pretty"], b"");
    assert_eq!((failure.status, failure.stdout.lines().count()), (1, 7));
}

#[test]
fn a_code_is_explained_as_it_was_typed() {
    let expected = typed(["explain", "NODE_NOT_FOUND"]).json();
    assert_eq!((&expected["code"], &expected["area"]), (&json!("NODE_NOT_FOUND"), &json!("Step")));
    assert!(expected["meaning"].is_string() && expected["remedy"].is_string());
    for spelling in ["node_not_found", "Node-Not-Found", " NODE_NOT_FOUND "] {
        assert_eq!(typed(["explain", spelling]).json(), expected, "{spelling}");
    }
    let near = failed(&typed(["explain", "NODE_NOT_FUOND"]), ErrorCode::Usage, 2);
    assert_eq!(near["hint"], "did you mean NODE_NOT_FOUND?");
    let far = failed(&typed(["explain", "zebra"]), ErrorCode::Usage, 2);
    assert_eq!(far["hint"], "`clawperator explain` lists every code");
}

#[test]
fn every_code_is_listed_and_can_be_explained() {
    let list = typed(["explain"]).json();
    let codes = list["codes"].as_array().unwrap();
    assert_eq!(codes.len(), ErrorCode::ALL.len());
    for (listed, code) in codes.iter().zip(ErrorCode::ALL) {
        assert_eq!(listed["code"], code.name());
        assert_eq!(listed["remedy"], code.remedy());
    }
}

#[test]
fn both_schemas_are_json_schemas() {
    for of in ["execution", "envelope"] {
        let run = typed(["schema", of]);
        assert_eq!(run.status, 0);
        let schema = run.json();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{of}");
        assert_eq!(schema["type"], "object", "{of}");
    }
}

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = typed(["completions", shell]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{shell}");
        for word in ["clawperator", "exec", "explain", "validate-only"] {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_early_is_no_panic() {
    for command in [&["explain"][..], &["schema", "execution"], &["completions", "bash"]] {
        // As `head -c1` does, only sooner: gone before the first byte.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(BINARY).args(command).stdout(writer).output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{command:?}");
        assert_eq!(output.status.code(), Some(0), "{command:?}");
    }
}
