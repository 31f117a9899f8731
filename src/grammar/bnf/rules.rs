//! The grammar that Algorithm 1 works on: for each rule its alternatives.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A rule or a token, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum SymbolId {
    Rule(usize),
    Token(usize),
}

/// A part of an alternative.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RuleTerm {
    Sym(SymbolId),
    Group(Alternatives),
    Star(Alternatives),
    Plus(Alternatives),
    Opt(Alternatives),
}

/// The alternatives of a rule; an empty sequence derives the empty text.
pub type Alternatives = Vec<Vec<RuleTerm>>;

impl RuleTerm {
    /// What is inside; `None` for a symbol.
    pub fn inner(&self) -> Option<&Alternatives> {
        match self {
            RuleTerm::Sym(_) => None,
            RuleTerm::Group(inner)
            | RuleTerm::Star(inner)
            | RuleTerm::Plus(inner)
            | RuleTerm::Opt(inner) => Some(inner),
        }
    }

    pub fn inner_mut(&mut self) -> Option<&mut Alternatives> {
        match self {
            RuleTerm::Sym(_) => None,
            RuleTerm::Group(inner)
            | RuleTerm::Star(inner)
            | RuleTerm::Plus(inner)
            | RuleTerm::Opt(inner) => Some(inner),
        }
    }

    /// Whether it derives the empty text, given the rules in `known` that do.
    pub fn is_nullable(&self, known: &[bool]) -> bool {
        match self {
            RuleTerm::Sym(SymbolId::Rule(rule)) => known[*rule],
            RuleTerm::Sym(SymbolId::Token(_)) => false,
            RuleTerm::Star(_) | RuleTerm::Opt(_) => true,
            RuleTerm::Group(inner) | RuleTerm::Plus(inner) => any_nullable(inner, known),
        }
    }
}

/// Whether one of the alternatives derives the empty text.
pub fn any_nullable(alternatives: &Alternatives, known: &[bool]) -> bool {
    alternatives
        .iter()
        .any(|sequence| sequence.iter().all(|term| term.is_nullable(known)))
}

/// The number of terms in alternatives, with all nested ones.
pub fn count_terms(alternatives: &[Vec<RuleTerm>]) -> usize {
    let inner = |term: &RuleTerm| 1 + term.inner().map_or(0, |inner| count_terms(inner));
    let sequence = |sequence: &Vec<RuleTerm>| 1 + sequence.iter().map(inner).sum::<usize>();
    alternatives.iter().map(sequence).sum()
}

/// Calls `see` for each symbol, which may change it.
pub fn for_each_symbol(alternatives: &mut Alternatives, see: &mut dyn FnMut(&mut SymbolId)) {
    for term in alternatives.iter_mut().flatten() {
        match term {
            RuleTerm::Sym(sym) => see(sym),
            term => {
                let inner = term.inner_mut().into_iter();
                inner.for_each(|inner| for_each_symbol(inner, see));
            }
        }
    }
}

/// Rules by number; the start rule is `start`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BnfRules {
    pub names: Vec<String>,
    pub bodies: Vec<Alternatives>,
    /// The names of the tokens.
    pub tokens: Vec<String>,
    pub start: usize,
    /// For each rule the one that it was split off from; itself for a rule that stands in the grammar.
    pub origins: Vec<usize>,
}

impl BnfRules {
    pub fn new(names: Vec<String>, bodies: Vec<Alternatives>, tokens: Vec<String>) -> BnfRules {
        BnfRules {
            origins: (0..names.len()).collect(),
            names,
            bodies,
            tokens,
            start: 0,
        }
    }

    /// A new rule; its name is `name`, with primes if that name is used already. `origin` is the rule that it was split off from, if any.
    pub fn add_rule(
        &mut self,
        mut name: String,
        body: Alternatives,
        origin: Option<usize>,
    ) -> usize {
        while self.names.contains(&name) || self.tokens.contains(&name) {
            name.push('\'');
        }
        let number = self.names.len();
        self.names.push(name);
        self.bodies.push(body);
        self.origins
            .push(origin.map_or(number, |origin| self.origins[origin]));
        number
    }

    /// Removes the rules that were added since there were this many.
    pub fn truncate_rules(&mut self, count: usize) {
        self.names.truncate(count);
        self.bodies.truncate(count);
        self.origins.truncate(count);
    }

