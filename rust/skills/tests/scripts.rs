//! Scripts of skills, run as real processes.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests fail loudly")]

#[path = "support/folder.rs"]
mod folder;

use clawperator_contract::{ErrorCode, Failure};
use clawperator_skills::script::{self, Limits, Ran, Request, Stream};
use folder::Folder;
use serde_json::Value;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Long enough that only a run that hangs takes it.
const LONG: Duration = Duration::from_secs(100);
const GRACE: Duration = Duration::from_millis(300);

fn request<'a>(folder: &'a Folder, script: &'a str) -> Request<'a> {
    Request {
        skill_id: "com.example.app.do-it",
        folder: folder.path(),
        script: Path::new(script),
        device: None,
        arguments: &[],
        program: "clawperator",
        operator_package: "com.clawperator.operator",
        path: None,
        limits: Limits { timeout: LONG, grace: GRACE, ..Limits::default() },
        expect_contains: None,
        verification_declared: false,
    }
}

/// Runs a shell script with nothing special about it.
fn sh(text: &str) -> Result<Ran, Failure> {
    let folder = Folder::new();
    folder.write("scripts/run.sh", text);
    script::run(&request(&folder, "scripts/run.sh"), None, &mut |_, _| {})
}

/// Runs a shell script that is stopped as soon as it prints `ready`.
fn stopped_when_ready(text: &str, grace: Duration) -> Failure {
    let folder = Folder::new();
    folder.write("scripts/run.sh", text);
    let stop = AtomicBool::new(false);
    let mut sink = |_: Stream, text: &str| {
        if text.contains("ready") {
            stop.store(true, Ordering::SeqCst);
        }
    };
    let limits = Limits { timeout: LONG, grace, ..Limits::default() };
    let request = Request { limits, ..request(&folder, "scripts/run.sh") };
    script::run(&request, Some(&stop), &mut sink).unwrap_err()
}

#[test]
fn a_script_without_an_exec_bit_is_run_and_both_its_outputs_are_kept() {
    let ran = sh("echo out; echo err >&2").unwrap();
    assert_eq!((ran.exit_code, ran.signal.as_deref()), (Some(0), None));
    assert_eq!((ran.stdout.text.as_str(), ran.stderr.text.as_str()), ("out\n", "err\n"));
    assert_eq!((ran.stdout.bytes, ran.stdout.truncated, ran.timed_out), (4, false, false));
}

#[test]
fn javascript_and_python_find_their_interpreters() {
    let folder = Folder::new();
    folder.write("a.js", "console.log('js', process.argv.slice(2).join())");
    folder.write("a.py", "import sys; print('py', sys.argv[1:])");
    let arguments = ["--flag".to_owned(), "zwei Wörter".to_owned()];
    let run = |script| {
        let request = Request {
            arguments: &arguments,
            device: Some("emulator-5554"),
            ..request(&folder, script)
        };
        script::run(&request, None, &mut |_, _| {}).unwrap().stdout.text
    };
    assert_eq!(run("a.js"), "js emulator-5554,--flag,zwei Wörter\n");
    assert_eq!(run("a.py"), "py ['emulator-5554', '--flag', 'zwei Wörter']\n");
}

#[test]
fn a_script_learns_what_it_needs_from_its_environment_and_has_no_input() {
    let folder = Folder::new();
    folder.write("run.sh", "env | grep ^CLAWPERATOR_ | sort; cat; pwd");
    let arguments = ["a \"b\"".to_owned()];
    let request =
        Request { arguments: &arguments, device: Some("X"), ..request(&folder, "run.sh") };
    let ran = script::run(&request, None, &mut |_, _| {}).unwrap();
    let here = folder.path().display();
    for line in [
        "CLAWPERATOR_BIN=clawperator",
        "CLAWPERATOR_DEVICE_ID=X",
        "CLAWPERATOR_OPERATOR_PACKAGE=com.clawperator.operator",
        "CLAWPERATOR_SKILL_ID=com.example.app.do-it",
        "CLAWPERATOR_SKILL_INPUTS=[\"a \\\"b\\\"\"]",
        &format!("CLAWPERATOR_SKILL_DIR={here}"),
        &format!("CLAWPERATOR_SKILL_PROGRAM={here}/SKILL.md"),
        &std::env::current_dir().unwrap().display().to_string(),
    ] {
        assert!(ran.stdout.text.lines().any(|seen| seen == line), "{line}: {}", ran.stdout.text);
    }
}

