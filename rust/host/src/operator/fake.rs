//! A phone that says what a test has written down, as real phones print it.

use crate::device::{Device, Output, Reader, Unreachable, Writer};
use clawperator_contract::message::{Message, PROTOCOL};
use clawperator_contract::{ErrorCode, Failure};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Mutex;
use std::time::Duration;

/// A command (or the beginning of one), what it prints and its exit code.
pub(crate) type Said = (&'static str, &'static str, u8);

pub(crate) struct Fake {
    pub(crate) says: Vec<Said>,
    pub(crate) operator: Listener,
    /// The lines it was sent.
    pub(crate) heard: Mutex<Vec<String>>,
}

/// Who is at the operator's socket.
#[derive(Clone, Copy)]
pub(crate) enum Listener {
    Nobody,
    /// An operator of this protocol and version, with its service running or not.
    Operator(u32, &'static str, bool),
    /// Somebody who closes the connection at once.
    Mute,
}

pub(crate) const OURS: Listener = Listener::Operator(PROTOCOL, "0.1.0", true);

impl Fake {
    pub(crate) fn saying(says: &[Said]) -> Self {
        Self { says: says.to_vec(), operator: Listener::Nobody, heard: Mutex::default() }
    }

    pub(crate) fn with(mut self, operator: Listener) -> Self {
        self.operator = operator;
        self
    }

    /// The lines it was sent.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    /// One command; what nobody wrote down is not on this phone.
    fn command(&self, command: &str) -> (&'static str, u8) {
        let known = self.says.iter().filter(|(own, ..)| command.starts_with(own));
        let longest = known.max_by_key(|(own, ..)| own.len());
        longest.map_or(("sh: inaccessible or not found\n", 127), |(_, text, code)| (*text, *code))
    }
}

impl Device for Fake {
    fn serial(&self) -> &'static str {
        "FAKE01"
    }

    /// Understands lines of the form the host sends: commands with `;` and `&&` between them, and
    /// `grep -E` with plain words at the end of a pipe.
    fn shell(&self, line: &str, _within: Duration) -> Result<Output, Failure> {
        self.heard.lock().unwrap().push(line.to_owned());
        let (mut out, mut code) = (String::new(), 0);
        for part in line.split("; ") {
            for (index, command) in part.split(" && ").enumerate() {
                if index > 0 && code != 0 {
                    continue;
                }
                let command = command.trim_end_matches(" 2>&1");
                if let Some(words) = command.strip_prefix("echo ") {
                    out += &format!("{}\n", words.replace("$?", &code.to_string()));
                    code = 0;
                    continue;
                }
                let (command, wanted) = match command.split_once(" | grep -E ") {
                    Some((command, words)) => (command, Some(words.trim_matches('\''))),
                    None => (command, None),
                };
                let (text, ended) = self.command(command);
                let fits = |line: &&str| {
                    wanted.is_none_or(|words| words.split('|').any(|word| line.contains(word)))
                };
                let lines: Vec<&str> = text.lines().filter(fits).collect();
                code = if wanted.is_some() { u8::from(lines.is_empty()) } else { ended };
                lines.iter().for_each(|line| out += &format!("{line}\n"));
            }
        }
        Ok(Output { stdout: out.into_bytes(), stderr: Vec::new(), code })
    }

    fn shell_with_input(
        &self,
        line: &str,
        input: &mut (dyn Read + Send),
        within: Duration,
    ) -> Result<Output, Failure> {
        std::io::copy(input, &mut std::io::sink()).unwrap();
        self.shell(line, within)
    }

    fn follow(&self, _line: &str, _within: Duration) -> Result<Reader, Failure> {
        Err(Failure::new(ErrorCode::NotImplemented, "this phone has no log"))
    }

    fn connect(&self, _socket: &str, _within: Duration) -> Result<(Reader, Writer), Unreachable> {
        let (host, mut phone) = UnixStream::pair().unwrap();
        match self.operator {
            Listener::Nobody => return Err(Unreachable::NobodyListens),
            Listener::Mute => drop(phone),
            Listener::Operator(protocol, version, service_running) => {
                // The host reads this after its own first words; nothing else is said.
                let welcome = Message::Welcome {
                    protocol,
                    app_version: version.into(),
                    package: "com.clawperator.operator".into(),
                    boot_id: "1".into(),
                    service_running,
                    uptime_ms: 0,
                };
                let mut bytes = Vec::new();
                welcome.to_frame().write(&mut bytes).unwrap();
                phone.write_all(&bytes).unwrap();
                std::thread::spawn(move || std::io::copy(&mut phone, &mut std::io::sink()));
            }
        }
        let writer = host.try_clone().unwrap();
        Ok((Box::new(host), Box::new(writer)))
    }

    fn pull(&self, path: &str, _into: &mut dyn Write, _within: Duration) -> Result<u64, Failure> {
        Err(Failure::new(ErrorCode::NotImplemented, format!("this phone has no {path}")))
    }

    fn recover(&self, _within: Duration) -> Result<(), Failure> {
        Ok(())
    }
}
