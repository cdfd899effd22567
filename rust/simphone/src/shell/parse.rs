//! A line for the phone's shell, taken apart: words, quotes, pipes, redirections, conditions.
//!
//! The phone's shell is a Korn shell; tools send it little of that. What is not understood here is
//! a syntax error, as the phone would say it, never a guess.

use std::fmt;

/// A whole line: pipelines one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line(pub Vec<(When, Pipeline)>);

/// When a pipeline runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Whatever came before.
    Always,
    /// If what came before succeeded.
    IfOk,
    /// If what came before failed.
    IfFailed,
}

/// Commands whose output goes into the next one's input.
pub type Pipeline = Vec<Command>;

/// One command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Its words, the first being its name.
    pub words: Vec<Word>,
    /// Where its streams go instead.
    pub redirections: Vec<Redirection>,
}

/// A word, in pieces: variables are filled in when it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word(pub Vec<Piece>);

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it stands.
    Text(String),
    /// A variable; `?` is the last exit code.
    Variable(String),
}

/// Where a stream goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Redirection {
    /// `< file`
    From(Word),
    /// `> file`, `>> file`, `2> file`
    To {
        /// Standard error instead of standard output.
        errors: bool,
        /// Added to what is there.
        append: bool,
        /// The file.
        file: Word,
    },
    /// `2>&1`
    ErrorsToOutput,
}

/// A line that could not be taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError(pub String);

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "syntax error: {}", self.0)
    }
}

/// Takes a line apart.
pub fn parse(text: &str) -> Result<Line, SyntaxError> {
    let mut parser = Parser { chars: text.chars().collect(), at: 0 };
    parser.line()
}

struct Parser {
    chars: Vec<char>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    fn eat(&mut self, text: &str) -> bool {
        let fits = self.chars[self.at.min(self.chars.len())..]
            .iter()
            .copied()
            .take(text.chars().count())
            .eq(text.chars());
        if fits {
            self.at += text.chars().count();
        }
        fits
    }

    /// Passes over blanks, continued lines and a comment. Only called where a word may begin.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t') => self.at += 1,
                Some('\\') if self.chars.get(self.at + 1) == Some(&'\n') => self.at += 2,
                Some('#') => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn line(&mut self) -> Result<Line, SyntaxError> {
        let mut line = Vec::new();
        let mut when = When::Always;
        loop {
            self.blanks();
            match self.peek() {
                None if when == When::Always => break,
                None => return Err(SyntaxError("unexpected end of line".into())),
                Some(';' | '\n') if when == When::Always => {
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let pipeline = self.pipeline()?;
            line.push((when, pipeline));
            self.blanks();
            when = if self.eat("&&") {
                When::IfOk
            } else if self.eat("||") {
                When::IfFailed
            } else {
                match self.peek() {
                    None | Some(';' | '\n') => When::Always,
                    Some(other) => return Err(SyntaxError(format!("unexpected '{other}'"))),
                }
            };
        }
        Ok(Line(line))
    }

    fn pipeline(&mut self) -> Result<Pipeline, SyntaxError> {
        let mut pipeline = vec![self.command()?];
        loop {
            self.blanks();
            let is_or = self.chars.get(self.at + 1) == Some(&'|');
            if self.peek() != Some('|') || is_or {
                return Ok(pipeline);
            }
            self.at += 1;
            pipeline.push(self.command()?);
        }
    }

    fn command(&mut self) -> Result<Command, SyntaxError> {
        let mut command = Command::default();
        loop {
            self.blanks();
            if self.eat("2>&1") {
                command.redirections.push(Redirection::ErrorsToOutput);
                continue;
            }
            let redirection = [
                ("2>>", true, true),
                ("2>", true, false),
                (">>", false, true),
                (">", false, false),
            ]
            .into_iter()
            .find(|(sign, ..)| self.eat(sign));
            if let Some((_, errors, append)) = redirection {
                let file = self.file()?;
                command.redirections.push(Redirection::To { errors, append, file });
                continue;
            }
            if self.eat("<") {
                let file = self.file()?;
                command.redirections.push(Redirection::From(file));
                continue;
            }
            match self.word()? {
                Some(word) => command.words.push(word),
                None => break,
            }
        }
        if command.words.is_empty() && command.redirections.is_empty() {
            let seen = self.peek().map_or("end of line".into(), |c| format!("'{c}'"));
            return Err(SyntaxError(format!("unexpected {seen}")));
        }
        Ok(command)
    }

    fn file(&mut self) -> Result<Word, SyntaxError> {
        self.blanks();
        self.word()?.ok_or_else(|| SyntaxError("a redirection needs a file".into()))
    }

    /// One word, or none where an operator or the end stands.
    fn word(&mut self) -> Result<Option<Word>, SyntaxError> {
        let mut word = Word::default();
        let mut any = false;
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\n' | ';' | '|' | '&' | '<' | '>' => break,
                '(' | ')' | '`' => return Err(SyntaxError(format!("unexpected '{c}'"))),
                _ => {}
            }
            any = true;
            self.at += 1;
            match c {
                '\'' => self.single_quoted(&mut word)?,
                '"' => self.double_quoted(&mut word)?,
                '\\' => {
                    if let Some(next) = self.next() {
                        word.push(next);
                    }
                }
                '$' => self.dollar(&mut word)?,
                other => word.push(other),
            }
        }
        Ok(any.then_some(word))
    }

