//! Flags that name a node.

use clap::Args;
use clawperator_contract::{ErrorCode, Failure, kind_of};
use serde_json::{Map, Value};

/// Flags of one matcher: its raw JSON, or its keys one by one.
pub(crate) struct Flags<'a> {
    /// Name of the raw flag.
    raw_flag: &'static str,
    /// What is said when both ways are used.
    not_both: &'static str,
    raw: Option<&'a str>,
    /// Each with its flag and its key in a matcher.
    simple: Vec<(&'static str, &'static str, Option<&'a str>)>,
}

impl Flags<'_> {
    /// The matcher; `None` when no flag of it was given.
    fn matcher(&self) -> Result<Option<Value>, Failure> {
        let given: Vec<_> = self
            .simple
            .iter()
            .filter_map(|(flag, key, value)| value.map(|value| (flag, key, value)))
            .collect();
        if let Some((flag, ..)) = given.iter().find(|(.., value)| value.trim().is_empty()) {
            return Err(invalid(format!("{flag} must not be blank")));
        }
        match self.raw {
            Some(_) if !given.is_empty() => Err(invalid(self.not_both)),
            Some(raw) => self.parse(raw).map(Some),
            None if given.is_empty() => Ok(None),
            None => {
                let keys =
                    given.into_iter().map(|(_, key, value)| ((*key).to_owned(), value.into()));
                Ok(Some(Value::Object(keys.collect())))
            }
        }
    }

    fn parse(&self, raw: &str) -> Result<Value, Failure> {
        let flag = self.raw_flag;
        if raw.trim().is_empty() {
            return Err(invalid(format!("{flag} must not be blank")));
        }
        match serde_json::from_str(raw) {
            Ok(object @ Value::Object(_)) => Ok(object),
            Ok(other) => {
                Err(invalid(format!("{flag} must be a JSON object, not {}", kind_of(&other))))
            }
            Err(error) => Err(invalid(format!("{flag} must be valid JSON: {error}"))),
        }
    }
}

/// A value of a flag that breaks a rule of the contract.
pub(crate) fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::ExecutionValidationFailed, message)
}

const NOT_BOTH: &str = "use --selector OR the simple flags, not both";
const CONTAINER_NOT_BOTH: &str = "use --container-selector OR the simple container flags, not both";

// The node an action is about.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which node")]
pub(crate) struct Target {
    /// With exactly this text
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    #[command(flatten)]
    others: TargetWithoutText,
}

// The same where `--text` means something else.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which node")]
pub(crate) struct TargetWithoutText {
    /// With this in its text
    #[arg(long, value_name = "TEXT")]
    text_contains: Option<String>,
    /// With this resource id
    #[arg(long, value_name = "ID", visible_alias = "resource-id")]
    id: Option<String>,
    /// With exactly this content description
    #[arg(long, value_name = "TEXT", visible_alias = "content-desc")]
    desc: Option<String>,
    /// With this in its content description
    #[arg(long, value_name = "TEXT", visible_alias = "content-desc-contains")]
    desc_contains: Option<String>,
    /// Of this role: button, textfield, switch, ...
    #[arg(long)]
    role: Option<String>,
    /// By a matcher as JSON, instead of the flags above
    #[arg(long, value_name = "JSON")]
    selector: Option<String>,
    /// By its reference in a snapshot (`--view text`), such as n12@57
    #[arg(long = "ref", value_name = "REF")]
    node_ref: Option<String>,
}

impl Target {
    /// Puts what was given into an action's parameters, under this key; says whether it was.
    pub(crate) fn put(&self, params: &mut Map<String, Value>, key: &str) -> Result<bool, Failure> {
        self.others.put_with(("--text", self.text.as_deref()), params, key)
    }

    /// The matcher alone, where a reference makes no sense.
    pub(crate) fn matcher(&self) -> Result<Option<Value>, Failure> {
        if self.others.node_ref.is_some() {
            return Err(invalid("--ref names a node of a screen that is there already"));
        }
        self.others.flags(("--text", self.text.as_deref())).matcher()
    }
}

impl TargetWithoutText {
    pub(crate) fn put(&self, params: &mut Map<String, Value>, key: &str) -> Result<bool, Failure> {
        self.put_with(("--text", None), params, key)
    }

