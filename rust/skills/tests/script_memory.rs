//! How much memory a script's output takes. Alone in its file: other tests would be measured too.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

#[path = "support/folder.rs"]
mod folder;

use clawperator_skills::script::{self, Limits, Request};
use folder::Folder;
use nix::sys::resource::{UsageWho, getrusage};
use std::path::Path;

#[test]
fn a_hundred_megabytes_need_no_memory_and_the_result_at_their_end_is_read() {
    const BYTES: u64 = 100_000_000;
    let frame = r#"{"contractVersion":"1.0.0","skillId":"com.example.app.do-it","status":"success","checkpoints":[]}"#;
    let text = format!(
        "echo first; head -c {BYTES} /dev/zero | tr '\\0' x; echo; echo '[Clawperator-Skill-Result]'; echo '{frame}'"
    );
    let before = getrusage(UsageWho::RUSAGE_SELF).unwrap().max_rss();
    let folder = Folder::new();
    folder.write("run.sh", text);
    let request = Request {
        skill_id: "com.example.app.do-it",
        folder: folder.path(),
        script: Path::new("run.sh"),
        device: None,
        arguments: &[],
        program: "clawperator",
        operator_package: "com.clawperator.operator",
        path: None,
        limits: Limits::default(),
        expect_contains: None,
        verification_declared: false,
    };
    let mut forwarded = 0;
    let ran = script::run(&request, None, &mut |_, text| {
        forwarded += u64::try_from(text.len()).unwrap();
    })
    .unwrap();
    let kilobytes = getrusage(UsageWho::RUSAGE_SELF).unwrap().max_rss() - before;
    assert!(kilobytes < 16_000, "{kilobytes} kB more");
    assert!(ran.stdout.truncated && ran.stdout.bytes > BYTES);
    assert_eq!(forwarded, ran.stdout.bytes);
    assert!(ran.stdout.text.len() < (1 << 20) + 100);
    assert!(ran.stdout.text.starts_with("first\nxxx"));
    assert_eq!(ran.skill_result.unwrap().object["status"], "success");
}
