//! From names to their definitions: rules, tokens, patterns.

use std::collections::{HashMap, HashSet};

use super::doubts;
use super::error::BnfError;
use super::lower;
use super::marks::{self, PlacedMark, WrittenMarks};
use super::notation::{ByteSet, error_at};
use super::rules::{Alternatives, BnfRules, RuleTerm, SymbolId, for_each_symbol};
use super::syntax::{
    BnfDefinition, BnfExpr, BnfGrammar, DefinitionRole, GrammarSettings, MAX_NESTING,
    TokenDefinition, TokenKind, TokenPattern,
};

/// The most rules and tokens: classes are numbered by 16 bits.
const MAX_CLASSES: usize = 10_000;

/// The most parts of all patterns together, with fragments in the places of their names.
const MAX_PATTERN_PARTS: usize = 100_000;

/// Replaces names by their definitions.
pub(super) struct NameResolver<'a> {
    text: &'a str,
    definitions: &'a [BnfDefinition],
    by_name: HashMap<&'a str, usize>,
    /// The number of each rule.
    rules: HashMap<&'a str, usize>,
    /// Literals and classes that occur in rules.
    literals: Vec<TokenDefinition>,
    /// The number of each by its pattern, and their names.
    known: HashMap<TokenPattern, usize>,
    used_names: HashSet<String>,
    /// The number of each `%token` among them.
    named: HashMap<&'a str, usize>,
    /// The fragments that are being read, to detect one inside itself.
    open: Vec<&'a str>,
    /// How many parts patterns may still have.
    left: usize,
    /// The symbols that the rule names which is being read: where each stands, and its marks there.
    occurrences: Vec<(SymbolId, usize, &'a [PlacedMark])>,
}

/// The first number of a named token, before the number of literals is known.
const FIRST_NAMED_SYMBOL: usize = 1 << 20;

impl<'a> NameResolver<'a> {
    pub fn new(text: &'a str, definitions: &'a [BnfDefinition]) -> Result<Self, BnfError> {
        let mut resolver = NameResolver {
            text,
            definitions,
            by_name: HashMap::new(),
            rules: HashMap::new(),
            literals: Vec::new(),
            known: HashMap::new(),
            used_names: HashSet::new(),
            named: HashMap::new(),
            open: Vec::new(),
            left: MAX_PATTERN_PARTS,
            occurrences: Vec::new(),
        };
        for (at, definition) in definitions.iter().enumerate() {
            let name = &definition.name[..];
            if resolver.by_name.insert(name, at).is_some() {
                let what = format!("{name} is defined twice");
                return Err(error_at(text, definition.at, what));
            }
            let (rules, named) = (resolver.rules.len(), resolver.named.len());
            match definition.role {
                DefinitionRole::Rule => drop(resolver.rules.insert(name, rules)),
                DefinitionRole::Token(TokenKind::Named) => drop(resolver.named.insert(name, named)),
                _ => {}
            }
        }
        if resolver.rules.is_empty() {
            return Err(error_at(
                text,
                text.len(),
                "there is no rule, as in  name ::= \"text\" other",
            ));
        }
        Ok(resolver)
    }

