//! From names to what they stand for: rules, tokens, patterns.

use std::collections::HashMap;

use super::error::BnfError;
use super::notation::{Bytes, wrong};
use super::read::{Bnf, Definition, Part, Pattern, Role, Token, TokenKind};
use super::rules::{Alternatives, Rules, Sym, Term, each_symbol};

/// Classes are numbered by 16 bits.
const MOST: usize = 10_000;

/// Puts definitions in the place of their names.
pub(super) struct Resolver<'a> {
    text: &'a str,
    definitions: &'a [Definition],
    by_name: HashMap<&'a str, usize>,
    /// The number of each rule.
    rules: HashMap<&'a str, usize>,
    /// Literals and classes that stand in rules.
    literals: Vec<Token>,
    /// The number of each `%token` among them.
    named: HashMap<&'a str, usize>,
    /// The fragments that are being read, to notice one inside itself.
    open: Vec<&'a str>,
}

/// A symbol before it is known how many literals there are.
const NAMED: usize = 1 << 20;

impl<'a> Resolver<'a> {
    pub fn new(text: &'a str, definitions: &'a [Definition]) -> Result<Self, BnfError> {
        let mut resolver = Resolver {
            text,
            definitions,
            by_name: HashMap::new(),
            rules: HashMap::new(),
            literals: Vec::new(),
            named: HashMap::new(),
            open: Vec::new(),
        };
        for (at, definition) in definitions.iter().enumerate() {
            let name = &definition.name[..];
            if resolver.by_name.insert(name, at).is_some() {
                let what = format!("{name} is defined twice");
                return Err(wrong(text, definition.at, what));
            }
            let (rules, named) = (resolver.rules.len(), resolver.named.len());
            match definition.role {
                Role::Rule => drop(resolver.rules.insert(name, rules)),
                Role::Token(TokenKind::Named) => drop(resolver.named.insert(name, named)),
                _ => {}
            }
        }
        if resolver.rules.is_empty() {
            return Err(wrong(
                text,
                text.len(),
                "there is no rule, as in  name ::= \"text\" other",
            ));
        }
        Ok(resolver)
    }

    pub fn finish(
        mut self,
        name: Option<String>,
        extensions: Vec<String>,
    ) -> Result<Bnf, BnfError> {
        let mut names = Vec::new();
        let mut bodies = Vec::new();
        for definition in self.definitions {
            if definition.role == Role::Rule {
                names.push(definition.name.clone());
                bodies.push(self.alternatives(&definition.body)?);
            }
        }
        let mut tokens = std::mem::take(&mut self.literals);
        let literals = tokens.len();
        for kind in [TokenKind::Named, TokenKind::Comment, TokenKind::Skip] {
            tokens.extend(self.tokens(kind)?);
        }
        if !tokens.iter().any(|token| token.kind == TokenKind::Skip) {
            tokens.push(white_space());
        }
        if names.len() + tokens.len() > MOST {
            return Err(wrong(self.text, 0, "there are too many rules and tokens"));
        }
        let mut shift = |sym: &mut Sym| {
            if let Sym::Token(token) = sym
                && *token >= NAMED
            {
                *token = *token - NAMED + literals;
            }
        };
        bodies
            .iter_mut()
            .for_each(|body| each_symbol(body, &mut shift));
        let shown = tokens.iter().map(|token| match token.kind {
            TokenKind::Literal => format!("{:?}", token.name),
            _ => token.name.clone(),
        });
        let rules = Rules::new(names, bodies, shown.collect());
        let lost = rules.without_words();
        if let Some(lost) = lost.first() {
            let at = self.definitions[self.by_name[&lost[..]]].at;
            let what = format!(
                "{lost} has no end: each of its alternatives needs {lost} again; give it one that does not"
            );
            return Err(wrong(self.text, at, what));
        }
        Ok(Bnf {
            name,
            extensions,
            tokens,
            rules,
        })
    }

    fn tokens(&mut self, kind: TokenKind) -> Result<Vec<Token>, BnfError> {
        let mut tokens = Vec::new();
        for definition in self.definitions {
            if definition.role != Role::Token(kind) {
                continue;
            }
            let pattern = self.pattern(&definition.body)?;
            if pattern.may_be_empty() {
                let what = format!(
                    "{} may be an empty text; a token has at least a byte",
                    definition.name
                );
                return Err(wrong(self.text, definition.at, what));
            }
            tokens.push(Token {
                name: definition.name.clone(),
                kind,
                pattern,
            });
        }
        Ok(tokens)
    }

