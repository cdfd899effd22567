//! Executions made from the action table, so that a new type, field or alias is covered by itself.

use clawperator_contract::action::{ACTIONS, ActionSpec, HostNumber, Kind, Origin, Rule};
use clawperator_contract::aliases::{self, Aliases};
use clawperator_contract::limits::MAX_GESTURE_MS;
use clawperator_contract::retry::RETRY_KEYS;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Map, Value, json};

/// Who must be able to read what is made.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Reader {
    /// The host. It passes on what the contract leaves to the phone.
    Host,
    /// The phone too: only words it knows, only texts as long as it takes.
    Phone,
}

/// A text that says something. Characters of several sizes, and some that JSON escapes.
fn text() -> impl Strategy<Value = String> {
    "[a-z\"\\\\/ é€🎉\t]{0,12}[a-z]"
}

fn number(min: f64, max: f64) -> BoxedStrategy<Value> {
    let edges = select(vec![min, max]).prop_map(Value::from);
    let quarters = (min..=max).prop_map(|n| Value::from((n * 4.0).floor() / 4.0));
    let any = (min..=max).prop_map(Value::from);
    prop_oneof![edges, quarters, any]
        .prop_map(move |n| if n.as_f64() < Some(min) { min.into() } else { n })
        .boxed()
}

fn some_of(table: &[Aliases], value: BoxedStrategy<Value>) -> BoxedStrategy<Map<String, Value>> {
    let keys: Vec<&'static str> = table.iter().map(|(key, _)| *key).collect();
    let count = 1..=keys.len();
    (proptest::sample::subsequence(keys, count), vec(value, table.len()))
        .prop_map(|(keys, values)| keys.into_iter().map(str::to_owned).zip(values).collect())
        .boxed()
}

fn matcher() -> BoxedStrategy<Value> {
    some_of(aliases::MATCHER, text().prop_map(Value::from).boxed()).prop_map(Value::from).boxed()
}

/// Two levels are enough to have every key below every key; the depth limit has its own test.
fn selector(depth: u32) -> BoxedStrategy<Value> {
    let own = (matcher(), any::<bool>(), 0..9u32, select(aliases::SELECTOR.to_vec()), text());
    let leaf = own.prop_map(|(mut selector, flag, index, (key, _), class)| {
        match key {
            "class" => selector[key] = class.into(),
            "indexInParent" => selector[key] = index.into(),
            "anyOf" | "allOf" => {}
            _ => selector[key] = flag.into(),
        }
        selector
    });
    let leaf = leaf.boxed();
    if depth == 0 {
        return leaf;
    }
    let group = (select(vec!["anyOf", "allOf"]), vec(selector(depth - 1), 1..3));
    let nested = (leaf.clone(), group).prop_map(|(mut selector, (key, parts))| {
        selector[key] = parts.into();
        selector
    });
    prop_oneof![leaf, nested].boxed()
}

fn strokes() -> BoxedStrategy<Value> {
    let point = (0..4_000u32, 0..4_000u32, 0..=MAX_GESTURE_MS);
    let stroke = vec(point, 1..5).prop_map(|mut points| {
        points.sort_by_key(|(_, _, at)| *at);
        points.into_iter().map(|(x, y, t)| json!({"x": x, "y": y, "t": t})).collect::<Value>()
    });
    vec(stroke, 1..3).prop_map(Value::from).boxed()
}

fn retry() -> BoxedStrategy<Value> {
    let table: Vec<Aliases> = RETRY_KEYS.iter().map(|key| (*key, &[][..])).collect();
    some_of(&table, number(-10.0, 100_000.0)).prop_map(Value::from).boxed()
}

fn value(kind: Kind, reader: Reader) -> BoxedStrategy<Value> {
    match kind {
        Kind::Matcher => matcher(),
        Kind::Selector => selector(2),
        Kind::NodeRef => any::<(u32, u64)>().prop_map(|(n, g)| format!("n{n}@{g}").into()).boxed(),
        Kind::Coordinate => {
            (0..4_000u32, 0..4_000u32).prop_map(|(x, y)| json!({"x": x, "y": y})).boxed()
        }
        Kind::Strokes => strokes(),
        Kind::Retry(_) => retry(),
        Kind::Flag(_) => any::<bool>().prop_map(Value::from).boxed(),
        Kind::Text { .. } => text().prop_map(Value::from).boxed(),
        Kind::Word { values } if reader == Reader::Phone => {
            select(values).prop_map(Value::from).boxed()
        }
        Kind::Word { values } => {
            prop_oneof![select(values).prop_map(Value::from), text().prop_map(Value::from)].boxed()
        }
        Kind::Pattern => select(vec!["^a+$", "[0-9]{2}", "(x|y)*"]).prop_map(Value::from).boxed(),
        Kind::Choice { values, .. } => select(values).prop_map(Value::from).boxed(),
        Kind::Number { host, whole, phone, .. } => {
            let numbers = match host {
                HostNumber::Any => number(phone.min - 100.0, phone.max * 2.0),
                HostNumber::Within(bounds) => number(bounds.min, bounds.max),
                HostNumber::AboveZeroTo(max) => number(0.25, max),
            };
            if !whole {
                return numbers;
            }
            numbers.prop_map(|n| n.as_f64().unwrap().floor().into()).boxed()
        }
    }
}

