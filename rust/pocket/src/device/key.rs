//! Keys.

use super::{Hand, Sent, adb, incomplete, operator, send};
use crate::outcome::{Done, Outcome};
use clawperator_host::build;
use serde_json::json;

/// Keys the operator presses itself, by Android's names and numbers.
const OF_THE_SYSTEM: [(&str, &str, &str); 3] = [
    ("KEYCODE_BACK", "4", "back"),
    ("KEYCODE_HOME", "3", "home"),
    ("KEYCODE_APP_SWITCH", "187", "recents"),
];

/// A key of the phone's shell, in milliseconds.
const KEY: f64 = 20_000.0;

impl Hand<'_> {
    pub(super) fn key(&self, asked: &str) -> Done {
        let code = asked.trim();
        if !is_key(code) {
            let message = "keycode must be a name such as KEYCODE_ENTER or a number of up to four \
                           digits; no key was pressed";
            return Err(incomplete(message).detail("fields", json!(["keycode"])));
        }
        let system =
            OF_THE_SYSTEM.iter().find(|(name, number, _)| *name == code || *number == code);
        let done = match system {
            Some((_, _, key)) => self.system_key(code, key)?,
            // Services may not press other keys; the shell may.
            None => {
                adb::run(self.route.device, &adb::key(code), KEY)?;
                Outcome::default().with("via", "adb")
            }
        };
        Ok(Outcome { text: format!("Sent keyevent {code}"), ..done }.with("keycode", code))
    }

    fn system_key(&self, code: &str, key: &str) -> Done {
        let actions = json!([{ "id": "press", "type": "press_key", "params": { "key": key } }]);
        match send(self.route, "press", &actions, build::timeout(None))? {
            Sent::Done(done) => operator::outcome(&done),
            Sent::Unreachable(why) => {
                adb::run(self.route.device, &adb::key(code), KEY)?;
                Ok(operator::without(&why))
            }
        }
    }
}

fn is_key(code: &str) -> bool {
    let name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    match code.strip_prefix("KEYCODE_") {
        Some(rest) => !rest.is_empty() && rest.len() <= 64 && rest.chars().all(name),
        None => (1..=4).contains(&code.len()) && code.bytes().all(|c| c.is_ascii_digit()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_and_numbers_of_keys_go_anywhere() {
        for key in ["KEYCODE_ENTER", "KEYCODE_0", "KEYCODE_DPAD_UP", "66", "0", "1024"] {
            assert!(is_key(key), "{key}");
        }
        for other in
            ["", "KEYCODE_", "ENTER", "keycode_back", "KEYCODE_A; reboot", "6 6", "-1", "10000"]
        {
            assert!(!is_key(other), "{other}");
        }
    }
}
