//! The table of actions on the documentation page is the one of the code.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_pocket::action::{Field, Kind, TYPES};
use std::fmt::Write;
use std::{env, fs, path::Path};

const BEGIN: &str = "<!-- pocket actions -->\n";
const END: &str = "<!-- pocket actions end -->";

fn cell(field: &Field) -> String {
    let mark = if field.required { "" } else { "?" };
    let default = match field.fallback.value() {
        Some(default) => format!(" = `{default}`"),
        None => String::new(),
    };
    let bounds = match field.kind {
        Kind::Whole { min, max } => format!(" ({min}–{max})"),
        Kind::Ratio => " (0–1)".to_owned(),
        _ => String::new(),
    };
    format!("`{}`{mark}{default}{bounds}", field.name)
}

fn table() -> String {
    let mut table =
        "| type | tool | what it does | fields |\n| --- | --- | --- | --- |\n".to_owned();
    for of in TYPES {
        let cells: Vec<_> = of.fields.iter().map(cell).collect();
        let fields = cells.join(", ");
        writeln!(table, "| `{}` | `{}` | {} | {fields} |", of.name, of.tool, of.about).unwrap();
    }
    table
}

#[test]
fn the_page_has_the_table_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pocket.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("a place for the table");
    let (_, after) = rest.split_once(END).expect("an end of the table");
    let anew = format!("{before}{BEGIN}{}{END}{after}", table());
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, anew).unwrap();
    } else {
        assert!(
            page == anew,
            "docs/pocket.md is stale: UPDATE_DOCS=1 cargo test -p clawperator-pocket --test page"
        );
    }
}
