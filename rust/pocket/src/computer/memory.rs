//! `memory_search` and `memory_get`: notes in `MEMORY.md` and `memory/**/*.md`.
//!
//! A note is found by its words, in windows of some lines that overlap, so that a place with all of
//! them beats a file with all of them. Nothing is indexed: notes are few and change.

use super::coding::of;
use super::shell;
use crate::config::MemoryTools;
use crate::outcome::{Done, Outcome};
use crate::workspace::{FileFailure, Text, Workspace};
use clawperator_contract::{ErrorCode, Failure};
use serde_json::{Map, Value, json};

/// The lines of a window, and how far the next one begins after it.
const WINDOW: usize = 6;
const STEP: usize = 3;
/// So many windows of one file are given at most, or one file would fill the answer.
const PER_FILE: usize = 3;
/// More notes are not searched.
const MOST_FILES: usize = 2000;
/// A larger file is no note.
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// So much is read for one search; all notes of years are less.
const MOST_IN_ALL: usize = 64 * 1024 * 1024;

#[derive(Debug)]
struct Hit {
    path: String,
    start: usize,
    end: usize,
    score: f64,
    snippet: String,
}

pub(super) fn search(
    workspace: &Workspace,
    settings: &MemoryTools,
    query: &str,
    max_results: u64,
    min_score: f64,
) -> Done {
    let query = query.trim();
    if query.is_empty() {
        return Err(incomplete("memory_search: query is required"));
    }
    let (files, mut skipped) = notes(workspace)?;
    let wanted = Query::new(query, min_score, settings.max_snippet_chars);
    let mut hits = Vec::new();
    let mut scanned = 0_u64;
    let mut read = 0;
    for path in files {
        if read > MOST_IN_ALL {
            skipped.push(format!("memory: {path} and later files, after {MOST_IN_ALL} bytes"));
            break;
        }
        match workspace.text(&path, MOST_BYTES) {
            Ok(Some(text)) if !is_note(&text.path) => {
                skipped.push(format!("{path}: a link to {}, which is no note", text.path));
            }
            Ok(Some(text)) => {
                scanned += 1;
                read += text.text.len();
                hits.extend(wanted.hits(&path, &text.text));
            }
            Ok(None) => {}
            Err(failure) => skipped.push(failure.to_string()),
        }
    }
    hits.sort_by(|a, b| {
        let place = |hit: &Hit| (hit.path.to_lowercase(), hit.path.clone(), hit.start);
        b.score.total_cmp(&a.score).then_with(|| place(a).cmp(&place(b)))
    });
    hits.truncate(usize::try_from(max_results).unwrap_or(usize::MAX));
    let results: Vec<Value> = hits.iter().map(Hit::shown).collect();
    let mut facts = Map::from_iter([
        ("query".to_owned(), json!(query)),
        ("minScore".to_owned(), json!(min_score)),
        ("scannedFiles".to_owned(), json!(scanned)),
        ("results".to_owned(), json!(results)),
    ]);
    if !skipped.is_empty() {
        facts.insert("skipped".into(), json!(skipped));
    }
    Ok(answer(facts))
}

pub(super) fn get(workspace: &Workspace, path: &str, from: u64, lines: u64) -> Done {
    let path = path.trim();
    if path.is_empty() {
        return Err(incomplete("memory_get: path is required"));
    }
    // First the path as it is written, so that what is no note is refused whether or not it is
    // there; then without symlinks, so that no link makes a note of another file.
    let written = path.strip_prefix("./").unwrap_or(path);
    let below = std::path::Path::new(written).strip_prefix(workspace.path()).ok();
    let written = below.and_then(std::path::Path::to_str).unwrap_or(written);
    if !is_note(written) {
        return Err(no_note(written));
    }
    let text = match workspace.text(path, MOST_BYTES) {
        Ok(Some(Text { path, text })) if is_note(&path) => text,
        Ok(Some(Text { path, .. })) => return Err(no_note(&path)),
        Ok(None) | Err(FileFailure::NotAFile { .. }) => {
            let missing = [("path", json!(written)), ("text", json!("")), ("missing", json!(true))];
            return Ok(answer(
                missing.map(|(key, value)| (key.to_owned(), value)).into_iter().collect(),
            ));
        }
        Err(failure) => return Err(of("memory_get")(failure)),
    };
    let all: Vec<&str> = text.split('\n').collect();
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let from = size(from).clamp(1, all.len());
    let lines: Vec<&str> = all.iter().copied().skip(from - 1).take(size(lines)).collect();
    Ok(answer(Map::from_iter([
        ("path".to_owned(), json!(written)),
        ("from".to_owned(), json!(from)),
        ("lines".to_owned(), json!(lines.len())),
        ("totalLines".to_owned(), json!(all.len())),
        ("text".to_owned(), json!(lines.join("\n"))),
    ])))
}

