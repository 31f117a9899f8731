//! Reading the notation.

use super::error::BnfError;
use super::notation::{Bytes, Placed, Word, words, wrong};
use super::resolve::Resolver;
use super::rules::Rules;

/// Groups in groups, and fragments in fragments, are read by recursion, which ends here.
pub(super) const DEEPEST: usize = 100;

/// What the text of a token looks like.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// Just this text.
    Text(Vec<u8>),
    /// One byte of a set.
    One(Bytes),
    /// One after the other.
    Seq(Vec<Pattern>),
    /// One of them.
    Choice(Vec<Pattern>),
    /// Any number of them.
    Star(Box<Pattern>),
    /// At least one.
    Plus(Box<Pattern>),
    /// One or nothing.
    Opt(Box<Pattern>),
}

impl Pattern {
    /// Whether it matches the empty text.
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Pattern::Text(text) => text.is_empty(),
            Pattern::One(_) => false,
            Pattern::Seq(parts) => parts.iter().all(Pattern::may_be_empty),
            Pattern::Choice(parts) => parts.iter().any(Pattern::may_be_empty),
            Pattern::Star(_) | Pattern::Opt(_) => true,
            Pattern::Plus(inner) => inner.may_be_empty(),
        }
    }
}

/// What a token is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A text in quotes in a rule.
    Literal,
    /// A `%token`.
    Named,
    /// A `%comment`: may stand anywhere, and is shown.
    Comment,
    /// A `%skip`: white space.
    Skip,
}

/// A token of a grammar. Of two that match the same text, the first in [`Bnf::tokens`] is meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its name, or its text.
    pub name: String,
    /// What it is for.
    pub kind: TokenKind,
    /// What it looks like.
    pub pattern: Pattern,
}

/// A grammar as its text has it.
#[derive(Clone, Debug)]
pub struct Bnf {
    /// The name that it gives itself with `%name`.
    pub name: Option<String>,
    /// The extensions of its files, without the dot.
    pub extensions: Vec<String>,
    /// All tokens: texts in quotes first, then those with names, in the order of the text; comments; white space.
    pub tokens: Vec<Token>,
    pub(super) rules: Rules,
    /// The rules after all steps of Algorithm 1.
    pub(super) normal: Rules,
}

impl Bnf {
    /// Reads a grammar.
    ///
    /// # Errors
    /// The first thing that is wrong with it, and where.
    pub fn read(text: &str) -> Result<Bnf, BnfError> {
        let mut reader = Reader {
            text,
            words: words(text)?,
            next: 0,
            definitions: Vec::new(),
            name: None,
            extensions: Vec::new(),
        };
        while reader.next < reader.words.len() {
            reader.statement()?;
        }
        let Reader {
            name,
            extensions,
            definitions,
            ..
        } = reader;
        Resolver::new(text, &definitions)?.finish(name, extensions)
    }
}

/// What a definition defines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Rule,
    Fragment,
    Token(TokenKind),
}

pub(super) struct Definition {
    pub name: String,
    pub at: usize,
    pub role: Role,
    pub body: Part,
}

/// The right-hand side of a definition, as it is written.
pub(super) enum Part {
    Name(String, usize),
    Literal(Vec<u8>),
    Class(Bytes, String),
    Seq(Vec<Part>),
    Choice(Vec<Part>),
    Quantified(Box<Part>, u8),
}

