//! Where denylists are found, and which are refused.

use crate::repo::{Repo, blocked, one};
use clawperator_contract::ErrorCode;
use clawperator_skills::literals::denylist::Sources;
use clawperator_skills::literals::guard::scan_staged;
use clawperator_skills::literals::{Kind, Repository};

#[test]
fn a_denylist_in_the_repository_or_by_name_adds_to_the_one_at_home() {
    let repo = Repo::new();
    repo.write(".git/info/clawperator-blocked-terms", "Bedlam\n");
    let named = repo.folder.write("mine.txt", "Cuthbert\n");
    let sources = Sources { named: Some(named), ..repo.sources() };
    let denylist = sources.read().unwrap();
    assert_eq!((denylist.len(), denylist.files.len()), (4, 3));
    // A second worktree has the same one.
    repo.git(&["worktree", "add", "-q", "../second"]);
    let repository = Some(Repository::at(&repo.folder.path().join("second")));
    let denylist = Sources { repository, ..Sources::default() }.read().unwrap();
    assert_eq!(denylist.len(), 1);
}

#[test]
fn a_denylist_that_is_tracked_or_missing_is_refused() {
    let repo = Repo::new();
    repo.commit("terms.txt", "Bedlam\n");
    let named = |name: &str| Sources { named: Some(repo.at.join(name)), ..repo.sources() };
    let failure = named("terms.txt").read().unwrap_err();
    assert_eq!(failure.code, ErrorCode::SkillsHookFailed);
    assert!(failure.message.contains("tracked by git"), "{failure}");
    assert!(named("none.txt").read().unwrap_err().message.contains("cannot be read"));
    repo.write("untracked.txt", "Bedlam\n");
    assert_eq!(named("untracked.txt").read().unwrap().len(), 3);
}

#[test]
fn without_a_denylist_serials_are_still_looked_for() {
    let repo = Repo::new();
    repo.write("a.txt", "R58M123ABCD\n");
    repo.git(&["add", "."]);
    let failure = scan_staged(&repo.repository(), &Sources::default()).unwrap_err();
    assert_eq!(blocked(&failure), one("a.txt", 1, Kind::Serial));
}
