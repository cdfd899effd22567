//! Commands that are one action each: what was typed becomes an execution.

use crate::args::act::{
    Click, Close, Open, Press, Read, ReadValue, Screenshot, Scroll, ScrollAndClick, ScrollUntil,
    Sleep, Snapshot, Type, View, Wait, WaitForNav,
};
use crate::args::selectors::invalid;
use clawperator_contract::{ErrorCode, Execution, Failure};
use clawperator_host::build::{self, number};
use serde_json::{Map, Value, json};

/// Who sends what is typed.
pub(crate) const SOURCE: &str = "clawperator-cli";

type Params = Map<String, Value>;
/// The timeout that was asked for, in milliseconds.
type Asked = Option<f64>;

/// A command that becomes an execution.
pub(crate) trait Act {
    /// The execution.
    fn execution(&self, asked: Asked) -> Result<Execution, Failure>;
}

fn one(
    command: &str,
    step: (&str, &str),
    params: Params,
    timeout_ms: f64,
) -> Result<Execution, Failure> {
    build::single(command, SOURCE, step, params, timeout_ms)
}

fn missing(command: &str, what: &str) -> Failure {
    let code = ErrorCode::MissingSelector;
    Failure::new(code, format!("{command} needs {what}")).hint(code.remedy())
}

const A_NODE: &str =
    "a node: --text, --text-contains, --id, --desc, --desc-contains, --role, --selector or --ref";
/// Nodes that are not there yet have no reference.
const A_NODE_TO_COME: &str =
    "a node: --text, --text-contains, --id, --desc, --desc-contains, --role or --selector";

impl Act for Snapshot {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let mut params = Params::new();
        if self.view == View::Text {
            params.insert("view".into(), "text".into());
        }
        one("snapshot", ("snap", "snapshot_ui"), params, build::timeout(asked))
    }
}

impl Act for Screenshot {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let path = self.file.as_ref().or(self.path.as_ref());
        let path = path.map(|path| ("path".to_owned(), path.display().to_string().into()));
        let params = path.into_iter().collect();
        one("screenshot", ("shot", "take_screenshot"), params, build::timeout(asked))
    }
}

impl Act for Click {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let mut params = Params::new();
        let targeted = self.target.put(&mut params, "matcher")?;
        match &self.coordinate {
            Some(_) if targeted => {
                return Err(invalid("use --coordinate OR a selector, not both"));
            }
            Some(_) if self.focus => {
                return Err(invalid("--focus needs a node; a point cannot take the focus"));
            }
            Some(point) => {
                params.insert("coordinate".into(), json!({ "x": point[0], "y": point[1] }));
            }
            None if !targeted => {
                return Err(missing("click", &format!("{A_NODE}, or --coordinate X Y")));
            }
            None => {}
        }
        let kind = if self.long { Some("long_click") } else { self.focus.then_some("focus") };
        params.extend(kind.map(|kind| ("clickType".to_owned(), kind.into())));
        one("click", ("click", "click"), params, build::timeout(asked))
    }
}

impl Act for Type {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let mut params = Params::new();
        let targeted = self.target.put(&mut params, "matcher")?;
        let kind = match (targeted, self.focused) {
            (true, true) => return Err(invalid("use --focused OR a selector, not both")),
            (true, false) => "enter_text",
            (false, true) => "type_text",
            (false, false) => {
                return Err(missing(
                    "type",
                    "a field: --id, --desc, --desc-contains, --role, --text-contains, --selector, --ref or --focused",
                ));
            }
        };
        let text = self.typed.as_ref().or(self.text.as_ref()).map_or("", String::as_str);
        params.insert("text".into(), text.into());
        if kind == "enter_text" {
            params.insert("submit".into(), self.submit.into());
            if self.append {
                params.insert("clear".into(), false.into());
            }
        } else {
            params.extend(self.submit.then(|| ("submit".to_owned(), true.into())));
            params.extend(self.clear.then(|| ("clear".to_owned(), true.into())));
        }
        one("type", ("type", kind), params, build::timeout(asked))
    }
}

impl Act for Read {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let mut params = Params::new();
        if !self.target.put(&mut params, "matcher")? {
            return Err(missing("read", A_NODE));
        }
        self.container.put(&mut params)?;
        params.extend(self.all.then(|| ("all".to_owned(), true.into())));
        let validator = self.validator.as_ref();
        params.extend(validator.map(|name| ("validator".to_owned(), name.as_str().into())));
        let pattern = self.validator_pattern.as_ref();
        params.extend(pattern.map(|p| ("validatorPattern".to_owned(), p.as_str().into())));
        one("read", ("read", "read_text"), params, build::timeout(asked))
    }
}

impl Act for ReadValue {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let Some(label) = self.label.matcher()? else {
            let code = ErrorCode::MissingSelector;
            let message = "read-value needs a label: --label, --label-id or --label-desc";
            return Err(Failure::new(code, message).hint("add --label with the label's text"));
        };
        let mut params = Params::from_iter([("labelMatcher".to_owned(), label)]);
        params.extend(self.all.then(|| ("all".to_owned(), true.into())));
        let step = ("read-value", "read_key_value_pair");
        one("read-value", step, params, build::timeout(asked))
    }
}

