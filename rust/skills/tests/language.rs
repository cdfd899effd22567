//! The recipe language as its authors meet it: what is accepted, and what each fault looks like.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

mod common;

use clawperator_skills::{check, compile, recipe};
use common::{SOUND, said, vars, with};
use serde_json::{Value, json};

const EXAMPLE: &str = include_str!("fixtures/toggle-power.recipe.md");

fn compiled(file: &str, text: &str, given: &[(&str, &str)]) -> Value {
    let read = recipe::read(file, text);
    let recipe = read.recipe.unwrap_or_else(|| panic!("{:#?}", read.problems));
    let made = compile::compile(&recipe, (file, text), &vars(given)).unwrap();
    serde_json::to_value(&made.execution).unwrap()
}

fn refused(text: &str, given: &[(&str, &str)]) -> String {
    let recipe = recipe::read("heating.recipe.md", text).recipe.unwrap();
    let problems =
        compile::compile(&recipe, ("heating.recipe.md", text), &vars(given)).unwrap_err();
    problems.iter().map(|problem| problem.shown()).collect()
}

#[test]
fn the_example_of_the_design_compiles_as_it_is_written() {
    let execution = compiled("toggle-power.recipe.md", EXAMPLE, &[("ac_tile_name", "Study")]);
    assert_eq!(
        execution["actions"],
        json!([
            {"id": "session.close", "type": "close_app",
             "params": {"applicationId": "com.google.android.apps.chromecast.app"}},
            {"id": "session.open", "type": "open_app",
             "params": {"applicationId": "com.google.android.apps.chromecast.app"}},
            {"id": "scroll_devices", "type": "scroll_and_click", "params": {
                "matcher": {"textContains": "Devices"},
                "containerWhere": {"class": "androidx.recyclerview.widget.RecyclerView"},
                "scrollRetry": {"maxAttempts": 4}, "clickRetry": {"maxAttempts": 4}}},
            {"id": "scroll_devices.rest", "type": "sleep", "params": {"durationMs": 500}},
        ])
    );
    assert_eq!(execution["mode"], "artifact_compiled");
    assert_eq!(execution["timeoutMs"], 60000);
}

#[test]
fn a_required_input_without_a_value_is_shown_where_it_is_declared() {
    let recipe = recipe::read("toggle-power.recipe.md", EXAMPLE).recipe.unwrap();
    let problems =
        compile::compile(&recipe, ("toggle-power.recipe.md", EXAMPLE), &vars(&[])).unwrap_err();
    assert_eq!(
        problems[0].shown(),
        "error[RECIPE_INPUT_MISSING]: the required input \"ac_tile_name\" has no value
  --> toggle-power.recipe.md:22:5
   |
22 |   - name: ac_tile_name
   |     ^^^^
   = give it with --var ac_tile_name=…
"
    );
}

#[test]
fn the_json_form_is_the_same_recipe() {
    let json = r#"{
  "recipe_id": "com.example.climate.look", "recipe_version": "1.0.0", "recipe_type": "probe",
  "application_id": "com.example.climate", "summary": "Look.", "frameworks": ["views"],
  "session_policy": "resume_ok", "app_build": {"version_name": "2.4", "version_code": 24},
  "tested_on": {"android_api": 35}, "capabilities": ["observe"], "inputs": [],
  "outputs": [{"name": "title", "type": "string", "from": "read"}],
  "steps": [{"title": "Read", "id": "read", "type": "read_text", "selector": {"text_contains": "Clim"}}]
}"#;
    let checked = check::check("look.recipe.json", json, None);
    assert!(checked.is_sound(), "{:#?}", checked.problems);
    let execution = compiled("look.recipe.json", json, &[]);
    assert_eq!(
        execution["actions"],
        json!([{"id": "read", "type": "read_text", "params": {"matcher": {"textContains": "Clim"}}}])
    );
    let broken =
        recipe::read("look.recipe.json", &json.replace("\"inputs\": [],", "\"inputs\": ]"));
    assert_eq!((broken.problems[0].line, broken.problems[0].column), (5, 76));
}

#[test]
fn a_sound_recipe_has_nothing_said_about_it() {
    assert_eq!(said(SOUND), "");
}

#[test]
fn selectors_beyond_the_short_form_become_where() {
    let text = with(
        "  text_equals: ${inputs.room}\n",
        "  any_of:\n    - {text_equals: '${inputs.room}', clickable: true}\n    - {class: android.widget.Button, index_in_parent: 1}\n",
    );
    let execution = compiled("heating.recipe.md", &text, &[("room", "Bedroom")]);
    assert_eq!(
        execution["actions"][2]["params"],
        json!({"where": {"anyOf": [
            {"textEquals": "Bedroom", "clickable": true},
            {"class": "android.widget.Button", "indexInParent": 1},
        ]}})
    );
}

