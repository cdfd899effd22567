use super::*;
use crate::Outcome;
use crate::normalise;
use std::os::unix::fs::PermissionsExt;

fn act(action: &Value) -> Act {
    let action = normalise(action).action;
    Act { thought: "why".into(), action, notes: Vec::new(), element: None, secret: None }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("pocket-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn what_is_typed_is_not_written_down_and_the_folder_is_the_users_alone() {
    let folder = folder("record-typed");
    let mut record = Record::begin(&folder, "sim").unwrap();
    let typed = act(&json!({"type": "type", "text": "hunter2"}));
    record.step(1, &typed, &Ok(Outcome::new("Typed")), Duration::from_millis(3)).unwrap();
    for name in ["session.jsonl", "session.md"] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        assert!(text.contains("(7 characters)") && !text.contains("hunter2"), "{text}");
        let mode = fs::metadata(folder.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_text_with_a_fence_in_it_does_not_end_its_own() {
    let mut page = String::new();
    fenced(&mut page, "text", "a\n````\nb");
    assert_eq!(page, "`````text\na\n````\nb\n`````\n\n");
}

#[test]
fn a_second_session_does_not_mix_with_the_first() {
    let folder = folder("record-twice");
    drop(Record::begin(&folder, "sim").unwrap());
    let failure = Record::begin(&folder, "sim").err().unwrap();
    assert!(failure.message.contains("holds a session already"), "{failure}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_oldest_pictures_go_first_however_their_names_sort() {
    let folder = folder("record-keep");
    let mut record = Record::begin(&folder, "sim").unwrap();
    let names = ["step-999-look-9.png", "step-999-look-10.png", "step-1000-look-1.png"];
    for name in names {
        record.picture(name, "aGk=").unwrap();
    }
    record.keep(2);
    assert_eq!(names.map(|name| folder.join(name).exists()), [false, true, true]);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn nothing_is_written_through_what_somebody_put_into_the_folder() {
    let folder = folder("record-link");
    let mut record = Record::begin(&folder, "sim").unwrap();
    let victim = folder.join("victim");
    fs::write(&victim, "mine").unwrap();
    std::os::unix::fs::symlink(&victim, folder.join("step-001-look-1-screen.png")).unwrap();
    let failure = record.picture("step-001-look-1-screen.png", "aGk=").unwrap_err();
    assert_eq!(failure.code, ErrorCode::OutputUnwritable);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_a_model_thinks_is_no_markdown_and_what_a_person_notes_is_not_kept() {
    let folder = folder("record-words");
    let mut record = Record::begin(&folder, "sim").unwrap();
    let mut asked = act(&json!({"type": "request_human_auth"}));
    asked.thought = "![x](https://example.com/spy)".into();
    let code = ErrorCode::PocketHumanRejected;
    let no = Err(Failure::new(code, "Human authorization rejected: my code is 482915"));
    record.step(1, &asked, &no, Duration::ZERO).unwrap();
    record.end("FAILED", "![y](https://example.com/spy)").unwrap();
    let page = fs::read_to_string(folder.join("session.md")).unwrap();
    assert!(page.contains("```text\n![x](") && page.contains("```text\n![y]("), "{page}");
    for name in ["session.jsonl", "session.md"] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        assert!(text.contains(code.name()) && !text.contains("482915"), "{text}");
    }
    fs::remove_dir_all(&folder).unwrap();
}
