//! Grammars as data.
//!
//! A tree-sitter tree shows one part of the derivation of a program and hides the rest: hidden rules, repeats, options. A [`Grammar`] has
//! all of it. It says which children of any node are elements of a list or optional, and what may replace each
//! ([`Grammar::derive_children`], [`Grammar::class_fits`], [`Grammar::is_nullable`]).
//!
//! Every visible rule of the grammar is one expression, in which the hidden rules are inlined. Hidden rules are never recursive among
//! themselves, so the children of a visible rule are a word of a regular language. One automaton per rule answers every query in time
//! linear in the number of children. It finds the one greedy derivation of the children, and each part of the derivation knows the
//! outermost expression that derives exactly that part: anything that fits this expression may replace it.
//!
//! ```text
//!  grammar.json ─┐ treesitter   normal            table
//!                ├──────────▶ expressions ──────▶ bytes in the binary ──▶ Grammar ── derive ──▶ Derivation
//!  parser.c ─────┘ symbols                                                  └ automaton, one a rule, made when first needed
//! ```
//!
//! `build.rs` asks cargo for the directories of the parser crates, reads `src/grammar.json` and the symbol enum of `src/parser.c` there,
//! and writes a compact table to `OUT_DIR`. No file of those crates is copied into this repository. [`bnf`] converts a grammar in BNF into
//! the same form, and [`earley`] parses by it. [`dictionary`] reads the grammars of Python programs as BNF.
//!
//! This room is self-contained: `build.rs` includes it by path, so that build time and run time read grammars with the same code.

mod automaton;
pub mod bnf;
mod derive;
mod describe;
pub mod dictionary;
pub mod earley;
mod error;
mod expression;
mod families;
pub mod marks;
mod normal;
mod optional;
#[cfg(test)]
mod properties;
mod symbols;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;
mod treesitter;
mod units;

use std::sync::OnceLock;

use automaton::RuleAutomaton;
pub use derive::{Derivation, DerivationPart, GrammarChild, QuantifierKind};
pub use error::GrammarError;
pub use expression::{ExprId, GrammarExpr, GrammarLeaf};
use families::ClassFamilies;
use optional::DispensableParts;
pub use optional::{DispensablePart, OptionalPart, OptionalPartError};
use units::UnitDerivations;

/// A rule of a grammar that is not a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RuleId(pub u16);

/// The identity of a visible node: an interned pair of the symbol it is shown as and its symbol in the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeClass(pub u16);

#[derive(Clone)]
struct GrammarRule {
    name: String,
    body: ExprId,
    visible: bool,
}

#[derive(Clone)]
struct ClassEntry {
    kind: u16,
    grammar: u16,
    name: String,
    named: bool,
    rule: Option<RuleId>,
}

/// The grammar of a language.
pub struct Grammar {
    name: String,
    rules: Vec<GrammarRule>,
    classes: Vec<ClassEntry>,
    /// By the symbol in the grammar: the symbols that the tree shows for it, with their classes.
    class_ids: Vec<Vec<(u16, NodeClass)>>,
    expressions: Vec<GrammarExpr>,
    units: UnitDerivations,
    automata: Vec<OnceLock<RuleAutomaton>>,
    /// The parts of rules that compilers do without ([`optional`]); none if there are no such parts.
    dispensable: Option<Box<DispensableParts>>,
    /// Those of expressions that are no rules.
    expression_automata: Vec<OnceLock<RuleAutomaton>>,
    families: OnceLock<ClassFamilies>,
}

impl Grammar {
    /// Reads a tree-sitter grammar from the `grammar.json` and the `parser.c` of the same parser.
    pub fn from_tree_sitter(grammar_json: &str, parser_c: &str) -> Result<Grammar, GrammarError> {
        treesitter::read_grammar(grammar_json, parser_c)
    }

    /// The grammar as a compact table, the same bytes for the same grammar.
    pub fn encode(&self) -> Vec<u8> {
        table::encode_grammar(self)
    }

