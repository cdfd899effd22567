//! Recipes drafted from recordings: what they name, what they keep back, and what they say.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_skills::check;
use clawperator_skills::compile;
use clawperator_skills::draft::{
    Act, Draft, NoDraft, Recorded, Touch, What, draft, looks_personal,
};
use clawperator_skills::recipe::words::{Capability, Effect, RecipeType};
use clawperator_skills::recipe::{Recipe, Step};
use proptest::prelude::*;
use std::collections::BTreeMap;

const APP: &str = "com.example.home";

/// Nodes written short: nesting by indentation, one node for each line, and its keys.
fn screen(lines: &str) -> String {
    let mut xml =
        String::from("<?xml version='1.0' encoding='UTF-8'?>\n<hierarchy rotation=\"0\">");
    let mut open: Vec<(usize, usize)> = Vec::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        while open.last().is_some_and(|(outer, _)| *outer >= depth) {
            xml += "</node>";
            open.pop();
        }
        let index = open.last_mut().map_or(0, |(_, children)| {
            *children += 1;
            *children - 1
        });
        let keys = line.trim();
        let package = if keys.contains("package=") { "" } else { " package=\"com.example.home\"" };
        let class = if keys.contains("class=") { "" } else { " class=\"android.widget.TextView\"" };
        xml += &format!("<node index=\"{index}\"{package}{class} {keys}>");
        open.push((depth, 0));
    }
    xml += &"</node>".repeat(open.len());
    xml + "</hierarchy>"
}

/// A list of rooms under a title, and a button beside it.
fn rooms() -> String {
    screen(
        r#"
class="android.widget.FrameLayout" bounds="[0,0][100,200]"
 class="androidx.appcompat.widget.Toolbar" bounds="[0,0][100,20]"
  text="Home" bounds="[0,0][50,20]"
 class="androidx.recyclerview.widget.RecyclerView" resource-id="com.example.home:id/rooms" bounds="[0,20][100,150]"
  class="a.Row" clickable="true" resource-id="com.example.home:id/row" bounds="[0,20][100,40]"
   text="Zora's den" resource-id="com.example.home:id/name" bounds="[0,20][50,30]"
   text="21 °C" resource-id="com.example.home:id/value" bounds="[0,30][50,40]"
  class="a.Row" clickable="true" resource-id="com.example.home:id/row" bounds="[0,40][100,60]"
   text="Attic" resource-id="com.example.home:id/name" bounds="[0,40][50,50]"
   text="17 °C" resource-id="com.example.home:id/value" bounds="[0,50][50,60]"
 class="android.widget.ImageButton" content-desc="More options" clickable="true" bounds="[80,0][100,20]"
 class="android.widget.LinearLayout" clickable="true" bounds="[0,150][100,170]"
  text="Holiday" resource-id="android:id/title" bounds="[0,150][50,160]"
  text="Off" resource-id="com.example.home:id/holiday_state" bounds="[0,160][50,170]"
  class="android.widget.Switch" checkable="true" bounds="[60,150][70,160]""#,
    )
}

/// A room, under its name.
fn attic(target: &str) -> String {
    screen(&format!(
        r#"
class="android.widget.FrameLayout" bounds="[0,0][100,200]"
 class="androidx.appcompat.widget.Toolbar" bounds="[0,0][100,20]"
  text="Attic" bounds="[0,0][50,20]"
 text="Climate of the room" bounds="[0,20][50,30]"
 text="Schedule" bounds="[0,30][50,40]"
 text="{target}" resource-id="com.example.home:id/target" bounds="[0,40][50,50]"
 class="android.widget.Button" text="Warmer" clickable="true" resource-id="com.example.home:id/warmer" bounds="[0,50][50,60]"
 class="android.widget.Button" text="Boost" clickable="true" resource-id="android:id/button1" bounds="[0,60][50,70]""#,
    ))
}

fn touch(bounds: [i64; 4]) -> Touch {
    Touch { package: APP.into(), bounds, ..Touch::default() }
}