    /// The rules that a body names.
    pub fn referenced_rules(&self, body: &Alternatives) -> BTreeSet<usize> {
        let mut named = BTreeSet::new();
        let mut open = vec![body];
        while let Some(body) = open.pop() {
            for term in body.iter().flatten() {
                match term {
                    RuleTerm::Sym(SymbolId::Rule(rule)) => drop(named.insert(*rule)),
                    RuleTerm::Sym(SymbolId::Token(_)) => {}
                    term => open.extend(term.inner()),
                }
            }
        }
        named
    }

    /// The rules that can be reached from the start, in their order.
    pub fn reachable_rules(&self) -> BTreeSet<usize> {
        let mut seen = BTreeSet::from([self.start]);
        let mut open = vec![self.start];
        while let Some(rule) = open.pop() {
            open.extend(
                self.referenced_rules(&self.bodies[rule])
                    .into_iter()
                    .filter(|&r| seen.insert(r)),
            );
        }
        seen
    }

    /// The rules without any finite derivation.
    pub fn unproductive_rules(&self) -> Vec<String> {
        let ends = self.find_productive();
        let lost = self.names.iter().zip(&ends).filter(|(_, ends)| !**ends);
        lost.map(|(name, _)| name.clone()).collect()
    }

    /// For each rule whether it has a finite derivation.
    pub fn find_productive(&self) -> Vec<bool> {
        let mut ends = vec![false; self.names.len()];
        loop {
            let before = ends.clone();
            for (rule, body) in self.bodies.iter().enumerate() {
                ends[rule] = ends[rule] || any_productive(body, &before);
            }
            if ends == before {
                return ends;
            }
        }
    }

    /// The rules as lines, from the start, without those that cannot be reached.
    pub fn format_rules(&self) -> String {
        let reachable = self.reachable_rules();
        let first = std::iter::once(self.start);
        let rest = reachable.iter().copied().filter(|&rule| rule != self.start);
        let rules: Vec<usize> = first.chain(rest).collect();
        let width = rules.iter().map(|&r| self.names[r].chars().count()).max();
        let mut out = String::new();
        for rule in rules {
            let mut body = String::new();
            self.write_alternatives(&self.bodies[rule], &mut body);
            let _ = writeln!(
                out,
                "{:<2$} ::= {}",
                self.names[rule],
                body,
                width.unwrap_or(0)
            );
        }
        out
    }

    /// A rule as a line.
    pub fn describe_rule(&self, rule: usize) -> String {
        let mut out = format!("{} ::= ", self.names[rule]);
        self.write_alternatives(&self.bodies[rule], &mut out);
        out
    }

    fn write_alternatives(&self, alternatives: &Alternatives, out: &mut String) {
        for (at, sequence) in alternatives.iter().enumerate() {
            out.push_str(if at > 0 { " | " } else { "" });
            if sequence.is_empty() {
                out.push('ε');
            }
            for (at, term) in sequence.iter().enumerate() {
                out.push_str(if at > 0 { " " } else { "" });
                self.write_term(term, out);
            }
        }
    }

    fn write_term(&self, term: &RuleTerm, out: &mut String) {
        let (inner, sign) = match term {
            RuleTerm::Sym(SymbolId::Rule(rule)) => return out.push_str(&self.names[*rule]),
            RuleTerm::Sym(SymbolId::Token(token)) => return out.push_str(&self.tokens[*token]),
            RuleTerm::Group(inner) => (inner, ""),
            RuleTerm::Star(inner) => (inner, "*"),
            RuleTerm::Plus(inner) => (inner, "+"),
            RuleTerm::Opt(inner) => (inner, "?"),
        };
        let single =
            matches!(&inner[..], [sequence] if matches!(&sequence[..], [RuleTerm::Sym(_)]));
        out.push_str(if single { "" } else { "(" });
        self.write_alternatives(inner, out);
        out.push_str(if single { "" } else { ")" });
        out.push_str(sign);
    }
}

fn any_productive(alternatives: &Alternatives, known: &[bool]) -> bool {
    let ends = |term: &RuleTerm| match term {
        RuleTerm::Sym(SymbolId::Rule(rule)) => known[*rule],
        RuleTerm::Sym(SymbolId::Token(_)) | RuleTerm::Star(_) | RuleTerm::Opt(_) => true,
        RuleTerm::Group(inner) | RuleTerm::Plus(inner) => any_productive(inner, known),
    };
    alternatives
        .iter()
        .any(|sequence| sequence.iter().all(ends))
}
