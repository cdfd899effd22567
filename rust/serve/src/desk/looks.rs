//! The two executions every surface offers by name: a snapshot and a picture of the screen.

use clawperator_contract::{Execution, Failure};
use clawperator_host::build;
use serde_json::{Map, Value};
use std::path::Path;

/// A snapshot, in this view where one is wanted.
pub fn snapshot(
    source: &str,
    view: Option<&str>,
    timeout: Option<f64>,
) -> Result<Execution, Failure> {
    let params = params("view", view);
    let timeout = build::timeout(timeout);
    build::single("serve-snap", source, ("snap", "snapshot_ui"), params, timeout)
}

/// A picture, kept in this file where one is named.
pub fn screenshot(
    source: &str,
    path: Option<&Path>,
    timeout: Option<f64>,
) -> Result<Execution, Failure> {
    let path = path.map(|path| path.display().to_string());
    let params = params("path", path.as_deref());
    let timeout = build::timeout(timeout);
    build::single("serve-shot", source, ("shot", "take_screenshot"), params, timeout)
}

fn params(key: &str, value: Option<&str>) -> Map<String, Value> {
    value.map(|value| (key.to_owned(), value.into())).into_iter().collect()
}