#[test]
fn a_confirm_block_becomes_a_look_of_its_own() {
    let execution = compiled("heating.recipe.md", SOUND, &[("room", "Bedroom")]);
    assert_eq!(
        execution["actions"][4],
        json!({"id": "warmer.confirm", "type": "wait_for_node", "params": {"matcher": {"textContains": "°C"}}})
    );
    let matching = with(
        "    text_contains: \"°C\"\n```\n\n## Step 3",
        "    text_contains: \"°C\"\n  text_matches: '[0-9]+ °C'\n```\n\n## Step 3",
    );
    let execution = compiled("heating.recipe.md", &matching, &[("room", "Bedroom")]);
    assert_eq!(
        execution["actions"][4]["params"],
        json!({"matcher": {"textContains": "°C"}, "validator": "regex", "validatorPattern": "[0-9]+ °C"})
    );
}

#[test]
fn a_value_with_a_placeholder_in_it_is_only_text() {
    let execution = compiled("heating.recipe.md", SOUND, &[("room", "${inputs.room} {{X}} \"q\"")]);
    let matcher = &execution["actions"][2]["params"]["matcher"];
    assert_eq!(*matcher, json!({"textEquals": "${inputs.room} {{X}} \"q\""}));
}

#[test]
fn the_same_inputs_give_the_same_bytes_and_others_give_others() {
    let ids = |room: &str| compiled("heating.recipe.md", SOUND, &[("room", room)]).to_string();
    assert_eq!(ids("Bedroom"), ids("Bedroom"));
    let (one, other) = (ids("Bedroom"), ids("Kitchen"));
    let id = |text: &str| serde_json::from_str::<Value>(text).unwrap()["commandId"].clone();
    assert_ne!(id(&one), id(&other));
    assert!(id(&one).as_str().unwrap().starts_with("cmd-"));
}

#[test]
fn a_recipe_that_starts_its_app_itself_says_so() {
    let own = with("session_policy: fresh", "session_policy: fresh\nfresh_start_injected: false");
    assert!(said(&own).contains("does not begin with close_app and open_app"), "{}", said(&own));
    let steps = "## Step 0: Start\n\n```yaml\nid: close\ntype: close_app\n```\n\n## Step 0: Open\n\n```yaml\nid: open\ntype: open_app\n```\n\n## Step 1: Open the room";
    let own = own.replacen("## Step 1: Open the room", steps, 1);
    assert_eq!(said(&own), "");
    let execution = compiled("heating.recipe.md", &own, &[("room", "Bedroom")]);
    let ids: Vec<_> = execution["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|a| a["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["close", "open", "open_room", "warmer", "warmer.confirm", "read_temperature"]);
    let resumed = compiled(
        "heating.recipe.md",
        &with("session_policy: fresh", "session_policy: resume_ok"),
        &[("room", "Bedroom")],
    );
    assert_eq!(resumed["actions"][0]["id"], "open_room");
}

#[test]
fn inputs_are_held_to_their_types() {
    let typed = with(
        "inputs:\n",
        "inputs:\n  - {name: degrees, type: integer, min: 5, max: 30}\n  - {name: mode, type: string, choices: [Heat, Cool]}\n  - {name: eco, type: boolean}\n",
    );
    for (name, value, why) in [
        ("degrees", "warm", "the value of \"degrees\" is not a whole number"),
        ("degrees", "4", "the value of \"degrees\" is less than 5"),
        ("degrees", "31", "the value of \"degrees\" is more than 30"),
        ("mode", "Secret", "the value of \"mode\" is none of Heat, Cool"),
        ("eco", "yes", "the value of \"eco\" is neither true nor false"),
    ] {
        let shown = refused(&typed, &[("room", "Bedroom"), (name, value)]);
        assert!(shown.starts_with(&format!("error[RECIPE_INPUT_INVALID]: {why}")), "{shown}");
        assert!(!shown.contains("Secret"), "the value itself is in no message");
    }
    let shown = refused(SOUND, &[("rom", "Bedroom")]);
    assert!(
        shown.contains("error[RECIPE_INPUT_UNKNOWN]: the recipe has no input \"rom\""),
        "{shown}"
    );
    assert!(shown.contains("did you mean \"room\"?"), "{shown}");
}

