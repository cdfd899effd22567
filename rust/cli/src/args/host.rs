//! What the commands around phones take.

use clap::{Args, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Packages {
    #[command(subcommand)]
    pub(crate) what: PackagesWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PackagesWhat {
    /// List them
    List {
        /// Only those that did not come with the phone
        #[arg(long)]
        third_party: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Conformance {
    /// Tell the results of the steps too
    #[arg(long)]
    pub(crate) steps: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Mend what can be mended from here, then look again
    #[arg(long)]
    pub(crate) fix: bool,
    /// Look at everything, and try an execution
    #[arg(long)]
    pub(crate) full: bool,
    /// End with 0 whatever is found
    #[arg(long)]
    pub(crate) check_only: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Operator {
    #[command(subcommand)]
    pub(crate) what: OperatorWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OperatorWhat {
    /// Install the APK, switch its service on, and prove that it answers
    #[command(visible_alias = "install")]
    Setup {
        /// The APK; without it the one beside this program, or the one built last
        #[arg(long, value_name = "FILE")]
        apk: Option<PathBuf>,
        /// Install an older version over a newer one
        #[arg(long)]
        force: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Recording {
    #[command(subcommand)]
    pub(crate) what: RecordingWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RecordingWhat {
    /// Start
    Start {
        /// A name for it
        #[arg(long, value_name = "ID")]
        session_id: Option<String>,
    },
    /// Stop
    Stop {
        /// Its name
        #[arg(long, value_name = "ID")]
        session_id: Option<String>,
    },
    /// List those on the phone
    List,
    /// Copy one from the phone
    Pull {
        /// Its name; the newest without it
        #[arg(long, value_name = "ID")]
        session_id: Option<String>,
        /// Where to
        #[arg(long, value_name = "DIR", default_value = "./recordings")]
        out: PathBuf,
    },
    /// Record what an execution does, and copy it
    Capture {
        /// The execution: JSON, a file with it, or - for standard input
        #[arg(long, value_name = "EXECUTION")]
        during: OsString,
        /// A name for it
        #[arg(long, value_name = "ID")]
        session_id: Option<String>,
        /// Where to
        #[arg(long, value_name = "DIR", default_value = "./recordings")]
        out: PathBuf,
    },
    /// Make a list of steps of one, or a recipe
    Parse {
        /// The recording
        #[arg(long, value_name = "FILE")]
        input: PathBuf,
        /// Draft a recipe that does the same again
        #[arg(long)]
        recipe: bool,
        /// Where to; beside the recording without it
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Make one file for an agent of one
    Export {
        /// The recording, or a folder of them: the newest counts
        #[arg(long, value_name = "FILE|DIR")]
        input: PathBuf,
        /// Where to; beside the recording without it
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// What becomes of the snapshots in it
        #[arg(long, value_enum, default_value_t = Snapshots::Omit)]
        snapshots: Snapshots,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Snapshots {
    /// Left out
    Omit,
    /// Kept
    Include,
}

#[derive(Debug, Args)]
pub(crate) struct Logs {
    /// How many lines from the end
    #[arg(long, short = 'n', default_value_t = 200)]
    pub(crate) lines: usize,
    /// Go on with what comes
    #[arg(long, short = 'f')]
    pub(crate) follow: bool,
    /// Only of this level and above
    #[arg(long, value_enum, ignore_case = true)]
    pub(crate) level: Option<super::LogLevel>,
    /// Only events whose name begins so
    #[arg(long, value_name = "PREFIX")]
    pub(crate) event: Option<String>,
    /// Only since then: 10m, 2h, 3d, or a time such as 2026-03-01T12:30
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Only of this execution
    #[arg(long, value_name = "ID")]
    pub(crate) command_id: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Emulator {
    #[command(subcommand)]
    pub(crate) what: EmulatorWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EmulatorWhat {
    /// List the virtual devices
    List,
    /// Say what one is
    Inspect {
        /// Its name
        name: String,
    },
    /// Make one
    Create(Create),
    /// Start one and wait until it has booted
    Start {
        /// Its name
        name: String,
        #[command(flatten)]
        start: Start,
    },
    /// Stop one
    Stop {
        /// Its name
        name: String,
    },
    /// Delete one
    Delete {
        /// Its name
        name: String,
    },
    /// List those that run
    Status,
    /// Have one running: a running one, else a stopped one, else a new one
    Provision {
        #[command(flatten)]
        create: Create,
        #[command(flatten)]
        start: Start,
    },
}

#[derive(Debug, Args)]
#[group(skip)] // the command that takes it has this name already
pub(crate) struct Start {
    /// Without a window; by itself only where there is no display
    #[arg(long)]
    pub(crate) headless: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Create {
    /// Its name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Android's API level
    #[arg(long, value_name = "LEVEL")]
    pub(crate) api: Option<u32>,
    /// x86_64 or arm64-v8a; this computer's own without it
    #[arg(long)]
    pub(crate) abi: Option<String>,
    /// The hardware it plays
    #[arg(long)]
    pub(crate) profile: Option<String>,
    /// An image without the Play Store
    #[arg(long)]
    pub(crate) no_play_store: bool,
    /// Replace one of the same name
    #[arg(long)]
    pub(crate) force: bool,
    /// Accept the licences of the Android SDK
    #[arg(long)]
    pub(crate) accept_licenses: bool,
}