/// The files that may be read, and what is left out.
fn notes(workspace: &Workspace) -> Result<(Vec<String>, Vec<String>), Failure> {
    let found = workspace
        .files_below("memory", &|name| is_note(&format!("memory/{name}")), MOST_FILES)
        .map_err(of("memory_search"))?;
    let mut files = vec!["MEMORY.md".to_owned()];
    files.extend(found.files);
    let more = found.more.then(|| format!("memory: more than {MOST_FILES} files, or too deep"));
    Ok((files, more.into_iter().collect()))
}

fn is_note(path: &str) -> bool {
    let path = path.to_lowercase();
    path == "memory.md"
        || path.starts_with("memory/")
            && std::path::Path::new(&path).extension().is_some_and(|ending| ending == "md")
            && !path.split('/').any(|part| part == "..")
}

fn no_note(path: &str) -> Failure {
    let code = ErrorCode::PocketPathRefused;
    let message = format!("memory_get: only MEMORY.md and memory/*.md are allowed, not {path}");
    Failure::new(code, message).hint("Name a note that `memory_search` found.")
}

fn incomplete(message: &str) -> Failure {
    let code = ErrorCode::PocketActionIncomplete;
    Failure::new(code, message).hint(code.remedy())
}

fn answer(facts: Map<String, Value>) -> Outcome {
    let text = serde_json::to_string_pretty(&facts).unwrap_or_default();
    Outcome { text, data: facts }
}

struct Query {
    phrase: String,
    tokens: Vec<String>,
    min_score: f64,
    max_snippet_chars: usize,
}

impl Query {
    fn new(query: &str, min_score: f64, max_snippet_chars: usize) -> Self {
        let phrase = query.to_lowercase();
        let plain = |c: char| if c.is_alphanumeric() { c } else { ' ' };
        let words: String = phrase.chars().map(plain).collect();
        let long = words.split_whitespace().filter(|word| word.chars().count() > 1);
        let tokens = long.map(str::to_owned).collect();
        Self { phrase, tokens, min_score, max_snippet_chars }
    }

    /// From 0 to 1: half for the phrase as it is, half for the share of its words.
    fn score(&self, window: &str) -> f64 {
        let window = window.to_lowercase();
        let phrase = window.contains(&self.phrase);
        if self.tokens.is_empty() {
            return if phrase { 0.5 } else { 0.2 };
        }
        let there = self.tokens.iter().filter(|token| window.contains(token.as_str())).count();
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        let share = count(there) / count(self.tokens.len());
        (if phrase { 0.5 } else { 0.0 }) + 0.5 * share
    }

    /// The best windows of a file.
    fn hits(&self, path: &str, text: &str) -> Vec<Hit> {
        let lines: Vec<&str> = text.split('\n').collect();
        let mut hits: Vec<Hit> = Vec::new();
        for start in (0..lines.len()).step_by(STEP) {
            let end = (start + WINDOW).min(lines.len());
            let text = lines[start..end].join("\n");
            let text = text.trim();
            let score = self.score(text);
            if !text.is_empty() && score >= self.min_score {
                let score = (score * 1000.0).round() / 1000.0;
                let snippet = shell::cut(text, self.max_snippet_chars);
                hits.push(Hit { path: path.into(), start: start + 1, end, score, snippet });
            }
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(PER_FILE);
        hits
    }
}

impl Hit {
    fn shown(&self) -> Value {
        let Self { path, start, end, score, snippet } = self;
        let citation = match end > start {
            true => format!("{path}#L{start}-L{end}"),
            false => format!("{path}#L{start}"),
        };
        json!({
            "path": path,
            "startLine": start,
            "endLine": end,
            "score": score,
            "snippet": snippet,
            "citation": citation,
        })
    }
}