struct Reader<'a> {
    text: &'a str,
    words: Vec<Placed>,
    next: usize,
    definitions: Vec<Definition>,
    name: Option<String>,
    extensions: Vec<String>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Word> {
        self.words.get(self.next).map(|placed| &placed.word)
    }

    fn at(&self) -> usize {
        self.words
            .get(self.next)
            .map_or(self.text.trim_end().len(), |placed| placed.at)
    }

    fn wrong(&self, what: impl Into<String>) -> BnfError {
        wrong(self.text, self.at(), what)
    }

    /// What stands here, for an error.
    fn here(&self) -> String {
        self.peek()
            .map_or("the end of the file".to_owned(), Word::told)
    }

    fn statement(&mut self) -> Result<(), BnfError> {
        let role = match self.peek() {
            Some(Word::Directive(directive)) => match &directive[..] {
                "name" | "extensions" => return self.setting(),
                "token" => Role::Token(TokenKind::Named),
                "skip" => Role::Token(TokenKind::Skip),
                "comment" => Role::Token(TokenKind::Comment),
                "fragment" => Role::Fragment,
                other => {
                    return Err(self.wrong(format!(
                        "there is no %{other}; there are %name, %extensions, %token, %fragment, %skip and %comment"
                    )));
                }
            },
            _ => Role::Rule,
        };
        if role != Role::Rule {
            self.next += 1;
        }
        let at = self.at();
        let name = self.name()?;
        if self.peek() != Some(&Word::Is) {
            return Err(self.wrong(format!(
                "`::=` is missing behind {name}; here is {}",
                self.here()
            )));
        }
        self.next += 1;
        let body = self.choice(0)?;
        match self.peek() {
            Some(Word::Sign(b';')) => self.next += 1,
            Some(Word::Sign(b')')) => return Err(self.wrong("this `)` closes nothing")),
            _ => {}
        }
        self.definitions.push(Definition {
            name,
            at,
            role,
            body,
        });
        Ok(())
    }

    fn name(&mut self) -> Result<String, BnfError> {
        match self.peek() {
            Some(Word::Name(name)) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.wrong(format!("a name is missing; here is {}", self.here()))),
        }
    }

    /// `%name x` and `%extensions x y`.
    fn setting(&mut self) -> Result<(), BnfError> {
        let is_name = self.peek() == Some(&Word::Directive("name".to_owned()));
        self.next += 1;
        if is_name {
            self.name = Some(self.name()?);
            return Ok(());
        }
        let first = self.name()?;
        self.extensions.push(first);
        while matches!(self.peek(), Some(Word::Name(_))) && !self.begins_definition() {
            let next = self.name()?;
            self.extensions.push(next);
        }
        Ok(())
    }

    /// Whether a definition begins here, rather than another part of the one before.
    fn begins_definition(&self) -> bool {
        matches!(self.peek(), Some(Word::Name(_)))
            && self.words.get(self.next + 1).map(|placed| &placed.word) == Some(&Word::Is)
    }

    fn choice(&mut self, depth: usize) -> Result<Part, BnfError> {
        if depth > DEEPEST {
            return Err(self.wrong("the groups are too deep in each other"));
        }
        let mut members = vec![self.sequence(depth)?];
        while self.peek() == Some(&Word::Sign(b'|')) {
            self.next += 1;
            members.push(self.sequence(depth)?);
        }
        Ok(match members.len() {
            1 => members.remove(0),
            _ => Part::Choice(members),
        })
    }

    fn sequence(&mut self, depth: usize) -> Result<Part, BnfError> {
        let mut members = Vec::new();
        loop {
            let part = match self.peek() {
                Some(Word::Name(_)) if self.begins_definition() => break,
                Some(Word::Name(name)) => Part::Name(name.clone(), self.at()),
                Some(Word::Literal(text)) => Part::Literal(text.clone()),
                Some(Word::Class(set, text)) => Part::Class(*set, text.clone()),
                Some(Word::Sign(b'(')) => {
                    let open = self.at();
                    self.next += 1;
                    let inner = self.choice(depth + 1)?;
                    if self.peek() != Some(&Word::Sign(b')')) {
                        let what = format!("this `(` is not closed before {}", self.here());
                        return Err(wrong(self.text, open, what));
                    }
                    inner
                }
                Some(Word::Sign(sign @ (b'*' | b'+' | b'?'))) => {
                    let what = format!("`{}` stands behind what it repeats", char::from(*sign));
                    return Err(self.wrong(what));
                }
                _ => break,
            };
            self.next += 1;
            members.push(self.quantified(part));
        }
        Ok(match members.len() {
            1 => members.remove(0),
            _ => Part::Seq(members),
        })
    }

    /// Of signs behind each other, equal ones are one, and others are `*`: so nothing is nested deeper than groups are.
    fn quantified(&mut self, part: Part) -> Part {
        let mut all = None;
        while let Some(&Word::Sign(sign @ (b'*' | b'+' | b'?'))) = self.peek() {
            self.next += 1;
            let same = all.is_none_or(|known| known == sign);
            all = Some(if same { sign } else { b'*' });
        }
        match all {
            Some(sign) => Part::Quantified(Box::new(part), sign),
            None => part,
        }
    }
}
