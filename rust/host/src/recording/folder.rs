//! The folder of recordings on a phone.

use crate::device::Device;
use clawperator_contract::limits::MAX_ID_LENGTH;
use clawperator_contract::{ErrorCode, Failure, operator};
use clawperator_link::broadcast::shell_quoted;
use serde::Serialize;
use std::time::Duration;

/// Looking into a folder takes milliseconds; a phone that is busy starting takes seconds.
const LOOK_WITHIN: Duration = Duration::from_secs(15);

/// The recordings on a phone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// Always true: a failure is answered otherwise.
    pub ok: bool,
    /// The folder they are in.
    pub folder: String,
    /// The recordings, sorted by id.
    pub sessions: Vec<Session>,
}

/// A recording on a phone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Its id.
    pub session_id: String,
    /// Its size so far.
    pub bytes: u64,
    /// When it was written last, in the phone's own time, to the minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Is it the newest one?
    pub latest: bool,
}

/// Lists the recordings on a phone.
pub fn list(device: &dyn Device, package: &str) -> Result<Listed, Failure> {
    let folder = operator::recordings_folder(package);
    let mut sessions = look(device, &folder)?.map_or_else(Vec::new, |said| sessions(&said));
    if !sessions.is_empty() {
        let latest = latest(device, package)?;
        for session in &mut sessions {
            session.latest = latest.as_deref() == Some(&session.session_id);
        }
    }
    Ok(Listed { ok: true, folder, sessions })
}

/// Where a recording is on the phone.
pub(super) fn remote_path(package: &str, session_id: &str) -> String {
    format!("{}/{session_id}.ndjson", operator::recordings_folder(package))
}

/// The size of a recording on the phone, if it is there.
pub(super) fn size(
    device: &dyn Device,
    package: &str,
    session_id: &str,
) -> Result<Option<u64>, Failure> {
    let said = look(device, &remote_path(package, session_id))?;
    Ok(said.and_then(|said| said.lines().find_map(|line| Some(entry(line)?.bytes))))
}

/// The id the phone has written down as the newest, if any. It is not checked.
pub(super) fn latest(device: &dyn Device, package: &str) -> Result<Option<String>, Failure> {
    let path = format!("{}/latest", operator::recordings_folder(package));
    let line = shell_quoted(&["cat".to_owned(), path]);
    let output = device.shell(&line, LOOK_WITHIN)?;
    let missing = !output.ok() || is_missing(&output.said());
    Ok(Some(output.text().trim().to_owned()).filter(|id| !missing && !id.is_empty()))
}

/// Safe as a file name, here and on the phone.
pub(super) fn is_session_id(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=MAX_ID_LENGTH).contains(&id.len()) && id.bytes().all(allowed)
}

/// What `ls` says of a path; none if there is no such thing. `ls` and not `stat`: every phone
/// has it, and one answer tells size and time of all of a folder.
fn look(device: &dyn Device, path: &str) -> Result<Option<String>, Failure> {
    let line = shell_quoted(&["ls".to_owned(), "-l".to_owned(), path.to_owned()]);
    let output = device.shell(&line, LOOK_WITHIN)?;
    let said = output.said();
    // Phones that know no exit codes complain in their output.
    if is_missing(&said) {
        return Ok(None);
    }
    if output.ok() && !said.contains("Permission denied") {
        return Ok(Some(output.text()));
    }
    let code = ErrorCode::RecordingPullFailed;
    let message = format!("the phone does not let us look at {path}: {said}");
    Err(Failure::new(code, message).detail("path", path).hint(code.remedy()))
}

fn is_missing(said: &str) -> bool {
    said.contains("No such file or directory")
}

fn sessions(said: &str) -> Vec<Session> {
    let mut sessions: Vec<_> = said.lines().filter_map(entry).filter_map(session).collect();
    sessions.sort_by(|a, b| a.session_id.cmp(&b.session_id));
    sessions
}

