//! Who may run what: profiles that allow or deny a recipe by what it declares, before anything is
//! sent.

use crate::problem::{Problem, Problems};
use crate::recipe::words::{Capability, Word};
use crate::recipe::{Keys, Reader, Recipe, Rule};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_tree::{Node, Tree};
use std::collections::BTreeMap;

/// The profile of somebody who chose none.
pub const DEFAULT: &str = "default";

/// What a profile lets through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// What may be done. What needs an explicit yes is not among them.
    pub allow: Vec<Capability>,
    /// What may not, even where it is allowed.
    pub deny: Vec<Capability>,
    /// The only apps, where any are named; `com.example.*` names all that begin so.
    pub allow_packages: Vec<String>,
    /// Apps that may not be touched.
    pub deny_packages: Vec<String>,
    /// What no single recipe may do together.
    pub forbid_together: Vec<Vec<Capability>>,
}

/// The profiles there are.
#[derive(Clone, Debug)]
pub struct Policy(BTreeMap<String, Profile>);

impl Default for Policy {
    /// Everything but what may cost money; and two that say what their names say.
    fn default() -> Self {
        let all = || Capability::ALL.iter().copied();
        let careful = all().filter(|capability| *capability != Capability::PurchaseRisk).collect();
        let reading = vec![Capability::Observe, Capability::Navigate, Capability::Click];
        let observing = vec![Capability::Observe];
        let own = [
            plain(DEFAULT, careful),
            // Reading its way through an app takes clicks; a click that changes is a toggle.
            Profile {
                deny: vec![Capability::Toggle, Capability::TypeText],
                ..plain("read-only", reading)
            },
            plain("observe-only", observing),
        ];
        Self(own.into_iter().map(|profile| (profile.name.clone(), profile)).collect())
    }
}

fn plain(name: &str, allow: Vec<Capability>) -> Profile {
    Profile {
        name: name.to_owned(),
        allow,
        deny: Vec::new(),
        allow_packages: Vec::new(),
        deny_packages: Vec::new(),
        forbid_together: Vec::new(),
    }
}

impl Policy {
    /// Reads a policy file; its profiles come beside the built-in ones, or in their place.
    pub fn read(file: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let mut policy = Self::default();
        let tree = match Tree::parse(text) {
            Ok(tree) => tree,
            Err((place, why)) => {
                let mut problems = Problems::new(file, text);
                let said = format!("not YAML: {why}");
                problems.error(ErrorCode::PolicyInvalid, "policy", place, said);
                return Err(problems.into_sorted());
            }
        };
        let mut reader = Reader::new(file, text);
        policy.fill(&tree, &mut reader);
        let mut problems = reader.problems.into_sorted();
        if problems.is_empty() {
            return Ok(policy);
        }
        for problem in &mut problems {
            problem.code = ErrorCode::PolicyInvalid;
            problem.rule = "policy";
        }
        Err(problems)
    }

    fn fill(&mut self, tree: &Tree, reader: &mut Reader<'_>) -> Option<()> {
        let mut keys = reader.keys(tree, "the policy", Rule::Capabilities)?;
        let profiles = keys.need("profiles", reader);
        keys.done(reader);
        reader.keys(profiles?, "profiles", Rule::Capabilities)?;
        let Node::Map(entries) = &profiles?.node else { return None };
        for (name, tree) in entries {
            let name = name.scalar().unwrap_or_default();
            if let Some(profile) = profile(&name, tree, reader) {
                self.0.insert(name, profile);
            }
        }
        Some(())
    }

    /// The profile of that name.
    pub fn profile(&self, name: &str) -> Result<&Profile, Failure> {
        self.0.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.0.keys().map(String::as_str).collect();
            let said = format!("there is no profile \"{name}\"; there are: {}", names.join(", "));
            Failure::new(ErrorCode::PolicyInvalid, said)
        })
    }

    /// All of them, by name.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        self.0.values()
    }
}