#[test]
fn an_optional_input_that_a_selector_needs_is_asked_for_there() {
    let text = with("required: true, default: \"\"", "required: false");
    let shown = refused(&text, &[]);
    assert!(
        shown.starts_with("error[RECIPE_INPUT_MISSING]: the input \"room\" has no value, and this selector needs it\n  --> heating.recipe.md:26:16"),
        "{shown}"
    );
}

#[test]
fn a_recipe_too_long_for_a_phone_is_told_where_it_ends() {
    let mut text = SOUND.to_owned();
    for number in 0..50 {
        text += &format!(
            "\n## Step {number}: Rest\n\n```yaml\nid: rest{number}\ntype: sleep\nparams: {{duration_ms: 1}}\n```\n"
        );
    }
    let shown = refused(&text, &[("room", "Bedroom")]);
    assert!(shown.contains("the recipe compiles to 56 actions; a phone takes 50"), "{shown}");
}

#[test]
fn what_the_contract_refuses_is_shown_at_its_step() {
    let text = with(
        "id: read_temperature\ntype: read_text",
        "id: read_temperature\ntype: read_text\nparams: {validator: regex}",
    );
    let shown = refused(&text, &[("room", "Bedroom")]);
    assert!(shown.contains("heating.recipe.md:46:1"), "{shown}");
}

