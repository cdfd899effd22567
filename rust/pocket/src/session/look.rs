//! A look at the screen.

use super::Session;
use super::request::{Pictures, Wish};
use crate::snapshot::{Scaling, ScreenSnapshot};
use clawperator_contract::Failure;
use serde_json::{Value, json};

impl Session {
    /// Looks at the screen. A picture that cannot be kept is a failure only where files were asked
    /// for: a full disk does not make the agent blind.
    pub(super) fn look(&mut self, wish: &Wish) -> Result<Value, Failure> {
        let scaling = wish.model.as_deref().map_or(self.scaling, Scaling::for_model);
        let seen = self.eye.snapshot(&self.phone.route(&self.stop), scaling)?;
        // What was seen is what the agent's points are of, whatever becomes of the files.
        let seen = self.seen.insert(seen);
        self.looks += 1;
        let mut answer = json!({"ok": true});
        let wants_files = wish.pictures == Pictures::Files;
        if self.config.screenshots.save_step_screenshots || wants_files {
            match self.record.look(self.steps + 1, self.looks, seen) {
                Ok(files) => {
                    answer["files"] = json!({"screen": files.screen, "marks": files.marks});
                }
                Err(failure) if wants_files => return Err(failure),
                Err(failure) => answer["unrecorded"] = json!(failure),
            }
            let most = self.config.screenshots.max_count;
            self.record.keep(usize::try_from(most).unwrap_or(usize::MAX));
        }
        answer["snapshot"] = if wants_files { without_pictures(seen) } else { json!(seen) };
        Ok(answer)
    }
}

/// The snapshot without what stands in its files: the answer is short, and nothing large is copied.
fn without_pictures(seen: &mut ScreenSnapshot) -> Value {
    let screen = std::mem::take(&mut seen.screenshot_base64);
    let marks = seen.som_screenshot_base64.take();
    let shown = json!(seen);
    seen.screenshot_base64 = screen;
    seen.som_screenshot_base64 = marks;
    shown
}