    fn alternatives(&mut self, part: &'a Part) -> Result<Alternatives, BnfError> {
        match part {
            Part::Choice(members) => {
                let rows = members.iter().map(|member| self.sequence(member));
                rows.collect()
            }
            part => Ok(vec![self.sequence(part)?]),
        }
    }

    fn sequence(&mut self, part: &'a Part) -> Result<Vec<Term>, BnfError> {
        match part {
            Part::Seq(members) => members.iter().map(|member| self.term(member)).collect(),
            part => Ok(vec![self.term(part)?]),
        }
    }

    fn term(&mut self, part: &'a Part) -> Result<Term, BnfError> {
        Ok(match part {
            Part::Name(name, at) => Term::Sym(self.symbol(name, *at)?),
            Part::Literal(text) => {
                let name = String::from_utf8_lossy(text).into_owned();
                self.literal(name, Pattern::Text(text.clone()))
            }
            Part::Class(set, text) => self.literal(text.clone(), Pattern::One(*set)),
            Part::Seq(_) | Part::Choice(_) => Term::Group(self.alternatives(part)?),
            Part::Quantified(inner, sign) => {
                let inner = self.alternatives(inner)?;
                match sign {
                    b'*' => Term::Star(inner),
                    b'+' => Term::Plus(inner),
                    _ => Term::Opt(inner),
                }
            }
        })
    }

    fn literal(&mut self, name: String, pattern: Pattern) -> Term {
        let known = self
            .literals
            .iter()
            .position(|token| token.pattern == pattern);
        let at = known.unwrap_or_else(|| {
            let kind = TokenKind::Literal;
            let mut name = name;
            while self.literals.iter().any(|token| token.name == name) {
                name.push('\'');
            }
            self.literals.push(Token {
                name,
                kind,
                pattern,
            });
            self.literals.len() - 1
        });
        Term::Sym(Sym::Token(at))
    }

    fn symbol(&self, name: &str, at: usize) -> Result<Sym, BnfError> {
        if let Some(&rule) = self.rules.get(name) {
            return Ok(Sym::Rule(rule));
        }
        if let Some(&token) = self.named.get(name) {
            return Ok(Sym::Token(token + NAMED));
        }
        let what = match self.by_name.contains_key(name) {
            true => format!("{name} is no %token, so it cannot stand in a rule; make it one"),
            false => format!("there is neither a rule nor a %token called {name}; add one"),
        };
        Err(wrong(self.text, at, what))
    }

    /// A pattern; the names in it are those of fragments and tokens.
    fn pattern(&mut self, part: &'a Part) -> Result<Pattern, BnfError> {
        Ok(match part {
            Part::Literal(text) => Pattern::Text(text.clone()),
            Part::Class(set, _) => Pattern::One(*set),
            Part::Seq(members) => Pattern::Seq(self.patterns(members)?),
            Part::Choice(members) => Pattern::Choice(self.patterns(members)?),
            Part::Quantified(inner, sign) => {
                let inner = Box::new(self.pattern(inner)?);
                match sign {
                    b'*' => Pattern::Star(inner),
                    b'+' => Pattern::Plus(inner),
                    _ => Pattern::Opt(inner),
                }
            }
            Part::Name(name, at) => {
                let definition = self.by_name.get(&name[..]).map(|&at| &self.definitions[at]);
                let Some(definition) = definition.filter(|d| d.role != Role::Rule) else {
                    let what =
                        format!("a pattern is made of %fragment and %token, and {name} is neither");
                    return Err(wrong(self.text, *at, what));
                };
                if self.open.contains(&&name[..]) {
                    let what =
                        format!("{name} contains itself; a token is a pattern without recursion");
                    return Err(wrong(self.text, *at, what));
                }
                self.open.push(name);
                let pattern = self.pattern(&definition.body)?;
                self.open.pop();
                pattern
            }
        })
    }

    fn patterns(&mut self, members: &'a [Part]) -> Result<Vec<Pattern>, BnfError> {
        members.iter().map(|member| self.pattern(member)).collect()
    }
}

/// What is skipped where a grammar does not say.
fn white_space() -> Token {
    let mut blanks = Bytes::NONE;
    for byte in *b" \t\r\n\x0b\x0c" {
        blanks.add(byte, byte);
    }
    Token {
        name: "white space".to_owned(),
        kind: TokenKind::Skip,
        pattern: Pattern::Plus(Box::new(Pattern::One(blanks))),
    }
}
