//! Reads git's patches: which lines are new, in which file, and the line before each.

/// A run of lines of one file: new ones, and old ones beside them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hunk {
    /// The commit, when the patch is of commits.
    pub(super) commit: Option<String>,
    /// The file, as it is named after the change.
    pub(super) file: String,
    /// The number of its first line.
    pub(super) first: u64,
    pub(super) lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) is_new: bool,
}

/// What [`read`] found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Patch {
    pub(super) hunks: Vec<Hunk>,
    /// Every file that is there after the change, also one whose lines are not shown.
    pub(super) files: Vec<(Option<String>, String)>,
}

/// How a commit is announced in what `git log` prints.
pub(super) const COMMIT: &str = "commit:";

/// Options that make git print what is read here, whatever its configuration says.
pub(super) const OPTIONS: &[&str] = &[
    "--patch",
    // One line around the change: an allow comment may stand on the line before.
    "--unified=1",
    "--inter-hunk-context=0",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--find-renames",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--output-indicator-new=+",
    "--output-indicator-old=-",
    "--output-indicator-context= ",
];

/// Settings that have no option.
pub(super) const SETTINGS: &[&str] =
    &["-c", "core.quotePath=true", "-c", "diff.suppressBlankEmpty=false"];

/// Reads a patch, combined ones of merges included. Bytes that are no UTF-8 are replaced.
pub(super) fn read(bytes: &[u8]) -> Patch {
    let mut patch = Patch::default();
    let mut commit = None;
    let mut file = None;
    let mut left = Left::default();
    for line in bytes.split(|&byte| byte == b'\n') {
        if left.is_open() {
            if let Some(hunk) = patch.hunks.last_mut() {
                left.take(line, hunk);
            }
            continue;
        }
        let text = String::from_utf8_lossy(line);
        if let Some(hash) = text.strip_prefix(COMMIT) {
            commit = Some(hash.to_owned());
        } else if text.starts_with("diff --") {
            file = None;
        } else if let Some(name) =
            text.strip_prefix("+++ ").or_else(|| text.strip_prefix("rename to "))
        {
            let name = name_of(name, text.starts_with("+++"));
            if let Some(name) = &name {
                let known = (commit.clone(), name.clone());
                if patch.files.last() != Some(&known) {
                    patch.files.push(known);
                }
            }
            file = name;
        } else if let Some((name, header)) = file.as_ref().zip(Left::header(&text)) {
            let (next, first) = header;
            left = next;
            let hunk =
                Hunk { commit: commit.clone(), file: name.clone(), first, lines: Vec::new() };
            patch.hunks.push(hunk);
        }
    }
    patch
}

/// How much of a hunk is still to come. A line is known by its count, not by how it looks: a
/// deleted line may look like a header.
#[derive(Debug, Default)]
struct Left {
    old: Vec<u64>,
    new: u64,
}

impl Left {
    fn is_open(&self) -> bool {
        self.new > 0 || self.old.iter().any(|&count| count > 0)
    }

    /// `@@ -1,2 +3,4 @@`, with one more `@` and range for each parent more of a merge.
    fn header(text: &str) -> Option<(Self, u64)> {
        let parents = text.bytes().take_while(|&byte| byte == b'@').count().checked_sub(1)?;
        let mut words = text.split(' ').skip(1);
        let range = |word: &str, sign: char| -> Option<(u64, u64)> {
            let (start, count) =
                word.strip_prefix(sign)?.split_once(',').unwrap_or((&word[1..], "1"));
            Some((start.parse().ok()?, count.parse().ok()?))
        };
        let old = (0..parents).map(|_| Some(range(words.next()?, '-')?.1));
        let old = old.collect::<Option<Vec<u64>>>()?;
        let (first, new) = range(words.next()?, '+')?;
        (parents > 0).then_some((Self { old, new }, first))
    }

    fn take(&mut self, line: &[u8], hunk: &mut Hunk) {
        // "\ No newline at end of file" counts for nothing.
        if line.first() == Some(&b'\\') {
            return;
        }
        let (signs, text) = line.split_at(self.old.len().min(line.len()));
        let is_gone = signs.contains(&b'-');
        for (count, sign) in self.old.iter_mut().zip(signs) {
            // In a column a line is either of that parent or not.
            let counts = if is_gone { *sign == b'-' } else { *sign != b'+' };
            *count = count.saturating_sub(u64::from(counts));
        }
        if !is_gone {
            self.new = self.new.saturating_sub(1);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            let text = String::from_utf8_lossy(text).into_owned();
            // New to all parents: what came from one of them was looked at with it.
            hunk.lines.push(Line { text, is_new: signs.iter().all(|&sign| sign == b'+') });
        }
    }
}

/// A file's name as a patch writes it; none for the file that is not there.
fn name_of(text: &str, with_prefix: bool) -> Option<String> {
    // git ends a name that holds a space with a tab, quoted or not.
    let text = text.strip_suffix('\t').unwrap_or(text);
    let name = match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(quoted) => unquoted(quoted),
        None => text.to_owned(),
    };
    match with_prefix {
        true => name.strip_prefix("b/").map(str::to_owned),
        false => Some(name),
    }
}

/// Undoes git's quotes: `\n`, `\"`, and bytes as three octal digits.
fn unquoted(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let (byte, length) = match (first, tail) {
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..]) => {
                ((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'), 4)
            }
            (b'\\', [letter, ..]) => {
                let byte = match letter {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    other => *other,
                };
                (byte, 2)
            }
            _ => (*first, 1),
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn new_lines(patch: &Patch) -> Vec<(&str, u64, &str)> {
        let mut lines = Vec::new();
        for hunk in &patch.hunks {
            for (number, line) in (hunk.first..).zip(&hunk.lines) {
                if line.is_new {
                    lines.push((hunk.file.as_str(), number, line.text.as_str()));
                }
            }
        }
        lines
    }

    #[test]
    fn a_line_that_looks_like_a_header_is_a_line() {
        let patch = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/y\n+++ b/y\n same\n\\ No newline at end of file\ndiff --git a/z b/z\n--- /dev/null\n+++ b/z\n@@ -0,0 +1 @@\n+z\r\n";
        assert_eq!(new_lines(&read(patch)), [("x", 1, "++ b/y"), ("z", 1, "z")]);
    }

    #[test]
    fn a_merge_has_only_the_lines_no_parent_has() {
        let patch = b"commit:abc\n\ndiff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,2 -1,1 +1,3 @@@\n+ theirs\n +ours\n++both\n- gone\n";
        let patch = read(patch);
        assert_eq!(new_lines(&patch), [("x", 3, "both")]);
        assert_eq!(patch.hunks[0].commit.as_deref(), Some("abc"));
    }

    #[test]
    fn odd_names_are_read_back() {
        assert_eq!(name_of("b/a b\t", true).unwrap(), "a b");
        assert_eq!(name_of(r#""b/\303\244\n\t\"\\x""#, true).unwrap(), "ä\n\t\"\\x");
        assert_eq!(name_of("/dev/null", true), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(lines in prop::collection::vec(
            prop_oneof![
                Just("diff --git a/x b/x".to_owned()), Just("+++ b/x".to_owned()),
                "@{2,3} -[0-9]{1,3},[0-9] [+-][0-9],[0-9] @@", "[-+ \\\\@]{0,3}\\PC{0,5}",
            ], 0..30,
        )) {
            read(lines.join("\n").as_bytes());
        }
    }
}