    /// The grammar of a compact table.
    pub fn decode(bytes: &[u8]) -> Result<Grammar, GrammarError> {
        table::decode_grammar(bytes)
    }

    fn from_parts(
        name: String,
        rules: Vec<GrammarRule>,
        classes: Vec<ClassEntry>,
        expressions: Vec<GrammarExpr>,
    ) -> Grammar {
        let symbols = classes.iter().map(|class| usize::from(class.grammar) + 1);
        let mut class_ids = vec![Vec::new(); symbols.max().unwrap_or(0)];
        for (class, id) in classes.iter().zip(0..) {
            class_ids[usize::from(class.grammar)].push((class.kind, NodeClass(id)));
        }
        Grammar {
            name,
            automata: rules.iter().map(|_| OnceLock::new()).collect(),
            expression_automata: expressions.iter().map(|_| OnceLock::new()).collect(),
            families: OnceLock::new(),
            dispensable: None,
            rules,
            units: UnitDerivations::from_expressions(&expressions, classes.len()),
            classes,
            class_ids,
            expressions,
        }
    }

    /// The name of the grammar, as it says itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The class of nodes with these two numbers; `None` for errors, and for pairs that the grammar cannot make.
    pub fn find_class(&self, kind_id: u16, grammar_id: u16) -> Option<NodeClass> {
        let shown = self.class_ids.get(usize::from(grammar_id))?.iter();
        let mut shown = shown.rev().filter(|(kind, _)| *kind == kind_id);
        shown.next().map(|&(_, class)| class)
    }

    /// All classes.
    pub fn classes(&self) -> impl Iterator<Item = NodeClass> + use<> {
        (0..self.classes.len() as u16).map(NodeClass)
    }

    /// The kind that the tree shows for a class: a rule's name, an alias, or the text of a literal.
    pub fn class_name(&self, class: NodeClass) -> &str {
        &self.class_entry(class).name
    }

    /// Whether the class has a name (`identifier`), and is not just a text (`"if"`).
    pub fn is_named(&self, class: NodeClass) -> bool {
        self.class_entry(class).named
    }

    /// The rule that nodes of the class are derived by; `None` for tokens.
    pub fn rule_of_class(&self, class: NodeClass) -> Option<RuleId> {
        self.class_entry(class).rule
    }

    /// The rule of this name, hidden ones included.
    pub fn find_rule(&self, name: &str) -> Option<RuleId> {
        let at = self.rules.iter().position(|rule| rule.name == name)?;
        Some(RuleId(at as u16))
    }

