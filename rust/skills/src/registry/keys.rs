//! The keys of `skill.json` and of the registry, once: what is checked and the JSON Schema that
//! stands beside the registry are both made of these tables.

use super::shape::{Field, Form, Others, Shape};
use serde_json::Value;
use std::sync::LazyLock;

/// The version of the registry's form.
pub const SCHEMA_VERSION: &str = "1.0";

/// The schema's name beside the registry.
pub const SCHEMA_FILE: &str = "skills-registry.schema.json";

/// A name of a file or folder. It does not begin with a dot, so that it cannot be `..` and nothing
/// is hidden.
macro_rules! name {
    () => {
        "[A-Za-z0-9_-][A-Za-z0-9._-]*"
    };
}

/// A skill's folder: right below `skills/`, or one level deeper for a group such as `skills/utils/`.
macro_rules! folder {
    () => {
        concat!("skills/", name!(), "(?:/", name!(), ")?")
    };
}

/// One skill, as `skill.json` has it.
pub(crate) static SKILL: LazyLock<Shape> = LazyLock::new(|| Shape::Object {
    others: Others::Warned,
    fields: vec![
        required(
            "id",
            "the name of the skill, `<application id>.<intent>`",
            text(
                concat!("^", name!(), "$"),
                "letters, digits, dots, _ and -, without a dot in front",
            ),
        ),
        required(
            "applicationId",
            "the Android package it is for",
            text(r"^[A-Za-z0-9_][A-Za-z0-9._]*$", "a package: letters, digits, dots and _"),
        ),
        required(
            "intent",
            "what it does, such as `get-battery`",
            text("^[a-z0-9-]+$", "lower-case letters, digits and -"),
        ),
        required("summary", "what it does, in a sentence", Shape::Words),
        optional(
            "keywords",
            "words people search it by",
            Shape::List { of: Box::new(Shape::Words), min: 1, unique: true },
        ),
        required(
            "path",
            "its folder, from the root of the repository",
            text(concat!("^", folder!(), "$"), "a folder such as skills/com.example.app.get-state"),
        ),
        required(
            "skillFile",
            "its SKILL.md",
            text(concat!("^", folder!(), "/SKILL\\.md$"), "<path>/SKILL.md"),
        ),
        required(
            "scripts",
            "its scripts; the first that can be run is run",
            Shape::List {
                of: Box::new(text(
                    concat!("^", folder!(), "/scripts/", name!(), "\\.(?:ts|js|sh|py)$"),
                    "a .ts, .js, .sh or .py file in <path>/scripts",
                )),
                min: 1,
                unique: true,
            },
        ),
        required(
            "artifacts",
            "its recipes and other files",
            Shape::List {
                of: Box::new(text(
                    concat!("^", folder!(), "/artifacts/", name!(), "\\.(?:json|md)$"),
                    "a .recipe.json, .recipe.md, .json or .md file in <path>/artifacts",
                )),
                min: 0,
                unique: true,
            },
        ),
        optional("contract", "what it takes and proves", contract()),
        optional("agent", "the agent program that runs it", agent()),
    ],
});

/// The registry.
pub(crate) static REGISTRY: LazyLock<Shape> = LazyLock::new(|| Shape::Object {
    others: Others::Refused,
    fields: registry_fields(Shape::List { of: Box::new(SKILL.clone()), min: 1, unique: false }),
});

/// The registry without its skills, which are checked one by one.
pub(crate) static REGISTRY_FRAME: LazyLock<Shape> = LazyLock::new(|| Shape::Object {
    others: Others::Refused,
    fields: registry_fields(Shape::List {
        of: Box::new(Shape::Object { fields: Vec::new(), others: Others::Free }),
        min: 1,
        unique: false,
    }),
});

fn registry_fields(skills: Shape) -> Vec<Field> {
    vec![
        optional("$schema", "where the schema is", Shape::Words),
        required("schemaVersion", "the version of this form", Shape::Const(SCHEMA_VERSION)),
        required("generatedAt", "when it was generated", Shape::Moment),
        required("skills", "every skill, by id", skills),
    ]
}

