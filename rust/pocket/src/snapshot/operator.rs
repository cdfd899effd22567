//! A look through the operator: tree and picture in one execution.

use super::metrics::{CaptureMetrics, ms};
use crate::device::{execution, failure_of, is_absent};
use clawperator_contract::envelope::StepResult;
use clawperator_contract::{ErrorCode, Failure, Status};
use clawperator_host::build;
use clawperator_host::dispatch::{Link, Route, Watcher, execute_in_memory};
use serde_json::json;
use std::time::{Duration, Instant};

/// How often tree and picture are taken, until they are of the same moment. An app with an
/// animation that never ends has none.
const MOST_TRIES: u32 = 3;
/// Android takes one picture in a third of a second.
const PICTURE_PAUSE_MS: u32 = 350;
const PICTURE_TRIES: u32 = 4;

/// What was seen, before anything is made of it.
pub(super) struct Seen {
    pub(super) app: String,
    pub(super) xml: Option<String>,
    /// None where the app forbids it.
    pub(super) png: Option<Vec<u8>>,
    pub(super) metrics: CaptureMetrics,
}

/// Looks; `Err` in the answer is why there is no operator to look through.
pub(super) fn look(route: &Route<'_>) -> Result<Result<Seen, Failure>, Failure> {
    let actions = json!([
        { "id": "tree", "type": "snapshot_ui" },
        { "id": "picture", "type": "take_screenshot", "params": { "retry": {
            "maxAttempts": PICTURE_TRIES, "initialDelayMs": PICTURE_PAUSE_MS } } },
    ]);
    let mut tries = 1;
    loop {
        let execution = execution("snapshot", &actions, build::timeout(None))?;
        let mut times = Times::new();
        let (done, mut pictures) = match execute_in_memory(route, &execution, &mut times) {
            Ok(done) => done,
            Err(why) if is_absent(&why) => return Ok(Err(why)),
            Err(failure) => return Err(failure),
        };
        let steps = &done.envelope.step_results;
        let forbidden = ErrorCode::ScreenshotSecureWindow.name();
        let secure = steps.get(1).and_then(StepResult::error) == Some(forbidden);
        if done.envelope.status == Status::Failed && !secure {
            return Err(failure_of(&done.envelope));
        }
        let told = |step: usize, key: &str| steps.get(step)?.data.get(key).cloned();
        let generations = (told(0, "generation"), told(1, "generation"));
        let same_moment = match generations {
            (Some(tree), Some(picture)) => Some(tree == picture),
            _ => None,
        };
        if same_moment == Some(false) && tries < MOST_TRIES {
            tries += 1;
            continue;
        }
        let metrics = CaptureMetrics {
            via: "operator",
            same_moment,
            capture_tries: tries,
            secure_surface_detected: secure,
            ..times.told()
        };
        return Ok(Ok(Seen {
            app: told(0, "foreground_package").unwrap_or_default(),
            xml: told(0, "text"),
            png: pictures.remove(&1),
            metrics,
        }));
    }
}

/// When what came.
struct Times {
    start: Instant,
    sent: Duration,
    steps: [Duration; 2],
}

impl Times {
    fn new() -> Self {
        Self { start: Instant::now(), sent: Duration::ZERO, steps: [Duration::ZERO; 2] }
    }

    fn told(&self) -> CaptureMetrics {
        let [tree, picture] = self.steps;
        CaptureMetrics {
            ensure_ready_ms: ms(self.sent),
            ui_dump_ms: ms(tree.saturating_sub(self.sent)),
            screencap_ms: ms(picture.saturating_sub(tree)),
            ..CaptureMetrics::default()
        }
    }
}

impl Watcher for Times {
    fn sent(&mut self, _link: Link) {
        self.sent = self.start.elapsed();
    }

    fn step_ended(&mut self, index: usize, _result: &StepResult) {
        if let Some(step) = self.steps.get_mut(index) {
            *step = self.start.elapsed();
        }
    }
}
