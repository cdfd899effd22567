//! `explain`: the table of error codes, one row or all.

use crate::output::{DONE, Format};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(code: Option<&str>, format: Format) -> ExitCode {
    let Some(text) = code else {
        let all: Vec<_> = ErrorCode::ALL.iter().map(|code| row(*code)).collect();
        return format.answer(&json!({ "codes": all }), DONE);
    };
    match text.parse::<ErrorCode>() {
        Ok(code) => format.answer(&row(code), DONE),
        Err(unknown) => {
            let hint = match unknown.nearest {
                Some(near) => format!("did you mean {near}?"),
                None => "`clawperator explain` lists every code".into(),
            };
            let message = format!("there is no error code \"{text}\"");
            format.failure(&Failure::new(ErrorCode::Usage, message).hint(hint))
        }
    }
}

fn row(code: ErrorCode) -> Value {
    json!({
        "code": code,
        "area": code.area().title(),
        "meaning": code.meaning(),
        "remedy": code.remedy(),
    })
}
