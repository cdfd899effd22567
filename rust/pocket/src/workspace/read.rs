//! `read`: some lines of a text file.

use std::fmt;

use super::boundary::Parents;
use super::{FileFailure, Workspace};

/// The most lines one read gives.
pub const MAX_LINES: usize = 1000;

/// The most bytes of text one read gives; more than a model can use of one file at once.
pub const MAX_READ_BYTES: usize = 50 * 1024;

/// Some lines of a file. Its `Display` is the answer for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadText {
    /// The file, below the workspace.
    pub path: String,
    /// The first line given, from 1.
    pub from: usize,
    /// The last line given; smaller than `from` when there is none.
    pub to: usize,
    /// How many lines the file has. A newline at the end begins one more, empty, line.
    pub total: usize,
    /// The lines.
    pub text: String,
    /// The limit of bytes cut the text off inside or after line `to`.
    pub cut: bool,
}

impl Workspace {
    /// Reads up to `lines` lines beginning with line `from`.
    pub fn read(&self, path: &str, from: usize, lines: usize) -> Result<ReadText, FileFailure> {
        let place = self.place(path, Parents::Require)?;
        let content = place
            .content()?
            .ok_or_else(|| FileFailure::NotFound { path: path.trim().to_owned() })?;
        // Text in an old encoding is still worth reading; a NUL is in no text.
        if content.bytes.contains(&0) {
            return Err(FileFailure::Binary { path: place.shown() });
        }
        let all = String::from_utf8_lossy(&content.bytes);
        let from = from.max(1);
        let wanted = lines.clamp(1, MAX_LINES);
        let total = all.split('\n').count();
        let mut text = String::new();
        let mut to = from.min(total + 1) - 1;
        let mut cut = false;
        for line in all.split('\n').skip(from - 1).take(wanted) {
            let gap = usize::from(to >= from);
            if text.len() + gap + line.len() > MAX_READ_BYTES {
                cut = true;
                // At least a part of one line, or a reader could never get past a long one.
                if gap == 0 {
                    text.push_str(&line[..line.floor_char_boundary(MAX_READ_BYTES)]);
                    to += 1;
                }
                break;
            }
            if gap == 1 {
                text.push('\n');
            }
            text.push_str(line);
            to += 1;
        }
        Ok(ReadText { path: place.shown(), from, to, total, text, cut })
    }
}

impl fmt::Display for ReadText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, from, to, total, text, cut } = self;
        writeln!(f, "read path={path}")?;
        writeln!(f, "range={from}-{to} totalLines={total}")?;
        f.write_str(if text.is_empty() { "(empty)" } else { text })?;
        if *cut {
            write!(f, "\n...[cut at {MAX_READ_BYTES} bytes; go on with from={}]", to + 1)?;
        }
        Ok(())
    }
}
