//! `am` and `monkey`: starting, stopping and telling apps.

use super::{Io, value_of};
use crate::device::Focus;
use crate::system::System;
use clawperator_link::broadcast::{ACTION, Broadcast};
use clawperator_runtime::phone::{Clock, Display, Launch};
use clawperator_runtime::screen::Generation;
use std::sync::Arc;
use std::time::Duration;

/// How long `-W` waits at most.
const LONGEST_START: Duration = Duration::from_secs(10);

pub(super) fn am(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let Some((verb, args)) = args.split_first() else {
        io.complain("usage: am [start|broadcast|force-stop|kill|instrument] ...\n");
        return 255;
    };
    match verb.as_str() {
        "start" | "start-activity" => start(system, args, io),
        "broadcast" => broadcast(system, args, io),
        "force-stop" | "kill" => match args.iter().find(|arg| !arg.starts_with('-')) {
            Some(package) => {
                system.force_stop(package);
                0
            }
            None => usage(io, "force-stop <PACKAGE>"),
        },
        "instrument" => instrument(args, io),
        "get-current-user" => {
            io.say("0\n");
            0
        }
        other => {
            io.complain(format!("Unknown command: {other}\n"));
            255
        }
    }
}

/// Apps here are data, not code, so none has an instrumentation. The answer is a phone's for one
/// that is not there; its first part only goes to who waits and wants it raw.
fn instrument(args: &[String], io: &mut Io<'_>) -> u8 {
    let Some((package, class)) = args.last().map(String::as_str).and_then(component) else {
        return usage(io, "instrument <COMPONENT>");
    };
    let class = if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() };
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    if has("-w") && has("-r") {
        io.say(format!(
            "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{{{package}/{class}}}\n\
             INSTRUMENTATION_STATUS: id=ActivityManagerService\n\
             INSTRUMENTATION_STATUS_CODE: -1\n"
        ));
    }
    io.complain(format!(
        "android.util.AndroidException: INSTRUMENTATION_FAILED: {package}/{class}\n\
         \tat com.android.commands.am.Instrument.run(Instrument.java)\n"
    ));
    1
}

fn usage(io: &mut Io<'_>, what: &str) -> u8 {
    io.complain(format!("Error: Argument expected; usage: am {what}\n"));
    255
}

/// The package and class of a component: `a.b/.C`.
fn component(text: &str) -> Option<(&str, &str)> {
    text.split_once('/').filter(|(package, class)| !package.is_empty() && !class.is_empty())
}

fn start(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let uri = value_of(args, "-d");
    let package = value_of(args, "-n")
        .and_then(component)
        .map(|(package, _)| package)
        .or_else(|| value_of(args, "-p"))
        .or_else(|| {
            args.last().map(String::as_str).and_then(component).map(|(package, _)| package)
        });
    let before = system.device.generation();
    let wanted = match uri {
        Some(uri) => system.device.resolve(uri),
        None => package.map(str::to_owned),
    };
    let (intent, launched) = match (uri, package) {
        (Some(uri), _) => (
            format!("Intent {{ act=android.intent.action.VIEW dat={uri} }}"),
            system.device.view(uri),
        ),
        (None, Some(package)) => {
            let intent = format!("Intent {{ cmp={package}/.MainActivity }}");
            (intent, system.device.launch(package))
        }
        (None, None) => return usage(io, "start <INTENT>"),
    };
    io.say(format!("Starting: {intent}\n"));
    match launched {
        Launch::Started => {
            if args.iter().any(|arg| arg == "-W") {
                waited(system, wanted.as_deref(), before, io);
            }
            0
        }
        Launch::NoHandler => {
            io.complain(format!("Error: Activity not started, unable to resolve {intent}\n"));
            1
        }
        Launch::Refused => {
            io.complain("Error: Activity not started, you do not have permission.\n");
            1
        }
    }
}

/// `-W` waits until the app is in front; behind a lock or a dark screen it never is.
fn waited(system: &Arc<System>, package: Option<&str>, before: Generation, io: &mut Io<'_>) {
    let device = &system.device;
    let clock = device.clock();
    let start = clock.now();
    let end = start + LONGEST_START;
    loop {
        let seen = device.generation();
        let front = device.focus().is_some_and(|focus| Some(focus.package.as_str()) == package);
        let over = device.display() != Display::On || clock.now() >= end;
        if front && seen != before || over {
            break;
        }
        device.wait(Some(seen), end);
    }
    let Focus { package, activity, .. } = device.focus().unwrap_or_else(nothing);
    let ms = clock.now().saturating_sub(start).as_millis();
    io.say(format!(
        "Status: ok\nLaunchState: COLD\nActivity: {package}/{activity}\nTotalTime: {ms}\nWaitTime: {ms}\nComplete\n"
    ));
}

fn nothing() -> Focus {
    Focus { package: "null".into(), activity: "null".into(), title: String::new() }
}

fn broadcast(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let Some(action) = value_of(args, "-a") else { return usage(io, "broadcast <INTENT>") };
    let package = value_of(args, "-p")
        .or_else(|| value_of(args, "-n").and_then(component).map(|(package, _)| package));
    io.say(format!("Broadcasting: Intent {{ act={action} flg=0x400000 (has extras) }}\n"));
    let extra = |key: &str| {
        let flags = ["--es", "-e"];
        let at = args.windows(3).find(|w| flags.contains(&w[0].as_str()) && w[1] == key)?;
        Some(at[2].clone())
    };
    // Whether anybody took it does not show: a broadcast without a receiver completes too.
    if action == ACTION
        && let (Some(package), Some(broadcast)) = (package, Broadcast::from_extras(extra))
    {
        system.broadcast(package, broadcast);
    }
    io.say("Broadcast completed: result=0\n");
    0
}

/// An app that runs has a process, and so has an operator whose service is on.
pub(super) fn pidof(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let running = system.device.running();
    let operators = system.operators();
    let found = args.iter().find(|name| {
        let operator = || operators.iter().any(|operator| operator.package == **name);
        running.contains(name) || operator() && system.service_enabled(name)
    });
    match found {
        Some(_) => {
            io.say("4242\n");
            0
        }
        None => 1,
    }
}

/// `monkey -p PACKAGE -c android.intent.category.LAUNCHER 1`: the usual way to launch by package.
pub(super) fn monkey(system: &Arc<System>, args: &[String], io: &mut Io<'_>) -> u8 {
    let Some(package) = value_of(args, "-p") else {
        io.complain("** Error: a package is needed (-p)\n");
        return 255;
    };
    match system.device.launch(package) {
        Launch::Started => {
            io.say("Events injected: 1\n## Network stats: elapsed time=0ms (0ms mobile, 0ms wifi, 0ms not connected)\n");
            0
        }
        _ => {
            io.say("** No activities found to run, monkey aborted.\n");
            252
        }
    }
}