    fn single_quoted(&mut self, word: &mut Word) -> Result<(), SyntaxError> {
        word.quoted();
        loop {
            match self.next() {
                Some('\'') => return Ok(()),
                Some(c) => word.push(c),
                None => return Err(SyntaxError("no closing quote".into())),
            }
        }
    }

    fn double_quoted(&mut self, word: &mut Word) -> Result<(), SyntaxError> {
        word.quoted();
        loop {
            match self.next() {
                Some('"') => return Ok(()),
                Some('$') => self.dollar(word)?,
                Some('`') => return Err(SyntaxError("unexpected '`'".into())),
                Some('\\') => match self.next() {
                    Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                    Some('\n') => {}
                    Some(c) => {
                        word.push('\\');
                        word.push(c);
                    }
                    None => return Err(SyntaxError("no closing quote".into())),
                },
                Some(c) => word.push(c),
                None => return Err(SyntaxError("no closing quote".into())),
            }
        }
    }

    fn dollar(&mut self, word: &mut Word) -> Result<(), SyntaxError> {
        let braced = self.eat("{");
        let mut name = String::new();
        if self.eat("?") {
            name.push('?');
        }
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphanumeric() || *c == '_') {
            if name == "?" {
                break;
            }
            name.push(c);
            self.at += 1;
        }
        if self.peek() == Some('(') && name.is_empty() {
            return Err(SyntaxError("unexpected '('".into()));
        }
        if braced && !self.eat("}") {
            return Err(SyntaxError("unexpected '{'".into()));
        }
        if name.is_empty() {
            word.push('$');
        } else {
            word.0.push(Piece::Variable(name));
        }
        Ok(())
    }
}

impl Word {
    /// Quotes make a word even when there is nothing between them.
    fn quoted(&mut self) {
        if self.0.is_empty() {
            self.0.push(Piece::Text(String::new()));
        }
    }

    fn push(&mut self, c: char) {
        match self.0.last_mut() {
            Some(Piece::Text(text)) => text.push(c),
            _ => self.0.push(Piece::Text(c.into())),
        }
    }

    /// The word with its variables filled in.
    #[must_use]
    pub fn filled(&self, variable: impl Fn(&str) -> String) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Variable(name) => variable(name),
        });
        pieces.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Vec<String>> {
        let line = parse(text).unwrap();
        let commands = line.0.iter().flat_map(|(_, pipeline)| pipeline);
        commands
            .map(|command| {
                command.words.iter().map(|word| word.filled(|name| format!("<{name}>"))).collect()
            })
            .collect()
    }

    #[test]
    fn quotes_keep_words_together_whatever_is_in_them() {
        assert_eq!(words("am start -n a/b"), [["am", "start", "-n", "a/b"]]);
        assert_eq!(words(r#"echo 'a b'"c d"\ e ''"#), [["echo", "a bc d e", ""]]);
        assert_eq!(words(r"echo 'it'\''s'"), [["echo", "it's"]]);
        assert_eq!(words(r#"echo "$? ${x} \$y" '$z'"#), [["echo", "<?> <x> $y", "$z"]]);
    }

    #[test]
    fn pipelines_and_conditions_are_told_apart() {
        let line = parse("a | b && c || d; e").unwrap();
        let shape: Vec<_> = line.0.iter().map(|(when, pipeline)| (*when, pipeline.len())).collect();
        let expected = [(When::Always, 2), (When::IfOk, 1), (When::IfFailed, 1), (When::Always, 1)];
        assert_eq!(shape, expected);
    }

    #[test]
    fn redirections_are_not_words() {
        let line = parse("ls /x 2>&1 >/dev/null < in 2>>err").unwrap();
        let command = &line.0[0].1[0];
        assert_eq!((command.words.len(), command.redirections.len()), (2, 4));
    }

    #[test]
    fn what_is_not_understood_is_an_error_not_a_guess() {
        for text in [
            "echo 'open",
            "echo \"open",
            "echo $(id)",
            "echo `id`",
            "(a)",
            "a &&",
            "| b",
            "a & b",
            ">",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(parse(""), Ok(Line(vec![])));
        assert_eq!(parse(" ; # comment"), Ok(Line(vec![])));
    }
}