const ATTIC: [i64; 4] = [0, 40, 100, 60];
const HOLIDAY: [i64; 4] = [0, 150, 100, 170];
const WARMER: [i64; 4] = [0, 50, 50, 60];

/// Acts in the order in which they are added.
#[derive(Default)]
struct Script(Vec<Act>);

impl Script {
    fn act(mut self, what: What, screens: &[String], window: Option<&str>) -> Self {
        let seq = i64::try_from(self.0.len()).unwrap();
        self.0.push(Act {
            seq,
            line: self.0.len() + 2,
            what,
            screens: screens.to_vec(),
            windows: window.map(|title| Some(title.to_owned())).into_iter().collect(),
            guessed: false,
        });
        self
    }

    fn open(self, package: &str, screen: &str) -> Self {
        self.act(What::OpenApp { package: package.into() }, &[screen.into()], None)
    }

    fn click(self, bounds: [i64; 4], screen: &str, window: Option<&str>) -> Self {
        self.act(What::Click(touch(bounds)), &[screen.into()], window)
    }

    fn key(self, key: &str, screen: &str) -> Self {
        let told = format!("the key {key}");
        self.act(What::Other { package: None, told }, &[screen.into()], None)
    }

    fn recorded(self, last: &[String]) -> Recorded {
        Recorded {
            session_id: "demo".into(),
            apps: [APP.to_owned(), "com.example.other".to_owned()].into(),
            dialogs: ["com.android.permissioncontroller".to_owned()].into(),
            acts: self.0,
            last_screens: last.to_vec(),
        }
    }

    /// The draft, which must be sound, and its recipe.
    fn drafted(self, last: &[String]) -> (Draft, Recipe) {
        let draft = draft(&self.recorded(last), &looks_personal).unwrap();
        let checked = check::check("demo.recipe.md", &draft.text, None);
        assert!(checked.is_sound(), "{:?}\n{}", checked.problems, draft.text);
        (draft, checked.recipe.unwrap())
    }
}

fn started() -> Script {
    Script::default().open(APP, &rooms())
}

fn step<'r>(recipe: &'r Recipe, id: &str) -> &'r Step {
    recipe.steps.iter().find(|step| step.id == id).unwrap_or_else(|| {
        panic!("no step {id}: {:?}", recipe.steps.iter().map(|step| &step.id).collect::<Vec<_>>())
    })
}

/// The target of a step, with the values of the recording in place.
fn target(draft: &Draft, recipe: &Recipe, id: &str) -> String {
    let source = ("demo.recipe.md", draft.text.as_str());
    let made = compile::compile(recipe, source, &draft.vars).unwrap();
    let action = made.execution.actions().iter().find(|action| action.id() == id).unwrap();
    let action = serde_json::to_value(action).unwrap();
    let params = &action["params"];
    let node = if params["matcher"].is_null() { &params["where"] } else { &params["matcher"] };
    node.to_string()
}