fn contract() -> Shape {
    let kind = || required("kind", "its kind", Shape::Words);
    let input = text(
        r"^(?:string|integer|integer\[-?[0-9]+,-?[0-9]+\])$",
        "string, integer or integer[min,max]",
    );
    Shape::Object {
        others: Others::Refused,
        fields: vec![
            required("inputs", "what it takes, by name", Shape::MapOf(Box::new(input))),
            required(
                "goal",
                "what it is to reach, or null",
                Shape::Nullable(Box::new(Shape::Object {
                    others: Others::Free,
                    fields: vec![kind()],
                })),
            ),
            required(
                "verification",
                "how it proves that it did, or null",
                Shape::Nullable(Box::new(Shape::Object {
                    others: Others::Refused,
                    fields: vec![
                        required("kind", "its kind", Shape::Const("node_text_matches")),
                        required("matcher", "the text, with {input} for values", Shape::Words),
                    ],
                })),
            ),
        ],
    }
}

fn agent() -> Shape {
    Shape::Object {
        others: Others::Refused,
        fields: vec![
            required("cli", "the program", Shape::Words),
            optional("cliPath", "where it is, or null", Shape::Nullable(Box::new(Shape::Words))),
            optional("timeoutMs", "its time, in milliseconds", Shape::Integer(1)),
        ],
    }
}

fn text(form: &'static str, said: &'static str) -> Shape {
    Shape::Pattern(Form::new(form), said)
}

fn required(key: &'static str, about: &'static str, shape: Shape) -> Field {
    Field { key, required: true, about, shape }
}

fn optional(key: &'static str, about: &'static str, shape: Shape) -> Field {
    Field { key, required: false, about, shape }
}

