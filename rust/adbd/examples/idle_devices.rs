//! Runs many devices that serve nothing but `shell:echo`, and says what they cost:
//! `cargo run --release --example idle_devices -- 200`, then `adb connect` to the ports it names.

#![allow(clippy::print_stdout, reason = "that is what it is for")]

use std::io::Write;
use std::sync::Arc;
use std::{env, fs, io};

use clawperator_adbd::{Auth, Banner, Device, Server, Service, Shell, ShellRequest};

struct Echo;

impl Device for Echo {
    fn banner(&self) -> Banner {
        Banner::new("echo", "Echo", "echo")
    }

    fn open(&self, service: &str) -> Option<Service> {
        let request = ShellRequest::parse(service)?;
        Some(Box::new(move |stream| {
            let shell = Shell::new(request.protocol, stream);
            // The host may have gone.
            let _ = shell.output.stdout().write_all(format!("{}\n", request.command).as_bytes());
            let _ = shell.output.exit(0);
        }))
    }
}

fn resident_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn main() -> io::Result<()> {
    let count: usize = env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(20);
    println!("{} KiB before", resident_kib().unwrap_or(0));
    let servers = (0..count)
        .map(|_| Server::bind("127.0.0.1:0", Arc::new(Echo), Auth::NoAuth))
        .collect::<io::Result<Vec<Server>>>()?;
    let ports: Vec<String> = servers.iter().map(|server| server.port().to_string()).collect();
    println!("ports {}", ports.join(" "));
    // A line from stdin: measure again; its end: stop.
    for _ in io::stdin().lines() {
        let hosts: usize = servers.iter().map(Server::hosts).sum();
        println!("{} KiB, {hosts} hosts", resident_kib().unwrap_or(0));
    }
    Ok(())
}
