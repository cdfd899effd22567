//! From the arguments of a tool to the actions of an execution.

use super::args::{Args, wrong};
use clawperator_contract::action::ActionType;
use clawperator_contract::execution::EXPECTED_FORMAT;
use clawperator_contract::limits::DEFAULT_TIMEOUT_MS;
use clawperator_contract::{Execution, Failure};
use clawperator_host::build::{self, number};
use clawperator_host::ids;
use serde_json::{Map, Value, json};

/// Who sends what agents ask for.
const SOURCE: &str = "clawperator-mcp";
/// Id of the step whose listing is the new screen.
pub(super) const SCREEN: &str = "screen";
/// After an action the next screen slides in; Android's own transitions take up to 450 ms.
const SETTLE_MS: u64 = 500;
/// Longest wait where the agent names none.
const WAIT_MS: u64 = 10_000;

/// The keys of a matcher, by the names tools have for them.
const SELECTORS: [(&str, &str); 5] = [
    ("text", "textEquals"),
    ("textContains", "textContains"),
    ("id", "resourceId"),
    ("desc", "contentDescEquals"),
    ("role", "role"),
];
const A_NODE: &str = "text, textContains, id, desc or role";

type Params = Map<String, Value>;

/// The execution a tool makes of its arguments.
pub(super) fn execution(tool: &str, args: &Args) -> Result<Execution, Failure> {
    let mut longest = 0;
    let mut actions = match tool {
        "snapshot" => vec![],
        "screenshot" => vec![action("screenshot", "take_screenshot", Params::new())],
        "click" => vec![click(args)?],
        "type" => vec![typing(args)?],
        "scroll" => vec![scroll(args)],
        "press" => vec![action("press", "press_key", param("key", args.text("key")))],
        "open" => open(args)?,
        "wait" => {
            longest = args.whole("timeoutMs").unwrap_or(WAIT_MS);
            vec![wait(args, longest)?]
        }
        _ => vec![read(args)?],
    };
    if args.flag("snapshot") || actions.is_empty() {
        // What was waited for is there already.
        if !actions.is_empty() && tool != "wait" {
            let rest = Params::from_iter([("durationMs".to_owned(), SETTLE_MS.into())]);
            actions.push(action("settle", "sleep", rest));
        }
        actions.push(action(SCREEN, "snapshot_ui", param("view", Some("text"))));
    }
    let command = ids::command(tool);
    #[allow(clippy::cast_precision_loss, reason = "at most 30000")]
    let timeout = number(build::timeout_around(longest as f64, None));
    Ok(Execution::from_value(json!({
        "commandId": command, "taskId": command, "source": SOURCE,
        "expectedFormat": EXPECTED_FORMAT, "timeoutMs": timeout, "actions": actions,
        "mode": "direct",
    }))?)
}

/// The execution the agent wrote; what it left out around the actions is filled in.
pub(super) fn written(args: Args) -> Result<Execution, Failure> {
    let mut payload = args.into_all();
    for not_of_it in ["device", "validateOnly"] {
        payload.remove(not_of_it);
    }
    let command = ids::command("execute");
    let usual: [(&str, Value); 5] = [
        ("commandId", command.as_str().into()),
        ("taskId", command.as_str().into()),
        ("source", SOURCE.into()),
        ("expectedFormat", EXPECTED_FORMAT.into()),
        ("timeoutMs", number(DEFAULT_TIMEOUT_MS)),
    ];
    for (key, value) in usual {
        payload.entry(key).or_insert(value);
    }
    let execution = Execution::from_value(Value::Object(payload))?;
    for (index, action) in execution.actions().iter().enumerate() {
        // An agent of another computer must not choose files of this one.
        if action.kind() == ActionType::TakeScreenshot && action.param("path").is_some() {
            let path = format!("actions.{index}.params.path");
            let message = "pictures come with the answer; they are not written to files here";
            return Err(wrong(&path, message).hint("leave path out"));
        }
    }
    Ok(execution)
}

