//! What `serve` takes.

use clap::Args as ClapArgs;
use clawperator_serve::desk::DEFAULT_WAITING;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Serve {
    /// Port to listen on; 0 takes one that is free
    #[arg(long, default_value_t = 3000)]
    pub(crate) port: u16,
    /// Address to listen on; any but this computer's own needs a token
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub(crate) host: String,
    /// Another name of this server that clients may use (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// Ask for a token on this computer's own address too
    #[arg(long)]
    pub(crate) require_token: bool,
    /// The file of the token, made where it is missing; without it ~/.clawperator/serve/token
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// The folder clients may name files in; without it they may name none
    #[arg(long, value_name = "DIR")]
    pub(crate) files: Option<PathBuf>,
    /// Executions that may wait for one phone
    #[arg(long, value_name = "N", default_value_t = DEFAULT_WAITING)]
    pub(crate) queue: usize,
    /// How long executions may go on when the server is told to end, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub(crate) grace: u64,
    /// Serve so many simulated phones inside this process, sim-1 and so on, instead of adb's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=500))]
    pub(crate) sims: Option<u16>,
    /// A registry of skills (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) registry: Vec<PathBuf>,
}
