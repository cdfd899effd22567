//! Scripts of an agent, run as real processes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::ErrorCode;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::mpsc;
use support::{Dir, LONG};

#[test]
fn a_script_is_answered_in_the_schemas_words_and_kept_in_a_folder_of_its_own() {
    let dir = Dir::new();
    let ran = dir.desk(&json!({})).script("echo out\n  cat missing\n");
    let folder = ran.data["runDir"].as_str().unwrap().to_owned();
    let id = ran.data["runId"].as_str().unwrap();
    assert_eq!(folder, dir.path(&format!("scripts/runs/{id}")).to_str().unwrap());
    let (head, rest) = ran.text.split_once("\nstderr=").unwrap();
    assert_eq!(head, format!("run_script exitCode=1 timedOut=false\nrunDir={folder}\nstdout=out"));
    assert!(rest.contains("missing"), "{rest}");
    assert_eq!(ran.data["ok"], false);
    let kept = |name: &str| fs::read_to_string(format!("{folder}/{name}")).unwrap();
    assert_eq!(kept("script.sh"), "echo out\n  cat missing\n");
    assert_eq!(kept("stdout.log"), "out\n");
    let result: Value = serde_json::from_str(&kept("result.json")).unwrap();
    assert_eq!(Value::Object(ran.data), result);
    let mode =
        |name: &str| fs::metadata(format!("{folder}/{name}")).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("script.sh"), mode("stdout.log")), (0o700, 0o600));
}

#[test]
fn a_script_runs_in_the_scripts_folder_with_nothing_to_read() {
    let dir = Dir::new();
    let ran = dir.desk(&json!({})).script("pwd\r\ncat\r\necho end\r\n");
    let expected = format!("{}\nend", dir.path("scripts").display());
    assert_eq!(ran.data["stdout"], expected);
}

#[test]
fn what_may_not_run_leaves_nothing_behind() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({}));
    for script in [
        "date",
        "echo a & date",
        "echo a; date",
        "echo a | date",
        "echo $(date)",
        "echo `date`",
        "echo hi\ncurl example.com",
        "bash -c 'date'",
        "x=date; $x",
        "LD_PRELOAD=x.so echo",
        "echo x > /etc/motd",
        "",
        "  # only a comment",
        &format!("echo {}", "x".repeat(12_000)),
    ] {
        let action = json!({"type": "run_script", "script": script});
        let failure = desk.fails(&action, ErrorCode::PocketCommandRefused);
        assert!(failure.message.starts_with("run_script rejected: "), "{failure}");
    }
    let mut free = dir.free();
    for script in ["rm -r -f x", "rm -rf x", "rm -fr /", "sudo ls", "eval ls"] {
        let action = json!({"type": "run_script", "script": script});
        free.fails(&action, ErrorCode::PocketCommandRefused);
    }
    assert!(!dir.path("scripts").exists());
    let failure = desk.fails(
        &json!({"type": "run_script", "script": "echo a\necho b; date"}),
        ErrorCode::PocketCommandRefused,
    );
    assert_eq!((&failure.details["line"], &failure.details["column"]), (&json!(2), &json!(9)));
}

#[test]
fn words_in_quotes_and_comments_are_no_commands() {
    let dir = Dir::new();
    let ran = dir.desk(&json!({})).script("echo \"a; curl\" # sudo\n(echo 'rm -rf /')");
    assert_eq!(ran.data["stdout"], "a; curl\nrm -rf /");
}

#[test]
fn scripts_can_be_switched_off() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({"scriptExecutor": {"enabled": false}}));
    desk.fails(&json!({"type": "run_script", "script": "echo"}), ErrorCode::PocketDisabled);
    assert!(!dir.path("scripts").exists());
}

#[test]
fn the_runs_of_a_linked_folder_are_refused() {
    let dir = Dir::new();
    let action = json!({"type": "run_script", "script": "echo hi"});
    for (name, target) in [("scripts", dir.outside("")), ("other", dir.outside(""))] {
        dir.link(target, name);
    }
    dir.desk(&json!({})).fails(&action, ErrorCode::PocketPathRefused);
    fs::remove_file(dir.path("scripts")).unwrap();
    fs::create_dir(dir.path("scripts")).unwrap();
    dir.link("../other", "scripts/runs");
    dir.desk(&json!({})).fails(&action, ErrorCode::PocketPathRefused);
    // Leave to go anywhere is for files, not for where scripts are kept.
    dir.desk(&json!({"codingTools": {"workspaceOnly": false}}))
        .fails(&action, ErrorCode::PocketPathRefused);
    assert_eq!(fs::read_dir(dir.outside("")).unwrap().count(), 1);
}

