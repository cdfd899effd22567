//! `recipe test`: recipes on simulated phones, without a phone in reach.

use super::{Opened, text_of};
use crate::commands::VERSION;
use crate::embedded;
use crate::human::{BAD, GOOD, say, styled};
use crate::output::{DONE, Format};
use clawperator_contract::{ErrorCode, Failure, operator};
use clawperator_host::dispatch::{Route, Stop};
use clawperator_serve::hand::PhoneHand;
use clawperator_skills::cases::{Case, Cases};
use clawperator_skills::policy::{self, Policy};
use clawperator_skills::problem;
use clawperator_skills::run::{self, Order, Redactor};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(super) fn run(files: &[PathBuf], format: Format) -> ExitCode {
    let mut results = Vec::new();
    for file in files {
        match file_of_tests(file).and_then(|tests| run_file(&tests, format)) {
            Ok(ran) => results.extend(ran),
            Err(failure) => return super::refuse(&failure, format),
        }
    }
    let failed = results.iter().filter(|result| result["ok"] == false).count();
    let passed = results.len() - failed;
    if failed == 0 {
        let answer = json!({"ok": true, "passed": passed, "failed": 0, "cases": results});
        return match format {
            Format::Human => {
                say(&format!("{}\n", styled(GOOD, &format!("{passed} passed"))));
                ExitCode::from(DONE)
            }
            _ => format.answer(&answer, DONE),
        };
    }
    let said = format!("{failed} of {} cases did not end as they must", results.len());
    let failure = Failure::new(ErrorCode::RecipeTestFailed, said)
        .detail("passed", passed)
        .detail("failed", failed)
        .detail("cases", results)
        .hint(ErrorCode::RecipeTestFailed.remedy());
    format.failure(&failure)
}

/// The tests themselves, or those beside a recipe.
fn file_of_tests(file: &Path) -> Result<PathBuf, Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if name.ends_with(".test.yaml") {
        return Ok(file.to_owned());
    }
    let stem = [".recipe.md", ".recipe.json"].iter().find_map(|end| name.strip_suffix(end));
    let tests = file.with_file_name(format!("{}.test.yaml", stem.unwrap_or(&name)));
    if tests.exists() {
        return Ok(tests);
    }
    let said = format!("{} has no tests: {} is not there", file.display(), tests.display());
    Err(Failure::new(ErrorCode::InputUnreadable, said)
        .hint("write one; docs/recipes.md has an example"))
}

fn run_file(tests: &Path, format: Format) -> Result<Vec<Value>, Failure> {
    let name = tests.display().to_string();
    let cases =
        Cases::read(&name, &text_of(tests)?).map_err(|problems| problem::refusal(&problems))?;
    let folder = tests.parent().unwrap_or(Path::new("."));
    let opened = Opened::open(&folder.join(&cases.recipe))?;
    opened.sound()?;
    let mut results = Vec::new();
    for case in &cases.cases {
        let differences = run_case(case, &opened, folder)?;
        let ok = differences.is_empty();
        if format == Format::Human {
            let mark = if ok { styled(GOOD, "✓") } else { styled(BAD, "✗") };
            let lines: String =
                differences.iter().map(|difference| format!("  {difference}\n")).collect();
            say(&format!("{mark} {}: {}\n{lines}", cases.recipe, case.name));
        }
        results.push(json!({
            "test": name, "case": case.name, "ok": ok, "differences": differences,
        }));
    }
    Ok(results)
}

/// One case, on a phone of its own.
fn run_case(case: &Case, opened: &Opened, folder: &Path) -> Result<Vec<String>, Failure> {
    let within = |name: &Option<String>| name.as_ref().map(|name| folder.join(name));
    let phone =
        embedded::boot_with(within(&case.apps).as_deref(), within(&case.screens).as_deref())?;
    let stop = Stop::default();
    let mut hand = PhoneHand::new(Route {
        device: &phone,
        package: operator::RELEASE_PACKAGE,
        host_version: VERSION,
        link: None,
        evidence: None,
        stop: &stop,
    });
    let policy = Policy::default();
    let order = Order {
        recipe: opened.sound()?,
        source: (&opened.name, &opened.text),
        inputs: &case.inputs,
        profile: policy.profile(policy::DEFAULT)?,
        yes: &case.allow,
        redactor: &Redactor::revealing(),
    };
    Ok(case.expect.differences(&run::run(&order, &mut hand)))
}
