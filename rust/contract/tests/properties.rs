//! What holds for every execution, not only for the ones somebody thought of.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod generate;

use clawperator_contract::{Execution, Runnable, normalise, schema};
use generate::{Reader, any_json, disguise, execution, spoil};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::LazyLock;

static SCHEMA: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::validator_for(&schema::execution()).unwrap());

fn config() -> ProptestConfig {
    // A failing case is printed whole; files of seeds would be out of date with the next field.
    ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() }
}

fn validated(payload: &Value) -> Result<Execution, TestCaseError> {
    Execution::from_value(payload.clone())
        .map_err(|invalid| TestCaseError::fail(format!("{invalid}\n{payload}")))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_made_from_the_table_validates(payload in execution(Reader::Host)) {
        validated(&payload)?;
    }

    #[test]
    fn normalising_twice_is_normalising_once(payload in execution(Reader::Host), seed: u64) {
        let once = normalise::execution(disguise(payload, seed));
        let twice = normalise::execution(once.clone());
        prop_assert_eq!(once.to_string(), twice.to_string());
    }

    #[test]
    fn normalising_twice_is_normalising_once_whatever_the_json(
        value in any_json(), params in any_json(), kind in any_json()
    ) {
        let payloads = [
            value.clone(),
            json!({ "actions": [{"type": kind, "params": params}], "timeout_ms": value }),
        ];
        for payload in payloads {
            let once = normalise::execution(payload);
            let twice = normalise::execution(once.clone());
            // As text: the order of keys counts too.
            prop_assert_eq!(once.to_string(), twice.to_string());
        }
    }

    #[test]
    fn an_execution_told_with_aliases_is_the_same_execution(
        payload in execution(Reader::Host), seed: u64
    ) {
        let told = disguise(payload.clone(), seed);
        prop_assert_eq!(validated(&told)?, validated(&payload)?);
        prop_assert_eq!(Runnable::from_value(told), Runnable::from_value(payload));
    }

    #[test]
    fn what_validates_is_written_and_validates_again_to_the_same(
        payload in execution(Reader::Host), seed: u64
    ) {
        let first = validated(&disguise(payload, seed))?;
        let text = first.to_json();
        let second = Execution::from_text(text.as_bytes()).unwrap();
        prop_assert_eq!(&second, &first);
        prop_assert_eq!(second.to_json(), text);
    }

    #[test]
    fn what_the_host_validates_the_phone_reads(payload in execution(Reader::Phone)) {
        let sent = validated(&payload)?;
        let read = Runnable::from_text(sent.to_json().as_bytes())
            .map_err(|unrunnable| TestCaseError::fail(format!("{unrunnable:?}\n{payload}")))?;
        prop_assert_eq!(read.command_id, sent.command_id());
        prop_assert_eq!(read.task_id, sent.task_id());
        prop_assert_eq!(read.source, sent.source());
        prop_assert_eq!(read.timeout, sent.timeout());
        let asked: Vec<_> = sent.actions().iter().map(|action| (action.id(), action.kind())).collect();
        let done: Vec<_> = read.actions.iter().map(|step| (step.id.as_str(), step.act.kind())).collect();
        prop_assert_eq!(asked, done);
    }

    #[test]
    fn the_schema_accepts_what_the_host_accepts(payload in execution(Reader::Host)) {
        let sent = validated(&payload)?.to_json();
        let sent: Value = serde_json::from_str(&sent).unwrap();
        if let Err(error) = SCHEMA.validate(&sent) {
            return Err(TestCaseError::fail(format!("{error}\n{sent}")));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..config() })]

    /// The schema speaks of canonical payloads, so it is asked about the normalised one. What a
    /// schema cannot say is not made here: whether a pattern compiles, how large the whole payload
    /// is, how deep a selector nests, whether the times of a stroke go forward (no odd value is
    /// both a time and smaller than the one before it without being refused by both, save zero,
    /// which is left out below), and numbers too large to be a pixel.
    #[test]
    fn the_schema_and_the_host_agree_on_payloads_with_one_change(
        payload in execution(Reader::Host), seed: u64
    ) {
        let spoiled = spoil(payload, seed);
        prop_assume!(!goes_back_in_time(&spoiled));
        let verdict = Execution::from_value(spoiled.clone());
        let schema = SCHEMA.is_valid(&normalise::execution(spoiled.clone()));
        prop_assert_eq!(schema, verdict.is_ok(), "{:?}\n{}", verdict.err(), spoiled);
    }
}

fn goes_back_in_time(payload: &Value) -> bool {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let strokes = list(&payload["actions"]);
    strokes.iter().flat_map(|action| list(&action["params"]["strokes"])).any(|stroke| {
        let times: Vec<_> = list(&stroke).iter().map(|point| point["t"].as_f64()).collect();
        !times.is_sorted()
    })
}
