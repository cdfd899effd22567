//! The file of settings, and its page.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

mod support;

use clawperator_contract::{ErrorCode, Failure};
use clawperator_pocket::Config;
use clawperator_pocket::config::{LEFT_OUT, SECTIONS, Takes};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::{env, fs, path::Path};
use support::Dir;

fn refused(settings: &Value) -> Failure {
    let failure = Config::of_json(settings).expect_err("it was taken");
    assert_eq!(failure.code, ErrorCode::PocketConfigInvalid);
    failure
}

/// The settings of the table with its defaults.
fn defaults() -> Value {
    let mut all = Map::new();
    for section in SECTIONS {
        let keys = section.keys.iter().map(|key| (key.name.to_owned(), key.default.value()));
        all.insert(section.name.into(), Value::Object(keys.collect()));
    }
    Value::Object(all)
}

#[test]
fn every_setting_of_the_table_is_read_and_there_is_no_other() {
    let plain = serde_json::to_value(Config::default()).unwrap();
    assert_eq!(plain, defaults());
    assert_eq!(Config::of_json(&defaults()).unwrap(), Config::default());
    for section in SECTIONS {
        for key in section.keys {
            let other = match key.takes {
                Takes::Flag => json!(!key.default.value().as_bool().unwrap()),
                Takes::Whole(_, max) => json!(max),
                Takes::Ratio => json!(0.75),
                Takes::TextOrNull => json!("emulator-5554"),
                Takes::Host => json!("0.0.0.0"),
                Takes::Url => json!("https://example.com/x"),
                Takes::Variable => json!("MY_KEY"),
                Takes::Programs => json!(["one", "two"]),
            };
            let config = Config::of_json(&json!({section.name: {key.name: other}})).unwrap();
            let mut expected = defaults();
            expected[section.name][key.name] = other;
            assert_eq!(serde_json::to_value(config).unwrap(), expected);
        }
    }
}

#[test]
fn the_defaults_are_those_of_the_original() {
    let config = Config::default();
    assert_eq!((config.agent.max_steps, config.screenshots.max_count), (100, 400));
    let script = &config.script_executor;
    assert_eq!((script.enabled, script.timeout_sec, script.max_output_chars), (true, 60, 6000));
    assert_eq!(script.allowed_commands.len(), 16);
    let coding = &config.coding_tools;
    assert_eq!((coding.workspace_only, coding.timeout_sec), (true, 1800));
    assert_eq!((coding.max_output_chars, coding.allowed_commands.len()), (12_000, 24));
    let human = &config.human_auth;
    assert_eq!((human.enabled, human.use_local_relay, human.local_relay_port), (false, true, 8787));
    assert_eq!(human.api_key_env, "OPENPOCKET_HUMAN_AUTH_KEY");
}

#[test]
fn keys_may_be_spelled_with_underscores_but_not_twice() {
    let config = Config::of_json(&json!({
        "coding_tools": {"workspace_only": false, "allowed_commands": [" ls ", "git", "ls"]},
        "agent": {"max_steps": 5},
    }));
    let config = config.unwrap();
    assert!(!config.coding_tools.workspace_only);
    assert_eq!(config.coding_tools.allowed_commands, ["ls", "git"]);
    assert_eq!(config.agent.max_steps, 5);
    let failure = refused(&json!({"agent": {"max_steps": 5, "maxSteps": 6}}));
    assert!(failure.message.contains("given twice"), "{failure}");
}

#[test]
fn an_unknown_key_is_told_with_the_one_that_was_meant() {
    let failure = refused(&json!({"agent": {"maxStep": 5}}));
    assert_eq!(failure.details["path"], "agent.maxStep");
    assert_eq!(failure.hint.as_deref(), Some("Did you mean `maxSteps`?"));
    let failure = refused(&json!({"codingTool": {}}));
    assert_eq!(failure.details["problems"][0]["suggestion"], "codingTools");
    let failure = refused(&json!({"zebra": {}}));
    assert!(failure.message.contains("there are agent, screenshots, "), "{failure}");
}

#[test]
fn what_a_setting_does_not_take_is_told_with_what_it_takes() {
    for (settings, path, takes) in [
        (json!([]), "", "an object"),
        (json!({"agent": 5}), "agent", "an object"),
        (json!({"agent": {"maxSteps": 0}}), "agent.maxSteps", "from 1 to 100000, not 0"),
        (json!({"agent": {"maxSteps": "5"}}), "agent.maxSteps", "a whole number"),
        (json!({"agent": {"maxSteps": 1.5}}), "agent.maxSteps", "a whole number"),
        (json!({"agent": {"maxSteps": null}}), "agent.maxSteps", "a whole number"),
        (json!({"agent": {"deviceId": " "}}), "agent.deviceId", "a text, or null"),
        (json!({"screenshots": {"maxCount": 19}}), "screenshots.maxCount", "from 20 to"),
        (json!({"memoryTools": {"minScore": 1.1}}), "memoryTools.minScore", "from 0 to 1"),
        (json!({"memoryTools": {"enabled": "true"}}), "memoryTools.enabled", "true or false"),
        (
            json!({"scriptExecutor": {"maxOutputChars": 999}}),
            "scriptExecutor.maxOutputChars",
            "from 1000",
        ),
        (
            json!({"codingTools": {"allowedCommands": []}}),
            "codingTools.allowedCommands",
            "at least one",
        ),
        (
            json!({"codingTools": {"allowedCommands": ["a b"]}}),
            "codingTools.allowedCommands",
            "at least one",
        ),
        (json!({"codingTools": {"allowedCommands": "*"}}), "codingTools.allowedCommands", "a list"),
        (json!({"humanAuth": {"relayBaseUrl": "ftp://x"}}), "humanAuth.relayBaseUrl", "http://"),
        (
            json!({"humanAuth": {"publicBaseUrl": "https://a@b"}}),
            "humanAuth.publicBaseUrl",
            "http://",
        ),
        (json!({"humanAuth": {"localRelayPort": 65_536}}), "humanAuth.localRelayPort", "to 65535"),
        (json!({"humanAuth": {"localRelayHost": ""}}), "humanAuth.localRelayHost", "a host"),
        (json!({"humanAuth": {"apiKeyEnv": "a-b"}}), "humanAuth.apiKeyEnv", "a variable"),
    ] {
        let failure = refused(&settings);
        assert_eq!(failure.details["path"], path, "{settings}");
        assert!(failure.message.contains(takes), "{settings}: {failure}");
    }
}

