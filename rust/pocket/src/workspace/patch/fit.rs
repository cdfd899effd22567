//! Finding the place of a change in a file, and the file after it.

use super::parse::{Chunk, Line};
use crate::workspace::FileFailure;

/// How alike two lines must be, strictest first. A model often gets the blanks or the quotes
/// wrong and the rest right.
const WAYS: [fn(&str) -> String; 4] = [
    str::to_owned,
    |line| line.trim_end().to_owned(),
    |line| line.trim().to_owned(),
    |line| plain(line.trim()),
];

/// The text of `path` after `chunks`.
pub(super) fn fit(path: &str, text: &str, chunks: &[Chunk]) -> Result<String, FileFailure> {
    let crlf = text.contains("\r\n");
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    let bare: Vec<&str> =
        lines.iter().map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    let mut cursor = 0;
    for chunk in chunks {
        if let Some(context) = &chunk.context {
            cursor = seek(&bare, &[context], cursor, false)
                .ok_or_else(|| misfit(path, format!("no line '{context}' for the context")))?
                + 1;
        }
        let mut change: &[Line] = &chunk.lines;
        let mut at = place(&bare, change, chunk, cursor);
        // The blank line before what follows in the patch may be no line of the file.
        if at.is_none()
            && let Some((Line::Keep(last) | Line::Remove(last), rest)) = change.split_last()
            && last.is_empty()
            && !rest.is_empty()
        {
            change = rest;
            at = place(&bare, change, chunk, cursor);
        }
        let Some(at) = at else {
            let wanted: Vec<&str> = old(change).map(String::as_str).collect();
            return Err(misfit(path, format!("these lines are not there:\n{}", wanted.join("\n"))));
        };
        push(&mut out, &lines[copied..at], crlf);
        cursor = at;
        for line in change {
            match line {
                // As the file has it, not as the patch does: they may differ in blanks.
                Line::Keep(_) => {
                    push(&mut out, &lines[cursor..=cursor], crlf);
                    cursor += 1;
                }
                Line::Remove(_) => cursor += 1,
                Line::Add(added) => push(&mut out, &[added], crlf),
            }
        }
        copied = cursor;
    }
    push(&mut out, &lines[copied..], crlf);
    Ok(out)
}

fn old(lines: &[Line]) -> impl Iterator<Item = &String> {
    lines.iter().filter_map(|line| match line {
        Line::Keep(text) | Line::Remove(text) => Some(text),
        Line::Add(_) => None,
    })
}

/// Where the change begins. One that only adds goes after its context, or to the end.
fn place(file: &[&str], change: &[Line], chunk: &Chunk, cursor: usize) -> Option<usize> {
    let wanted: Vec<&String> = old(change).collect();
    if wanted.is_empty() {
        let after_context = chunk.context.is_some() && !chunk.at_end;
        return Some(if after_context { cursor } else { file.len() });
    }
    seek(file, &wanted, cursor, chunk.at_end)
}

fn seek(file: &[&str], wanted: &[&String], from: usize, at_end: bool) -> Option<usize> {
    let last = file.len().checked_sub(wanted.len())?;
    let from = if at_end { from.max(last) } else { from };
    WAYS.iter().find_map(|way| {
        let wanted: Vec<String> = wanted.iter().map(|line| way(line)).collect();
        (from..=last)
            .find(|at| file[*at..].iter().zip(&wanted).all(|(line, wanted)| way(line) == *wanted))
    })
}

/// Appends lines, each with the newline the file uses where it has none of its own.
fn push(out: &mut String, lines: &[&str], crlf: bool) {
    for line in lines {
        out.push_str(line);
        if crlf && !line.ends_with('\r') {
            out.push('\r');
        }
        out.push('\n');
    }
}

/// The characters that word processors make of plain ones, made plain again.
fn plain(line: &str) -> String {
    line.chars()
        .map(|c| match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '\u{2018}'..='\u{201B}' => '\'',
            '\u{201C}'..='\u{201F}' => '"',
            '\u{A0}' | '\u{2002}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
            c => c,
        })
        .collect()
}

fn misfit(path: &str, message: String) -> FileFailure {
    FileFailure::PatchMismatch { path: path.to_owned(), message }
}