/// One fault each: the rule it breaks, and what a person sees.
#[test]
fn every_fault_says_what_where_and_what_to_do() {
    let cases: &[(&str, &str, &str)] = &[
        // 1: required fields
        (
            "recipe_id: com.example.climate.set-heating\n",
            "",
            "error[RECIPE_INVALID]: the frontmatter lacks the key \"recipe_id\"\n --> heating.recipe.md:2:1\n",
        ),
        (
            "recipe_version: 1.0.0",
            "recipe_version: \"1.0\"",
            "recipe_version \"1.0\" is no semantic version",
        ),
        (
            "recipe_version: 1.0.0",
            "recipe_version: 1.0",
            "recipe_version must be a text, not a number",
        ),
        (
            "version_code: 24",
            "version_code: old",
            "app_build.version_code must be a whole number from 0 up, not a text",
        ),
        (
            "tested_on: {android_api: 35}",
            "tested_on: {}",
            "tested_on lacks the key \"android_api\"",
        ),
        (
            "application_id: com.example.climate",
            "application_id: Climate!",
            "application_id \"Climate!\" is no package of an Android app",
        ),
        ("summary:", "sumary:", "did you mean \"summary\"?"),
        (
            "tested_on: {android_api: 35}",
            "tested_on: {android_api: 35, last_verified_at: yesterday}",
            "last_verified_at \"yesterday\" is no date of ISO 8601",
        ),
        (
            "capabilities: [observe, navigate, click, toggle]",
            "compatibility: {min_version_code: 9, max_version_code: 3}\ncapabilities: [observe, navigate, click, toggle]",
            "min_version_code 9 is above max_version_code 3",
        ),
        (
            "capabilities: [observe, navigate, click, toggle]",
            "timeout_ms: 5\ncapabilities: [observe, navigate, click, toggle]",
            "timeout_ms must be between 1000 and 120000, not 5",
        ),
        // 2: taxonomies
        (
            "recipe_type: action",
            "recipe_type: actoin",
            "\"actoin\" is no recipe_type; there are: probe, flow, action",
        ),
        (
            "frameworks: [views]",
            "frameworks: [swing]",
            "\"swing\" is no frameworks; there are: views, compose,",
        ),
        ("frameworks: [views]", "frameworks: []", "frameworks must name at least one"),
        ("click, toggle]", "click, toggel]", "did you mean \"toggle\"?"),
        // 3: session policy
        ("session_policy: fresh\n", "", "session_policy is missing"),
        (
            "session_policy: fresh",
            "session_policy: stale",
            "\"stale\" is no session_policy; there are: fresh, resume_ok",
        ),
        // 4: a block for every step
        (
            "```yaml\nid: read_temperature\ntype: read_text\nselector:\n  text_contains: \"°C\"\n```\n",
            "Just read it.\n",
            "error[RECIPE_INVALID]: \"Step 3: Read it\" has no YAML block\n  --> heating.recipe.md:43:1\n",
        ),
        ("# Heating\n", "# Heating\n\n```yaml\nid: x\n```\n", "this YAML block belongs to no step"),
        ("id: warmer\n", "id: warmer\nid: warmer2\n", "not YAML:"),
        (
            "id: read_temperature\n",
            "id: warmer\n",
            "the id \"warmer\" is taken by the step at line 33",
        ),
        ("id: warmer\n", "id: warmer now\n", "\"warmer now\" cannot be the id of a step"),
        ("id: warmer\n", "id: warmer\nretry: 3\n", "the step has no key \"retry\""),
        (
            "id: warmer\n",
            "id: warmer\nretries: {count: 12}\n",
            "retries.count may be at most 9, not 12",
        ),
        (
            "id: warmer\n",
            "id: warmer\nparams: {matcher: {text: x}}\n",
            "use the step's own key selector",
        ),
        (
            "id: warmer\n",
            "id: warmer\nparams: {clickTyp: long_click}\n",
            "did you mean \"clickType\"?",
        ),
        (
            "selector:\n  resource_id: com.example.climate:id/warmer\n  annotation: STRUCTURAL\n",
            "",
            "click needs a selector to know its target",
        ),
        // 5: supported actions
        (
            "id: warmer\ntype: click",
            "id: warmer\ntype: enter_text",
            "a recipe cannot use \"enter_text\"",
        ),
        ("id: warmer\ntype: click", "id: warmer\ntype: clik", "there is no action \"clik\""),
        // 6: selector keys
        (
            "  resource_id: com.example.climate:id/warmer",
            "  role: button",
            "the selector has no key \"role\"",
        ),
        (
            "  resource_id: com.example.climate:id/warmer",
            "  text_equals: 21",
            "text_equals must be a text, not a number",
        ),
        (
            "  annotation: STRUCTURAL",
            "  annotation: structural",
            "\"structural\" is no annotation; there are: STRUCTURAL, VARIABLE",
        ),
        (
            "  resource_id: com.example.climate:id/warmer",
            "  any_of: []",
            "any_of must not be empty",
        ),
        ("  resource_id: com.example.climate:id/warmer\n", "", "the selector names nothing"),
        // 7: verification
        (
            "confirm:\n  selector:\n    text_contains: \"°C\"\n```\n\n## Step 3: Read it\n\n```yaml\nid: read_temperature\ntype: read_text\nselector:\n  text_contains: \"°C\"\n```\n",
            "```\n\n## Step 3: Read it\n\n```yaml\nid: read_temperature\ntype: snapshot_ui\n```\n",
            "error[RECIPE_UNVERIFIED]: \"warmer\" changes something, and nothing checks that it did",
        ),
        (
            "id: read_temperature\n",
            "id: read_temperature\nverifies: warmth\n",
            "there is no step \"warmth\" before this one",
        ),
        (
            "recipe_type: action",
            "recipe_type: probe",
            "a probe changes nothing, but \"warmer\" clicks",
        ),
        (
            "id: warmer\n",
            "id: warmer\noptional: true\n",
            "\"warmer\" changes something, so it cannot be optional",
        ),
        // 8: literals
        (
            "  text_equals: ${inputs.room}\n",
            "  text_equals: Zora's room\n",
            "the selector is USER_SPECIFIC, but its text is written out",
        ),
        (
            "  resource_id: com.example.climate:id/warmer",
            "  text_equals: ${inputs.room}",
            "the selector is STRUCTURAL, but its text comes from an input",
        ),
        // 9: declared inputs
        ("${inputs.room}", "${inputs.rom}", "\"rom\" is not declared in inputs"),
        ("${inputs.room}", "${room}", "`${room}` is no placeholder"),
        ("${inputs.room}", "${inputs.room", "`${` without its `}`"),
        (
            "  - {name: room, type: string",
            "  - {name: room, type: text",
            "\"text\" is no type; there are: string, integer, number, boolean",
        ),
        (
            "  - {name: room,",
            "  - {name: 2nd, type: string}\n  - {name: room,",
            "\"2nd\" cannot be a name",
        ),
        // outputs and capabilities
        ("from: read_temperature", "from: read_temp", "which is no step"),
        (
            ", from: read_temperature",
            "",
            "warning[RECIPE_INVALID]: nothing says where the output \"temperature\" comes from",
        ),
        (
            "[observe, navigate, click, toggle]",
            "[observe, navigate, toggle]",
            "error[RECIPE_CAPABILITY_UNDECLARED]: \"open_room\" needs the capability click",
        ),
        ("pattern: '([0-9.]+)'", "pattern: '('", "pattern is no regular expression"),
        (
            "  resource_id: com.example.climate:id/warmer",
            "  class: android.widget.Button\n  index_in_parent: 2",
            "warning[RECIPE_INVALID]: a place among siblings is not the same on every account",
        ),
        ("---\nrecipe_id", "recipe_id", "the frontmatter is missing"),
    ];
    for (old, new, expected) in cases {
        let shown = said(&with(old, new));
        assert!(shown.contains(expected), "for {new:?}:\n{shown}");
    }
}
