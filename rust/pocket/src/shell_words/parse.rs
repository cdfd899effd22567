//! The grammar: from tokens to the simple commands in them, whatever they are nested in.

use super::lexer::{Lexer, Token, Word};
use super::refusal::{Found, Refusal, Why};
use super::variables::{is_name, may_set};

/// Deeper nesting is no script that somebody wrote, and we recurse.
const MAX_DEPTH: usize = 50;

/// One program and its arguments, or only assignments or redirections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Simple {
    /// `NAME=value` before the program.
    pub assignments: Vec<Word>,
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// Files it reads or writes.
    pub redirects: Vec<Redirect>,
}

/// A redirection other than a here-document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The operator.
    pub op: &'static str,
    /// The file, or the descriptor for `<&` and `>&`.
    pub target: Word,
}

const RESERVED: [&str; 22] = [
    "!", "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function",
    "if", "in", "select", "then", "time", "until", "while", "[[", "]]",
];
const CLOSING: [&str; 8] = ["}", "do", "done", "elif", "else", "esac", "fi", "then"];

/// The simple commands of `text` in the order they stand there.
pub fn parse(text: &str) -> Result<Vec<Simple>, Refusal> {
    found(text).map_err(|found| Refusal::at(found, text))
}

pub(super) fn found(text: &str) -> Result<Vec<Simple>, Found> {
    let mut parser = Parser { lexer: Lexer::new(text)?, peeked: None, found: Vec::new(), depth: 0 };
    while matches!(parser.peek()?, Token::Newline) {
        parser.take()?;
    }
    if *parser.peek()? == Token::End {
        return Err((Why::Empty, 0));
    }
    parser.list()?;
    match parser.take()? {
        (Token::End, _) => Ok(parser.found),
        (token, at) => Err(unexpected(&token, at)),
    }
}

struct Parser {
    lexer: Lexer,
    peeked: Option<(Token, usize)>,
    found: Vec<Simple>,
    depth: usize,
}

impl Parser {
    fn peek(&mut self) -> Result<&Token, Found> {
        let token = match self.peeked.take() {
            Some(token) => token,
            None => self.lexer.token()?,
        };
        Ok(&self.peeked.insert(token).0)
    }

    fn take(&mut self) -> Result<(Token, usize), Found> {
        self.peeked.take().map_or_else(|| self.lexer.token(), Ok)
    }

