//! Reads actions.

use super::error::{AppError, Problem};
use super::fields::{At, Fields};
use super::model::{Action, Actions};
use super::value::Value;
use std::time::Duration;

/// The actions of a key, one or a list.
pub(super) fn actions(at: &At<'_>) -> Result<Actions, AppError> {
    at.items().iter().map(action).collect()
}

/// What a widget does when clicked: `opens: screen`, then `does: actions`.
pub(super) fn click(fields: &mut Fields<'_>) -> Result<Actions, AppError> {
    let mut all = Vec::new();
    if let Some(at) = fields.get("opens") {
        all.push(Action::Open(at.one_of("screen", &at.names.screens)?));
    }
    if let Some(at) = fields.get("does") {
        all.extend(actions(&at)?.iter().cloned());
    }
    Ok(all.into())
}

fn action(at: &At<'_>) -> Result<Action, AppError> {
    if let Some(word) = at.tree.text() {
        return match word {
            "back" => Ok(Action::Back),
            "finish" => Ok(Action::Finish),
            "dismiss" => Ok(Action::Dismiss),
            _ => Err(at.error(Problem::UnknownAction { action: word.to_owned() })),
        };
    }
    let mut fields = at.fields()?;
    let (name, _) = fields.first()?;
    let action = match name {
        "open" => Action::Open(named(&mut fields, "open", "screen")?),
        "dialog" => Action::Dialog(named(&mut fields, "dialog", "dialog")?),
        "set" => {
            let (variable, value) = assignment(&fields.need("set")?)?;
            Action::Set(variable, value)
        }
        "toggle" => Action::Toggle(fields.need("toggle")?.state(&Value::Bool(false))?),
        "add" => {
            let at = fields.need("add")?;
            match assignment(&at)? {
                (variable, Value::Int(number)) => Action::Add(variable, number),
                _ => return Err(at.error(Problem::Expected("a variable and a whole number"))),
            }
        }
        "app" => Action::App(fields.need("app")?.text()?),
        "uri" => Action::Uri(fields.need("uri")?.label()?),
        "after" => {
            let delay = fields.need("after")?.count()?;
            Action::After(Duration::from_millis(delay.into()), actions(&fields.need("do")?)?)
        }
        "if" => {
            let condition = fields.need("if")?.condition()?;
            let then = actions(&fields.need("do")?)?;
            Action::If(condition, then, fields.read("else", actions)?.unwrap_or_default())
        }
        other => return Err(at.error(Problem::UnknownAction { action: other.to_owned() })),
    };
    fields.done()?;
    Ok(action)
}

fn named(
    fields: &mut Fields<'_>,
    key: &'static str,
    what: &'static str,
) -> Result<String, AppError> {
    let at = fields.need(key)?;
    let known = if key == "dialog" { &at.names.dialogs } else { &at.names.screens };
    at.one_of(what, known)
}

/// `{variable: value}`
fn assignment(at: &At<'_>) -> Result<(String, Value), AppError> {
    let entries = at.entries()?;
    let [(name, value_at)] = entries.as_slice() else {
        return Err(at.error(Problem::Expected("one variable and its value")));
    };
    let value = value_at.value()?;
    match at.names.state.get(name) {
        Some(known) if known.is_like(&value) => Ok((name.clone(), value)),
        Some(known) => {
            Err(value_at.error(Problem::WrongState { name: name.clone(), needs: known.kind() }))
        }
        None => {
            let known = at.names.state.keys().cloned().collect();
            let what = "state variable";
            Err(value_at.error(Problem::Unknown { what, name: name.clone(), known }))
        }
    }
}