#[test]
fn without_a_named_phone_no_phone_is_told() {
    let ran = sh("echo \"$#:${CLAWPERATOR_DEVICE_ID-none}\"").unwrap();
    assert_eq!(ran.stdout.text, "0:none\n");
}

#[test]
fn typescript_runs_with_the_first_program_that_can() {
    let folder = Folder::new();
    folder.write("run.ts", "const n: number = 1;");
    let bin = folder.path().join("bin");
    // An old node is passed over for the tsx beside it.
    program(&folder, "bin/node", "#!/bin/sh\necho v20.1.0\n");
    program(&folder, "bin/tsx", "#!/bin/sh\necho tsx \"$@\"\n");
    let run = || {
        let path = Some(bin.clone().into_os_string());
        script::run(&Request { path, ..request(&folder, "run.ts") }, None, &mut |_, _| {})
    };
    let file = folder.path().join("run.ts");
    assert_eq!(run().unwrap().stdout.text, format!("tsx {}\n", file.display()));
    std::fs::remove_file(bin.join("tsx")).unwrap();
    let failure = run().unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillInterpreterMissing);
    assert!(failure.message.contains("node is 20.1.0, which runs no TypeScript"), "{failure}");
    let asked = "#!/bin/sh\n[ $1 = --version ] && echo v22.7.0 || echo node \"$1\"\n";
    program(&folder, "bin/node", asked);
    assert_eq!(run().unwrap().stdout.text, "node --experimental-strip-types\n");
}

/// Written by another process: were it open for writing here while another test starts a process,
/// that one would hold it open too, and a file open for writing cannot be run.
fn program(folder: &Folder, name: &str, text: &str) {
    let path = folder.write(name, "");
    let write = "printf %s \"$1\" > \"$2\" && chmod +x \"$2\"";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", write, "-", text]).arg(path);
    assert!(shell.status().unwrap().success());
}

#[test]
fn a_missing_interpreter_is_named_with_the_places_that_were_searched() {
    let folder = Folder::new();
    folder.write("run.py", "print(1)");
    let path = Some("/nowhere/bin:/neither/bin".into());
    let request = Request { path, ..request(&folder, "run.py") };
    let failure = script::run(&request, None, &mut |_, _| {}).unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillInterpreterMissing);
    assert!(failure.message.contains("python3"), "{failure}");
    assert!(failure.message.contains("/nowhere/bin, /neither/bin"), "{failure}");
    assert_eq!(failure.hint.as_deref(), Some("Install Python 3."));
}

#[test]
fn an_exit_code_is_told_as_it_is_with_all_output() {
    let failure = sh("echo before; echo why it failed >&2; exit 7").unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillExecutionFailed);
    assert!(failure.message.ends_with("ended with exit code 7: why it failed"), "{failure}");
    assert_eq!(failure.details["exitCode"], 7);
    assert_eq!(failure.details["stdout"]["text"], "before\n");
    assert_eq!(failure.details["stderr"]["text"], "why it failed\n");
    assert!(!failure.details.contains_key("signal"));
}

#[test]
fn a_death_by_signal_is_never_an_exit_code() {
    let failure = sh("kill -SEGV $$").unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillExecutionFailed);
    assert_eq!(failure.details["signal"], "SIGSEGV");
    assert!(!failure.details.contains_key("exitCode"));
}

#[test]
fn a_script_that_takes_too_long_is_ended_and_what_it_said_is_kept() {
    let folder = Folder::new();
    folder.write("run.sh", "echo before; sleep 600");
    let limits = Limits { timeout: Duration::from_secs(2), ..Limits::default() };
    let request = Request { limits, ..request(&folder, "run.sh") };
    let failure = script::run(&request, None, &mut |_, _| {}).unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillExecutionTimeout);
    assert_eq!(failure.details["timedOut"], true);
    assert_eq!(failure.details["timeoutMs"], 2000);
    assert_eq!(failure.details["stdout"]["text"], "before\n");
    assert_eq!(failure.details["signal"], "SIGTERM");
}