/// Leaves out and puts in what the rules of the action ask for.
fn obey(
    rules: &[Rule],
    all: &Map<String, Value>,
    mut params: Map<String, Value>,
    pick: Index,
) -> Map<String, Value> {
    let keep_one = |params: &mut Map<String, Value>, keys: &[&str], one: Option<&str>| {
        params.retain(|key, _| !keys.contains(&key.as_str()) || Some(key.as_str()) == one);
    };
    for rule in rules {
        match rule {
            Rule::ExactlyOne(keys) => {
                let one = *pick.get(keys);
                params.insert(one.into(), all[one].clone());
                keep_one(&mut params, keys, Some(one));
            }
            Rule::AtMostOne(keys) => {
                let one = keys.iter().copied().find(|key| params.contains_key(*key));
                keep_one(&mut params, keys, one);
            }
            Rule::AtLeastOne(keys) => {
                let one = *pick.get(keys);
                params.insert(one.into(), all[one].clone());
            }
            Rule::ClickAfterNeeds(keys) => {
                if !keys.iter().any(|key| params.contains_key(*key)) {
                    params.remove("clickAfter");
                }
            }
            Rule::FocusNeedsNode => {
                let focus = params.get("clickType").is_some_and(|kind| kind == "focus");
                if focus && params.contains_key("coordinate") {
                    params.remove("clickType");
                }
            }
            Rule::RegexNeedsPattern if params.contains_key("validator") => {
                params.insert("validatorPattern".into(), all["validatorPattern"].clone());
            }
            Rule::RegexNeedsPattern => {}
        }
    }
    params
}

fn action(spec: &'static ActionSpec, reader: Reader) -> BoxedStrategy<Value> {
    let values: Vec<_> = spec.fields.iter().map(|field| value(field.kind, reader)).collect();
    let chosen = vec(proptest::bool::weighted(0.4), spec.fields.len());
    (values, chosen, any::<Index>(), text())
        .prop_map(move |(values, chosen, pick, id)| {
            let fields = || spec.fields.iter().zip(&values);
            let all =
                fields().map(|(field, value)| (field.key.to_owned(), value.clone())).collect();
            let params =
                fields().zip(chosen).filter(|((field, _), chosen)| field.required || *chosen);
            let params =
                params.map(|((field, value), _)| (field.key.to_owned(), value.clone())).collect();
            let params = obey(spec.rules, &all, params, pick);
            let mut action = json!({"id": id, "type": spec.name});
            if !params.is_empty() {
                action["params"] = params.into();
            }
            action
        })
        .boxed()
}

/// A canonical execution that validates.
pub(crate) fn execution(reader: Reader) -> impl Strategy<Value = Value> {
    let public = ACTIONS.iter().filter(|spec| spec.origin != Origin::Internal);
    let action = proptest::strategy::Union::new(public.map(|spec| action(spec, reader)));
    let modes = vec![None, Some("direct"), Some("artifact_compiled")];
    (text(), text(), text(), number(1_000.0, 120_000.0), vec(action, 1..4), select(modes)).prop_map(
        |(command, task, source, timeout, actions, mode)| {
            let mut execution = json!({
                "commandId": command, "taskId": task, "source": source,
                "expectedFormat": "android-ui-automator",
                "timeoutMs": timeout, "actions": actions
            });
            if let Some(mode) = mode {
                execution["mode"] = mode.into();
            }
            execution
        },
    )
}

/// Any JSON, with a liking for keys and names that mean something.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let tables =
        [aliases::EXECUTION, aliases::PARAMS, aliases::MATCHER, aliases::SELECTOR, aliases::RETRY];
    let known = tables.into_iter().flatten().flat_map(|(key, others)| others.iter().chain([key]));
    let mut keys: Vec<&str> = known.copied().chain(aliases::LONG_PRESS.iter().copied()).collect();
    keys.extend(["actions", "type", "id", "params", "where", "ref", "retry", "key", "zebra"]);
    let mut words: Vec<&str> =
        ACTIONS.iter().flat_map(|spec| spec.aliases.iter().chain([&spec.name])).copied().collect();
    words.extend(["", " ", "BACK", "long_click", "n1@2"]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<i32>().prop_map(|n| Value::from(f64::from(n))),
        any::<f64>().prop_map(Value::from),
        select(words).prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 5, move |inner| {
        let object = vec((select(keys.clone()), inner.clone()), 0..6);
        prop_oneof![
            vec(inner, 0..4).prop_map(Value::from),
            object.prop_map(|pairs| {
                pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            }),
        ]
    })
}