    /// The rules that make nodes, by name.
    pub fn visible_rules(&self) -> impl Iterator<Item = RuleId> + '_ {
        self.all_rules().filter(|&rule| self.is_visible(rule))
    }

    /// All rules, by name; the hidden ones make no nodes.
    pub fn all_rules(&self) -> impl Iterator<Item = RuleId> + use<> {
        (0..self.rules.len() as u16).map(RuleId)
    }

    /// The name of a rule in the grammar. The kind of its nodes may be another ([`Grammar::class_name`]).
    pub fn rule_name(&self, rule: RuleId) -> &str {
        &self.rules[rule.0 as usize].name
    }

    /// Whether the rule makes nodes.
    pub fn is_visible(&self, rule: RuleId) -> bool {
        self.rules[rule.0 as usize].visible
    }

    /// The right-hand side of a rule.
    pub fn rule_body(&self, rule: RuleId) -> ExprId {
        self.rules[rule.0 as usize].body
    }

    /// The expression of an id.
    pub fn expression(&self, ex: ExprId) -> &GrammarExpr {
        &self.expressions[ex.index()]
    }

    /// The derivation of `children` from `rule`: lists, options, and what is expected in the place of each part.
    ///
    /// `children` are all visible children but the extras (comments). `trailing_gap` says whether text that is not a child follows the last
    /// one inside the node. Of several derivations it is always the same one: leftmost, and greedy in every repetition. `None` if there is
    /// none. Takes time and memory linear in the number of children.
    pub fn derive_children(
        &self,
        rule: RuleId,
        children: &[GrammarChild],
        trailing_gap: bool,
    ) -> Option<Derivation> {
        derive::derive_children(self, self.rule_automaton(rule), children, trailing_gap)
    }

    /// Whether there is a derivation. This is cheaper than [`Grammar::derive_children`], and enough to find out whether a node would still
    /// be valid without a child that is in no list.
    pub fn has_derivation(
        &self,
        rule: RuleId,
        children: &[GrammarChild],
        trailing_gap: bool,
    ) -> bool {
        derive::has_derivation(self.rule_automaton(rule), children, trailing_gap)
    }

    /// Whether these children, all of one part, may stand where `expected` is expected.
    pub fn children_fit(
        &self,
        expected: ExprId,
        children: &[GrammarChild],
        trailing_gap: bool,
    ) -> bool {
        let automaton = self.expression_automata[expected.index()]
            .get_or_init(|| RuleAutomaton::new(self, expected));
        derive::has_derivation(automaton, children, trailing_gap)
    }

    /// The classes of the nodes that can have these children.
    pub fn classes_with_children<'a>(
        &'a self,
        children: &'a [GrammarChild],
        trailing_gap: bool,
    ) -> impl Iterator<Item = NodeClass> + 'a {
        self.classes().filter(move |&class| {
            self.rule_of_class(class)
                .is_some_and(|rule| self.has_derivation(rule, children, trailing_gap))
        })
    }

    /// Whether a single node of this class may stand alone where `expected` is expected.
    pub fn class_fits(&self, class: NodeClass, expected: ExprId) -> bool {
        self.units.class_fits(class, expected)
    }

    /// Whether what is derived from `part` is derived from `expected` too: it is the same, or one of its choices.
    pub fn covers_expr(&self, expected: ExprId, part: ExprId) -> bool {
        // Parts have smaller ids, and expressions are not deeper than their rule.
        part == expected
            || part < expected
                && match self.expression(expected) {
                    GrammarExpr::Choice(members) => {
                        members.iter().any(|&member| self.covers_expr(member, part))
                    }
                    GrammarExpr::Opt(inner)
                    | GrammarExpr::Field { inner, .. }
                    | GrammarExpr::Hidden { inner, .. } => self.covers_expr(*inner, part),
                    _ => false,
                }
    }

    /// Whether nodes of both classes are of one kind, such as expressions, statements or types: a hidden rule of the grammar chooses between
    /// them and others.
    pub fn are_related(&self, one: NodeClass, other: NodeClass) -> bool {
        let families = self
            .families
            .get_or_init(|| ClassFamilies::from_grammar(self));
        families.are_related(one, other)
    }

    /// The classes that fit where `expected` is expected.
    pub fn fitting_classes(&self, expected: ExprId) -> impl Iterator<Item = NodeClass> + '_ {
        self.classes()
            .filter(move |&class| self.class_fits(class, expected))
    }

    /// Whether the empty sequence may stand where `expected` is expected. A terminal that makes no node does not count as empty.
    pub fn is_nullable(&self, expected: ExprId) -> bool {
        self.units.is_nullable(expected)
    }

    /// An expression in normal form, as a person would write it:
    /// `"if" condition: parenthesized_expression consequence: statement alternative: else_clause?`.
    pub fn describe_expr(&self, ex: ExprId) -> String {
        describe::describe_expr(self, ex)
    }

    fn class_entry(&self, class: NodeClass) -> &ClassEntry {
        &self.classes[class.0 as usize]
    }

    fn rule_automaton(&self, rule: RuleId) -> &RuleAutomaton {
        self.automata[rule.0 as usize]
            .get_or_init(|| RuleAutomaton::new(self, self.rule_body(rule)))
    }
}
