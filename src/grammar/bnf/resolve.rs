//! From names to what they stand for: rules, tokens, patterns.

use std::collections::{HashMap, HashSet};

use super::error::BnfError;
use super::lower;
use super::notation::{Bytes, wrong};
use super::read::{Bnf, DEEPEST, Definition, Part, Pattern, Role, Token, TokenKind};
use super::rules::{Alternatives, Rules, Sym, Term, each_symbol};

/// Classes are numbered by 16 bits.
const MOST: usize = 10_000;

/// Parts of all patterns, with fragments in the places of their names.
const MOST_PARTS: usize = 100_000;

/// Puts definitions in the place of their names.
pub(super) struct Resolver<'a> {
    text: &'a str,
    definitions: &'a [Definition],
    by_name: HashMap<&'a str, usize>,
    /// The number of each rule.
    rules: HashMap<&'a str, usize>,
    /// Literals and classes that stand in rules.
    literals: Vec<Token>,
    /// The number of each by its pattern, and their names.
    known: HashMap<Pattern, usize>,
    taken: HashSet<String>,
    /// The number of each `%token` among them.
    named: HashMap<&'a str, usize>,
    /// The fragments that are being read, to notice one inside itself.
    open: Vec<&'a str>,
    /// How many parts patterns may still have.
    left: usize,
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
            known: HashMap::new(),
            taken: HashSet::new(),
            named: HashMap::new(),
            open: Vec::new(),
            left: MOST_PARTS,
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
        let Some((_, normal)) = lower::steps(&rules).and_then(|mut steps| steps.pop()) else {
            return Err(wrong(
                self.text,
                0,
                "the grammar is too large for a normal form",
            ));
        };
        Ok(Bnf {
            name,
            extensions,
            tokens,
            rules,
            normal,
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
        if let Some(&at) = self.known.get(&pattern) {
            return Term::Sym(Sym::Token(at));
        }
        let (at, mut name) = (self.literals.len(), name);
        while !self.taken.insert(name.clone()) {
            name.push('\'');
        }
        self.known.insert(pattern.clone(), at);
        self.literals.push(Token {
            name,
            kind: TokenKind::Literal,
            pattern,
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
        self.left = self.left.saturating_sub(1);
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
                if self.open.len() == DEEPEST || self.left == 0 {
                    let what =
                        format!("with {name} in the place of its name this token is too large");
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
