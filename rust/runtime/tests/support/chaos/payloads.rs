//! Random executions, made from the action table: a new type or field is covered by itself.

use super::screens::{CLASSES, IDS, LABELS, PACKAGES, Scene, pick};
use crate::support::scripted::List;
use clawperator_contract::action::{
    ACTIONS, ActionSpec, ActionType, Field, HostNumber, Kind, Rule,
};
use clawperator_contract::aliases;
use clawperator_contract::limits::MAX_GESTURE_MS;
use clawperator_contract::retry::RETRY_KEYS;
use clawperator_runtime::role::Role;
use clawperator_runtime::screen::{Flags, Generation, NodeSpec};
use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use serde_json::{Map, Value, json};
use std::iter::repeat_n;

const URIS: &[&str] = &[
    "https://a.example/",
    "https://b.example/?q=1",
    "https://c.example/",
    "geo:1,2",
    "FILE:///etc",
];
const PATTERNS: &[&str] = &["^[a-z]+$", "[0-9.]*", "(OK|Cancel)", ".*"];

/// Makes payloads for one phone.
pub struct Payloads<'a> {
    pub rng: &'a mut SmallRng,
    /// What the phone may show.
    pub scenes: &'a [Scene],
    /// The list that is there in place of the first window's nodes.
    pub list: Option<&'a List>,
    /// The newest capture, for references to point into.
    pub generation: Option<Generation>,
}

/// Those that touch the phone come more often: they are what can go wrong.
fn weight(spec: &ActionSpec) -> usize {
    match spec.kind {
        // The only ones of several deeds: focus, click, text, enter.
        ActionType::EnterText | ActionType::TypeText => 8,
        ActionType::Click
        | ActionType::Scroll
        | ActionType::ScrollAndClick
        | ActionType::ScrollUntil => 4,
        ActionType::CloseApp
        | ActionType::StartRecording
        | ActionType::StopRecording
        | ActionType::Sleep
        | ActionType::DoctorPing => 1,
        _ => 2,
    }
}

