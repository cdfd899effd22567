//! `recipe`: documents that compile to executions, checked, compiled, run and tested.

mod key;
mod test;

use crate::args::Globals;
use crate::args::recipe::{Inputs, Leave, RecipeWhat};
use crate::human::{BAD, GOOD, ODD, QUIET, say, styled};
use crate::output::{DONE, FAILED, Format};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::dispatch::Stop;
use clawperator_serve::hand::PhoneHand;
use clawperator_skills::check::{self, Checked};
use clawperator_skills::compile;
use clawperator_skills::policy::Policy;
use clawperator_skills::problem::{self, Problem, Severity};
use clawperator_skills::recipe::Recipe;
use clawperator_skills::run::{Order, Outcome, Report};
pub(crate) use key::redactor;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

pub(crate) fn run(what: &RecipeWhat, globals: &Globals, format: Format) -> ExitCode {
    match what {
        RecipeWhat::Validate { files } => validate(files, format),
        RecipeWhat::Compile { file, inputs } => match compiled(file, inputs) {
            Ok(answer) => format.answer(&answer, DONE),
            Err(failure) => refuse(&failure, format),
        },
        RecipeWhat::Run { file, inputs, leave } => match ran(file, inputs, leave, globals) {
            Ok(report) => told(&report, format),
            Err(failure) => refuse(&failure, format),
        },
        RecipeWhat::Test { files } => test::run(files, format),
    }
}

/// A file, read and checked.
pub(crate) struct Opened {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) checked: Checked,
}

impl Opened {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let text = text_of(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let checked = check::check_in(folder.unwrap_or(Path::new(".")), &name, &text)?;
        Ok(Self { name, text, checked })
    }

    /// The recipe, if it may act.
    pub(crate) fn sound(&self) -> Result<&Recipe, Failure> {
        self.checked.sound()
    }
}

pub(crate) fn text_of(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| {
        Failure::new(ErrorCode::InputUnreadable, format!("{}: {error}", path.display()))
            .hint(ErrorCode::InputUnreadable.remedy())
    })
}

fn validate(files: &[PathBuf], format: Format) -> ExitCode {
    let mut answers = Vec::new();
    let mut valid = true;
    for path in files {
        let opened = match Opened::open(path) {
            Ok(opened) => opened,
            Err(failure) => return format.failure(&failure),
        };
        valid &= opened.checked.is_sound();
        if format == Format::Human {
            say(&verdict(&opened));
        }
        answers.push(about(&opened));
    }
    let code = if valid { DONE } else { FAILED };
    if format == Format::Human {
        return ExitCode::from(code);
    }
    if valid {
        return format.answer(&json!({"valid": true, "recipes": answers}), code);
    }
    let wrong = answers.iter().filter(|answer| answer["valid"] == false).count();
    let said = format!("{wrong} of {} recipes cannot be used", answers.len());
    let failure = Failure::new(ErrorCode::RecipeInvalid, said)
        .detail("recipes", answers)
        .hint(ErrorCode::RecipeInvalid.remedy());
    format.failure(&failure)
}

/// A document and everything wrong with it, for programs.
fn about(opened: &Opened) -> Value {
    let problems = serde_json::to_value(&opened.checked.problems).unwrap_or_default();
    let mut answer = json!({
        "file": opened.name,
        "valid": opened.checked.is_sound(),
        "problems": problems,
    });
    if let Some(recipe) = &opened.checked.recipe {
        answer["recipeId"] = recipe.id.as_str().into();
        answer["recipeVersion"] = recipe.version.to_string().into();
        let inputs = recipe.inputs.iter().map(
            |input| json!({"name": input.name, "type": input.kind, "required": input.required}),
        );
        answer["inputs"] = inputs.collect();
        let outputs = recipe.outputs.iter().map(|output| {
            json!({"name": output.name, "type": output.kind, "redaction": output.redaction})
        });
        answer["outputs"] = outputs.collect();
    }
    answer
}

