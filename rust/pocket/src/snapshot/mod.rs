//! What is on the screen, as a model is shown it: a picture of a size it takes, the elements that
//! can be acted on, and the same picture with the elements marked.

mod adb;
mod bounds;
mod cache;
mod elements;
mod eye;
mod metrics;
mod names;
mod operator;
mod scale;
mod tree;

pub(crate) use adb::front;
pub use bounds::Rect;
pub use eye::Eye;
pub use metrics::{CaptureMetrics, Source};
pub use scale::{Scaled, Scaling};

use crate::device::Point;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;

/// One look at a phone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreenSnapshot {
    /// The phone.
    pub device_id: String,
    /// Package of the app in front, or `unknown`.
    pub current_app: String,
    /// Width of the screen in pixels.
    pub width: u32,
    /// Height of the screen in pixels.
    pub height: u32,
    /// The scaled picture, a PNG in base64; empty where none may be taken.
    pub screenshot_base64: String,
    /// The same with its elements marked; `None` without elements or without a picture.
    pub som_screenshot_base64: Option<String>,
    /// When the look was over, in UTC.
    pub captured_at: String,
    /// Pixels of the screen for one of the picture, across.
    pub scale_x: f64,
    /// Pixels of the screen for one of the picture, down.
    pub scale_y: f64,
    /// Width of the picture.
    pub scaled_width: u32,
    /// Height of the picture.
    pub scaled_height: u32,
    /// Apps that can be launched, where the phone told them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installed_packages: Option<Vec<String>>,
    /// What can be acted on or read, in the order of the screen.
    pub ui_elements: Vec<UiElement>,
    /// What the look cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_metrics: Option<CaptureMetrics>,
    /// Does the app forbid pictures? An addition to the schema.
    pub secure_surface_detected: bool,
}

/// One element of the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UiElement {
    /// Names it, also in the next snapshot of the same screen.
    pub id: String,
    /// Its text, or what stands in it.
    pub text: String,
    /// Its description.
    pub content_desc: String,
    /// Its resource id.
    pub resource_id: String,
    /// Its class.
    pub class_name: String,
    /// Does it take clicks?
    pub clickable: bool,
    /// Is it enabled? Others are not listed.
    pub enabled: bool,
    /// Where it is on the screen.
    pub bounds: Rect,
    /// Its middle.
    pub center: Point,
    /// Where it is in the picture.
    pub scaled_bounds: Rect,
    /// Its middle in the picture.
    pub scaled_center: Point,
}

impl ScreenSnapshot {
    /// An element by its id.
    pub fn element(&self, id: &str) -> Result<&UiElement, Failure> {
        self.ui_elements.iter().find(|element| element.id == id).ok_or_else(|| {
            let code = ErrorCode::PocketElementUnknown;
            let message = format!(
                "the last snapshot has no element {id:?}; it has {} of them, in {}",
                self.ui_elements.len(),
                self.current_app
            );
            Failure::new(code, message).detail("element", id).hint(code.remedy())
        })
    }
}
