//! Ten thousand recipes nobody wrote: each compiles to the same bytes twice, and however it is
//! broken, what is said about it has a line and nothing falls over.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use clawperator_skills::{check, compile, recipe, schema};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeMap;

const RECIPES: u32 = 10_000;

fn text() -> impl Strategy<Value = String> {
    select(vec![
        "Devices",
        "Wi-Fi",
        "Zoë 🎉",
        "a: b",
        "#1",
        "'quoted'",
        "${inputs.one}",
        "x ${inputs.two} y",
        "$${plain}",
    ])
    .prop_map(str::to_owned)
}

/// YAML in flow style, which is JSON.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn selector(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        text().prop_map(|text| format!("{{text_equals: {}}}", quoted(&text))),
        text().prop_map(|text| format!("{{text_contains: {}, enabled: true}}", quoted(&text))),
        Just("{resource_id: 'com.example:id/x', annotation: STRUCTURAL}".to_owned()),
        (0..5u32).prop_map(|at| format!("{{class: android.widget.Button, index_in_parent: {at}}}")),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let part = || prop::collection::vec(selector(depth - 1), 1..3);
    prop_oneof![
        3 => leaf,
        1 => part().prop_map(|parts| format!("{{any_of: [{}]}}", parts.join(", "))),
        1 => part().prop_map(|parts| format!("{{all_of: [{}], clickable: true}}", parts.join(", "))),
    ]
    .boxed()
}

fn step() -> impl Strategy<Value = String> {
    let confirm = prop::option::of(selector(1)).prop_map(|selector| {
        selector.map_or(String::new(), |selector| format!("confirm: {{selector: {selector}}}\n"))
    });
    let extras = select(vec![
        "",
        "wait: {after_ms: 5}\n",
        "retries: {count: 2}\n",
        "optional: true\n",
        "expect_count: 1\n",
    ]);
    prop_oneof![
        (selector(2), confirm, extras.clone()).prop_map(|(selector, confirm, extra)| format!(
            "type: click\nselector: {selector}\n{confirm}{extra}"
        )),
        (selector(2), extras).prop_map(|(selector, extra)| format!(
            "type: read_text\nselector: {selector}\n{extra}"
        )),
        (selector(1), selector(1)).prop_map(|(target, place)| format!(
            "type: scroll_and_click\nselector: {target}\ncontainer: {place}\n"
        )),
        (0..100u32).prop_map(|ms| format!("type: sleep\nparams: {{duration_ms: {ms}}}\n")),
        Just("type: snapshot_ui\n".to_owned()),
    ]
}

fn document() -> impl Strategy<Value = String> {
    let kind = select(vec!["probe", "flow", "action"]);
    let session = select(vec!["fresh", "resume_ok"]);
    let steps = prop::collection::vec(step(), 1..8);
    (kind, session, steps).prop_map(|(kind, session, steps)| {
        let mut text = format!(
            "---\nrecipe_id: com.example.generated\nrecipe_version: 1.0.0\nrecipe_type: {kind}\napplication_id: com.example\nsummary: Made by a machine.\nframeworks: [views]\nsession_policy: {session}\napp_build: {{version_name: \"1\", version_code: 1}}\ntested_on: {{android_api: 35}}\ncapabilities: [observe, navigate, click, toggle]\ninputs:\n  - {{name: one, type: string, required: true}}\n  - {{name: two, type: string, default: two}}\noutputs: []\n---\n# Generated\n"
        );
        for (number, step) in steps.iter().enumerate() {
            text += &format!("\n## Step {number}: Do\n\n```yaml\nid: s{number}\n{step}```\n");
        }
        text
    })
}

fn inputs() -> BTreeMap<String, String> {
    [("one".to_owned(), "One ${inputs.two} {{X}}".to_owned())].into()
}

