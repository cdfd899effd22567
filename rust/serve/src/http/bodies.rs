//! Bodies of requests. Their schemas in `/openapi.json` come from these types.

use clawperator_skills::recipe::words::Capability;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// Text that says something.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(transparent)]
pub(super) struct Text(
    #[schemars(length(min = 1, max = 4096), regex(pattern = r"\S"))] pub(super) String,
);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.trim().is_empty() {
            return Err(serde::de::Error::custom("a text that is not blank is needed"));
        }
        Ok(Self(text))
    }
}

/// The phone a request is for.
#[derive(Debug)]
pub(super) struct Phone {
    /// Its serial, where one was named.
    pub(super) serial: Option<String>,
    /// Package of the operator on it, where one was named.
    pub(super) package: Option<String>,
    /// How long to wait for it while another process holds it.
    pub(super) wait: Duration,
}

/// Bodies that name a phone, which they all do with the same three keys. Not a struct that is flattened
/// into them: serde then takes keys it does not know.
macro_rules! bodies_for_a_phone {
    ($($(#[$about:meta])* struct $name:ident { $($own:tt)* })*) => {$(
        #[derive(Debug, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        $(#[$about])*
        pub(super) struct $name {
            $($own)*
            /// Serial of the phone; needed where there are several.
            device_id: Option<Text>,
            /// Package of the operator on it.
            operator_package: Option<Text>,
            /// How long to wait for a phone that another process holds, in milliseconds.
            #[schemars(range(max = 600_000))]
            wait_ms: Option<u32>,
        }

        impl $name {
            pub(super) fn phone(&self) -> Phone {
                let text = |text: &Option<Text>| text.as_ref().map(|text| text.0.clone());
                let wait_ms = self.wait_ms.unwrap_or(0).min(600_000);
                Phone {
                    serial: text(&self.device_id),
                    package: text(&self.operator_package),
                    wait: Duration::from_millis(wait_ms.into()),
                }
            }
        }
    )*};
}

bodies_for_a_phone! {
    /// An execution and its phone.
    #[schemars(rename = "ExecuteRequest")]
    struct Execute {
        /// The execution.
        #[schemars(with = "ExecutionSchema")]
        pub(super) execution: Value,
        /// Your own id for this sending. The same order under the same id is done once.
        #[schemars(length(min = 1, max = 64), regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"))]
        pub(super) dispatch_id: Option<String>,
        /// Answer at once with the dispatch id, without waiting for the end.
        #[serde(default)]
        pub(super) background: bool,
    }

    /// A look at the screen.
    #[schemars(rename = "SnapshotRequest")]
    struct Snapshot {
        /// The form of the snapshot.
        pub(super) view: Option<View>,
        /// Time for it, in milliseconds.
        #[schemars(range(min = 1_000, max = 120_000))]
        pub(super) timeout_ms: Option<u32>,
    }

    /// A picture of the screen.
    #[schemars(rename = "ScreenshotRequest")]
    struct Screenshot {
        /// A file below the folder the server was started with; else the server keeps it for a while.
        pub(super) path: Option<Text>,
        /// Time for it, in milliseconds.
        #[schemars(range(min = 1_000, max = 120_000))]
        pub(super) timeout_ms: Option<u32>,
    }

    /// A recipe to be run.
    #[schemars(rename = "RecipeRunRequest")]
    struct RecipeRun {
        /// The recipe, Markdown or JSON.
        pub(super) text: Text,
        /// Values of its inputs.
        #[serde(default)]
        pub(super) vars: BTreeMap<String, String>,
        /// Profile of the server's policy.
        pub(super) profile: Option<Text>,
        /// Capabilities somebody said an explicit yes to.
        #[serde(default, deserialize_with = "capabilities")]
        #[schemars(with = "Vec<String>")]
        pub(super) allow: Vec<Capability>,
    }

    /// A look at a phone for an OpenPocket agent.
    #[schemars(rename = "PocketSnapshotRequest")]
    struct PocketSnapshot {
        /// The model that will see the picture; it decides how large it is.
        pub(super) model: Option<Text>,
    }

    /// One of OpenPocket's actions.
    #[schemars(rename = "PocketActRequest")]
    struct PocketAct {
        /// The action; what is missing or wrong in it gets the schema's defaults.
        pub(super) action: serde_json::Map<String, Value>,
        /// What a `tap` taps instead of a point: an element of this client's last snapshot.
        pub(super) element: Option<Text>,
    }

    /// The start or end of a recording.
    #[schemars(rename = "RecordingRequest")]
    struct Recording {
        /// Its id.
        pub(super) session_id: Option<Text>,
    }
}

/// An execution to be checked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "CheckRequest")]
pub(super) struct Check {
    /// The execution.
    #[schemars(with = "ExecutionSchema")]
    pub(super) execution: Value,
}

/// The form of a snapshot.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum View {
    /// The hierarchy as uiautomator writes it.
    Xml,
    /// The compact listing.
    Text,
}