/// The same for people.
fn verdict(opened: &Opened) -> String {
    let mut text = shown(&opened.checked.problems);
    let count =
        |severity| opened.checked.problems.iter().filter(|p| p.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mark = match (opened.checked.is_sound(), warnings) {
        (true, 0) => styled(GOOD, "✓"),
        (true, _) => styled(ODD, "✓"),
        (false, _) => styled(BAD, "✗"),
    };
    let counts = match (errors, warnings) {
        (0, 0) => String::new(),
        _ => format!(": {}, {}", counted(errors, "error"), counted(warnings, "warning")),
    };
    text += &format!("{mark} {}{counts}\n", opened.name);
    text
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn shown(problems: &[Problem]) -> String {
    problems.iter().map(|problem| problem.shown() + "\n").collect()
}

/// A failure, with the lines it is about where it is about a document.
fn refuse(failure: &Failure, format: Format) -> ExitCode {
    if format != Format::Human {
        return format.failure(failure);
    }
    let problems = failure.details.get("problems").and_then(Value::as_array);
    let Some(problems) = problems else { return format.failure(failure) };
    for problem in problems {
        say(problem["shown"].as_str().unwrap_or_default());
    }
    ExitCode::from(FAILED)
}

fn values(inputs: &Inputs) -> Result<BTreeMap<String, String>, Failure> {
    let mut values = BTreeMap::new();
    for (name, value) in &inputs.vars {
        if values.insert(name.clone(), value.clone()).is_some() {
            let said = format!("the input \"{name}\" is given twice");
            return Err(Failure::new(ErrorCode::Usage, said));
        }
    }
    Ok(values)
}

fn compiled(file: &Path, inputs: &Inputs) -> Result<Value, Failure> {
    let opened = Opened::open(file)?;
    let recipe = opened.checked.well_formed()?;
    let made = compile::compile(recipe, (&opened.name, &opened.text), &values(inputs)?)
        .map_err(|problems| problem::refusal(&problems))?;
    let mut answer = json!({"execution": made.execution});
    // What only stops a run is said, and stops nothing here.
    if !opened.checked.problems.is_empty() {
        answer["problems"] = json!(opened.checked.problems);
    }
    Ok(answer)
}

fn ran(file: &Path, inputs: &Inputs, leave: &Leave, globals: &Globals) -> Result<Report, Failure> {
    let opened = Opened::open(file)?;
    let recipe = opened.sound()?;
    let policy = policy(leave)?;
    let redactor = redactor()?;
    let order = Order {
        recipe,
        source: (&opened.name, &opened.text),
        inputs: &values(inputs)?,
        profile: policy.profile(&leave.profile)?,
        yes: &leave.allow,
        redactor: &redactor,
    };
    let prepared = order.prepare()?;
    let phone = globals.phone()?;
    let _alone = globals.claim(phone.as_ref(), &recipe.id)?;
    let stop = Stop::default();
    super::execution::stop_on_signals(&stop);
    let package = globals.package();
    prepared.run(&mut PhoneHand::new(globals.route(phone.as_ref(), &package, &stop)))
}

/// The policy that was named, or the built-in one.
fn policy(leave: &Leave) -> Result<Policy, Failure> {
    leave.policy.as_deref().map_or_else(policy_of_the_environment, policy_of)
}

/// The policy the environment names, or the built-in one.
pub(crate) fn policy_of_the_environment() -> Result<Policy, Failure> {
    let named = env::var_os("CLAWPERATOR_POLICY").filter(|path| !path.is_empty());
    named.map_or_else(|| Ok(Policy::default()), |path| policy_of(Path::new(&path)))
}

/// The policy of a file.
pub(crate) fn policy_of(path: &Path) -> Result<Policy, Failure> {
    Policy::read(&path.display().to_string(), &text_of(path)?)
        .map_err(|problems| problem::refusal(&problems))
}

fn told(report: &Report, format: Format) -> ExitCode {
    if format != Format::Human {
        return format.answer(report, DONE);
    }
    let mut text = String::new();
    for step in &report.steps {
        let mark = if step.success { styled(GOOD, "✓") } else { styled(BAD, "✗") };
        let error = step.error.as_ref().map(|code| format!(" {code}")).unwrap_or_default();
        text += &format!("{mark} {} {}{error}\n", step.id, styled(QUIET, &step.kind));
    }
    for (name, value) in &report.outputs {
        text += &format!("{name} = {value}\n");
    }
    for missing in &report.missing_outputs {
        text += &format!("{} {}: {}\n", styled(ODD, "no"), missing.name, missing.reason);
    }
    for ambiguity in &report.ambiguities {
        text += &format!(
            "{} {}: {} targets, {} expected\n",
            styled(ODD, "ambiguous"),
            ambiguity.step,
            ambiguity.seen,
            ambiguity.expected
        );
    }
    for skipped in &report.skipped {
        text += &format!("{} {skipped}\n", styled(ODD, "skipped"));
    }
    for warning in &report.warnings {
        text += &format!("{} {warning}\n", styled(ODD, "warning:"));
    }
    let style = if report.status == Outcome::Success { GOOD } else { ODD };
    text += &format!("{}\n", styled(style, report.status.name()));
    say(&text);
    ExitCode::from(DONE)
}