    pub fn into_bnf(mut self, settings: GrammarSettings) -> Result<BnfGrammar, BnfError> {
        let (mut names, mut bodies, mut marks) = (Vec::new(), Vec::new(), Vec::new());
        for definition in self.definitions {
            if definition.role == DefinitionRole::Rule {
                names.push(definition.name.clone());
                bodies.push(self.resolve_alternatives(&definition.body)?);
                marks.push(WrittenMarks {
                    whole: definition.marks.clone(),
                    parts: self.take_part_marks()?,
                });
            }
        }
        let mut tokens = std::mem::take(&mut self.literals);
        let literals = tokens.len();
        for kind in [TokenKind::Named, TokenKind::Comment, TokenKind::Skip] {
            tokens.extend(self.resolve_tokens(kind)?);
        }
        let skips = tokens.iter().any(|token| token.kind == TokenKind::Skip);
        if !skips && !settings.scannerless {
            tokens.push(default_whitespace());
        }
        if names.len() + tokens.len() > MAX_CLASSES {
            return Err(error_at(
                self.text,
                0,
                "there are too many rules and tokens",
            ));
        }
        let mut shift = |sym: &mut SymbolId| {
            if let SymbolId::Token(token) = sym
                && *token >= FIRST_NAMED_SYMBOL
            {
                *token = *token - FIRST_NAMED_SYMBOL + literals;
            }
        };
        bodies
            .iter_mut()
            .for_each(|body| for_each_symbol(body, &mut shift));
        let parts = marks.iter_mut().flat_map(|marks| &mut marks.parts);
        parts.for_each(|(part, _)| shift(part));
        let shown = tokens.iter().map(|token| match token.is_text() {
            true => format!("{:?}", token.name),
            false => token.name.clone(),
        });
        let rules = BnfRules::new(names, bodies, shown.collect());
        let lost = rules.unproductive_rules();
        if let Some(lost) = lost.first() {
            let at = self.definitions[self.by_name[&lost[..]]].at;
            let what = format!(
                "{lost} has no end: each of its alternatives needs {lost} again; give it one that does not"
            );
            return Err(error_at(self.text, at, what));
        }
        let Some((_, normal)) =
            lower::normalization_steps(&rules).and_then(|mut steps| steps.pop())
        else {
            return Err(error_at(
                self.text,
                0,
                "the grammar is too large for a normal form",
            ));
        };
        if let Some(rule) = marks::find_divided_rule(&rules, &marks, lower::MAX_GRAMMAR_TERMS) {
            let what = format!(
                "{} is recursive at one end through another rule, and the normal form takes it apart; give what has a mark a rule of its own",
                rules.names[rule]
            );
            let at = self.definitions[self.by_name[&rules.names[rule][..]]].at;
            return Err(error_at(self.text, at, what));
        }
        let unquoted_texts =
            doubts::check_settings(self.text, &settings.placed, self.definitions, &tokens)?;
        let scannerless = settings.scannerless;
        let warnings = doubts::find_warnings(&rules, &tokens, self.definitions, scannerless);
        Ok(BnfGrammar {
            name: settings.name,
            extensions: settings.extensions,
            scannerless: settings.scannerless,
            tokens,
            rules,
            marks,
            names: settings.names,
            statements: settings.statements,
            layout: settings.layout,
            unquoted_texts,
            warnings,
            normal,
        })
    }

    /// The marks of the symbols of the rule that was resolved last. A symbol has the same marks wherever it stands in a rule.
    fn take_part_marks(&mut self) -> Result<Vec<(SymbolId, PlacedMark)>, BnfError> {
        let mut known: HashMap<SymbolId, &[PlacedMark]> = HashMap::new();
        let mut parts = Vec::new();
        for (symbol, at, marks) in std::mem::take(&mut self.occurrences) {
            let names = |marks: &[PlacedMark]| -> Vec<String> {
                marks.iter().map(|mark| mark.name.clone()).collect()
            };
            match known.insert(symbol, marks) {
                None => parts.extend(marks.iter().map(|mark| (symbol, mark.clone()))),
                Some(before) if names(before) != names(marks) => {
                    let what = "it stands in this rule with other marks too; give one of them a rule of its own";
                    return Err(error_at(self.text, at, what));
                }
                Some(_) => {}
            }
        }
        Ok(parts)
    }

    fn resolve_tokens(&mut self, kind: TokenKind) -> Result<Vec<TokenDefinition>, BnfError> {
        let mut tokens = Vec::new();
        for definition in self.definitions {
            if definition.role != DefinitionRole::Token(kind) {
                continue;
            }
            let pattern = self.resolve_pattern(&definition.body)?;
            if pattern.may_be_empty() {
                let what = format!(
                    "{} may be an empty text; a token has at least a byte",
                    definition.name
                );
                return Err(error_at(self.text, definition.at, what));
            }
            tokens.push(TokenDefinition {
                name: definition.name.clone(),
                kind,
                pattern,
            });
        }
        Ok(tokens)
    }

    fn resolve_alternatives(&mut self, part: &'a BnfExpr) -> Result<Alternatives, BnfError> {
        match part {
            BnfExpr::Choice(members) => {
                let sequences = members.iter().map(|member| self.resolve_sequence(member));
                sequences.collect()
            }
            part => Ok(vec![self.resolve_sequence(part)?]),
        }
    }

    fn resolve_sequence(&mut self, part: &'a BnfExpr) -> Result<Vec<RuleTerm>, BnfError> {
        match part {
            BnfExpr::Seq(members) => members
                .iter()
                .map(|member| self.resolve_term(member))
                .collect(),
            part => Ok(vec![self.resolve_term(part)?]),
        }
    }

