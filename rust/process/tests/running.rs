//! Programs that are started, written to, watched and dropped.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests fail loudly")]

use clawperator_process::{Ended, Input, Limits, Outputs, Run, Running, Stream};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Long enough that only what hangs takes it.
const LONG: Duration = Duration::from_secs(100);

fn limits() -> Limits {
    Limits { timeout: LONG, grace: LONG, ..Limits::default() }
}

fn sh(text: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", text]);
    command
}

fn run(text: &str, outputs: Outputs) -> Run {
    let running = Running::start(sh(text), &limits(), Input::Closed, outputs).unwrap();
    running.to_its_end(None, &mut |_, _| {}).unwrap()
}

#[test]
fn outputs_that_go_together_keep_their_order() {
    let text = "echo 1; echo 2 >&2; echo 3; echo 4 >&2";
    let together = run(text, Outputs::Together);
    assert_eq!(
        (together.stdout.text.as_str(), together.stderr.text.as_str()),
        ("1\n2\n3\n4\n", "")
    );
    let apart = run(text, Outputs::Apart);
    assert_eq!((apart.stdout.text.as_str(), apart.stderr.text.as_str()), ("1\n3\n", "2\n4\n"));
}

#[test]
fn an_open_input_is_read_until_it_is_closed_and_a_closed_one_is_empty() {
    let mut running = Running::start(sh("cat"), &limits(), Input::Open, Outputs::Apart).unwrap();
    let mut input = running.take_input().unwrap();
    assert!(running.take_input().is_none());
    input.write_all(b"words").unwrap();
    drop(input);
    let read = running.to_its_end(None, &mut |_, _| {}).unwrap();
    assert_eq!(read.stdout.text, "words");
    assert_eq!(run("cat", Outputs::Apart).stdout.text, "");
}

#[test]
fn a_program_that_is_dropped_does_not_live_on_nor_does_its_child() {
    let name = format!("fifo-{}", std::process::id());
    let fifo = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let (sender, news) = mpsc::channel();
    let path = fifo.clone();
    std::thread::spawn(move || {
        let mut held = File::open(path).unwrap();
        sender.send("held").unwrap();
        held.read_to_end(&mut Vec::new()).unwrap();
        sender.send("gone").unwrap();
    });
    let text = format!("exec 3> {}; sleep 600 & sleep 600", fifo.display());
    let running = Running::start(sh(&text), &limits(), Input::Open, Outputs::Together).unwrap();
    assert_eq!(news.recv_timeout(LONG), Ok("held"));
    drop(running);
    assert_eq!(news.recv_timeout(LONG), Ok("gone"));
    std::fs::remove_file(fifo).unwrap();
}

#[test]
fn a_wish_to_stop_that_comes_while_it_prints_ends_it() {
    let stop = AtomicBool::new(false);
    let (sender, printed) = mpsc::channel();
    let running =
        Running::start(sh("echo ready; sleep 600"), &limits(), Input::Closed, Outputs::Together)
            .unwrap();
    let run = running.to_its_end(Some(&stop), &mut |stream, text| {
        sender.send((stream, text.to_owned())).unwrap();
        stop.store(true, Ordering::SeqCst);
    });
    let run = run.unwrap();
    assert_eq!(run.ended, Some(Ended::Stopped));
    assert_eq!(printed.try_iter().collect::<Vec<_>>(), [(Stream::Stdout, "ready\n".to_owned())]);
}
