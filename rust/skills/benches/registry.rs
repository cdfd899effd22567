//! What a repository of 1,000 skills costs: generating its registry and indexes, and checking all
//! of it. Beside them, in the same run, two stock programs over the same files: `cat`, and `find`
//! with `sha256sum`.
//!
//! `cargo bench -p clawperator-skills --bench registry`

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark fails and prints loudly"
)]

use clawperator_skills::index::{generate, schema_text};
use clawperator_skills::registry::{Places, REGISTRY_FILE, SCHEMA_FILE};
use clawperator_skills::validate;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SKILLS: usize = 1_000;
/// Skills of one app, about as in the public repository.
const PER_APP: usize = 2;
const RUNS: usize = 15;

fn main() {
    // `cargo test --benches` runs benches too; there is nothing to test here.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let root = std::env::temp_dir().join(format!("clawperator-registry-{}", std::process::id()));
    (0..SKILLS).for_each(|number| skill(&root, number));
    fs::write(root.join("skills").join(SCHEMA_FILE), schema_text()).unwrap();
    generate(&root).unwrap();
    let (mut cat, mut hash, mut fresh, mut again, mut all) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // Taken in turns, so that whatever else the machine does hits all alike.
    for _ in 0..RUNS {
        cat.push(shell(&root, "find . -type f -print0 | xargs -0 cat"));
        hash.push(shell(&root, "find . -type f -print0 | xargs -0 sha256sum"));
        fs::remove_file(root.join(REGISTRY_FILE)).unwrap();
        fs::remove_dir_all(root.join("skills/generated")).unwrap();
        fresh.push(time(|| assert!(generate(&root).unwrap().changed)));
        again.push(time(|| assert!(!generate(&root).unwrap().changed)));
        all.push(time(|| {
            let registries = Places::resolve(&[root.join(REGISTRY_FILE)], None, None).load();
            let answer = validate::all(&registries.unwrap(), true).unwrap();
            assert_eq!(answer["totalSkills"], SKILLS);
        }));
    }
    let files = shell_output(&root, "find . -type f | wc -l");
    fs::remove_dir_all(&root).unwrap();
    println!("{SKILLS} skills, {} files, median of {RUNS} runs each", files.trim());
    let (cat, hash) = (median(cat), median(hash));
    println!("{:<34} {cat:>10.1?}", "find | cat");
    println!("{:<34} {hash:>10.1?}", "find | sha256sum");
    for (name, times) in [
        ("generate from nothing", fresh),
        ("generate, nothing changed", again),
        ("validate --all --dry-run", all),
    ] {
        let time = median(times);
        let beside = |other: Duration| time.as_secs_f64() / other.as_secs_f64();
        println!(
            "{name:<34} {time:>10.1?}   {:.2} x cat, {:.2} x sha256sum",
            beside(cat),
            beside(hash)
        );
    }
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn shell(root: &Path, script: &str) -> Duration {
    time(|| {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(root).stdout(Stdio::null());
        assert!(command.status().unwrap().success(), "{script}");
    })
}

fn shell_output(root: &Path, script: &str) -> String {
    let output = Command::new("sh").args(["-c", script]).current_dir(root).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn skill(root: &Path, number: usize) {
    let application = format!("com.example.app{:03}", number / PER_APP);
    let intent = format!("get-value-{}", number % PER_APP);
    let id = format!("{application}.{intent}");
    let path = format!("skills/{id}");
    let at = root.join(&path);
    fs::create_dir_all(at.join("scripts")).unwrap();
    fs::create_dir_all(at.join("artifacts")).unwrap();
    let entry = json!({
        "id": id, "applicationId": application, "intent": intent,
        "summary": "Opens the app, goes to the overview and reads the value that stands there.",
        "keywords": ["value", "overview", "reading"],
        "path": path, "skillFile": format!("{path}/SKILL.md"),
        "scripts": [format!("{path}/scripts/run.ts"), format!("{path}/scripts/run.sh")],
        "artifacts": [format!("{path}/artifacts/value.recipe.json")],
        "contract": {"inputs": {"percent": "integer[0,100]"}, "goal": null, "verification": null}
    });
    let template = json!({
        "commandId": "{{COMMAND_ID}}", "taskId": "{{TASK_ID}}", "source": "bench",
        "expectedFormat": "android-ui-automator", "timeoutMs": 60000,
        "actions": [
            {"id": "close", "type": "close_app", "params": {"applicationId": application}},
            {"id": "open", "type": "open_app", "params": {"applicationId": application}},
            {"id": "go", "type": "scroll_and_click", "params": {"matcher": {"textEquals": "{{LABEL}}"}}},
            {"id": "read", "type": "read_text", "params": {"matcher": {"resourceId": "com.example:id/value"}}}
        ]
    });
    let page = format!("---\nname: {id}\ndescription: Reads the value.\n---\n\n# {id}\n\nUsage.\n");
    fs::write(at.join("skill.json"), format!("{entry:#}\n")).unwrap();
    fs::write(at.join("SKILL.md"), page).unwrap();
    fs::write(at.join("scripts/run.ts"), "console.log(1);\n").unwrap();
    fs::write(at.join("scripts/run.sh"), "#!/bin/sh\nexec node run.ts \"$@\"\n").unwrap();
    fs::write(at.join("artifacts/value.recipe.json"), format!("{template:#}\n")).unwrap();
}
