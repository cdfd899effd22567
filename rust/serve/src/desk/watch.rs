//! Phones that come and go.

use super::Desk;
use clawperator_adb::{Listed, State};
use serde_json::json;
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

/// A phone came, went or changed.
const DEVICE: &str = "clawperator:device";
/// An adb server that cannot be reached is called again after so long.
const PAUSE: Duration = Duration::from_secs(5);
/// How often it is asked whether to go on.
const LOOK: Duration = Duration::from_millis(250);

impl Desk {
    /// Tells of phones that come and go, until it is over. Blocks.
    pub fn follow_phones(&self, over: &dyn Fn() -> bool) {
        let mut known: Option<BTreeMap<String, State>> = None;
        while !over() {
            let followed = self.phones().follow(&mut |listed| {
                if let Some(now) = listed.map(by_serial) {
                    // What was there at the beginning is no news.
                    if let Some(before) = &known {
                        self.tell_changes(before, &now);
                    }
                    known = Some(now);
                }
                !over()
            });
            if let Err(failure) = &followed {
                log::debug!("phones cannot be followed: {failure}");
            }
            let pauses = PAUSE.as_millis() / LOOK.as_millis();
            for _ in 0..pauses {
                if over() {
                    return;
                }
                thread::sleep(LOOK);
            }
        }
    }

    fn tell_changes(&self, before: &BTreeMap<String, State>, now: &BTreeMap<String, State>) {
        for (serial, state) in now {
            if before.get(serial) != Some(state) {
                let connected = *state == State::Device;
                let news = json!({ "deviceId": serial, "state": state.to_string(), "connected": connected });
                self.news().tell(DEVICE, &news);
            }
        }
        for serial in before.keys().filter(|serial| !now.contains_key(*serial)) {
            let news = json!({ "deviceId": serial, "state": "gone", "connected": false });
            self.news().tell(DEVICE, &news);
        }
    }
}

fn by_serial(listed: Vec<Listed>) -> BTreeMap<String, State> {
    listed.into_iter().map(|one| (one.serial, one.state)).collect()
}
