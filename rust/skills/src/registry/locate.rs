//! From what is wrong with a value to the line it stands on.

use super::shape::{Step, Violation};
use crate::problem::{Problem, Problems};
use clawperator_contract::ErrorCode;
use clawperator_tree::{Node, Place, Tree};

/// The violations of a file as problems with their lines. The lines are looked up only now: a file
/// in which nothing is wrong is read once, and fast.
pub(crate) fn problems(
    file: &str,
    text: &str,
    code: ErrorCode,
    rule: &'static str,
    violations: Vec<Violation>,
) -> Vec<Problem> {
    if violations.is_empty() {
        return Vec::new();
    }
    let tree = Tree::parse(text).ok();
    let mut problems = Problems::new(file, text);
    for violation in violations {
        let place = tree.as_ref().map_or(Place::default(), |tree| place(tree, &violation.path));
        let problem = if violation.only_warns {
            problems.warning(code, rule, place, violation.message)
        } else {
            problems.error(code, rule, place, violation.message)
        };
        problem.hint = violation.hint;
    }
    problems.into_sorted()
}

/// A problem of a file as a whole.
pub(crate) fn whole(
    file: &str,
    code: ErrorCode,
    rule: &'static str,
    message: impl Into<String>,
) -> Problem {
    let mut problems = Problems::new(file, "");
    problems.error(code, rule, Place::default(), message);
    problems.into_sorted().swap_remove(0)
}

/// Where the value of a path stands, or the nearest around it.
fn place(tree: &Tree, path: &[Step]) -> Place {
    let mut at = tree;
    for step in path {
        let next = match (step, &at.node) {
            (Step::Key(key), _) => at.get(key),
            (Step::Index(index), Node::List(items)) => items.get(*index),
            (Step::Index(_), _) => None,
        };
        match next {
            Some(next) => at = next,
            None => break,
        }
    }
    at.place
}