fn profile(name: &str, tree: &Tree, reader: &mut Reader<'_>) -> Option<Profile> {
    let mut keys = reader.keys(tree, "a profile", Rule::Capabilities)?;
    let list = |key: &'static str, keys: &mut Keys<'_>, reader: &mut Reader<'_>| {
        keys.get(key).map_or(Some(Vec::new()), |tree| capabilities(tree, key, reader))
    };
    let allow = match keys.need("allow", reader) {
        Some(tree) => capabilities(tree, "allow", reader),
        None => None,
    };
    let deny = list("deny", &mut keys, reader);
    let packages = |key: &'static str, keys: &mut Keys<'_>, reader: &mut Reader<'_>| {
        keys.get(key).map_or(Some(Vec::new()), |tree| reader.texts(tree, key, Rule::Capabilities))
    };
    let allow_packages = packages("allow_packages", &mut keys, reader);
    let deny_packages = packages("deny_packages", &mut keys, reader);
    let forbid_together = keys.get("forbid_together").map_or(Some(Vec::new()), |tree| {
        let sets = reader.list(tree, "forbid_together", Rule::Capabilities)?;
        sets.iter().map(|set| capabilities(set, "forbid_together", reader)).collect()
    });
    keys.done(reader);
    Some(Profile {
        name: name.to_owned(),
        allow: allow?,
        deny: deny?,
        allow_packages: allow_packages?,
        deny_packages: deny_packages?,
        forbid_together: forbid_together?,
    })
}

fn capabilities(tree: &Tree, key: &str, reader: &mut Reader<'_>) -> Option<Vec<Capability>> {
    let items = reader.list(tree, key, Rule::Capabilities)?;
    let read: Vec<_> =
        items.iter().map(|item| reader.word(item, key, Rule::Capabilities)).collect();
    read.into_iter().collect()
}

impl Profile {
    /// May this recipe run? `yes` are capabilities somebody said an explicit yes to, now.
    pub fn admit(&self, recipe: &Recipe, yes: &[Capability]) -> Result<(), Failure> {
        let refuse = |what: String, hint: &str| {
            Err(Failure::new(ErrorCode::RecipePolicyDenied, what)
                .detail("profile", self.name.as_str())
                .detail("recipeId", recipe.id.as_str())
                .hint(hint))
        };
        for capability in &recipe.capabilities {
            let (name, profile) = (capability.word(), &self.name);
            if self.deny.contains(capability) {
                let said = format!("the profile \"{profile}\" denies the capability {name}");
                return refuse(said, "use another profile with --profile, if you may");
            }
            if !self.allow.contains(capability) && !yes.contains(capability) {
                let said =
                    format!("the profile \"{profile}\" does not allow the capability {name}");
                let hint = format!("say --allow {name} if you mean it");
                return refuse(said, &hint);
            }
        }
        for set in &self.forbid_together {
            if !set.is_empty() && set.iter().all(|one| recipe.capabilities.contains(one)) {
                let names: Vec<_> = set.iter().map(|one| one.word()).collect();
                let said = format!(
                    "the profile \"{}\" forbids {} in one recipe",
                    self.name,
                    names.join(" and ")
                );
                return refuse(said, "make two recipes of it");
            }
        }
        // Every app the recipe opens or closes counts, not only the one it is for.
        let others =
            recipe.steps.iter().filter_map(|step| step.params.get("applicationId")?.as_str());
        for package in others.chain([recipe.application_id.as_str()]) {
            let named = |list: &[String]| list.iter().any(|form| fits(form, package));
            let allowed = self.allow_packages.is_empty() || named(&self.allow_packages);
            if !allowed || named(&self.deny_packages) {
                let said =
                    format!("the profile \"{}\" does not allow the app {package}", self.name);
                return refuse(said, "add the app to the profile's allow_packages, if you may");
            }
        }
        Ok(())
    }
}

/// `com.example.*` fits all that begin so, anything else only itself.
fn fits(form: &str, package: &str) -> bool {
    match form.strip_suffix('*') {
        Some(start) => package.starts_with(start),
        None => form == package,
    }
}
