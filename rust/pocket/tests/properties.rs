//! Promises about every JSON value there is.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_pocket::action::{Field, Kind, TYPES};
use clawperator_pocket::{Step, normalise, tools};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

static ACTION: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::validator_for(&tools::action_schema()).unwrap());
static STEP: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::validator_for(&tools::step_schema()).unwrap());

/// Values that are near to something, and values that are not.
fn any_json() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-2.0..3.0).prop_map(Value::from),
        (-200..5000).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        prop::sample::select(vec![
            "",
            " ",
            "true",
            "FALSE",
            "1",
            "0x1f",
            "0x+1",
            "1e400",
            "-0",
            "nan",
            "inf",
            " 7 ",
            "Poll",
            "2FA",
            "select",
            "payment_card",
        ])
        .prop_map(Value::from),
    ]
    .boxed();
    let nested = leaf.clone().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,4}", inner), 0..4)
                .prop_map(|items| Value::Object(items.into_iter().collect())),
        ]
    });
    // On its own the recursion would hardly ever give a plain number, which most fields want.
    prop_oneof![4 => leaf, 1 => nested].boxed()
}

/// A value that suits the field more or less.
fn near(field: &Field) -> BoxedStrategy<Value> {
    match field.kind {
        Kind::Choice(words) => prop_oneof![
            3 => prop::sample::select(words).prop_map(Value::from),
            1 => any_json(),
        ]
        .boxed(),
        Kind::Object(fields) => prop_oneof![3 => object(fields), 1 => any_json()].boxed(),
        Kind::List(fields) => {
            let item = prop_oneof![3 => object(fields), 1 => any_json()];
            let list = prop::collection::vec(item, 0..3).prop_map(Value::from);
            prop_oneof![3 => list, 1 => any_json()].boxed()
        }
        _ => any_json(),
    }
}

fn object(fields: &'static [Field]) -> BoxedStrategy<Value> {
    let each = fields.iter().flat_map(|field| {
        let names = [field.name].into_iter().chain(field.aliases.iter().copied());
        names.map(|name| prop::option::of(near(field)).prop_map(move |value| (name, value)))
    });
    let filled = |items: Vec<(&str, Option<Value>)>| {
        let given = items.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(given.collect())
    };
    each.collect::<Vec<_>>().prop_map(filled).boxed()
}

fn action_like() -> BoxedStrategy<Value> {
    let one = |(of, point, more): (usize, Option<Value>, Option<Value>)| {
        object(TYPES[of].fields).prop_map(move |mut action| {
            action["type"] = TYPES[of].name.into();
            if let Some(point) = &point {
                action["coordinate"] = point.clone();
            }
            if let Some(more) = &more {
                action["more"] = more.clone();
            }
            action
        })
    };
    (0..TYPES.len(), prop::option::of(any_json()), prop::option::of(any_json()))
        .prop_flat_map(one)
        .boxed()
}

fn holds_for(sent: &Value) -> Result<(), TestCaseError> {
    let normalised = normalise(sent);
    let action = serde_json::to_value(&normalised.action).unwrap();
    prop_assert!(ACTION.is_valid(&action), "{sent} became {action}");
    let again = normalise(&action);
    prop_assert_eq!(&again.action, &normalised.action);
    prop_assert_eq!(&again.notes, &[], "{}", action);
    // Known types stay what they are: the table and the enum agree.
    let name = sent.get("type").and_then(Value::as_str).unwrap_or_default().trim();
    if TYPES.iter().any(|of| of.name == name) {
        prop_assert_eq!(&action["type"], name);
        let reason = action["reason"].as_str().unwrap_or_default();
        prop_assert!(reason != "invalid action payload" || sent["reason"] == reason);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn any_value_becomes_a_valid_action_that_stays_as_it_is(sent in any_json()) {
        holds_for(&sent)?;
    }

    #[test]
    fn anything_like_an_action_becomes_a_valid_one_that_stays_as_it_is(sent in action_like()) {
        holds_for(&sent)?;
    }

    #[test]
    fn any_tool_call_is_a_valid_step_of_its_type(of in 0..TYPES.len(), sent in action_like()) {
        let step = Step::of_call(TYPES[of].tool, &sent, "said").unwrap();
        let output = serde_json::to_value(&step.output).unwrap();
        prop_assert!(STEP.is_valid(&output), "{sent} became {output}");
        prop_assert_eq!(&output["action"]["type"], TYPES[of].name);
    }
}

/// An object with the given value for every field.
fn all(fields: &[Field], pick: usize) -> Value {
    let value = |field: &Field| match field.kind {
        Kind::Number => json!(1.5),
        Kind::Whole { min, max } => json!(if pick == 0 { min } else { max }),
        Kind::Ratio => json!(0.75),
        Kind::Text | Kind::Trimmed => json!("text"),
        Kind::Flag => json!(true),
        Kind::Choice(words) => json!(words[pick % words.len()]),
        Kind::Object(fields) => all(fields, pick),
        Kind::List(fields) => json!([all(fields, pick), all(fields, pick + 1)]),
    };
    Value::Object(
        fields.iter().map(|field| (field.name.into(), value(field))).collect::<Map<_, _>>(),
    )
}

#[test]
fn every_field_and_every_word_of_the_table_survives() {
    for of in TYPES {
        for pick in 0..20 {
            let mut sent = all(of.fields, pick);
            sent["type"] = of.name.into();
            assert!(ACTION.is_valid(&sent), "{sent}");
            let normalised = normalise(&sent);
            assert_eq!(normalised.notes, []);
            assert_eq!(serde_json::to_value(normalised.action).unwrap(), sent);
        }
    }
}