    fn resolve_term(&mut self, part: &'a BnfExpr) -> Result<RuleTerm, BnfError> {
        Ok(match part {
            BnfExpr::Name(name, at, marks) => {
                let symbol = self.find_symbol(name, *at)?;
                self.occurrences.push((symbol, *at, marks));
                RuleTerm::Sym(symbol)
            }
            BnfExpr::Literal(text) => {
                let name = String::from_utf8_lossy(text).into_owned();
                self.intern_literal(name, TokenPattern::Text(text.clone()))
            }
            BnfExpr::Class(set, text) => self.intern_literal(text.clone(), TokenPattern::One(*set)),
            BnfExpr::Seq(_) | BnfExpr::Choice(_) => {
                RuleTerm::Group(self.resolve_alternatives(part)?)
            }
            BnfExpr::Quantified(inner, sign) => {
                let inner = self.resolve_alternatives(inner)?;
                match sign {
                    b'*' => RuleTerm::Star(inner),
                    b'+' => RuleTerm::Plus(inner),
                    _ => RuleTerm::Opt(inner),
                }
            }
        })
    }

    fn intern_literal(&mut self, name: String, pattern: TokenPattern) -> RuleTerm {
        if let Some(&at) = self.known.get(&pattern) {
            return RuleTerm::Sym(SymbolId::Token(at));
        }
        let (at, mut name) = (self.literals.len(), name);
        while !self.used_names.insert(name.clone()) {
            name.push('\'');
        }
        self.known.insert(pattern.clone(), at);
        self.literals.push(TokenDefinition {
            name,
            kind: TokenKind::Literal,
            pattern,
        });
        RuleTerm::Sym(SymbolId::Token(at))
    }

    fn find_symbol(&self, name: &str, at: usize) -> Result<SymbolId, BnfError> {
        if let Some(&rule) = self.rules.get(name) {
            return Ok(SymbolId::Rule(rule));
        }
        if let Some(&token) = self.named.get(name) {
            return Ok(SymbolId::Token(token + FIRST_NAMED_SYMBOL));
        }
        let what = match self.by_name.contains_key(name) {
            true => format!("{name} is no %token, so it cannot stand in a rule; make it one"),
            false => format!("there is neither a rule nor a %token called {name}; add one"),
        };
        Err(error_at(self.text, at, what))
    }

    /// A pattern; the names in it are those of fragments and tokens.
    fn resolve_pattern(&mut self, part: &'a BnfExpr) -> Result<TokenPattern, BnfError> {
        self.left = self.left.saturating_sub(1);
        Ok(match part {
            BnfExpr::Literal(text) => TokenPattern::Text(text.clone()),
            BnfExpr::Class(set, _) => TokenPattern::One(*set),
            BnfExpr::Seq(members) => TokenPattern::Seq(self.resolve_patterns(members)?),
            BnfExpr::Choice(members) => TokenPattern::Choice(self.resolve_patterns(members)?),
            BnfExpr::Quantified(inner, sign) => {
                let inner = Box::new(self.resolve_pattern(inner)?);
                match sign {
                    b'*' => TokenPattern::Star(inner),
                    b'+' => TokenPattern::Plus(inner),
                    _ => TokenPattern::Opt(inner),
                }
            }
            BnfExpr::Name(_, _, marks) if !marks.is_empty() => {
                let what = "a mark stands in a rule, not in the pattern of a token";
                return Err(error_at(self.text, marks[0].at, what));
            }
            BnfExpr::Name(name, at, _) => {
                let definition = self.by_name.get(&name[..]).map(|&at| &self.definitions[at]);
                let Some(definition) = definition.filter(|d| d.role != DefinitionRole::Rule) else {
                    let what =
                        format!("a pattern is made of %fragment and %token, and {name} is neither");
                    return Err(error_at(self.text, *at, what));
                };
                if self.open.contains(&&name[..]) {
                    let what =
                        format!("{name} contains itself; a token is a pattern without recursion");
                    return Err(error_at(self.text, *at, what));
                }
                if self.open.len() == MAX_NESTING || self.left == 0 {
                    let what =
                        format!("with {name} in the place of its name this token is too large");
                    return Err(error_at(self.text, *at, what));
                }
                self.open.push(name);
                let pattern = self.resolve_pattern(&definition.body)?;
                self.open.pop();
                pattern
            }
        })
    }

    fn resolve_patterns(&mut self, members: &'a [BnfExpr]) -> Result<Vec<TokenPattern>, BnfError> {
        members
            .iter()
            .map(|member| self.resolve_pattern(member))
            .collect()
    }
}

/// What is skipped if a grammar does not define it.
fn default_whitespace() -> TokenDefinition {
    let mut blanks = ByteSet::NONE;
    for byte in *b" \t\r\n\x0b\x0c" {
        blanks.insert_range(byte, byte);
    }
    TokenDefinition {
        name: "white space".to_owned(),
        kind: TokenKind::Skip,
        pattern: TokenPattern::Plus(Box::new(TokenPattern::One(blanks))),
    }
}
