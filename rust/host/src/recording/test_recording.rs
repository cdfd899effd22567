//! Recordings and folders for tests.

use super::event::Recording;
use super::parse::parse;
use super::step::StepLog;
use super::steps::steps;
use std::path::PathBuf;
use std::{env, fs, process};

pub(super) const HEADER: &str = r#"{"type":"recording_header","schemaVersion":1,"sessionId":"sample","startedAt":1000,"operatorPackage":"com.clawperator.operator"}"#;

/// From the launcher into a shop, a search, a scroll, and back: five steps without a warning.
pub(super) const SAMPLE: &str = concat!(
    r#"{"type":"recording_header","schemaVersion":1,"sessionId":"sample","startedAt":1000,"operatorPackage":"com.clawperator.operator"}"#,
    "\n",
    r#"{"ts":1100,"seq":0,"snapshot":"<a/>","packageName":"com.android.launcher3","className":null,"title":"Home","type":"window_change"}"#,
    "\n",
    r#"{"ts":1200,"seq":1,"snapshot":"<a/>","packageName":"com.android.launcher3","resourceId":null,"text":"Shöp 🛒","contentDesc":null,"bounds":{"left":1,"top":2,"right":3,"bottom":4},"type":"click"}"#,
    "\n",
    r#"{"ts":1300,"seq":2,"snapshot":"<b/>","packageName":"com.shop","className":"com.shop.Main","title":"Shop","type":"window_change"}"#,
    "\n",
    r#"{"ts":1400,"seq":3,"snapshot":"<c/>","packageName":"com.shop","resourceId":"com.shop:id/search","text":"","contentDesc":null,"bounds":{"left":10,"top":20,"right":30,"bottom":40},"type":"click"}"#,
    "\n",
    r#"{"ts":1500,"seq":4,"snapshot":null,"packageName":"com.shop","resourceId":"com.shop:id/search","text":"tea","type":"text_change"}"#,
    "\n",
    r#"{"ts":1600,"seq":5,"snapshot":null,"packageName":"com.shop","resourceId":"com.shop:id/list","scrollX":0,"scrollY":800,"maxScrollX":0,"maxScrollY":4000,"type":"scroll"}"#,
    "\n",
    r#"{"ts":1700,"seq":6,"snapshot":"<d/>","key":"back","type":"press_key"}"#,
    "\n",
);

/// A recording of these lines.
pub(super) fn lines(events: &[impl AsRef<str>]) -> String {
    let mut text = format!("{HEADER}\n");
    for event in events {
        text.push_str(event.as_ref());
        text.push('\n');
    }
    text
}

/// Events by hand: each has the next number, and comes a tenth of a second after the one before.
#[derive(Default)]
pub(super) struct Script {
    lines: Vec<String>,
    now: u64,
}

impl Script {
    fn event(mut self, rest: &str) -> Self {
        self.now += 100;
        let (ts, seq) = (self.now, self.lines.len());
        let shot = if rest.contains("scroll") || rest.contains("text_change") {
            "null".to_owned()
        } else {
            format!("\"<s{seq}/>\"")
        };
        self.lines.push(format!(r#"{{"ts":{ts},"seq":{seq},"snapshot":{shot},{rest}}}"#));
        self
    }

    /// Lets time pass.
    pub(super) fn later(mut self, ms: u64) -> Self {
        self.now += ms;
        self
    }

    pub(super) fn window(self, package: &str) -> Self {
        self.titled(package, "X", "T")
    }

    pub(super) fn titled(self, package: &str, class: &str, title: &str) -> Self {
        self.event(&format!(
            r#""type":"window_change","packageName":"{package}","className":"{class}","title":"{title}""#
        ))
    }

    pub(super) fn click(self, package: &str, id: Option<&str>, desc: &str) -> Self {
        self.touch("click", package, id, desc)
    }

    pub(super) fn touch(self, kind: &str, package: &str, id: Option<&str>, desc: &str) -> Self {
        let id = id.map_or("null".to_owned(), |id| format!("\"{id}\""));
        self.event(&format!(
            r#""type":"{kind}","packageName":"{package}","resourceId":{id},"text":null,"contentDesc":"{desc}","bounds":{{"left":0,"top":0,"right":9,"bottom":9}}"#
        ))
    }

    pub(super) fn text(self, package: &str, id: Option<&str>, text: &str) -> Self {
        let id = id.map_or("null".to_owned(), |id| format!("\"{id}\""));
        self.event(&format!(
            r#""type":"text_change","packageName":"{package}","resourceId":{id},"text":"{text}""#
        ))
    }

    pub(super) fn password(self, package: &str, id: &str) -> Self {
        self.event(&format!(
            r#""type":"text_change","packageName":"{package}","resourceId":"{id}","text":"","password":true"#
        ))
    }

    pub(super) fn scroll(self, package: &str, id: &str, y: i64) -> Self {
        self.event(&format!(
            r#""type":"scroll","packageName":"{package}","resourceId":"{id}","scrollX":0,"scrollY":{y},"maxScrollX":0,"maxScrollY":9000"#
        ))
    }

    pub(super) fn key(self, key: &str) -> Self {
        self.event(&format!(r#""type":"press_key","key":"{key}""#))
    }

    pub(super) fn recording(&self) -> Recording {
        parse(lines(&self.lines).as_bytes()).unwrap()
    }

    pub(super) fn steps(&self) -> StepLog {
        steps(&self.recording())
    }
}

/// The steps in one line each, as a person is shown them.
pub(super) fn shown(log: &StepLog) -> Vec<String> {
    let line = |step: &super::Step| step.line().split_whitespace().collect::<Vec<_>>().join(" ");
    log.steps.iter().map(line).collect()
}

/// A folder of its own for one test, gone afterwards.
pub(super) struct Place(PathBuf);

impl Place {
    pub(super) fn new(name: &str) -> Self {
        let dir = env::temp_dir().join(format!("host-recording-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(super) fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(super) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// What is in it, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
