//! The list of a repository's skills: read, checked, merged.
//!
//! A registry is `skills/skills-registry.json` in a repository, generated from the `skill.json` of
//! every skill (see [`crate::index`]). What is wrong with one entry does not take the others away.

mod keys;
mod load;
pub(crate) mod locate;
mod paths;
mod resolve;
pub(crate) mod shape;
mod skill;

pub(crate) use keys::{REGISTRY_FRAME, SKILL};
pub use keys::{SCHEMA_FILE, SCHEMA_VERSION, schema};
pub use load::{MANIFEST, Registry, manifest_mismatch};
pub(crate) use load::{belongs, hex, read_json, sha256};
pub use paths::{NotInside, Root};
pub use resolve::{Found, INSTALLED, Places, Registries, VARIABLE};
pub use skill::Skill;

/// The registry, from the root of its repository.
pub const REGISTRY_FILE: &str = "skills/skills-registry.json";

#[cfg(test)]
mod tests;
