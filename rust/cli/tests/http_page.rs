//! The examples of the page on HTTP are run by a shell against a server with one simulated phone,
//! and their answers are compared. `UPDATE_DOCS=1` writes the answers anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

#[allow(dead_code, reason = "no page of HTTP shows a hierarchy")]
#[path = "support/answers.rs"]
mod answers;
mod support;

use answers::{steady, with_steady_names};
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use support::{Place, UPDATE, lines, root};

/// Where the page says the server is.
const ADDRESS: &str = "localhost:3000";

struct Server {
    child: Child,
    home: PathBuf,
    port: u64,
}

impl Server {
    fn start() -> Self {
        let home = std::env::temp_dir().join(format!("http-page-{}", std::process::id()));
        fs::create_dir_all(&home).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_clawperator"))
            .args(["serve", "--port", "0", "--sims", "1", "--json"])
            .env("HOME", &home)
            .env_remove("ANDROID_SERIAL")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        Self { child, home, port: told["port"].as_u64().unwrap() }
    }

    fn run(&self, command: &str) -> String {
        let command = command.replace(ADDRESS, &format!("127.0.0.1:{}", self.port));
        let ran = Command::new("sh").args(["-c", &command]).output().unwrap();
        let mut text = String::from_utf8(ran.stdout).unwrap();
        assert!(!text.is_empty(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
        if !text.ends_with('\n') {
            text.push('\n');
        }
        with_steady_names(&text)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.home);
    }
}

/// The page with every answer as the server gives it now.
fn renewed(page: &str, server: &Server) -> (String, usize) {
    let (mut anew, mut console, mut count) = (String::new(), false, 0);
    let mut command: Option<String> = None;
    let mut said = String::new();
    for (place, line) in lines(page) {
        let inside = console && place == Place::Inside;
        // An answer ends where the next command begins, or the block.
        if !inside || line.starts_with("$ ") {
            if let Some(command) = command.take() {
                let seen = server.run(&command);
                let same = steady(&said) == steady(&seen);
                anew += if same { &said } else { &seen };
                count += 1;
            }
            said.clear();
        }
        if let Place::Opens(language) = place {
            console = language == "console";
        }
        match (inside, line.strip_prefix("$ "), line.strip_prefix("> ")) {
            (true, Some(begins), _) => command = Some(begins.to_owned()),
            (true, None, Some(more)) => {
                let command = command.as_mut().expect("a command before its second line");
                command.push('\n');
                command.push_str(more);
            }
            (true, None, None) => {
                said += line;
                said.push('\n');
                continue;
            }
            _ => {}
        }
        anew += line;
        anew.push('\n');
    }
    (anew, count)
}

#[test]
fn the_examples_of_the_page_are_answered_as_it_says() {
    let path = root().join("docs/http.md");
    let page = fs::read_to_string(&path).unwrap();
    let (anew, count) = renewed(&page, &Server::start());
    assert!(count >= 12, "only {count} examples");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, anew).unwrap();
        return;
    }
    for (said, seen) in page.lines().zip(anew.lines()) {
        assert_eq!(said, seen);
    }
    assert_eq!(page.lines().count(), anew.lines().count());
}
