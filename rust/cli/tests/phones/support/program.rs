//! The program, with a home of its own and nothing of this computer's environment.

use clawperator_lab::{Ran, finish};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process, thread};

/// How the program is started.
pub(crate) struct Program {
    /// Where it looks for the adb server.
    pub(crate) port: u16,
    /// The adb it would start one with.
    pub(crate) adb: PathBuf,
    /// Its home, gone with this.
    pub(crate) home: PathBuf,
    /// The phone it is told to use.
    serial: Option<String>,
    /// More of the environment.
    more: Vec<(&'static str, String)>,
}

impl Program {
    pub(crate) fn at(port: u16, adb: &Path) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let home = env::temp_dir().join(format!("cli-phones-{}-{number}", process::id()));
        fs::create_dir_all(&home).unwrap();
        Self { port, adb: adb.to_owned(), home, serial: None, more: Vec::new() }
    }

    /// Always with this phone.
    pub(crate) fn on(mut self, serial: &str) -> Self {
        self.serial = Some(serial.to_owned());
        self
    }

    /// With a variable of the environment.
    pub(crate) fn setting(&mut self, name: &'static str, value: &str) {
        self.more.push((name, value.to_owned()));
    }

    /// A path in its home.
    pub(crate) fn path(&self, name: &str) -> String {
        self.home.join(name).display().to_string()
    }

    /// How it would be started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clawperator"));
        for (name, _) in env::vars_os() {
            let name = name.to_string_lossy();
            if ["ANDROID_", "CLAWPERATOR_", "ADB_"].iter().any(|start| name.starts_with(start)) {
                command.env_remove(&*name);
            }
        }
        command
            .args(self.serial.iter().flat_map(|serial| ["--device", serial]))
            .args(args)
            .env("ANDROID_ADB_SERVER_PORT", self.port.to_string())
            .env("ADB_PATH", &self.adb)
            .env("HOME", &self.home)
            .env("TMPDIR", &self.home)
            .envs(self.more.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs it.
    pub(crate) fn run(&self, args: &[&str]) -> Answer {
        self.start(args).answer()
    }

    /// Runs it with something on its standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: &str) -> Answer {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        let writing = thread::spawn(move || stdin.write_all(input.as_bytes()));
        let answer = Answer::of(finish(child, args));
        writing.join().unwrap().unwrap();
        answer
    }

    /// Starts it.
    pub(crate) fn start(&self, args: &[&str]) -> Running {
        let child = self.command(args).spawn().unwrap();
        Running { child, args: args.iter().map(|arg| (*arg).to_owned()).collect() }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.home);
    }
}

/// The program while it runs.
pub(crate) struct Running {
    child: Child,
    args: Vec<String>,
}

impl Running {
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), signal).unwrap();
    }

    /// Waits for its end.
    pub(crate) fn answer(self) -> Answer {
        let args: Vec<_> = self.args.iter().map(String::as_str).collect();
        Answer::of(finish(self.child, &args))
    }
}

/// What the program said, and how it ended.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Its exit code; none when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    /// Its output, where that is JSON.
    pub(crate) json: Value,
}

impl Answer {
    fn of(ran: Ran) -> Self {
        let (out, err) = (ran.out(), ran.err());
        let json = serde_json::from_str(&out).unwrap_or_default();
        Self { code: ran.code, out, err, json }
    }

    /// It must have gone well, without a word on standard error.
    #[track_caller]
    pub(crate) fn went_well(self) -> Self {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        assert!(self.json.is_object(), "no JSON: {}", self.out);
        self
    }

    /// An execution that must have succeeded.
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        let answer = self.went_well();
        assert_eq!(answer.envelope()["status"], "success", "{}", answer.out);
        answer
    }

    /// An execution that must have failed in a step, with this code.
    #[track_caller]
    pub(crate) fn step_failed(self, code: &str) -> Self {
        assert_eq!((self.code, self.err.as_str()), (Some(1), ""), "{}", self.out);
        assert_eq!(self.envelope()["status"], "failed", "{}", self.out);
        let steps = self.envelope()["stepResults"].as_array().unwrap();
        let failed = steps.iter().find(|step| step["success"] == false).unwrap();
        assert_eq!(failed["data"]["error"], code, "{}", self.out);
        assert!(failed["data"]["message"].is_string(), "{}", self.out);
        assert!(self.envelope()["hint"].is_string(), "{}", self.out);
        self
    }

    /// A failure that is no envelope: its code, a sentence, and what to do.
    #[track_caller]
    pub(crate) fn failed(self, code: &str) -> Self {
        assert_eq!(self.json["code"], code, "{}{}", self.out, self.err);
        assert_eq!((self.code, self.err.as_str()), (Some(1), ""), "{}", self.out);
        for key in ["message", "hint"] {
            let text = self.json[key].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "no {key}: {}", self.out);
        }
        self
    }

    pub(crate) fn envelope(&self) -> &Value {
        &self.json["envelope"]
    }

    /// The results of its steps.
    #[track_caller]
    pub(crate) fn steps(&self) -> &Vec<Value> {
        let steps = self.envelope()["stepResults"].as_array();
        steps.unwrap_or_else(|| panic!("no steps: {}", self.out))
    }

    /// What a step has to say under this key.
    #[track_caller]
    pub(crate) fn data(&self, step: usize, key: &str) -> &str {
        let data = self.steps().get(step).and_then(|step| step["data"][key].as_str());
        data.unwrap_or_else(|| panic!("no {key} in step {step}: {}", self.out))
    }

    /// What a failure says under this key.
    pub(crate) fn detail(&self, key: &str) -> &Value {
        &self.json["details"][key]
    }

    #[track_caller]
    pub(crate) fn message(&self) -> &str {
        self.json["message"].as_str().unwrap_or_else(|| panic!("no message: {}", self.out))
    }
}
