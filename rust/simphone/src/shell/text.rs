//! Small tools for text and time.

use super::{Io, plain, value_of};
use crate::system::System;
use clawperator_runtime::phone::Clock;
use std::sync::Arc;
use std::time::Duration;

pub(super) fn echo(_: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let bare = args.first().is_some_and(|arg| arg == "-n");
    let words = if bare { &args[1..] } else { args };
    io.say(words.join(" ") + if bare { "" } else { "\n" });
    0
}

/// `%s` and `%d` in turn, and the usual escapes.
pub(super) fn printf(_: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let Some((format, values)) = args.split_first() else { return 1 };
    let mut values = values.iter();
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match (c, if matches!(c, '%' | '\\') { chars.next() } else { None }) {
            ('%', Some('s' | 'd')) => out.push_str(values.next().map_or("", String::as_str)),
            ('%', Some('%')) => out.push('%'),
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('t')) => out.push('\t'),
            (_, Some(other)) => out.extend([c, other]),
            (c, None) => out.push(c),
        }
    }
    io.say(out);
    0
}

fn lines(io: &mut Io<'_>) -> Vec<String> {
    String::from_utf8_lossy(&io.read_all()).lines().map(str::to_owned).collect()
}

pub(super) fn grep(_: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let flag = |letter: char| args.iter().any(|arg| arg.starts_with('-') && arg.contains(letter));
    let Some(pattern) = plain(args, &[]).first().map(|text| (*text).to_owned()) else { return 2 };
    let ignore = if flag('i') { "(?i)" } else { "" };
    let Ok(regex) = regex_lite::Regex::new(&format!("{ignore}{pattern}")) else {
        io.complain("grep: bad pattern\n");
        return 2;
    };
    let found: Vec<_> =
        lines(io).into_iter().filter(|line| regex.is_match(line) != flag('v')).collect();
    if flag('c') {
        io.say(format!("{}\n", found.len()));
    } else if !flag('q') {
        found.iter().for_each(|line| io.say(format!("{line}\n")));
    }
    u8::from(found.is_empty())
}

fn count(args: &[String]) -> usize {
    let dashed = args.iter().find_map(|arg| arg.strip_prefix('-').and_then(|n| n.parse().ok()));
    value_of(args, "-n").and_then(|n| n.parse().ok()).or(dashed).unwrap_or(10)
}

pub(super) fn head(_: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let lines = lines(io);
    lines.iter().take(count(args)).for_each(|line| io.say(format!("{line}\n")));
    0
}

pub(super) fn tail(_: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let lines = lines(io);
    let skip = lines.len().saturating_sub(count(args));
    lines.iter().skip(skip).for_each(|line| io.say(format!("{line}\n")));
    0
}

pub(super) fn wc(_: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let bytes = io.read_all();
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    let only = args.first().map(String::as_str);
    io.say(match only {
        Some("-l") => format!("{lines}\n"),
        Some("-c") => format!("{}\n", bytes.len()),
        _ => format!("{lines} {}\n", bytes.len()),
    });
    0
}

pub(super) fn sort(_: &Arc<System>, _: &[String], io: &mut Io<'_>) -> u8 {
    let mut lines = lines(io);
    lines.sort();
    lines.iter().for_each(|line| io.say(format!("{line}\n")));
    0
}

pub(super) fn id(_: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    match args.first().map(String::as_str) {
        Some("-u") => io.say("2000\n"),
        _ => io.say("uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log) context=u:r:shell:s0\n"),
    }
    0
}

pub(super) fn whoami(_: &Arc<System>, _: &[String], io: &mut Io<'_>) -> u8 {
    io.say("shell\n");
    0
}

pub(super) fn pwd(_: &Arc<System>, _: &[String], io: &mut Io<'_>) -> u8 {
    io.say("/\n");
    0
}

/// Seconds since 1970 (`+%s`), or a date and time as the log writes it.
pub(super) fn date(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let ms = system.device.clock().epoch_ms();
    match args.first().map(String::as_str) {
        Some("+%s") => io.say(format!("{}\n", ms / 1_000)),
        Some("+%s%3N" | "+%s%N") => io.say(format!("{ms}\n")),
        _ => io.say(format!("{}\n", super::logs::stamp(ms))),
    }
    0
}

pub(super) fn sleep(_: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    match args.first().and_then(|text| text.parse::<f64>().ok()) {
        Some(seconds) => {
            let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
            std::thread::sleep(time.min(Duration::from_secs(60)));
            0
        }
        None => {
            io.complain("sleep: Needs 1 argument\n");
            1
        }
    }
}