#[test]
fn an_entry_of_a_list_is_an_input_and_its_text_is_not_in_the_file() {
    let (draft, recipe) =
        started().click(ATTIC, &rooms(), Some("Attic")).drafted(&[attic("19 °C")]);
    assert_eq!(draft.vars, BTreeMap::from([("room".to_owned(), "Attic".to_owned())]));
    for secret in ["Attic", "17 °C", "Zora"] {
        assert!(!draft.text.contains(secret), "{secret}: {}", draft.text);
    }
    assert_eq!(target(&draft, &recipe, "click_the_room"), r#"{"textEquals":"Attic"}"#);
    assert_eq!(step(&recipe, "click_the_room").effect, Some(Effect::Navigate));
    assert_eq!(recipe.id, "com.example.home.demo");
    assert_eq!(recipe.kind, RecipeType::Flow);
}

#[test]
fn the_end_of_the_way_is_something_the_screen_before_did_not_have() {
    let (draft, recipe) =
        started().click(ATTIC, &rooms(), Some("Attic")).drafted(&[attic("19 °C")]);
    // The title is the name of the room, which also stood in the list.
    assert_eq!(target(&draft, &recipe, "arrived"), r#"{"textEquals":"Climate of the room"}"#);
    assert_eq!(recipe.capabilities, [Capability::Observe, Capability::Navigate, Capability::Click]);
}

#[test]
fn a_screen_of_settings_is_known_by_its_rows_if_nothing_else_is_new() {
    let before = rooms()
        .replace("Attic", "Home is here")
        .replace("resource-id=\"com.example.home:id/name\"", "resource-id=\"android:id/title\"");
    let after = screen(
        r#"
class="android.widget.FrameLayout" bounds="[0,0][100,200]"
 class="androidx.appcompat.widget.Toolbar" bounds="[0,0][100,20]"
  text="Home is here" bounds="[0,0][50,20]"
 class="androidx.recyclerview.widget.RecyclerView" bounds="[0,20][100,150]"
  class="a.Row" clickable="true" bounds="[0,20][100,40]"
   text="Zora's den" bounds="[0,20][50,30]"
  class="a.Row" clickable="true" bounds="[0,40][100,60]"
   text="Model" resource-id="android:id/title" bounds="[0,40][50,50]""#,
    );
    let (draft, recipe) = Script::default()
        .open(APP, &before)
        .click(ATTIC, &before, Some("Home is here"))
        .drafted(&[after]);
    assert_eq!(target(&draft, &recipe, "arrived"), r#"{"textEquals":"Model"}"#);
}

#[test]
fn a_change_is_confirmed_where_the_next_screen_shows_it_and_is_read_as_an_output() {
    let (draft, recipe) = started()
        .click(ATTIC, &rooms(), Some("Attic"))
        .click(WARMER, &attic("19 °C"), None)
        .click(WARMER, &attic("20 °C"), None)
        .key("back", &attic("21 °C"))
        .drafted(&[rooms()]);
    assert_eq!(recipe.kind, RecipeType::Action);
    for id in ["click_warmer", "click_warmer_2"] {
        assert_eq!(step(&recipe, id).effect, Some(Effect::Change), "{}", draft.text);
        let confirm = step(&recipe, id).confirm.as_ref().unwrap();
        assert_eq!(confirm.text_matches.as_deref(), Some("^-?[0-9]+(?:[.,][0-9]+)? °C$"));
    }
    // However often it changed, it is read once, after the last time.
    assert_eq!(recipe.steps.len(), 4, "{}", draft.text);
    let read = recipe.steps.last().unwrap();
    assert_eq!(read.id, "read_target");
    assert_eq!(read.verifies.as_ref().unwrap().0, "click_warmer_2");
    assert_eq!(recipe.outputs[0].name, "target");
    assert!(
        draft.warnings.iter().any(|told| told.contains("seq 4 (line 6): left out: the key back"))
    );
}

#[test]
fn a_switch_is_a_change_in_either_state() {
    let on = rooms().replace("text=\"Off\"", "text=\"Everything rests\"");
    let (draft, recipe) = started().click(HOLIDAY, &rooms(), None).drafted(&[on]);
    assert!(recipe.capabilities.contains(&Capability::Toggle), "{}", draft.text);
    let confirm = step(&recipe, "click_holiday").confirm.as_ref().unwrap();
    assert_eq!(confirm.text_matches.as_deref(), Some("^(?:Off|Everything rests)$"));
    assert_eq!(target(&draft, &recipe, "click_holiday"), r#"{"textEquals":"Holiday"}"#);
}

#[test]
fn a_change_nobody_saw_is_verified_all_the_same_and_said() {
    let (draft, recipe) = started().click(HOLIDAY, &rooms(), None).drafted(&[]);
    assert_eq!(step(&recipe, "after_click_holiday").verifies.as_ref().unwrap().0, "click_holiday");
    assert!(
        draft.text.contains("Check: what this click changed was not recorded."),
        "{}",
        draft.text
    );
    assert!(
        draft.warnings[0].contains("end a recording with the Back key"),
        "{:?}",
        draft.warnings
    );
}

#[test]
fn a_selector_counts_only_if_it_leads_to_what_was_touched() {
    // The ids of both rows and of both names are the same, and those of the other row come first.
    let (draft, _) = started().click(ATTIC, &rooms(), Some("Attic")).drafted(&[attic("19 °C")]);
    assert!(!draft.text.contains("home:id/row`"), "{}", draft.text);
    // A framework's id says nothing about the app; the text beside it does.
    let boost = [0, 60, 50, 70];
    let (draft, recipe) = started()
        .click(ATTIC, &rooms(), Some("Attic"))
        .click(boost, &attic("19 °C"), Some("Home"))
        .drafted(&[rooms()]);
    assert_eq!(target(&draft, &recipe, "click_boost"), r#"{"textEquals":"Boost"}"#);
    assert!(draft.text.contains("| 1, used | `text_equals: Boost` |"), "{}", draft.text);
    assert!(draft.text.contains("may also save or send"), "{}", draft.text);
}

#[test]
fn a_tap_whose_screen_came_too_late_is_found_on_the_one_before() {
    // The phone took the screen of the tap only after the tap had done its work.
    let (draft, recipe) =
        started().click(ATTIC, &attic("19 °C"), Some("Attic")).drafted(&[attic("19 °C")]);
    assert_eq!(target(&draft, &recipe, "click_the_room"), r#"{"textEquals":"Attic"}"#);
}

#[test]
fn scrolling_before_a_click_becomes_part_of_it_and_other_scrolling_is_left_out() {
    let scroll = || What::Scroll {
        package: APP.into(),
        resource_id: Some("com.example.home:id/rooms".into()),
        direction: Some("down"),
    };
    let (draft, recipe) = started()
        .act(scroll(), &[], None)
        .click(ATTIC, &rooms(), Some("Attic"))
        .act(scroll(), &[attic("19 °C")], None)
        .drafted(&[]);
    let click = &recipe.steps[0];
    assert_eq!(click.kind.spec().name, "scroll_and_click");
    assert_eq!(click.params["direction"], "down");
    assert!(click.container.is_some(), "{}", draft.text);
    assert!(draft.warnings[0].contains("left out: scrolling"), "{:?}", draft.warnings);
}

#[test]
fn long_presses_other_apps_and_questions_of_the_system_have_their_own_forms() {
    let question = screen(
        r#"
class="android.widget.FrameLayout" package="com.android.permissioncontroller" bounds="[0,0][100,200]"
 class="android.widget.Button" package="com.android.permissioncontroller" text="Allow" clickable="true" bounds="[0,50][50,60]""#,
    );
    let allow = Touch { package: "com.android.permissioncontroller".into(), ..touch(WARMER) };
    let long = Touch { long: true, ..touch([80, 0, 100, 20]) };
    let (draft, recipe) = Script::default()
        .open("com.example.other", "")
        .open(APP, &rooms())
        .act(What::Click(long), &[rooms()], Some("Menu"))
        .act(What::Click(allow), &[question], None)
        .click(ATTIC, &rooms(), Some("Attic"))
        .drafted(&[attic("19 °C")]);
    assert_eq!(recipe.application_id, APP);
    assert_eq!(recipe.steps[0].params["applicationId"], "com.example.other");
    assert_eq!(recipe.steps[1].params["applicationId"], APP);
    assert_eq!(recipe.steps[2].params["clickType"], "long_click");
    assert_eq!(
        target(&draft, &recipe, "press_long_more_options"),
        r#"{"textEquals":"More options"}"#
    );
    assert!(step(&recipe, "click_allow").optional, "{}", draft.text);
    assert!(recipe.capabilities.contains(&Capability::LongClick));
}

#[test]
fn a_text_that_looks_like_one_persons_is_an_input_wherever_it_stands() {
    let xml = rooms().replace("More options", "zora@zora-mail.org");
    let (draft, _) =
        Script::default().open(APP, &xml).click([80, 0, 100, 20], &xml, Some("M")).drafted(&[]);
    assert_eq!(draft.vars.values().collect::<Vec<_>>(), ["zora@zora-mail.org"]);
    assert!(!draft.text.contains("zora"), "{}", draft.text);
}

#[test]
fn what_was_typed_and_what_changes_in_a_list_is_in_no_draft() {
    let form = |value: &str| {
        screen(&format!(
            r#"
class="android.widget.FrameLayout" bounds="[0,0][100,200]"
 class="android.widget.EditText" text="Zora Neale" resource-id="com.example.home:id/who" clickable="true" bounds="[0,0][50,20]"
 class="android.widget.ListView" bounds="[0,20][100,150]"
  text="{value}" resource-id="com.example.home:id/greeting" bounds="[0,20][50,30]"
  text="Nothing else" bounds="[0,30][50,40]"
 class="android.widget.Button" text="Greet" clickable="true" bounds="[0,150][50,160]""#
        ))
    };
    let (draft, recipe) = Script::default()
        .open(APP, &form("-"))
        .click([0, 0, 50, 20], &form("-"), None)
        .click([0, 150, 50, 160], &form("-"), None)
        .drafted(&[form("Hello, Ada")]);
    assert_eq!(step(&recipe, "click_who").effect, Some(Effect::Navigate));
    let watched = step(&recipe, "after_click_greet").verifies.as_ref().unwrap();
    assert_eq!(watched.0, "click_greet");
    assert!(draft.vars.is_empty() && !draft.text.contains("Zora"), "{}", draft.text);
    assert!(!draft.text.contains("Ada"), "{}", draft.text);
}

#[test]
fn texts_with_signs_of_yaml_and_markdown_come_through() {
    let odd = r#"a: "b" `c` | # * ${x} ﹛é"#;
    let xml = rooms().replace("More options", &odd.replace('"', "&quot;"));
    let (draft, recipe) =
        Script::default().open(APP, &xml).click([80, 0, 100, 20], &xml, Some("M")).drafted(&[]);
    let id = recipe.steps[0].id.clone();
    let expected = serde_json::json!({ "contentDescContains": odd, "textEquals": odd });
    let found: serde_json::Value = serde_json::from_str(&target(&draft, &recipe, &id)).unwrap();
    let (key, value) = found.as_object().unwrap().iter().next().unwrap();
    assert_eq!(*value, expected[key.as_str()], "{}", draft.text);
}

#[test]
fn a_recording_named_after_a_person_does_not_name_the_recipe() {
    let recorded = started().click(HOLIDAY, &rooms(), None).recorded(&[]);
    let recorded = Recorded { session_id: "zora-den".into(), ..recorded };
    let made = draft(&recorded, &|text| text.contains("zora")).unwrap();
    assert_eq!(made.recipe_id, "com.example.home.recording");
    assert!(!made.text.contains("zora"), "{}", made.text);
}

#[test]
fn a_recording_in_which_nothing_was_done_makes_no_draft() {
    let nothing = Recorded { session_id: "demo".into(), ..Recorded::default() };
    assert!(matches!(draft(&nothing, &looks_personal), Err(NoDraft::Nothing)));
    let outside = Touch { package: "com.android.launcher3".into(), ..touch(ATTIC) };
    let script = Script::default().act(What::Click(outside), &[rooms()], None);
    assert!(matches!(draft(&script.recorded(&[]), &looks_personal), Err(NoDraft::Nothing)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_a_screen_says_the_draft_is_sound_and_tells_no_entry(
        entry in "Zq[^\\p{C}]{0,12}[a-z]", title in "[^\\p{C}]{1,12}", after in "[^\\p{C}]{1,12}",
    ) {
        let escaped = |text: &str| {
            let text = text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
            text.replace('>', "&gt;")
        };
        let before = rooms().replace("Attic", &escaped(&entry)).replace("Holiday", &escaped(&title));
        let after = before.replace("\"Off\"", &format!("\"{}\"", escaped(&after)));
        let script = Script::default()
            .open(APP, &before)
            .click(HOLIDAY, &before, None)
            .click(ATTIC, &after, Some("X"));
        let draft = draft(&script.recorded(&[attic("1")]), &looks_personal);
        prop_assert!(draft.is_ok(), "{draft:?}");
        let text = draft.unwrap().text;
        // Shorter ones are in words of the draft by chance.
        prop_assert!(entry.len() < 4 || !text.contains(&entry), "{text}");
    }
}
