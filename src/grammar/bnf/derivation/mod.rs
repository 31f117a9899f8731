//! Derivation trees that are given: a generator, or a parser in the target, knows the tree of a program, and no parser is asked.
//!
//! ```text
//!  ["<start>", [["<expr>", [["1", []]]]]] ── json ──▶ DerivationTree ── productions ──▶ nodes of the grammar as written ── normal_tree ──▶ EarleyTree
//! ```
//!
//! The form is that of Gopinath's parsers and of *The Fuzzing Book* (Zeller et al.). `json.rs` reads it. `productions.rs` puts the leaves on the
//! text, and checks each node against the rules. `normal_tree.rs` brings the tree to normal form: what the steps of Algorithm 1 inlined or made a
//! repetition is dissolved in its parent. Nothing recurses on the tree's depth, and all of it takes time linear in the tree.

mod error;
mod json;
mod normal_tree;
mod productions;
#[cfg(test)]
mod tests;

pub use error::{DerivationError, LeafMismatch};
pub use json::DerivationTree;
pub use productions::LeafSource;

use std::collections::HashMap;

use super::super::RuleId;
use super::super::earley::{EarleyNode, EarleyParser, EarleyTree};
use super::choices::ChoiceGrammar;
use super::empty;
use super::lower;
use super::rules::SymbolId;
use super::syntax::{BnfGrammar, TokenKind};

/// Reads derivation trees of a grammar.
pub struct DerivationReader<'a> {
    bnf: &'a BnfGrammar,
    /// The grammar as it is written, without rules that may be empty.
    written: &'a ChoiceGrammar,
    /// The rules and tokens by their names.
    symbols: HashMap<&'a str, SymbolId>,
    /// For each rule whether it may derive the empty text.
    nullable: Vec<bool>,
    /// For each rule its number in the grammar as it is written; none if it is not reached.
    written_rules: Vec<Option<RuleId>>,
    /// For each rule those in normal form that it became.
    normal_rules: Vec<Vec<RuleId>>,
}

impl<'a> DerivationReader<'a> {
    /// A reader for this grammar.
    pub fn new(bnf: &'a BnfGrammar, written: &'a ChoiceGrammar) -> DerivationReader<'a> {
        let names = bnf.rules.names.iter().zip(0..);
        let rules = names.map(|(name, rule)| (&name[..], SymbolId::Rule(rule)));
        let tokens = bnf.tokens.iter().zip(0..);
        let tokens = tokens.filter(|(token, _)| token.kind == TokenKind::Named);
        let tokens = tokens.map(|(token, at)| (&token.name[..], SymbolId::Token(at)));
        let mut written_rules = vec![None; written.rules().names.len()];
        for (&rule, id) in written.class_rules().iter().zip(0..) {
            written_rules[rule] = Some(RuleId(id));
        }
        let mut normal_rules = vec![Vec::new(); written_rules.len()];
        for (rule, id) in lower::order_rules(&bnf.normal).into_iter().zip(0..) {
            normal_rules[bnf.normal.origins[rule]].push(RuleId(id));
        }
        DerivationReader {
            symbols: rules.chain(tokens).collect(),
            nullable: empty::find_nullable(&bnf.rules),
            written_rules,
            normal_rules,
            bnf,
            written,
        }
    }

    /// The nodes of a tree whose leaves make the text of `source`, in classes of [`ChoiceGrammar`]. Nodes without text are not among them.
    ///
    /// # Errors
    /// The first place where the tree is not a derivation of the text.
    pub fn read_nodes(
        &self,
        tree: &DerivationTree,
        source: &impl LeafSource,
    ) -> Result<Vec<EarleyNode>, DerivationError> {
        productions::read_nodes(self, tree, source)
    }

    /// The same tree in normal form, as `parser` would have made it. `parser` is that of the grammar in normal form.
    ///
    /// # Errors
    /// When there is no such tree.
    pub fn normalize_tree(
        &self,
        nodes: &[EarleyNode],
        parser: &EarleyParser,
    ) -> Result<EarleyTree, DerivationError> {
        normal_tree::normalize_tree(self, nodes, parser).ok_or(DerivationError::NoNormalForm)
    }

    /// What a name means, with or without its brackets.
    fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        let inner = name
            .strip_prefix('<')
            .and_then(|name| name.strip_suffix('>'));
        let known = |name: &str| self.symbols.get(name).copied();
        let bracketed = || known(&format!("<{name}>"));
        known(name).or_else(|| known(inner?)).or_else(bracketed)
    }
}
