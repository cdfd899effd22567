//! The moment in the generated files.

use super::registry_parts;
use clawperator_contract::{ErrorCode, Failure, json};
use serde_json::Value;
use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

const VARIABLE: &str = "SOURCE_DATE_EPOCH";

/// The moment of the last generation as long as the skills are the same, else that of
/// `SOURCE_DATE_EPOCH`, else now.
pub(super) fn of_generation(registry: Option<&[u8]>, skills: &[&Value]) -> Result<String, Failure> {
    if let Some((moment, old)) = registry.and_then(registry_parts)
        && same(&old, skills)
    {
        return Ok(moment);
    }
    let seconds = match env::var(VARIABLE).ok().filter(|text| !text.trim().is_empty()) {
        Some(text) => text.trim().parse().map_err(|_| {
            let message = format!("{VARIABLE} is {text:?}, which is no number of seconds");
            Failure::new(ErrorCode::Usage, message)
                .hint("set it to seconds since 1970, or take it away")
        })?,
        None => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
    };
    Ok(shown(seconds))
}

/// The same entries with their keys in the same order: what is written would be the same.
fn same(old: &[Value], skills: &[&Value]) -> bool {
    old.len() == skills.len()
        && old.iter().zip(skills).all(|(old, new)| json::compact(old) == json::compact(new))
}

/// `YYYY-MM-DDTHH:MM:SSZ`. Years begin in March here, so that the odd day comes last.
fn shown(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + next;
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_that_are_known() {
        assert_eq!(shown(0), "1970-01-01T00:00:00Z");
        assert_eq!(shown(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(shown(1_234_567_890), "2009-02-13T23:31:30Z");
        assert_eq!(shown(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
