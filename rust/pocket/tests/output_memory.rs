//! How much memory a command's output takes. Alone in its file: other tests would be measured too.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use nix::sys::resource::{UsageWho, getrusage};
use serde_json::json;
use support::Dir;

#[test]
fn a_hundred_megabytes_need_no_memory() {
    let dir = Dir::new();
    let mut desk = dir.free();
    let command = "head -c 100000000 /dev/zero | tr '\\0' 'x'; echo; echo end";
    let before = getrusage(UsageWho::RUSAGE_SELF).unwrap().max_rss();
    let script = desk.script(command);
    let exec = desk.exec(command);
    let kilobytes = getrusage(UsageWho::RUSAGE_SELF).unwrap().max_rss() - before;
    assert!(kilobytes < 16_000, "{kilobytes} kB more");
    assert_eq!(script.data["stdoutBytes"], 100_000_005);
    let log = format!("{}/stdout.log", script.data["runDir"].as_str().unwrap());
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.len() < 1_100_000 && log.ends_with("x\nend\n"), "{}", log.len());
    assert_eq!(exec.data["totalLines"], 2);
    let session = exec.data["session"].as_str().unwrap();
    let last = desk.done(&json!({
        "type": "process", "action": "log", "sessionId": session, "limit": 1,
    }));
    assert_eq!(last.data["output"], "end");
}
