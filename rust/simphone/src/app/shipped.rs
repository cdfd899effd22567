//! The apps that come with the phone, and those of a folder.

use super::error::{AppError, Problem};
use super::model::App;
use std::fs;
use std::path::Path;

macro_rules! shipped {
    ($($file:literal),*) => {
        &[$(($file, include_str!(concat!("../../apps/", $file)))),*]
    };
}

/// Every app that comes with the phone: its file, and what is in it.
pub const SHIPPED: &[(&str, &str)] = shipped![
    "launcher.yaml",
    "settings.yaml",
    "conformance.yaml",
    "form.yaml",
    "feed.yaml",
    "climate.yaml"
];

/// The apps that come with the phone.
pub fn shipped() -> Result<Vec<App>, AppError> {
    SHIPPED.iter().map(|(file, text)| App::from_yaml(file, text)).collect()
}

/// The apps of a folder: its `*.yaml` files, in the order of their names.
pub fn from_folder(folder: &Path) -> Result<Vec<App>, AppError> {
    let unreadable = |path: &Path, error: std::io::Error| AppError {
        file: path.display().to_string(),
        line: 0,
        column: 0,
        field: String::new(),
        problem: Problem::Unreadable(error.to_string()),
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path).map_err(|error| unreadable(path, error))?;
        App::from_yaml(&path.display().to_string(), &text)
    };
    files.iter().map(read).collect()
}