/// Breaks a document in one place.
#[derive(Clone, Debug)]
enum Break {
    Cut(Index, usize),
    Put(Index, &'static str),
    SwapLines(Index, Index),
}

fn breaks() -> impl Strategy<Value = Vec<Break>> {
    let junk = select(vec![
        "\t", ":", "---\n", "```", "\u{0}", "${", "}", "[", "- ", "&a *a", "🎉", "\r\n", "!!int ",
        "? ", "|\n", "\"", "# ",
    ]);
    let one = prop_oneof![
        (any::<Index>(), 1..40usize).prop_map(|(at, length)| Break::Cut(at, length)),
        (any::<Index>(), junk).prop_map(|(at, junk)| Break::Put(at, junk)),
        (any::<Index>(), any::<Index>()).prop_map(|(one, other)| Break::SwapLines(one, other)),
    ];
    prop::collection::vec(one, 1..4)
}

fn broken(text: &str, breaks: &[Break]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for one in breaks {
        if letters.is_empty() {
            break;
        }
        match one {
            Break::Cut(at, length) => {
                let start = at.index(letters.len());
                letters.drain(start..letters.len().min(start + length));
            }
            Break::Put(at, junk) => {
                let start = at.index(letters.len());
                letters.splice(start..start, junk.chars());
            }
            Break::SwapLines(one, other) => {
                let text: String = letters.iter().collect();
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                let count = lines.len();
                lines.swap(one.index(count), other.index(count));
                letters = lines.concat().chars().collect();
            }
        }
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: RECIPES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_recipe_gives_the_same_bytes_twice_and_broken_is_told_by_its_line(
        text in document(),
        breaks in breaks(),
    ) {
        let bytes = || {
            let read = recipe::read("made.recipe.md", &text);
            let recipe = read.recipe.ok_or_else(|| TestCaseError::fail(format!("{:#?}", read.problems)))?;
            let made = compile::compile(&recipe, ("made.recipe.md", &text), &inputs());
            made.map(|made| made.execution.to_json()).map_err(|problems| TestCaseError::fail(format!("{problems:#?}")))
        };
        prop_assert_eq!(bytes()?, bytes()?);

        let text = broken(&text, &breaks);
        let lines = u64::try_from(text.lines().count()).unwrap();
        let checked = check::check("made.recipe.md", &text, None);
        for problem in &checked.problems {
            prop_assert!((1..=lines.max(1)).contains(&problem.line), "{:?}", problem);
            prop_assert!(!problem.shown().is_empty());
        }
        match checked.recipe {
            None => prop_assert!(!checked.problems.is_empty()),
            Some(recipe) => {
                let made = compile::compile(&recipe, ("made.recipe.md", &text), &inputs());
                prop_assert!(made.map_or_else(|problems| !problems.is_empty(), |_| true));
            }
        }
    }
}

#[test]
fn the_schemas_take_what_the_reader_takes() {
    let text = include_str!("fixtures/toggle-power.recipe.md");
    let (front, body) = text.strip_prefix("---\n").unwrap().split_once("---\n").unwrap();
    let tree = |text: &str| clawperator_tree::Tree::parse(text).unwrap().to_json();
    let holds = |schema: &serde_json::Value, value: &serde_json::Value| {
        jsonschema::validator_for(schema).unwrap().is_valid(value)
    };
    let mut front = tree(front);
    let step = tree(body.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap());
    assert!(holds(&schema::frontmatter(), &front));
    assert!(holds(&schema::step(), &step));
    front["steps"] = serde_json::json!([step]);
    assert!(holds(&schema::recipe(), &front));
    assert!(recipe::read("a.recipe.json", &front.to_string()).recipe.is_some());
    for (key, value) in [("recipe_type", "macro"), ("session_policy", "stale"), ("surprise", "x")] {
        let mut wrong = front.clone();
        wrong[key] = value.into();
        assert!(!holds(&schema::recipe(), &wrong), "{key}");
        assert!(recipe::read("a.recipe.json", &wrong.to_string()).recipe.is_none(), "{key}");
    }
}