    /// The reserved word that comes next, if one does.
    fn reserved(&mut self) -> Result<Option<&'static str>, Found> {
        Ok(match self.peek()? {
            Token::Word(word) if !word.quoted && !word.dynamic => {
                RESERVED.into_iter().find(|reserved| *reserved == word.text)
            }
            _ => None,
        })
    }

    fn expect(&mut self, wanted: &str) -> Result<(), Found> {
        let reserved = self.reserved()? == Some(wanted);
        let (token, at) = self.take()?;
        match token {
            Token::Op(op) if op == wanted => Ok(()),
            _ if reserved => Ok(()),
            token => Err(unexpected(&token, at)),
        }
    }

    fn newlines(&mut self) -> Result<(), Found> {
        while *self.peek()? == Token::Newline {
            self.take()?;
        }
        Ok(())
    }

    /// One or more commands, up to a word or bracket that closes.
    fn list(&mut self) -> Result<(), Found> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err((Why::Undecidable("nested too deep".into()), self.lexer.place()));
        }
        self.newlines()?;
        loop {
            self.and_or()?;
            if !matches!(self.peek()?, Token::Op(";" | "&") | Token::Newline) {
                break;
            }
            self.take()?;
            self.newlines()?;
            let closing = self.reserved()?.is_some_and(|word| CLOSING.contains(&word));
            if closing || matches!(self.peek()?, Token::End | Token::Op(")")) {
                break;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn and_or(&mut self) -> Result<(), Found> {
        loop {
            while self.reserved()? == Some("!") {
                self.take()?;
            }
            self.command()?;
            while matches!(self.peek()?, Token::Op("|" | "|&")) {
                self.take()?;
                self.newlines()?;
                self.command()?;
            }
            if !matches!(self.peek()?, Token::Op("&&" | "||")) {
                return Ok(());
            }
            self.take()?;
            self.newlines()?;
        }
    }

    fn command(&mut self) -> Result<(), Found> {
        if *self.peek()? == Token::Op("(") {
            let (_, at) = self.take()?;
            if matches!(self.peek()?, Token::Op("(")) {
                return Err((Why::Undecidable("arithmetic ((…))".into()), at));
            }
            self.list()?;
            self.expect(")")?;
            return self.redirects();
        }
        let Some(reserved) = self.reserved()? else { return self.simple() };
        let (token, at) = self.take()?;
        match reserved {
            "{" => {
                self.list()?;
                self.expect("}")?;
            }
            "if" => loop {
                self.list()?;
                self.expect("then")?;
                self.list()?;
                match self.reserved()? {
                    Some("elif") => {
                        self.take()?;
                    }
                    Some("else") => {
                        self.take()?;
                        self.list()?;
                        self.expect("fi")?;
                        break;
                    }
                    _ => {
                        self.expect("fi")?;
                        break;
                    }
                }
            },
            "while" | "until" => {
                self.list()?;
                self.body()?;
            }
            "for" => {
                self.for_words()?;
                self.body()?;
            }
            "case" | "coproc" | "function" | "select" | "time" | "[[" => {
                let what = format!("'{reserved}', which is not read here");
                return Err((Why::Undecidable(what), at));
            }
            _ => return Err(unexpected(&token, at)),
        }
        self.redirects()
    }

    fn body(&mut self) -> Result<(), Found> {
        self.expect("do")?;
        self.list()?;
        self.expect("done")
    }

    /// `NAME in words;` of a loop.
    fn for_words(&mut self) -> Result<(), Found> {
        match self.take()? {
            (Token::Word(word), at) if !word.quoted && is_name(&word.text) => {
                may_set(&word.text, at)?;
            }
            (Token::Op("("), at) => {
                return Err((Why::Undecidable("arithmetic ((…))".into()), at));
            }
            (token, at) => return Err(unexpected(&token, at)),
        }
        self.newlines()?;
        self.expect("in")?;
        loop {
            match self.take()? {
                (Token::Word(_), _) => {}
                (Token::Op(";") | Token::Newline, _) => return self.newlines(),
                (token, at) => return Err(unexpected(&token, at)),
            }
        }
    }

    fn simple(&mut self) -> Result<(), Found> {
        let mut simple = Simple::default();
        let mut heredoc = false;
        loop {
            match self.peek()? {
                Token::Word(_) | Token::Number => {}
                Token::Op("(") if !simple.words.is_empty() || !simple.assignments.is_empty() => {
                    let (_, at) = self.take()?;
                    return Err((Why::Undecidable("a function, array or pattern".into()), at));
                }
                Token::Op(op) if op.contains(['<', '>']) => {}
                _ => break,
            }
            match self.take()? {
                (Token::Word(word), _) if simple.words.is_empty() && word.assigns.is_some() => {
                    simple.assignments.push(word);
                }
                (Token::Word(word), _) => simple.words.push(word),
                (Token::Op(op), _) => {
                    heredoc = true;
                    simple.redirects.extend(self.redirect(op)?);
                }
                _ => {}
            }
        }
        if simple == Simple::default() && !heredoc {
            let (token, at) = self.take()?;
            return Err(unexpected(&token, at));
        }
        self.found.push(simple);
        Ok(())
    }

    /// The redirections after a compound command.
    fn redirects(&mut self) -> Result<(), Found> {
        let mut simple = Simple::default();
        loop {
            match self.peek()? {
                Token::Number => {
                    self.take()?;
                }
                Token::Op(op) if op.contains(['<', '>']) => {
                    let op = *op;
                    self.take()?;
                    simple.redirects.extend(self.redirect(op)?);
                }
                _ => break,
            }
        }
        if !simple.redirects.is_empty() {
            self.found.push(simple);
        }
        Ok(())
    }

    fn redirect(&mut self, op: &'static str) -> Result<Option<Redirect>, Found> {
        let target = match self.take()? {
            (Token::Word(word), _) => word,
            (token, at) => return Err(unexpected(&token, at)),
        };
        match op {
            "<<" | "<<-" if target.dynamic || target.text.contains('\n') => {
                Err((Why::Undecidable("the end of a here-document".into()), target.at))
            }
            "<<" | "<<-" => {
                self.lexer.heredocs.push((target, op == "<<-"));
                Ok(None)
            }
            "<<<" => Ok(None),
            op => Ok(Some(Redirect { op, target })),
        }
    }
}

fn unexpected(token: &Token, at: usize) -> Found {
    let what = match token {
        Token::Word(word) => format!("unexpected '{}'", word.text),
        Token::Number => "unexpected number".to_owned(),
        Token::Op(op) => format!("unexpected '{op}'"),
        Token::Newline => "unexpected end of line".to_owned(),
        Token::End => "it ends too early".to_owned(),
    };
    (Why::Syntax(what), at)
}