/// A run of a skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SkillRunRequest")]
pub(super) struct SkillRun {
    /// Serial of the phone, the script's first argument.
    pub(super) device_id: Option<Text>,
    /// Package of the operator on it.
    pub(super) operator_package: Option<Text>,
    /// The script's other arguments.
    #[serde(default)]
    pub(super) args: Vec<String>,
    /// Time for the script, in milliseconds.
    #[schemars(range(min = 1, max = 86_400_000))]
    pub(super) timeout_ms: Option<u64>,
    /// What its output has to contain.
    pub(super) expect_contains: Option<Text>,
}

/// An artifact of a skill to be compiled.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SkillCompileRequest")]
pub(super) struct SkillCompile {
    /// Name of the artifact.
    pub(super) artifact: Text,
    /// Values of its variables.
    #[serde(default)]
    pub(super) vars: BTreeMap<String, String>,
}

/// A recipe to be checked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "RecipeRequest")]
pub(super) struct Recipe {
    /// The recipe, Markdown or JSON.
    pub(super) text: Text,
}

/// A recipe to be compiled.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "RecipeCompileRequest")]
pub(super) struct RecipeCompile {
    /// The recipe, Markdown or JSON.
    pub(super) text: Text,
    /// Values of its inputs.
    #[serde(default)]
    pub(super) vars: BTreeMap<String, String>,
}

fn capabilities<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Capability>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    let read = |name: &String| {
        name.parse().map_err(|_| serde::de::Error::custom(format!("{name:?} is no capability")))
    };
    names.iter().map(read).collect()
}

/// A recording to be taken apart.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "RecordingParseRequest")]
pub(super) struct RecordingParse {
    /// The recording, lines of JSON.
    pub(super) text: Text,
}

/// A virtual device to be created.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "EmulatorCreateRequest")]
pub(super) struct EmulatorCreate {
    /// What names it.
    pub(super) name: Option<Text>,
    /// Android's version as a number.
    #[schemars(range(min = 21, max = 99))]
    pub(super) api_level: Option<u32>,
    /// The kind of its processor; that of the server's computer when not given.
    pub(super) abi: Option<Text>,
    /// The phone it looks like, as avdmanager names it.
    pub(super) device_profile: Option<Text>,
    /// With the Play Store?
    pub(super) play_store: Option<bool>,
    /// Accept the licences of the system image in the user's name?
    #[serde(default)]
    pub(super) accept_licenses: bool,
}

/// How to start an emulator.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "EmulatorStartRequest")]
pub(super) struct EmulatorStart {
    /// Without a window?
    pub(super) headless: Option<bool>,
}

/// Stands for the execution, whose schema is the contract's.
pub(super) struct ExecutionSchema;

impl JsonSchema for ExecutionSchema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Execution".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}
