//! Which program runs a script: found by the script's ending, so that no file needs an exec bit.

use clawperator_contract::{ErrorCode, Failure};
use clawperator_process::Limits;
use semver::Version;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The program and what stands before the script's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interpreter {
    pub(super) program: PathBuf,
    pub(super) arguments: &'static [&'static str],
}

/// One program that could run a kind of script.
struct Candidate {
    name: &'static str,
    arguments: &'static [&'static str],
}

const fn candidate(name: &'static str, arguments: &'static [&'static str]) -> Candidate {
    Candidate { name, arguments }
}

/// An answer to `--version` takes milliseconds; a version manager's shim may take seconds.
const VERSION_TIME: Duration = Duration::from_secs(10);
/// The first node that strips types when asked.
const STRIPS_WHEN_ASKED: Version = Version::new(22, 6, 0);

/// The endings a script may have, and who runs them, best first.
const KINDS: &[(&str, &[Candidate])] = &[
    (
        "ts",
        &[
            candidate("node", &[]),
            candidate("tsx", &[]),
            candidate("bun", &["run"]),
            candidate("deno", &["run", "--allow-all"]),
        ],
    ),
    ("js", &[candidate("node", &[]), candidate("bun", &["run"])]),
    ("sh", &[candidate("bash", &[]), candidate("sh", &[])]),
    ("py", &[candidate("python3", &[])]),
];

/// Endings of scripts, best first. TypeScript and JavaScript are equals.
pub(super) const RANKS: &[&[&str]] = &[&["ts", "js"], &["sh"], &["py"]];

/// Finds the program for this script: on `path`, for Node's kinds in the skill's own
/// `node_modules` first.
pub(super) fn find(script: &Path, folder: &Path, path: &OsStr) -> Result<Interpreter, Failure> {
    let ending = script.extension().and_then(OsStr::to_str).unwrap_or_default();
    let Some((_, candidates)) = KINDS.iter().find(|(name, _)| *name == ending) else {
        return Err(unknown_ending(script));
    };
    let mut folders = Vec::new();
    if matches!(ending, "ts" | "js") {
        folders.push(folder.join("node_modules/.bin"));
    }
    folders.extend(std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()));
    let mut too_old = Vec::new();
    for candidate in *candidates {
        let Some(program) = folders.iter().map(|at| at.join(candidate.name)).find(is_program)
        else {
            continue;
        };
        if (ending, candidate.name) != ("ts", "node") {
            return Ok(Interpreter { program, arguments: candidate.arguments });
        }
        match strips_types(&program) {
            Ok(arguments) => return Ok(Interpreter { program, arguments }),
            Err(reason) => too_old.push(reason),
        }
    }
    Err(missing(script, ending, candidates, &folders, &too_old))
}

fn is_program(path: &PathBuf) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path)
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 > 0)
}

/// How this node runs TypeScript, or why it does not.
fn strips_types(node: &Path) -> Result<&'static [&'static str], String> {
    let limits = Limits { timeout: VERSION_TIME, ..Limits::default() };
    let mut command = Command::new(node);
    command.arg("--version");
    let said = clawperator_process::run(command, &limits, None, &mut |_, _| {})
        .map(|run| run.stdout.text)
        .map_err(|error| format!("{} could not be started: {error}", node.display()))?;
    let Ok(version) = Version::parse(said.trim().trim_start_matches('v')) else {
        return Err(format!("{} does not tell its version", node.display()));
    };
    type_stripping(&version)
        .ok_or_else(|| format!("{} is {version}, which runs no TypeScript", node.display()))
}

/// 22.18 and 23.6 strip types by themselves, the versions before them when asked.
fn type_stripping(version: &Version) -> Option<&'static [&'static str]> {
    let by_itself = match version.major {
        22 => version.minor >= 18,
        23 => version.minor >= 6,
        major => major > 23,
    };
    match by_itself {
        true => Some(&[]),
        false if *version >= STRIPS_WHEN_ASKED => Some(&["--experimental-strip-types"]),
        false => None,
    }
}

fn unknown_ending(script: &Path) -> Failure {
    let endings: Vec<String> = KINDS.iter().map(|(ending, _)| format!(".{ending}")).collect();
    Failure::new(
        ErrorCode::SkillValidationFailed,
        format!("{} is no kind of script that can be run", script.display()),
    )
    .detail("script", script.display().to_string())
    .hint(format!("A script ends in {}.", endings.join(", ")))
}

fn missing(
    script: &Path,
    ending: &str,
    candidates: &[Candidate],
    folders: &[PathBuf],
    too_old: &[String],
) -> Failure {
    let names: Vec<&str> = candidates.iter().map(|candidate| candidate.name).collect();
    let places: Vec<String> = folders.iter().map(|at| at.display().to_string()).collect();
    let why = match too_old {
        [] => String::new(),
        reasons => format!(" ({})", reasons.join("; ")),
    };
    let wanted = match ending {
        "ts" => "Install Node.js 22.18 or newer (or tsx, bun or deno).",
        "js" => "Install Node.js.",
        "py" => "Install Python 3.",
        _ => "Install bash.",
    };
    Failure::new(
        ErrorCode::SkillInterpreterMissing,
        format!(
            "nothing runs {}: looked for {}{why} in {}",
            script.display(),
            names.join(", "),
            places.join(", ")
        ),
    )
    .detail("script", script.display().to_string())
    .detail("lookedFor", names)
    .detail("lookedIn", places)
    .hint(wanted)
}

/// Where programs are looked for when the caller says nothing.
pub(super) fn path_of_the_environment() -> OsString {
    std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_that_strips_types_is_told_apart_from_one_that_must_be_asked_and_one_that_cannot() {
        let asked: Option<&[&str]> = Some(&["--experimental-strip-types"]);
        for (version, arguments) in [
            ("20.20.2", None),
            ("22.5.9", None),
            ("22.6.0", asked),
            ("22.17.1", asked),
            ("22.18.0", Some(&[][..])),
            ("23.5.0", asked),
            ("23.6.0", Some(&[][..])),
            ("24.0.0", Some(&[][..])),
        ] {
            assert_eq!(type_stripping(&Version::parse(version).unwrap()), arguments, "{version}");
        }
    }

    #[test]
    fn every_ending_has_a_rank() {
        let ranked: Vec<&str> = RANKS.iter().flat_map(|rank| rank.iter().copied()).collect();
        assert!(KINDS.iter().all(|(ending, _)| ranked.contains(ending)));
    }
}
