//! Tokens of shell text: words after quote removal, operators, newlines, here-documents.

use super::refusal::{Found, Why};
use super::variables::is_name;

/// A word as the shell sees it after removing quotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word {
    /// The text without its quotes; of a dynamic word only the part that is known.
    pub text: String,
    /// The index of its first character.
    pub at: usize,
    /// Some of it was quoted, so it is no reserved word.
    pub quoted: bool,
    /// A variable, a brace or a tilde makes it known only at run time.
    pub dynamic: bool,
    /// A variable outside quotes may make several words of it.
    pub splits: bool,
    /// It is a pattern that file names are put in for.
    pub glob: bool,
    /// The variable, if it reads `NAME=value`.
    pub assigns: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// Digits right before a redirection.
    Number,
    Op(&'static str),
    Newline,
    End,
}

/// Longest first, so that the first that matches is the one.
const OPERATORS: [&str; 23] = [
    "&>>", "<<<", "<<-", ";;&", "&&", "||", ";;", ";&", "|&", "&>", "<<", "<&", "<>", ">>", ">|",
    ">&", "<", ">", ";", "&", "|", "(", ")",
];

pub(super) struct Lexer {
    chars: Vec<char>,
    pub(super) next: usize,
    /// Here-documents whose text begins after the next newline: end word, quoted, tabs stripped.
    pub(super) heredocs: Vec<(Word, bool)>,
}

