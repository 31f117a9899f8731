//! Reading the notation.

use super::error::BnfError;
use super::notation::{NotationToken, PositionedToken, error_at, tokenize};
use super::resolve::NameResolver;
use super::syntax::{BnfDefinition, BnfExpr, BnfGrammar, DefinitionRole, MAX_NESTING, TokenKind};

impl BnfGrammar {
    /// Reads a grammar.
    ///
    /// # Errors
    /// The first error, and its place.
    pub fn from_text(text: &str) -> Result<BnfGrammar, BnfError> {
        let mut reader = BnfReader {
            text,
            words: tokenize(text)?,
            next: 0,
            definitions: Vec::new(),
            name: None,
            extensions: Vec::new(),
        };
        while reader.next < reader.words.len() {
            reader.read_statement()?;
        }
        let BnfReader {
            name,
            extensions,
            definitions,
            ..
        } = reader;
        NameResolver::new(text, &definitions)?.into_bnf(name, extensions)
    }
}

struct BnfReader<'a> {
    text: &'a str,
    words: Vec<PositionedToken>,
    next: usize,
    definitions: Vec<BnfDefinition>,
    name: Option<String>,
    extensions: Vec<String>,
}

impl BnfReader<'_> {
    fn peek(&self) -> Option<&NotationToken> {
        self.words.get(self.next).map(|placed| &placed.word)
    }

    fn position(&self) -> usize {
        self.words
            .get(self.next)
            .map_or(self.text.trim_end().len(), |placed| placed.at)
    }

    fn error_here(&self, what: impl Into<String>) -> BnfError {
        error_at(self.text, self.position(), what)
    }

    /// What stands here, for an error.
    fn describe_next(&self) -> String {
        self.peek()
            .map_or("the end of the file".to_owned(), NotationToken::describe)
    }

    fn read_statement(&mut self) -> Result<(), BnfError> {
        let role = match self.peek() {
            Some(NotationToken::Directive(directive)) => match &directive[..] {
                "name" | "extensions" => return self.read_setting(),
                "token" => DefinitionRole::Token(TokenKind::Named),
                "skip" => DefinitionRole::Token(TokenKind::Skip),
                "comment" => DefinitionRole::Token(TokenKind::Comment),
                "fragment" => DefinitionRole::Fragment,
                other => {
                    return Err(self.error_here(format!(
                        "there is no %{other}; there are %name, %extensions, %token, %fragment, %skip and %comment"
                    )));
                }
            },
            _ => DefinitionRole::Rule,
        };
        if role != DefinitionRole::Rule {
            self.next += 1;
        }
        let at = self.position();
        let name = self.read_name()?;
        if self.peek() != Some(&NotationToken::Defines) {
            return Err(self.error_here(format!(
                "`::=` is missing behind {name}; here is {}",
                self.describe_next()
            )));
        }
        self.next += 1;
        let body = self.read_choice(0)?;
        match self.peek() {
            Some(NotationToken::Sign(b';')) => self.next += 1,
            Some(NotationToken::Sign(b')')) => {
                return Err(self.error_here("this `)` closes nothing"));
            }
            _ => {}
        }
        self.definitions.push(BnfDefinition {
            name,
            at,
            role,
            body,
        });
        Ok(())
    }

    fn read_name(&mut self) -> Result<String, BnfError> {
        match self.peek() {
            Some(NotationToken::Name(name)) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.error_here(format!(
                "a name is missing; here is {}",
                self.describe_next()
            ))),
        }
    }

    /// `%name x` and `%extensions x y`.
    fn read_setting(&mut self) -> Result<(), BnfError> {
        let is_name = self.peek() == Some(&NotationToken::Directive("name".to_owned()));
        self.next += 1;
        if is_name {
            self.name = Some(self.read_name()?);
            return Ok(());
        }
        let first = self.read_name()?;
        self.extensions.push(first);
        while matches!(self.peek(), Some(NotationToken::Name(_))) && !self.begins_definition() {
            let next = self.read_name()?;
            self.extensions.push(next);
        }
        Ok(())
    }

    /// Whether a definition begins here, rather than another part of the one before.
    fn begins_definition(&self) -> bool {
        matches!(self.peek(), Some(NotationToken::Name(_)))
            && self.words.get(self.next + 1).map(|placed| &placed.word)
                == Some(&NotationToken::Defines)
    }

    fn read_choice(&mut self, depth: usize) -> Result<BnfExpr, BnfError> {
        if depth > MAX_NESTING {
            return Err(self.error_here("the groups are too deep in each other"));
        }
        let mut members = vec![self.read_sequence(depth)?];
        while self.peek() == Some(&NotationToken::Sign(b'|')) {
            self.next += 1;
            members.push(self.read_sequence(depth)?);
        }
        Ok(match members.len() {
            1 => members.remove(0),
            _ => BnfExpr::Choice(members),
        })
    }

    fn read_sequence(&mut self, depth: usize) -> Result<BnfExpr, BnfError> {
        let mut members = Vec::new();
        loop {
            let part = match self.peek() {
                Some(NotationToken::Name(_)) if self.begins_definition() => break,
                Some(NotationToken::Name(name)) => BnfExpr::Name(name.clone(), self.position()),
                Some(NotationToken::Literal(text)) => BnfExpr::Literal(text.clone()),
                Some(NotationToken::Class(set, text)) => BnfExpr::Class(*set, text.clone()),
                Some(NotationToken::Sign(b'(')) => {
                    let open = self.position();
                    self.next += 1;
                    let inner = self.read_choice(depth + 1)?;
                    if self.peek() != Some(&NotationToken::Sign(b')')) {
                        let what =
                            format!("this `(` is not closed before {}", self.describe_next());
                        return Err(error_at(self.text, open, what));
                    }
                    inner
                }
                Some(NotationToken::Sign(sign @ (b'*' | b'+' | b'?'))) => {
                    let what = format!("`{}` stands behind what it repeats", char::from(*sign));
                    return Err(self.error_here(what));
                }
                _ => break,
            };
            self.next += 1;
            members.push(self.read_quantifier(part));
        }
        Ok(match members.len() {
            1 => members.remove(0),
            _ => BnfExpr::Seq(members),
        })
    }

    /// Several quantifiers one after the other: equal ones are one, and others are `*`. So nothing is nested deeper than groups are.
    fn read_quantifier(&mut self, part: BnfExpr) -> BnfExpr {
        let mut all = None;
        while let Some(&NotationToken::Sign(sign @ (b'*' | b'+' | b'?'))) = self.peek() {
            self.next += 1;
            let same = all.is_none_or(|known| known == sign);
            all = Some(if same { sign } else { b'*' });
        }
        match all {
            Some(sign) => BnfExpr::Quantified(Box::new(part), sign),
            None => part,
        }
    }
}
