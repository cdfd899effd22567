//! A session: an agent sends lines, each is done and answered with one line.
//!
//! One thread reads, so that a stop or a person's decision is heard while something is being done;
//! everything else is done in the order of the lines.

mod look;
mod people;
mod phone;
mod reader;
mod record;
mod request;
mod step;

pub use phone::Phone;
pub use record::Record;
pub use request::{Act, BadLine, Decide, Line, Pictures, Request, Wish};

use crate::computer::Computer;
use crate::config::Config;
use crate::device::Hand;
use crate::human::{Opened, Secret};
use crate::snapshot::{Eye, Scaling, ScreenSnapshot};
use crate::{Action, tools};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use people::People;
use reader::{Heard, Lines};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The agent said that it is done.
    Finished(String),
    /// The lines ended before that.
    Ran,
    /// Somebody stopped it, it came to its limit, or the agent could not be heard or answered.
    Failed(ErrorCode),
}

/// Is told where a person can answer.
pub type Tell<'a> = &'a mut dyn FnMut(&Opened);

/// A session that runs.
pub struct Session {
    phone: Arc<Phone>,
    stop: Stop,
    config: Config,
    computer: Computer,
    people: Option<People>,
    eye: Eye,
    /// The last look, whose picture the agent's points are of.
    seen: Option<ScreenSnapshot>,
    scaling: Scaling,
    /// What people gave under names, as long as the session lives.
    secrets: BTreeMap<String, Secret>,
    record: Record,
    steps: u32,
    looks: u32,
    ending: Option<Ending>,
}

impl Session {
    /// Begins a session on a phone, in a workspace, with its record in a folder.
    ///
    /// # Errors
    /// The workspace or the folder cannot be used, or the settings' relay cannot be started.
    pub fn begin(
        phone: Phone,
        config: Config,
        workspace: &Path,
        folder: &Path,
        model: &str,
        stop: &Stop,
    ) -> Result<Self, Failure> {
        let phone = Arc::new(phone);
        let computer = Computer::new(config.clone(), workspace)?;
        let people = People::of(&config.human_auth, &phone, stop)?;
        let record = Record::begin(folder, phone.device.serial())?;
        Ok(Self {
            phone,
            stop: stop.clone(),
            config,
            computer,
            people,
            eye: Eye::default(),
            seen: None,
            scaling: Scaling::for_model(model),
            secrets: BTreeMap::new(),
            record,
            steps: 0,
            looks: 0,
            ending: None,
        })
    }

    /// Answers every line until the agent finishes, stops, or has no more to say.
    ///
    /// # Errors
    /// The answers cannot be written.
    pub fn run(
        mut self,
        input: impl Read + Send + 'static,
        out: &mut dyn Write,
        tell: Tell<'_>,
    ) -> Result<Ending, Failure> {
        let bridge = self.people.as_ref().map(|people| Arc::clone(&people.bridge));
        let lines = reader::listen(input, self.stop.clone(), bridge)?;
        let talked = self.talk(&lines, out, tell);
        if let Err(failure) = &talked {
            // The agent has gone. What it began is ended all the same, and written down.
            self.ending = Some(Ending::Failed(failure.code));
        }
        let ended = self.end();
        talked.and(ended)
    }

    fn talk(&mut self, lines: &Lines, out: &mut dyn Write, tell: Tell<'_>) -> Result<(), Failure> {
        let mut write = |answer: &Value| {
            writeln!(out, "{answer}").and_then(|()| out.flush()).map_err(|error| {
                let code = ErrorCode::OutputUnwritable;
                Failure::new(code, format!("the answers: {error}")).hint(code.remedy())
            })
        };
        while self.ending.is_none() {
            let Some(heard) = lines.next(&self.stop) else { break };
            write(&self.answer(heard, tell))?;
        }
        if self.stop.is_asked() && self.ending.is_none() {
            self.ending = Some(Ending::Failed(ErrorCode::PocketStopped));
        }
        // What was sent after the end was not done, and says so.
        for heard in lines.waiting() {
            let stops = matches!(&heard, Heard::Line(line) if line.request == Request::Stop);
            let answer = if stops { stopped() } else { refused(&over(self.ending.as_ref())) };
            write(&named(heard.id(), answer))?;
        }
        Ok(())
    }

    fn answer(&mut self, heard: Heard, tell: Tell<'_>) -> Value {
        match heard {
            Heard::Bad(bad) => {
                if bad.failure.code == ErrorCode::InputUnreadable {
                    // Nothing more can come.
                    self.ending = Some(Ending::Failed(ErrorCode::InputUnreadable));
                }
                named(bad.id, refused(&bad.failure))
            }
            Heard::Decided { id, known } => {
                let answer = if known {
                    json!({"ok": true, "decided": true})
                } else {
                    let code = ErrorCode::PocketRequestInvalid;
                    refused(&Failure::new(code, "no question of that id waits for a decision"))
                };
                named(id, answer)
            }
            Heard::Line(Line { id, request })
                if self.stop.is_asked() && request != Request::Stop =>
            {
                self.ending = Some(Ending::Failed(ErrorCode::PocketStopped));
                named(id, refused(&over(self.ending.as_ref())))
            }
            Heard::Line(Line { id, request }) => named(
                id,
                match request {
                    Request::Act(act) => self.step(*act, tell),
                    Request::Snapshot(wish) => {
                        self.look(&wish).unwrap_or_else(|failure| refused(&failure))
                    }
                    Request::Tools => json!({"ok": true, "tools": tools::definitions()}),
                    Request::Stop => {
                        self.ending = Some(Ending::Failed(ErrorCode::PocketStopped));
                        stopped()
                    }
                    // The reader has answered it.
                    Request::Decide(_) => json!({"ok": false}),
                },
            ),
        }
    }

    fn end(mut self) -> Result<Ending, Failure> {
        let ending = self.ending.take().unwrap_or(Ending::Ran);
        if self.config.agent.return_home_on_task_end && self.seen.is_some() {
            // A stop is about what the agent asked for, not about leaving the phone tidy.
            let stop = Stop::default();
            let home = Action::Keyevent { keycode: "KEYCODE_HOME".into(), reason: None };
            let _ = Hand::new(&self.phone.route(&stop)).perform(&home, &[], None);
        }
        let (status, message) = match &ending {
            Ending::Finished(message) => ("SUCCESS", message.clone()),
            Ending::Ran => ("ENDED", "The lines ended without a finish.".to_owned()),
            Ending::Failed(code) => ("FAILED", code.meaning().to_owned()),
        };
        self.record.end(status, &message)?;
        Ok(ending)
    }
}

/// What comes too late is told why.
fn over(ending: Option<&Ending>) -> Failure {
    let (code, message) = match ending {
        Some(Ending::Failed(code)) => (*code, code.meaning()),
        _ => (ErrorCode::PocketStopped, "the session has finished"),
    };
    Failure::new(code, message).hint(code.remedy())
}

fn stopped() -> Value {
    json!({"ok": true, "stopped": true})
}

fn refused(failure: &Failure) -> Value {
    json!({"ok": false, "error": failure})
}

/// The answer with the name of its line in front.
fn named(id: Option<Value>, answer: Value) -> Value {
    let Some(id) = id else { return answer };
    let mut named = serde_json::Map::new();
    named.insert("id".into(), id);
    if let Value::Object(answer) = answer {
        named.extend(answer);
    }
    Value::Object(named)
}
