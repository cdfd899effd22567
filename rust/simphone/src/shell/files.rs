//! Files: the few commands tools use on them.

use super::{Io, plain};
use crate::system::System;
use clawperator_adbd::{FileError, Files};
use clawperator_runtime::phone::Clock;
use std::sync::Arc;

/// `S_IFREG`, readable by all.
const REGULAR: u32 = 0o100_644;

/// Writes a file of the phone.
pub(super) fn write(system: &System, path: &str, content: Vec<u8>) -> Result<(), FileError> {
    system.files.write(path, REGULAR, now(system), content)
}

fn now(system: &System) -> u32 {
    u32::try_from(system.device.clock().epoch_ms() / 1_000).unwrap_or(u32::MAX)
}

/// Does something with each path; says what went wrong with which.
fn each(
    name: &str,
    paths: &[&str],
    io: &mut Io<'_>,
    mut act: impl FnMut(&str, &mut Io<'_>) -> Result<(), FileError>,
) -> u8 {
    let mut code = 0;
    for path in paths {
        if let Err(error) = act(path, io) {
            io.complain(format!("{name}: {path}: {error}\n"));
            code = 1;
        }
    }
    code
}

pub(super) fn cat(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let paths = plain(args, &[]);
    if paths.is_empty() {
        let mut buffer = [0; 4_096];
        // As it comes: whoever types wants to see it.
        while let Ok(count @ 1..) = io.input.read(&mut buffer) {
            if io.out.write_all(&buffer[..count]).and_then(|()| io.out.flush()).is_err() {
                break;
            }
        }
        return 0;
    }
    each("cat", &paths, io, |path, io| {
        let bytes = system.files.read(path)?;
        let _ = io.out.write_all(&bytes);
        Ok(())
    })
}

pub(super) fn ls(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let long = args.iter().any(|arg| arg.starts_with('-') && arg.contains('l'));
    let mut paths = plain(args, &[]);
    if paths.is_empty() {
        paths.push("/");
    }
    each("ls", &paths, io, |path, io| {
        let stat = system.files.stat(path)?;
        let entries = if stat.is_directory() && !args.iter().any(|arg| arg == "-d") {
            system.files.list(path)?
        } else {
            vec![(path.to_owned(), stat)]
        };
        for (name, stat) in entries {
            if long {
                let kind = if stat.is_directory() { 'd' } else { '-' };
                io.say(format!(
                    "{kind}rw-rw---- 1 shell shell {:>8} 2026-01-01 00:00 {name}\n",
                    stat.size
                ));
            } else {
                io.say(format!("{name}\n"));
            }
        }
        Ok(())
    })
}

pub(super) fn rm(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let flag = |letter: char| args.iter().any(|arg| arg.starts_with('-') && arg.contains(letter));
    let (all, quiet) = (flag('r'), flag('f'));
    each("rm", &plain(args, &[]), io, |path, _| {
        let removed = if all { system.files.remove_all(path) } else { system.files.remove(path) };
        match removed {
            Err(FileError::NotFound) if quiet => Ok(()),
            other => other,
        }
    })
}

pub(super) fn mkdir(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let parents = args.iter().any(|arg| arg == "-p");
    each("mkdir", &plain(args, &[]), io, |path, _| {
        match system.files.make_directory(path, 0o771, now(system)) {
            Err(FileError::Exists) if parents => Ok(()),
            other => other,
        }
    })
}

pub(super) fn mv(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    match plain(args, &[]).as_slice() {
        [from, to] => each("mv", &[from], io, |from, _| system.files.rename(from, to)),
        _ => {
            io.complain("mv: needs two arguments\n");
            1
        }
    }
}

pub(super) fn touch(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    each("touch", &plain(args, &[]), io, |path, _| match system.files.read(path) {
        Ok(before) => write(system, path, before.as_ref().clone()),
        Err(_) => write(system, path, Vec::new()),
    })
}

/// Nobody on this phone is kept out of anything; the file must be there, though.
pub(super) fn chmod(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let paths = plain(args, &[]);
    each("chmod", paths.get(1..).unwrap_or_default(), io, |path, _| {
        system.files.stat(path).map(drop)
    })
}

pub(super) fn test(system: &Arc<System>, args: &[String], _io: &mut Io<'_>) -> u8 {
    let words: Vec<&str> = args.iter().map(String::as_str).filter(|word| *word != "]").collect();
    let there = |path: &str| system.files.stat(path).ok();
    let holds = match words.as_slice() {
        ["-e", path] => there(path).is_some(),
        ["-f", path] => there(path).is_some_and(|stat| !stat.is_directory()),
        ["-d", path] => there(path).is_some_and(|stat| stat.is_directory()),
        ["-n", text] => !text.is_empty(),
        ["-z", text] => text.is_empty(),
        [a, "=" | "==", b] => a == b,
        [a, "!=", b] => a != b,
        [a, "-eq", b] => a.parse::<i64>().is_ok() && a.parse::<i64>() == b.parse::<i64>(),
        [text] => !text.is_empty(),
        _ => false,
    };
    u8::from(!holds)
}
