//! A new skill: a folder that is valid and runs as it is, ready to be filled.

use crate::index::{self, put_file, root_of};
use crate::registry::{Places, SCHEMA_FILE};
use clawperator_contract::limits::MAX_ID_LENGTH;
use clawperator_contract::{ErrorCode, Failure};
use serde::Serialize;
use serde_json::json;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const SCRIPT: &str = include_str!("scaffold/run.ts");
const TOOL: &str = include_str!("scaffold/generate_skill_indexes.sh");
/// The generator's place in a skills repository.
pub const TOOL_FILE: &str = "skills/tools/generate_skill_indexes.sh";

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Created {
    created: bool,
    /// Its id.
    pub skill_id: String,
    /// The registry it is in.
    pub registry_path: String,
    /// Its folder.
    pub skill_path: String,
    /// Every file that is new.
    pub files: Vec<String>,
    /// What to do now.
    pub next: String,
}

/// An id in its two parts: the Android package and the intent.
pub fn parts(id: &str) -> Result<(&str, &str), Failure> {
    let wrong = |why: String| {
        let code = ErrorCode::SkillIdInvalid;
        Failure::new(code, why).detail("skillId", id).hint(
            "an id is <application id>.<intent>, such as com.example.app.get-state: letters, digits, _ and dots, then lower-case letters, digits and -",
        )
    };
    if id.len() > MAX_ID_LENGTH {
        return Err(wrong(format!(
            "an id has at most {MAX_ID_LENGTH} characters, not {}",
            id.len()
        )));
    }
    let Some((application, intent)) = id.rsplit_once('.') else {
        return Err(wrong(format!("{id:?} has no dot between package and intent")));
    };
    let word = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if !application.split('.').all(word) {
        return Err(wrong(format!("{application:?} is no Android package")));
    }
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let fits = intent.starts_with(plain)
        && intent.ends_with(plain)
        && intent.chars().all(|c| plain(c) || c == '-');
    if !fits {
        return Err(wrong(format!("{intent:?} is no intent")));
    }
    Ok((application, intent))
}

/// Makes a skill and registers it. What fails leaves nothing behind.
pub fn create(registry: &Path, id: &str, summary: Option<&str>) -> Result<Created, Failure> {
    let (application, intent) = parts(id)?;
    let root = root_of(registry)?;
    let failed = |error: io::Error| {
        let code = ErrorCode::SkillsScaffoldFailed;
        let message = format!("the skill cannot be written to {}: {error}", root.display());
        Failure::new(code, message).hint(code.remedy())
    };
    let summary = summary_of(summary, id)?;
    let path = format!("skills/{id}");
    let folder = root.join(&path);
    let exists = |what: String| {
        let code = ErrorCode::SkillAlreadyExists;
        Failure::new(code, what).detail("skillId", id).hint(code.remedy())
    };
    if folder.exists() {
        return Err(exists(format!("{} is there already", folder.display())));
    }
    if registry.exists() {
        let known = Places::resolve(&[registry.to_owned()], None, None).load()?;
        if known.skills().iter().any(|found| found.skill.id() == id) {
            return Err(exists(format!("{} has a skill {id:?} already", registry.display())));
        }
    }
    let mut undo = Undo::default();
    let mut files =
        write_skill(&root, &mut undo, (id, application, intent), &summary).map_err(failed)?;
    files.extend(write_tools(&root, &mut undo).map_err(failed)?);
    let generated = index::generate(&root)?;
    undo.keep();
    Ok(Created {
        created: true,
        skill_id: id.to_owned(),
        registry_path: generated.registry_path,
        skill_path: folder.display().to_string(),
        files: files.iter().map(|file| file.display().to_string()).collect(),
        next: format!(
            "edit SKILL.md and artifacts/{intent}.recipe.json, then: clawperator skills index && clawperator skills validate {id} --dry-run"
        ),
    })
}

