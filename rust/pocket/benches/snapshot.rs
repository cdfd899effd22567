//! What a snapshot costs, beside the picture alone, on a simulated phone that answers at once.
//!
//! `cargo bench -p clawperator-pocket --bench snapshot`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark fails and prints loudly"
)]

#[path = "../tests/phone_support/mod.rs"]
mod phone_support;

use clawperator_contract::Execution;
use clawperator_host::dispatch::execute_in_memory;
use clawperator_pocket::snapshot::{CaptureMetrics, Eye, Scaling};
use phone_support::Phone;
use serde_json::json;
use std::time::Instant;

const TURNS: usize = 100;

/// A part of the metrics, by name.
type Part = (&'static str, fn(&CaptureMetrics) -> f64);

const PARTS: [Part; 6] = [
    ("ensureReadyMs", |m| m.ensure_ready_ms),
    ("uiDumpMs", |m| m.ui_dump_ms),
    ("screencapMs", |m| m.screencap_ms),
    ("scaleMs", |m| m.scale_ms),
    ("overlayMs", |m| m.overlay_ms),
    ("totalMs", |m| m.total_ms),
];

fn main() {
    // `cargo test --benches` runs benches too; there is nothing to test here.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    for (package, screen) in [
        ("com.android.settings", "main"),
        ("com.example.account", "profile"),
        ("com.example.news", "feed"),
    ] {
        let phone = Phone::with_operator();
        phone.show(package, screen);
        measure(&phone, &format!("{package} {screen}"));
    }
}

fn measure(phone: &Phone, name: &str) {
    let picture = Execution::from_value(json!({
        "commandId": "b", "taskId": "b", "source": "bench",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30_000,
        "actions": [{ "id": "picture", "type": "take_screenshot" }],
    }));
    let picture = picture.unwrap();
    let mut eye = Eye::new();
    let (mut alone, mut looks) = (Vec::new(), Vec::new());
    let mut size = 0;
    // Taken in turns, so that whatever else the machine does hits both alike.
    for turn in 0..=TURNS {
        let start = Instant::now();
        let (_, pictures) = execute_in_memory(&phone.route(), &picture, &mut ()).unwrap();
        let took = start.elapsed().as_secs_f64() * 1e3;
        assert!(pictures.contains_key(&0));
        let seen = eye.snapshot(&phone.route(), Scaling::ShortSide).unwrap();
        size = seen.screenshot_base64.len();
        // The first turn asks for the apps of the phone and warms everything up.
        if turn > 0 {
            alone.push(took);
            looks.push(seen.capture_metrics.unwrap());
        }
    }
    let (base, base_95) = spread(alone);
    println!("{name}: {TURNS} turns, picture {} kB in base64", size / 1024);
    println!("  {:<16} p50 {base:>7.2} ms   p95 {base_95:>7.2} ms", "take_screenshot");
    for (part, of) in PARTS {
        let (half, most) = spread(looks.iter().map(of).collect());
        println!("  {part:<16} p50 {half:>7.2} ms   p95 {most:>7.2} ms   {:.2} x", half / base);
    }
}

fn spread(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 95 / 100])
}
