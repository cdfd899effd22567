//! What the tests of the runtime share: a scripted phone, a runtime on it, executions in few words.

pub mod scripted;

use clawperator_contract::envelope::{Envelope, StepResult};
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::{Execution, Status};
use clawperator_runtime::phone::{Clock, NodeAction};
use clawperator_runtime::recording::{Recorder, RecordingFile, RecordingSink, SinkError};
use clawperator_runtime::{Cancel, Observer, Runtime};
use scripted::{Done, ScriptedPhone, World, WorldClock};
use serde_json::{Value, json};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

pub fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// An action on the node with this label and no id.
pub fn did(action: NodeAction, label: &str) -> Done {
    Done::Node { action, label: label.into(), id: String::new() }
}

/// A click on the node with this label and no id.
pub fn clicked(label: &str) -> Done {
    did(NodeAction::Click, label)
}

/// A short touch.
pub fn tap(x: i32, y: i32) -> Done {
    Done::Gesture { from: (x, y), to: (x, y), ms: 120, fingers: 1 }
}

/// A payload as the host sends it.
pub fn payload(command_id: &str, timeout_ms: u64, actions: &Value) -> String {
    let payload = json!({
        "commandId": command_id, "taskId": "t", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": timeout_ms, "actions": actions
    });
    payload.to_string()
}

/// A runtime on a scripted phone, with everything a test wants to know of it.
pub struct Bench {
    pub runtime: Runtime<ScriptedPhone, WorldClock>,
    pub phone: ScriptedPhone,
    pub host: Host,
    pub cancel: Cancel,
}

/// Plays the host, and remembers what it was told and asked.
#[derive(Default)]
pub struct Host {
    pub steps: Vec<StepResult>,
    pub pictures: Vec<Vec<u8>>,
    pub calls: Vec<HostCall>,
    /// How many steps had ended when each call came.
    pub turns: Vec<usize>,
    /// What it answers; nothing when there is no host.
    pub answer: Option<HostAnswer>,
}

impl Observer for Host {
    fn step_ended(&mut self, index: usize, result: &StepResult, picture: Option<Vec<u8>>) {
        assert_eq!(index, self.steps.len());
        self.steps.push(result.clone());
        self.pictures.extend(picture);
    }

    fn host_call(&mut self, call: HostCall, _within: Duration) -> Option<HostAnswer> {
        let answer = self.answer.clone()?;
        self.calls.push(call);
        self.turns.push(self.steps.len());
        Some(answer)
    }
}

/// Takes recordings and throws them away.
struct NoSink;

impl RecordingSink for NoSink {
    fn create(&mut self, session_id: &str) -> Result<RecordingFile, SinkError> {
        let path = format!("/recordings/{session_id}.ndjson");
        Ok(RecordingFile { writer: Box::new(std::io::sink()), path })
    }

    fn set_latest(&mut self, _session_id: &str) -> std::io::Result<()> {
        Ok(())
    }
}

impl Bench {
    pub fn new() -> Self {
        Self::seeded(7)
    }

    pub fn seeded(seed: u64) -> Self {
        let phone = ScriptedPhone::new();
        let recorder = Arc::new(Recorder::new(Box::new(NoSink), vec![], seed));
        let clock = WorldClock(phone.clone());
        let runtime =
            Runtime::new(phone.clone(), clock, recorder, "com.clawperator.operator", seed);
        Self { runtime, phone, host: Host::default(), cancel: Cancel::default() }
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.phone.world()
    }

    /// Runs these actions with a timeout of 30 s.
    pub fn run(&mut self, actions: Value) -> Envelope {
        self.run_within(30_000, actions)
    }

    /// Runs these actions, after the host's own validation.
    pub fn run_within(&mut self, timeout_ms: u64, actions: Value) -> Envelope {
        let payload = json!({
            "commandId": "c", "taskId": "t", "source": "test",
            "expectedFormat": "android-ui-automator", "timeoutMs": timeout_ms, "actions": actions
        });
        let execution = Execution::from_value(payload).unwrap_or_else(|e| panic!("{e}"));
        self.send(&execution.to_json())
    }

    /// Hands a payload to the runtime as it is.
    pub fn send(&mut self, payload: &str) -> Envelope {
        let arrived = self.runtime.clock().now();
        self.host.steps.clear();
        self.runtime.execute(payload.as_bytes(), arrived, &self.cancel, &mut self.host)
    }

    /// Runs one action that must succeed.
    pub fn succeed(&mut self, kind: &str, params: Value) -> StepResult {
        let envelope = self.run(json!([{ "id": "a", "type": kind, "params": params }]));
        assert_eq!(envelope.status, Status::Success, "{envelope:?}");
        envelope.step_results[0].clone()
    }

    /// Runs one action that must fail with this code.
    pub fn fail(&mut self, kind: &str, params: Value, code: &str) -> StepResult {
        let envelope = self.run(json!([{ "id": "a", "type": kind, "params": params }]));
        assert_eq!(envelope.status, Status::Failed, "{envelope:?}");
        let step = envelope.step_results.last().cloned().unwrap_or_else(|| panic!("{envelope:?}"));
        assert_eq!(step.error(), Some(code), "{envelope:?}");
        step
    }

    /// Milliseconds of the phone's time that `work` takes.
    pub fn took(&mut self, work: impl FnOnce(&mut Self)) -> u128 {
        let before = self.world().now;
        work(self);
        (self.world().now - before).as_millis()
    }
}
