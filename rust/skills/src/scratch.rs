//! Folders of a test's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A folder that is removed when the test is over.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl std::ops::Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn folder(name: &str) -> Scratch {
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let unique = format!("clawperator-{name}-{}-{count}", std::process::id());
    let path = std::env::temp_dir().join(unique);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    Scratch(path)
}

/// A skill on disk: `skill.json` is returned as it was written.
pub(crate) fn skill(root: &Path, folder: &str, id: &str) -> serde_json::Value {
    let path = format!("skills/{folder}");
    let (application, intent) = id.rsplit_once('.').unwrap();
    let entry = serde_json::json!({
        "id": id, "applicationId": application, "intent": intent,
        "summary": format!("Does {intent}."),
        "path": path, "skillFile": format!("{path}/SKILL.md"),
        "scripts": [format!("{path}/scripts/run.js")],
        "artifacts": [format!("{path}/artifacts/{intent}.recipe.json")]
    });
    let at = root.join(&path);
    fs::create_dir_all(at.join("scripts")).unwrap();
    fs::create_dir_all(at.join("artifacts")).unwrap();
    fs::write(at.join("skill.json"), serde_json::to_string_pretty(&entry).unwrap()).unwrap();
    let page = format!("---\nname: {id}\ndescription: Does {intent}.\n---\n\n# {id}\n");
    fs::write(at.join("SKILL.md"), page).unwrap();
    fs::write(at.join("scripts/run.js"), "console.log(1);\n").unwrap();
    let template = serde_json::json!({
        "commandId": "{{COMMAND_ID}}", "taskId": "{{TASK_ID}}", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30000,
        "actions": [{"id": "open", "type": "open_app", "params": {"applicationId": application}},
                    {"id": "snap", "type": "snapshot_ui"}]
    });
    let artifact = at.join(format!("artifacts/{intent}.recipe.json"));
    fs::write(artifact, serde_json::to_string_pretty(&template).unwrap()).unwrap();
    entry
}
