//! The phone's shell: a line is taken apart and its commands are run on the [`System`].

mod activity;
mod files;
mod input;
mod logs;
mod packages;
pub mod parse;
mod state;
mod text;

use crate::system::System;
use clawperator_adbd::Files;
use parse::{Command, Line, Redirection, When};
use std::io::{self, Read, Write};
use std::sync::Arc;

/// What a command reads and writes.
pub struct Io<'a> {
    /// Its input.
    pub input: &'a mut dyn Read,
    /// Its output.
    pub out: &'a mut dyn Write,
    /// Its complaints.
    pub err: &'a mut dyn Write,
    /// Does somebody wait at the other end, so that output may go on without end?
    pub live: bool,
}

impl Io<'_> {
    fn say(&mut self, text: impl AsRef<str>) {
        // Who has gone away does not mind.
        let _ = self.out.write_all(text.as_ref().as_bytes());
    }

    fn complain(&mut self, text: impl AsRef<str>) {
        let _ = self.err.write_all(text.as_ref().as_bytes());
    }

    fn read_all(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let _ = self.input.read_to_end(&mut bytes);
        bytes
    }
}

/// Exit code of a command the phone does not have.
const NOT_FOUND: u8 = 127;

/// One command: the system, its words without its name, what it reads and writes.
type Run = fn(&Arc<System>, &[String], &mut Io<'_>) -> u8;

/// Every command there is.
const COMMANDS: &[(&str, Run)] = &[
    ("am", activity::am),
    ("monkey", activity::monkey),
    ("pidof", activity::pidof),
    ("pm", packages::pm),
    ("cmd", packages::cmd),
    ("input", input::input),
    ("wm", state::wm),
    ("svc", state::svc),
    ("getprop", state::getprop),
    ("settings", state::settings),
    ("dumpsys", state::dumpsys),
    ("screencap", state::screencap),
    ("uiautomator", state::uiautomator),
    ("logcat", logs::logcat),
    ("log", logs::log),
    ("cat", files::cat),
    ("ls", files::ls),
    ("rm", files::rm),
    ("mkdir", files::mkdir),
    ("mv", files::mv),
    ("touch", files::touch),
    ("chmod", files::chmod),
    ("test", files::test),
    ("[", files::test),
    ("echo", text::echo),
    ("printf", text::printf),
    ("grep", text::grep),
    ("head", text::head),
    ("tail", text::tail),
    ("wc", text::wc),
    ("sort", text::sort),
    ("true", |_, _, _| 0),
    (":", |_, _, _| 0),
    ("false", |_, _, _| 1),
    ("id", text::id),
    ("whoami", text::whoami),
    ("pwd", text::pwd),
    ("cd", |_, _, _| 0),
    // Nothing here reads the environment, so there is nothing to keep of it.
    ("export", |_, _, _| 0),
    ("unset", |_, _, _| 0),
    ("set", |_, _, _| 0),
    ("exec", exec),
    ("date", text::date),
    ("sleep", text::sleep),
    ("which", which),
    ("sh", sh),
];

/// Runs a line; answers with the exit code of its last command.
pub fn run(system: &Arc<System>, line: &str, io: &mut Io<'_>) -> u8 {
    match parse::parse(line) {
        Ok(line) => run_line(system, &line, io),
        Err(error) => {
            io.complain(format!("/system/bin/sh: {error}\n"));
            1
        }
    }
}

fn run_line(system: &Arc<System>, line: &Line, io: &mut Io<'_>) -> u8 {
    let mut code = 0;
    for (when, pipeline) in &line.0 {
        let runs = match when {
            When::Always => true,
            When::IfOk => code == 0,
            When::IfFailed => code != 0,
        };
        if !runs {
            continue;
        }
        if let Some(asked) = exits(pipeline, code) {
            return asked;
        }
        code = run_pipeline(system, pipeline, code, io);
    }
    code
}

/// `exit N` ends the line.
fn exits(pipeline: &[Command], last: u8) -> Option<u8> {
    let words = &pipeline.first()?.words;
    let word = |at: usize| words.get(at).map(|word| word.filled(|_| last.to_string()));
    if word(0).as_deref() != Some("exit") {
        return None;
    }
    Some(word(1).and_then(|code| code.parse().ok()).unwrap_or(last))
}

fn run_pipeline(system: &Arc<System>, pipeline: &[Command], last: u8, io: &mut Io<'_>) -> u8 {
    let Some((end, before)) = pipeline.split_last() else { return 0 };
    let mut carried: Option<Vec<u8>> = None;
    for command in before {
        let mut out = Vec::new();
        let mut piped = carried.take().map(io::Cursor::new);
        let input: &mut dyn Read = match &mut piped {
            Some(bytes) => bytes,
            None => &mut *io.input,
        };
        // What goes into a pipe must end, or the next command never begins.
        let mut inner = Io { input, out: &mut out, err: &mut *io.err, live: false };
        run_command(system, command, last, &mut inner);
        carried = Some(out);
    }
    match carried {
        None => run_command(system, end, last, io),
        Some(bytes) => {
            let mut input = io::Cursor::new(bytes);
            let mut inner =
                Io { input: &mut input, out: &mut *io.out, err: &mut *io.err, live: io.live };
            run_command(system, end, last, &mut inner)
        }
    }
}

fn run_command(system: &Arc<System>, command: &Command, last: u8, io: &mut Io<'_>) -> u8 {
    let fill = |word: &parse::Word| {
        word.filled(|name| match name {
            "?" => last.to_string(),
            "EXTERNAL_STORAGE" => "/sdcard".into(),
            "HOME" => "/".into(),
            _ => String::new(),
        })
    };
    // `NAME=value` before a command sets its environment, which nothing here reads.
    let words = command.words.iter().map(fill).skip_while(|word| is_assignment(word));
    let words: Vec<String> = words.collect();
    let Some((name, args)) = words.split_first() else { return 0 };
    if command.redirections.is_empty() {
        return run_words(system, name, args, io);
    }
    let (mut out, mut err): (Option<Sink>, Option<Sink>) = (None, None);
    let mut errors_to_output = false;
    let mut input: Option<io::Cursor<Vec<u8>>> = None;
    for redirection in &command.redirections {
        match redirection {
            Redirection::ErrorsToOutput => errors_to_output = true,
            Redirection::To { errors, append, file } => {
                let sink = Sink::new(fill(file), *append);
                if *errors { err = Some(sink) } else { out = Some(sink) }
            }
            Redirection::From(file) => match system.files.read(&fill(file)) {
                Ok(bytes) => input = Some(io::Cursor::new(bytes.as_ref().clone())),
                Err(error) => {
                    io.complain(format!("/system/bin/sh: can't open {}: {error}\n", fill(file)));
                    return 1;
                }
            },
        }
    }
    let (mut kept_out, mut kept_err) = (Vec::new(), Vec::new());
    let code = {
        let redirected = out.is_some();
        let input: &mut dyn Read = match &mut input {
            Some(bytes) => bytes,
            None => &mut *io.input,
        };
        let live = io.live && !redirected && !errors_to_output;
        let out: &mut dyn Write =
            if redirected || errors_to_output { &mut kept_out } else { &mut *io.out };
        let err: &mut dyn Write =
            if err.is_some() || errors_to_output { &mut kept_err } else { &mut *io.err };
        run_words(system, name, args, &mut Io { input, out, err, live })
    };
    if errors_to_output && err.is_none() {
        kept_out.append(&mut kept_err);
    }
    match out {
        Some(sink) => sink.keep(system, kept_out, io),
        // Bytes as they are: a picture may come this way.
        None => drop(io.out.write_all(&kept_out)),
    }
    if let Some(sink) = err {
        sink.keep(system, kept_err, io);
    }
    code
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(plain)
}

/// A file that output goes to.
struct Sink {
    path: String,
    append: bool,
}

impl Sink {
    fn new(path: String, append: bool) -> Self {
        Self { path, append }
    }

    fn keep(&self, system: &Arc<System>, bytes: Vec<u8>, io: &mut Io<'_>) {
        if self.path == "/dev/null" {
            return;
        }
        let mut content = Vec::new();
        if self.append
            && let Ok(before) = system.files.read(&self.path)
        {
            content.extend_from_slice(&before);
        }
        content.extend(bytes);
        if let Err(error) = files::write(system, &self.path, content) {
            io.complain(format!("/system/bin/sh: can't create {}: {error}\n", self.path));
        }
    }
}

fn run_words(system: &Arc<System>, name: &str, args: &[String], io: &mut Io<'_>) -> u8 {
    let short = name.strip_prefix("/system/bin/").unwrap_or(name);
    match COMMANDS.iter().find(|(own, _)| *own == short) {
        Some((_, run)) => run(system, args, io),
        None => {
            io.complain(format!("/system/bin/sh: {name}: inaccessible or not found\n"));
            NOT_FOUND
        }
    }
}

/// `exec` runs a command in the shell's place; for a line there is no difference.
fn exec(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    match args.split_first() {
        Some((name, args)) => run_words(system, name, args, io),
        None => 0,
    }
}

fn which(_: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let mut code = 0;
    for name in args {
        if COMMANDS.iter().any(|(own, _)| own == name) {
            io.say(format!("/system/bin/{name}\n"));
        } else {
            code = 1;
        }
    }
    code
}

fn sh(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    match args {
        [flag, line, ..] if flag == "-c" => run(system, line, io),
        _ => {
            let script = io.read_all();
            run(system, &String::from_utf8_lossy(&script), io)
        }
    }
}

/// What follows a flag.
fn value_of<'a>(args: &'a [String], flag: &str) -> Option<&'a str> {
    let at = args.iter().position(|arg| arg == flag)?;
    args.get(at + 1).map(String::as_str)
}

/// Words that are neither flags nor the values of those named.
fn plain<'a>(args: &'a [String], with_value: &[&str]) -> Vec<&'a str> {
    let mut plain = Vec::new();
    let mut skip = false;
    for arg in args {
        if std::mem::take(&mut skip) {
            continue;
        }
        if with_value.contains(&arg.as_str()) {
            skip = true;
        } else if !arg.starts_with('-') {
            plain.push(arg.as_str());
        }
    }
    plain
}