/// The registry's JSON Schema, draft 2020-12.
#[must_use]
pub fn schema() -> Value {
    let mut schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Skill registry"
    });
    if let (Some(whole), Value::Object(fields)) = (schema.as_object_mut(), REGISTRY.schema()) {
        whole.extend(fields);
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn skill() -> Value {
        json!({
            "id": "com.example.app.get-state", "applicationId": "com.example.app",
            "intent": "get-state", "summary": "Reads the state.", "keywords": ["state"],
            "path": "skills/com.example.app.get-state",
            "skillFile": "skills/com.example.app.get-state/SKILL.md",
            "scripts": ["skills/com.example.app.get-state/scripts/run.ts"],
            "artifacts": ["skills/com.example.app.get-state/artifacts/state.recipe.json"],
            "contract": {"inputs": {"percent": "integer[0,100]"}, "goal": {"kind": "set", "x": 1},
                         "verification": {"kind": "node_text_matches", "matcher": "{percent}%"}},
            "agent": {"cli": "codex", "cliPath": null, "timeoutMs": 300_000}
        })
    }

    fn with(pointer: &str, value: Value) -> Value {
        let mut skill = skill();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = skill.pointer_mut(parent).unwrap();
        match parent {
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
            parent => parent[key] = value,
        }
        skill
    }

    /// Our own verdict, and that of a stranger who reads only the schema.
    fn verdicts(skill: &Value) -> (bool, bool) {
        let registry = json!({"schemaVersion": "1.0", "generatedAt": "2026-01-01T00:00:00Z",
                              "skills": [skill]});
        let ours = REGISTRY.check(&registry).iter().all(|violation| violation.only_warns);
        static THEIRS: LazyLock<jsonschema::Validator> =
            LazyLock::new(|| jsonschema::validator_for(&schema()).unwrap());
        (ours, THEIRS.is_valid(&registry))
    }

    #[test]
    fn the_schema_and_our_own_check_have_one_verdict() {
        let utility = json!({
            "id": "utils.show", "applicationId": "utils", "intent": "show", "summary": "Shows.",
            "path": "skills/utils/show", "skillFile": "skills/utils/show/SKILL.md",
            "scripts": ["skills/utils/show/scripts/show.sh"], "artifacts": []
        });
        let good = [
            skill(),
            utility,
            with("/unknown", json!({"kept": true})),
            with("/artifacts", json!([])),
            with("/agent/cliPath", json!("../agent")),
            with("/contract/goal", Value::Null),
            with("/scripts/0", json!("skills/a.b/scripts/run.py")),
            with("/artifacts/0", json!("skills/a.b/artifacts/x.recipe.md")),
        ];
        for skill in good {
            assert_eq!(verdicts(&skill), (true, true), "{skill}");
        }
        let mut without_summary = skill();
        without_summary.as_object_mut().unwrap().remove("summary");
        let bad = [
            without_summary,
            with("/id", json!("../evil.x")),
            with("/id", json!("..")),
            with("/applicationId", json!("com.example-app")),
            with("/intent", json!("Get")),
            with("/summary", json!("  ")),
            with("/keywords", json!([])),
            with("/keywords", json!(["a", "a"])),
            with("/path", json!("/etc")),
            with("/path", json!("skills/..")),
            with("/path", json!("skills/a/b/c")),
            with("/skillFile", json!("skills/a.b/README.md")),
            with("/scripts", json!([])),
            with("/scripts", json!("run.sh")),
            with("/scripts/0", json!("skills/a.b/scripts/../../../evil.sh")),
            with("/scripts/0", json!("skills/a.b/scripts/run.exe")),
            with("/artifacts/0", json!("skills/a.b/artifacts/x.txt")),
            with("/agent", json!({"cliPath": "x"})),
            with("/agent/timeoutMs", json!(0)),
            with("/agent/model", json!("x")),
            with("/contract/inputs/percent", json!("float")),
            with("/contract/inputs", json!({"a b": "string"})),
            with("/contract/verification/kind", json!("other")),
        ];
        for skill in bad {
            assert_eq!(verdicts(&skill), (false, false), "{skill}");
        }
    }

    /// Values that are nearly right, and values that are not at all.
    fn values() -> impl Strategy<Value = Value> {
        let texts =
            "[a-zA-Z0-9._/ -]{0,12}|skills/[a.]{1,4}/(scripts|artifacts)/[a.]{1,3}\\.(ts|md|json)";
        prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            any::<f32>().prop_map(Value::from),
            texts.prop_map(Value::from),
            proptest::collection::vec(texts, 0..3).prop_map(Value::from),
            Just(json!({})),
        ]
    }

    proptest! {
        #[test]
        fn the_schema_and_our_own_check_agree_on_anything(
            pointer in proptest::sample::select(vec![
                "/id", "/applicationId", "/intent", "/summary", "/keywords", "/keywords/0",
                "/path", "/skillFile", "/scripts", "/scripts/0", "/artifacts", "/artifacts/0",
                "/contract", "/contract/inputs", "/contract/inputs/percent", "/contract/goal",
                "/contract/verification", "/contract/verification/matcher", "/agent",
                "/agent/cli", "/agent/cliPath", "/agent/timeoutMs", "/agent/other", "/other",
            ]),
            value in values(),
        ) {
            let skill = with(pointer, value);
            let (ours, theirs) = verdicts(&skill);
            prop_assert_eq!(ours, theirs, "{}", skill);
        }
    }

    #[test]
    fn a_slip_in_a_key_is_told_with_what_was_meant() {
        let mut slip = skill();
        let map = slip.as_object_mut().unwrap();
        map.remove("keywords");
        map.insert("keyword".into(), json!(["a"]));
        let found = SKILL.check(&slip);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].only_warns);
        assert_eq!(found[0].hint.as_deref(), Some("did you mean \"keywords\"?"));
    }

    #[test]
    fn every_pattern_of_the_tables_can_be_read() {
        fn walk(shape: &Shape) {
            match shape {
                Shape::Pattern(form, _) => assert!(form.regex.is_some(), "{}", form.text),
                Shape::List { of, .. } | Shape::MapOf(of) | Shape::Nullable(of) => walk(of),
                Shape::Object { fields, .. } => fields.iter().for_each(|field| walk(&field.shape)),
                _ => {}
            }
        }
        walk(&REGISTRY);
    }
}
