//! Choice sequences: a program as the choices by which a generator would make it from the grammar, leftmost first.
//!
//! The idea is that of Hypothesis (MacIver and Donaldson, ECOOP 2020): whoever edits the sequence gets another program of the grammar. The
//! grammar is the one as it is written, without rules that may be empty: a nonterminal takes the number of an alternative, a list 1 before
//! each element and 0 behind the last, an optional part 1 or 0, a token its length and for each byte its index among those that may stand
//! there. Alternatives are numbered by their smallest derivations (height, then tokens), so a lower number is a simpler program.
//!
//! ```text
//!  text ── tokens ──▶ EarleyParser ── nodes ──▶ encode ──▶ [0, 1, 0, 2, …] ── edited ──▶ decode ──▶ texts of tokens, spans
//! ```

mod decode;
mod encode;
mod rule_program;
#[cfg(test)]
mod tests;
mod token_choices;

use super::super::NodeClass;
use super::super::earley::{EarleyMachine, EarleyNode, EarleyParser, TokenSource};
use super::rules::{BnfRules, SymbolId};
use super::syntax::BnfGrammar;
use super::{empty, lower};
use rule_program::RuleProgram;
use token_choices::TokenChoices;

/// A grammar by which choices are read as programs, and programs as choices.
pub struct ChoiceGrammar {
    /// For each rule of `rules` what its derivation takes.
    programs: Vec<RuleProgram>,
    tokens: Vec<TokenChoices>,
    rules: BnfRules,
    /// Makes trees in which no node is left out.
    parser: EarleyParser,
    /// The rule of each class that is no token.
    class_rules: Vec<usize>,
}

/// What a sequence of choices derives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoiceDerivation {
    /// The choices that were used, each in its range: 7 of 3 alternatives is 1.
    pub choices: Vec<u32>,
    /// The texts of the tokens.
    pub tokens: Vec<Vec<u8>>,
    /// The stretches of the sequence that belong together, outer ones first, in the order of their starts.
    pub spans: Vec<ChoiceSpan>,
}

/// A stretch of a sequence of choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChoiceSpan {
    /// Its first choice.
    pub start: usize,
    /// The choice behind its last one.
    pub end: usize,
    /// How many tokens it makes.
    pub tokens: usize,
    /// Spans of one label may stand in each other's places.
    pub label: u32,
    /// What it is.
    pub kind: ChoiceSpanKind,
}

/// What a stretch of choices makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceSpanKind {
    /// A nonterminal.
    Rule,
    /// An element of a list, with the choice to have it.
    Element,
    /// An optional part, with the choice to have it.
    Option,
}

impl ChoiceGrammar {
    /// The choices of a grammar; none if it or its parser would be too large.
    pub fn new(bnf: &BnfGrammar) -> Option<ChoiceGrammar> {
        let rules = empty::remove_empty_rules(&bnf.rules, lower::MAX_GRAMMAR_TERMS)?;
        let (grammar, order) = lower::lower_in_order(String::new(), bnf, &rules);
        let parser = EarleyParser::with_kept_rules(&grammar, |_| true).ok()?;
        Some(ChoiceGrammar {
            programs: rule_program::compile_rules(&rules),
            tokens: bnf
                .tokens
                .iter()
                .map(|token| TokenChoices::new(&token.pattern))
                .collect(),
            rules,
            parser,
            class_rules: order,
        })
    }

    /// The name of the rule that spans with this label are made by.
    pub fn span_name(&self, label: u32) -> &str {
        let rule = self.rule_of_label(label);
        &self.rules.names[rule]
    }

    /// The choices of a text in these tokens. `text` gives the bytes of a range of tokens. None if the text does not follow the grammar, or if the
    /// parser would need more than `most` steps.
    pub fn encode(
        &self,
        source: &(impl TokenSource + ?Sized),
        text: &dyn Fn(u32, u32) -> Vec<u8>,
        most: usize,
    ) -> Option<ChoiceDerivation> {
        self.encode_tree(&self.parse_nodes(source, most)?, text)
    }

    /// The choices of a tree in which no node is left out, as [`ChoiceGrammar::parse_nodes`] makes it. None if it is no derivation.
    pub fn encode_tree(
        &self,
        nodes: &[EarleyNode],
        text: &dyn Fn(u32, u32) -> Vec<u8>,
    ) -> Option<ChoiceDerivation> {
        self.decode(&self.encode_nodes(nodes, text)?)
    }

    /// The tree of a text in these tokens, in which no node is left out, but for those without text. None if the text does not follow the
    /// grammar, or if the parser would need more than `most` steps.
    pub fn parse_nodes(
        &self,
        source: &(impl TokenSource + ?Sized),
        most: usize,
    ) -> Option<Vec<EarleyNode>> {
        Some(self.parser.parse(source, most).ok()??.nodes)
    }

    /// The rules that are derived by: those of the grammar as it is written, without empty ones.
    pub(super) fn rules(&self) -> &BnfRules {
        &self.rules
    }

    /// The rule of each class that is no token.
    pub(super) fn class_rules(&self) -> &[usize] {
        &self.class_rules
    }

    /// The states that lead through the parts of a node.
    pub(super) fn machine(&self) -> &EarleyMachine {
        self.parser.machine()
    }

    pub(super) fn symbol_of(&self, class: NodeClass) -> SymbolId {
        match (class.0 as usize).checked_sub(self.tokens.len()) {
            Some(rule) => SymbolId::Rule(self.class_rules[rule]),
            None => SymbolId::Token(class.0 as usize),
        }
    }

    fn rule_of_label(&self, label: u32) -> usize {
        let program = self
            .programs
            .partition_point(|program| program.first_label <= label);
        program.saturating_sub(1)
    }
}