    fn put_with(
        &self,
        text: (&'static str, Option<&str>),
        params: &mut Map<String, Value>,
        key: &str,
    ) -> Result<bool, Failure> {
        let matcher = self.flags(text).matcher()?;
        match (matcher, &self.node_ref) {
            (Some(_), Some(_)) => Err(invalid("use --ref OR a selector, not both")),
            (Some(matcher), None) => {
                params.insert(key.into(), matcher);
                Ok(true)
            }
            (None, Some(node_ref)) => {
                params.insert("ref".into(), node_ref.as_str().into());
                Ok(true)
            }
            (None, None) => Ok(false),
        }
    }

    fn flags<'a>(&'a self, (flag, text): (&'static str, Option<&'a str>)) -> Flags<'a> {
        Flags {
            raw_flag: "--selector",
            not_both: NOT_BOTH,
            raw: self.selector.as_deref(),
            simple: vec![
                (flag, "textEquals", text),
                ("--text-contains", "textContains", self.text_contains.as_deref()),
                ("--id", "resourceId", self.id.as_deref()),
                ("--desc", "contentDescEquals", self.desc.as_deref()),
                ("--desc-contains", "contentDescContains", self.desc_contains.as_deref()),
                ("--role", "role", self.role.as_deref()),
            ],
        }
    }
}

// The region an action stays inside.
#[derive(Debug, Args)]
#[command(next_help_heading = "Inside which container")]
pub(crate) struct Container {
    /// With exactly this text
    #[arg(long, value_name = "TEXT")]
    container_text: Option<String>,
    /// With this in its text
    #[arg(long, value_name = "TEXT")]
    container_text_contains: Option<String>,
    /// With this resource id
    #[arg(long, value_name = "ID", visible_alias = "container-resource-id")]
    container_id: Option<String>,
    /// With exactly this content description
    #[arg(long, value_name = "TEXT", visible_alias = "container-content-desc")]
    container_desc: Option<String>,
    /// With this in its content description
    #[arg(long, value_name = "TEXT", visible_alias = "container-content-desc-contains")]
    container_desc_contains: Option<String>,
    /// Of this role
    #[arg(long, value_name = "ROLE")]
    container_role: Option<String>,
    /// By a matcher as JSON, instead of the flags above
    #[arg(long, value_name = "JSON")]
    container_selector: Option<String>,
}

impl Container {
    /// Puts the container into an action's parameters, when one was given.
    pub(crate) fn put(&self, params: &mut Map<String, Value>) -> Result<(), Failure> {
        let flags = Flags {
            raw_flag: "--container-selector",
            not_both: CONTAINER_NOT_BOTH,
            raw: self.container_selector.as_deref(),
            simple: vec![
                ("--container-text", "textEquals", self.container_text.as_deref()),
                (
                    "--container-text-contains",
                    "textContains",
                    self.container_text_contains.as_deref(),
                ),
                ("--container-id", "resourceId", self.container_id.as_deref()),
                ("--container-desc", "contentDescEquals", self.container_desc.as_deref()),
                (
                    "--container-desc-contains",
                    "contentDescContains",
                    self.container_desc_contains.as_deref(),
                ),
                ("--container-role", "role", self.container_role.as_deref()),
            ],
        };
        params.extend(flags.matcher()?.map(|matcher| ("container".to_owned(), matcher)));
        Ok(())
    }
}

// The label whose value is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which label")]
pub(crate) struct Label {
    /// With exactly this text
    #[arg(long, value_name = "TEXT", visible_aliases = ["text", "label-text"])]
    label: Option<String>,
    /// With this resource id
    #[arg(long, value_name = "ID", visible_aliases = ["id", "resource-id"])]
    label_id: Option<String>,
    /// With exactly this content description
    #[arg(long, value_name = "TEXT", visible_aliases = ["desc", "content-desc"])]
    label_desc: Option<String>,
}

impl Label {
    pub(crate) fn matcher(&self) -> Result<Option<Value>, Failure> {
        let flags = Flags {
            raw_flag: "",
            not_both: "",
            raw: None,
            simple: vec![
                ("--label", "textEquals", self.label.as_deref()),
                ("--label-id", "resourceId", self.label_id.as_deref()),
                ("--label-desc", "contentDescEquals", self.label_desc.as_deref()),
            ],
        };
        flags.matcher()
    }
}