#[test]
fn a_script_that_takes_too_long_ends_with_all_it_started_though_nobody_listens() {
    let dir = Dir::new();
    let gone = dir.fifo("fifo");
    let script = format!("{} & sleep 600", dir.deaf("fifo"));
    let mut desk = dir.free();
    let ran = desk.done(&json!({"type": "run_script", "script": script, "timeoutSec": 2}));
    assert_eq!((&ran.data["timedOut"], &ran.data["exitCode"]), (&json!(true), &Value::Null));
    assert!(ran.text.starts_with("run_script exitCode=null timedOut=true\n"), "{}", ran.text);
    assert_eq!(ran.data["stdout"], "ready");
    gone.recv_timeout(LONG).expect("a child lives on");
}

#[test]
fn the_settings_have_the_time_of_a_script_that_says_none() {
    let dir = Dir::new();
    let settings = json!({"scriptExecutor": {"timeoutSec": 1, "allowedCommands": ["sleep"]}});
    assert_eq!(dir.desk(&settings).script("sleep 600").data["timedOut"], true);
}

#[test]
fn an_orphan_that_holds_the_output_does_not_hold_the_answer() {
    let dir = Dir::new();
    let (sender, answer) = mpsc::channel();
    let mut desk = dir.free();
    std::thread::spawn(move || {
        let ran = desk.script("setsid sleep 600 & echo $!");
        sender.send(ran.data["stdout"].as_str().unwrap().to_owned()).unwrap();
    });
    let orphan = answer.recv_timeout(LONG).expect("no answer");
    assert!(Command::new("kill").arg(&orphan).status().unwrap().success(), "it had left the group");
}

#[test]
fn a_wish_to_stop_ends_a_script_and_everything_after_it() {
    let dir = Dir::new();
    let begun = dir.fifo("fifo");
    let mut desk = dir.free();
    let stop = desk.stop.clone();
    std::thread::spawn(move || {
        begun.recv_timeout(LONG).expect("it never began");
        stop.ask();
    });
    let action = json!({"type": "run_script", "script": "echo begun > ../fifo; sleep 600"});
    // A redirection that leaves the folder is refused, so the fifo is named by a program.
    desk.fails(&action, ErrorCode::PocketCommandRefused);
    let action = json!({"type": "run_script", "script": "tee ../fifo <<< begun; sleep 600"});
    let failure = desk.fails(&action, ErrorCode::PocketStopped);
    assert_eq!(failure.details["stdout"], "begun");
    desk.fails(&json!({"type": "run_script", "script": "echo"}), ErrorCode::PocketStopped);
}

#[test]
fn an_answer_is_cut_between_characters_and_the_log_has_more() {
    let dir = Dir::new();
    let mut desk = dir.desk(&json!({"scriptExecutor": {"maxOutputChars": 1000}}));
    let ran = desk.script("awk 'BEGIN { for (i = 0; i < 3000; i++) printf \"€\" }'");
    let shown = ran.data["stdout"].as_str().unwrap();
    assert_eq!(shown, format!("{}\n...[truncated]", "€".repeat(1000)));
    let log = format!("{}/stdout.log", ran.data["runDir"].as_str().unwrap());
    assert_eq!(fs::read_to_string(log).unwrap(), "€".repeat(3000));
}

/// Variables of this process cannot be set safely, so the test starts itself once more with them.
#[test]
fn a_script_learns_no_secret_of_the_environment() {
    const AGAIN: &str = "POCKET_TEST_AGAIN";
    if std::env::var_os(AGAIN).is_none() {
        let dir = Dir::new();
        dir.put("startup.sh", "echo started; export LEAKED_TOKEN=abc");
        let again = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_script_learns_no_secret_of_the_environment"])
            .env(AGAIN, "1")
            .env("EXAMPLE_API_KEY", "abc")
            .env("GITHUB_TOKEN", "abc")
            .env("PGPASSWORD", "abc")
            .env("GIT_AUTHOR_NAME", "A Person")
            .env("SSH_AUTH_SOCK", "/tmp/agent")
            .env("BASH_ENV", dir.path("startup.sh"))
            .env("BASH_FUNC_env%%", "() { echo fooled; }")
            .status();
        assert!(again.unwrap().success());
        return;
    }
    let dir = Dir::new();
    let mut desk = dir.free();
    for printed in
        [desk.script("env").data["stdout"].clone(), desk.exec("env").data["output"].clone()]
    {
        let printed = printed.as_str().unwrap();
        let has = |line: &str| printed.lines().any(|printed| printed == line);
        assert!(!printed.contains("abc") && !printed.contains("started"), "{printed}");
        assert!(!printed.contains("fooled"), "{printed}");
        assert!(has("GIT_AUTHOR_NAME=A Person") && has("SSH_AUTH_SOCK=/tmp/agent"), "{printed}");
        assert!(printed.lines().any(|line| line.starts_with("PATH=")), "{printed}");
    }
}
