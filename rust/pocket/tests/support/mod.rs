//! A workspace with a secret beside it, and the computer's side of a session in it.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_pocket::{Computer, Config, Done, Outcome, normalise};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Long enough that only what hangs takes it.
pub const LONG: Duration = Duration::from_secs(100);

/// Two folders, `in` and `out`, removed when the test ends.
pub struct Dir(PathBuf);

impl Dir {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("computer-{}-{number}", std::process::id()));
        fs::create_dir_all(path.join("in")).unwrap();
        fs::create_dir_all(path.join("out")).unwrap();
        fs::write(path.join("out/secret.md"), "secret\n").unwrap();
        Self(path.canonicalize().unwrap())
    }

    /// A path in the workspace.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join("in").join(path)
    }

    /// A path beside the workspace.
    pub fn outside(&self, path: &str) -> PathBuf {
        self.0.join("out").join(path)
    }

    pub fn put(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A program that does not listen when asked to end, and holds a fifo open while it lives.
    pub fn deaf(&self, fifo: &str) -> String {
        let script = format!(
            "#!/bin/bash\ntrap '' TERM\nexec 3> {}\necho ready\nwhile :; do sleep 0.1; done\n",
            self.path(fifo).display()
        );
        self.put("deaf", &script);
        let path = self.path("deaf");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub fn link(&self, target: impl AsRef<Path>, path: &str) {
        symlink(target, self.path(path)).unwrap();
    }

    /// The computer by these settings.
    pub fn desk(&self, settings: &Value) -> Desk {
        let config = Config::of_json(settings).unwrap();
        let computer = Computer::new(config, &self.path("")).unwrap();
        Desk { computer, stop: Stop::default() }
    }

    /// The computer with every program allowed.
    pub fn free(&self) -> Desk {
        // A program with a path of its own has to be named.
        let all = json!({"allowedCommands": ["*", self.path("deaf")]});
        self.desk(&json!({"scriptExecutor": all, "codingTools": all}))
    }

    /// A fifo in the workspace, and news of the moment when everybody who wrote to it is gone.
    pub fn fifo(&self, name: &str) -> mpsc::Receiver<()> {
        let path = self.path(name);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let (sender, gone) = mpsc::channel();
        std::thread::spawn(move || {
            fs::read(path).unwrap();
            let _ = sender.send(());
        });
        gone
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub struct Desk {
    pub computer: Computer,
    pub stop: Stop,
}

impl Desk {
    /// What comes of an action as a model sends it.
    pub fn act(&mut self, action: &Value) -> Done {
        let normalised = normalise(action);
        let done = self.computer.perform(&normalised.action, &normalised.notes, &self.stop);
        done.expect("an action of the computer")
    }

    pub fn done(&mut self, action: &Value) -> Outcome {
        self.act(action).unwrap_or_else(|failure| panic!("{action}: {failure}"))
    }

    pub fn fails(&mut self, action: &Value, code: ErrorCode) -> Failure {
        let failure = self.act(action).expect_err("it was done");
        assert_eq!(failure.code, code, "{failure}");
        failure
    }

    pub fn script(&mut self, script: &str) -> Outcome {
        self.done(&json!({"type": "run_script", "script": script}))
    }

    pub fn exec(&mut self, command: &str) -> Outcome {
        self.done(&json!({"type": "exec", "command": command}))
    }

    /// Starts a command in the background and gives its session.
    pub fn start(&mut self, command: &str) -> String {
        let started = self.done(&json!({"type": "exec", "command": command, "background": true}));
        started.data["session"].as_str().unwrap().to_owned()
    }

    pub fn process(&mut self, action: &str, session: &str) -> Outcome {
        self.done(&json!({
            "type": "process", "action": action, "sessionId": session, "timeoutMs": 100_000,
        }))
    }
}
