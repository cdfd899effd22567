//! What it costs to read the largest execution the contract allows: 64,000 bytes, 50 actions.
//! Parsing alone is measured beside it, as the floor no validation can go under.
//!
//! `cargo bench -p clawperator-contract --bench validate`

#![allow(
    clippy::unwrap_used,
    clippy::missing_docs_in_private_items,
    missing_docs,
    reason = "a benchmark fails loudly"
)]

use clawperator_contract::{Execution, Runnable};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::hint::black_box;

/// 50 actions of five kinds with everything they take, filled up with text to 64,000 bytes.
fn largest_execution() -> Vec<u8> {
    let execution = |filling: usize| {
        let filling = "x".repeat(filling);
        let retry = json!({ "maxAttempts": 3, "initialDelayMs": 100, "maxDelayMs": 500 });
        let matcher = json!({
            "resourceId": "com.example:id/field",
            "textContains": filling,
            "contentDescContains": filling,
            "textEquals": filling
        });
        let kinds = [
            json!({ "type": "enter_text", "params": { "matcher": matcher, "text": "hello", "submit": true, "retry": retry } }),
            json!({ "type": "tap", "params": { "selector": matcher, "click_type": "long_click", "retry": retry } }),
            json!({ "type": "read", "params": { "matcher": matcher, "container": { "id": "android:id/list" },
                     "validator": "regex", "validatorPattern": "^ORD-[0-9]{6}$", "all": true } }),
            json!({ "type": "scroll_until", "params": { "matcher": matcher, "direction": "up", "maxScrolls": 25,
                     "maxDurationMs": 10000, "noPositionChangeThreshold": 3, "clickAfter": true } }),
            json!({ "type": "wait_for_navigation", "params": { "expectedPackage": "com.example", "timeoutMs": 5000 } }),
        ];
        let actions: Vec<Value> = (0..50)
            .map(|n| {
                let mut action = kinds[n % kinds.len()].clone();
                action["id"] = format!("step-{n}").into();
                action
            })
            .collect();
        json!({
            "commandId": "bench", "taskId": "bench", "source": "bench",
            "expectedFormat": "android-ui-automator", "timeoutMs": 30000, "actions": actions
        })
        .to_string()
    };
    // Aliases make the canonical form a little longer than what is written here.
    let room = 64_000 - execution(1).len() - 500;
    execution(1 + room / 120).into_bytes()
}

fn readers(criterion: &mut Criterion) {
    let payload = largest_execution();
    let canonical = Execution::from_text(&payload).unwrap().to_json();
    assert!((62_000..=64_000).contains(&canonical.len()), "{}", canonical.len());
    let mut group = criterion.benchmark_group("largest execution");
    group.throughput(Throughput::Bytes(payload.len() as u64));
    group.bench_function("parse only (serde_json)", |bencher| {
        bencher.iter(|| serde_json::from_slice::<Value>(black_box(&payload)).unwrap());
    });
    group.bench_function("validate (host)", |bencher| {
        bencher.iter(|| Execution::from_text(black_box(&payload)).unwrap());
    });
    group.bench_function("read (phone)", |bencher| {
        bencher.iter(|| Runnable::from_text(black_box(canonical.as_bytes())).unwrap());
    });
    group.finish();
}

criterion_group!(benches, readers);
criterion_main!(benches);
