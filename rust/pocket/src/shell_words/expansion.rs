//! What a `$` stands for, as far as it runs nothing.

use super::lexer::{Lexer, Word};
use super::refusal::{Found, Why};
use super::variables::is_name;

impl Lexer {
    /// What follows a `$`. Only expansions that run nothing pass: an array index and arithmetic
    /// evaluate the values of variables as code.
    pub(super) fn dollar(&mut self, word: &mut Word, unquoted: bool) -> Result<(), Found> {
        let at = self.next;
        self.next += 1;
        word.splits |= unquoted;
        match self.peek() {
            Some('(') => {
                self.next += 1;
                if !self.eat('(') {
                    return Err((Why::Undecidable("a command substitution $(…)".into()), at));
                }
                self.until(')', at, |c| c.is_ascii_digit() || "+-*/% ".contains(c))?;
                if !self.eat(')') {
                    return Err((Why::Undecidable("arithmetic with brackets".into()), at));
                }
                word.dynamic = true;
            }
            Some('{') => {
                self.next += 1;
                let inner =
                    self.until('}', at, |c| c.is_alphanumeric() || " _#%:-+?*./,@!".contains(c))?;
                if !simple_expansion(&inner) {
                    return Err((Why::Undecidable(format!("the expansion ${{{inner}}}")), at));
                }
                word.dynamic = true;
            }
            Some('[') => return Err((Why::Undecidable("arithmetic $[…]".into()), at)),
            Some('\'') if unquoted => {
                self.next += 1;
                word.quoted = true;
                word.dynamic = true;
                loop {
                    let c = self.raw().ok_or((Why::Syntax("a $' without its end".into()), at))?;
                    self.next += if c == '\\' { 2 } else { 1 };
                    if c == '\'' {
                        return Ok(());
                    }
                    if c == '\n' {
                        self.quoted_char(word, c)?;
                    }
                }
            }
            // The quotes that follow are read next; a translation may change their text.
            Some('"') if unquoted => word.dynamic = true,
            Some(c) if c == '_' || c.is_ascii_alphabetic() => {
                while self.peek().is_some_and(|c| c == '_' || c.is_ascii_alphanumeric()) {
                    self.next += 1;
                }
                word.dynamic = true;
            }
            Some('0'..='9' | '@' | '*' | '#' | '?' | '$' | '!' | '-') => {
                self.next += 1;
                word.dynamic = true;
            }
            _ => word.text.push('$'),
        }
        Ok(())
    }

    fn until(&mut self, end: char, at: usize, fine: fn(char) -> bool) -> Result<String, Found> {
        let mut inner = String::new();
        loop {
            match self.peek() {
                Some(c) if c == end => {
                    self.next += 1;
                    return Ok(inner);
                }
                Some(c) if fine(c) => {
                    self.next += 1;
                    inner.push(c);
                }
                Some(c) => {
                    return Err((Why::Undecidable(format!("an expansion with {c:?}")), at));
                }
                None => return Err((Why::Syntax("an expansion without its end".into()), at)),
            }
        }
    }
}

/// `${name}`, `${#name}`, and `${name` with a default or a pattern to cut off.
fn simple_expansion(inner: &str) -> bool {
    if let Some(name) = inner.strip_prefix('#') {
        return is_name(name);
    }
    let end = inner.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(end);
    let known = is_name(name) || !name.is_empty() && name.chars().all(|c| c.is_ascii_digit());
    let cut = rest.is_empty() || rest.starts_with(['#', '%', '-', '+', '?']);
    known && (cut || [":-", ":+", ":?"].iter().any(|op| rest.starts_with(op)))
}