fn click(args: &Args) -> Result<Value, Failure> {
    let (matcher, node) = (matcher(args), args.text("ref"));
    let (x, y) = (args.whole("x"), args.whole("y"));
    let mut params = match (matcher, node, x, y) {
        (Some(matcher), None, None, None) => Params::from_iter([("matcher".into(), matcher)]),
        (None, Some(node), None, None) => param("ref", Some(node)),
        (None, None, Some(x), Some(y)) => {
            Params::from_iter([("coordinate".into(), json!({ "x": x, "y": y }))])
        }
        (None, None, None, None) => {
            return Err(wrong("", format!("click needs ref, {A_NODE}, or x and y")));
        }
        _ => {
            let message = "click takes one of: ref; selectors; x and y together";
            return Err(wrong("", message));
        }
    };
    if args.flag("long") {
        params.insert("clickType".into(), "long_click".into());
    }
    let Some(direction) = args.text("scroll") else {
        return Ok(action("click", "click", params));
    };
    if !params.contains_key("matcher") {
        return Err(wrong("scroll", format!("scroll looks for a node: give {A_NODE}")));
    }
    params.insert("direction".into(), direction.into());
    Ok(action("click", "scroll_and_click", params))
}

fn typing(args: &Args) -> Result<Value, Failure> {
    // In this tool `text` is what is typed.
    let mut target = matcher_of(args, &SELECTORS[1..]).map(|matcher| ("matcher", matcher));
    if let Some(node) = args.text("ref") {
        if target.is_some() {
            return Err(wrong("ref", "type takes ref or selectors, not both"));
        }
        target = Some(("ref", node.into()));
    }
    let kind = if target.is_some() { "enter_text" } else { "type_text" };
    let mut params = param("text", args.text("text"));
    params.extend(target.map(|(key, value)| (key.to_owned(), value)));
    params.insert("submit".into(), args.flag("submit").into());
    params.insert("clear".into(), (!args.flag("append")).into());
    Ok(action("type", kind, params))
}

fn scroll(args: &Args) -> Value {
    let mut params = param("direction", Some(args.text("direction").unwrap_or("down")));
    match matcher(args) {
        None => action("scroll", "scroll", params),
        Some(matcher) => {
            params.insert("matcher".into(), matcher);
            action("scroll", "scroll_until", params)
        }
    }
}

fn open(args: &Args) -> Result<Vec<Value>, Failure> {
    match (args.text("app"), args.text("uri")) {
        (Some(app), None) => {
            let app = param("applicationId", Some(app));
            let close = args.flag("restart").then(|| action("close", "close_app", app.clone()));
            Ok(close.into_iter().chain([action("open", "open_app", app)]).collect())
        }
        (None, Some(_)) if args.flag("restart") => {
            Err(wrong("restart", "restart needs app: a URI does not say which app opens it"))
        }
        (None, Some(uri)) => Ok(vec![action("open", "open_uri", param("uri", Some(uri)))]),
        _ => Err(wrong("", "open takes app or uri, one of them")),
    }
}

fn wait(args: &Args, longest: u64) -> Result<Value, Failure> {
    let (kind, mut params) = match (matcher(args), args.text("app")) {
        (Some(matcher), None) => {
            ("wait_for_node", Params::from_iter([("matcher".to_owned(), matcher)]))
        }
        (None, Some(app)) => ("wait_for_navigation", param("expectedPackage", Some(app))),
        _ => return Err(wrong("", format!("wait takes {A_NODE}; or app"))),
    };
    params.insert("timeoutMs".into(), longest.into());
    Ok(action("wait", kind, params))
}

fn read(args: &Args) -> Result<Value, Failure> {
    let (kind, mut params) = match (args.text("label"), args.text("ref"), matcher(args)) {
        (Some(label), None, None) => {
            let label = ("labelMatcher".to_owned(), json!({ "textEquals": label }));
            ("read_key_value_pair", Params::from_iter([label]))
        }
        (None, Some(node), None) => ("read_text", param("ref", Some(node))),
        (None, None, Some(matcher)) => {
            ("read_text", Params::from_iter([("matcher".to_owned(), matcher)]))
        }
        _ => return Err(wrong("", format!("read takes one of: ref; {A_NODE}; label"))),
    };
    if args.flag("all") {
        params.insert("all".into(), true.into());
    }
    Ok(action("read", kind, params))
}

fn matcher(args: &Args) -> Option<Value> {
    matcher_of(args, &SELECTORS)
}

fn matcher_of(args: &Args, keys: &[(&str, &str)]) -> Option<Value> {
    let given = keys.iter().filter_map(|(name, key)| Some(((*key).to_owned(), args.text(name)?)));
    let matcher: Params = given.map(|(key, text)| (key, text.into())).collect();
    (!matcher.is_empty()).then_some(Value::Object(matcher))
}

fn param(key: &str, value: Option<&str>) -> Params {
    value.map(|value| (key.to_owned(), value.into())).into_iter().collect()
}

fn action(id: &str, kind: &str, params: Params) -> Value {
    let mut action = json!({ "id": id, "type": kind });
    if !params.is_empty() {
        action["params"] = Value::Object(params);
    }
    action
}
