//! What the runtime itself costs: twenty steps on a phone that answers at once, on a screen of 60
//! nodes. The phone's own calls (mostly: handing over a copy of the screen) are measured beside it,
//! and taken off for the overhead, which is to stay below 100 µs for the twenty steps.
//!
//! `cargo bench -p clawperator-runtime --bench execution`

#![allow(
    clippy::unwrap_used,
    clippy::missing_docs_in_private_items,
    missing_docs,
    reason = "a benchmark fails loudly"
)]

use clawperator_contract::runnable::{Runnable, StrokePoint};
use clawperator_contract::{Envelope, Status};
use clawperator_runtime::phone::{
    Clock, Display, GestureEnd, GlobalAction, Launch, Moment, NodeAction, Phone, PhoneError,
    Picture,
};
use clawperator_runtime::recording::{Recorder, RecordingFile, RecordingSink, SinkError};
use clawperator_runtime::screen::{
    Bounds, Flags, Generation, NodeHandle, NodeIndex, NodeSpec, Screen, ScreenBuilder, WindowSpec,
};
use clawperator_runtime::{Cancel, Runtime, Unwatched};
use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const STEPS: usize = 20;

/// A phone that has one screen, already decoded, and does everything at once.
struct Instantly {
    screen: Screen,
    counter: Generation,
    calls: Calls,
}

/// How often it was asked for what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Calls {
    captures: u32,
    performs: u32,
    globals: u32,
    displays: u32,
}

impl Phone for Instantly {
    fn capture(&mut self) -> Result<Screen, PhoneError> {
        self.calls.captures += 1;
        self.counter += 1;
        let mut screen = self.screen.clone();
        screen.generation = self.counter;
        Ok(screen)
    }

    fn perform(&mut self, _node: NodeHandle, _action: &NodeAction) -> Result<bool, PhoneError> {
        self.calls.performs += 1;
        Ok(true)
    }

    fn gesture(&mut self, _strokes: &[Vec<StrokePoint>]) -> Result<GestureEnd, PhoneError> {
        Ok(GestureEnd::Completed)
    }

    fn global(&mut self, _action: GlobalAction) -> Result<bool, PhoneError> {
        self.calls.globals += 1;
        Ok(true)
    }

    fn launch(&mut self, _package: &str) -> Result<Launch, PhoneError> {
        Ok(Launch::Started)
    }

    fn view(&mut self, _uri: &str) -> Result<Launch, PhoneError> {
        Ok(Launch::Started)
    }

    fn screenshot(&mut self) -> Result<Picture, PhoneError> {
        Ok(Picture::Unsupported)
    }

    fn display(&mut self) -> Result<Display, PhoneError> {
        self.calls.displays += 1;
        Ok(Display::On)
    }

    fn wake(&mut self) -> Result<(), PhoneError> {
        Ok(())
    }

    fn scroll_mark(&mut self) -> u64 {
        0
    }

    fn vitals(&mut self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn generation(&self) -> Generation {
        self.counter
    }

    fn wait(&mut self, _since: Option<Generation>, _until: Moment) {}

    fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        Arc::new(|| {})
    }
}

/// Time stands still: nothing in this execution waits.
struct Still;

impl Clock for Still {
    fn now(&self) -> Moment {
        Moment::ZERO
    }

    fn epoch_ms(&self) -> u64 {
        0
    }
}

struct NoSink;

impl RecordingSink for NoSink {
    fn create(&mut self, session_id: &str) -> Result<RecordingFile, SinkError> {
        Ok(RecordingFile { writer: Box::new(std::io::sink()), path: session_id.into() })
    }

    fn set_latest(&mut self, _session_id: &str) -> std::io::Result<()> {
        Ok(())
    }
}

