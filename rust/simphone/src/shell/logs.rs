//! `logcat` and `log`.

use super::{Io, value_of};
use crate::logcat::{Entry, Level};
use crate::system::System;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// How long a live reader sleeps at most before it looks whether anybody still reads.
const LOOK: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Brief,
    Tag,
    Raw,
    Time,
    ThreadTime,
    Long,
    Epoch,
}

impl Format {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "brief" => Self::Brief,
            "tag" => Self::Tag,
            "raw" => Self::Raw,
            "time" => Self::Time,
            "threadtime" => Self::ThreadTime,
            "long" => Self::Long,
            "epoch" => Self::Epoch,
            _ => return None,
        })
    }
}

/// Which entries pass: the last rule that fits a tag decides.
struct Filter(Vec<(String, Level)>);

impl Filter {
    fn passes(&self, entry: &Entry) -> bool {
        let fits = |tag: &str| tag == "*" || tag == entry.tag;
        let own = self.0.iter().rev().find(|(tag, _)| tag == &entry.tag);
        let rule = own.or_else(|| self.0.iter().rev().find(|(tag, _)| fits(tag)));
        entry.level >= rule.map_or(Level::Verbose, |(_, level)| *level)
    }
}

/// Flags that take a value.
const WITH_VALUE: &[&str] = &["-v", "-T", "-t", "-b", "--pid", "-e", "-s"];

pub(super) fn logcat(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let log = &system.logcat;
    if has("-c") {
        log.clear();
        return 0;
    }
    if has("-g") {
        io.say("main: ring buffer is 1 MiB (0 B consumed), max entry is 5120 B, max payload is 4068 B\n");
        return 0;
    }
    let format = match value_of(args, "-v").map(Format::named) {
        None => Format::ThreadTime,
        Some(Some(format)) => format,
        Some(None) => {
            io.complain("logcat: Invalid parameter to -v\n");
            return 1;
        }
    };
    let filter = filter(args);
    let pid = value_of(args, "--pid").and_then(|pid| pid.parse::<u32>().ok());
    let wanted = |entry: &Entry| filter.passes(entry) && pid.is_none_or(|pid| entry.pid == pid);
    let dump = has("-d") || value_of(args, "-t").is_some() || !io.live;
    let mut next = first(system, args);
    if has("--") || format == Format::ThreadTime && next == 0 {
        io.say("--------- beginning of main\n");
    }
    loop {
        let entries = log.since(next);
        next = entries.last().map_or(next, |entry| entry.number + 1);
        let mut text = String::new();
        for entry in entries.iter().filter(|entry| wanted(entry)) {
            write_entry(&mut text, entry, format);
        }
        let gone = io.out.write_all(text.as_bytes()).and_then(|()| io.out.flush()).is_err();
        if dump || gone {
            return 0;
        }
        // An empty write tells whether anybody still listens.
        if !log.wait(next, LOOK) || io.out.write_all(b"").and_then(|()| io.out.flush()).is_err() {
            return 0;
        }
    }
}

/// Number of the first entry to show: `-T` and `-t` take a count or a time.
fn first(system: &Arc<System>, args: &[String]) -> u64 {
    let Some(from) = value_of(args, "-T").or_else(|| value_of(args, "-t")) else { return 0 };
    let entries = system.logcat.since(0);
    let end = system.logcat.next_number();
    if let Ok(count) = from.parse::<usize>() {
        let skip = entries.len().saturating_sub(count);
        return entries.get(skip).map_or(end, |entry| entry.number);
    }
    // `03-14 15:09:26.535`, perhaps with a year before it; the log knows none.
    let moment = match from.split_once('-') {
        Some((year, rest)) if year.len() == 4 => rest,
        _ => from,
    };
    let reached = |entry: &&Entry| match from.parse::<f64>() {
        #[allow(clippy::cast_precision_loss, reason = "milliseconds of this age are exact")]
        Ok(seconds) => entry.epoch_ms as f64 / 1_000.0 >= seconds,
        Err(_) => stamp(entry.epoch_ms).as_str() >= moment,
    };
    entries.iter().find(reached).map_or(end, |entry| entry.number)
}