impl Lexer {
    pub(super) fn new(text: &str) -> Result<Self, Found> {
        for (at, c) in text.chars().enumerate() {
            // A terminal or a reader shows these otherwise than the shell takes them.
            let hidden = c.is_control() && !matches!(c, '\n' | '\t')
                || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
                    | '\u{2060}'..='\u{2069}' | '\u{FEFF}');
            if hidden {
                return Err((Why::Undecidable(format!("the character {c:?}")), at));
            }
        }
        Ok(Self { chars: text.chars().collect(), next: 0, heredocs: Vec::new() })
    }

    pub(super) fn raw(&self) -> Option<char> {
        self.chars.get(self.next).copied()
    }

    /// The next character. A backslash before a newline joins two lines, even inside an operator
    /// or between `$` and `(`.
    pub(super) fn peek(&mut self) -> Option<char> {
        while self.raw() == Some('\\') && self.chars.get(self.next + 1) == Some(&'\n') {
            self.next += 2;
        }
        self.raw()
    }

    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.next += usize::from(found);
        found
    }

    pub(super) fn place(&self) -> usize {
        self.next
    }

    /// The next token and where it begins.
    pub(super) fn token(&mut self) -> Result<(Token, usize), Found> {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.next += 1;
        }
        if self.peek() == Some('#') {
            while self.raw().is_some_and(|c| c != '\n') {
                self.next += 1;
            }
        }
        let at = self.next;
        match self.peek() {
            None if self.heredocs.is_empty() => Ok((Token::End, at)),
            None => Err((Why::Syntax("a here-document without its text".into()), at)),
            Some('\n') => {
                self.next += 1;
                self.heredoc_texts()?;
                Ok((Token::Newline, at))
            }
            Some(';' | '&' | '|' | '<' | '>' | '(' | ')') => {
                Ok((Token::Op(self.operator(at)?), at))
            }
            Some(_) => {
                let word = self.word()?;
                // `{name}>file` stores the descriptor in a variable, whose index is run as code.
                let stored = word.text.starts_with('{') && word.text.ends_with('}');
                if stored && matches!(self.peek(), Some('<' | '>')) {
                    return Err((Why::Undecidable("a descriptor in a variable".into()), at));
                }
                let number = !word.quoted
                    && !word.text.is_empty()
                    && !word.dynamic
                    && word.text.chars().all(|c| c.is_ascii_digit())
                    && matches!(self.peek(), Some('<' | '>'));
                Ok((if number { Token::Number } else { Token::Word(word) }, at))
            }
        }
    }

    fn operator(&mut self, at: usize) -> Result<&'static str, Found> {
        let begin = self.next;
        for op in OPERATORS {
            self.next = begin;
            if op.chars().all(|c| self.eat(c)) {
                if matches!(op, "<" | ">") && self.peek() == Some('(') {
                    return Err((Why::Undecidable("a process substitution".into()), at));
                }
                return Ok(op);
            }
        }
        Err((Why::Syntax("an unknown operator".into()), at))
    }

    fn word(&mut self) -> Result<Word, Found> {
        let mut word = Word { at: self.next, ..Word::default() };
        let mut brace = false;
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\'' => {
                    self.next += 1;
                    word.quoted = true;
                    self.single(&mut word)?;
                }
                '"' => {
                    self.next += 1;
                    word.quoted = true;
                    self.double(&mut word)?;
                }
                '\\' => {
                    self.next += 1;
                    word.quoted = true;
                    let Some(c) = self.raw() else {
                        return Err((Why::Syntax("a backslash at the end".into()), self.next - 1));
                    };
                    word.text.push(c);
                    self.next += 1;
                }
                '$' => self.dollar(&mut word, true)?,
                '`' => return Err(backtick(self.next)),
                c if c.is_whitespace() => {
                    return Err((Why::Undecidable(format!("the blank {c:?}")), self.next));
                }
                c => {
                    self.next += 1;
                    let plain = !word.quoted && !word.dynamic;
                    match c {
                        '=' if plain && word.assigns.is_none() => {
                            let name = word.text.strip_suffix('+').unwrap_or(&word.text);
                            word.assigns = is_name(name).then(|| name.to_owned());
                        }
                        '*' | '?' | '[' => word.glob = true,
                        '~' if word.text.is_empty() && !word.quoted => word.dynamic = true,
                        '{' => brace = true,
                        ',' | '.' if brace => word.dynamic = true,
                        _ => {}
                    }
                    word.text.push(c);
                }
            }
        }
        // `[` alone is the program, not a pattern.
        word.glob &= word.text != "[";
        Ok(word)
    }

    fn single(&mut self, word: &mut Word) -> Result<(), Found> {
        let at = self.next - 1;
        loop {
            let c = self.raw().ok_or((Why::Syntax("a ' without its end".into()), at))?;
            self.next += 1;
            if c == '\'' {
                return Ok(());
            }
            self.quoted_char(word, c)?;
        }
    }

    fn double(&mut self, word: &mut Word) -> Result<(), Found> {
        let at = self.next - 1;
        loop {
            let c = self.peek().ok_or((Why::Syntax("a \" without its end".into()), at))?;
            match c {
                '"' => {
                    self.next += 1;
                    return Ok(());
                }
                '$' => self.dollar(word, false)?,
                '`' => return Err(backtick(self.next)),
                '\\' => {
                    self.next += 1;
                    match self.raw() {
                        Some(c @ ('$' | '`' | '"' | '\\')) => {
                            word.text.push(c);
                            self.next += 1;
                        }
                        _ => word.text.push('\\'),
                    }
                }
                c => {
                    self.next += 1;
                    self.quoted_char(word, c)?;
                }
            }
        }
    }

    pub(super) fn quoted_char(&self, word: &mut Word, c: char) -> Result<(), Found> {
        // Shells differ on where the text of a here-document begins then.
        if c == '\n' && !self.heredocs.is_empty() {
            return Err((Why::Undecidable("a here-document inside quotes".into()), self.next - 1));
        }
        word.text.push(c);
        Ok(())
    }

    fn heredoc_texts(&mut self) -> Result<(), Found> {
        for (end, strip) in std::mem::take(&mut self.heredocs) {
            loop {
                let at = self.next;
                let rest = &self.chars[at.min(self.chars.len())..];
                if rest.is_empty() {
                    let what = format!("a here-document without its end '{}'", end.text);
                    return Err((Why::Syntax(what), end.at));
                }
                let line: String = rest.iter().take_while(|c| **c != '\n').collect();
                self.next += line.chars().count() + 1;
                if (if strip { line.trim_start_matches('\t') } else { &line }) == end.text {
                    break;
                }
                // A quoted end word makes the text literal.
                if !end.quoted && (line.contains(['`', '\\']) || risky_dollar(&line)) {
                    let what = "an expansion in a here-document; quote its end word".into();
                    return Err((Why::Undecidable(what), at));
                }
            }
        }
        // The last line of the text may end with the file instead of a newline.
        self.next = self.next.min(self.chars.len());
        Ok(())
    }
}

fn backtick(at: usize) -> Found {
    (Why::Undecidable("a command substitution `…`".into()), at)
}

fn risky_dollar(line: &str) -> bool {
    ["$(", "${", "$["].iter().any(|risky| line.contains(risky))
}