/// A settings screen: a list of rows with a title and a summary each, 60 nodes in all.
fn screen() -> Screen {
    let node = |class: &str, text: &str, id: &str, top: i32| NodeSpec {
        class: class.into(),
        text: text.into(),
        resource_id: id.into(),
        package: "com.android.settings".into(),
        bounds: Bounds::new(0, top, 1080, top + 110),
        ..NodeSpec::default()
    };
    let row = |number: i32| {
        let top = 120 * number;
        let mut row = node("android.widget.LinearLayout", "", "", top);
        row.flags = row.flags.with(Flags::CLICKABLE);
        let title = format!("Setting {number}");
        row.children = vec![
            node("android.widget.TextView", &title, "android:id/title", top),
            node("android.widget.TextView", "On", "android:id/summary", top),
        ];
        row
    };
    let mut list = node("androidx.recyclerview.widget.RecyclerView", "", "app:id/list", 0);
    list.bounds = Bounds::new(0, 0, 1080, 2400);
    list.children = (0..19).map(row).collect();
    let mut root = NodeSpec { bounds: list.bounds, ..node("android.view.View", "", "", 0) };
    root.children = vec![list, node("android.widget.TextView", "Search", "app:id/search", 0)];
    let mut builder = ScreenBuilder::new(1080, 2400);
    builder.foreground("com.android.settings").window(&WindowSpec::application(root));
    let screen = builder.screen().unwrap();
    assert_eq!(screen.len(), 60);
    screen
}

fn twenty_steps() -> Runnable {
    let kinds = [
        json!({ "type": "click", "params": { "matcher": { "textEquals": "Setting 17" } } }),
        json!({ "type": "read_text", "params": { "matcher": { "textContains": "setting 12" } } }),
        json!({ "type": "wait_for_node", "params": { "matcher": { "role": "text", "textEquals": "Setting 18" } } }),
        json!({ "type": "sleep", "params": { "durationMs": 0 } }),
        json!({ "type": "press_key", "params": { "key": "back" } }),
    ];
    let actions: Vec<Value> = (0..STEPS)
        .map(|number| {
            let mut action = kinds[number % kinds.len()].clone();
            action["id"] = format!("step-{number}").into();
            action
        })
        .collect();
    Runnable::from_value(json!({
        "commandId": "bench", "taskId": "bench", "source": "bench", "actions": actions
    }))
    .unwrap()
}

fn run(runtime: &mut Runtime<Instantly, Still>, execution: &Runnable) -> Envelope {
    runtime.run(execution, Moment::ZERO, &Cancel::default(), &mut Unwatched)
}

/// The same calls without a runtime around them.
fn make(phone: &mut Instantly, calls: Calls) {
    let node = NodeHandle { index: NodeIndex(1), generation: 1 };
    for _ in 0..calls.captures {
        black_box(phone.capture().unwrap());
    }
    for _ in 0..calls.performs {
        black_box(phone.perform(node, &NodeAction::Click).unwrap());
    }
    for _ in 0..calls.globals {
        black_box(phone.global(GlobalAction::Back).unwrap());
    }
    for _ in 0..calls.displays {
        black_box(phone.display().unwrap());
    }
}

fn took(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn execution(criterion: &mut Criterion) {
    let execution = twenty_steps();
    let phone = || Instantly { screen: screen(), counter: 1, calls: Calls::default() };
    let recorder = Arc::new(Recorder::new(Box::new(NoSink), vec![], 1));
    let mut runtime = Runtime::new(phone(), Still, recorder, "com.clawperator", 1);
    let envelope = run(&mut runtime, &execution);
    assert_eq!(envelope.status, Status::Success, "{envelope:?}");
    assert_eq!(envelope.step_results.len(), STEPS);
    let calls = runtime.phone().calls;
    let mut alone = phone();

    let mut group = criterion.benchmark_group("twenty steps");
    group.bench_function("in all", |bencher| bencher.iter(|| run(&mut runtime, &execution)));
    group.bench_function("the phone's calls alone", |bencher| {
        bencher.iter(|| make(&mut alone, calls));
    });
    group.bench_function("one copy of the screen alone", |bencher| {
        bencher.iter(|| alone.screen.clone());
    });
    // Measured in turns, so that a busy computer is busy for both.
    group.bench_function("overhead: all without the phone's calls", |bencher| {
        bencher.iter_custom(|rounds| {
            let (mut all, mut calls_alone) = (Duration::ZERO, Duration::ZERO);
            for _ in 0..rounds {
                all += took(|| drop(black_box(run(&mut runtime, &execution))));
                calls_alone += took(|| make(&mut alone, calls));
            }
            // Never zero, which would be no measurement.
            all.saturating_sub(calls_alone).max(Duration::from_nanos(1))
        });
    });
    group.finish();
}

criterion_group!(benches, execution);
criterion_main!(benches);
