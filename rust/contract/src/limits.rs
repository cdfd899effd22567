//! Every limit of the contract, each once.
//!
//! Two readers use them: the host refuses what is out of bounds, the phone clamps what it can.

/// An inclusive range of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest value inside.
    pub min: f64,
    /// Largest value inside.
    pub max: f64,
}

impl Bounds {
    /// Is `value` inside?
    #[must_use]
    pub fn holds(self, value: f64) -> bool {
        (self.min..=self.max).contains(&value)
    }

    /// The nearest value inside.
    #[must_use]
    pub fn clamp(self, value: f64) -> f64 {
        value.clamp(self.min, self.max)
    }
}

const fn bounds(min: f64, max: f64) -> Bounds {
    Bounds { min, max }
}

/// Actions in one execution, as the host accepts them.
pub const MAX_ACTIONS: usize = 50;
/// Actions in one execution, as the phone accepts them: senders other than our host exist.
pub const MAX_ACTIONS_ON_PHONE: usize = 64;
/// Bytes of the canonical execution, serialised without spaces.
pub const MAX_PAYLOAD_BYTES: usize = 64_000;
/// Bytes of a payload as a person wrote it. Indentation and comments in strings may make a legal
/// execution larger than [`MAX_PAYLOAD_BYTES`], but beyond this nobody wrote it by hand and it is
/// refused before it is parsed.
pub const MAX_INPUT_BYTES: usize = 1 << 20;

/// Characters of `commandId`, `taskId` and an action's `id`.
pub const MAX_ID_LENGTH: usize = 128;
/// Characters of `source`.
pub const MAX_SOURCE_LENGTH: usize = 64;
/// Characters of an action's `type`.
pub const MAX_TYPE_LENGTH: usize = 64;
/// Characters of one matcher value, and of a validator pattern.
pub const MAX_MATCHER_VALUE_LENGTH: usize = 512;
/// Characters of a URI.
pub const MAX_URI_LENGTH: usize = 2_048;
/// Characters of `enter_text.text` on the phone; the host leaves it to the payload's size.
pub const MAX_ENTERED_TEXT_LENGTH: usize = 512;
/// How deep `anyOf` and `allOf` may nest in a `where`: a reader of a selector loses track sooner.
pub const MAX_SELECTOR_DEPTH: usize = 8;
/// Selectors in one `where`, all levels together: each is tried on every node of the screen.
pub const MAX_SELECTOR_PARTS: usize = 64;
/// Fingers of one `gesture`: Android takes no more strokes than this.
pub const MAX_STROKES: usize = 20;
/// Points of one stroke.
pub const MAX_STROKE_POINTS: usize = 500;
/// Longest `gesture`: Android refuses more.
pub const MAX_GESTURE_MS: u64 = 60_000;

/// Execution timeout.
pub const TIMEOUT_MS: Bounds = bounds(1_000.0, 120_000.0);
/// Execution timeout where the phone is given none.
pub const DEFAULT_TIMEOUT_MS: f64 = 30_000.0;
/// `wait_for_node.timeoutMs`, clamped by the phone.
pub const NODE_TIMEOUT_MS: Bounds = bounds(1.0, 120_000.0);
/// `wait_for_navigation.timeoutMs`; the host also refuses zero and below.
pub const NAVIGATION_TIMEOUT_MS: Bounds = bounds(1.0, 30_000.0);
/// `sleep.durationMs`.
pub const SLEEP_MS: Bounds = bounds(0.0, 120_000.0);
/// How far one swipe goes; 1 covers four tenths of the container.
pub const DISTANCE_RATIO: Bounds = bounds(0.0, 1.0);
/// Rest after a swipe.
pub const SETTLE_DELAY_MS: Bounds = bounds(0.0, 10_000.0);
/// `scroll_until.maxScrolls`.
pub const MAX_SCROLLS: Bounds = bounds(1.0, 200.0);
/// `scroll_until.maxDurationMs`.
pub const MAX_DURATION_MS: Bounds = bounds(0.0, 120_000.0);
/// `scroll_until.noPositionChangeThreshold`.
pub const NO_POSITION_CHANGE: Bounds = bounds(1.0, 20.0);
/// `scroll_and_click.maxSwipes`, clamped by the phone.
pub const MAX_SWIPES: Bounds = bounds(1.0, 50.0);

/// `retry.maxAttempts`, clamped by the phone like the four below.
pub const RETRY_ATTEMPTS: Bounds = bounds(1.0, 10.0);
/// `retry.initialDelayMs`.
pub const RETRY_INITIAL_DELAY_MS: Bounds = bounds(0.0, 30_000.0);
/// `retry.maxDelayMs`; its lower end is the initial delay.
pub const RETRY_MAX_DELAY_MS: Bounds = bounds(0.0, 60_000.0);
/// `retry.backoffMultiplier`.
pub const RETRY_MULTIPLIER: Bounds = bounds(1.0, 5.0);
/// `retry.jitterRatio`.
pub const RETRY_JITTER: Bounds = bounds(0.0, 1.0);

/// Dispatches the operator remembers with their envelopes.
pub const REMEMBERED_DISPATCHES: usize = 64;

/// Bytes of one logcat line of a sliced result. A logcat entry holds 4,068 bytes, tag included.
pub const MAX_SLICE_BYTES: usize = 3_500;
/// Bytes of one JSON frame of the socket link. A snapshot of 10,000 nodes is about 3 MB of XML.
pub const MAX_JSON_FRAME_BYTES: usize = 16 << 20;
/// Bytes of one binary frame: an uncompressed 4K picture is 33 MB, a PNG of one far less.
pub const MAX_BINARY_FRAME_BYTES: usize = 64 << 20;