impl Payloads<'_> {
    /// An execution of up to six actions.
    pub fn payload(&mut self) -> Value {
        let timeout = self.number(1_000.0, 120_000.0).floor();
        let count = self.rng.random_range(1..=6);
        let actions: Vec<_> = (0..count).map(|number| self.action(number)).collect();
        json!({
            "commandId": "c", "taskId": "t", "source": "chaos",
            "expectedFormat": "android-ui-automator", "timeoutMs": timeout, "actions": actions
        })
    }

    fn action(&mut self, number: u32) -> Value {
        let weighted = ACTIONS.iter().flat_map(|spec| repeat_n(spec, weight(spec)));
        let spec = *weighted.collect::<Vec<_>>().choose(self.rng).unwrap();
        let mut params = Map::new();
        for field in spec.fields {
            // A container that is not there hides everything else there is to see.
            let often = match field.key {
                "container" | "containerWhere" => 0.1,
                "submit" => 0.8,
                _ => 0.35,
            };
            if field.required || self.rng.random_bool(often) {
                params.insert(field.key.into(), self.value(spec, field, number));
            }
        }
        self.obey(spec, &mut params, number);
        json!({ "id": format!("step-{number}"), "type": spec.name, "params": params })
    }

    fn obey(&mut self, spec: &ActionSpec, params: &mut Map<String, Value>, number: u32) {
        for rule in spec.rules {
            match rule {
                Rule::ExactlyOne(keys) => {
                    // Only the first step can have a reference that holds.
                    let holds = number == 0 && self.generation.is_some();
                    let refs = holds || self.rng.random_bool(0.1);
                    let keys_now: Vec<_> =
                        keys.iter().copied().filter(|key| refs || *key != "ref").collect();
                    let one = pick(self.rng, &keys_now);
                    self.ensure(spec, params, one, number);
                    params.retain(|key, _| key == one || !keys.contains(&key.as_str()));
                }
                Rule::AtLeastOne(keys) => {
                    let one = pick(self.rng, keys);
                    self.ensure(spec, params, one, number);
                }
                Rule::AtMostOne(keys) => {
                    let one = keys.iter().find(|key| params.contains_key(**key));
                    params.retain(|key, _| {
                        Some(&key.as_str()) == one || !keys.contains(&key.as_str())
                    });
                }
                Rule::ClickAfterNeeds(keys) => {
                    if !keys.iter().any(|key| params.contains_key(*key)) {
                        params.remove("clickAfter");
                    }
                }
                Rule::FocusNeedsNode => {
                    if params.contains_key("coordinate") {
                        params.remove("clickType");
                    }
                }
                Rule::RegexNeedsPattern => {
                    if params.get("validator").is_some_and(|word| word == "regex") {
                        self.ensure(spec, params, "validatorPattern", number);
                    }
                }
            }
        }
    }

    fn ensure(
        &mut self,
        spec: &ActionSpec,
        params: &mut Map<String, Value>,
        key: &str,
        number: u32,
    ) {
        if let Some(field) = spec.field(key).filter(|_| !params.contains_key(key)) {
            params.insert(key.into(), self.value(spec, field, number));
        }
    }

    fn value(&mut self, spec: &ActionSpec, field: &Field, number: u32) -> Value {
        let into_field = spec.kind == ActionType::EnterText && field.key == "matcher";
        match field.kind {
            Kind::Matcher => self.matcher(into_field).into(),
            Kind::Selector => self.selector(2),
            Kind::NodeRef => {
                let node = self.rng.random_range(0..12);
                let generation =
                    self.generation.unwrap_or(1) + u64::from(self.rng.random_bool(0.1));
                format!("n{node}@{generation}").into()
            }
            Kind::Coordinate => {
                json!({ "x": self.rng.random_range(0..1_200), "y": self.rng.random_range(0..2_500) })
            }
            Kind::Strokes => self.strokes(),
            Kind::Retry(_) => self.retry(),
            Kind::Flag(_) => self.rng.random::<bool>().into(),
            Kind::Text { .. } => self.text(field.key, number),
            Kind::Pattern => pick(self.rng, PATTERNS).into(),
            Kind::Word { values } | Kind::Choice { values, .. } => pick(self.rng, values).into(),
            Kind::Number { host, whole, phone, .. } => {
                let number = match host {
                    HostNumber::Any => self.number(phone.min, phone.max * 1.2),
                    HostNumber::Within(bounds) => self.number(bounds.min, bounds.max),
                    HostNumber::AboveZeroTo(max) => self.number(0.25, max),
                };
                if whole { number.floor().into() } else { number.into() }
            }
        }
    }

    /// Each typed text is another one, so that it is known which field got it.
    fn text(&mut self, key: &str, number: u32) -> Value {
        match key {
            "applicationId" | "expectedPackage" => pick(self.rng, PACKAGES).into(),
            "uri" => pick(self.rng, URIS).into(),
            "text" => typed(number).into(),
            _ => pick(self.rng, &["one", "two", "not/a name"]).into(),
        }
    }

    /// Rather small than large, so that most executions are not one long wait.
    fn number(&mut self, min: f64, max: f64) -> f64 {
        match self.rng.random_range(0..12) {
            0 => min,
            1 => max,
            _ => min + (max - min) * self.rng.random::<f64>().powi(3),
        }
    }

    /// Mostly of a node that may be on the screen.
    fn matcher(&mut self, into_field: bool) -> Map<String, Value> {
        let mut matcher = Map::new();
        if let Some(row) = self.row() {
            matcher.insert("textEquals".into(), row.into());
            return matcher;
        }
        if self.rng.random_bool(0.8) {
            // The first one is there from the start.
            let later = self.rng.random_bool(0.3);
            let scene = if later { self.scenes.choose(self.rng) } else { self.scenes.first() };
            let mut nodes = Vec::new();
            scene.unwrap().windows.iter().for_each(|window| collect(&window.root, &mut nodes));
            let fields: Vec<_> =
                nodes.iter().copied().filter(|node| node.flags.has(Flags::EDITABLE)).collect();
            let nodes = if into_field && !fields.is_empty() { fields } else { nodes };
            let node = *nodes.choose(self.rng).unwrap();
            let label = if node.flags.has(Flags::PASSWORD) { "" } else { &node.text };
            let part = label.get(..2).unwrap_or_default();
            let known = [
                ("resourceId", node.resource_id.as_str()),
                ("textEquals", label),
                ("textContains", part),
                ("contentDescEquals", &node.description),
            ];
            let known: Vec<_> =
                known.into_iter().filter(|(_, word)| !word.trim().is_empty()).collect();
            if let Some((key, word)) = known.choose(self.rng) {
                matcher.insert((*key).into(), (*word).into());
                return matcher;
            }
        }
        for _ in 0..self.rng.random_range(1..=2) {
            let (key, _) = aliases::MATCHER.choose(self.rng).unwrap();
            let word = match *key {
                "resourceId" => pick(self.rng, IDS),
                "role" => Role::ALL.choose(self.rng).unwrap().name(),
                _ => pick(self.rng, LABELS),
            };
            // A blank value names nothing, and the contract refuses it.
            let word = if word.trim().is_empty() { "OK" } else { word };
            matcher.insert((*key).into(), word.into());
        }
        matcher
    }

    fn row(&mut self) -> Option<String> {
        let rows = &self.list?.rows;
        if self.rng.random_bool(0.4) {
            return None;
        };
        rows.choose(self.rng).cloned()
    }

    fn selector(&mut self, depth: u32) -> Value {
        let mut selector = if self.rng.random_bool(0.7) { self.matcher(false) } else { Map::new() };
        let (key, _) = aliases::SELECTOR.choose(self.rng).unwrap();
        let value = match *key {
            "class" => match pick(self.rng, CLASSES) {
                "" => "android.view.View".into(),
                class => class.into(),
            },
            "indexInParent" => self.rng.random_range(0..5_u32).into(),
            "anyOf" | "allOf" if depth > 0 => {
                (0..self.rng.random_range(1..=2)).map(|_| self.selector(depth - 1)).collect()
            }
            "anyOf" | "allOf" => Value::from(vec![Value::from(self.matcher(false))]),
            _ => self.rng.random::<bool>().into(),
        };
        selector.insert((*key).into(), value);
        selector.into()
    }

    fn strokes(&mut self) -> Value {
        let stroke = |rng: &mut SmallRng| {
            let longest = if rng.random_bool(0.05) { MAX_GESTURE_MS } else { 1_000 };
            let mut times: Vec<_> =
                (0..rng.random_range(1..4)).map(|_| rng.random_range(0..=longest)).collect();
            times.sort_unstable();
            let mut point = |t: u64| json!({ "x": rng.random_range(0..1_200), "y": rng.random_range(0..2_500), "t": t });
            times.into_iter().map(&mut point).collect::<Value>()
        };
        (0..self.rng.random_range(1..=2)).map(|_| stroke(self.rng)).collect()
    }

    fn retry(&mut self) -> Value {
        let mut retry = Map::new();
        for key in RETRY_KEYS {
            if self.rng.random_bool(0.6) {
                let number = match *key {
                    "maxAttempts" => self.number(0.0, 12.0).floor(),
                    "initialDelayMs" => self.number(0.0, 31_000.0),
                    "maxDelayMs" => self.number(0.0, 61_000.0),
                    _ => self.number(-0.5, 6.0),
                };
                retry.insert((*key).into(), number.into());
            }
        }
        retry.into()
    }
}

fn collect<'a>(node: &'a NodeSpec, nodes: &mut Vec<&'a NodeSpec>) {
    nodes.push(node);
    node.children.iter().for_each(|child| collect(child, nodes));
}

/// The text the step of that number types.
pub fn typed(number: u32) -> String {
    format!("typed-{number}-Zx9")
}
