//! What is about to be committed.

use crate::repo::{Repo, blocked, one};
use clawperator_skills::literals::Kind;

#[test]
fn a_clean_change_passes_and_says_how_much_was_looked_at() {
    let repo = Repo::new();
    repo.write("a.txt", "one\ntwo\n");
    let report = repo.staged().unwrap();
    assert_eq!((report.files, report.lines, report.denied_terms), (1, 2, 2));
}

#[test]
fn a_new_line_with_a_denied_text_is_named_and_the_text_is_not() {
    let repo = Repo::new();
    repo.commit("a.txt", "1\n2\n3\n4\n5\n");
    repo.write("a.txt", "1\n2\nfor aNNABELLA here\n3\n4\n5\n");
    let failure = repo.staged().unwrap_err();
    assert_eq!(blocked(&failure), one("a.txt", 3, Kind::Denied));
    assert!(failure.message.contains("a.txt:3:5: denied \"a********\""), "{failure}");
    let all = serde_json::to_string(&failure).unwrap().to_lowercase();
    assert!(!all.contains("annabella"), "{all}");
}

#[test]
fn old_lines_and_deleted_ones_are_not_looked_at() {
    let repo = Repo::new();
    repo.commit("a.txt", "Annabella\nx\ny\nAnnabella\n");
    repo.write("a.txt", "x\nnew\ny\nAnnabella\n");
    assert_eq!(repo.staged().unwrap().lines, 1);
}

#[test]
fn a_serial_is_blocked_in_any_file_and_an_email_only_in_a_recipe() {
    let repo = Repo::new();
    repo.write("a.sh", "adb -s R58M123ABCD shell\n# by anna@gmail.com\n");
    repo.write("b.recipe.md", "ask anna@gmail.com\n");
    let failure = repo.staged().unwrap_err();
    let mut expected = one("a.sh", 1, Kind::Serial);
    expected.extend(one("b.recipe.md", 1, Kind::Email));
    assert_eq!(blocked(&failure), expected);
}

#[test]
fn an_allow_comment_on_an_old_line_before_the_new_one_counts() {
    let repo = Repo::new();
    repo.commit("a.sh", "x\n# clawperator:allow serial of the museum's phone\ny\n");
    repo.write("a.sh", "x\n# clawperator:allow serial of the museum's phone\nR58M123ABCD\ny\n");
    assert_eq!(repo.staged().unwrap().lines, 1);
}

#[test]
fn odd_names_renames_and_binary_files_are_no_obstacle() {
    let repo = Repo::new();
    repo.commit("old name.txt", "same\nsame2\nsame3\nsame4\nsame5\n");
    repo.git(&["mv", "old name.txt", "new\tnäme \"x\".txt"]);
    repo.write("new\tnäme \"x\".txt", "same\nsame2\nsame3\nsame4\nsame5\nAnnabella\n");
    repo.write("picture.bin", b"\0\x01Annabella\0");
    repo.write("-dash --cached", "Annabella\n");
    repo.write("latin1.txt", b"gr\xfc\xdfe\nAnnabella\n");
    let failure = repo.staged().unwrap_err();
    let mut found = blocked(&failure);
    found.sort();
    let mut expected = one("-dash --cached", 1, Kind::Denied);
    expected.extend(one("latin1.txt", 2, Kind::Denied));
    expected.extend(one("new\\tnäme \"x\".txt", 6, Kind::Denied));
    assert_eq!(found, expected);
}

#[test]
fn a_files_name_is_looked_at_too() {
    let repo = Repo::new();
    repo.write("notes/annabella.txt", "x\n");
    let failure = repo.staged().unwrap_err();
    assert_eq!(blocked(&failure), one("notes/a********.txt", 0, Kind::Denied));
    assert!(!failure.to_string().contains("annabella"), "{failure}");
}

#[test]
fn nobodys_settings_change_what_is_seen() {
    let repo = Repo::new();
    for (key, value) in [
        ("diff.noprefix", "true"),
        ("color.ui", "always"),
        ("diff.external", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.context", "9"),
        ("core.quotePath", "false"),
        ("diff.wsErrorHighlight", "all"),
        ("log.showSignature", "true"),
        ("format.pretty", "full"),
    ] {
        repo.git(&["config", key, value]);
    }
    let base = repo.git(&["rev-parse", "HEAD"]);
    repo.write("ä b.txt", "\n\nAnnabella\n");
    assert_eq!(blocked(&repo.staged().unwrap_err()), one("ä b.txt", 3, Kind::Denied));
    let head = repo.commit("c.txt", "x\n");
    let refs = format!("refs/heads/main {head} refs/heads/main {base}\n");
    assert_eq!(blocked(&repo.pushed(&refs).unwrap_err()), one("ä b.txt", 3, Kind::Denied));
}
