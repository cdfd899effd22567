//! Copies a recording from a phone.

use super::files::Part;
use super::folder::{self, is_session_id};
use super::parse;
use crate::device::Device;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// For the connection and a phone that is busy.
const PULL_AT_LEAST: Duration = Duration::from_secs(30);
/// Wi-Fi at its worst; a cable is a hundred times as fast.
const SLOWEST_BYTES_PER_SECOND: u64 = 200_000;

/// A recording that was copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pulled {
    /// Always true: a failure is answered otherwise.
    pub ok: bool,
    /// Where it is now.
    pub local_path: String,
    /// Its id.
    pub session_id: String,
    /// Its size.
    pub bytes: u64,
    /// Events in it, if it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_count: Option<usize>,
    /// Where the other recording of that id is kept that was there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_as: Option<String>,
    /// What a reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Copies a recording, the newest one unless an id is given, to `<out_dir>/<id>.ndjson`.
///
/// The file is either there whole or not at all. One that is there already is replaced if the new
/// one is a continuation of it; another one is kept beside it as `<id>.ndjson.bak`.
pub fn pull(
    device: &dyn Device,
    package: &str,
    session_id: Option<&str>,
    out_dir: &Path,
) -> Result<Pulled, Failure> {
    let mut warnings = Vec::new();
    let id = chosen(device, package, session_id, &mut warnings)?;
    let Some(size) = folder::size(device, package, &id)? else {
        return Err(not_found(device, package, &format!("there is no recording {id:?} on it")));
    };
    fs::create_dir_all(out_dir).map_err(|error| unwritable(out_dir, &error))?;
    let local = out_dir.join(format!("{id}.ndjson"));
    let mut part = Part::create(&local).map_err(|error| unwritable(&local, &error))?;
    let remote = folder::remote_path(package, &id);
    let within = PULL_AT_LEAST + Duration::from_secs(size / SLOWEST_BYTES_PER_SECOND);
    let bytes = device
        .pull(&remote, &mut part.file, within)
        .map_err(|failure| pull_failed(failure, &remote))?;
    let here = part.file.metadata().map_err(|error| unwritable(&part.path, &error))?.len();
    if bytes < size || here != bytes {
        let message = format!(
            "{remote} has {size} bytes on the phone, but {bytes} came and {here} were written"
        );
        let code = ErrorCode::RecordingPullFailed;
        return Err(Failure::new(code, message).detail("path", remote).hint("Try again."));
    }
    if folder::size(device, package, &id)?.is_some_and(|now| now > bytes) {
        warnings.push("the recording is still running: more was written meanwhile".to_owned());
    }
    let event_count = check(&part.path, &id, &mut warnings);
    let kept = make_room(&local, &part.path).map_err(|error| unwritable(&local, &error))?;
    part.take_the_place_of(&local).map_err(|error| unwritable(&local, &error))?;
    let kept_as = kept.map(|path| path.display().to_string());
    if let Some(kept) = &kept_as {
        warnings.push(format!("another recording of that id was there; it is now {kept}"));
    }
    let local_path = local.display().to_string();
    Ok(Pulled { ok: true, local_path, session_id: id, bytes, event_count, kept_as, warnings })
}

/// The id that was asked for, or the newest one.
fn chosen(
    device: &dyn Device,
    package: &str,
    asked: Option<&str>,
    warnings: &mut Vec<String>,
) -> Result<String, Failure> {
    let id = match asked {
        Some(id) => id.to_owned(),
        None => match folder::latest(device, package)? {
            Some(id) => id,
            None => return only_one(device, package, warnings),
        },
    };
    if is_session_id(&id) {
        return Ok(id);
    }
    let problem = format!("{id:?} is no id of a recording: those are letters, digits, _ and -");
    Err(not_found(device, package, &problem))
}

/// Some operators name the newest recording only when it was stopped properly.
fn only_one(
    device: &dyn Device,
    package: &str,
    warnings: &mut Vec<String>,
) -> Result<String, Failure> {
    let sessions = folder::list(device, package)?.sessions;
    let [session] = sessions.as_slice() else {
        return Err(not_found(device, package, "it does not say which recording is the newest"));
    };
    warnings.push("the phone does not name a newest recording; this is the only one".to_owned());
    Ok(session.session_id.clone())
}

/// Says also what there is.
fn not_found(device: &dyn Device, package: &str, problem: &str) -> Failure {
    let code = ErrorCode::RecordingSessionNotFound;
    let listed = folder::list(device, package).map(|listed| listed.sessions).unwrap_or_default();
    let ids: Vec<_> = listed.into_iter().map(|session| session.session_id).collect();
    let hint = if ids.is_empty() {
        "There are no recordings; make one with `clawperator recording start`.".to_owned()
    } else {
        format!("Name one of these with --session-id: {}.", ids.join(", "))
    };
    Failure::new(code, format!("phone {}: {problem}", device.serial()))
        .detail("sessions", ids)
        .hint(hint)
}

/// A phone that cannot be reached is told as that; the rest is a failed copy.
fn pull_failed(failure: Failure, remote: &str) -> Failure {
    match failure.code {
        ErrorCode::DeviceShellUnavailable | ErrorCode::AdbServerFailed => {
            let code = ErrorCode::RecordingPullFailed;
            let message = format!("{remote} could not be copied: {}", failure.message);
            Failure::new(code, message)
                .detail("path", remote)
                .detail("cause", failure.code.to_string())
                .hint(code.remedy())
        }
        _ => failure,
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let code = ErrorCode::OutputUnwritable;
    Failure::new(code, format!("{} could not be written: {error}", path.display()))
        .detail("path", path.display().to_string())
        .hint(code.remedy())
}

/// Is it a recording? One that cannot be read is kept all the same: it may be all there is.
fn check(path: &Path, id: &str, warnings: &mut Vec<String>) -> Option<usize> {
    match parse::read(path) {
        Ok(recording) => {
            if recording.cut {
                warnings.push(
                    "the last line is cut: the recording is still running, or its operator was \
                     killed"
                        .to_owned(),
                );
            }
            if recording.header.session_id != id {
                let inside = &recording.header.session_id;
                warnings.push(format!("the file calls itself {inside:?}"));
            }
            Some(recording.events.len())
        }
        Err(failure) => {
            warnings.push(format!("it was copied, but it cannot be read: {}", failure.message));
            None
        }
    }
}

/// Moves a file out of the way that is not the beginning of the new one.
fn make_room(local: &Path, new: &Path) -> io::Result<Option<PathBuf>> {
    if !local.exists() || is_beginning_of(local, new)? {
        return Ok(None);
    }
    let named = |number: u32| {
        let number = if number == 1 { String::new() } else { number.to_string() };
        let mut name = local.as_os_str().to_owned();
        name.push(format!(".bak{number}"));
        PathBuf::from(name)
    };
    let free = (1..=u32::MAX).map(named).find(|path| !path.exists());
    let kept = free.ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(local, &kept)?;
    Ok(Some(kept))
}

fn is_beginning_of(short: &Path, long: &Path) -> io::Result<bool> {
    let length = fs::metadata(short)?.len();
    if length > fs::metadata(long)?.len() {
        return Ok(false);
    }
    let short = BufReader::new(File::open(short)?).bytes();
    let mut long = BufReader::new(File::open(long)?).bytes();
    for byte in short {
        if long.next().transpose()? != Some(byte?) {
            return Ok(false);
        }
    }
    Ok(true)
}
