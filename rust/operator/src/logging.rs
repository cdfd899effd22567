//! The phone's log.

use crate::java;
use clawperator_station::Log;

/// Android's priorities.
pub(crate) const INFO: i32 = 4;

/// Result lines, at level info under the operator's tag.
pub(crate) struct Logcat;

impl Log for Logcat {
    fn line(&self, text: &str) {
        java::print(INFO, text);
    }
}

/// Sends what the crates log to the phone's log.
#[cfg(target_os = "android")]
pub(crate) fn init() {
    let config = android_logger::Config::default()
        .with_tag(clawperator_contract::operator::LOG_TAG)
        .with_max_level(log::LevelFilter::Info);
    android_logger::init_once(config);
}

/// Where there is no liblog, the framework's own `Log` is the only way into the log.
#[cfg(not(target_os = "android"))]
pub(crate) fn init() {
    struct Framework;

    impl log::Log for Framework {
        /// Only our own: what the JNI crate says while a line is printed would print another.
        fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
            metadata.target().starts_with("clawperator")
        }

        fn log(&self, record: &log::Record<'_>) {
            const WARN: i32 = 5;
            const ERROR: i32 = 6;
            if self.enabled(record.metadata()) {
                let priority = match record.level() {
                    log::Level::Error => ERROR,
                    log::Level::Warn => WARN,
                    _ => INFO,
                };
                java::print(priority, &record.args().to_string());
            }
        }

        fn flush(&self) {}
    }

    // A second start in one process finds it there already.
    if log::set_logger(&Framework).is_ok() {
        log::set_max_level(log::LevelFilter::Info);
    }
}
