//! What two phones answered to the same checks, held against each other step by step.
//!
//! Only what must differ between two phones is left out: how long things took, how often was
//! looked, generations, places on the screen, how far a finger moved a list, and the windows
//! around the app.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Data of a step that depends on the moment, or on what is around the app.
const LEFT_OUT: [&str; 10] = [
    "attempts",
    "bytes",
    "generation",
    "has_overlay",
    "overlay_package",
    "path",
    "ref",
    "scrolls_executed",
    "swipes_executed",
    "waited_ms",
];
/// Bars and a keyboard are windows too.
const WINDOWS: &str = "window_count";

/// What differs between two answers of `conformance --steps`.
#[must_use]
pub fn differences(one: &Value, other: &Value) -> Vec<String> {
    let (one, other) = (checks(one), checks(other));
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let mut all = Vec::new();
    for name in names {
        match (one.get(name), other.get(name)) {
            (Some(one), Some(other)) => steps(name, one, other, &mut all),
            _ => all.push(format!("{name}: only one of them was asked")),
        }
    }
    all
}

fn checks(report: &Value) -> BTreeMap<String, Vec<&Value>> {
    let checks = report["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let named = checks.iter().map(|check| {
        let steps = check["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
        (text(&check["name"]), steps.iter().collect())
    });
    named.collect()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn steps(check: &str, one: &[&Value], other: &[&Value], all: &mut Vec<String>) {
    if one.is_empty() || one.len() != other.len() {
        all.push(format!("{check}: {} steps ran and {}", one.len(), other.len()));
    }
    for (one, other) in one.iter().zip(other) {
        let (one, other) = (told(one), told(other));
        let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
        for key in keys {
            let (one, other) = (one.get(key), other.get(key));
            if one != other {
                let words = |seen: Option<&Vec<String>>| {
                    seen.map_or_else(|| "      nothing".to_owned(), |lines| shown(lines))
                };
                let (one, other) = only_different(one, other);
                let (one, other) = (words(one.as_ref()), words(other.as_ref()));
                all.push(format!("{check}, {key}:\n{one}\n    and\n{other}"));
            }
        }
    }
}

fn shown(lines: &[String]) -> String {
    lines.iter().map(|line| format!("      {line}")).collect::<Vec<_>>().join("\n")
}

/// Of two long texts, the lines that are not in the other.
fn only_different(
    one: Option<&Vec<String>>,
    other: Option<&Vec<String>>,
) -> (Option<Vec<String>>, Option<Vec<String>>) {
    let without = |lines: Option<&Vec<String>>, other: Option<&Vec<String>>| {
        let lines = lines?.iter().filter(|line| !other.is_some_and(|own| own.contains(line)));
        Some(lines.cloned().collect())
    };
    (without(one, other), without(other, one))
}

/// A step as lines by what they are about.
fn told(step: &Value) -> BTreeMap<String, Vec<String>> {
    let about =
        |what: &str| format!("{} ({}) {what}", text(&step["id"]), text(&step["actionType"]));
    let mut all = BTreeMap::from([(about("success"), vec![step["success"].to_string()])]);
    let data = step["data"].as_object().into_iter().flatten();
    for (key, value) in data.filter(|(key, _)| !LEFT_OUT.contains(&key.as_str()) && *key != WINDOWS)
    {
        let value = text(value);
        let lines = if value.starts_with("<?xml") {
            nodes(&value)
        } else if value.starts_with("screen g") {
            // The first line names the generation and the size. Whether the app's bar comes first
            // or last depends on whether the screen reaches below it, which newer Androids decide.
            let mut lines: Vec<String> = value.lines().skip(1).map(placeless).collect();
            lines.sort();
            lines
        } else if key == "message" {
            vec![message(&value)]
        } else {
            vec![value]
        };
        all.insert(about(key), lines);
    }
    all
}

/// The app's bar, and what scrolls a screen that is too small: each phone has its own.
const AROUND: [&str; 2] = [":id/toolbar", ":id/scroll_view"];
/// The app the checks are about; a keyboard has nodes too.
const PACKAGE: &str = "com.clawperator.conformance";

/// The nodes that the app gave a name, without their places.
fn nodes(xml: &str) -> Vec<String> {
    let Ok(document) = roxmltree::Document::parse(xml) else {
        return vec![format!("not XML: {xml}")];
    };
    let named = document.descendants().filter(|node| {
        let id = node.attribute("resource-id").unwrap_or_default();
        id.starts_with(PACKAGE) && !AROUND.iter().any(|around| id.ends_with(around))
    });
    let line = |node: roxmltree::Node<'_, '_>| {
        let kept = node.attributes().filter(|a| !["bounds", "index"].contains(&a.name()));
        kept.map(|a| format!("{}={:?}", a.name(), a.value())).collect::<Vec<_>>().join(" ")
    };
    named.map(line).collect()
}

/// A line of a listing without its place (`540,261`) and its reference (`n9`).
fn placeless(line: &str) -> String {
    let is_place = |word: &str| {
        let mut numbers = word.split(',');
        numbers.all(|number| number.parse::<i32>().is_ok()) && word.contains(',')
    };
    let words = line.split(' ').filter(|word| !is_place(word) && !is_reference(word));
    words.collect::<Vec<_>>().join(" ").trim_end().to_owned()
}

fn is_reference(word: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let word = word.trim_matches(['(', ')', ',']);
    word.strip_prefix('n').is_some_and(|rest| rest.split('@').all(number))
}

/// How many nodes are near, and which, depends on how many fit on the screen: the first is kept.
fn message(text: &str) -> String {
    let (start, near) = text.split_once("; ").unwrap_or((text, ""));
    let first = near.split_once(" near: ").map_or(near, |(_, near)| near);
    let first = first.split(", ").next().unwrap_or_default();
    let words = |text: &str| {
        let words = text.split(' ').map(|word| if is_reference(word) { "n" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    format!("{}; {}", words(start), words(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn report(data: &Value) -> Value {
        json!({ "checks": [{ "name": "c", "steps": [
            { "id": "s1", "actionType": "read_text", "success": true, "data": data }
        ] }] })
    }

    fn differ(one: &Value, other: &Value) -> Vec<String> {
        differences(&report(one), &report(other))
    }

    #[test]
    fn what_depends_on_the_moment_is_left_out() {
        let one = json!({ "text": "Count: 1", "waited_ms": "3", "ref": "n8@4" });
        let other = json!({ "text": "Count: 1", "waited_ms": "40", "ref": "n9@31" });
        assert!(differ(&one, &other).is_empty());
        let (one, other) = (json!({ "text": "Count: 1" }), json!({ "text": "Count: 2" }));
        let told = differ(&one, &other);
        assert_eq!(told, ["c, s1 (read_text) text:\n      Count: 1\n    and\n      Count: 2"]);
    }

    #[test]
    fn a_step_that_only_one_ran_differs() {
        let none = json!({ "checks": [{ "name": "c", "steps": [] }] });
        let told = differences(&report(&json!({})), &none);
        assert_eq!(told, ["c: 1 steps ran and 0"]);
        let other = json!({ "checks": [{ "name": "d", "steps": [] }] });
        assert_eq!(differences(&none, &other).len(), 2);
    }

    #[test]
    fn a_listing_is_compared_without_places_and_references() {
        let one = "screen g1 a 1x1\nbutton \"1,2 n3x\" #b [disabled] 5,6 n8\n";
        let other = "screen g7 a 2x2\nbutton \"1,2 n3x\" #b [disabled] 50,60 n9\n";
        let told = |listing: &str| json!({ "text": listing });
        assert!(differ(&told(one), &told(other)).is_empty());
        let off = other.replace(" [disabled]", "");
        assert_eq!(differ(&told(one), &told(&off)).len(), 1);
    }

    #[test]
    fn of_a_tree_the_named_nodes_are_compared() {
        let tree = |id: &str, bounds: &str, enabled: bool| {
            let node = format!("<node resource-id=\"{PACKAGE}:id/{id}\" enabled=\"{enabled}\"");
            let unnamed = format!("<node resource-id=\"other\" text=\"{bounds}\" />");
            let toolbar =
                format!("<node resource-id=\"{PACKAGE}:id/toolbar\" text=\"{bounds}\" />");
            json!({ "text": format!(
                "<?xml version='1.0'?><hierarchy>{node} bounds=\"{bounds}\" />{unnamed}{toolbar}\
                 </hierarchy>"
            ) })
        };
        assert!(differ(&tree("x", "[0,0]", true), &tree("x", "[1,1]", true)).is_empty());
        assert_eq!(differ(&tree("x", "", true), &tree("x", "", false)).len(), 1);
        assert_eq!(differ(&tree("x", "", true), &tree("y", "", true)).len(), 1);
    }

    #[test]
    fn of_a_message_the_nearest_node_is_compared() {
        let near = |rest: &str| json!({ "message": format!("no node (n1@2) here; {rest}") });
        let one = near("11 near: \"Row 10\" n44, \"Row 1\" n8, …");
        let other = near("15 near: \"Row 10\" n37, \"Row 1\" n10, …");
        assert!(differ(&one, &other).is_empty());
        assert_eq!(differ(&one, &near("1 near: \"Row 2\" n1")).len(), 1);
    }
}