/// The same execution in other words: some keys and types become aliases.
pub(crate) fn disguise(mut execution: Value, seed: u64) -> Value {
    let rng = &mut SmallRng::seed_from_u64(seed);
    let top = execution.as_object_mut().unwrap();
    for action in top["actions"].as_array_mut().unwrap() {
        let spec = ACTIONS.iter().find(|spec| action["type"] == spec.name).unwrap();
        if let Some(alias) = spec.aliases.choose(rng).filter(|_| rng.random()) {
            action["type"] = (*alias).into();
        }
        let Some(params) = action.get_mut("params").and_then(Value::as_object_mut) else {
            continue;
        };
        for field in spec.fields {
            let Some(value) = params.get_mut(field.key) else { continue };
            match field.kind {
                Kind::Matcher | Kind::Selector => disguise_selector(value, rng),
                Kind::Retry(_) => respell(value.as_object_mut().unwrap(), aliases::RETRY, rng),
                _ => {}
            }
        }
        respell(params, aliases::PARAMS, rng);
    }
    respell(top, aliases::EXECUTION, rng);
    execution
}

fn disguise_selector(selector: &mut Value, rng: &mut SmallRng) {
    let object = selector.as_object_mut().unwrap();
    for key in ["anyOf", "allOf"] {
        let parts = object.get_mut(key).and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(|part| disguise_selector(part, rng));
    }
    respell(object, aliases::MATCHER, rng);
    respell(object, aliases::SELECTOR, rng);
}

fn respell(object: &mut Map<String, Value>, table: &[Aliases], rng: &mut SmallRng) {
    for (key, others) in table {
        let Some(alias) = others.choose(rng).filter(|_| rng.random()) else { continue };
        if let Some(value) = object.shift_remove(*key) {
            object.insert((*alias).to_owned(), value);
        }
    }
}

/// The same execution with one thing changed, right or wrong.
pub(crate) fn spoil(mut execution: Value, seed: u64) -> Value {
    let rng = &mut SmallRng::seed_from_u64(seed);
    let mut place = &mut execution;
    // Mostly walks down, so that changes at every level are about as frequent.
    while rng.random_bool(0.85) {
        let children = match place {
            Value::Array(items) => items.len(),
            Value::Object(object) => object.len(),
            _ => 0,
        };
        if children == 0 {
            break;
        }
        let at = rng.random_range(0..children);
        place = match place {
            Value::Array(items) => &mut items[at],
            Value::Object(object) => object.values_mut().nth(at).unwrap(),
            _ => unreachable!("no other value has children"),
        };
    }
    change(place, rng);
    execution
}

fn change(place: &mut Value, rng: &mut SmallRng) {
    if let Value::Object(object) = place {
        let keys: Vec<_> = object.keys().cloned().collect();
        match (rng.random_range(0..3), keys.choose(rng)) {
            (0, Some(key)) => {
                object.shift_remove(key);
                return;
            }
            (1, _) => {
                let strays = ["zebra", "text", "matcher", "coordinate", "where", "retry", "all"];
                object.insert((*strays.choose(rng).unwrap()).into(), odd(rng));
                return;
            }
            _ => {}
        }
    }
    *place = odd(rng);
}

/// Right in some places, wrong in others.
fn odd(rng: &mut SmallRng) -> Value {
    let long = |length| Value::from("é".repeat(length));
    let odd = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(0.5),
        json!(3.0),
        json!(200),
        json!(201),
        json!(30_000),
        json!(120_001),
        json!(1e9),
        json!(""),
        json!("  "),
        json!("x"),
        json!("focus"),
        json!("regex"),
        json!("BACK"),
        json!("n1@2"),
        json!("click"),
        json!("tap"),
        json!("type_text"),
        json!("scroll"),
        long(64),
        long(65),
        long(128),
        long(129),
        long(512),
        long(513),
        long(2_049),
        json!([]),
        json!({}),
        json!({"textEquals": "x"}),
        json!({"text": "x"}),
        json!({"x": 1, "y": 2}),
        json!({"maxAttempts": 2}),
        json!([{"role": "x"}]),
    ];
    odd.choose(rng).unwrap().clone()
}
