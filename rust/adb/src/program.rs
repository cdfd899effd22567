//! Where the program adb is.

use crate::AdbError;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Finds adb: the one given, the one `ADB_PATH` names, the Android SDK's, the one in `PATH`.
///
/// One that is named must exist: another version in its place would end a running server.
pub(crate) fn find(
    given: Option<&Path>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<PathBuf, AdbError> {
    let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
    let path = || variable("PATH").unwrap_or_default();
    let named = given.map(Path::to_owned).or_else(|| variable("ADB_PATH").map(PathBuf::from));
    if let Some(named) = named {
        let found = if named.components().count() == 1 && !named.has_root() {
            in_path(&path(), &named)
        } else {
            Some(named.clone()).filter(|named| named.is_file())
        };
        return found.ok_or(AdbError::ProgramNotFound { tried: vec![named] });
    }
    let name = PathBuf::from(format!("adb{}", env::consts::EXE_SUFFIX));
    let sdks = ["ANDROID_HOME", "ANDROID_SDK_ROOT"].into_iter().filter_map(variable);
    let mut tried: Vec<PathBuf> =
        sdks.map(|sdk| PathBuf::from(sdk).join("platform-tools").join(&name)).collect();
    tried.dedup();
    let found = tried.iter().find(|program| program.is_file()).cloned();
    found.or_else(|| in_path(&path(), &name)).ok_or_else(|| {
        tried.push(name);
        AdbError::ProgramNotFound { tried }
    })
}

/// Looks for a program as a shell does.
fn in_path(path: &OsString, name: &Path) -> Option<PathBuf> {
    env::split_paths(path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A folder with these empty files, gone with the test.
    struct Folder(PathBuf);

    impl Folder {
        fn with(test: &str, files: &[&str]) -> Self {
            let folder = env::temp_dir().join(format!("adb-program-{test}-{}", std::process::id()));
            for file in files {
                let file = folder.join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
            Self(folder)
        }

        fn at(&self, file: &str) -> PathBuf {
            self.0.join(file)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn with<'a>(variables: &'a [(&str, PathBuf)]) -> impl Fn(&str) -> Option<OsString> + 'a {
        move |name| Some(variables.iter().find(|(its, _)| *its == name)?.1.clone().into())
    }

    #[test]
    fn the_one_given_comes_before_adb_path_the_sdk_and_path() {
        let folder = Folder::with(
            "order",
            &["given", "named", "home/platform-tools/adb", "root/platform-tools/adb", "path/adb"],
        );
        let variables = [
            ("ADB_PATH", folder.at("named")),
            ("ANDROID_HOME", folder.at("home")),
            ("ANDROID_SDK_ROOT", folder.at("root")),
            ("PATH", folder.at("path")),
        ];
        let given = folder.at("given");
        assert_eq!(find(Some(&given), with(&variables)), Ok(given));
        for (skip, found) in
            ["named", "home/platform-tools/adb", "root/platform-tools/adb", "path/adb"]
                .into_iter()
                .enumerate()
        {
            assert_eq!(find(None, with(&variables[skip..])), Ok(folder.at(found)));
        }
    }

    #[test]
    fn one_that_is_named_and_missing_is_not_replaced_by_another() {
        let folder = Folder::with("missing", &["path/adb"]);
        let missing = folder.at("nowhere/adb");
        let variables = [("ADB_PATH", missing.clone()), ("PATH", folder.at("path"))];
        let not_found = Err(AdbError::ProgramNotFound { tried: vec![missing.clone()] });
        assert_eq!(find(None, with(&variables)), not_found);
        assert_eq!(find(Some(&missing), with(&variables[1..])), not_found);
        // Nor is a folder a program.
        assert!(find(Some(&folder.at("path")), with(&variables[1..])).is_err());
    }

    #[test]
    fn a_bare_name_is_looked_for_in_path() {
        let folder = Folder::with("bare", &["path/my-adb"]);
        let variables = [("PATH", folder.at("path"))];
        let found = find(Some(Path::new("my-adb")), with(&variables));
        assert_eq!(found, Ok(folder.at("path/my-adb")));
        let tried = vec!["no-adb".into()];
        let found = find(Some(Path::new("no-adb")), with(&variables));
        assert_eq!(found, Err(AdbError::ProgramNotFound { tried }));
    }

    #[test]
    fn every_place_is_told_when_there_is_none() {
        let folder = Folder::with("none", &[]);
        let variables = [("ANDROID_HOME", folder.at("home")), ("PATH", folder.at("path"))];
        let tried = vec![folder.at("home/platform-tools/adb"), "adb".into()];
        assert_eq!(find(None, with(&variables)), Err(AdbError::ProgramNotFound { tried }));
    }
}
