//! The arena of expressions: what the right-hand sides of rules are made of.
//!
//! Equal expressions have equal ids, and an expression's parts always have smaller ids than itself. The constructors convert their
//! arguments into the normal form of Perses (quantifiers in place of blanks and repeats, see [`super::normal`]).

use std::collections::HashMap;
use std::num::NonZeroU32;

use super::NodeClass;

/// An expression in the arena of a [`Grammar`](super::Grammar).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ExprId(NonZeroU32);

impl ExprId {
    /// That of the expression at this index, in an arena of fewer than 2^32 - 1.
    pub const fn from_index(index: usize) -> ExprId {
        ExprId(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// The index.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A visible node of a tree, as it occurs in a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GrammarLeaf {
    /// The kind as the parser shows it: a rule's name, an alias, or the text of a literal.
    pub kind: Box<str>,
    /// Whether the kind is a name (`identifier`) rather than a text (`"if"`).
    pub named: bool,
    /// The classes of nodes that may stand here, ascending.
    pub classes: Vec<NodeClass>,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GrammarExpr {
    /// One visible node.
    Leaf(GrammarLeaf),
    /// A terminal that makes no node: its text, if any, is a gap between the children.
    Text,
    /// The empty sequence.
    Blank,
    /// Several expressions in order; at least two, none of them a `Seq` or a `Blank`.
    Seq(Vec<ExprId>),
    /// One of several; at least two, none of them a `Choice`, an `Opt` or a `Blank`.
    Choice(Vec<ExprId>),
    /// Zero or more repetitions.
    Star(ExprId),
    /// One or more repetitions.
    Plus(ExprId),
    /// One or none.
    Opt(ExprId),
    /// At least one element, with a separator between each two.
    Sep {
        /// The element. Never empty.
        element: ExprId,
        /// The separator. Never `Blank`.
        separator: ExprId,
        /// The sequence of a separator and an element, which each further element adds.
        further: ExprId,
    },
    /// A part that has a name.
    Field {
        /// The field's name.
        name: Box<str>,
        /// The part.
        inner: ExprId,
    },
    /// A rule that makes no node of its own.
    Hidden {
        /// The rule's name.
        name: Box<str>,
        /// Its right-hand side.
        inner: ExprId,
    },
}

impl GrammarExpr {
    /// The expressions that this one is directly made of.
    pub fn parts(&self) -> &[ExprId] {
        match self {
            GrammarExpr::Leaf(_) | GrammarExpr::Text | GrammarExpr::Blank => &[],
            GrammarExpr::Seq(members) | GrammarExpr::Choice(members) => members,
            GrammarExpr::Star(inner) | GrammarExpr::Plus(inner) | GrammarExpr::Opt(inner) => {
                std::slice::from_ref(inner)
            }
            GrammarExpr::Sep { further, .. } => std::slice::from_ref(further),
            GrammarExpr::Field { inner, .. } | GrammarExpr::Hidden { inner, .. } => {
                std::slice::from_ref(inner)
            }
        }
    }
}

impl GrammarExpr {
    /// Whether it derives the sequence of no children, given the parts in `known` that do, and whether `text` may be empty.
    pub(super) fn derives_nothing(&self, text: bool, known: impl Fn(ExprId) -> bool) -> bool {
        match self {
            GrammarExpr::Leaf(_) => false,
            GrammarExpr::Text => text,
            GrammarExpr::Blank | GrammarExpr::Star(_) | GrammarExpr::Opt(_) => true,
            GrammarExpr::Seq(members) => members.iter().all(|&m| known(m)),
            GrammarExpr::Choice(members) => members.iter().any(|&m| known(m)),
            GrammarExpr::Plus(inner)
            | GrammarExpr::Field { inner, .. }
            | GrammarExpr::Hidden { inner, .. } => known(*inner),
            GrammarExpr::Sep { element, .. } => known(*element),
        }
    }
}

/// Expressions, each once.
#[derive(Default)]
pub(super) struct ExprArena {
    all: Vec<GrammarExpr>,
    ids: HashMap<GrammarExpr, ExprId>,
    /// For each expression: whether it can be without children (see [`ExprArena::is_empty_match`]).
    empty: Vec<bool>,
}

impl ExprArena {
    /// The arena of these expressions, in the order of their ids.
    pub fn from_expressions(expressions: Vec<GrammarExpr>) -> ExprArena {
        let mut arena = ExprArena::default();
        for ex in expressions {
            arena.intern(ex);
        }
        arena
    }

    /// The id of an expression as it is, without conversion into normal form.
    pub fn intern(&mut self, ex: GrammarExpr) -> ExprId {
        if let Some(&id) = self.ids.get(&ex) {
            return id;
        }
        let id = ExprId::from_index(self.all.len());
        let empty = ex.derives_nothing(true, |part| self.is_empty_match(part));
        self.empty.push(empty);
        self.ids.insert(ex.clone(), id);
        self.all.push(ex);
        id
    }

    /// The expression of an id.
    pub fn get(&self, id: ExprId) -> &GrammarExpr {
        &self.all[id.index()]
    }

    /// Whether a derivation of it may have no children and no gap. A terminal that makes no node may be without text.
    pub fn is_empty_match(&self, id: ExprId) -> bool {
        self.empty[id.index()]
    }

    /// All expressions, in the order of their ids.
    pub fn into_expressions(self) -> Vec<GrammarExpr> {
        self.all
    }

    /// A named part.
    pub fn add_field(&mut self, name: &str, inner: ExprId) -> ExprId {
        if *self.get(inner) == GrammarExpr::Blank {
            return inner;
        }
        self.intern(GrammarExpr::Field {
            name: name.into(),
            inner,
        })
    }
}