impl Act for Wait {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let matcher = self.target.matcher()?;
        let matcher = matcher.ok_or_else(|| missing("wait", A_NODE_TO_COME))?;
        let mut params = Params::from_iter([("matcher".to_owned(), matcher)]);
        params.extend(asked.map(|ms| ("timeoutMs".to_owned(), number(ms))));
        let timeout = build::timeout_around(asked.unwrap_or(0.0), None);
        one("wait", ("wait", "wait_for_node"), params, timeout)
    }
}

impl Act for WaitForNav {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let node = self.target.matcher()?;
        if node.is_none() && self.app.is_none() {
            return Err(missing("wait-for-nav", &format!("--app PACKAGE, or {A_NODE_TO_COME}")));
        }
        let Some(ms) = asked else {
            let message = "wait-for-nav needs --timeout MS: how long to wait, at most 30000";
            return Err(Failure::new(ErrorCode::Usage, message).hint("add --timeout 5000"));
        };
        let mut params = Params::new();
        let app = self.app.as_ref();
        params.extend(app.map(|app| ("expectedPackage".to_owned(), app.as_str().into())));
        params.extend(node.map(|node| ("expectedNode".to_owned(), node)));
        params.insert("timeoutMs".into(), number(ms));
        let step = ("wait-for-nav", "wait_for_navigation");
        one("wait-for-nav", step, params, build::timeout_around(ms, None))
    }
}

impl Act for Open {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let (kind, key, what) = match (&self.what, &self.app, &self.uri) {
            (_, Some(app), _) => ("open_app", "applicationId", app),
            (_, _, Some(uri)) => ("open_uri", "uri", uri),
            (Some(what), ..) if is_uri(what) => ("open_uri", "uri", what),
            (Some(what), ..) => ("open_app", "applicationId", what),
            (None, None, None) => return Err(invalid("open needs a package or a URI")),
        };
        let params = Params::from_iter([(key.to_owned(), what.as_str().into())]);
        one("open", ("open", kind), params, build::timeout(asked))
    }
}

/// A scheme and a colon: no package has a colon in it.
fn is_uri(what: &str) -> bool {
    let Some((scheme, _)) = what.split_once(':') else { return false };
    let plain = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
    scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(plain)
}

impl Act for Press {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let key = self.name.as_ref().or(self.key.as_ref()).map_or("", String::as_str);
        press("press", key, asked)
    }
}

/// `back` is `press back`.
pub(crate) fn press(command: &str, key: &str, asked: Asked) -> Result<Execution, Failure> {
    let params = Params::from_iter([("key".to_owned(), key.into())]);
    one(command, ("press", "press_key"), params, build::timeout(asked))
}

impl Act for crate::args::act::Back {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        press("back", "back", asked)
    }
}

impl Act for Close {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let package = self.package.as_ref().or(self.app.as_ref()).map_or("", String::as_str);
        let params = Params::from_iter([("applicationId".to_owned(), package.into())]);
        one("close", ("close", "close_app"), params, build::timeout(asked))
    }
}

impl Act for Sleep {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let ms = self.ms.or(self.duration).unwrap_or_default();
        let params = Params::from_iter([("durationMs".to_owned(), number(ms))]);
        one("sleep", ("sleep", "sleep"), params, build::timeout_around(ms, asked))
    }
}

impl Act for Scroll {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let mut params = Params::from_iter([("direction".to_owned(), self.towards.name().into())]);
        self.container.put(&mut params)?;
        one("scroll", ("scroll", "scroll"), params, build::timeout(asked))
    }
}

impl Act for ScrollUntil {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let step = if self.click { "scroll_and_click" } else { "scroll_until" };
        scroll_to("scroll-until", step, &self.towards, &self.target, &self.container, asked)
    }
}

impl Act for ScrollAndClick {
    fn execution(&self, asked: Asked) -> Result<Execution, Failure> {
        let command = "scroll-and-click";
        scroll_to(command, "scroll_and_click", &self.towards, &self.target, &self.container, asked)
    }
}

fn scroll_to(
    command: &str,
    kind: &str,
    towards: &crate::args::act::Towards,
    target: &crate::args::selectors::Target,
    container: &crate::args::selectors::Container,
    asked: Asked,
) -> Result<Execution, Failure> {
    let matcher = target.matcher()?.ok_or_else(|| missing(command, A_NODE_TO_COME))?;
    let mut params = Params::from_iter([
        ("direction".to_owned(), towards.name().into()),
        ("matcher".to_owned(), matcher),
    ]);
    container.put(&mut params)?;
    one(command, (command, kind), params, build::timeout(asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_scheme_is_a_uri() {
        for uri in ["https://example.com", "tel:123", "market://details?id=x", "geo:1,2"] {
            assert!(is_uri(uri), "{uri}");
        }
        for package in ["com.android.settings", "settings", "", ":x", "1a:b"] {
            assert!(!is_uri(package), "{package}");
        }
    }
}
