//! `input`: fingers and keys.

use super::{Io, value_of};
use crate::device::KeyCode;
use crate::system::System;
use clawperator_contract::runnable::Point;
use std::sync::Arc;
use std::time::Duration;

const SOURCES: &[&str] = &["touchscreen", "keyboard", "mouse", "dpad"];

pub(super) fn input(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let args = match args.first() {
        Some(source) if SOURCES.contains(&source.as_str()) => &args[1..],
        _ => args,
    };
    let Some((verb, args)) = args.split_first() else { return usage(io) };
    let numbers: Vec<i32> =
        args.iter().filter_map(|arg| arg.parse::<f64>().ok()).map(pixels).collect();
    let point = |x: i32, y: i32| Point { x, y };
    match (verb.as_str(), numbers.as_slice()) {
        ("tap", [x, y]) => system.device.tap(point(*x, *y)),
        ("press" | "longpress", [x, y]) => {
            system.device.press(point(*x, *y), Duration::from_millis(700));
        }
        ("swipe" | "draganddrop", [x1, y1, x2, y2, rest @ ..]) => {
            let ms = rest.first().copied().unwrap_or(300);
            let time = Duration::from_millis(u64::try_from(ms).unwrap_or(300));
            system.device.swipe(point(*x1, *y1), point(*x2, *y2), time);
        }
        ("text", _) => match args.first() {
            // The tool's own way to write a space.
            Some(text) => system.device.type_text(&text.replace("%s", " ")),
            None => return usage(io),
        },
        ("keyevent", _) => return keyevent(system, args, io),
        _ => return usage(io),
    }
    0
}

#[allow(clippy::cast_possible_truncation, reason = "a float cast saturates")]
fn pixels(number: f64) -> i32 {
    number as i32
}

fn keyevent(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let with_value = value_of(args, "--longpress").is_some();
    let keys: Vec<_> = args.iter().filter(|arg| !arg.starts_with("--")).collect();
    if keys.is_empty() && !with_value {
        return usage(io);
    }
    for key in keys {
        let code = match key.parse::<u32>() {
            Ok(number) => KeyCode::numbered(number),
            Err(_) => KeyCode::named(key),
        };
        match code {
            Some(code) => system.device.key(code),
            // A key nothing on this phone answers to does nothing, as on any phone.
            None if key.parse::<u32>().is_ok() => {}
            None => {
                io.complain(format!("Error: Unknown keycode {key}\n"));
                return 255;
            }
        }
    }
    0
}

fn usage(io: &mut Io<'_>) -> u8 {
    io.complain("Usage: input [<source>] <command> [<arg>...]\n\ntext <string>\nkeyevent <key code number or name>\ntap <x> <y>\nswipe <x1> <y1> <x2> <y2> [duration(ms)]\n");
    255
}
