//! Variables that decide which program runs, or make one run.

use super::refusal::{Found, Why};

const GUARDED: [&str; 28] = [
    "BASHOPTS",
    "CDPATH",
    "CLASSPATH",
    "EDITOR",
    "ENV",
    "EXECIGNORE",
    "GLOBIGNORE",
    "HOME",
    "IFS",
    "JAVA_TOOL_OPTIONS",
    "LESSCLOSE",
    "LESSOPEN",
    "MANPAGER",
    "NODE_OPTIONS",
    "NODE_PATH",
    "OLDPWD",
    "PAGER",
    "PATH",
    "PERL5LIB",
    "PERL5OPT",
    "PROMPT_COMMAND",
    "PS4",
    "PWD",
    "RUBYLIB",
    "RUBYOPT",
    "SHELL",
    "SHELLOPTS",
    "VISUAL",
];

const GUARDED_PREFIXES: [&str; 7] =
    ["BASH", "DYLD_", "GIT_", "LD_", "NPM_CONFIG_", "PYTHON", "npm_config_"];

pub(super) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic())
        && chars.all(|c| c == '_' || c.is_ascii_alphanumeric())
}

/// Refuses to set a variable that decides what runs.
pub(super) fn may_set(name: &str, at: usize) -> Result<(), Found> {
    if !is_name(name) {
        return Err((Why::Undecidable(format!("the variable '{name}'")), at));
    }
    if GUARDED.contains(&name) || GUARDED_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
        return Err((Why::Denied(format!("setting {name}, which decides what runs")), at));
    }
    Ok(())
}
