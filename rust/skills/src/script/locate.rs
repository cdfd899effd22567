//! Which file is run: chosen from the skill's list, and never outside the skill's folder.

use super::interpreter::RANKS;
use clawperator_contract::{ErrorCode, Failure};
use std::io;
use std::path::{Component, Path, PathBuf};

/// The script of a skill's list that is run: the one that is named (its entry, its file name, or
/// that without the ending), else the best kind, and among equals the first.
///
/// # Errors
///
/// `SKILL_SCRIPT_NOT_FOUND` when there is none, or none of that name, or more than one.
pub fn choose<'a>(scripts: &'a [String], named: Option<&str>) -> Result<&'a str, Failure> {
    let Some(name) = named else {
        let of_rank = |rank: &&[&str]| scripts.iter().find(|script| rank.contains(&ending(script)));
        let best = RANKS.iter().find_map(of_rank).or_else(|| scripts.first());
        return best.map(String::as_str).ok_or_else(|| {
            Failure::new(ErrorCode::SkillScriptNotFound, "the skill lists no script")
        });
    };
    let file_name = |script: &str| script.rsplit('/').next().unwrap_or_default().to_owned();
    let tests: [&dyn Fn(&str) -> bool; 3] =
        [&|script| script == name, &|script| file_name(script) == name, &|script| {
            Path::new(&file_name(script)).file_stem().is_some_and(|stem| stem == name)
        }];
    for is_meant in tests {
        let found: Vec<&str> =
            scripts.iter().map(String::as_str).filter(|script| is_meant(script)).collect();
        match found[..] {
            [] => {}
            [script] => return Ok(script),
            _ => return Err(not_one(name, scripts, "more than one script")),
        }
    }
    Err(not_one(name, scripts, "no script"))
}

fn not_one(name: &str, scripts: &[String], how_many: &str) -> Failure {
    Failure::new(
        ErrorCode::SkillScriptNotFound,
        format!("the skill has {how_many} of the name \"{name}\""),
    )
    .detail("scripts", scripts.to_vec())
    .hint(format!("It has: {}.", scripts.join(", ")))
}

fn ending(script: &str) -> &str {
    Path::new(script).extension().and_then(std::ffi::OsStr::to_str).unwrap_or_default()
}

/// A file inside the skill's folder and the folder itself, both without links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The folder.
    pub folder: PathBuf,
    /// The file in it.
    pub file: PathBuf,
}

/// Where the script really is. A relative path is meant from the skill's folder.
///
/// # Errors
///
/// `SKILL_PATH_OUTSIDE` when the path, or a link on the way, leads out of the folder;
/// `SKILL_SCRIPT_NOT_FOUND` when no file is there.
pub fn locate(folder: &Path, script: &Path) -> Result<Located, Failure> {
    let real_folder = folder.canonicalize().map_err(|error| {
        unreadable(folder, &error).hint("The skill's folder must exist and be readable.")
    })?;
    // By its words first: a way out over a folder that does not exist is still a way out.
    if script.components().any(|part| part == Component::ParentDir) {
        return Err(outside(folder, script, script));
    }
    let path = folder.join(script);
    let file = path.canonicalize().map_err(|error| unreadable(&path, &error))?;
    if !file.starts_with(&real_folder) {
        return Err(outside(folder, script, &file));
    }
    if !file.is_file() {
        return Err(Failure::new(
            ErrorCode::SkillScriptNotFound,
            format!("{} is not a file", path.display()),
        ));
    }
    Ok(Located { folder: real_folder, file })
}

fn outside(folder: &Path, script: &Path, file: &Path) -> Failure {
    let by_link =
        if script == file { String::new() } else { format!(" (it is {})", file.display()) };
    Failure::new(
        ErrorCode::SkillPathOutside,
        format!(
            "{}{by_link} leads out of the skill's folder {}",
            script.display(),
            folder.display()
        ),
    )
    .detail("script", script.display().to_string())
    .detail("folder", folder.display().to_string())
    .hint(ErrorCode::SkillPathOutside.remedy())
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(
        ErrorCode::SkillScriptNotFound,
        format!("{} cannot be opened: {error}", path.display()),
    )
    .detail("path", path.display().to_string())
    .hint(ErrorCode::SkillScriptNotFound.remedy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(scripts: &[&str]) -> Vec<String> {
        scripts.iter().map(|&script| script.to_owned()).collect()
    }

    #[test]
    fn the_best_kind_is_chosen_and_among_equals_the_first() {
        for (scripts, chosen) in [
            (&["s/a.sh", "s/b.js", "s/c.ts"][..], "s/b.js"),
            (&["s/c.ts", "s/b.js"], "s/c.ts"),
            (&["s/a.py", "s/b.sh"], "s/b.sh"),
            (&["s/a.py"], "s/a.py"),
            (&["s/a.rb"], "s/a.rb"),
        ] {
            assert_eq!(choose(&list(scripts), None).unwrap(), chosen);
        }
        assert_eq!(choose(&[], None).unwrap_err().code, ErrorCode::SkillScriptNotFound);
    }

    #[test]
    fn a_script_can_be_named_by_its_path_its_file_or_its_stem() {
        let scripts = list(&["s/run.js", "s/run.sh", "s/probe.js"]);
        assert_eq!(choose(&scripts, Some("s/run.sh")).unwrap(), "s/run.sh");
        assert_eq!(choose(&scripts, Some("run.sh")).unwrap(), "s/run.sh");
        assert_eq!(choose(&scripts, Some("probe")).unwrap(), "s/probe.js");
        let failure = choose(&scripts, Some("run")).unwrap_err();
        assert!(failure.message.contains("more than one script"), "{failure}");
        let failure = choose(&scripts, Some("other")).unwrap_err();
        assert_eq!(failure.hint.unwrap(), "It has: s/run.js, s/run.sh, s/probe.js.");
    }
}
