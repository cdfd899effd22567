//! Running recipes on a phone that answers what it is told to: what is sent, what is told, and
//! what is kept back.

#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

mod common;

use clawperator_contract::envelope::StepData;
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure, StepResult};
use clawperator_skills::policy::Policy;
use clawperator_skills::recipe::words::Capability;
use clawperator_skills::run::{Hand, Order, Outcome, Redactor, Report, run};
use clawperator_skills::{check, recipe};
use common::{SOUND, vars, with};
use serde_json::json;

/// A phone on which every step works, but for those that are told otherwise.
#[derive(Default)]
struct Told {
    texts: Vec<(&'static str, &'static str)>,
    fails: Vec<(&'static str, ErrorCode)>,
    counts: Vec<(&'static str, u64)>,
    version: Option<u64>,
    sent: Vec<Execution>,
}

impl Hand for Told {
    fn execute(&mut self, execution: &Execution) -> Result<Envelope, Failure> {
        self.sent.push(execution.clone());
        let mut results = Vec::new();
        for action in execution.actions() {
            let (id, kind) = (action.id(), action.kind().spec().name);
            if let Some((_, code)) = self.fails.iter().find(|(step, _)| *step == id) {
                results.push(StepResult::failure(id, kind, *code, "Zora's room is not there"));
                break;
            }
            let mut data = StepData::new();
            let text = self.texts.iter().find(|(step, _)| *step == id);
            data.extend(text.map(|(_, text)| ("text".to_owned(), (*text).to_owned())));
            let count = self.counts.iter().find(|(step, _)| *step == id);
            data.extend(count.map(|(_, count)| ("count".to_owned(), count.to_string())));
            results.push(StepResult::success(id, kind, data));
        }
        Ok(Envelope::of_steps(execution.command_id(), execution.task_id(), results))
    }

    fn version_code(&mut self, _package: &str) -> Result<Option<u64>, Failure> {
        Ok(self.version)
    }
}

fn run_as(
    text: &str,
    hand: &mut Told,
    profile: &str,
    yes: &[Capability],
) -> Result<Report, Failure> {
    let file = "heating.recipe.md";
    let recipe = recipe::read(file, text).recipe.unwrap();
    let policy = Policy::default();
    let order = Order {
        recipe: &recipe,
        source: (file, text),
        inputs: &vars(&[("room", "Zora's room")]),
        profile: policy.profile(profile)?,
        yes,
        redactor: &Redactor::new([1; 32]),
    };
    run(&order, hand)
}

fn run_on(text: &str, hand: &mut Told) -> Result<Report, Failure> {
    run_as(text, hand, "default", &[])
}

fn reading(text: &'static str) -> Told {
    Told { texts: vec![("read_temperature", text)], ..Told::default() }
}

#[test]
fn a_run_tells_its_outputs_and_nothing_else_of_the_screen() {
    let mut hand = reading("21.5 °C in Zora's room");
    let report = run_on(SOUND, &mut hand).unwrap();
    assert_eq!(report.status, Outcome::Success);
    let told = serde_json::to_value(&report).unwrap();
    assert_eq!(told["outputs"], json!({"temperature": 21.5}));
    assert!(!told.to_string().contains("Zora"), "{told}");
    assert_eq!(hand.sent.len(), 1);
}

#[test]
fn the_same_recipe_run_twice_acts_twice() {
    let mut hand = reading("21 °C");
    run_on(SOUND, &mut hand).unwrap();
    run_on(SOUND, &mut hand).unwrap();
    assert_eq!(hand.sent.len(), 2);
    assert_eq!(hand.sent[0], hand.sent[1]);
}

#[test]
fn texts_are_covered_unless_their_author_says_otherwise() {
    for (how, told) in [
        ("", json!("****")),
        (", redaction: none", json!("Zora")),
        (", redaction: drop", json!(null)),
    ] {
        let text = with(
            "{name: temperature, type: number, from: read_temperature, pattern: '([0-9.]+)'}",
            &format!("{{name: who, type: string, from: read_temperature{how}}}"),
        );
        let report = run_on(&text, &mut reading("Zora")).unwrap();
        assert_eq!(report.outputs.get("who").cloned().unwrap_or_default(), told, "{how}");
    }
}

#[test]
fn a_change_that_is_not_seen_is_a_failed_verification() {
    for id in ["warmer.confirm", "read_temperature"] {
        let mut hand = Told { fails: vec![(id, ErrorCode::NodeNotFound)], ..reading("21 °C") };
        let failure = run_on(SOUND, &mut hand).unwrap_err();
        assert_eq!(failure.code, ErrorCode::VerifyFailed, "{id}");
        let told = serde_json::to_value(&failure).unwrap().to_string();
        assert!(!told.contains("Zora"), "the phone's words are kept back: {told}");
    }
}

#[test]
fn a_step_that_fails_is_named_with_its_line_and_its_code() {
    let mut hand = Told { fails: vec![("open_room", ErrorCode::NodeNotFound)], ..Told::default() };
    let failure = run_on(SOUND, &mut hand).unwrap_err();
    assert_eq!(failure.code, ErrorCode::NodeNotFound);
    assert!(failure.message.starts_with("the step \"open_room\" (line 22) failed: "), "{failure}");
    assert_eq!(failure.details["report"]["steps"][2]["error"], "NODE_NOT_FOUND");
    let mut hand =
        Told { fails: vec![("session.open", ErrorCode::AppNotFound)], ..Told::default() };
    let failure = run_on(SOUND, &mut hand).unwrap_err();
    assert!(failure.message.starts_with("the app could not be started anew"), "{failure}");
}

#[test]
fn an_output_that_cannot_be_read_makes_the_run_partial() {
    let report = run_on(SOUND, &mut reading("unknown")).unwrap();
    assert_eq!(report.status, Outcome::Partial);
    assert_eq!(
        report.missing_outputs[0].reason,
        "the pattern does not fit what \"read_temperature\" read"
    );
    let integer = with("type: number, from", "type: integer, from");
    let report = run_on(&integer, &mut reading("21.5")).unwrap();
    assert_eq!(report.missing_outputs[0].reason, "what \"read_temperature\" read is no integer");
}

#[test]
fn targets_are_counted_before_something_is_changed() {
    let text = with("id: warmer\n", "id: warmer\nexpect_count: 2\n");
    let counted = |count| Told { counts: vec![("warmer.count", count)], ..reading("21 °C") };
    let mut two = counted(2);
    assert_eq!(run_on(&text, &mut two).unwrap().status, Outcome::Success);
    assert_eq!(two.sent.len(), 2, "the host looks in between");
    let mut one = counted(1);
    let failure = run_on(&text, &mut one).unwrap_err();
    assert_eq!(failure.code, ErrorCode::RecipeTargetAmbiguous);
    assert_eq!(
        failure.details["report"]["ambiguities"],
        json!([{"step": "warmer", "expected": 2, "seen": 1, "continued": false}])
    );
    assert_eq!(one.sent.len(), 1, "nothing was changed");
    let mut none =
        Told { fails: vec![("warmer.count", ErrorCode::NodeNotFound)], ..Told::default() };
    assert_eq!(run_on(&text, &mut none).unwrap_err().code, ErrorCode::RecipeTargetAmbiguous);
}

#[test]
fn the_way_somewhere_goes_on_with_what_there_is() {
    let text = with("id: open_room\n", "id: open_room\nexpect_count: 2\n");
    let mut hand = Told { counts: vec![("open_room.count", 1)], ..reading("21 °C") };
    let report = run_on(&text, &mut hand).unwrap();
    assert_eq!(report.status, Outcome::Partial);
    assert!(report.ambiguities[0].continued);
}

#[test]
fn an_optional_step_may_fail() {
    let text = with("id: open_room\n", "id: open_room\noptional: true\n");
    let mut hand =
        Told { fails: vec![("open_room", ErrorCode::NodeNotFound)], ..reading("21 °C") };
    let report = run_on(&text, &mut hand).unwrap();
    assert_eq!(report.status, Outcome::Partial);
    assert_eq!(report.skipped, ["open_room"]);
    assert_eq!(hand.sent.len(), 3);
    let ids: Vec<_> = hand.sent.iter().map(|sent| sent.command_id().to_owned()).collect();
    assert!(ids[0].ends_with("-1") && ids[2].ends_with("-3"), "{ids:?}");
}

#[test]
fn an_app_outside_the_versions_is_not_touched() {
    let text = with(
        "capabilities:",
        "compatibility: {min_version_code: 20, max_version_code: 30}\ncapabilities:",
    );
    let mut hand = Told { version: Some(31), ..reading("21 °C") };
    let failure = run_on(&text, &mut hand).unwrap_err();
    assert_eq!(failure.code, ErrorCode::RecipeAppIncompatible);
    assert!(hand.sent.is_empty());
    let mut hand = Told { version: Some(30), ..reading("21 °C") };
    assert!(run_on(&text, &mut hand).unwrap().warnings.is_empty());
    let mut hand = reading("21 °C");
    assert_eq!(run_on(&text, &mut hand).unwrap().warnings.len(), 1);
}

#[test]
fn a_policy_refuses_before_anything_is_sent() {
    let risky = with("click, toggle]", "click, toggle, purchase_risk]");
    let mut hand = reading("21 °C");
    let failure = run_on(&risky, &mut hand).unwrap_err();
    assert_eq!(failure.code, ErrorCode::RecipePolicyDenied);
    assert_eq!(failure.hint.as_deref(), Some("say --allow purchase_risk if you mean it"));
    let failure = run_as(SOUND, &mut hand, "read-only", &[]).unwrap_err();
    assert!(failure.message.contains("denies the capability toggle"), "{failure}");
    let failure = run_as(SOUND, &mut hand, "observe-only", &[Capability::Toggle]).unwrap_err();
    assert!(failure.message.contains("does not allow the capability navigate"), "{failure}");
    assert!(hand.sent.is_empty());
    run_as(&risky, &mut hand, "default", &[Capability::PurchaseRisk]).unwrap();
}

#[test]
fn a_policy_file_adds_profiles_and_says_what_is_wrong_with_it() {
    let text = "profiles:\n  home:\n    allow: [observe, navigate, click, toggle]\n    allow_packages: [com.example.*]\n    forbid_together: [[toggle, purchase_risk]]\n  bank:\n    allow: [observe]\n    deny_packages: [com.example.climate]\n";
    let policy = Policy::read("policy.yaml", text).unwrap();
    let recipe = check::check("heating.recipe.md", SOUND, None).recipe.unwrap();
    policy.profile("home").unwrap().admit(&recipe, &[]).unwrap();
    let yes = [Capability::Navigate, Capability::Click, Capability::Toggle];
    let failure = policy.profile("bank").unwrap().admit(&recipe, &yes).unwrap_err();
    assert!(failure.message.contains("does not allow the app com.example.climate"), "{failure}");
    let risky = with("click, toggle]", "click, toggle, purchase_risk]");
    let recipe = check::check("heating.recipe.md", &risky, None).recipe.unwrap();
    let failure =
        policy.profile("home").unwrap().admit(&recipe, &[Capability::PurchaseRisk]).unwrap_err();
    assert!(
        failure.message.contains("forbids toggle and purchase_risk in one recipe"),
        "{failure}"
    );
    assert!(policy.profile("hom").is_err());
    let problems =
        Policy::read("policy.yaml", "profiles:\n  home:\n    allow: [obsrve]\n").unwrap_err();
    assert_eq!((problems[0].line, problems[0].code), (3, ErrorCode::PolicyInvalid));
    assert_eq!(problems[0].hint.as_deref(), Some("did you mean \"observe\"?"));
}
