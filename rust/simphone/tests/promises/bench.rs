//! A runtime on a simulated phone, and executions in few words.

use clawperator_contract::envelope::{Envelope, StepResult};
use clawperator_contract::{Execution, Status};
use clawperator_runtime::phone::{Clock, Launch};
use clawperator_runtime::recording::{Recorder, RecordingFile, RecordingSink, SinkError};
use clawperator_runtime::screen::Screen;
use clawperator_runtime::{Cancel, Runtime, Unwatched};
use clawperator_simphone::clock::SimClock;
use clawperator_simphone::device::{Device, Options};
use clawperator_simphone::phone::SimPhone;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};

pub(crate) struct Bench {
    pub(crate) device: Device,
    pub(crate) runtime: Runtime<SimPhone, SimClock>,
    pub(crate) file: Memory,
}

/// The file of the newest recording.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    pub(crate) fn lines(&self) -> Vec<Value> {
        let bytes = self.0.lock().unwrap().clone();
        let text = String::from_utf8(bytes).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl RecordingSink for Memory {
    fn create(&mut self, session_id: &str) -> Result<RecordingFile, SinkError> {
        self.0.lock().unwrap().clear();
        Ok(RecordingFile { writer: Box::new(self.clone()), path: session_id.to_owned() })
    }

    fn set_latest(&mut self, _session_id: &str) -> std::io::Result<()> {
        Ok(())
    }
}

/// A phone for tests. Its apps are read once, its clock is its own.
pub(crate) fn options() -> Options {
    static READ: LazyLock<Options> = LazyLock::new(|| Options::for_tests().unwrap());
    Options { clock: SimClock::virtual_time(), ..READ.clone() }
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(options())
    }

    pub(crate) fn with(options: Options) -> Self {
        let device = Device::new(options).unwrap();
        let file = Memory::default();
        let recorder = Arc::new(Recorder::new(Box::new(file.clone()), vec![], 1));
        device.record_into(Arc::clone(&recorder));
        let phone = SimPhone::new(device.clone());
        let runtime = Runtime::new(phone, device.clock(), recorder, "com.clawperator.operator", 7);
        Self { device, runtime, file }
    }

    /// A bench with this app in front.
    pub(crate) fn on(package: &str) -> Self {
        let bench = Self::new();
        assert_eq!(bench.device.launch(package), Launch::Started);
        bench
    }

    pub(crate) fn run(&mut self, actions: Value) -> Envelope {
        let payload = json!({
            "commandId": "c", "taskId": "t", "source": "test",
            "expectedFormat": "android-ui-automator", "timeoutMs": 60_000, "actions": actions
        });
        let execution = Execution::from_value(payload).unwrap_or_else(|e| panic!("{e}"));
        let arrived = self.runtime.clock().now();
        self.runtime.execute(
            execution.to_json().as_bytes(),
            arrived,
            &Cancel::default(),
            &mut Unwatched,
        )
    }

    /// Runs one action that must succeed.
    pub(crate) fn does(&mut self, kind: &str, params: Value) -> StepResult {
        let envelope = self.run(json!([{ "id": "a", "type": kind, "params": params }]));
        assert_eq!(envelope.status, Status::Success, "{envelope:?}");
        envelope.step_results[0].clone()
    }

    /// Runs one action that must fail with this code.
    pub(crate) fn fails(&mut self, kind: &str, params: Value, code: &str) -> StepResult {
        let envelope = self.run(json!([{ "id": "a", "type": kind, "params": params }]));
        assert_eq!(envelope.status, Status::Failed, "{envelope:?}");
        let step = envelope.step_results.last().cloned().unwrap_or_else(|| panic!("{envelope:?}"));
        assert_eq!(step.error(), Some(code), "{envelope:?}");
        step
    }

    pub(crate) fn click(&mut self, text: &str) {
        self.does("click", json!({ "matcher": { "textEquals": text } }));
    }

    pub(crate) fn click_id(&mut self, id: &str) {
        self.does("click", json!({ "matcher": { "resourceId": id } }));
    }

    /// The text of a node, by its id.
    pub(crate) fn text(&mut self, id: &str) -> String {
        let step = self.does("read_text", json!({ "matcher": { "resourceId": id } }));
        step.data["text"].clone()
    }

    /// The value beside a label.
    pub(crate) fn value(&mut self, label: &str) -> String {
        let params = json!({ "labelMatcher": { "textEquals": label } });
        self.does("read_key_value_pair", params).data["value"].clone()
    }

    pub(crate) fn screen(&self) -> Screen {
        self.device.screen().unwrap()
    }

    /// The title of the page in front.
    pub(crate) fn title(&self) -> String {
        self.device.focus().unwrap().title
    }

    pub(crate) fn shows(&self, label: &str) -> bool {
        self.screen().nodes().any(|node| node.label() == label)
    }

    pub(crate) fn now_ms(&self) -> u128 {
        self.device.clock().now().as_millis()
    }
}
