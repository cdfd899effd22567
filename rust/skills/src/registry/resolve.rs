//! Which registries count, and what several of them say together.

use super::REGISTRY_FILE;
use super::load::Registry;
use super::skill::Skill;
use crate::problem::Problem;
use clawperator_contract::{ErrorCode, Failure, suggest};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Names registries, several with `:` between them.
pub const VARIABLE: &str = "CLAWPERATOR_SKILLS_REGISTRY";

/// Where `clawperator skills install` puts the skills, in the home folder.
pub const INSTALLED: &str = ".clawperator/skills";

/// Where registries are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Places {
    /// Those that were named, all of which must be there; `by` says how.
    Named {
        /// The files, the first wins.
        paths: Vec<PathBuf>,
        /// How they were named, for messages.
        by: &'static str,
    },
    /// Nobody named any: the folder we are in, then the installed copy, whichever are there.
    Usual(Vec<PathBuf>),
}

impl Places {
    /// Of the command line, else the environment, else the usual ones.
    #[must_use]
    pub fn find(named: &[PathBuf]) -> Self {
        let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
        Self::resolve(named, env::var_os(VARIABLE).as_deref(), home.as_deref())
    }

    /// The same for a given environment. A variable that is empty is as good as none.
    #[must_use]
    pub fn resolve(named: &[PathBuf], variable: Option<&OsStr>, home: Option<&Path>) -> Self {
        if !named.is_empty() {
            return Self::Named { paths: named.to_vec(), by: "--registry" };
        }
        let listed: Vec<PathBuf> = variable
            .map(|text| env::split_paths(text).filter(|path| !blank(path)).collect())
            .unwrap_or_default();
        if !listed.is_empty() {
            return Self::Named { paths: listed, by: VARIABLE };
        }
        let installed = home.map(|home| home.join(INSTALLED).join(REGISTRY_FILE));
        Self::Usual(
            [PathBuf::from("skills/skills-registry.json")].into_iter().chain(installed).collect(),
        )
    }

    /// The one that is written to: the first that was named, else that of the folder we are in.
    #[must_use]
    pub fn own(&self) -> PathBuf {
        let (Self::Named { paths, .. } | Self::Usual(paths)) = self;
        paths.first().cloned().unwrap_or_else(|| REGISTRY_FILE.into())
    }

    /// Reads them all.
    pub fn load(&self) -> Result<Registries, Failure> {
        let paths: Vec<&PathBuf> = match self {
            Self::Named { paths, .. } => paths.iter().collect(),
            Self::Usual(paths) => paths.iter().filter(|path| path.exists()).collect(),
        };
        if paths.is_empty() {
            return Err(self.nothing_there());
        }
        let mut registries: Vec<Registry> = Vec::new();
        let mut seen = Vec::new();
        for path in paths {
            // The same file by two names is one registry and shadows nothing.
            let real = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            if seen.contains(&real) {
                continue;
            }
            seen.push(real);
            registries.push(Registry::load(path).map_err(|mut failure| {
                if let Self::Named { by, .. } = self {
                    failure.details.insert("namedBy".into(), (*by).into());
                }
                failure
            })?);
        }
        Ok(Registries { registries })
    }

    fn nothing_there(&self) -> Failure {
        let (Self::Named { paths, .. } | Self::Usual(paths)) = self;
        let shown: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let message = format!("there is no skill registry: looked at {}", shown.join(" and "));
        Failure::new(ErrorCode::RegistryReadFailed, message).detail("lookedAt", shown).hint(
            "`clawperator skills install` fetches the public skills; --registry or CLAWPERATOR_SKILLS_REGISTRY names others",
        )
    }
}

fn blank(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.trim().is_empty())
}

/// Registries in the order of precedence.
#[derive(Clone, Debug)]
pub struct Registries {
    registries: Vec<Registry>,
}

/// A skill and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The skill.
    pub skill: &'a Skill,
    /// Its registry.
    pub registry: &'a Registry,
    /// Which of the registries that is, from 0.
    pub rank: usize,
}

impl Registries {
    /// All of them, the first wins.
    #[must_use]
    pub fn all(&self) -> &[Registry] {
        &self.registries
    }

    /// Their files.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        self.registries.iter().map(|registry| registry.path.display().to_string()).collect()
    }

    /// What is wrong with them.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.registries.iter().flat_map(|registry| &registry.problems)
    }

    /// Every skill that counts: of two with one id, that of the earlier registry.
    #[must_use]
    pub fn skills(&self) -> Vec<Found<'_>> {
        let mut seen = HashMap::new();
        let mut skills = Vec::new();
        for (rank, registry) in self.registries.iter().enumerate() {
            for skill in &registry.skills {
                if seen.insert(skill.id(), ()).is_none() {
                    skills.push(Found { skill, registry, rank });
                }
            }
        }
        skills
    }

    /// A skill by its id.
    pub fn skill(&self, id: &str) -> Result<Found<'_>, Failure> {
        for (rank, registry) in self.registries.iter().enumerate() {
            if let Some(skill) = registry.skill(id) {
                return Ok(Found { skill, registry, rank });
            }
            // An entry that is wrong is not passed over for a later registry's: that would run
            // something else than what was asked for.
            let refused = registry.refused().iter();
            if let Some((_, problems)) =
                refused.clone().find(|(refused, _)| refused.as_deref() == Some(id))
                && let Some(failure) = crate::problem::failure(problems)
            {
                return Err(failure.detail("skillId", id));
            }
        }
        let failure = Failure::new(
            ErrorCode::SkillNotFound,
            format!("there is no skill {id:?} in {}", self.paths().join(" or ")),
        )
        .detail("skillId", id);
        let skills = self.skills();
        Err(match suggest::nearest(id, skills.iter().map(|found| found.skill.id())) {
            Some(near) => failure.detail("suggestion", near).hint(format!("did you mean {near}?")),
            None => failure.hint(ErrorCode::SkillNotFound.remedy()),
        })
    }

    /// The registries whose skill of this id is hidden by an earlier one's.
    #[must_use]
    pub fn shadows(&self, found: &Found<'_>) -> Vec<String> {
        let later = self.registries.iter().skip(found.rank + 1);
        later
            .filter(|registry| registry.skill(found.skill.id()).is_some())
            .map(|registry| registry.path.display().to_string())
            .collect()
    }

    /// The entry as it was written, and what it shadows where it does.
    #[must_use]
    pub fn shown(&self, found: &Found<'_>) -> Value {
        let mut entry = json!(found.skill);
        let shadows = self.shadows(found);
        if !shadows.is_empty() {
            entry["shadows"] = shadows.into();
        }
        entry
    }
}
