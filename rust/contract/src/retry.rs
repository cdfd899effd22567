//! Retry policies: the presets, and the object a payload may give.

use crate::limits::{
    Bounds, RETRY_ATTEMPTS, RETRY_INITIAL_DELAY_MS, RETRY_JITTER, RETRY_MAX_DELAY_MS,
    RETRY_MULTIPLIER,
};
use std::time::Duration;

/// How often and how patiently a step is tried. Always within the phone's bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetryPolicy {
    /// Attempts, the first one included.
    pub max_attempts: u32,
    /// Delay before the second attempt.
    pub initial_delay: Duration,
    /// Longest delay between two attempts.
    pub max_delay: Duration,
    /// What a delay is multiplied with to get the next one.
    pub multiplier: f64,
    /// How far a delay may stray from its value, as a part of it.
    pub jitter: f64,
}

/// The policy an action has when its payload gives none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// A node is expected, the screen may still be drawing.
    UiReadiness,
    /// A container is being scrolled.
    UiScroll,
    /// An app is starting.
    AppLaunch,
    /// An app is closing.
    AppClose,
    /// One attempt.
    None,
}

impl Preset {
    /// Name in the documentation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UiReadiness => "UiReadiness",
            Self::UiScroll => "UiScroll",
            Self::AppLaunch => "AppLaunch",
            Self::AppClose => "AppClose",
            Self::None => "None",
        }
    }

    /// The policy itself.
    #[must_use]
    pub const fn policy(self) -> RetryPolicy {
        const fn backoff(max_attempts: u32, first: u64, cap: u64) -> RetryPolicy {
            RetryPolicy {
                max_attempts,
                initial_delay: Duration::from_millis(first),
                max_delay: Duration::from_millis(cap),
                multiplier: 2.0,
                jitter: 0.15,
            }
        }
        match self {
            Self::UiReadiness => backoff(5, 500, 3_000),
            Self::UiScroll => backoff(4, 400, 2_000),
            Self::AppLaunch => backoff(4, 750, 4_000),
            Self::AppClose => backoff(4, 400, 2_000),
            Self::None => RetryPolicy::ONCE,
        }
    }
}

/// The numbers of a retry object as a payload gives them; absent keys are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RetryNumbers {
    /// `maxAttempts`
    pub max_attempts: Option<f64>,
    /// `initialDelayMs`
    pub initial_delay_ms: Option<f64>,
    /// `maxDelayMs`
    pub max_delay_ms: Option<f64>,
    /// `backoffMultiplier`
    pub backoff_multiplier: Option<f64>,
    /// `jitterRatio`
    pub jitter_ratio: Option<f64>,
}

/// The keys of a retry object, in canonical order.
pub const RETRY_KEYS: &[&str] =
    &["maxAttempts", "initialDelayMs", "maxDelayMs", "backoffMultiplier", "jitterRatio"];

impl RetryPolicy {
    /// One attempt, no second.
    pub const ONCE: Self = Self {
        max_attempts: 1,
        initial_delay: Duration::ZERO,
        max_delay: Duration::ZERO,
        multiplier: 1.0,
        jitter: 0.0,
    };

    /// The policy a retry object asks for, clamped.
    #[must_use]
    pub fn from_numbers(given: RetryNumbers) -> Self {
        let initial = RETRY_INITIAL_DELAY_MS.clamp(given.initial_delay_ms.unwrap_or(0.0));
        let cap = Bounds { min: initial, max: RETRY_MAX_DELAY_MS.max };
        Self {
            max_attempts: whole(RETRY_ATTEMPTS.clamp(given.max_attempts.unwrap_or(1.0))),
            initial_delay: millis(initial),
            max_delay: millis(cap.clamp(given.max_delay_ms.unwrap_or(initial))),
            multiplier: RETRY_MULTIPLIER.clamp(given.backoff_multiplier.unwrap_or(1.0)),
            jitter: RETRY_JITTER.clamp(given.jitter_ratio.unwrap_or(0.0)),
        }
    }

    /// The longest all delays together can be.
    #[must_use]
    pub fn delay_budget(&self) -> Duration {
        let mut delay = self.initial_delay;
        let mut sum = Duration::ZERO;
        for _ in 1..self.max_attempts {
            sum += delay.mul_f64(1.0 + self.jitter);
            delay = self.after(delay);
        }
        sum
    }

    /// The delay that follows `delay`, before jitter.
    #[must_use]
    pub fn after(&self, delay: Duration) -> Duration {
        delay.mul_f64(self.multiplier).min(self.max_delay)
    }
}

/// A clamped number of milliseconds as a duration.
pub(crate) fn millis(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1_000.0).unwrap_or_default()
}

/// A clamped count as an integer.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "callers clamp to small positive bounds; a float cast saturates anyway"
)]
pub(crate) fn whole(number: f64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_keys_mean_one_attempt_without_delay() {
        assert_eq!(RetryPolicy::from_numbers(RetryNumbers::default()), RetryPolicy::ONCE);
    }

    #[test]
    fn every_number_is_clamped_to_the_phones_bounds() {
        let wild = RetryNumbers {
            max_attempts: Some(99.0),
            initial_delay_ms: Some(1e12),
            max_delay_ms: Some(5.0),
            backoff_multiplier: Some(0.1),
            jitter_ratio: Some(-3.0),
        };
        let policy = RetryPolicy::from_numbers(wild);
        assert_eq!(policy.max_attempts, 10);
        assert_eq!(policy.initial_delay, Duration::from_secs(30));
        // The cap is never below the first delay.
        assert_eq!(policy.max_delay, Duration::from_secs(30));
        assert_eq!((policy.multiplier, policy.jitter), (1.0, 0.0));
    }

    #[test]
    fn the_delays_of_ui_readiness_double_up_to_the_cap() {
        let policy = Preset::UiReadiness.policy();
        let mut delay = policy.initial_delay;
        let mut seen = Vec::new();
        for _ in 1..policy.max_attempts {
            seen.push(delay.as_millis());
            delay = policy.after(delay);
        }
        assert_eq!(seen, [500, 1_000, 2_000, 3_000]);
        assert_eq!(policy.delay_budget(), Duration::from_millis(6_500).mul_f64(1.15));
    }
}
