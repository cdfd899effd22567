//! The actions, one file per kind of thing they do.

mod click;
mod enter_text;
mod key_value;
mod open;
mod read_text;
mod record;
mod screen_actions;
mod swipe;
mod wait_for;

use crate::context::{Origin, Run};
use crate::phone::{Display, GlobalAction};
use crate::step::{Outcome, StepFailure, Try, data, may_have_acted};
use crate::touch;
use crate::wait::Patience;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use clawperator_contract::retry::RetryPolicy;
use clawperator_contract::runnable::{Act, ClickTarget, Key};
use std::time::Duration;

/// Performs one action.
pub(crate) fn perform(run: &mut Run<'_>, act: &Act, navigation_follows: bool) -> Outcome<StepData> {
    if needs_screen(act) {
        run.awake()?;
    }
    if navigation_follows && acts_without_looking(act) {
        run.origin = Some(origin(run)?);
    }
    run.check()?;
    let outcome = match act {
        Act::OpenApp(app) => open::app(run, app),
        Act::OpenUri(open) => open::uri(run, open),
        Act::CloseApp(app) => open::close(run, app),
        Act::StartRecording(recording) => record::start(run, recording),
        Act::StopRecording(recording) => record::stop(run, recording),
        Act::WaitForNode(wait) => wait_for::node(run, wait),
        Act::Click(click) => click::perform(run, click),
        Act::ScrollAndClick(scroll) => swipe::and_click(run, scroll),
        Act::Scroll(scroll) => swipe::once(run, scroll),
        Act::ScrollUntil(scroll) => swipe::until(run, scroll),
        Act::ReadText(read) => read_text::perform(run, read),
        Act::EnterText(enter) => enter_text::into_target(run, enter),
        Act::SnapshotUi(snapshot) => screen_actions::snapshot(run, snapshot),
        Act::TakeScreenshot(shot) => screen_actions::screenshot(run, shot),
        Act::Sleep(length) => sleep(run, *length),
        Act::PressKey(key, retry) => press_key(run, *key, *retry),
        Act::WaitForNavigation(wait) => wait_for::navigation(run, wait),
        Act::ReadKeyValuePair(read) => key_value::perform(run, read),
        Act::Gesture(strokes) => touch::gesture(run, strokes),
        Act::TypeText(text) => enter_text::into_focus(run, text),
        Act::DoctorPing => Ok(run.phone.vitals().into_iter().collect()),
    };
    if looks_then_navigates(act) && !acts_without_looking(act) {
        // The newest look of such a step is the one before it acted.
        run.origin = Some(Origin { package: newest_package(run), launched: None });
    }
    if looks_then_navigates(act) || acts_without_looking(act) {
        *run.launched = match act {
            Act::OpenApp(app) => Some(app.application_id.clone()),
            _ => None,
        };
    }
    if let (Act::OpenApp(app), Some(origin)) = (act, &mut run.origin) {
        origin.launched = Some(app.application_id.clone());
    }
    outcome
}

fn needs_screen(act: &Act) -> bool {
    !matches!(
        act,
        Act::Sleep(_)
            | Act::DoctorPing
            | Act::CloseApp(_)
            | Act::StartRecording(_)
            | Act::StopRecording(_)
    )
}

/// Actions that may bring up another screen and do not look at this one first.
fn acts_without_looking(act: &Act) -> bool {
    match act {
        Act::OpenApp(_)
        | Act::OpenUri(_)
        | Act::CloseApp(_)
        | Act::PressKey(..)
        | Act::Gesture(_) => true,
        Act::Click(click) => matches!(click.target, ClickTarget::Point(_)),
        _ => false,
    }
}

fn looks_then_navigates(act: &Act) -> bool {
    matches!(
        act,
        Act::Click(_)
            | Act::ScrollAndClick(_)
            | Act::ScrollUntil(_)
            | Act::EnterText(_)
            | Act::TypeText(_)
    )
}

/// Where a step that does not look starts from. Nothing is read behind a lock, not even for this.
fn origin(run: &mut Run<'_>) -> Outcome<Origin> {
    run.check()?;
    let readable = run.phone.display() == Ok(Display::On);
    run.check()?;
    let seen = readable.then(|| run.look().ok()).flatten();
    let package = seen.map(|screen| screen.foreground_package().to_owned());
    Ok(Origin { package: package.filter(|name| !name.is_empty()), launched: None })
}

fn newest_package(run: &Run<'_>) -> Option<String> {
    let screen = run.screen.as_ref()?;
    Some(screen.foreground_package().to_owned()).filter(|name| !name.is_empty())
}

fn sleep(run: &mut Run<'_>, length: Duration) -> Outcome<StepData> {
    run.pause_until(run.clock.now() + length)?;
    Ok(data([("duration_ms", length.as_millis().to_string())]))
}

fn press_key(run: &mut Run<'_>, key: Key, retry: RetryPolicy) -> Outcome<StepData> {
    let action = match key {
        Key::Back => GlobalAction::Back,
        Key::Home => GlobalAction::Home,
        Key::Recents => GlobalAction::Recents,
    };
    let ((), tries) =
        run.patiently(Patience::Policy(retry), |run| match run.phone.global(action) {
            Ok(true) => Ok(Try::Done(())),
            Ok(false) => Ok(Try::NotYet(StepFailure::new(
                ErrorCode::GlobalActionFailed,
                format!("the phone refused the key {}", key.name()),
            ))),
            Err(error) => may_have_acted(error),
        })?;
    let mut told = data([("key", key.name().to_owned())]);
    tries.tell(&mut told);
    Ok(told)
}
