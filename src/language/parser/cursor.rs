//! Walking a tree without recursion.

use std::num::NonZeroU16;
use std::ops::Range;

use super::super::bnf_language;
use super::tree::TreeBackend;
use super::{ParseTree, StandIns};

/// A position in a tree. Every move is cheap, also to the parent. A deep tree needs no stack.
#[derive(Clone)]
pub struct ParseCursor<'tree> {
    inner: CursorBackend<'tree>,
    stand_ins: &'tree StandIns,
}

#[derive(Clone)]
enum CursorBackend<'tree> {
    TreeSitter(tree_sitter::TreeCursor<'tree>),
    Bnf(bnf_language::BnfCursor<'tree>),
}

impl<'tree> ParseCursor<'tree> {
    pub(super) fn new(tree: &'tree ParseTree) -> Self {
        let inner = match &tree.inner {
            TreeBackend::TreeSitter(tree) => CursorBackend::TreeSitter(tree.walk()),
            TreeBackend::Bnf(tree) => CursorBackend::Bnf(bnf_language::BnfCursor::new(tree)),
        };
        let stand_ins = &tree.stand_ins;
        ParseCursor { inner, stand_ins }
    }

    pub(super) fn tree_sitter(&self) -> Option<&tree_sitter::TreeCursor<'tree>> {
        match &self.inner {
            CursorBackend::TreeSitter(cursor) => Some(cursor),
            CursorBackend::Bnf(_) => None,
        }
    }

    /// The node here.
    pub fn node(&self) -> ParseNode<'tree> {
        let inner = match &self.inner {
            CursorBackend::TreeSitter(cursor) => NodeBackend::TreeSitter(cursor.node()),
            CursorBackend::Bnf(cursor) => NodeBackend::Bnf(cursor.node()),
        };
        let stand_ins = self.stand_ins;
        ParseNode { inner, stand_ins }
    }

    /// The field of the node in its parent.
    pub fn field_id(&self) -> Option<NonZeroU16> {
        match &self.inner {
            CursorBackend::TreeSitter(cursor) => cursor.field_id(),
            CursorBackend::Bnf(_) => None,
        }
    }

    /// The name of that field.
    pub fn field_name(&self) -> Option<&'tree str> {
        match &self.inner {
            CursorBackend::TreeSitter(cursor) => cursor.field_name(),
            CursorBackend::Bnf(_) => None,
        }
    }

    /// Moves to the first child. False, without a move, if there is none.
    pub fn goto_first_child(&mut self) -> bool {
        match &mut self.inner {
            CursorBackend::TreeSitter(cursor) => cursor.goto_first_child(),
            CursorBackend::Bnf(cursor) => cursor.goto_first_child(),
        }
    }

    /// Moves to the next sibling. False, without a move, if there is none.
    pub fn goto_next_sibling(&mut self) -> bool {
        match &mut self.inner {
            CursorBackend::TreeSitter(cursor) => cursor.goto_next_sibling(),
            CursorBackend::Bnf(cursor) => cursor.goto_next_sibling(),
        }
    }

    /// Moves to the parent. False, without a move, at the root.
    pub fn goto_parent(&mut self) -> bool {
        match &mut self.inner {
            CursorBackend::TreeSitter(cursor) => cursor.goto_parent(),
            CursorBackend::Bnf(cursor) => cursor.goto_parent(),
        }
    }

    /// The number of ancestors.
    pub fn depth(&self) -> u32 {
        match &self.inner {
            CursorBackend::TreeSitter(cursor) => cursor.depth(),
            CursorBackend::Bnf(cursor) => cursor.node().depth,
        }
    }
}

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseNode<'tree> {
    inner: NodeBackend<'tree>,
    stand_ins: &'tree StandIns,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NodeBackend<'tree> {
    TreeSitter(tree_sitter::Node<'tree>),
    Bnf(&'tree bnf_language::BnfNode),
}

impl ParseNode<'_> {
    /// The visible symbol of the node.
    pub fn kind_id(&self) -> u16 {
        match self.inner {
            NodeBackend::TreeSitter(node) => node.kind_id(),
            NodeBackend::Bnf(node) => node.class.map_or(u16::MAX, |class| class.0),
        }
    }

    /// The node's symbol in the grammar.
    pub fn grammar_id(&self) -> u16 {
        match self.inner {
            NodeBackend::TreeSitter(node) => node.grammar_id(),
            NodeBackend::Bnf(_) => self.kind_id(),
        }
    }

    /// The name of its kind.
    pub fn kind(&self) -> &str {
        match &self.inner {
            NodeBackend::TreeSitter(node) => node.kind(),
            NodeBackend::Bnf(node) => node.kind,
        }
    }

    /// Its bytes, without the white space before it. A stand-in has none.
    pub fn range(&self) -> Range<usize> {
        self.stand_ins.own_range(self.seen_range())
    }

    /// Its bytes in the text that the parser saw.
    fn seen_range(&self) -> Range<usize> {
        match self.inner {
            NodeBackend::TreeSitter(node) => node.byte_range(),
            NodeBackend::Bnf(node) => node.range.clone(),
        }
    }

    /// Whether the parser saw it, and the text does not have it.
    pub fn is_stand_in(&self) -> bool {
        !self.stand_ins.is_empty() && self.range().is_empty() && !self.seen_range().is_empty()
    }

    /// Whether it is allowed anywhere, as comments are.
    pub fn is_extra(&self) -> bool {
        match self.inner {
            NodeBackend::TreeSitter(node) => node.is_extra(),
            NodeBackend::Bnf(node) => node.extra,
        }
    }

    /// Whether it is text that the parser did not recognise.
    pub fn is_error(&self) -> bool {
        match self.inner {
            NodeBackend::TreeSitter(node) => node.is_error(),
            NodeBackend::Bnf(node) => node.class.is_none(),
        }
    }

    /// Whether it is a token that the parser inserted to recover. It has no bytes.
    pub fn is_missing(&self) -> bool {
        match self.inner {
            NodeBackend::TreeSitter(node) => node.is_missing(),
            NodeBackend::Bnf(_) => false,
        }
    }

    /// Whether it is a named node, not a literal token.
    pub fn is_named(&self) -> bool {
        match self.inner {
            NodeBackend::TreeSitter(node) => node.is_named(),
            NodeBackend::Bnf(node) => node.named,
        }
    }

    /// Whether it is or contains an error or a missing token.
    pub fn has_error(&self) -> bool {
        match self.inner {
            NodeBackend::TreeSitter(node) => node.has_error(),
            NodeBackend::Bnf(_) => self.is_error(),
        }
    }

    /// How many children it has, extras included.
    pub fn child_count(&self) -> u32 {
        match self.inner {
            NodeBackend::TreeSitter(node) => node.child_count(),
            NodeBackend::Bnf(node) => node.children,
        }
    }
}
