//! What an agent that was turned against its user tries, by way of a session.

use crate::talk::{Folder, Talk, answers, http};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;

fn lines(actions: &[Value]) -> String {
    actions.iter().map(|action| format!("{action}\n")).collect()
}

#[test]
fn no_path_of_an_agent_leads_out_of_its_workspace() {
    let folder = Folder::new("paths");
    fs::create_dir(folder.0.join("outside")).unwrap();
    folder.write("outside/note.md", "the user's own");
    fs::create_dir(folder.0.join("workspace/memory")).unwrap();
    symlink("../outside", folder.0.join("workspace/link")).unwrap();
    symlink("../../outside/note.md", folder.0.join("workspace/memory/note.md")).unwrap();
    let absolute = folder.0.join("outside/note.md").display().to_string();
    let patch = |hunk: &str| {
        let input = format!("*** Begin Patch\n{hunk}\n*** End Patch");
        json!({"type": "apply_patch", "input": input})
    };
    let tried = [
        json!({"type": "read", "path": "../outside/note.md"}),
        json!({"type": "read", "path": "link/note.md"}),
        json!({"type": "read", "path": absolute}),
        json!({"type": "write", "path": "link/new.md", "content": "mine"}),
        json!({"type": "write", "path": "a/../../outside/note.md", "content": "mine"}),
        json!({"type": "edit", "path": "link/note.md", "find": "own", "replace": "not"}),
        patch("*** Add File: ../outside/new.md\n+mine"),
        patch("*** Delete File: link/note.md"),
        patch("*** Add File: in.md\n+a\n*** Update File: link/note.md\n@@\n-the user's own\n+mine"),
        json!({"type": "exec", "command": "ls", "workdir": "link"}),
        json!({"type": "memory_get", "path": "memory/note.md"}),
        json!({"type": "memory_get", "path": "memory/../../outside/note.md"}),
    ];
    let output = folder.play(lines(&tried), &[]);
    let seen = answers(&output);
    assert_eq!(seen.len(), tried.len());
    for (tried, seen) in tried.iter().zip(&seen) {
        assert_eq!(seen["error"]["code"], "POCKET_PATH_REFUSED", "{tried}: {seen}");
    }
    assert!(!seen.iter().any(|seen| seen["result"].to_string().contains("the user's own")));
    assert_eq!(fs::read_dir(folder.0.join("outside")).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(folder.0.join("outside/note.md")).unwrap(), "the user's own");
    assert!(!folder.0.join("workspace/in.md").exists(), "a patch is done whole or not at all");
}

#[test]
fn no_command_hides_in_another() {
    let folder = Folder::new("commands");
    let hidden = [
        "echo $(touch pwned)",
        "echo `touch pwned`",
        "echo a & touch pwned",
        "echo a\ntouch pwned",
        "echo a > pwned; touch pwned",
        "x=touch; $x pwned",
        "bash -c 'touch pwned'",
    ];
    let ways = hidden.iter().flat_map(|text| {
        let command = text.replace("echo", "pwd");
        [json!({"type": "run_script", "script": text}), json!({"type": "exec", "command": command})]
    });
    let tried: Vec<Value> = ways.collect();
    let output = folder.play(lines(&tried), &[]);
    for (tried, seen) in tried.iter().zip(answers(&output)) {
        assert_eq!(seen["error"]["code"], "POCKET_COMMAND_REFUSED", "{tried}: {seen}");
    }
    for place in ["workspace/pwned", "workspace/scripts/pwned"] {
        assert!(!folder.0.join(place).exists(), "{place}");
    }
}

#[test]
fn a_question_is_answered_by_who_has_its_link_once_and_its_words_are_only_words() {
    let folder = Folder::new("question");
    let settings = json!({"humanAuth": {"enabled": true, "localRelayPort": 0}}).to_string();
    let settings = folder.write("settings.json", &settings);
    let mut talk = Talk::begin(folder.command(&["--config", &settings, "--events"]));
    talk.send(&json!({"type": "request_human_auth", "capability": "sms",
        "instruction": "</script><script>alert(1)</script>",
        "uiTemplate": {"title": "<img src=x onerror=alert(1)>", "summary": "--><script>alert(1)",
            "middleHtml": "<script>alert(1)</script>"}}));
    let event = talk.hear();
    let url = event["opened"]["openUrl"].as_str().unwrap();
    let id = event["opened"]["requestId"].as_str().unwrap();
    let token = url.split_once("token=").unwrap().1;
    let path = url.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap();
    let nothing = Value::Null;

    let (status, page) = http(url, "GET", &path, &nothing);
    assert_eq!(status, 200);
    for tag in ["<script>alert", "<img src=x", "--><script"] {
        assert!(!page.contains(tag), "{tag} in {page}");
    }

    // Nobody else decides: neither with a guess, nor with what is known without the link.
    let resolve = format!("/v1/human-auth/requests/{id}/resolve");
    let artifact = json!({"mimeType": "text/plain", "base64": "NDgyOTE1"});
    let yes = |token: &str| json!({"token": token, "approved": true, "artifact": artifact});
    for guess in ["", id, &token[1..], &token.to_uppercase()] {
        assert_eq!(http(url, "POST", &resolve, &yes(guess)).0, 403, "{guess}");
    }
    assert_eq!(http(url, "GET", &format!("/v1/human-auth/requests/{id}"), &nothing).0, 403);
    let other = json!({"request": "decide", "requestId": "auth-1-0", "approved": true});
    talk.send(&other);

    assert_eq!(http(url, "POST", &resolve, &yes(token)).0, 200);
    let (step, guessed) = (talk.hear(), talk.hear());
    assert_eq!(step["result"]["data"]["status"], "approved", "{step}");
    assert_eq!(guessed["error"]["code"], "POCKET_REQUEST_INVALID", "{guessed}");

    // The same approval again approves nothing, neither this question nor the next.
    assert_eq!(http(url, "POST", &resolve, &yes(token)).0, 409);
    talk.send(&json!({"type": "request_human_auth", "capability": "payment"}));
    let next = talk.hear();
    let next = next["opened"]["requestId"].as_str().unwrap();
    let resolve = format!("/v1/human-auth/requests/{next}/resolve");
    assert_eq!(http(url, "POST", &resolve, &yes(token)).0, 403);
    let note = "my card is 4111";
    let no = json!({"request": "decide", "requestId": next, "approved": false, "note": note});
    talk.send(&no);
    let told = [talk.hear(), talk.hear()];
    assert!(told.iter().any(|answer| answer["error"]["code"] == "POCKET_HUMAN_REJECTED"));
    talk.did(&json!({"type": "finish"}));
    assert_eq!(talk.end(), 0);

    for name in ["session.md", "session.jsonl"] {
        let text = fs::read_to_string(folder.0.join("session").join(name)).unwrap();
        for secret in [token, "token=", "human-auth/auth", "482915", note] {
            assert!(!text.contains(secret), "{name} has {secret}: {text}");
        }
    }
}
