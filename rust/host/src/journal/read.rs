//! Reading the log: its last lines, and those to come.

use super::date::Moment;
use super::keep::{self, LogFile};
use super::settings::Level;
use clawperator_contract::{ErrorCode, Failure};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often the files are looked at. They tell nobody that they grew, and a person does not
/// notice a quarter of a second.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Which lines are wanted; all that is said must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this level or above.
    pub level: Option<Level>,
    /// Whose event begins with this.
    pub event_prefix: Option<String>,
    /// Of this execution.
    pub command_id: Option<String>,
    /// Of this phone.
    pub device_id: Option<String>,
    /// Not older than this.
    pub since: Option<Since>,
}

/// The moment from which lines are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since(String);

impl Since {
    /// From `90s`, `10m`, `2h` or `3d`, or from a moment in UTC such as `2026-03-01` or
    /// `2026-03-01T12:30`.
    #[must_use]
    pub fn parse(text: &str, now: SystemTime) -> Option<Self> {
        let text = text.trim();
        if let Some(date) = text.get(..10).filter(|date| keep::is_date(date)) {
            let rest = &text[date.len()..];
            let plain = rest.bytes().all(|byte| byte.is_ascii_digit() || b"T:.Z".contains(&byte));
            // The beginning of a moment sorts before all moments that begin with it.
            let moment = text.trim_end_matches('Z').to_owned();
            return ((rest.is_empty() || rest.starts_with('T')) && plain).then_some(Self(moment));
        }
        let unit = match text.chars().next_back()? {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            _ => return None,
        };
        let count: u64 = text[..text.len() - 1].parse().ok()?;
        let ago = Duration::from_secs(count.checked_mul(unit)?);
        Some(Self(Moment::at(now).before(ago).to_string()))
    }

    fn date(&self) -> &str {
        self.0.get(..10).unwrap_or_default()
    }
}

/// What is looked at of a line. Lines of other versions of the program may have less.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Seen<'a> {
    #[serde(borrow)]
    ts: Cow<'a, str>,
    #[serde(borrow)]
    level: Cow<'a, str>,
    #[serde(borrow)]
    event: Cow<'a, str>,
    #[serde(borrow)]
    command_id: Cow<'a, str>,
    #[serde(borrow)]
    device_id: Cow<'a, str>,
}

impl Default for Seen<'_> {
    fn default() -> Self {
        let none = || Cow::Borrowed("");
        Self { ts: none(), level: none(), event: none(), command_id: none(), device_id: none() }
    }
}

impl Filter {
    /// Is this line wanted? One that is no record is wanted only by those who want everything.
    #[must_use]
    pub fn wants(&self, line: &str) -> bool {
        if *self == Self::default() {
            return true;
        }
        let Ok(seen) = serde_json::from_str::<Seen<'_>>(line) else { return false };
        let is = |wanted: &Option<String>, found: &str| {
            wanted.as_ref().is_none_or(|wanted| wanted == found)
        };
        let loud = |least: Level| seen.level.parse::<Level>().is_ok_and(|level| level >= least);
        let begins = |prefix: &String| seen.event.starts_with(prefix.as_str());
        self.level.is_none_or(loud)
            && self.event_prefix.as_ref().is_none_or(begins)
            && is(&self.command_id, &seen.command_id)
            && is(&self.device_id, &seen.device_id)
            && self.since.as_ref().is_none_or(|since| *seen.ts >= *since.0)
    }
}

/// The last lines that are wanted, oldest first. A log that is not there has none.
pub fn tail(dir: &Path, lines: usize, filter: &Filter) -> Result<Vec<String>, Failure> {
    Follower::begin(dir, lines, filter).map(|(_, lines)| lines)
}

/// Hands over the last lines and then every new one, until it is told to stop.
///
/// Between two looks `should_stop` is called with the time to wait; it waits and says whether
/// that was all. `on_line` may end it too, as when nobody reads any more.
pub fn follow(
    dir: &Path,
    lines: usize,
    filter: &Filter,
    on_line: &mut dyn FnMut(&str) -> ControlFlow<()>,
    should_stop: &mut dyn FnMut(Duration) -> bool,
) -> Result<(), Failure> {
    let (mut follower, mut new) = Follower::begin(dir, lines, filter)?;
    loop {
        for line in &new {
            if on_line(line).is_break() {
                return Ok(());
            }
        }
        if should_stop(LOOK_EVERY) {
            return Ok(());
        }
        new = follower.look()?;
    }
}

/// Knows how far each file was read. All of them, not only the newest: at midnight a slow process
/// may still write its record of yesterday.
struct Follower<'a> {
    dir: &'a Path,
    filter: &'a Filter,
    read: BTreeMap<PathBuf, u64>,
}

impl<'a> Follower<'a> {
    /// Stands at the end of the log; the last lines before it are answered.
    fn begin(
        dir: &'a Path,
        lines: usize,
        filter: &'a Filter,
    ) -> Result<(Self, Vec<String>), Failure> {
        let mut follower = Self { dir, filter, read: BTreeMap::new() };
        let mut last = VecDeque::new();
        // From the newest file back, until there are enough.
        for file in follower.files()?.into_iter().rev() {
            let since = filter.since.as_ref().map_or("", Since::date);
            if last.len() >= lines || file.date.as_str() < since {
                follower.read.insert(file.path, file.bytes);
                continue;
            }
            let missing = lines - last.len();
            for line in follower.new_lines(file)?.into_iter().rev().take(missing) {
                last.push_front(line);
            }
        }
        Ok((follower, last.into()))
    }

    /// The wanted lines that came since the last look.
    fn look(&mut self) -> Result<Vec<String>, Failure> {
        let files = self.files()?;
        // One that was deleted and is made again begins at its beginning.
        self.read.retain(|path, _| files.iter().any(|file| file.path == *path));
        let mut lines = Vec::new();
        for file in files {
            lines.extend(self.new_lines(file)?);
        }
        Ok(lines)
    }

    fn files(&self) -> Result<Vec<LogFile>, Failure> {
        keep::files(self.dir).map_err(|error| unreadable(self.dir, &error))
    }

    fn new_lines(&mut self, file: LogFile) -> Result<Vec<String>, Failure> {
        let before = self.read.get(&file.path).copied().unwrap_or_default();
        // A file that became shorter was emptied and begins anew.
        let from = if file.bytes < before { 0 } else { before };
        if file.bytes == from {
            self.read.insert(file.path, from);
            return Ok(Vec::new());
        }
        let bytes = match read_from(&file.path, from) {
            // Deleted since it was seen.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            bytes => bytes.map_err(|error| unreadable(&file.path, &error))?,
        };
        // Half a line is read again when the rest of it is there.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        self.read.insert(file.path, from + u64::try_from(whole).unwrap_or(u64::MAX));
        let text = String::from_utf8_lossy(&bytes[..whole]);
        Ok(text.lines().filter(|line| self.filter.wants(line)).map(str::to_owned).collect())
    }
}

fn read_from(path: &Path, at: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let code = ErrorCode::InputUnreadable;
    Failure::new(code, format!("the log {} could not be read: {error}", path.display()))
        .detail("path", path.display().to_string())
        .hint(code.remedy())
}
