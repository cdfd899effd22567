//! What a look at the screen cost, and where its elements come from.

use serde::Serialize;
use std::time::Duration;

/// Where the elements of a snapshot come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The phone told them for this snapshot.
    #[default]
    Fresh,
    /// Those of a moment ago: the screen looks the same.
    Cache,
    /// Those of a moment ago: the screen looks the same, and the phone told none.
    CacheFallback,
    /// The phone told none.
    FreshEmpty,
}

/// Times are in milliseconds, to the microsecond.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CaptureMetrics {
    /// From the first question to the finished snapshot.
    pub total_ms: f64,
    /// Reaching the operator.
    pub ensure_ready_ms: f64,
    /// Taking the picture.
    pub screencap_ms: f64,
    /// Asking for the screen's size, where the picture does not tell it.
    pub screen_size_ms: f64,
    /// Asking which app is in front; with the operator the tree tells it.
    pub current_app_ms: f64,
    /// Reading the picture, making it smaller and writing it.
    pub scale_ms: f64,
    /// Asking for the tree of elements.
    pub ui_dump_ms: f64,
    /// Drawing the marks and writing the marked picture.
    pub overlay_ms: f64,
    /// Where the elements come from.
    pub ui_elements_source: Source,
    /// How many there are.
    pub ui_elements_count: usize,
    /// How the picture looks; empty without one.
    pub visual_hash: String,
    /// How far that is from the looks of the elements that are kept, if any are.
    pub visual_hash_hamming_distance: Option<u32>,
    /// Did a dump of the tree take too long?
    pub ui_dump_timed_out: bool,
    /// Does the app forbid pictures? An addition to the schema, like all that follow.
    pub secure_surface_detected: bool,
    /// Who looked: `operator` or `adb`.
    pub via: &'static str,
    /// Are tree and picture of the same moment? `None` where nobody can tell.
    pub same_moment: Option<bool>,
    /// How often tree and picture were taken until they were.
    pub capture_tries: u32,
}

/// Milliseconds, to the microsecond.
pub(super) fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
