//! A session: an agent sends lines, each is done and answered with one line.
//!
//! One thread reads, so that a stop or a person's decision is heard while something is being done;
//! everything else is done in the order of the lines.

mod people;
mod phone;
mod reader;
mod record;
mod request;

pub use phone::Phone;
pub use record::Record;
pub use request::{Act, BadLine, Decide, Line, Pictures, Request, Wish};

use crate::computer::Computer;
use crate::config::Config;
use crate::device::Hand;
use crate::human::{Ask, Opened, Plan, Secret};
use crate::outcome::{Done, Outcome};
use crate::snapshot::{Eye, Scaling, ScreenSnapshot};
use crate::{Action, tools};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use people::People;
use reader::Heard;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often a wait looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(20);

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The agent said that it is done.
    Finished(String),
    /// The lines ended before that.
    Ran,
    /// Somebody stopped it, or it came to its limit.
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
        self.end()
    }

    fn answer(&mut self, heard: Heard, tell: Tell<'_>) -> Value {
        match heard {
            Heard::Bad(bad) => named(bad.id, refused(&bad.failure)),
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

    fn step(&mut self, mut act: Act, tell: Tell<'_>) -> Value {
        if u64::from(self.steps) >= self.config.agent.max_steps {
            self.ending = Some(Ending::Failed(ErrorCode::PocketStepLimit));
            let code = ErrorCode::PocketStepLimit;
            let message = format!("Max steps reached ({})", self.config.agent.max_steps);
            return refused(&Failure::new(code, message).hint(code.remedy()));
        }
        self.steps += 1;
        self.looks = 0;
        let started = Instant::now();
        let done = self.perform(&mut act, tell);
        let took = started.elapsed();
        let kept = self.record.step(self.steps, &act, &done, took);
        let mut answer = json!({"ok": done.is_ok(), "step": self.steps});
        answer["action"] = match act.secret {
            // What is typed was never the agent's to see.
            Some(_) => record::discreet(&act.action),
            None => json!(act.action),
        };
        if let Some(notes) = act.surprises() {
            answer["notes"] = notes;
        }
        match &done {
            Ok(outcome) => answer["result"] = json!(outcome),
            Err(failure) => answer["error"] = json!(failure),
        }
        if matches!(self.ending, Some(Ending::Finished(_))) {
            answer["finished"] = json!(true);
        }
        if let Err(failure) = kept {
            answer["unrecorded"] = json!(failure);
        }
        answer["durationMs"] = json!(u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        answer
    }

    fn perform(&mut self, act: &mut Act, tell: Tell<'_>) -> Done {
        if let Some(name) = act.secret.clone() {
            let Action::Type { text, .. } = &mut act.action else {
                return Err(incomplete("only `type` takes a `secret`"));
            };
            let secret = self.secrets.get(&name).ok_or_else(|| {
                let known: Vec<&str> = self.secrets.keys().map(String::as_str).collect();
                incomplete(format!("nobody gave {name:?}; there are {known:?}"))
            })?;
            secret.reveal().clone_into(text);
            act.notes.retain(|note| note.field != "text");
        }
        if let Some(id) = act.element.clone() {
            return self.tap(act, &id);
        }
        match &act.action {
            Action::Finish { message } => {
                let said = if message.trim().is_empty() { "Task completed." } else { message };
                self.ending = Some(Ending::Finished(said.to_owned()));
                let folder = self.record.folder().display().to_string();
                Ok(Outcome::new(format!("FINISH: {said}")).with("session", folder))
            }
            Action::Wait { duration_ms, .. } => self.wait(Duration::from_millis(*duration_ms)),
            Action::RequestHumanAuth { .. } => self.ask(&act.action, &act.thought, tell),
            action => {
                let route = self.phone.route(&self.stop);
                Hand::new(&route)
                    .perform(action, &act.notes, self.seen.as_ref())
                    .or_else(|| self.computer.perform(action, &act.notes, &self.stop))
                    .unwrap_or_else(|| {
                        let message = "no executor takes this action";
                        Err(Failure::new(ErrorCode::InternalError, message))
                    })
            }
        }
    }

    fn tap(&self, act: &mut Act, id: &str) -> Done {
        let Action::Tap { x, y, .. } = &mut act.action else {
            return Err(incomplete("only `tap` takes an `element`"));
        };
        let Some(seen) = &self.seen else {
            let code = ErrorCode::PocketElementUnknown;
            let message = format!("element {id:?}: there was no snapshot yet");
            return Err(Failure::new(code, message).detail("element", id).hint(code.remedy()));
        };
        let element = seen.element(id)?;
        (*x, *y) = (element.scaled_center.x.into(), element.scaled_center.y.into());
        act.notes.clear();
        let route = self.phone.route(&self.stop);
        Ok(Hand::new(&route).tap(element.center)?.with("element", id))
    }

    fn wait(&self, time: Duration) -> Done {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            if self.stop.is_asked() {
                let code = ErrorCode::PocketStopped;
                return Err(Failure::new(code, "stopped while waiting").hint(code.remedy()));
            }
            thread::sleep(left.min(LOOK));
        }
        Ok(Outcome::new(format!("Waited {}ms", time.as_millis())))
    }

    fn ask(&mut self, action: &Action, thought: &str, tell: Tell<'_>) -> Done {
        let Action::RequestHumanAuth {
            capability,
            instruction,
            timeout_sec,
            reason,
            ui_template,
            template_path,
        } = action
        else {
            return Err(Failure::new(ErrorCode::InternalError, "not a question to a person"));
        };
        let Some(people) = &self.people else {
            let code = ErrorCode::PocketHumanUnavailable;
            let message = "humanAuth.enabled is false in the settings of this session";
            return Err(Failure::new(code, message).hint(code.remedy()));
        };
        let ask = Ask {
            capability: *capability,
            instruction,
            reason: reason.as_deref().unwrap_or(thought),
            timeout_sec: *timeout_sec,
            task: "",
            session_id: &self.record.folder().file_name().unwrap_or_default().to_string_lossy(),
            step: u64::from(self.steps),
            current_app: self.seen.as_ref().map_or("", |seen| &seen.current_app),
            screenshot_path: None,
            ui_template: ui_template.as_deref(),
            template_path: template_path.as_deref(),
        };
        let workspace = Some(self.computer.workspace());
        let decision = people.bridge.ask(&ask, workspace, &self.stop, tell)?;
        let decision = decision.approved()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let plan = Plan::of(*capability, &decision, u64::try_from(now).unwrap_or_default())?;
        let outcome = Outcome::new("Human auth approved")
            .with("requestId", decision.request_id.as_str())
            .with("status", decision.status.word());
        let done = people::apply(&plan, &self.phone, &self.stop, outcome);
        self.secrets.extend(plan.values);
        done
    }

    fn look(&mut self, wish: &Wish) -> Result<Value, Failure> {
        let scaling = wish.model.as_deref().map_or(self.scaling, Scaling::for_model);
        let mut seen = self.eye.snapshot(&self.phone.route(&self.stop), scaling)?;
        self.looks += 1;
        let mut answer = json!({"ok": true});
        if self.config.screenshots.save_step_screenshots || wish.pictures == Pictures::Files {
            let files = self.record.look(
                self.steps + 1,
                self.looks,
                &seen.screenshot_base64,
                seen.som_screenshot_base64.as_deref(),
                &json!(seen.ui_elements),
            )?;
            self.record
                .keep(usize::try_from(self.config.screenshots.max_count).unwrap_or(usize::MAX));
            answer["files"] = json!({"screen": files.screen, "marks": files.marks});
        }
        let shown = if wish.pictures == Pictures::Files {
            let (screen, marks) =
                (std::mem::take(&mut seen.screenshot_base64), seen.som_screenshot_base64.take());
            let shown = json!(seen);
            seen.screenshot_base64 = screen;
            seen.som_screenshot_base64 = marks;
            shown
        } else {
            json!(seen)
        };
        answer["snapshot"] = shown;
        self.seen = Some(seen);
        Ok(answer)
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

fn incomplete(message: impl Into<String>) -> Failure {
    let code = ErrorCode::PocketActionIncomplete;
    Failure::new(code, message).hint(code.remedy())
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