fn summary_of(summary: Option<&str>, id: &str) -> Result<String, Failure> {
    let summary = summary.unwrap_or_default().trim();
    if summary.contains('\0') {
        let message = "a summary cannot hold a NUL byte";
        return Err(Failure::new(ErrorCode::SkillsScaffoldFailed, message).hint("take it out"));
    }
    Ok(match summary.replace("\r\n", "\n").replace('\r', "\n") {
        empty if empty.is_empty() => format!("TODO: say what {id} does."),
        summary => summary,
    })
}

/// Writes the folder of the skill beside its place, then moves it there whole.
fn write_skill(
    root: &Path,
    undo: &mut Undo,
    (id, application, intent): (&str, &str, &str),
    summary: &str,
) -> io::Result<Vec<PathBuf>> {
    let path = format!("skills/{id}");
    let template = format!("artifacts/{intent}.recipe.json");
    let manifest = json!({
        "id": id, "applicationId": application, "intent": intent, "summary": summary,
        "path": path, "skillFile": format!("{path}/SKILL.md"),
        "scripts": [format!("{path}/scripts/run.ts")],
        "artifacts": [format!("{path}/{template}")]
    });
    let execution = json!({
        "commandId": "{{COMMAND_ID}}", "taskId": "{{TASK_ID}}",
        // The id may be longer than a source may be.
        "source": "clawperator-skill",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30000,
        "actions": [
            {"id": "close", "type": "close_app", "params": {"applicationId": application}},
            {"id": "open", "type": "open_app", "params": {"applicationId": application}},
            {"id": "arrive", "type": "wait_for_navigation",
             "params": {"expectedPackage": application, "timeoutMs": 10000}},
            {"id": "look", "type": "snapshot_ui"}
        ]
    });
    let script = SCRIPT.replace("@ID@", id).replace("@INTENT@", intent);
    let staging = root.join(format!("skills/.new-{}-{id}", std::process::id()));
    undo.folder(&root.join("skills"))?;
    undo.whole(&staging);
    let files = [
        ("SKILL.md".to_owned(), page(id, intent, summary)),
        ("skill.json".to_owned(), format!("{manifest:#}\n")),
        ("scripts/run.ts".to_owned(), script),
        (template, format!("{execution:#}\n")),
    ];
    for folder in ["scripts", "artifacts"] {
        fs::create_dir_all(staging.join(folder))?;
    }
    for (name, text) in &files {
        fs::write(staging.join(name), text)?;
    }
    let folder = root.join(&path);
    fs::rename(&staging, &folder)?;
    undo.whole(&folder);
    Ok(files.into_iter().map(|(name, _)| folder.join(name)).collect())
}

fn page(id: &str, intent: &str, summary: &str) -> String {
    let description: String = summary
        .lines()
        .map(|line| if line.trim().is_empty() { "\n".into() } else { format!("  {line}\n") })
        .collect();
    format!(
        "---\nname: {id}\ndescription: |-\n{description}---\n\n# {id}\n\n{summary}\n\n## Run\n\n\
         ```sh\nclawperator skills run {id} --device <serial>\n```\n\n\
         The script fills `artifacts/{intent}.recipe.json` and sends it to the phone. It prints the \
         program's answer\nand ends with its exit code.\n\n## What can differ\n\n\
         Accounts, app versions and languages: say here which screens it was seen on.\n"
    )
}

/// The generator and the schema, where the repository has none.
fn write_tools(root: &Path, undo: &mut Undo) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let tool = root.join(TOOL_FILE);
    if !tool.exists() {
        undo.folder(&root.join("skills/tools"))?;
        put_file(&tool, TOOL.as_bytes())?;
        undo.file(&tool);
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755))?;
        files.push(tool);
    }
    let schema = root.join("skills").join(SCHEMA_FILE);
    if !schema.exists() {
        put_file(&schema, index::schema_text().as_bytes())?;
        undo.file(&schema);
        files.push(schema);
    }
    Ok(files)
}

/// What is taken away again unless all of it is kept.
#[derive(Default)]
struct Undo(Vec<Made>);

enum Made {
    /// A folder that was not there; taken away when it is empty.
    Folder(PathBuf),
    /// A folder and all in it.
    Whole(PathBuf),
    File(PathBuf),
}

