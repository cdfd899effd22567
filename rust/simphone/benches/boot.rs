//! What a simulated phone costs: time to boot until adb can connect, beside `/bin/true` in the same
//! loop, and memory while it idles.
//!
//! `cargo bench -p clawperator-simphone --bench boot`

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark fails and prints loudly"
)]

use clawperator_adbd::Auth;
use clawperator_simphone::SimulatedPhone;
use clawperator_simphone::device::Options;
use clawperator_simphone::system::{Identity, OperatorPackage};
use std::process::Command;
use std::time::{Duration, Instant};

const RUNS: usize = 50;
const PHONES: u64 = 50;

/// Fast enough to start one for every test.
const BOOT_TARGET: Duration = Duration::from_millis(20);
/// Small enough for a room full of them.
const MEMORY_TARGET_KB: u64 = 4 << 10;

fn main() {
    // `cargo test --benches` runs benches too; there is nothing to test here.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    // First of all: later there would be memory of earlier phones to use again.
    let before = resident_kb();
    let phones: Vec<_> = (0..PHONES).map(|_| boot()).collect();
    let each = resident_kb().saturating_sub(before) / PHONES;
    println!(
        "{:<34} {each:>7} kB   mean of {PHONES}, {} the target of {MEMORY_TARGET_KB} kB",
        "memory of an idle phone",
        verdict(each <= MEMORY_TARGET_KB)
    );
    drop(phones);
    let (mut baseline, mut boots) = (Vec::new(), Vec::new());
    // Taken in turns, so that whatever else the machine does hits both alike.
    for _ in 0..RUNS {
        let start = Instant::now();
        assert!(Command::new("/bin/true").status().unwrap().success());
        baseline.push(start.elapsed());
        let start = Instant::now();
        let phone = boot();
        boots.push(start.elapsed());
        drop(phone);
    }
    let (baseline, booted) = (median(baseline), median(boots));
    println!("median of {RUNS} runs each");
    println!("{:<34} {baseline:>10.1?}", "/bin/true");
    println!(
        "{:<34} {booted:>10.1?}   {:.2} x /bin/true, {} the target of {BOOT_TARGET:?}",
        "boot of a phone",
        booted.as_secs_f64() / baseline.as_secs_f64(),
        verdict(booted <= BOOT_TARGET)
    );
}

fn verdict(holds: bool) -> &'static str {
    if holds { "within" } else { "BEYOND" }
}

/// Everything a phone is made of, its apps included, until its port answers.
fn boot() -> SimulatedPhone {
    let options = Options::real().unwrap();
    let operators = vec![OperatorPackage::current()];
    let address = ([127, 0, 0, 1], 0).into();
    let phone =
        SimulatedPhone::boot(address, options, &Identity::default(), operators, Auth::NoAuth);
    phone.unwrap()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Memory of this process that is there: the second number of `statm`, in pages of 4 kB.
fn resident_kb() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4
}
