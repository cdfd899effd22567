//! The text of a patch, read completely before any file is looked at.

use crate::workspace::FileFailure;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const END_OF_FILE: &str = "*** End of File";

/// What is to be done with one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hunk {
    Add { path: String, content: String },
    Delete { path: String },
    Update { path: String, move_to: Option<String>, chunks: Vec<Chunk> },
}

/// One change of an update.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Chunk {
    /// A line that stands before the change.
    pub(super) context: Option<String>,
    pub(super) lines: Vec<Line>,
    /// The change is at the very end of the file.
    pub(super) at_end: bool,
}

/// One line of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    Keep(String),
    Remove(String),
    Add(String),
}

struct Lines<'a> {
    lines: Vec<&'a str>,
    next: usize,
    /// The index of the line that ends the patch.
    end: usize,
}

pub(super) fn parse(input: &str) -> Result<Vec<Hunk>, FileFailure> {
    let mut lines: Vec<&str> =
        input.trim().split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    if lines == [""] {
        return Err(wrong(0, "input is empty"));
    }
    // Models trained on shells wrap the patch in a here-document.
    if lines.len() >= 4
        && ["<<EOF", "<<'EOF'", "<<\"EOF\""].contains(&lines[0])
        && lines.last().is_some_and(|last| last.ends_with("EOF"))
    {
        lines.remove(0);
        lines.pop();
    }
    if lines.first().is_none_or(|line| line.trim() != BEGIN) {
        return Err(wrong(1, format!("the first line of the patch must be '{BEGIN}'")));
    }
    if lines.len() < 2 || lines.last().is_none_or(|line| line.trim() != END) {
        return Err(wrong(lines.len(), format!("the last line of the patch must be '{END}'")));
    }
    let end = lines.len() - 1;
    let mut lines = Lines { lines, next: 1, end };
    let mut hunks = Vec::new();
    while let Some(line) = lines.peek() {
        let at = lines.number();
        lines.next += 1;
        let line = line.trim();
        if let Some(path) = line.strip_prefix("*** Add File: ") {
            let mut content = String::new();
            while let Some(added) = lines.peek().and_then(|line| line.strip_prefix('+')) {
                content.push_str(added);
                content.push('\n');
                lines.next += 1;
            }
            hunks.push(Hunk::Add { path: path.to_owned(), content });
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            hunks.push(Hunk::Delete { path: path.to_owned() });
        } else if let Some(path) = line.strip_prefix("*** Update File: ") {
            hunks.push(lines.update(path, at)?);
        } else if !line.is_empty() {
            return Err(wrong(at, format!("'{line}' is not a valid hunk header")));
        }
    }
    if hunks.is_empty() {
        return Err(wrong(0, "no files were modified"));
    }
    Ok(hunks)
}

impl<'a> Lines<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.lines[..self.end].get(self.next).copied()
    }

    /// The number of the line `peek` shows.
    fn number(&self) -> usize {
        self.next + 1
    }

    fn update(&mut self, path: &str, at: usize) -> Result<Hunk, FileFailure> {
        let mut move_to = None;
        if let Some(to) = self.peek().and_then(|line| line.strip_prefix("*** Move to: ")) {
            move_to = Some(to.trim().to_owned());
            self.next += 1;
        }
        let mut chunks = Vec::new();
        while let Some(line) = self.peek() {
            if line.trim().is_empty() {
                self.next += 1;
            } else if line.starts_with("***") {
                break;
            } else {
                chunks.push(self.chunk(chunks.is_empty())?);
            }
        }
        if chunks.is_empty() {
            return Err(wrong(at, format!("update file hunk for path '{path}' is empty")));
        }
        Ok(Hunk::Update { path: path.to_owned(), move_to, chunks })
    }

    fn chunk(&mut self, first: bool) -> Result<Chunk, FileFailure> {
        let mut chunk = Chunk::default();
        let head = self.peek().unwrap_or_default();
        if head.trim_end() == "@@" {
            self.next += 1;
        } else if let Some(context) = head.strip_prefix("@@ ") {
            chunk.context = Some(context.to_owned());
            self.next += 1;
        } else if !first {
            return Err(wrong(
                self.number(),
                format!("expected a line that begins with '@@', got '{head}'"),
            ));
        }
        let begin = self.next;
        while let Some(line) = self.peek() {
            if line.trim_end() == END_OF_FILE {
                chunk.at_end = true;
                break;
            }
            match line.split_at_checked(1) {
                None if line.is_empty() => chunk.lines.push(Line::Keep(String::new())),
                Some((" ", rest)) => chunk.lines.push(Line::Keep(rest.to_owned())),
                Some(("-", rest)) => chunk.lines.push(Line::Remove(rest.to_owned())),
                Some(("+", rest)) => chunk.lines.push(Line::Add(rest.to_owned())),
                _ if self.next > begin && (line.starts_with("@@") || line.starts_with("***")) => {
                    break;
                }
                _ => {
                    return Err(wrong(
                        self.number(),
                        format!(
                            "unexpected line in update hunk: '{line}'; lines begin with ' ', '+' \
                             or '-'"
                        ),
                    ));
                }
            }
            self.next += 1;
        }
        if self.next == begin {
            return Err(wrong(self.number(), "a chunk without lines"));
        }
        if chunk.at_end {
            self.next += 1;
        }
        Ok(chunk)
    }
}

pub(super) fn wrong(line: usize, message: impl Into<String>) -> FileFailure {
    FileFailure::PatchSyntax { line, message: message.into() }
}
