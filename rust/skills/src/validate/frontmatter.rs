//! The head of SKILL.md, which is what agents read first.

use crate::problem::{Problem, Problems};
use clawperator_contract::ErrorCode;
use clawperator_tree::{Node, Place, Tree};

const RULE: &str = "skill-md";
const CODE: ErrorCode = ErrorCode::SkillValidationFailed;
const TYPE: &str = "clawperator-skill-type";
const TYPES: [&str; 3] = ["replay", "orchestrated", "script"];

/// Everything wrong with it.
pub(super) fn check(file: &str, text: &str, id: &str) -> Vec<Problem> {
    let mut problems = Problems::new(file, text);
    let Some(head) = head(text) else {
        let message = "it must begin with a head between two lines ---";
        problems.error(CODE, RULE, Place { line: 1, column: 1 }, message).hint =
            Some(format!("begin it with:\n---\nname: {id}\ndescription: what it does\n---"));
        return problems.into_sorted();
    };
    match Tree::parse(head) {
        Err((place, why)) => {
            problems.error(CODE, RULE, below(place), format!("the head is no YAML: {why}"));
        }
        Ok(mut tree) => {
            tree.shift(&below);
            look(&tree, id, &mut problems);
        }
    }
    problems.into_sorted()
}

/// From a place in the head to one in the file: the line --- is above it.
fn below(place: Place) -> Place {
    Place { line: place.line + 1, ..place }
}

fn head(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rest = text.strip_prefix("---")?;
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))?;
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some(&rest[..at]);
        }
        at += line.len();
    }
    None
}

fn look(tree: &Tree, id: &str, problems: &mut Problems<'_>) {
    if !matches!(tree.node, Node::Map(_)) {
        let message = format!("the head must be a map, not {}", tree.kind());
        problems.error(CODE, RULE, tree.place, message);
        return;
    }
    match tree.get("name") {
        Some(name) if name.text() == Some(id) => {}
        Some(name) => {
            let seen = name.scalar().unwrap_or_else(|| name.kind().to_owned());
            let message = format!("the name must be the skill's id {id:?}, not {seen:?}");
            problems.error(CODE, RULE, name.place, message);
        }
        None => {
            let message = format!("the head has no name; it must be {id:?}");
            problems.error(CODE, RULE, tree.place, message);
        }
    }
    let described = |value: &&Tree| value.text().is_some_and(|text| !text.trim().is_empty());
    if tree.get("description").filter(described).is_none() {
        let message = "the head has no description, by which agents choose a skill";
        problems.error(CODE, RULE, tree.place, message);
    }
    if let Some(kind) = tree.get(TYPE)
        && !kind.text().is_some_and(|kind| TYPES.contains(&kind))
    {
        let message = format!("{TYPE} is one of {}", TYPES.join(", "));
        problems.warning(CODE, RULE, kind.place, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(u64, String)> {
        check("SKILL.md", text, "a.b").into_iter().map(|p| (p.line, p.message)).collect()
    }

    #[test]
    fn a_head_names_the_skill_and_says_what_it_does() {
        assert!(told("---\nname: a.b\ndescription: |-\n  Two\n  lines\n---\n# x\n").is_empty());
        assert!(told("---\r\nname: \"a.b\"\r\ndescription: x\r\n---\r\n").is_empty());
        let wrong = told("---\nname: a.c\nclawperator-skill-type: odd\n---\n");
        assert_eq!(wrong.len(), 3, "{wrong:?}");
        assert!(wrong.iter().any(|(line, message)| *line == 2 && message.contains("\"a.c\"")));
        assert!(told("# x\n")[0].1.contains("between two lines"));
        assert!(told("---\nname: a.b\n")[0].1.contains("between two lines"));
        assert!(told("---\nname: [\n---\n")[0].1.contains("no YAML"));
        assert!(told("---\n- a\n---\n")[0].1.contains("must be a map"));
    }
}
