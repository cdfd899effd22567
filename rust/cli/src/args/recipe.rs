//! What `recipe` takes.

use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Recipe {
    #[command(subcommand)]
    pub(crate) what: RecipeWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RecipeWhat {
    /// Say what is wrong with recipes, line by line
    Validate {
        /// Recipes: `*.recipe.md` or `*.recipe.json`
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Show the execution a recipe stands for
    Compile {
        /// The recipe
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        inputs: Inputs,
    },
    /// Run a recipe on the phone and tell its outputs
    Run {
        /// The recipe
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        inputs: Inputs,
        #[command(flatten)]
        leave: Leave,
    },
    /// Run the tests of recipes on simulated phones
    Test {
        /// Recipes, whose tests are beside them (`name.test.yaml`), or tests
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Inputs {
    /// Value of an input (repeatable)
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) vars: Vec<(String, String)>,
}

/// On whose word a recipe may act.
#[derive(Debug, ClapArgs)]
pub(crate) struct Leave {
    /// Profile of the policy
    #[arg(long, value_name = "NAME", default_value = clawperator_skills::policy::DEFAULT)]
    pub(crate) profile: String,
    /// File with profiles of your own [env: CLAWPERATOR_POLICY]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Say yes to a capability the profile leaves open, such as purchase_risk (repeatable)
    #[arg(long, value_name = "CAPABILITY", value_parser = capability)]
    pub(crate) allow: Vec<clawperator_skills::recipe::words::Capability>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    // The value is not repeated: it may be a person's.
    let (name, value) = text.split_once('=').ok_or("an input looks like name=value")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

fn capability(text: &str) -> Result<clawperator_skills::recipe::words::Capability, String> {
    text.parse()
}