#[test]
fn all_problems_are_told_at_once_and_no_text_is_repeated() {
    let failure = refused(&json!({
        "agent": {"maxSteps": -1, "deviceid": "x"},
        "humanAuth": {"apiKeyEnv": "sk-very-secret", "tunnel": {}},
    }));
    let problems = failure.details["problems"].as_array().unwrap();
    let paths: Vec<&str> = problems.iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(paths.len(), 4, "{paths:?}");
    for path in ["agent.maxSteps", "agent.deviceid", "humanAuth.apiKeyEnv", "humanAuth.tunnel"] {
        assert!(paths.contains(&path), "{path} is not among {paths:?}");
    }
    assert!(failure.message.ends_with("(and 3 more, see details.problems)"), "{failure}");
    assert!(!serde_json::to_string(&failure).unwrap().contains("very-secret"));
}

#[test]
fn a_setting_of_the_original_that_would_do_nothing_says_why() {
    for (path, why) in LEFT_OUT {
        let settings = match path.split_once('.') {
            Some((section, key)) => json!({section: {key: 1}}),
            None => json!({*path: 1}),
        };
        let failure = refused(&settings);
        assert_eq!(failure.details["path"], *path);
        assert!(failure.message.contains(why), "{failure}");
    }
    let failure = refused(&json!({"agent": {"loop_delay_ms": 1200}}));
    assert_eq!(failure.details["path"], "agent.loop_delay_ms");
    assert!(failure.message.contains("has no effect here"), "{failure}");
}

#[test]
fn a_file_that_cannot_be_read_is_told_with_its_name_and_place() {
    let dir = Dir::new();
    let read = |text: Option<&str>| {
        if let Some(text) = text {
            dir.put("settings.json", text);
        }
        Config::of_file(&dir.path("settings.json"))
    };
    let failure = read(None).unwrap_err();
    assert_eq!(failure.code, ErrorCode::PocketConfigInvalid);
    assert!(failure.details["file"].as_str().unwrap().ends_with("settings.json"));
    let failure = read(Some("{\n  \"agent\": nope\n}")).unwrap_err();
    assert_eq!(
        (failure.code, &failure.details["line"]),
        (ErrorCode::PocketConfigInvalid, &json!(2))
    );
    assert!(failure.message.starts_with("the file of settings is not valid JSON"), "{failure}");
    assert_eq!(read(Some("{}")).unwrap(), Config::default());
}

fn table() -> String {
    let mut page = String::new();
    for section in SECTIONS {
        writeln!(page, "### `{}`\n", section.name).unwrap();
        page.push_str("| key | what it does | takes | default |\n| --- | --- | --- | --- |\n");
        for key in section.keys {
            let default = match key.default.value() {
                Value::Array(names) => {
                    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                    names.join(", ")
                }
                plain => format!("`{plain}`"),
            };
            let (name, about, takes) = (key.name, key.about, key.takes.words());
            writeln!(page, "| `{name}` | {about} | {takes} | {default} |").unwrap();
        }
        page.push('\n');
    }
    page
}

fn left_out() -> String {
    let rows = LEFT_OUT.iter().map(|(path, why)| format!("| `{path}` | {why} |\n"));
    format!("| key | why |\n| --- | --- |\n{}", rows.collect::<String>())
}

#[test]
fn the_page_has_the_settings_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pocket-settings.md");
    let page = fs::read_to_string(&path).unwrap();
    let mut anew = page.clone();
    for (name, text) in [("settings", table()), ("settings left out", left_out())] {
        let (begin, end) =
            (format!("<!-- pocket {name} -->\n"), format!("<!-- pocket {name} end -->"));
        let (before, rest) = anew.split_once(&begin).expect("a place for the table");
        let (_, after) = rest.split_once(&end).expect("an end of the table");
        anew = format!("{before}{begin}{text}{end}{after}");
    }
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, anew).unwrap();
    } else {
        assert!(
            page == anew,
            "docs/pocket-settings.md is stale: \
             UPDATE_DOCS=1 cargo test -p clawperator-pocket --test settings"
        );
    }
}

#[test]
fn the_example_of_the_page_is_taken() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pocket-settings.md");
    let page = fs::read_to_string(path).unwrap();
    let example = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let config = Config::of_json(&serde_json::from_str(example).unwrap()).unwrap();
    assert_ne!(config, Config::default());
}
