//! Commands that are one action each.

use super::selectors::{Container, Label, Target, TargetWithoutText};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

// A doc comment here would take the place of the command's own description in its help.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Instead of running it")]
pub(crate) struct Check {
    /// Check it and print the canonical execution
    #[arg(long, alias = "validate", conflicts_with = "dry_run")]
    pub(crate) validate_only: bool,
    /// Check it and print what would be sent
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Snapshot {
    /// The whole hierarchy, or a compact listing with references
    #[arg(long, value_enum, default_value_t = View::Xml)]
    pub(crate) view: View,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// UI Automator's XML
    Xml,
    /// One line for each node that matters, with its reference
    Text,
}

#[derive(Debug, Args)]
pub(crate) struct Screenshot {
    /// The file to write; a temporary one without it
    #[arg(value_name = "FILE", conflicts_with = "path")]
    pub(crate) file: Option<PathBuf>,
    /// The same, as a flag
    #[arg(long, value_name = "FILE", visible_aliases = ["out", "file", "output-path"])]
    pub(crate) path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct Click {
    /// At this point of the screen, in pixels, instead of a node
    #[arg(long, num_args = 2, value_names = ["X", "Y"])]
    pub(crate) coordinate: Option<Vec<u32>>,
    /// Press long
    #[arg(long, visible_aliases = ["long-click", "long-press"], conflicts_with = "focus")]
    pub(crate) long: bool,
    /// Only give it the focus
    #[arg(long)]
    pub(crate) focus: bool,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct Type {
    /// What to type
    #[arg(value_name = "TEXT", required_unless_present = "text", conflicts_with = "text")]
    pub(crate) typed: Option<String>,
    /// The same, as a flag (a field is named by the flags below)
    #[arg(long, value_name = "TEXT", visible_alias = "value", allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
    /// Press the keyboard's action key afterwards
    #[arg(long)]
    pub(crate) submit: bool,
    /// Replace what is in the field (it does so by itself)
    #[arg(long, conflicts_with = "append", hide = true)]
    pub(crate) clear: bool,
    /// Add to what is in the field
    #[arg(long)]
    pub(crate) append: bool,
    /// Type into the field that has the focus, whichever it is
    #[arg(long)]
    pub(crate) focused: bool,
    #[command(flatten)]
    pub(crate) target: TargetWithoutText,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct Read {
    /// Every node that fits, not only the first
    #[arg(long)]
    pub(crate) all: bool,
    /// What the text must look like: temperature, version or regex
    #[arg(long)]
    pub(crate) validator: Option<String>,
    /// The pattern of `--validator regex`
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    pub(crate) validator_pattern: Option<String>,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) container: Container,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct ReadValue {
    /// Every label that fits, not only the first
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) label: Label,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct Wait {
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct WaitForNav {
    /// Until this app is in front
    #[arg(long, value_name = "PACKAGE", visible_aliases = ["expected-package", "package"])]
    pub(crate) app: Option<String>,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct Open {
    /// A package such as `com.android.settings`, or a URI such as `https://example.com`
    #[arg(value_name = "PACKAGE|URI", required_unless_present_any = ["app", "uri"],
        conflicts_with_all = ["app", "uri"])]
    pub(crate) what: Option<String>,
    /// A package, whatever it looks like
    #[arg(long, value_name = "PACKAGE", visible_alias = "package", conflicts_with = "uri")]
    pub(crate) app: Option<String>,
    /// A URI, whatever it looks like
    #[arg(long, visible_alias = "url")]
    pub(crate) uri: Option<String>,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct Press {
    /// back, home or recents
    #[arg(value_name = "KEY", required_unless_present = "key", conflicts_with = "key")]
    pub(crate) name: Option<String>,
    /// The same, as a flag
    #[arg(long)]
    pub(crate) key: Option<String>,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct Back {
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct Close {
    /// Its package
    #[arg(value_name = "PACKAGE", required_unless_present = "app", conflicts_with = "app")]
    pub(crate) package: Option<String>,
    /// The same, as a flag
    #[arg(long, value_name = "PACKAGE", visible_alias = "package")]
    pub(crate) app: Option<String>,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct Sleep {
    /// How long, in milliseconds
    #[arg(
        value_name = "MS",
        required_unless_present = "duration",
        conflicts_with = "duration",
        allow_negative_numbers = true
    )]
    pub(crate) ms: Option<f64>,
    /// The same, as a flag
    #[arg(long, value_name = "MS", visible_alias = "duration-ms", allow_negative_numbers = true)]
    pub(crate) duration: Option<f64>,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Direction {
    /// Towards the end of a list
    Down,
    /// Towards its beginning
    Up,
    /// Towards the left
    Left,
    /// Towards the right
    Right,
}

impl Direction {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Up => "up",
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

// Where to look, as a word or as a flag.
#[derive(Debug, Args)]
pub(crate) struct Towards {
    /// Where to [default: down]
    #[arg(value_enum, value_name = "DIRECTION", conflicts_with = "direction")]
    towards: Option<Direction>,
    /// The same, as a flag
    #[arg(long, value_enum)]
    direction: Option<Direction>,
}

impl Towards {
    pub(crate) fn name(&self) -> &'static str {
        self.towards.or(self.direction).unwrap_or(Direction::Down).name()
    }
}

#[derive(Debug, Args)]
pub(crate) struct Scroll {
    #[command(flatten)]
    pub(crate) towards: Towards,
    #[command(flatten)]
    pub(crate) container: Container,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct ScrollUntil {
    #[command(flatten)]
    pub(crate) towards: Towards,
    /// Click it when it is there
    #[arg(long, visible_alias = "click-after")]
    pub(crate) click: bool,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) container: Container,
    #[command(flatten)]
    pub(crate) check: Check,
}

#[derive(Debug, Args)]
pub(crate) struct ScrollAndClick {
    #[command(flatten)]
    pub(crate) towards: Towards,
    #[command(flatten)]
    pub(crate) target: Target,
    #[command(flatten)]
    pub(crate) container: Container,
    #[command(flatten)]
    pub(crate) check: Check,
}
