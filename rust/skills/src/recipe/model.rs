//! A recipe, read.

use super::text::Text;
use super::words::{
    Annotation, Capability, Effect, Framework, RecipeType, Redaction, RiskLevel, SessionPolicy,
    ValueType,
};
use crate::problem::Place;
use clawperator_contract::action::ActionType;
use regex_lite::Regex;
use serde_json::{Map, Value};

/// A recipe whose document is well formed.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Its own name, the same all over the world.
    pub id: String,
    /// Its version.
    pub version: semver::Version,
    /// What it is for.
    pub kind: RecipeType,
    /// The app it is for.
    pub application_id: String,
    /// What it does, in one line.
    pub summary: String,
    /// What the app's screens are made with.
    pub frameworks: Vec<Framework>,
    /// Is the app started anew?
    pub session: SessionPolicy,
    /// Are the steps that start it put in by the compiler?
    pub fresh_start_injected: bool,
    /// Version of the app it was written for.
    pub app_build: AppBuild,
    /// Versions of the app it works with.
    pub compatibility: Compatibility,
    /// What it may do.
    pub capabilities: Vec<Capability>,
    /// Where they are declared.
    pub capabilities_place: Place,
    /// What it must be told.
    pub inputs: Vec<Input>,
    /// What it tells.
    pub outputs: Vec<Output>,
    /// How much can go wrong.
    pub risk: Option<RiskLevel>,
    /// Time for all of it.
    pub timeout_ms: u64,
    /// What it does, in order.
    pub steps: Vec<Step>,
}

/// Version of an app.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct AppBuild {
    pub version_name: String,
    pub version_code: u64,
}

/// Versions of an app, as far as they are limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Compatibility {
    pub min_version_code: Option<u64>,
    pub max_version_code: Option<u64>,
}

/// What a recipe must be told.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it is declared.
    pub place: Place,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ValueType,
    /// Must a value be given?
    pub required: bool,
    /// The value it has without.
    pub default: Option<String>,
    /// The only values it takes.
    pub choices: Vec<String>,
    /// The smallest number it takes.
    pub min: Option<f64>,
    /// The largest.
    pub max: Option<f64>,
}

/// What a recipe tells.
#[derive(Clone, Debug)]
pub struct Output {
    /// Where it is declared.
    pub place: Place,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ValueType,
    /// What becomes of it before anybody sees it.
    pub redaction: Redaction,
    /// The step it is read from, and the field of its result.
    pub from: Option<(String, String)>,
    /// The part of the text that is meant.
    pub pattern: Option<Regex>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where its block begins.
    pub place: Place,
    /// Its name, the only one in the recipe.
    pub id: String,
    /// What people call it.
    pub title: Option<String>,
    /// What the phone does.
    pub kind: ActionType,
    /// Its target.
    pub selector: Option<Selector>,
    /// Where its target is looked for.
    pub container: Option<Selector>,
    /// Rest after it.
    pub after_ms: Option<u64>,
    /// How often and how patiently it is tried.
    pub retries: Option<Map<String, Value>>,
    /// How its success is proved.
    pub confirm: Option<Confirm>,
    /// Parameters of the action itself.
    pub params: Map<String, Value>,
    /// What it is for, where that is said.
    pub effect: Option<Effect>,
    /// The step whose change it looks at.
    pub verifies: Option<(String, Place)>,
    /// May it fail?
    pub optional: bool,
    /// How many targets the author counts on.
    pub expect_count: Option<u64>,
}

/// How the success of a step is proved.
#[derive(Clone, Debug)]
pub struct Confirm {
    /// What must be on the screen.
    pub selector: Selector,
    /// Where it is looked for.
    pub container: Option<Selector>,
    /// What its text must look like.
    pub text_matches: Option<String>,
    /// How long it may take.
    pub timeout_ms: Option<u64>,
}

/// Names a node.
#[derive(Clone, Debug)]
pub struct Selector {
    /// Where it stands.
    pub place: Place,
    /// Texts by their canonical keys.
    pub texts: Vec<(&'static str, Text, Place)>,
    /// Flags by their canonical keys.
    pub flags: Vec<(&'static str, bool)>,
    /// Position among its siblings.
    pub index_in_parent: Option<u64>,
    /// One of these must hold.
    pub any_of: Vec<Selector>,
    /// All of these must hold.
    pub all_of: Vec<Selector>,
    /// What its texts are made of.
    pub annotation: Option<(Annotation, Place)>,
}

impl Selector {
    /// It and all its parts.
    pub fn walk(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        let parts = self.any_of.iter().chain(&self.all_of);
        Box::new(std::iter::once(self).chain(parts.flat_map(Self::walk)))
    }
}

impl Step {
    /// Every selector in it.
    pub fn selectors(&self) -> impl Iterator<Item = &Selector> {
        let confirm = self.confirm.iter().flat_map(|confirm| {
            std::iter::once(&confirm.selector).chain(confirm.container.as_ref())
        });
        self.selector.iter().chain(&self.container).chain(confirm).flat_map(Selector::walk)
    }

    /// Does it click?
    #[must_use]
    pub fn clicks(&self) -> bool {
        match self.kind {
            ActionType::Click => true,
            ActionType::ScrollAndClick => {
                self.params.get("clickAfter") != Some(&Value::Bool(false))
            }
            _ => false,
        }
    }

    /// Does it look at the screen in a way that can prove something?
    #[must_use]
    pub fn looks(&self) -> bool {
        matches!(self.kind, ActionType::ReadText | ActionType::WaitForNode)
    }
}

impl Recipe {
    /// Must what its steps change be proved?
    #[must_use]
    pub fn must_verify(&self) -> bool {
        self.kind == RecipeType::Action
            || self.capabilities.iter().any(|capability| capability.needs_verification())
    }

    /// Where an output comes from: the step and field it names, or the step of its own name.
    #[must_use]
    pub fn source_of<'r>(&'r self, output: &'r Output) -> Option<(&'r str, &'r str)> {
        if let Some((step, field)) = &output.from {
            return Some((step, field));
        }
        let own = self.steps.iter().find(|step| step.id == output.name)?;
        Some((&own.id, "text"))
    }

    /// Does this step change something? In a recipe that must prove its changes every click counts
    /// as one that is not said to be only the way somewhere.
    #[must_use]
    pub fn changes(&self, step: &Step) -> bool {
        match step.effect {
            Some(effect) => effect == Effect::Change,
            None => step.clicks() && self.must_verify(),
        }
    }
}
