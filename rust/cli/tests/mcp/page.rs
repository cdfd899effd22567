//! The page about MCP: every set-up on it starts a server that answers.

use crate::program::{Agent, command, root, scratch};
use serde_json::{Value, json};
use std::fs;

/// The fenced blocks of a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once(&format!("\n```{language}\n")) {
        let (block, after) = after.split_once("\n```").unwrap();
        found.push(block.to_owned());
        rest = after;
    }
    found
}

/// What a block of settings starts: the program's arguments.
fn of_json(block: &str) -> Option<Vec<String>> {
    let settings: Value = serde_json::from_str(block).expect(block);
    let servers = settings.get("mcpServers").or_else(|| settings.get("servers"))?;
    let server = &servers["clawperator"];
    if server.get("command").is_none() {
        let url = server.get("url").or_else(|| server.get("httpUrl")).and_then(Value::as_str);
        assert_eq!(url, Some("http://127.0.0.1:3000/mcp"), "{block}");
        return None;
    }
    assert_eq!(server["command"], "clawperator", "{block}");
    let args = server["args"].as_array().unwrap().iter();
    Some(args.map(|arg| arg.as_str().unwrap().to_owned()).collect())
}

fn of_toml(block: &str) -> Vec<String> {
    assert!(block.contains("[mcp_servers.clawperator]\ncommand = \"clawperator\"\n"), "{block}");
    let args = block.lines().find_map(|line| line.strip_prefix("args = ")).unwrap();
    serde_json::from_str(args).unwrap()
}

/// What a command of a client registers, behind the program's name.
fn of_shell(line: &str) -> Option<Vec<String>> {
    let (_, args) = line.split_once(" -- clawperator ").or_else(|| {
        let (before, args) = line.split_once(" clawperator clawperator ")?;
        before.ends_with(" add").then_some((before, args))
    })?;
    Some(args.split_whitespace().map(str::to_owned).collect())
}

#[test]
fn every_set_up_of_the_page_starts_a_server_that_answers() {
    let page = fs::read_to_string(root().join("docs/mcp.md")).unwrap();
    let mut set_ups: Vec<Vec<String>> = Vec::new();
    set_ups.extend(blocks(&page, "json").iter().filter_map(|block| of_json(block)));
    set_ups.extend(blocks(&page, "toml").iter().map(|block| of_toml(block)));
    let shell = blocks(&page, "sh").join("\n");
    set_ups.extend(shell.lines().filter_map(of_shell));
    assert!(set_ups.len() >= 7, "{set_ups:?}");
    for args in set_ups {
        let home = scratch("page");
        let mut command = command(&home);
        command.args(&args).env_remove("ANDROID_SERIAL");
        let mut agent = Agent::start(command);
        let answer = agent.ask("tools/list", json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap();
        assert_eq!(tools.len(), clawperator_serve::mcp::table::TOOLS.len(), "{args:?}");
        drop(agent.input.take());
        assert!(agent.child.wait().unwrap().success());
        fs::remove_dir_all(home).unwrap();
    }
}