#[test]
fn a_script_that_does_not_listen_is_killed() {
    let failure =
        stopped_when_ready("trap '' TERM; echo ready; while :; do sleep 0.1; done", GRACE);
    assert_eq!(failure.code, ErrorCode::SkillExecutionFailed);
    assert_eq!(failure.details["stopped"], true);
    assert_eq!(failure.details["signal"], "SIGKILL");
}

#[test]
fn a_script_that_cleans_up_when_asked_has_the_time_for_it() {
    let text = "trap 'echo cleaned; exit 4' TERM; echo ready; while :; do sleep 0.05; done";
    let failure = stopped_when_ready(text, LONG);
    assert_eq!(failure.details["exitCode"], 4);
    assert!(failure.details["stdout"]["text"].as_str().unwrap().ends_with("cleaned\n"));
}

/// Whether everybody who holds the writing end of a fifo is gone.
fn watch(fifo: &Path) -> mpsc::Receiver<()> {
    assert!(std::process::Command::new("mkfifo").arg(fifo).status().unwrap().success());
    let (path, (sender, gone)) = (fifo.to_owned(), mpsc::channel());
    std::thread::spawn(move || {
        std::fs::read(path).unwrap();
        let _ = sender.send(());
    });
    gone
}

#[test]
fn everything_a_stopped_script_started_ends_with_it_even_what_does_not_listen() {
    let folder = Folder::new();
    let fifo = folder.path().join("fifo");
    let gone = watch(&fifo);
    let text = format!(
        "(trap '' TERM; exec 3> {}; echo ready; while :; do sleep 0.1; done) & sleep 600",
        fifo.display()
    );
    stopped_when_ready(&text, GRACE);
    gone.recv_timeout(LONG).expect("a grandchild lives on");
}

#[test]
fn what_a_script_leaves_behind_ends_with_it_and_does_not_hold_the_answer() {
    let folder = Folder::new();
    let fifo = folder.path().join("fifo");
    let gone = watch(&fifo);
    let ran = sh(&format!("sleep 600 3> {} & echo done", fifo.display())).unwrap();
    assert_eq!(ran.stdout.text, "done\n");
    gone.recv_timeout(LONG).expect("what it left behind lives on");
}

#[test]
fn a_process_that_left_the_group_and_holds_the_output_does_not_hold_the_answer() {
    let (sender, answer) = mpsc::channel();
    std::thread::spawn(move || {
        let ran = sh("setsid sleep 600 & echo $!").unwrap();
        sender.send(ran.stdout.text).unwrap();
    });
    let printed = answer.recv_timeout(LONG).expect("no answer");
    let child = nix::unistd::Pid::from_raw(printed.trim().parse().unwrap());
    nix::sys::signal::kill(child, nix::sys::signal::Signal::SIGKILL).expect("it had stayed");
}

#[test]
fn a_sink_that_panics_leaves_nothing_running() {
    let folder = Folder::new();
    let fifo = folder.path().join("fifo");
    let gone = watch(&fifo);
    folder.write("run.sh", format!("exec 3> {}; echo ready; sleep 600", fifo.display()));
    let run = std::panic::AssertUnwindSafe(|| {
        script::run(&request(&folder, "run.sh"), None, &mut |_, _| panic!("on purpose"))
    });
    assert!(std::panic::catch_unwind(run).is_err());
    gone.recv_timeout(LONG).expect("the script lives on");
}

#[test]
fn what_a_helper_prints_right_after_the_script_ended_is_kept() {
    let ran = sh("exec > >(sed 's/^/> /'); echo words").unwrap();
    assert_eq!(ran.stdout.text, "> words\n");
}

#[test]
fn characters_that_come_in_pieces_are_whole_in_the_answer_and_on_the_way() {
    let folder = Folder::new();
    // Each byte is a write of its own: the reader sees them in pieces of any size.
    folder.write(
        "run.py",
        "import os,time\nfor byte in ('ä€😀'*40).encode():\n    os.write(1, bytes([byte]))\n",
    );
    let mut live = String::new();
    let ran = script::run(&request(&folder, "run.py"), None, &mut |_, text| live.push_str(text));
    assert_eq!(ran.unwrap().stdout.text, "ä€😀".repeat(40));
    assert_eq!(live, "ä€😀".repeat(40));
}

