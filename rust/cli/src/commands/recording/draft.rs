//! `recording parse --recipe`: a recipe that does again what was recorded.

use crate::human::{GOOD, ODD, QUIET, say, styled};
use crate::output::{DONE, Format};
use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::recording::{
    self, Act as Done, Certainty, Direction, Event, Recording, Step, Touched,
};
use clawperator_skills::draft::{self, Act, Draft, NoDraft, Recorded, Touch, What};
use clawperator_skills::literals::denylist::Sources;
use clawperator_skills::literals::{self, Repository};
use clawperator_skills::problem;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

/// What was written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    ok: bool,
    output_file: String,
    recipe_id: String,
    step_count: usize,
    vars: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

pub(super) fn run(input: &Path, out: Option<&Path>, format: Format) -> ExitCode {
    match (written(input, out), format) {
        (Ok(written), Format::Human) => show(&written),
        (answer, _) => format.result(answer),
    }
}

fn written(input: &Path, out: Option<&Path>) -> Result<Written, Failure> {
    let recording = recording::read(input)?;
    let log = recording::steps(&recording);
    let recorded = recorded(&recording, &log.steps);
    // What somebody typed is theirs wherever it comes up again.
    let typed: Vec<&String> = log.steps.iter().filter_map(typed).collect();
    let repository = Repository::at(Path::new("."));
    let denylist = Sources::of_the_environment(&repository).read()?;
    let options = literals::Options { denylist: Some(&denylist), only: None };
    let is_personal = |text: &str| {
        !literals::scan(text, options).is_empty() || typed.iter().any(|typed| text.contains(*typed))
    };
    let Draft { text, recipe_id, step_count, vars, warnings } =
        draft::draft(&recorded, &is_personal).map_err(|none| none_made(&none))?;
    let kind = (".recipe.md", "recipe");
    let output_file = recording::write_beside(input, out, kind, text.as_bytes())?;
    let warnings = log.warnings.into_iter().chain(warnings).collect();
    Ok(Written { ok: true, output_file, recipe_id, step_count, vars, warnings })
}

fn none_made(none: &NoDraft) -> Failure {
    match none {
        NoDraft::Nothing => {
            let said = "the recording shows nothing that a recipe could do";
            Failure::new(ErrorCode::RecordingParseFailed, said).hint(
                "Record taps in an app; `recording parse` without --recipe lists what is in it.",
            )
        }
        NoDraft::Unsound(problems) => {
            let why = problem::failure(problems).map(|failure| failure.message);
            let said = format!("the draft breaks a rule: {}", why.unwrap_or_default());
            Failure::new(ErrorCode::InternalError, said).hint(ErrorCode::InternalError.remedy())
        }
    }
}

/// The steps of a recording in the words of drafts.
fn recorded(recording: &Recording, steps: &[Step]) -> Recorded {
    let packages = recording::packages(recording);
    let mut acts = Vec::new();
    let mut events = recording.events.iter().peekable();
    for step in steps {
        // The app's window is the event of a step that opened one.
        let mut line = 0;
        let mut screens = Vec::new();
        while let Some(event) = events.next_if(|event| event.seq <= last_seq(step)) {
            if event.seq == step.seq {
                line = event.line;
            }
            screens.extend(event.snapshot.clone());
        }
        acts.push(Act {
            seq: step.seq,
            line,
            what: what(&step.act),
            screens,
            windows: step.windows.iter().map(|seen| seen.window.title.clone()).collect(),
            guessed: step.certainty == Certainty::Guess,
        });
    }
    Recorded {
        session_id: recording.header.session_id.clone(),
        apps: packages.apps,
        dialogs: packages.dialogs,
        acts,
        last_screens: events.filter_map(|event: &Event| event.snapshot.clone()).collect(),
    }
}

fn typed(step: &Step) -> Option<&String> {
    match &step.act {
        Done::EnterText { text: Some(text), .. } => Some(text).filter(|text| text.len() > 2),
        _ => None,
    }
}

fn last_seq(step: &Step) -> i64 {
    match &step.act {
        Done::EnterText { last_seq, .. } | Done::Scroll { last_seq, .. } => *last_seq,
        _ => step.seq,
    }
}

fn what(act: &Done) -> What {
    match act {
        Done::OpenApp { package_name, .. } => What::OpenApp { package: package_name.clone() },
        Done::Click(node) => What::Click(touch(node, false)),
        Done::LongClick(node) => What::Click(touch(node, true)),
        Done::Scroll { package_name, resource_id, direction, .. } => What::Scroll {
            package: package_name.clone(),
            resource_id: resource_id.clone(),
            direction: direction.map(Direction::name),
        },
        Done::EnterText { package_name, .. } => What::Other {
            package: Some(package_name.clone()),
            told: "typing into a field; a recipe cannot enter text".to_owned(),
        },
        Done::PressKey { key } => What::Other {
            package: None,
            told: format!("the key {key}; a recipe cannot press keys"),
        },
    }
}

fn touch(node: &Touched, long: bool) -> Touch {
    let edges = node.bounds;
    Touch {
        package: node.package_name.clone(),
        resource_id: node.resource_id.clone(),
        text: node.text.clone(),
        content_desc: node.content_desc.clone(),
        bounds: [edges.left, edges.top, edges.right, edges.bottom],
        long,
    }
}

/// For people: where it is, what is to be checked, and how it is run.
fn show(written: &Written) -> ExitCode {
    let mut text = String::new();
    for warning in &written.warnings {
        text += &format!("{} {warning}\n", styled(ODD, "warning:"));
    }
    text +=
        &format!("{} {} steps in {}\n", styled(GOOD, "✓"), written.step_count, written.output_file);
    let vars: String = written
        .vars
        .iter()
        .map(|(name, value)| format!(" --var {}", quoted(name, value)))
        .collect();
    let run = format!("clawperator recipe run {}{vars}", written.output_file);
    text += &format!("  {}\n", styled(QUIET, &run));
    say(&text);
    ExitCode::from(DONE)
}

/// As a shell takes it.
fn quoted(name: &str, value: &str) -> String {
    format!("'{name}={}'", value.replace('\'', r"'\''"))
}
