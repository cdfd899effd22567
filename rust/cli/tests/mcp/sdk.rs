//! A client nobody here wrote, the protocol's own SDK for Python, calls every tool. Needs it in
//! the folder `MCP_SDK`, for the Python of `CLAWPERATOR_PYTHON` or `python3`.

use crate::program::{command, root, scratch};
use clawperator_lab::finish;
use serde_json::Value;
use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// The version the script was written against.
const SDK: &str = "2.3.0";

fn python() -> Command {
    let named = env::var_os("CLAWPERATOR_PYTHON");
    let mut python = Command::new(named.unwrap_or_else(|| "python3".into()));
    python.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(folder) = env::var_os("MCP_SDK") {
        python.env("PYTHONPATH", folder);
    }
    python
}

/// Calls every tool of this server; the protocol that was spoken.
fn tour(mode: &str, phone: &str, server: &[&str]) -> String {
    let script = "import importlib.metadata as m; print(m.version('mcp'))";
    let version = python().args(["-c", script]).output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    assert!(
        version.as_deref().is_ok_and(|version| version == SDK),
        "no mcp {SDK} for Python ({version:?}): run scripts/test, which installs it"
    );
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/client.py");
    let args = [&[script, mode, phone], server].concat();
    let home = scratch(&format!("sdk-{mode}-{phone}"));
    let registry = root().join("examples/skills/skills/skills-registry.json");
    let mut python = python();
    python.args(&args).env("CLAWPERATOR_SKILLS_REGISTRY", registry).env("HOME", &home);
    let ran = finish(python.env("CLAWPERATOR_LOG_DIR", &home).spawn().unwrap(), &args);
    let said = ran.out();
    assert!(said.ends_with(" clawperator all right\n"), "{said}\n{}", ran.err());
    std::fs::remove_dir_all(home).unwrap();
    said.split(' ').next().unwrap().to_owned()
}

const PROGRAM: &[&str] = &[env!("CARGO_BIN_EXE_clawperator"), "mcp", "--device", "sim"];

#[test]
fn the_protocols_own_client_calls_every_tool_after_a_handshake() {
    assert_eq!(tour("legacy", "sim", PROGRAM), "2025-11-25");
}

#[test]
fn the_protocols_own_client_calls_every_tool_without_a_handshake() {
    assert_eq!(tour("auto", "sim", PROGRAM), "2026-07-28");
}

#[test]
fn the_protocols_own_client_calls_every_tool_of_a_server() {
    let home = scratch("server");
    let mut server = command(&home).args(["serve", "--port", "0", "--sims", "1"]).spawn().unwrap();
    let mut told = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut told).unwrap();
    let told: Value = serde_json::from_str(&told).unwrap();
    let url = format!("{}/mcp", told["url"].as_str().unwrap());
    tour("legacy", "sim-1", &[&url]);
    tour("auto", "sim-1", &[&url]);
    let id = nix::unistd::Pid::from_raw(server.id().try_into().unwrap());
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM).unwrap();
    assert!(server.wait().unwrap().success());
    std::fs::remove_dir_all(home).unwrap();
}