fn filter(args: &[String]) -> Filter {
    let mut rules = Vec::new();
    if let Some(silent) = args.iter().position(|arg| arg == "-s") {
        rules.push(("*".to_owned(), Level::Silent));
        rules.extend(args[silent + 1..].iter().filter_map(|spec| rule(spec)));
        return Filter(rules);
    }
    let mut skip = false;
    for arg in args {
        if std::mem::take(&mut skip) {
            continue;
        }
        if WITH_VALUE.contains(&arg.as_str()) {
            skip = true;
        } else if !arg.starts_with('-') {
            rules.extend(rule(arg));
        }
    }
    Filter(rules)
}

/// `tag:level`; a tag alone means all of it.
fn rule(spec: &str) -> Option<(String, Level)> {
    if spec.starts_with('-') {
        return None;
    }
    match spec.rsplit_once(':') {
        Some((tag, level)) => Some((tag.to_owned(), Level::of(level)?)),
        None => Some((spec.to_owned(), Level::Verbose)),
    }
}

fn write_entry(out: &mut String, entry: &Entry, format: Format) {
    let Entry { epoch_ms, pid, level, tag, message, .. } = entry;
    let (level, stamp) = (level.letter(), stamp(*epoch_ms));
    if format == Format::Long {
        let _ = write!(out, "[ {stamp} {pid:5}:{pid:5} {level}/{tag} ]\n{message}\n\n");
        return;
    }
    for line in message.lines() {
        let _ = match format {
            Format::Raw => writeln!(out, "{line}"),
            Format::Tag => writeln!(out, "{level}/{tag:<8}: {line}"),
            Format::Brief => writeln!(out, "{level}/{tag:<8}({pid:5}): {line}"),
            Format::Time => writeln!(out, "{stamp} {level}/{tag:<8}({pid:5}): {line}"),
            Format::Epoch => {
                writeln!(
                    out,
                    "{:>11}.{:03} {pid:5} {pid:5} {level} {tag:<8}: {line}",
                    epoch_ms / 1_000,
                    epoch_ms % 1_000
                )
            }
            Format::ThreadTime | Format::Long => {
                writeln!(out, "{stamp} {pid:5} {pid:5} {level} {tag:<8}: {line}")
            }
        };
    }
}

/// Month, day and time of day, as the log writes it: `03-14 15:09:26.535`.
pub(super) fn stamp(epoch_ms: u64) -> String {
    let (days, ms) = (epoch_ms / 86_400_000, epoch_ms % 86_400_000);
    let (month, day) = month_and_day(days);
    let (seconds, ms) = (ms / 1_000, ms % 1_000);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{month:02}-{day:02} {hours:02}:{minutes:02}:{seconds:02}.{ms:03}")
}

/// Of the Gregorian calendar, by days since 1970.
fn month_and_day(mut days: u64) -> (u64, u64) {
    let mut year = 1970;
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (month, length) in (1..).zip(lengths) {
        if days < length {
            return (month, days + 1);
        }
        days -= length;
    }
    (12, 31)
}

/// `log -t TAG message`: writes to the log.
pub(super) fn log(system: &Arc<System>, args: &[String], _io: &mut Io<'_>) -> u8 {
    let tag = value_of(args, "-t").unwrap_or("log").to_owned();
    let level = value_of(args, "-p").and_then(Level::of).unwrap_or(Level::Info);
    let words = super::plain(args, &["-t", "-p"]);
    system.log(level, &tag, &words.join(" "));
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_as_the_log_does() {
        assert_eq!(stamp(0), "01-01 00:00:00.000");
        assert_eq!(stamp(1_709_210_096_789), "02-29 12:34:56.789");
        assert_eq!(stamp(1_767_225_599_999), "12-31 23:59:59.999");
    }
}
