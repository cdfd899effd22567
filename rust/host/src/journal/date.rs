//! Moments as the log writes them: RFC 3339, UTC, milliseconds. Of one length, so that their
//! order is that of their text.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MS_PER_DAY: u64 = 86_400_000;

/// Milliseconds since 1970; shown in RFC 3339, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u64);

impl Moment {
    /// A clock before 1970 is one that was never set.
    #[must_use]
    pub fn at(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    pub(super) fn before(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)))
    }

    /// `YYYYMMDD-HHMMSS`, for names of files.
    pub(crate) fn stamp(self) -> String {
        let text = self.to_string().replace(['-', ':'], "").replace('T', "-");
        text.split('.').next().unwrap_or_default().to_owned()
    }

    /// `YYYY-MM-DD`.
    pub(super) fn date(self) -> String {
        let (year, month, day) = civil(self.0 / MS_PER_DAY);
        format!("{year:04}-{month:02}-{day:02}")
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0 % MS_PER_DAY;
        let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
        write!(f, "{}T{hour:02}:{minute:02}:{second:02}.{:03}Z", self.date(), ms % 1_000)
    }
}

/// Year, month and day of a day since 1970-01-01.
///
/// Years begin in March here, so that the odd day comes last: then the length of the months
/// repeats every five (153 days), and the calendar every 400 years (146,097 days).
fn civil(days_since_1970: u64) -> (u64, u64, u64) {
    // From 0000-03-01 to 1970-01-01.
    let days = days_since_1970 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    // A leap day every 4 years (1,461 days), none every 100 (36,524), but one every 400.
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let (month, next) =
        if month_from_march < 10 { (month_from_march + 3, 0) } else { (month_from_march - 9, 1) };
    (era * 400 + year + next, month, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(ms: u64) -> String {
        Moment(ms).to_string()
    }

    #[test]
    fn moments_that_are_known() {
        assert_eq!(shown(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(shown(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(shown(1_234_567_890_123), "2009-02-13T23:31:30.123Z");
        assert_eq!(shown(1_709_251_199_999), "2024-02-29T23:59:59.999Z");
        assert_eq!(shown(4_107_542_400_000), "2100-03-01T00:00:00.000Z");
        assert_eq!(shown(253_402_300_799_999), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let length = |year: u64, month| match month {
            2 if year.is_multiple_of(4)
                && (!year.is_multiple_of(100) || year.is_multiple_of(400)) =>
            {
                29
            }
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let mut expected = (1970, 1, 1);
        for day in 0..146_097 {
            assert_eq!(civil(day), expected);
            let (year, month, date) = expected;
            expected = match (month, date) {
                (12, 31) => (year + 1, 1, 1),
                (_, date) if date == length(year, month) => (year, month + 1, 1),
                (_, date) => (year, month, date + 1),
            };
        }
    }

    #[test]
    fn a_clock_that_was_never_set_is_1970() {
        let before = UNIX_EPOCH - Duration::from_secs(5);
        assert_eq!(Moment::at(before).date(), "1970-01-01");
        assert_eq!(Moment(5).before(Duration::from_secs(1)), Moment(0));
    }
}
