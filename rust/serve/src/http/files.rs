//! Where pictures are kept: below one folder that clients may name files in, or else in one of the
//! server's own.

use clawperator_contract::{ErrorCode, Execution, Failure};
use clawperator_host::ids;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// Pictures the server keeps of its own; the oldest go first.
const KEPT: usize = 256;

/// Where pictures are kept.
#[derive(Clone, Debug)]
pub struct Files {
    /// Clients may name files below it; without it they may name none.
    folder: Option<PathBuf>,
    /// Pictures nobody named a file for.
    pictures: PathBuf,
}

impl Files {
    /// Below this folder, if any, and in this one of the server's own, which is made.
    pub fn new(folder: Option<&Path>, pictures: &Path) -> Result<Self, Failure> {
        let unusable = |path: &Path, error: &io::Error| {
            let code = ErrorCode::OutputUnwritable;
            Failure::new(code, format!("{}: {error}", path.display())).hint(code.remedy())
        };
        let whole = |path: &Path| path.canonicalize().map_err(|error| unusable(path, &error));
        let folder = folder.map(whole).transpose()?;
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(pictures).map_err(|error| unusable(pictures, &error))?;
        Ok(Self { folder, pictures: whole(pictures)? })
    }

    /// The file a client means. Nothing leads out of the folder: no `..`, no absolute path, and no
    /// symlink to elsewhere.
    pub(super) fn named(&self, raw: &str) -> Result<PathBuf, Failure> {
        let refused = |why: &str| {
            let code = ErrorCode::InvalidPath;
            Failure::new(code, format!("{raw:?}: {why}")).detail("path", raw).hint(code.remedy())
        };
        let Some(folder) = &self.folder else {
            return Err(refused("the server was started without a folder for files (--files)"));
        };
        let path = Path::new(raw);
        let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || raw.ends_with('/') || raw.contains('\0') {
            return Err(refused("a path below the server's folder is needed"));
        }
        let file = folder.join(path);
        let parent = file.parent().map(Path::canonicalize);
        match parent {
            Some(Ok(parent)) if parent.starts_with(folder) => {}
            Some(Err(error)) => return Err(refused(&format!("its folder: {error}"))),
            _ => return Err(refused("it leads out of the server's folder")),
        }
        match fs::symlink_metadata(&file) {
            Ok(there) if !there.is_file() => Err(refused("something else has that name")),
            _ => Ok(file),
        }
    }

    /// The execution with all its pictures where they may be. The id is that of the dispatch where
    /// one is needed to name a picture.
    pub(super) fn confine(
        &self,
        execution: Execution,
        dispatch_id: &mut Option<String>,
    ) -> Result<Execution, Failure> {
        let is_picture = |action: &Value| action["type"] == "take_screenshot";
        let mut payload = serde_json::to_value(&execution).unwrap_or_default();
        let actions = payload["actions"].as_array_mut().into_iter().flatten();
        let mut changed = false;
        for (index, action) in actions.enumerate().filter(|(_, action)| is_picture(action)) {
            let path = match action["params"]["path"].as_str() {
                Some(asked) => self.named(asked)?,
                None => {
                    let id = dispatch_id.get_or_insert_with(ids::dispatch);
                    self.pictures.join(format!("{id}-{index}.png"))
                }
            };
            if !action["params"].is_object() {
                action["params"] = Value::Object(serde_json::Map::new());
            }
            action["params"]["path"] = path.display().to_string().into();
            changed = true;
        }
        if !changed {
            return Ok(execution);
        }
        self.prune();
        Ok(Execution::from_value(payload)?)
    }

    /// A picture the server keeps.
    pub(super) fn picture(&self, name: &str) -> Result<Vec<u8>, Failure> {
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
        let known = || {
            let code = ErrorCode::RouteNotFound;
            Failure::new(
                code,
                format!("there is no picture {name:?}, or it has made room for newer ones"),
            )
        };
        if !plain || !name.ends_with(".png") || name.starts_with('.') {
            return Err(known());
        }
        fs::read(self.pictures.join(name)).map_err(|_| known())
    }

    /// Makes room. What cannot be looked at or removed stays.
    fn prune(&self) {
        let Ok(listed) = fs::read_dir(&self.pictures) else { return };
        let mut files: Vec<(SystemTime, PathBuf)> = listed
            .filter_map(Result::ok)
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        let many = files.len().saturating_sub(KEPT);
        for (_, path) in files.into_iter().take(many) {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("inside/deep")).unwrap();
        folder
    }

    fn picture(path: Option<&str>) -> Execution {
        let params = path.map_or(json!({}), |path| json!({ "path": path }));
        Execution::from_value(json!({
            "commandId": "c", "taskId": "t", "source": "s",
            "expectedFormat": "android-ui-automator", "timeoutMs": 5000,
            "actions": [{ "id": "p", "type": "take_screenshot", "params": params }],
        }))
        .unwrap()
    }

    #[test]
    fn nothing_leads_out_of_the_folder() {
        let folder = scratch("out");
        let inside = folder.join("inside");
        let files = Files::new(Some(&inside), &folder.join("pictures")).unwrap();
        std::os::unix::fs::symlink(&folder, inside.join("door")).unwrap();
        std::os::unix::fs::symlink(folder.join("x.png"), inside.join("link.png")).unwrap();
        for wrong in [
            "../x.png",
            "/tmp/x.png",
            "deep/../../x.png",
            "door/x.png",
            "link.png",
            "deep",
            "",
            ".",
            "missing/x.png",
            "deep/",
        ] {
            let refused = files.named(wrong).unwrap_err();
            assert_eq!(refused.code, ErrorCode::InvalidPath, "{wrong}");
        }
        let whole = inside.canonicalize().unwrap();
        assert_eq!(files.named("deep/x.png").unwrap(), whole.join("deep/x.png"));
        assert_eq!(files.named("x.png").unwrap(), whole.join("x.png"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn without_a_folder_no_path_is_taken_and_pictures_have_names_of_their_own() {
        let folder = scratch("own");
        let files = Files::new(None, &folder.join("pictures")).unwrap();
        let refused = files.confine(picture(Some("x.png")), &mut None).unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidPath);
        let mut id = Some("mine".to_owned());
        let confined = files.confine(picture(None), &mut id).unwrap();
        let path = confined.actions()[0].param("path").unwrap().as_str().unwrap().to_owned();
        assert!(path.ends_with("pictures/mine-0.png"), "{path}");
        fs::write(&path, b"png").unwrap();
        assert_eq!(files.picture("mine-0.png").unwrap(), b"png");
        for wrong in ["../x.png", "other.png", ".png", "x"] {
            assert!(files.picture(wrong).is_err(), "{wrong}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
