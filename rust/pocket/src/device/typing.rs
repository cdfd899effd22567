//! Text into the field that has the focus.

use super::{Hand, Sent, adb, failure_of, incomplete, operator, send};
use crate::normalise::{Note, Used};
use crate::outcome::{Done, Outcome};
use clawperator_contract::{ErrorCode, Failure, Status};
use clawperator_host::build;
use clawperator_host::device::Device;
use clawperator_link::broadcast::shell_quoted;
use serde_json::json;
use std::time::Duration;

const TYPING: Duration = Duration::from_secs(20);

impl Hand<'_> {
    pub(super) fn type_text(&self, text: &str, notes: &[Note]) -> Done {
        if notes.iter().any(|note| note.field == "text" && note.used == Used::Default) {
            let failure = incomplete("type has no usable text; nothing was typed");
            return Err(failure.detail("fields", json!(["text"])));
        }
        let length = text.encode_utf16().count();
        let typed = |how: &str, done: Outcome| {
            let text = format!("Typed text{how} length={length}");
            Ok(Outcome { text, ..done }.with("length", length))
        };
        if text.is_empty() {
            return typed("", Outcome::default());
        }
        let device = self.route.device;
        let (line, enters) = match text.strip_suffix('\n') {
            Some(line) => (line.strip_suffix('\r').unwrap_or(line), true),
            None => (text, false),
        };
        // The operator takes a text that is one; blanks alone are keys.
        if line.trim().is_empty() && line.is_ascii() {
            keys(device, text)?;
            return typed("", Outcome::default().with("via", "adb"));
        }
        let actions = json!([{
            "id": "type", "type": "type_text", "params": { "text": line, "submit": enters },
        }]);
        match send(self.route, "type", &actions, build::timeout(None))? {
            Sent::Done(done) if done.envelope.status == Status::Failed => {
                let why = failure_of(&done.envelope);
                // A field that hides what it holds cannot be added to by setting its text.
                if why.code == ErrorCode::SetTextFailed && text.is_ascii() {
                    keys(device, text)?;
                    return typed("", Outcome::default().with("via", "adb"));
                }
                Err(untyped(&why))
            }
            Sent::Done(done) => typed("", operator::outcome(&done)?),
            Sent::Unreachable(why) if text.is_ascii() => {
                keys(device, text)?;
                typed("", operator::without(&why))
            }
            Sent::Unreachable(why) => {
                paste(device, text)?;
                typed(" via clipboard paste", operator::without(&why))
            }
        }
    }
}

/// What the operator said of the field, under the code of this action.
fn untyped(why: &Failure) -> Failure {
    let typing = [ErrorCode::NoFocusedField, ErrorCode::SetTextFailed];
    if !typing.contains(&why.code) {
        return why.clone();
    }
    let code = ErrorCode::PocketTextFailed;
    Failure::new(code, why.message.clone()).detail("cause", why.code.name()).hint(code.remedy())
}

/// Types on a keyboard.
fn keys(device: &dyn Device, text: &str) -> Result<(), Failure> {
    for line in adb::typed(text) {
        adb::run_line(device, &line, TYPING)?;
    }
    Ok(())
}

/// Pastes what no keyboard has. What the clipboard holds is read back first: pasting what somebody
/// else put there would be worse than nothing.
fn paste(device: &dyn Device, text: &str) -> Result<(), Failure> {
    let clipboard = |words: &[&str]| {
        let line = shell_quoted(&adb::words(&[&["cmd", "clipboard"], words].concat()));
        device.shell(&line, TYPING)
    };
    let refused = |why: &str| {
        let code = ErrorCode::PocketTextFailed;
        let message = format!(
            "a text that is not ASCII needs the operator or a clipboard the shell can set; {why}; \
             nothing was typed"
        );
        Failure::new(code, message).hint("Set up the operator: `clawperator operator setup`.")
    };
    let set = clipboard(&["set", "text", text])?;
    if !set.ok() {
        return Err(refused("this phone's shell cannot set it"));
    }
    let held = clipboard(&["get", "text"])?;
    if !held.ok() || held.text() != text.trim_end() {
        return Err(refused("what was set could not be read back"));
    }
    adb::run(device, &adb::key("KEYCODE_PASTE"), 20_000.0).map(drop)
}
