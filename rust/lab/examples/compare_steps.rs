//! Says what differs between two answers of `clawperator conformance --steps`, read from files.

use clawperator_lab::differences;
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let files: Vec<String> = env::args().skip(1).collect();
    let [one, other] = files.as_slice() else { return Err("two files are needed".into()) };
    let read = |file: &str| -> Result<serde_json::Value, Box<dyn Error>> {
        Ok(serde_json::from_slice(&fs::read(file)?)?)
    };
    let found = differences(&read(one)?, &read(other)?);
    for difference in &found {
        writeln!(io::stdout(), "{difference}")?;
    }
    Ok(ExitCode::from(u8::from(!found.is_empty())))
}
