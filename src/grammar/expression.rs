//! The arena of expressions: what the right-hand sides of rules are made of.
//!
//! Equal expressions have equal ids, and an expression's parts always have smaller ids than itself. The constructors bring what
//! they are given into the normal form that Perses asks for (quantifiers in place of blanks and repeats, see [`super::normal`]).

use std::collections::HashMap;

use super::Class;

/// An expression in the arena of a [`Grammar`](super::Grammar).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ExId(pub u32);

/// A visible node of a tree, as a rule sees it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Leaf {
    /// The kind as the parser shows it: a rule's name, an alias, or the text of a literal.
    pub kind: Box<str>,
    /// Whether the kind is a name (`identifier`) rather than a text (`"if"`).
    pub named: bool,
    /// The classes of nodes that may stand here, ascending.
    pub classes: Vec<Class>,
}

/// What may stand somewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ex {
    /// One visible node.
    Leaf(Leaf),
    /// A terminal that makes no node: its text, if any, is a gap between the children.
    Text,
    /// Nothing.
    Blank,
    /// One after the other; at least two, none of them a `Seq` or a `Blank`.
    Seq(Vec<ExId>),
    /// One of them; at least two, none of them a `Choice`, an `Opt` or a `Blank`.
    Choice(Vec<ExId>),
    /// Any number of them.
    Star(ExId),
    /// At least one of them.
    Plus(ExId),
    /// One of them, or nothing.
    Opt(ExId),
    /// At least one element, with a separator between each two.
    Sep {
        /// What is listed. Never empty.
        element: ExId,
        /// What stands between two elements. Never `Blank`.
        separator: ExId,
        /// The sequence of a separator and an element: what each further element adds.
        further: ExId,
    },
    /// A part that has a name.
    Field {
        /// The field's name.
        name: Box<str>,
        /// What it names.
        inner: ExId,
    },
    /// A rule that makes no node of its own.
    Hidden {
        /// The rule's name.
        name: Box<str>,
        /// Its right-hand side.
        inner: ExId,
    },
}

impl Ex {
    /// The expressions that this one is directly made of.
    pub fn parts(&self) -> &[ExId] {
        match self {
            Ex::Leaf(_) | Ex::Text | Ex::Blank => &[],
            Ex::Seq(members) | Ex::Choice(members) => members,
            Ex::Star(inner) | Ex::Plus(inner) | Ex::Opt(inner) => std::slice::from_ref(inner),
            Ex::Sep { further, .. } => std::slice::from_ref(further),
            Ex::Field { inner, .. } | Ex::Hidden { inner, .. } => std::slice::from_ref(inner),
        }
    }
}

impl Ex {
    /// Whether it derives the sequence of no children, if it is `known` which of its parts do, and whether `text` may be empty.
    pub(super) fn derives_nothing(&self, text: bool, known: impl Fn(ExId) -> bool) -> bool {
        match self {
            Ex::Leaf(_) => false,
            Ex::Text => text,
            Ex::Blank | Ex::Star(_) | Ex::Opt(_) => true,
            Ex::Seq(members) => members.iter().all(|&m| known(m)),
            Ex::Choice(members) => members.iter().any(|&m| known(m)),
            Ex::Plus(inner) | Ex::Field { inner, .. } | Ex::Hidden { inner, .. } => known(*inner),
            Ex::Sep { element, .. } => known(*element),
        }
    }
}

/// Expressions, each once.
#[derive(Default)]
pub(super) struct Arena {
    all: Vec<Ex>,
    ids: HashMap<Ex, ExId>,
    /// For each expression: whether it can be without children (see [`Arena::is_empty_match`]).
    empty: Vec<bool>,
}

impl Arena {
    /// The id of an expression as it is, without bringing it into normal form.
    pub fn intern(&mut self, ex: Ex) -> ExId {
        if let Some(&id) = self.ids.get(&ex) {
            return id;
        }
        let id = ExId(self.all.len() as u32);
        let empty = ex.derives_nothing(true, |part| self.is_empty_match(part));
        self.empty.push(empty);
        self.ids.insert(ex.clone(), id);
        self.all.push(ex);
        id
    }

    /// The expression of an id.
    pub fn get(&self, id: ExId) -> &Ex {
        &self.all[id.0 as usize]
    }

    /// Whether a derivation of it may have no children and no gap. A terminal that makes no node may be without text.
    pub fn is_empty_match(&self, id: ExId) -> bool {
        self.empty[id.0 as usize]
    }

    /// All expressions, in the order of their ids.
    pub fn into_all(self) -> Vec<Ex> {
        self.all
    }

    /// A named part.
    pub fn field(&mut self, name: &str, inner: ExId) -> ExId {
        if *self.get(inner) == Ex::Blank {
            return inner;
        }
        self.intern(Ex::Field {
            name: name.into(),
            inner,
        })
    }
}
