//! Grammars as data.
//!
//! A tree-sitter tree shows some of the derivation of a program, and hides the rest: hidden rules, repeats, options. A [`Grammar`]
//! has all of it. It says, for the children of any node, which of them are elements of a list or optional, and what may stand in
//! the place of each ([`Grammar::derive`], [`Grammar::fits`], [`Grammar::nullable`]).
//!
//! Hidden rules are never recursive among themselves, so the children of a visible rule form a regular language: one automaton per
//! rule answers everything, in time linear in the number of children.
//!
//! ```text
//!  grammar.json ─┐ treesitter   normal            table
//!                ├──────────▶ expressions ──────▶ bytes in the binary ──▶ Grammar ── derive ──▶ Derivation
//!  parser.c ─────┘ symbols                                                  └ automaton, one a rule, made when first needed
//! ```
//!
//! This room is self-contained: `build.rs` includes it by path, so that build time and run time read grammars with the same code.

mod automaton;
pub mod bnf;
mod derive;
mod describe;
pub mod earley;
mod error;
mod expression;
mod normal;
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

use std::collections::HashMap;
use std::sync::OnceLock;

use automaton::Automaton;
pub use derive::{Child, Derivation, Part, Shape};
pub use error::GrammarError;
pub use expression::{Ex, ExId, Leaf};
use units::Units;

/// A rule of a grammar that is no token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RuleId(pub u16);

/// The identity of a visible node: an interned pair of the symbol it is shown as and its symbol in the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Class(pub u16);

struct Rule {
    name: String,
    body: ExId,
    visible: bool,
}

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
    rules: Vec<Rule>,
    classes: Vec<ClassEntry>,
    class_ids: HashMap<(u16, u16), Class>,
    expressions: Vec<Ex>,
    units: Units,
    automata: Vec<OnceLock<Automaton>>,
}

impl Grammar {
    /// Reads a tree-sitter grammar from the `grammar.json` and the `parser.c` of the very same parser.
    pub fn from_tree_sitter(grammar_json: &str, parser_c: &str) -> Result<Grammar, GrammarError> {
        treesitter::read(grammar_json, parser_c)
    }

    /// The grammar as a compact table, the same bytes for the same grammar.
    pub fn encode(&self) -> Vec<u8> {
        table::encode(self)
    }

    /// The grammar of a compact table.
    pub fn decode(bytes: &[u8]) -> Result<Grammar, GrammarError> {
        table::decode(bytes)
    }

    fn assemble(
        name: String,
        rules: Vec<Rule>,
        classes: Vec<ClassEntry>,
        expressions: Vec<Ex>,
    ) -> Grammar {
        let class_ids = classes
            .iter()
            .zip(0..)
            .map(|(class, id)| ((class.kind, class.grammar), Class(id)))
            .collect();
        Grammar {
            name,
            automata: rules.iter().map(|_| OnceLock::new()).collect(),
            rules,
            units: Units::of(&expressions, classes.len()),
            classes,
            class_ids,
            expressions,
        }
    }

    /// The name that the grammar gives itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The class of nodes with these two numbers; `None` for errors, and for pairs that the grammar cannot make.
    pub fn class(&self, kind_id: u16, grammar_id: u16) -> Option<Class> {
        self.class_ids.get(&(kind_id, grammar_id)).copied()
    }

    /// All classes.
    pub fn classes(&self) -> impl Iterator<Item = Class> + use<> {
        (0..self.classes.len() as u16).map(Class)
    }

    /// The kind that the tree shows for a class: a rule's name, an alias, or the text of a literal.
    pub fn class_name(&self, class: Class) -> &str {
        &self.class_entry(class).name
    }

    /// Whether the class has a name (`identifier`), and is not just a text (`"if"`).
    pub fn is_named(&self, class: Class) -> bool {
        self.class_entry(class).named
    }

    /// The rule that nodes of the class are derived by; `None` for tokens.
    pub fn rule(&self, class: Class) -> Option<RuleId> {
        self.class_entry(class).rule
    }

    /// The rule of this name, hidden ones included.
    pub fn rule_named(&self, name: &str) -> Option<RuleId> {
        let at = self.rules.iter().position(|rule| rule.name == name)?;
        Some(RuleId(at as u16))
    }

    /// The rules that make nodes, by name.
    pub fn rules(&self) -> impl Iterator<Item = RuleId> + '_ {
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
    pub fn body(&self, rule: RuleId) -> ExId {
        self.rules[rule.0 as usize].body
    }

    /// The expression of an id.
    pub fn ex(&self, ex: ExId) -> &Ex {
        &self.expressions[ex.0 as usize]
    }

    /// How `children` of a node follow from `rule`: lists, options, and what is expected in the place of each part.
    ///
    /// `children` are all visible children but the extras (comments). `trailing_gap` says whether text that is no child follows the
    /// last one inside the node. Of several derivations it is always the same one: leftmost, and greedy in every repetition.
    /// `None` if there is none. Takes time and memory linear in the number of children.
    pub fn derive(
        &self,
        rule: RuleId,
        children: &[Child],
        trailing_gap: bool,
    ) -> Option<Derivation> {
        derive::derive(self, self.automaton(rule), children, trailing_gap)
    }

    /// Whether there is a derivation: cheaper than [`Grammar::derive`], and enough to ask whether a node would still be one of its rule
    /// without a child that is in no list.
    pub fn derives(&self, rule: RuleId, children: &[Child], trailing_gap: bool) -> bool {
        derive::derives(self.automaton(rule), children, trailing_gap)
    }

    /// Whether a single node of this class may stand alone where `expected` is expected.
    pub fn fits(&self, class: Class, expected: ExId) -> bool {
        self.units.fits(class, expected)
    }

    /// Whether what is derived from `part` is derived from `expected` too: it is the same, or what one may choose there.
    pub fn chooses(&self, expected: ExId, part: ExId) -> bool {
        // Parts have smaller ids, and expressions are no deeper than their rule.
        part == expected
            || part < expected
                && match self.ex(expected) {
                    Ex::Choice(members) => members.iter().any(|&member| self.chooses(member, part)),
                    Ex::Opt(inner) | Ex::Field { inner, .. } | Ex::Hidden { inner, .. } => {
                        self.chooses(*inner, part)
                    }
                    _ => false,
                }
    }

    /// The classes that fit where `expected` is expected.
    pub fn fitting(&self, expected: ExId) -> impl Iterator<Item = Class> + '_ {
        self.classes()
            .filter(move |&class| self.fits(class, expected))
    }

    /// Whether nothing at all may stand where `expected` is expected. A terminal that makes no node does not count as nothing.
    pub fn nullable(&self, expected: ExId) -> bool {
        self.units.nullable(expected)
    }

    /// An expression in normal form, as a person would write it:
    /// `"if" condition: parenthesized_expression consequence: statement alternative: else_clause?`.
    pub fn describe(&self, ex: ExId) -> String {
        describe::describe(self, ex)
    }

    fn class_entry(&self, class: Class) -> &ClassEntry {
        &self.classes[class.0 as usize]
    }

    fn automaton(&self, rule: RuleId) -> &Automaton {
        self.automata[rule.0 as usize].get_or_init(|| Automaton::new(self, self.body(rule)))
    }
}
