//! Programs and arguments that are refused whatever the list allows.

use super::lexer::Word;
use super::refusal::{Found, Why};
use super::variables::may_set;

/// They end the phone or the host, gain rights, or fetch what nobody has read.
const DENIED: [&str; 14] = [
    "chroot", "curl", "doas", "halt", "init", "insmod", "mkfs", "poweroff", "reboot", "shutdown",
    "su", "sudo", "telinit", "wget",
];

/// They run text as code, change what later commands mean, or are shells of another language.
const UNDECIDABLE: [&str; 26] = [
    ".",
    "alias",
    "bind",
    "compgen",
    "complete",
    "csh",
    "declare",
    "dirs",
    "enable",
    "eval",
    "fc",
    "fish",
    "getopts",
    "hash",
    "history",
    "let",
    "mapfile",
    "popd",
    "pushd",
    "readarray",
    "source",
    "tcsh",
    "trap",
    "typeset",
    "unalias",
    "zsh",
];

pub(super) fn program(name: &str, at: usize) -> Result<(), Found> {
    if DENIED.contains(&name) || name.starts_with("mkfs.") {
        return Err((Why::Denied(name.to_owned()), at));
    }
    if UNDECIDABLE.contains(&name) {
        return Err((Why::Undecidable(format!("'{name}'")), at));
    }
    Ok(())
}

pub(super) fn arguments(name: &str, at: usize, arguments: &[Word]) -> Result<(), Found> {
    let has = |wanted: &str| arguments.iter().any(|word| word.text == wanted);
    let denied = |rule: &str| Err((Why::Denied(rule.to_owned()), at));
    match name {
        "rm" | "rmdir" | "unlink" | "shred" => remove(at, arguments),
        "chmod" | "chown" | "chgrp" if option(arguments, "Rr", "--r") => {
            let far = arguments.iter().any(|word| word.dynamic || outside(&word.text));
            if far { denied("recursive change of rights outside the workspace") } else { Ok(()) }
        }
        "dd" if arguments.iter().any(|word| {
            word.dynamic || word.text.starts_with("if=") || word.text.starts_with("of=")
        }) =>
        {
            denied("dd with if= or of=")
        }
        "cd" if arguments.is_empty()
            || has("-")
            || arguments.iter().any(|word| word.dynamic || word.glob || outside(&word.text)) =>
        {
            denied("cd out of the workspace")
        }
        "find"
            if has("-delete")
                || arguments.iter().any(|word| word.text.starts_with("-fp"))
                || has("-fls") =>
        {
            denied("find that deletes or writes")
        }
        "git"
            if arguments.iter().take_while(|word| word.text.starts_with('-')).any(|word| {
                word.text.starts_with("-c")
                    || word.text.starts_with("--config-env")
                    || word.text.starts_with("--exec-path")
            }) =>
        {
            denied("git with settings that run programs")
        }
        // These evaluate an index in a variable's name as code.
        "printf"
            if arguments
                .first()
                .is_some_and(|word| word.dynamic || word.text.starts_with("-v")) =>
        {
            Err((Why::Undecidable("printf into a variable".into()), at))
        }
        "test" | "[" if !plain_test(arguments) => {
            Err((Why::Undecidable("a test of something known only at run time".into()), at))
        }
        "export" | "read" | "unset" | "readonly" | "local" => {
            arguments.iter().try_for_each(variable)
        }
        _ => Ok(()),
    }
}

/// Whether a test can only compare. `-v` takes a variable's name and runs its index as code, so
/// what stands for an operator must be written out when anything is not.
fn plain_test(arguments: &[Word]) -> bool {
    if arguments.iter().any(|word| word.splits || ["-v", "-R"].contains(&word.text.as_str())) {
        return false;
    }
    let not_mark = |word: &&Word| word.dynamic || !["!", "]"].contains(&word.text.as_str());
    let words: Vec<&Word> = arguments.iter().filter(not_mark).collect();
    match words[..] {
        _ if words.iter().all(|word| !word.dynamic) => true,
        [_] => true,
        [operator, _] => !operator.dynamic,
        [_, operator, _] => !operator.dynamic && operator.text.contains(['=', '-']),
        _ => false,
    }
}

/// An argument that is the name of a variable, perhaps with a value.
fn variable(word: &Word) -> Result<(), Found> {
    let name = match &word.assigns {
        Some(name) => name,
        None if word.dynamic => {
            return Err((Why::Undecidable("a variable known only at run time".into()), word.at));
        }
        None if word.text.starts_with('-') => return Ok(()),
        None => word.text.split_once('=').map_or(word.text.as_str(), |(name, _)| name),
    };
    may_set(name, word.at)
}

fn remove(at: usize, arguments: &[Word]) -> Result<(), Found> {
    let recursive = option(arguments, "rR", "--r");
    let force = option(arguments, "f", "--f");
    let rule = if recursive && force {
        "rm -rf"
    } else if arguments.iter().any(|word| word.dynamic) {
        "rm of what is known only at run time"
    } else if recursive && arguments.iter().any(|word| word.glob) {
        "rm -r with a pattern"
    } else if arguments.iter().any(|word| outside(&word.text)) {
        "rm outside the workspace"
    } else {
        return Ok(());
    };
    Err((Why::Denied(rule.to_owned()), at))
}

/// Whether a short option is set, alone or in a cluster, or a long one that begins so.
fn option(arguments: &[Word], short: &str, long: &str) -> bool {
    arguments.iter().take_while(|word| word.text != "--").any(|word| {
        let text = word.text.as_str();
        text.starts_with(long)
            || !text.starts_with("--")
                && text.starts_with('-')
                && text.contains(|c| short.contains(c))
    })
}

fn outside(path: &str) -> bool {
    path.starts_with('/') || path.split('/').any(|part| part == "..")
}
