//! What one run of the program costs, beside `/bin/true` in the same loop: time to start and
//! answer, and peak memory with the largest execution the contract allows.
//!
//! `cargo bench -p clawperator --bench process`

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark fails and prints loudly"
)]

use nix::sys::resource::{UsageWho, getrusage};
use serde_json::json;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 200;
const PROGRAM: &str = env!("CARGO_BIN_EXE_clawperator");

fn main() {
    // `cargo test --benches` runs benches too; there is nothing to test here.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let (mut baseline, mut version, mut validate) = (Vec::new(), Vec::new(), Vec::new());
    let file = std::env::temp_dir().join(format!("clawperator-bench-{}.json", std::process::id()));
    std::fs::write(&file, largest_execution()).unwrap();
    let validation = ["exec", "--validate-only", file.to_str().unwrap()];
    // Taken in turns, so that whatever else the machine does hits all three alike.
    for _ in 0..RUNS {
        baseline.push(time("/bin/true", &[]));
        version.push(time(PROGRAM, &["version"]));
        validate.push(time(PROGRAM, &validation));
    }
    std::fs::remove_file(&file).unwrap();
    let baseline = median(baseline);
    let report = |name: &str, times: Vec<Duration>| {
        let time = median(times);
        println!(
            "{name:<34} {time:>10.1?}   {:.2} x /bin/true",
            time.as_secs_f64() / baseline.as_secs_f64()
        );
    };
    println!("median of {RUNS} runs each");
    println!("{:<34} {baseline:>10.1?}", "/bin/true");
    report("clawperator version", version);
    report("validate 64,000 bytes, 50 actions", validate);
    // The largest child of the lot: the validation.
    let peak_kb = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    println!("{:<34} {:>7} kB", "peak memory of the validation", peak_kb);
}

fn time(program: &str, args: &[&str]) -> Duration {
    let start = Instant::now();
    let status = Command::new(program).args(args).stdout(Stdio::null()).status().unwrap();
    let time = start.elapsed();
    assert!(status.success(), "{program} {args:?}");
    time
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// 50 actions of many kinds, filled up with text to 64,000 bytes.
fn largest_execution() -> String {
    let execution = |filling: usize| {
        let actions: Vec<_> = (0..50)
            .map(|n| {
                json!({
                    "id": format!("step-{n}"),
                    "type": "enter_text",
                    "params": {
                        "matcher": { "resourceId": "com.example:id/field", "role": "textfield" },
                        "text": "x".repeat(filling),
                        "retry": { "maxAttempts": 3, "initialDelayMs": 100 }
                    }
                })
            })
            .collect();
        json!({
            "commandId": "bench", "taskId": "bench", "source": "bench",
            "expectedFormat": "android-ui-automator", "timeoutMs": 30000, "actions": actions
        })
        .to_string()
    };
    let room = 64_000 - execution(1).len();
    execution(1 + room / 50)
}
