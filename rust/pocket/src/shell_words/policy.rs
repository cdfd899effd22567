//! The verdict on shell text: which programs it may run, and which of their arguments not.

use std::collections::BTreeSet;

use super::lexer::Word;
use super::parse::{self, Redirect, Simple};
use super::refusal::{Found, Refusal, Why};
use super::variables::may_set;
use super::{deny, wrapper};

/// The longest script.
pub const MAX_SCRIPT_CHARS: usize = 12_000;

/// What `run_script` may run unless told otherwise.
pub const SCRIPT_COMMANDS: [&str; 16] = [
    "adb", "am", "pm", "input", "echo", "pwd", "ls", "cat", "grep", "rg", "sed", "awk", "bash",
    "sh", "node", "npm",
];

/// What `exec` may run unless told otherwise.
pub const EXEC_COMMANDS: [&str; 24] = [
    "git", "ls", "cat", "grep", "rg", "sed", "awk", "head", "tail", "pwd", "bash", "sh", "node",
    "npm", "pnpm", "yarn", "python", "python3", "pytest", "jest", "vitest", "tsc", "eslint",
    "prettier",
];

/// A program with a path is the one on the list only if it comes from here.
const STANDARD_DIRECTORIES: [&str; 7] =
    ["/bin", "/sbin", "/system/bin", "/usr/bin", "/usr/local/bin", "/usr/sbin", "/vendor/bin"];

/// Shells inside shells; deeper is a trick.
const MAX_SHELLS: usize = 5;

/// The programs that may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    allowed: BTreeSet<String>,
}

impl Policy {
    /// Allows these programs; "*" allows all. The safety rules hold in any case.
    pub fn new<I: IntoIterator<Item: Into<String>>>(allowed: I) -> Self {
        Self { allowed: allowed.into_iter().map(Into::into).collect() }
    }

    /// The commands of `text`, if every one of them may run.
    pub fn check(&self, text: &str) -> Result<Vec<Simple>, Refusal> {
        if text.chars().count() > MAX_SCRIPT_CHARS {
            return Err(Refusal::at((Why::TooLong(MAX_SCRIPT_CHARS), 0), text));
        }
        self.judge(text, 0).map_err(|found| Refusal::at(found, text))
    }

    fn judge(&self, text: &str, shells: usize) -> Result<Vec<Simple>, Found> {
        let commands = parse::found(text)?;
        for command in &commands {
            for word in &command.assignments {
                may_set(word.assigns.as_deref().unwrap_or_default(), word.at)?;
            }
            command.redirects.iter().try_for_each(redirect)?;
            if !command.words.is_empty() {
                self.command(&command.words, shells)?;
            }
        }
        Ok(commands)
    }

    fn command(&self, words: &[Word], shells: usize) -> Result<(), Found> {
        let Some((program, arguments)) = words.split_first() else { return Ok(()) };
        let at = program.at;
        let name = self.name(program)?;
        deny::program(name, at)?;
        if !self.allowed.contains(name) && !self.allowed.contains("*") {
            return Err((Why::NotAllowed(program.text.clone()), at));
        }
        deny::arguments(name, at, arguments)?;
        match wrapper::inner(name, at, arguments)? {
            wrapper::Inner::Nothing => Ok(()),
            wrapper::Inner::Commands(inner) => {
                inner.iter().try_for_each(|words| self.command(words, shells))
            }
            wrapper::Inner::Script(script) => self.nested(&script, at, shells),
            // The phone has its own programs and its own rights; the safety rules hold there too.
            wrapper::Inner::OnPhone(script) => Self::new(["*"]).nested(&script, at, shells),
        }
    }

    /// A script in an argument: its faults are shown at the program that would run it.
    fn nested(&self, script: &str, at: usize, shells: usize) -> Result<(), Found> {
        if shells == MAX_SHELLS {
            return Err((Why::Undecidable("too many shells inside each other".into()), at));
        }
        match self.judge(script, shells + 1) {
            Ok(_) | Err((Why::Empty, _)) => Ok(()),
            Err((why, _)) => Err((why, at)),
        }
    }

    fn name<'a>(&self, program: &'a Word) -> Result<&'a str, Found> {
        let text = program.text.as_str();
        if program.dynamic || program.glob {
            let what = "a program that is known only at run time".to_owned();
            return Err((Why::Undecidable(what), program.at));
        }
        // A look-alike of a letter is another program, even if "*" is allowed.
        if text.is_empty() || !text.chars().all(|c| c.is_ascii_graphic()) {
            return Err((Why::NotAllowed(text.to_owned()), program.at));
        }
        match text.rsplit_once('/') {
            None => Ok(text),
            Some((dir, name)) if STANDARD_DIRECTORIES.contains(&dir) => Ok(name),
            Some(_) if self.allowed.contains(text) => Ok(text),
            Some(_) => Err((Why::NotAllowed(text.to_owned()), program.at)),
        }
    }
}

fn redirect(Redirect { op, target }: &Redirect) -> Result<(), Found> {
    let at = target.at;
    let text = target.text.as_str();
    if target.dynamic || target.glob {
        return Err((Why::Undecidable("a file that is known only at run time".into()), at));
    }
    let descriptor = text.trim_end_matches('-').chars().all(|c| c.is_ascii_digit());
    if matches!(*op, "<&" | ">&") && descriptor {
        return Ok(());
    }
    let harmless = ["/dev/null", "/dev/stdout", "/dev/stderr"].contains(&text);
    let network = text.starts_with("/dev/tcp") || text.starts_with("/dev/udp");
    let outside = text.starts_with('/') || text.split('/').any(|part| part == "..");
    match *op {
        "<" | "<&" if !network => Ok(()),
        _ if harmless || !outside => Ok(()),
        _ => Err((Why::Denied(format!("a redirection to {text}, outside the workspace")), at)),
    }
}