#[test]
fn an_expected_text_is_found_in_the_part_that_is_not_kept() {
    let folder = Folder::new();
    folder.write("run.sh", "seq 1 20000");
    let limits = Limits { kept: 100, timeout: LONG, grace: GRACE };
    let run = |expected| {
        let expect_contains = Some(expected);
        let request = Request { limits, expect_contains, ..request(&folder, "run.sh") };
        script::run(&request, None, &mut |_, _| {})
    };
    assert!(!run("\n10000\n").unwrap().stdout.text.contains("10000"));
    let failure = run("20001").unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillOutputAssertionFailed);
    assert_eq!(failure.details["expectedSubstring"], "20001");
}

#[test]
fn a_script_outside_the_skills_folder_is_not_run() {
    let (folder, other) = (Folder::new(), Folder::new());
    let secret = other.write("secret.sh", "echo ran");
    folder.write("scripts/ok.sh", "echo ok");
    symlink(&secret, folder.path().join("scripts/link.sh")).unwrap();
    symlink(other.path(), folder.path().join("linked")).unwrap();
    let dots = format!("scripts/../../{}/secret.sh", other.path().file_name().unwrap().display());
    let refused = [dots.as_str(), "scripts/link.sh", "linked/secret.sh", secret.to_str().unwrap()];
    for script in refused {
        let failure = script::run(&request(&folder, script), None, &mut |_, _| {}).unwrap_err();
        assert_eq!(failure.code, ErrorCode::SkillPathOutside, "{script}: {failure}");
    }
    symlink("ok.sh", folder.path().join("scripts/inside.sh")).unwrap();
    let ran = script::run(&request(&folder, "scripts/inside.sh"), None, &mut |_, _| {}).unwrap();
    assert_eq!(ran.stdout.text, "ok\n");
}

#[test]
fn a_script_that_is_not_there_or_of_no_known_kind_is_said_so() {
    let folder = Folder::new();
    folder.write("run.rb", "puts 1");
    let code =
        |script| script::run(&request(&folder, script), None, &mut |_, _| {}).unwrap_err().code;
    assert_eq!(code("none.sh"), ErrorCode::SkillScriptNotFound);
    assert_eq!(code("run.rb"), ErrorCode::SkillValidationFailed);
    assert_eq!(code("."), ErrorCode::SkillScriptNotFound);
}

#[test]
fn a_timeout_is_at_least_a_millisecond_and_at_most_a_day() {
    assert_eq!(script::timeout(1).unwrap(), Duration::from_millis(1));
    assert_eq!(script::timeout(86_400_000).unwrap(), script::LONGEST);
    for wrong in [0, 86_400_001, u64::MAX] {
        assert_eq!(script::timeout(wrong).unwrap_err().code, ErrorCode::Usage, "{wrong}");
    }
}

#[test]
fn a_wrong_result_is_told_before_the_exit_code() {
    let failure = sh("echo '[Clawperator-Skill-Result]'; echo '{}'; exit 3").unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillResultParseFailed);
    assert_eq!(failure.details["exitCode"], 3);
    assert_eq!(failure.details["path"], "contractVersion");
    assert_eq!(failure.details["skillResult"], Value::Null);
}

#[test]
fn a_declared_verification_has_to_be_proved() {
    let folder = Folder::new();
    let run = |text: &str| {
        folder.write("run.sh", text);
        let request = Request { verification_declared: true, ..request(&folder, "run.sh") };
        script::run(&request, None, &mut |_, _| {})
    };
    let frame = |verification: &str| {
        format!(
            r#"echo '[Clawperator-Skill-Result]'; echo '{{"contractVersion":"1.0.0","skillId":"com.example.app.do-it","status":"success","checkpoints":[],"terminalVerification":{{"status":"{verification}"}}}}'"#
        )
    };
    for text in [frame("not_run"), frame("failed"), "echo hi".into()] {
        let failure = run(&text).unwrap_err();
        assert_eq!(failure.code, ErrorCode::SkillVerificationIndeterminate, "{failure}");
        assert_eq!(failure.details["status"], "indeterminate");
    }
    let result = run(&frame("verified")).unwrap().skill_result.unwrap();
    assert_eq!(result.object["source"]["kind"], "script");
}
