//! Paths of a registry stay in its repository, whatever they say and wherever links lead.

use clawperator_contract::{ErrorCode, Failure};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// The root of a repository, with every link in its own path resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    shown: PathBuf,
    real: PathBuf,
}

impl Root {
    /// A folder that is there.
    pub fn new(folder: &Path) -> io::Result<Self> {
        // The parent of a relative file name is the empty path, which nobody can open.
        let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Ok(Self { shown: shown.to_owned(), real: fs::canonicalize(shown)? })
    }

    /// The folder as the caller named it.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.shown
    }

    /// A path of the repository as the caller would name it.
    #[must_use]
    pub fn join(&self, path: &str) -> PathBuf {
        self.shown.join(path)
    }

    /// The same whole and without links, for a program that runs in another folder.
    #[must_use]
    pub fn real(&self, path: &str) -> PathBuf {
        self.real.join(path)
    }

    /// The file or folder a path of the registry names. One that leads out of the repository, by
    /// its words or through a link, is refused; one that is missing is not there.
    pub fn inside(&self, path: &str) -> Result<PathBuf, NotInside> {
        let steps = Path::new(path).components();
        let plain = steps.clone().all(|step| matches!(step, Component::Normal(_)));
        if path.is_empty() || !plain || path.contains(['\\', '\0']) {
            return Err(NotInside::Outside(self.join(path)));
        }
        let shown = self.join(path);
        // Resolving a path looks at every folder from the top. Where no step below the root is a
        // link there is nothing to resolve; that is nearly always so.
        let mut at = self.shown.clone();
        for step in steps {
            at.push(step);
            match fs::symlink_metadata(&at) {
                Ok(meta) if meta.is_symlink() => return self.behind_links(shown),
                Ok(_) => {}
                Err(error) => return Err(absent(shown, error)),
            }
        }
        Ok(shown)
    }

    fn behind_links(&self, shown: PathBuf) -> Result<PathBuf, NotInside> {
        match fs::canonicalize(&shown) {
            Ok(real) if real.starts_with(&self.real) => Ok(shown),
            Ok(_) => Err(NotInside::Outside(shown)),
            Err(error) => Err(absent(shown, error)),
        }
    }
}

fn absent(path: PathBuf, error: io::Error) -> NotInside {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => NotInside::Missing(path),
        _ => NotInside::Unreadable(path, error),
    }
}

/// Why a path of a registry cannot be used.
#[derive(Debug)]
pub enum NotInside {
    /// It leads out of the repository.
    Outside(PathBuf),
    /// There is nothing.
    Missing(PathBuf),
    /// The system does not say what is there.
    Unreadable(PathBuf, io::Error),
}

impl NotInside {
    /// What is wrong, in a sentence.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Outside(path) => {
                format!("{} leads out of the repository", path.display())
            }
            Self::Missing(path) => format!("{} is not there", path.display()),
            Self::Unreadable(path, error) => format!("{}: {error}", path.display()),
        }
    }

    /// As the failure of a command, with the code for a file that is missing.
    #[must_use]
    pub fn failure(&self, missing: ErrorCode) -> Failure {
        let (code, path) = match self {
            Self::Outside(path) => (ErrorCode::SkillPathOutside, path),
            Self::Missing(path) | Self::Unreadable(path, _) => (missing, path),
        };
        Failure::new(code, self.message())
            .detail("path", path.display().to_string())
            .hint(code.remedy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn nothing_leads_out_by_words_or_by_links() {
        let base = crate::scratch::folder("paths");
        let root = base.join("repo");
        fs::create_dir_all(root.join("skills/a")).unwrap();
        fs::write(base.join("secret"), "").unwrap();
        fs::write(root.join("skills/a/file"), "").unwrap();
        symlink("../../../secret", root.join("skills/a/link")).unwrap();
        symlink("file", root.join("skills/a/inner")).unwrap();
        let root = Root::new(&root).unwrap();
        for fine in ["skills/a/file", "skills/a/inner", "skills"] {
            assert!(root.inside(fine).is_ok(), "{fine}");
        }
        for out in ["../secret", "skills/../../secret", "/etc/passwd", "skills/a/link", ""] {
            let refused = root.inside(out);
            assert!(matches!(refused, Err(NotInside::Outside(_))), "{out}: {refused:?}");
        }
        assert!(matches!(root.inside("skills/b"), Err(NotInside::Missing(_))));
    }
}
