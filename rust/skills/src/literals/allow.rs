//! Comments that allow a text: `clawperator:allow KIND REASON` on its line or the one before.

use super::{Finding, Kind, found};

const WORDS: &str = "clawperator:allow";

struct Allow {
    line: u64,
    kinds: Vec<Kind>,
    start: usize,
    end: usize,
    used: bool,
}

/// Takes away what is allowed; adds comments that are wrong or allow nothing. A comment for kinds
/// nobody looks for now is neither.
pub(super) fn apply(lines: &[&str], findings: &mut Vec<Finding>, only: Option<&[Kind]>) {
    let mut allows = Vec::new();
    for (number, line) in (1..).zip(lines) {
        let Some((start, end)) = comment(line) else { continue };
        match read(&line[start + WORDS.len()..end]) {
            Ok(kinds) => allows.push(Allow { line: number, kinds, start, end, used: false }),
            Err(reason) => {
                let mut finding = found(Kind::AllowInvalid, line, number, start, end);
                finding.reason = reason;
                finding.masked = WORDS.into();
                findings.push(finding);
            }
        }
    }
    findings.retain(|finding| {
        let mut keep = true;
        for allow in &mut allows {
            let near = finding.line == allow.line || finding.line == allow.line + 1;
            if near && allow.kinds.contains(&finding.kind) {
                allow.used = true;
                keep = false;
            }
        }
        keep
    });
    let looked_for = |kind: &Kind| only.is_none_or(|only| only.contains(kind));
    for allow in allows.iter().filter(|allow| !allow.used && allow.kinds.iter().all(looked_for)) {
        let index = usize::try_from(allow.line - 1).unwrap_or(usize::MAX);
        let line = lines.get(index).copied().unwrap_or_default();
        let mut finding = found(Kind::AllowUnused, line, allow.line, allow.start, allow.end);
        finding.masked = WORDS.into();
        findings.push(finding);
    }
}

/// Where an allow comment stands in a line, without the sign that ends it.
fn comment(line: &str) -> Option<(usize, usize)> {
    let start = line.find(WORDS)?;
    let before = line[..start].trim_end();
    let opens = ["#", "//", "<!--", "/*"].iter().any(|sign| before.ends_with(sign));
    if !opens {
        return None;
    }
    let rest = &line[start..];
    let end = ["-->", "*/"].iter().filter_map(|sign| rest.find(sign)).min().unwrap_or(rest.len());
    Some((start, start + rest[..end].trim_end().len()))
}

fn read(words: &str) -> Result<Vec<Kind>, String> {
    let all = || {
        let names: Vec<&str> = Kind::ALLOWABLE.iter().map(|kind| kind.name()).collect();
        names.join(", ")
    };
    if !words.is_empty() && !words.starts_with(char::is_whitespace) {
        return Err("a space is missing after `clawperator:allow`".into());
    }
    let (names, reason) = match words.trim().split_once(char::is_whitespace) {
        Some((names, reason)) => (names, reason.trim()),
        None => (words.trim(), ""),
    };
    if names.is_empty() {
        return Err(format!("it does not say what it allows; the kinds are {}", all()));
    }
    let kinds = names.split(',').map(|name| {
        Kind::parse(name).ok_or_else(|| format!("it names no kind; the kinds are {}", all()))
    });
    let kinds = kinds.collect::<Result<Vec<_>, _>>()?;
    match reason.chars().any(char::is_alphanumeric) {
        true => Ok(kinds),
        false => Err("it gives no reason, which the next reader will ask for".into()),
    }
}
