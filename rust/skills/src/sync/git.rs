//! Calling git: never asking a person, never for longer than was allowed.

use super::sync_failed;
use clawperator_contract::{ErrorCode, Failure};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Bytes that are kept of what it says.
const KEPT: u64 = 10 << 20;
/// No hook of the copy runs, files are as they were committed, and nothing goes on afterwards.
const ALWAYS: [&str; 8] = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.autocrlf=false",
    "-c",
    "gc.auto=0",
    "-c",
    "advice.detachedHead=false",
];
/// Inside of a hook these name another repository.
const NOT_OURS: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"];

/// The program and its time.
#[derive(Clone, Copy)]
pub(super) struct Git<'a> {
    pub(super) program: &'a Path,
    pub(super) limit: Duration,
}

impl Git<'_> {
    pub(super) fn is_there(&self) -> Result<(), Failure> {
        match self.call(None, &["--version"]) {
            Ok(Some(ended)) if ended.status.success() => Ok(()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(sync_failed(format!("{}: {error}", self.program.display())))
            }
            _ => {
                let code = ErrorCode::SkillsGitNotFound;
                let message = format!("{} cannot be run", self.program.display());
                Err(Failure::new(code, message).hint(code.remedy()))
            }
        }
    }

    /// What it said, without the line end; a failure holds git's own words.
    pub(super) fn run(&self, folder: Option<&Path>, args: &[&str]) -> Result<String, Failure> {
        let what = args.first().copied().unwrap_or_default();
        match self.call(folder, args) {
            Ok(Some(ended)) if ended.status.success() => Ok(ended.out.trim_end().to_owned()),
            Ok(Some(ended)) => {
                let words = without_secrets(&last_words(&ended.err));
                Err(sync_failed(format!("git {what} failed: {words}"))
                    .hint("check the network and the address of the repository"))
            }
            Ok(None) => {
                let limit = self.limit.as_millis();
                Err(sync_failed(format!("git {what} did not end within {limit} ms"))
                    .hint("check the network, or give it more time with --timeout"))
            }
            Err(error) => Err(sync_failed(format!("git {what}: {error}"))),
        }
    }

    /// Runs it to its end, or ends it and all it started when it takes too long.
    fn call(&self, folder: Option<&Path>, args: &[&str]) -> io::Result<Option<Ended>> {
        let mut command = Command::new(self.program);
        if let Some(folder) = folder {
            command.arg("-C").arg(folder);
        }
        command.args(ALWAYS).args(args);
        command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        if std::env::var_os("GIT_SSH_COMMAND").is_none() {
            command.env("GIT_SSH_COMMAND", "ssh -oBatchMode=yes");
        }
        for name in NOT_OURS {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own, so that what it starts ends with it.
        command.process_group(0);
        let mut child = command.spawn()?;
        let group = i32::try_from(child.id()).ok().map(Pid::from_raw);
        let (out, err) = (listen(child.stdout.take()), listen(child.stderr.take()));
        let (send, ended) = mpsc::channel();
        thread::spawn(move || send.send(child.wait()));
        let Ok(status) = ended.recv_timeout(self.limit) else {
            if let Some(group) = group {
                let _ = killpg(group, Signal::SIGKILL);
            }
            return Ok(None);
        };
        let text = |from: thread::JoinHandle<Vec<u8>>| {
            String::from_utf8_lossy(&from.join().unwrap_or_default()).into_owned()
        };
        Ok(Some(Ended { status: status?, out: text(out), err: text(err) }))
    }
}

struct Ended {
    status: ExitStatus,
    out: String,
    err: String,
}

fn listen(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut kept = Vec::new();
        if let Some(mut from) = from {
            let _ = from.by_ref().take(KEPT).read_to_end(&mut kept);
            // It may go on talking; nobody listens, but it is not to wait.
            let _ = io::copy(&mut from, &mut io::sink());
        }
        kept
    })
}

fn last_words(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(4)..].join(" / ")
}

/// Addresses without the name and password some carry.
fn without_secrets(text: &str) -> String {
    let mut parts = text.split("://");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown += "://";
        let host = part.find(|c: char| c == '/' || c.is_whitespace() || c == '\'');
        let host = host.unwrap_or(part.len());
        let start = part[..host].rfind('@').map_or(0, |at| at + 1);
        shown += &part[start..];
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_not_told() {
        let text = "unable to access 'https://me:pass@host/x.git/': no, see https://a.b/c@d";
        let shown = without_secrets(text);
        assert_eq!(shown, "unable to access 'https://host/x.git/': no, see https://a.b/c@d");
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let folder = crate::scratch::folder("slow-git");
        let program = folder.join("git");
        std::fs::write(&program, "#!/bin/sh\nexec sleep 600\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&program, mode).unwrap();
        let git = Git { program: &program, limit: Duration::from_millis(20) };
        let failure = git.run(None, &["fetch"]).unwrap_err();
        assert!(failure.message.contains("did not end within 20 ms"), "{failure}");
    }

    #[test]
    fn a_program_that_is_missing_has_a_code_of_its_own() {
        let git = Git { program: Path::new("/nowhere/git"), limit: Duration::from_secs(60) };
        assert_eq!(git.is_there().unwrap_err().code, ErrorCode::SkillsGitNotFound);
    }
}
