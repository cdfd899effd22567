//! A consumer nobody here wrote: PyPI's `adbutils`, which talks to adb's server by itself. Needs
//! it installed for the Python of `CLAWPERATOR_PYTHON`, or `python3`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_lab::{Lab, adb, finish};
use std::env;
use std::process::{Command, Stdio};

/// The version the script was written against.
const ADBUTILS: &str = "2.12.0";

fn python() -> Command {
    let named = env::var_os("CLAWPERATOR_PYTHON");
    let mut python = Command::new(named.unwrap_or_else(|| "python3".into()));
    python.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    python
}

#[test]
fn adbutils_finds_everything_it_asks_a_phone() {
    let script = "import importlib.metadata as m; print(m.version('adbutils'))";
    let version = python().args(["-c", script]).output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    assert!(
        version.as_deref().is_ok_and(|version| version == ADBUTILS),
        "no adbutils {ADBUTILS} for Python ({version:?}): run scripts/test, which installs it"
    );
    let lab = Lab::new();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/second_consumer.py");
    let args = [script, &adb().port.to_string(), &lab.serial];
    let ran = finish(python().args(args).spawn().unwrap(), &args);
    assert_eq!((ran.code, ran.out().as_str()), (Some(0), "all right\n"), "{}", ran.err());
}