impl Undo {
    fn folder(&mut self, path: &Path) -> io::Result<()> {
        if !path.exists() {
            fs::create_dir_all(path)?;
            self.0.push(Made::Folder(path.to_owned()));
        }
        Ok(())
    }

    fn whole(&mut self, path: &Path) {
        self.0.push(Made::Whole(path.to_owned()));
    }

    fn file(&mut self, path: &Path) {
        self.0.push(Made::File(path.to_owned()));
    }

    fn keep(&mut self) {
        self.0.clear();
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        while let Some(made) = self.0.pop() {
            // What is not there any more needs no taking away.
            let _ = match made {
                Made::Folder(path) => fs::remove_dir(path),
                Made::Whole(path) => fs::remove_dir_all(path),
                Made::File(path) => fs::remove_file(path),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::REGISTRY_FILE;
    use crate::scratch;
    use crate::validate;

    fn names(root: &Path) -> Vec<String> {
        let mut open = vec![root.to_owned()];
        let mut names = Vec::new();
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                names.push(entry.path().strip_prefix(root).unwrap().display().to_string());
                if entry.path().is_dir() {
                    open.push(entry.path());
                }
            }
        }
        names.sort();
        names
    }

    #[test]
    fn a_new_skill_in_an_empty_folder_is_valid_as_it_is() {
        let root = scratch::folder("new");
        let registry = root.join(REGISTRY_FILE);
        let summary = "Shows it.\r\n\r\nTwice: \"a\" # b";
        let created = create(&registry, "com.example.app.show-it", Some(summary)).unwrap();
        assert_eq!(created.files.len(), 6, "{:?}", created.files);
        create(&registry, "com.example.app.show-more", None).unwrap();
        let registries = Places::resolve(&[registry], None, None).load().unwrap();
        let answer = validate::all(&registries, true).unwrap();
        assert_eq!(answer["totalSkills"], 2);
        assert!(!answer.to_string().contains("warnings"), "{answer}");
        let tool = root.join(TOOL_FILE);
        assert_eq!(fs::metadata(tool).unwrap().permissions().mode() & 0o111, 0o111);
    }

    #[test]
    fn ids_that_lead_elsewhere_or_are_none_are_refused() {
        let root = scratch::folder("ids");
        for id in [
            "../evil.x",
            "a/b.c",
            "nodot",
            ".x",
            "x.",
            "a..b",
            "a.B",
            "a.-b",
            "a.b-",
            "1a.b",
            "a b.c",
            "a.b\n",
            "ä.b",
            "",
        ] {
            let failure = create(&root.join(REGISTRY_FILE), id, None).unwrap_err();
            assert_eq!(failure.code, ErrorCode::SkillIdInvalid, "{id:?}");
        }
        let long = format!("a.{}", "b".repeat(MAX_ID_LENGTH));
        assert_eq!(parts(&long).unwrap_err().code, ErrorCode::SkillIdInvalid);
        assert!(names(&root).is_empty());
    }

    #[test]
    fn what_fails_leaves_nothing_behind() {
        let root = scratch::folder("rollback");
        let registry = root.join(REGISTRY_FILE);
        scratch::skill(&root, "a.b", "a.b");
        fs::write(root.join("skills/a.b/skill.json"), "{").unwrap();
        let before = names(&root);
        create(&registry, "a.c", None).unwrap_err();
        assert_eq!(names(&root), before);
        let failure = create(&registry, "a.d", Some("x\0y")).unwrap_err();
        assert_eq!(failure.code, ErrorCode::SkillsScaffoldFailed);
        assert_eq!(names(&root), before);
    }

    #[test]
    fn a_skill_is_made_once() {
        let root = scratch::folder("once");
        let registry = root.join(REGISTRY_FILE);
        create(&registry, "a.b", None).unwrap();
        let failure = create(&registry, "a.b", None).unwrap_err();
        assert_eq!(failure.code, ErrorCode::SkillAlreadyExists);
    }
}
