//! Sessions in OpenPocket's actions, as an agent has them: a process, lines in, lines out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_lab::Browser;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use support::{Place, lines, root};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pocket-cli-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("workspace")).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clawperator"));
        command.args(["pocket", "run", "--device", "sim", "--workspace", "workspace"]);
        command.args(["--session", "session"]).args(more);
        command.current_dir(&self.0).env_remove("ANDROID_SERIAL");
        command
    }

    fn page(&self) -> String {
        fs::read_to_string(self.0.join("session/session.md")).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// An agent's end of a session.
struct Talk {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Talk {
    fn begin(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        Self { to: child.stdin.take(), from, child }
    }

    fn send(&mut self, line: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{line}").unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn ask(&mut self, line: &Value) -> Value {
        self.send(line);
        self.hear()
    }

    fn did(&mut self, line: &Value) -> Value {
        let answer = self.ask(line);
        assert_eq!(answer["ok"], true, "{line}: {answer}");
        answer
    }

    fn look(&mut self) -> Value {
        self.did(&json!({"request": "snapshot", "pictures": "files"}))
    }

    fn end(mut self) -> i32 {
        drop(self.to.take());
        self.child.wait().unwrap().code().unwrap()
    }
}

fn element<'a>(look: &'a Value, id: &str) -> &'a Value {
    let elements = look["snapshot"]["uiElements"].as_array().unwrap();
    let wanted = format!("com.clawperator.conformance:id/{id}");
    let found = elements.iter().find(|element| element["resourceId"] == wanted.as_str());
    found.unwrap_or_else(|| panic!("no {id} in {elements:?}"))
}

/// Everything of `wanted` is in `seen`; what else is there does not matter.
fn within(wanted: &Value, seen: &Value) -> bool {
    match (wanted, seen) {
        (Value::Object(wanted), Value::Object(seen)) => {
            wanted.iter().all(|(key, value)| seen.get(key).is_some_and(|seen| within(value, seen)))
        }
        (Value::Array(wanted), Value::Array(seen)) => {
            wanted.len() == seen.len() && wanted.iter().zip(seen).all(|(w, s)| within(w, s))
        }
        _ => wanted == seen,
    }
}

