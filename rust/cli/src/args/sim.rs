//! What `sim` takes.

use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct Sim {
    /// How many phones
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub(crate) count: u16,
    /// Port of the first phone, the others take the next ones; 0 takes any that are free
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Folder with app models of your own
    #[arg(long, value_name = "DIR")]
    pub(crate) apps: Option<PathBuf>,
    /// Folder with uiautomator dumps to play as screens
    #[arg(long, value_name = "DIR")]
    pub(crate) screens: Option<PathBuf>,
    /// Size of the screen in pixels
    #[arg(long, value_name = "WxH", default_value = "1080x2400", value_parser = size)]
    pub(crate) size: (i32, i32),
    /// Density of the screen in dpi
    #[arg(long, default_value_t = 420, value_parser = clap::value_parser!(i32).range(80..=800))]
    pub(crate) density: i32,
    /// Answer at once, without the time a phone takes to look and to touch
    #[arg(long)]
    pub(crate) instant: bool,
    /// What keeps others out when the screen goes off
    #[arg(long, value_enum, default_value_t = LockKind::Swipe)]
    pub(crate) lock: LockKind,
    /// Let something go wrong, with a probability: late_nodes=0.1 (repeatable; `all=0.05` for everything)
    #[arg(long = "fault", value_name = "NAME=P", value_parser = fault)]
    pub(crate) faults: Vec<(String, f64)>,
    /// Kill the operator's service after so many operations
    #[arg(long, value_name = "N")]
    pub(crate) kill_service_after: Option<u64>,
    /// Cut the connection to adb once, after so many bytes
    #[arg(long, value_name = "BYTES")]
    pub(crate) cut_after: Option<u64>,
    /// Decides when things go wrong; the same seed goes wrong the same way
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Version of the operator that is installed; `none` for no operator
    #[arg(long, value_name = "VERSION", default_value = env!("CARGO_PKG_VERSION"))]
    pub(crate) operator: String,
    /// Install the operator's developer variant instead
    #[arg(long)]
    pub(crate) dev_operator: bool,
    /// Leave the operator's accessibility service off
    #[arg(long)]
    pub(crate) service_off: bool,
    /// Ask hosts for their key, as a phone does; new keys are accepted and shown
    #[arg(long)]
    pub(crate) auth: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LockKind {
    /// Nothing
    None,
    /// A screen to swipe away
    Swipe,
    /// A screen that asks for a PIN
    Secure,
}

fn size(text: &str) -> Result<(i32, i32), String> {
    let sides = text.split_once('x').map(|(w, h)| (w.parse::<i32>(), h.parse::<i32>()));
    match sides {
        Some((Ok(width @ 200..=8_000), Ok(height @ 200..=8_000))) => Ok((width, height)),
        _ => Err("a size looks like 1080x2400, each side from 200 to 8000".into()),
    }
}

fn fault(text: &str) -> Result<(String, f64), String> {
    let (name, probability) = text.split_once('=').ok_or("a fault looks like late_nodes=0.1")?;
    match probability.parse::<f64>() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok((name.to_owned(), p)),
        _ => Err(format!("{probability} is not a probability from 0 to 1")),
    }
}
