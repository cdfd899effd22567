//! One step of a session: who does its action, and what is answered.

use super::request::Act;
use super::{Ending, Session, Tell, people, record, refused};
use crate::Action;
use crate::device::Hand;
use crate::human::{Ask, Plan};
use crate::outcome::{Done, Outcome};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Value, json};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

impl Session {
    /// Does an action and answers it.
    pub(super) fn step(&mut self, mut act: Act, tell: Tell<'_>) -> Value {
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
        if !self.stop.sleep(time) {
            let code = ErrorCode::PocketStopped;
            return Err(Failure::new(code, "stopped while waiting").hint(code.remedy()));
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
}

fn incomplete(message: impl Into<String>) -> Failure {
    let code = ErrorCode::PocketActionIncomplete;
    Failure::new(code, message).hint(code.remedy())
}
