//! A phone that has recordings and nothing else.

use crate::device::{Device, Output, Reader, Unreachable, Writer};
use clawperator_contract::{ErrorCode, Failure, operator};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::Mutex;
use std::time::Duration;

pub(super) const PACKAGE: &str = "com.clawperator.operator.dev";

#[derive(Default)]
pub(super) struct TestPhone {
    /// What is in the folder, by name.
    pub(super) files: Mutex<BTreeMap<String, Vec<u8>>>,
    /// The shell may not look into the folder.
    pub(super) forbidden: bool,
    /// What a recording that runs writes while it is copied.
    pub(super) grows_by: Vec<u8>,
    /// So many bytes are lost on the way.
    pub(super) loses: usize,
    /// Copying fails like this, after half of it.
    pub(super) fails: Option<ErrorCode>,
}

impl TestPhone {
    pub(super) fn with(self, id: &str, content: &[u8]) -> Self {
        self.put(&format!("{id}.ndjson"), content);
        self
    }

    pub(super) fn latest(self, id: &str) -> Self {
        self.put("latest", id.as_bytes());
        self
    }

    pub(super) fn put(&self, name: &str, content: &[u8]) {
        self.files.lock().unwrap().insert(name.to_owned(), content.to_owned());
    }

    fn name_of(path: &str) -> Option<&str> {
        path.strip_prefix(&operator::recordings_folder(PACKAGE))?.strip_prefix('/')
    }
}

fn output(code: u8, stdout: impl Into<Vec<u8>>, stderr: &str) -> Output {
    Output { stdout: stdout.into(), stderr: stderr.into(), code }
}

impl Device for TestPhone {
    fn serial(&self) -> &str {
        "test"
    }

    fn shell(&self, line: &str, _within: Duration) -> Result<Output, Failure> {
        let files = self.files.lock().unwrap();
        if self.forbidden {
            return Ok(output(1, "", "ls: recordings: Permission denied"));
        }
        let row = |(name, content): (&String, &Vec<u8>)| {
            let size = content.len();
            format!("-rw-rw---- 1 u0_a1 ext_data_rw {size:>6} 2026-01-02 03:04 {name}\n")
        };
        let path = line.rsplit(' ').next().unwrap();
        let missing = format!("{path}: No such file or directory\n");
        let name = Self::name_of(path);
        let found = name.and_then(|name| files.get_key_value(name));
        Ok(match (line.starts_with("ls -l "), line.starts_with("cat "), found) {
            (true, _, Some(file)) => output(0, row(file), ""),
            (true, _, None) if name.is_none() && !files.is_empty() => {
                output(0, files.iter().map(row).collect::<String>(), "")
            }
            (_, true, Some((_, content))) => output(0, content.clone(), ""),
            _ => output(1, "", &missing),
        })
    }

    fn pull(&self, path: &str, into: &mut dyn Write, _within: Duration) -> Result<u64, Failure> {
        let mut files = self.files.lock().unwrap();
        let content = files.get_mut(Self::name_of(path).unwrap()).unwrap();
        if let Some(code) = self.fails {
            into.write_all(&content[..content.len() / 2]).unwrap();
            return Err(Failure::new(code, "closed"));
        }
        let came = &content[..content.len() - self.loses];
        into.write_all(came).unwrap();
        let count = came.len() as u64;
        content.extend_from_slice(&self.grows_by);
        Ok(count)
    }

    fn shell_with_input(
        &self,
        _line: &str,
        _input: &mut (dyn Read + Send),
        _within: Duration,
    ) -> Result<Output, Failure> {
        unreachable!("recordings need no input")
    }

    fn follow(&self, _line: &str, _within: Duration) -> Result<Reader, Failure> {
        unreachable!("recordings follow nothing")
    }

    fn connect(&self, _socket: &str, _within: Duration) -> Result<(Reader, Writer), Unreachable> {
        unreachable!("recordings need no operator")
    }

    fn recover(&self, _within: Duration) -> Result<(), Failure> {
        unreachable!("recordings recover nothing")
    }
}
