//! The actions that touch the phone, done by the operator, and by adb where there is none.
//!
//! A text that reaches the phone's shell is one word of it, whatever is in it; only `shell` hands a
//! line over as it was written.

mod adb;
mod fit;
mod key;
mod launch;
mod operator;
mod shell;
mod typing;

pub(crate) use fit::rounded;
pub use fit::{Point, to_device};
pub(crate) use operator::{Sent, execution, failure_of, is_absent, send};

use crate::action::Action;
use crate::normalise::{Note, Used};
use crate::outcome::{Done, Outcome};
use crate::snapshot::ScreenSnapshot;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::build::timeout_around;
use clawperator_host::dispatch::Route;
use serde_json::{Value, json};

/// The fields without which a gesture would be one that nobody meant.
const PLACES: [&str; 6] = ["x", "y", "x1", "y1", "x2", "y2"];

/// What acts on a phone.
pub struct Hand<'a> {
    route: &'a Route<'a>,
}

impl<'a> Hand<'a> {
    /// A hand on the phone at the end of this route.
    #[must_use]
    pub fn new(route: &'a Route<'a>) -> Self {
        Self { route }
    }

    /// Does an action of the phone; `None` where it is not one. Points are those of the last
    /// snapshot's picture, or of the screen itself where there was none.
    #[must_use]
    pub fn perform(
        &self,
        action: &Action,
        notes: &[Note],
        screen: Option<&ScreenSnapshot>,
    ) -> Option<Done> {
        let fit = |x: f64, y: f64| fit::point(x, y, screen);
        Some(match action {
            Action::Tap { x, y, .. } => placed("tap", notes).and_then(|()| self.tap(fit(*x, *y))),
            Action::Swipe { x1, y1, x2, y2, duration_ms, .. } => placed("swipe", notes)
                .and_then(|()| self.moved("Swiped", fit(*x1, *y1), fit(*x2, *y2), *duration_ms)),
            Action::Drag { x1, y1, x2, y2, duration_ms, .. } => placed("drag", notes)
                .and_then(|()| self.moved("Dragged", fit(*x1, *y1), fit(*x2, *y2), *duration_ms)),
            Action::LongPressDrag { x1, y1, x2, y2, hold_ms, duration_ms, .. } => {
                placed("long_press_drag", notes)
                    .and_then(|()| self.held(fit(*x1, *y1), fit(*x2, *y2), *hold_ms, *duration_ms))
            }
            Action::Type { text, .. } => self.type_text(text, notes),
            Action::Keyevent { keycode, .. } => self.key(keycode),
            Action::LaunchApp { package_name, .. } => self.launch(package_name),
            Action::Shell { command, .. } => self.shell(command),
            _ => return None,
        })
    }

    /// Taps a point of the screen.
    pub fn tap(&self, at: Point) -> Done {
        let actions = json!([{
            "id": "tap", "type": "click", "params": { "coordinate": { "x": at.x, "y": at.y } },
        }]);
        let done = self.touch("tap", &actions, 0, &adb::tap(at.x.into(), at.y.into()))?;
        Ok(Outcome { text: format!("Tapped at {at}"), ..done }.with("point", at.json()))
    }

    fn moved(&self, verb: &str, from: Point, to: Point, ms: u64) -> Done {
        let actions = gesture(&[(from, 0), (to, ms)]);
        let by_adb = adb::swipe(from.into(), to.into(), ms);
        let done = self.touch("swipe", &actions, ms, &by_adb)?;
        let done = Outcome { text: format!("{verb} from {from} to {to}"), ..done };
        Ok(done.with("from", from.json()).with("to", to.json()))
    }

    fn held(&self, from: Point, to: Point, hold: u64, ms: u64) -> Done {
        let actions = gesture(&[(from, 0), (from, hold), (to, hold + ms)]);
        let by_adb = adb::long_press_drag(from.into(), to.into(), hold, ms);
        let done = self.touch("long-press-drag", &actions, hold + ms, &by_adb)?;
        let text = format!("Long-press drag from {from} to {to} hold={hold}ms move={ms}ms");
        // adb's tool has no such gesture: it moves slowly from the start.
        let held = done.data.get("via").and_then(Value::as_str) == Some("operator");
        let done = Outcome { text, ..done }.with("held", held);
        Ok(done.with("from", from.json()).with("to", to.json()))
    }

    /// A gesture, by the operator or by these words of the phone's shell.
    fn touch(&self, name: &str, actions: &Value, ms: u64, by_adb: &[String]) -> Done {
        #[allow(clippy::cast_precision_loss, reason = "a gesture lasts a minute at most")]
        let timeout = timeout_around(ms as f64, None);
        match send(self.route, name, actions, timeout)? {
            Sent::Done(done) => operator::outcome(&done),
            Sent::Unreachable(why) => {
                adb::run(self.route.device, by_adb, timeout)?;
                Ok(operator::without(&why))
            }
        }
    }
}

fn gesture(points: &[(Point, u64)]) -> Value {
    let stroke: Vec<Value> =
        points.iter().map(|(at, t)| json!({ "x": at.x, "y": at.y, "t": t })).collect();
    json!([{ "id": "gesture", "type": "gesture", "params": { "strokes": [stroke] } }])
}

/// Refuses a gesture with a place that nobody named.
fn placed(kind: &str, notes: &[Note]) -> Result<(), Failure> {
    let lacks = |note: &&Note| PLACES.contains(&note.field.as_str()) && note.used == Used::Default;
    let missing: Vec<&str> = notes.iter().filter(lacks).map(|note| note.field.as_str()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("{kind} has no usable {}; nothing was touched", missing.join(", "));
    Err(incomplete(message).detail("fields", json!(missing)))
}

fn incomplete(message: impl Into<String>) -> Failure {
    let code = ErrorCode::PocketActionIncomplete;
    Failure::new(code, message.into()).hint(code.remedy())
}