fn answers(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_session_of_the_documentation_is_what_happens() {
    let page = fs::read_to_string(root().join("docs/pocket-session.md")).unwrap();
    let mut inside = false;
    let (mut sent, mut wanted) = (String::new(), Vec::new());
    for (place, line) in lines(&page) {
        match place {
            Place::Opens(language) => inside = language == "transcript",
            Place::Inside if inside => match line.split_at(2) {
                ("> ", line) => sent += &format!("{line}\n"),
                ("< ", line) => wanted.push(serde_json::from_str::<Value>(line).unwrap()),
                _ => panic!("neither sent nor answered: {line}"),
            },
            _ => {}
        }
    }
    let folder = Folder::new("transcript");
    folder.write("workspace/MEMORY.md", "The bedroom likes 21 degrees.\n");
    let steps = folder.write("steps.jsonl", &sent);
    let output = folder.command(&["--steps", &steps]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let seen = answers(&output);
    assert_eq!(seen.len(), wanted.len());
    for ((wanted, seen), sent) in wanted.iter().zip(&seen).zip(sent.lines()) {
        assert!(within(wanted, seen), "{sent}\nis answered {seen}\nnot {wanted}");
    }
    let page = folder.page();
    assert!(page.contains("> I need the app first."), "{page}");
    assert!(
        page.contains("step-002-look-1-marks.png") && page.contains("## End: SUCCESS"),
        "{page}"
    );
    assert!(!page.contains("Zoë"), "what is typed is nobody's business: {page}");
}

#[test]
fn a_person_approves_on_the_page_and_what_was_given_is_typed_and_kept() {
    let folder = Folder::new("person");
    let settings = json!({"humanAuth": {"enabled": true, "localRelayPort": 0}}).to_string();
    let settings = folder.write("settings.json", &settings);
    let mut talk = Talk::begin(folder.command(&["--config", &settings, "--events"]));
    talk.did(&json!({"type": "launch_app", "packageName": "com.clawperator.conformance"}));
    let look = talk.look();
    let field = element(&look, "text_field")["id"].clone();
    talk.did(&json!({"type": "tap", "element": field}));

    talk.send(&json!({"type": "request_human_auth", "capability": "sms",
        "instruction": "Enter the code that was sent to you."}));
    let event = talk.hear();
    assert_eq!(event["event"], "human_auth", "{event}");
    let mut browser = Browser::phone();
    browser.open(event["opened"]["openUrl"].as_str().unwrap());
    browser.write("input", "482915");
    browser.click(".primary");
    let approved = talk.hear();
    assert_eq!(approved["ok"], true, "{approved}");
    assert!(!approved.to_string().contains("482915"), "{approved}");
    let typed = talk.look();
    assert_eq!(element(&typed, "text_field")["text"], "482915");

    // A form's fields are not typed anywhere: the agent says where each belongs, by its name.
    talk.send(
        &json!({"type": "request_human_auth", "capability": "oauth", "instruction": "Sign in",
        "uiTemplate": {"artifactKind": "credentials", "fields": [
            {"id": "user", "label": "User", "type": "text"},
            {"id": "password", "label": "Password", "type": "password"}]}}),
    );
    let opened = talk.hear();
    browser.open(opened["opened"]["openUrl"].as_str().unwrap());
    browser.write("#input-1", "zoe");
    browser.write("#input-2", "hunter2");
    browser.click(".primary");
    let given = talk.hear();
    assert_eq!(given["result"]["data"]["secrets"], json!(["user", "password"]), "{given}");
    assert!(!given.to_string().contains("hunter2"), "{given}");
    let answer = talk.did(&json!({"type": "type", "secret": "password"}));
    assert!(!answer.to_string().contains("hunter2"), "{answer}");
    let typed = talk.look();
    let text = element(&typed, "text_field")["text"].as_str().unwrap();
    assert!(text.ends_with("hunter2"), "{text}");

    // The agent's own surface may pass a decision on, once.
    talk.send(
        &json!({"type": "request_human_auth", "capability": "payment", "instruction": "Pay?"}),
    );
    let opened = talk.hear();
    let id = opened["opened"]["requestId"].clone();
    let no = json!({"id": "no", "request": "decide", "requestId": id, "approved": false});
    talk.send(&no);
    talk.send(&no);
    let told: Vec<Value> = (0..3).map(|_| talk.hear()).collect();
    let rejected = told.iter().find(|answer| answer.get("id").is_none()).unwrap();
    assert_eq!(rejected["error"]["code"], "POCKET_HUMAN_REJECTED", "{told:?}");
    let decided: Vec<&Value> = told.iter().filter(|answer| answer["id"] == "no").collect();
    assert_eq!(decided.iter().filter(|answer| answer["ok"] == true).count(), 1, "{told:?}");

    talk.did(&json!({"type": "finish", "message": "Signed in."}));
    assert_eq!(talk.end(), 0);
    for name in ["session.md", "session.jsonl"] {
        let text = fs::read_to_string(folder.0.join("session").join(name)).unwrap();
        for secret in ["482915", "hunter2"] {
            // Screens show what apps show; the words about them do not.
            let words: String = text.lines().filter(|line| !line.contains("elements")).collect();
            assert!(!words.contains(secret), "{name} has {secret}: {text}");
        }
    }
}

#[test]
fn a_stop_is_heard_while_something_waits_and_what_comes_after_is_not_done() {
    let folder = Folder::new("stop");
    let mut talk = Talk::begin(folder.command(&[]));
    talk.send(&json!({"id": 1, "type": "wait", "durationMs": 2_000_000_000}));
    talk.send(&json!({"id": 2, "request": "stop"}));
    talk.send(&json!({"id": 3, "type": "write", "path": "late.txt", "content": "late"}));
    let waited = talk.hear();
    assert_eq!((&waited["id"], &waited["error"]["code"]), (&json!(1), &json!("POCKET_STOPPED")));
    assert_eq!(talk.hear(), json!({"id": 2, "ok": true, "stopped": true}));
    assert_eq!(talk.end(), 130);
    assert!(!folder.0.join("workspace/late.txt").exists());
    assert!(folder.page().contains("## End: FAILED"));
}

#[test]
fn the_step_limit_ends_the_session_and_the_rest_says_so() {
    let folder = Folder::new("limit");
    let steps = "{\"type\":\"wait\",\"durationMs\":0}\n".repeat(4);
    let steps = folder.write("steps.jsonl", &steps);
    let output = folder.command(&["--steps", &steps, "--max-steps", "2"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let codes: Vec<Value> =
        answers(&output).iter().map(|answer| answer["error"]["code"].clone()).collect();
    let over = json!("POCKET_STEP_LIMIT");
    assert_eq!(codes, [Value::Null, Value::Null, over.clone(), over]);
}

#[test]
fn what_cannot_begin_says_why_and_touches_nothing() {
    let folder = Folder::new("begin");
    let bad = folder.write("bad.json", r#"{"agent":{"maxStep":3}}"#);
    let steps = folder.write("steps.jsonl", "");
    for (args, code) in [
        (vec!["--steps", "missing.jsonl"], "INPUT_UNREADABLE"),
        (vec!["--steps", &steps, "--config", &bad], "POCKET_CONFIG_INVALID"),
        (vec!["--steps", &steps, "--config", "missing.json"], "POCKET_CONFIG_INVALID"),
    ] {
        let output = folder.command(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(answers(&output)[0]["code"], code);
        assert!(!folder.0.join("session").exists());
    }
}
