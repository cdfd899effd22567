//! What is about to be pushed.

use crate::repo::{Repo, blocked, git, one};
use clawperator_contract::ErrorCode;
use clawperator_skills::literals::Kind;

#[test]
fn commits_to_be_pushed_are_looked_at_even_where_a_later_one_mends_them() {
    let repo = Repo::new();
    let base = repo.git(&["rev-parse", "HEAD"]);
    let bad = repo.commit("a.txt", "Annabella\n");
    let head = repo.commit("a.txt", "mended\n");
    let failure =
        repo.pushed(&format!("refs/heads/main {head} refs/heads/main {base}\n")).unwrap_err();
    assert_eq!(blocked(&failure), one("a.txt", 1, Kind::Denied));
    assert_eq!(failure.details["blocked"][0]["commit"], bad);
    assert!(failure.hint.as_ref().unwrap().contains("git rebase"), "{failure:?}");
    let report = repo.pushed(&format!("refs/heads/main {head} refs/heads/main {bad}\n")).unwrap();
    assert_eq!(report.commits, Some(1));
}

#[test]
fn a_new_branch_is_looked_at_from_what_the_remote_has() {
    let repo = Repo::new();
    let zero = "0".repeat(40);
    repo.commit("a.txt", "Annabella\n");
    let head = repo.git(&["rev-parse", "HEAD"]);
    let refs = format!("refs/heads/new {head} refs/heads/new {zero}\n");
    assert_eq!(blocked(&repo.pushed(&refs).unwrap_err()).len(), 1);
    repo.git(&["update-ref", "refs/remotes/origin/main", &head]);
    assert_eq!(repo.pushed(&refs).unwrap().commits, Some(0));
    // The remote's commit was never fetched: all that is not known to be there is looked at.
    repo.git(&["update-ref", "-d", "refs/remotes/origin/main"]);
    let refs = format!("refs/heads/new {head} refs/heads/new {}\n", "1".repeat(40));
    assert_eq!(blocked(&repo.pushed(&refs).unwrap_err()).len(), 1);
    // A branch that is deleted takes nothing along.
    let refs = format!("(delete) {zero} refs/heads/new {head}\n");
    assert_eq!(repo.pushed(&refs).unwrap().commits, Some(0));
    assert_eq!(repo.pushed("nonsense\n").unwrap_err().code, ErrorCode::SkillsHookFailed);
}

#[test]
fn a_merge_is_looked_at_for_what_it_adds_itself() {
    let repo = Repo::new();
    let base = repo.commit("a.txt", "one\n");
    repo.git(&["checkout", "-qb", "side"]);
    repo.commit("a.txt", "side\n");
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("a.txt", "main\n");
    assert!(!git(&repo.at, &["merge", "side"]).status.success(), "the merge was to conflict");
    let head = repo.commit("a.txt", "both, says Annabella\n");
    let failure =
        repo.pushed(&format!("refs/heads/main {head} refs/heads/main {base}\n")).unwrap_err();
    assert_eq!(blocked(&failure), one("a.txt", 1, Kind::Denied));
}