fn session(entry: Entry<'_>) -> Option<Session> {
    let name = entry.name.rsplit('/').next()?;
    let id = name.strip_suffix(".ndjson").filter(|id| is_session_id(id))?;
    let modified = Some(format!("{} {}", entry.date, entry.time));
    Some(Session { session_id: id.to_owned(), bytes: entry.bytes, modified, latest: false })
}

struct Entry<'a> {
    bytes: u64,
    date: &'a str,
    time: &'a str,
    name: &'a str,
}

/// A file in the output of `ls -l`. Whether links are counted differs between phones, so the
/// fields are found from the date.
fn entry(line: &str) -> Option<Entry<'_>> {
    if !line.starts_with('-') {
        return None;
    }
    let words: Vec<_> = line.split_whitespace().collect();
    let at = words.iter().position(|word| is_date(word))?;
    let bytes = words.get(at.checked_sub(1)?)?.parse().ok()?;
    Some(Entry { bytes, date: words[at], time: words.get(at + 1)?, name: words.get(at + 2)? })
}

fn is_date(word: &str) -> bool {
    let parts: Vec<_> = word.split('-').collect();
    let digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    parts.iter().map(|part| part.len()).eq([4, 2, 2]) && parts.iter().all(digits)
}

#[cfg(test)]
mod tests {
    use super::super::test_phone::{PACKAGE, TestPhone};
    use super::*;

    #[test]
    fn recordings_are_listed_with_size_and_the_newest_is_marked() {
        let phone = TestPhone::default().with("b", b"12345").with("a", b"1").latest("b");
        let listed = list(&phone, PACKAGE).unwrap();
        let session = |id: &str, bytes, latest| Session {
            session_id: id.into(),
            bytes,
            modified: Some("2026-01-02 03:04".into()),
            latest,
        };
        assert_eq!(listed.sessions, [session("a", 1, false), session("b", 5, true)]);
        let answer = serde_json::to_value(&listed).unwrap();
        assert_eq!(answer["sessions"][1]["sessionId"], "b");
        assert_eq!(answer["folder"], operator::recordings_folder(PACKAGE));
    }

    #[test]
    fn a_phone_that_never_recorded_has_an_empty_list() {
        assert_eq!(list(&TestPhone::default(), PACKAGE).unwrap().sessions, []);
    }

    #[test]
    fn a_folder_that_must_not_be_seen_is_a_failure_and_no_empty_list() {
        let phone = TestPhone { forbidden: true, ..TestPhone::default() };
        let failure = list(&phone, PACKAGE).unwrap_err();
        assert_eq!(failure.code, ErrorCode::RecordingPullFailed);
        assert!(failure.message.contains("Permission denied"), "{failure}");
    }

    #[test]
    fn listings_of_new_and_old_phones_are_understood() {
        let said = "total 3\n\
            -rw-rw---- 1 u0_a190 ext_data_rw  52340 2026-03-01 10:11 record-1-00ff.ndjson\n\
            -rw-rw---- root     sdcard_rw     17 2015-03-01 10:11 old.ndjson\n\
            -rw-rw---- 1 u0_a190 ext_data_rw      6 2026-03-01 10:11 latest\n\
            drwxrws--- 2 u0_a190 ext_data_rw   3452 2026-03-01 10:11 folder.ndjson\n\
            -rw-rw---- 1 u0_a190 ext_data_rw      6 2026-03-01 10:11 sp\u{e4}t.ndjson\n\
            nonsense\n";
        let found: Vec<_> = sessions(said).into_iter().map(|s| (s.session_id, s.bytes)).collect();
        assert_eq!(found, [("old".to_owned(), 17), ("record-1-00ff".to_owned(), 52_340)]);
    }

    #[test]
    fn an_id_is_a_safe_file_name() {
        for good in ["a", "record-1700-00ff", "A_b-9", &"x".repeat(MAX_ID_LENGTH)] {
            assert!(is_session_id(good), "{good}");
        }
        let long = "x".repeat(MAX_ID_LENGTH + 1);
        for bad in ["", ".", "../x", "a b", "a/b", "ä", "a\n", "$(id)", &long] {
            assert!(!is_session_id(bad), "{bad}");
        }
    }
}
