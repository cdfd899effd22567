//! What the commands around skills take.

use clap::{ArgGroup, Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Skills {
    #[command(subcommand)]
    pub(crate) what: SkillsWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SkillsWhat {
    /// List them
    List {
        #[command(flatten)]
        from: From,
    },
    /// Show one
    Get {
        /// Its id
        id: String,
        #[command(flatten)]
        from: From,
    },
    /// Find skills by words, package or intent
    Search(Search),
    /// Make an execution of a skill's template
    CompileArtifact(Compile),
    /// Make a new one
    New {
        /// Its id: `<application id>.<intent>`
        id: String,
        /// What it does, in a sentence
        #[arg(long)]
        summary: Option<String>,
        #[command(flatten)]
        from: From,
    },
    /// Say what is wrong with one, or with all
    Validate {
        /// Its id
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        id: Option<String>,
        /// All of them, and what is around them
        #[arg(long)]
        all: bool,
        /// Read the artifacts as what they become
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        from: From,
    },
    /// Run a skill's script
    Run(RunScript),
    /// Run every check a repository of skills must pass
    Ci(Ci),
    /// Keep personal texts out of commits
    Hook {
        #[command(subcommand)]
        what: HookWhat,
    },
    /// Generate the registry and its indexes
    Index {
        /// Only say whether they are fresh
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        from: From,
    },
    /// Fetch the public skills
    Install {
        #[command(flatten)]
        remote: Remote,
    },
    /// Bring the fetched skills up to date
    Update {
        /// The branch, tag or commit
        #[arg(long = "ref", value_name = "REF", default_value = "main")]
        reference: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Bring the fetched skills to a branch, tag or commit
    Sync {
        /// The branch, tag or commit
        #[arg(long = "ref", value_name = "REF")]
        reference: String,
        #[command(flatten)]
        remote: Remote,
    },
}

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct RunScript {
    /// Its id
    pub(crate) id: String,
    /// The script, where the skill has several
    #[arg(long, value_name = "NAME")]
    pub(crate) script: Option<String>,
    /// Fail unless it prints this
    #[arg(long, value_name = "TEXT")]
    pub(crate) expect_contains: Option<String>,
    /// Run it even if something is wrong with the skill
    #[arg(long)]
    pub(crate) skip_validate: bool,
    #[command(flatten)]
    pub(crate) from: From,
    /// What the script is told, after --
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<String>,
}

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Ci {
    /// File with profiles whose forbidden combinations count
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) from: From,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HookWhat {
    /// Install the hooks in the git repository of this folder
    Install,
    /// Take them out again
    Uninstall,
    /// Look at what is about to be committed or pushed; what the hooks call
    Scan {
        /// What is staged, which is what it does without --push
        #[arg(long, conflicts_with = "push")]
        staged: bool,
        /// What git says on standard input is to be pushed
        #[arg(long)]
        push: bool,
        /// The remote it is pushed to
        #[arg(long, value_name = "NAME", requires = "push")]
        remote: Option<String>,
    },
}

/// Which registries.
#[derive(Debug, Args)]
#[group(skip)] // several commands take it
pub(crate) struct From {
    /// The registry; several times, the first wins [env: CLAWPERATOR_SKILLS_REGISTRY]
    #[arg(long, value_name = "FILE")]
    pub(crate) registry: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Remote {
    /// The repository to fetch from [env: CLAWPERATOR_SKILLS_REMOTE]
    #[arg(long, value_name = "URL")]
    pub(crate) remote: Option<String>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("query").required(true).multiple(true)
    .args(["words", "keyword", "app", "intent"]))]
pub(crate) struct Search {
    /// Words
    #[arg(conflicts_with = "keyword")]
    pub(crate) words: Vec<String>,
    /// The same, as a flag
    #[arg(long)]
    pub(crate) keyword: Option<String>,
    /// Only of this Android package
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) app: Option<String>,
    /// Only of this intent
    #[arg(long)]
    pub(crate) intent: Option<String>,
    #[command(flatten)]
    pub(crate) from: From,
}

impl Search {
    pub(crate) fn words(&self) -> Option<String> {
        let joined = self.words.join(" ");
        self.keyword.clone().or_else(|| (!joined.is_empty()).then_some(joined))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Compile {
    /// The skill
    #[arg(required_unless_present = "skill_id", conflicts_with = "skill_id")]
    id: Option<String>,
    /// The same, as a flag
    #[arg(long, value_name = "ID")]
    skill_id: Option<String>,
    /// The artifact, with or without .recipe.json
    #[arg(long, value_name = "NAME")]
    pub(crate) artifact: String,
    /// Values for its placeholders: a JSON object
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) vars: Option<String>,
    /// The same in a file, or - for standard input: what is typed, others may see
    #[arg(long, value_name = "FILE|-", conflicts_with = "vars")]
    pub(crate) vars_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) from: From,
}

impl Compile {
    /// One of the two is always given.
    pub(crate) fn id(&self) -> &str {
        self.id.as_deref().or(self.skill_id.as_deref()).unwrap_or_default()
    }
}
