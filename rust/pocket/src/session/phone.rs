//! The phone of a session: for its actions, and for a person who takes it over.

use crate::device::Hand;
use crate::human::relay::{Frame, Takeover, Touch};
use crate::normalise::normalise;
use crate::snapshot::{Eye, Scaling, ScreenSnapshot};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::device::Device;
use clawperator_host::dispatch::{Link, Route, Stop};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// A phone and how it is reached.
pub struct Phone {
    /// The phone.
    pub device: Arc<dyn Device>,
    /// Package of the operator on it.
    pub package: String,
    /// The version the operator is told.
    pub host_version: &'static str,
    /// The link to use, where one was asked for.
    pub link: Option<Link>,
}

impl Phone {
    /// The way to it.
    #[must_use]
    pub fn route<'a>(&'a self, stop: &'a Stop) -> Route<'a> {
        Route {
            device: self.device.as_ref(),
            package: &self.package,
            host_version: self.host_version,
            link: self.link,
            evidence: None,
            stop,
        }
    }
}

/// The phone in a person's hands while the session waits for that person. Touches are on the
/// picture that was shown last.
pub(super) struct InHands {
    phone: Arc<Phone>,
    stop: Stop,
    seen: Mutex<(Eye, Option<ScreenSnapshot>)>,
}

impl InHands {
    pub(super) fn new(phone: Arc<Phone>, stop: Stop) -> Self {
        Self { phone, stop, seen: Mutex::default() }
    }

    fn perform(&self, action: &Value) -> Result<String, Failure> {
        let normalised = normalise(action);
        let route = self.phone.route(&self.stop);
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = seen.1.as_ref();
        let done = Hand::new(&route).perform(&normalised.action, &normalised.notes, shown);
        let what = action["type"].as_str().unwrap_or_default();
        done.unwrap_or_else(|| Err(Failure::new(ErrorCode::InternalError, "no action of a phone")))
            .map(|_| format!("{what} done"))
    }
}

impl Takeover for InHands {
    fn frame(&self) -> Result<Frame, Failure> {
        let mut last = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = last.0.snapshot(&self.phone.route(&self.stop), Scaling::ShortSide)?;
        let png = STANDARD.decode(&seen.screenshot_base64).unwrap_or_default();
        if png.is_empty() {
            let code = ErrorCode::ScreenshotSecureWindow;
            return Err(Failure::new(code, code.meaning()).hint(code.remedy()));
        }
        let frame = Frame {
            device_id: seen.device_id.clone(),
            current_app: seen.current_app.clone(),
            width: seen.scaled_width,
            height: seen.scaled_height,
            png,
        };
        last.1 = Some(seen);
        Ok(frame)
    }

    fn act(&self, touch: &Touch) -> Result<String, Failure> {
        match touch {
            Touch::Tap { x, y } => self.perform(&json!({"type": "tap", "x": x, "y": y})),
            Touch::Swipe { x1, y1, x2, y2, duration_ms } => self.perform(&json!({
                "type": "swipe", "x1": x1, "y1": y1, "x2": x2, "y2": y2, "durationMs": duration_ms,
            })),
            Touch::Type { text } => self.perform(&json!({"type": "type", "text": text.reveal()})),
            Touch::Keyevent { keycode } => {
                self.perform(&json!({"type": "keyevent", "keycode": keycode}))
            }
        }
    }
}
