//! Putting text into fields.

use super::click::{described, nearest};
use crate::context::Run;
use crate::phone::{NodeAction, PhoneError};
use crate::screen::{Flags, Node};
use crate::step::{Outcome, StepFailure, Try, data, may_have_acted};
use crate::wait::Patience;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::retry::Preset;
use clawperator_contract::runnable::{EnterText, TypeText};

/// Android's key code of the enter key.
const KEYCODE_ENTER: u32 = 66;

/// What is told of a text that was typed where nobody may read it.
const HIDDEN: &str = "[password]";

struct Entry<'a> {
    text: &'a str,
    clear: bool,
    submit: bool,
    /// Was the field clicked to give it the focus?
    clicked: bool,
}

pub(super) fn into_target(run: &mut Run<'_>, enter: &EnterText) -> Outcome<StepData> {
    let mut entry =
        Entry { text: &enter.text, clear: enter.clear, submit: enter.submit, clicked: false };
    let patience = Patience::Policy(enter.retry);
    let (hidden, tries) = run.seek_target(
        patience,
        &enter.target,
        enter.scope.as_ref(),
        |run, _, node| match editable(node) {
            Some(field) => entered(run, field, &mut entry),
            None => Ok(Try::NotYet(set_text_failure(node, "is not a field to type into"))),
        },
    )?;
    let mut told = told(&entry, hidden);
    tries.tell(&mut told);
    Ok(told)
}

pub(super) fn into_focus(run: &mut Run<'_>, typed: &TypeText) -> Outcome<StepData> {
    let mut entry =
        Entry { text: &typed.text, clear: typed.clear, submit: typed.submit, clicked: false };
    // The focus follows the tap that came before by a moment.
    let patience = Patience::Policy(Preset::UiReadiness.policy());
    let (hidden, tries) = run.patiently(patience, |run| {
        let screen = match run.look_or()? {
            Ok(screen) => screen,
            Err(attempt) => return Ok(attempt),
        };
        let focused = screen.nodes().find(|node| node.has(Flags::FOCUSED) && takes_text(*node));
        match focused {
            Some(field) => entered(run, field, &mut entry),
            None => Ok(Try::NotYet(StepFailure::new(
                ErrorCode::NoFocusedField,
                "no field has the focus; click one first",
            ))),
        }
    })?;
    let mut told = told(&entry, hidden);
    tries.tell(&mut told);
    Ok(told)
}

fn told(entry: &Entry<'_>, hidden: bool) -> StepData {
    let text = if hidden { HIDDEN } else { entry.text };
    data([("text", text.to_owned()), ("submit", entry.submit.to_string())])
}

fn takes_text(node: Node<'_>) -> bool {
    node.has(Flags::EDITABLE) || node.has(Flags::SETS_TEXT)
}

fn editable(node: Node<'_>) -> Option<Node<'_>> {
    nearest(node, Flags::EDITABLE).or_else(|| nearest(node, Flags::SETS_TEXT))
}

/// One attempt; answers whether the field hides its text.
fn entered(run: &mut Run<'_>, field: Node<'_>, entry: &mut Entry<'_>) -> Outcome<Try<bool>> {
    let hides = field.has(Flags::PASSWORD);
    if !field.has(Flags::ENABLED) {
        return Ok(Try::NotYet(set_text_failure(field, "is disabled")));
    }
    let text = if entry.clear || !field.holds_text() {
        entry.text.to_owned()
    } else if hides {
        // What is there cannot be read, so it cannot be kept.
        return Ok(Try::Over(set_text_failure(field, "hides its text, so none can be appended")));
    } else {
        format!("{}{}", field.text(), entry.text)
    };
    if !field.has(Flags::FOCUSED) {
        // A field that takes text without the focus is fine; only a phone or a node that is gone
        // is not.
        if let Err(error @ (PhoneError::ServiceUnavailable | PhoneError::NodeGone)) =
            take_focus(run, field, entry)?
        {
            return may_have_acted(error);
        }
    }
    match run.act_on(field.handle(), &NodeAction::SetText(text))? {
        Ok(true) if entry.submit => submitted(run, field, hides),
        Ok(true) => Ok(Try::Done(hides)),
        Ok(false) => Ok(Try::NotYet(set_text_failure(field, "did not take the text"))),
        Err(error) => may_have_acted(error),
    }
}

/// Gives the field the focus. It is clicked once at most, however often this is tried.
fn take_focus(
    run: &mut Run<'_>,
    field: Node<'_>,
    entry: &mut Entry<'_>,
) -> Outcome<Result<(), PhoneError>> {
    if let Err(error) = run.act_on(field.handle(), &NodeAction::Focus)? {
        return Ok(Err(error));
    }
    if entry.clicked {
        return Ok(Ok(()));
    }
    let clicked = run.act_on(field.handle(), &NodeAction::Click)?;
    entry.clicked = matches!(clicked, Ok(true) | Err(PhoneError::Failed(_)));
    Ok(clicked.map(drop))
}

/// The keyboard's own enter; where the phone is too old for it, the key by way of the host.
fn submitted(run: &mut Run<'_>, field: Node<'_>, hides: bool) -> Outcome<Try<bool>> {
    // The text is in: whatever comes now, this attempt is the last.
    match run.act_on(field.handle(), &NodeAction::ImeEnter)? {
        Ok(true) => return Ok(Try::Done(hides)),
        Ok(false) | Err(PhoneError::NodeGone | PhoneError::NoWindow) => {}
        Err(error) => return may_have_acted(error),
    }
    let answer = run.ask_host(HostCall::KeyEvent { code: KEYCODE_ENTER })?;
    if let Some(HostAnswer::Done { .. }) = answer {
        return Ok(Try::Done(hides));
    }
    let reason = match answer {
        Some(HostAnswer::Failed { message, .. }) => message,
        _ => "the field offers no enter and there is no host to press it".into(),
    };
    let message = format!("the text was entered but not submitted: {reason}");
    Ok(Try::Over(StepFailure::new(ErrorCode::ActionFailed, message)))
}

fn set_text_failure(node: Node<'_>, problem: &str) -> StepFailure {
    StepFailure::new(ErrorCode::SetTextFailed, format!("{} {problem}", described(node)))
}
