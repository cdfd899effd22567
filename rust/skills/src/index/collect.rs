//! Finding every skill of a repository.

use crate::problem::{Problem, Severity};
use crate::registry::locate;
use crate::registry::shape::{Step, Violation};
use crate::registry::{NotInside, Root, SKILL, belongs, read_json};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Folders of `skills/` that hold no skills.
const NOT_SKILLS: [&str; 2] = ["generated", "tools"];

/// A skill as its folder has it.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its folder, from the root of the repository.
    pub folder: String,
    /// Its `skill.json`, as it was written.
    pub entry: Value,
}

impl Source {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        self.entry.get("id").and_then(Value::as_str).unwrap_or_default()
    }
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// Those whose `skill.json` can be used, by id.
    pub sources: Vec<Source>,
    /// What is wrong with them and with the others.
    pub problems: Vec<Problem>,
    /// Folders that hold a skill, whatever its state.
    pub folders: Vec<String>,
}

/// Are the files looked for that a `skill.json` names?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    LookedFor,
    /// Somebody else does.
    Believed,
}

/// Reads every `skill.json` below `skills/`: right there, or one level deeper in a folder that is
/// no skill itself. Everything that is wrong is told, not only the first.
pub fn collect(root: &Path) -> Result<Collected, Failure> {
    collect_with(root, Named::LookedFor)
}

/// The same, with or without the files that are named.
pub(crate) fn collect_with(root: &Path, named: Named) -> Result<Collected, Failure> {
    let unreadable = |error: std::io::Error| {
        let message = format!("{}: the skills cannot be listed: {error}", root.display());
        Failure::new(ErrorCode::RegistryReadFailed, message)
            .detail("path", root.join("skills").display().to_string())
            .hint("call it in a skills repository: a folder with a folder skills/ in it")
    };
    let inside = Root::new(root).map_err(unreadable)?;
    let mut collected = Collected::default();
    for name in names(&inside, "skills").map_err(unreadable)? {
        if NOT_SKILLS.contains(&name.as_str()) {
            continue;
        }
        let folder = format!("skills/{name}");
        if collected.look_at(&inside, &folder, named) {
            continue;
        }
        for name in names(&inside, &folder).map_err(unreadable)? {
            collected.look_at(&inside, &format!("{folder}/{name}"), named);
        }
    }
    if collected.folders.is_empty() {
        let message = format!("there is no skill in {}", root.join("skills").display());
        return Err(Failure::new(ErrorCode::SkillNotFound, message)
            .hint("make one: `clawperator skills new <application id>.<intent>`"));
    }
    collected.sources.sort_by(|a, b| a.id().cmp(b.id()));
    collected.find_twins(&inside);
    Ok(collected)
}

/// The folders in a folder, in the order of their bytes; hidden ones are none of ours.
fn names(root: &Root, folder: &str) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let folder = kind.is_dir() || kind.is_symlink() && entry.path().is_dir();
        if !name.starts_with('.') && folder {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

impl Collected {
    /// Takes the skill of a folder; says whether the folder is one.
    fn look_at(&mut self, root: &Root, folder: &str, named: Named) -> bool {
        let path = root.join(folder);
        let manifest = path.join("skill.json");
        let (file, code) = (manifest.display().to_string(), ErrorCode::SkillValidationFailed);
        if !manifest.is_file() {
            if !path.join("SKILL.md").is_file() {
                return false;
            }
            let message = "the folder has a SKILL.md but no skill.json";
            self.problems.push(locate::whole(&file, code, "skill-folder", message));
            self.folders.push(folder.to_owned());
            return true;
        }
        self.folders.push(folder.to_owned());
        if let Err(NotInside::Outside(at)) = root.inside(&format!("{folder}/skill.json")) {
            let message = format!("{} leads out of the repository", at.display());
            let code = ErrorCode::SkillPathOutside;
            self.problems.push(locate::whole(&file, code, "path", message));
            return true;
        }
        let bytes = match fs::read(&manifest) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.problems.push(locate::whole(&file, code, "skill-json", error.to_string()));
                return true;
            }
        };
        let (entry, problems) = read(root, folder, (&file, &bytes), named);
        let usable = !problems.iter().any(|problem| problem.severity == Severity::Error);
        self.problems.extend(problems);
        if let Some(entry) = entry.filter(|_| usable) {
            self.sources.push(Source { folder: folder.to_owned(), entry });
        }
        true
    }

    /// Two skills of one id.
    fn find_twins(&mut self, root: &Root) {
        let mut seen: HashMap<&str, &str> = HashMap::new();
        for source in &self.sources {
            if let Some(first) = seen.insert(source.id(), &source.folder) {
                let file = root.join(&source.folder).join("skill.json").display().to_string();
                let message = format!("{first} has the id {:?} already", source.id());
                let code = ErrorCode::SkillValidationFailed;
                self.problems.push(locate::whole(&file, code, "duplicate-id", message));
            }
        }
    }
}

/// The entry of a `skill.json`, where it is JSON, and what is wrong with it.
pub(crate) fn read(
    root: &Root,
    folder: &str,
    (file, bytes): (&str, &[u8]),
    named: Named,
) -> (Option<Value>, Vec<Problem>) {
    let code = ErrorCode::SkillValidationFailed;
    let entry = match read_json(bytes) {
        Ok(entry) => entry,
        Err((line, why)) => {
            let mut problem = locate::whole(file, code, "skill-json", format!("no JSON: {why}"));
            problem.line = u64::try_from(line).unwrap_or(0);
            problem.column = 1;
            return (None, vec![problem]);
        }
    };
    let text = String::from_utf8_lossy(bytes);
    let mut violations = SKILL.check(&entry);
    let well_formed = violations.iter().all(|violation| violation.only_warns);
    violations.extend(belongs(&entry));
    let said = entry.get("path").and_then(Value::as_str);
    if well_formed && let Some(said) = said.filter(|said| *said != folder) {
        violations.push(error(
            vec![Step::Key("path".into())],
            format!("\"path\" is {said:?}, but the folder is {folder:?}"),
        ));
    }
    let mut problems = locate::problems(file, &text, code, "skill-json", violations);
    if well_formed && named == Named::LookedFor {
        let (outside, missing) = files(root, &entry);
        let path_code = ErrorCode::SkillPathOutside;
        problems.extend(locate::problems(file, &text, path_code, "path", outside));
        problems.extend(locate::problems(file, &text, code, "missing-file", missing));
    }
    (Some(entry), problems)
}

fn error(path: Vec<Step>, message: String) -> Violation {
    Violation { path, message, hint: None, only_warns: false }
}

/// The files an entry names that lead out of the repository, and those that are not there.
fn files(root: &Root, entry: &Value) -> (Vec<Violation>, Vec<Violation>) {
    let (mut outside, mut missing) = (Vec::new(), Vec::new());
    let mut look = |steps: Vec<Step>, path: Option<&str>| match path.map(|path| root.inside(path)) {
        Some(Err(wrong @ NotInside::Outside(_))) => outside.push(error(steps, wrong.message())),
        Some(Err(wrong)) => missing.push(error(steps, wrong.message())),
        _ => {}
    };
    look(vec![Step::Key("skillFile".into())], entry.get("skillFile").and_then(Value::as_str));
    for key in ["scripts", "artifacts"] {
        let list = entry.get(key).and_then(Value::as_array);
        for (index, path) in list.into_iter().flatten().enumerate() {
            look(vec![Step::Key(key.into()), Step::Index(index)], path.as_str());
        }
    }
    (outside, missing)
}
