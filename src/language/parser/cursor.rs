//! Walking a tree without recursion.

use std::num::NonZeroU16;
use std::ops::Range;

use super::super::written;
use super::ParseTree;
use super::tree::Inner;

/// A place in a tree. Every move is cheap, up too; a deep tree costs no stack.
#[derive(Clone)]
pub struct Cursor<'tree> {
    inner: Place<'tree>,
}

#[derive(Clone)]
enum Place<'tree> {
    TreeSitter(tree_sitter::TreeCursor<'tree>),
    Written(written::Cursor<'tree>),
}

impl<'tree> Cursor<'tree> {
    pub(super) fn new(tree: &'tree ParseTree) -> Self {
        let inner = match &tree.inner {
            Inner::TreeSitter(tree) => Place::TreeSitter(tree.walk()),
            Inner::Written(tree) => Place::Written(written::Cursor::new(tree)),
        };
        Cursor { inner }
    }

    /// The node here.
    pub fn node(&self) -> Node<'tree> {
        let inner = match &self.inner {
            Place::TreeSitter(cursor) => Seen::TreeSitter(cursor.node()),
            Place::Written(cursor) => Seen::Written(cursor.node()),
        };
        Node { inner }
    }

    /// The field that the node here is in its parent.
    pub fn field(&self) -> Option<NonZeroU16> {
        match &self.inner {
            Place::TreeSitter(cursor) => cursor.field_id(),
            Place::Written(_) => None,
        }
    }

    /// The name of that field.
    pub fn field_name(&self) -> Option<&'tree str> {
        match &self.inner {
            Place::TreeSitter(cursor) => cursor.field_name(),
            Place::Written(_) => None,
        }
    }

    /// Goes to the first child; false, and nowhere, if there is none.
    pub fn first_child(&mut self) -> bool {
        match &mut self.inner {
            Place::TreeSitter(cursor) => cursor.goto_first_child(),
            Place::Written(cursor) => cursor.first_child(),
        }
    }

    /// Goes to the next sibling; false, and nowhere, if there is none.
    pub fn next_sibling(&mut self) -> bool {
        match &mut self.inner {
            Place::TreeSitter(cursor) => cursor.goto_next_sibling(),
            Place::Written(cursor) => cursor.next_sibling(),
        }
    }

    /// Goes to the parent; false, and nowhere, at the root.
    pub fn parent(&mut self) -> bool {
        match &mut self.inner {
            Place::TreeSitter(cursor) => cursor.goto_parent(),
            Place::Written(cursor) => cursor.parent(),
        }
    }

    /// How far below the root it is.
    pub fn depth(&self) -> u32 {
        match &self.inner {
            Place::TreeSitter(cursor) => cursor.depth(),
            Place::Written(cursor) => cursor.node().depth,
        }
    }
}

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node<'tree> {
    inner: Seen<'tree>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen<'tree> {
    TreeSitter(tree_sitter::Node<'tree>),
    Written(&'tree written::Node),
}

impl Node<'_> {
    /// The symbol that the node is shown as.
    pub fn kind_id(&self) -> u16 {
        match self.inner {
            Seen::TreeSitter(node) => node.kind_id(),
            Seen::Written(node) => node.class.map_or(u16::MAX, |class| class.0),
        }
    }

    /// The node's symbol in the grammar.
    pub fn grammar_id(&self) -> u16 {
        match self.inner {
            Seen::TreeSitter(node) => node.grammar_id(),
            Seen::Written(_) => self.kind_id(),
        }
    }

    /// The name of its kind.
    pub fn kind(&self) -> &str {
        match &self.inner {
            Seen::TreeSitter(node) => node.kind(),
            Seen::Written(node) => node.kind,
        }
    }

    /// Its bytes, without the white space before it.
    pub fn range(&self) -> Range<usize> {
        match self.inner {
            Seen::TreeSitter(node) => node.byte_range(),
            Seen::Written(node) => node.range.clone(),
        }
    }

    /// Whether it may stand anywhere, as comments may.
    pub fn is_extra(&self) -> bool {
        match self.inner {
            Seen::TreeSitter(node) => node.is_extra(),
            Seen::Written(node) => node.extra,
        }
    }

    /// Whether it is a text that the parser could not make sense of.
    pub fn is_error(&self) -> bool {
        match self.inner {
            Seen::TreeSitter(node) => node.is_error(),
            Seen::Written(node) => node.class.is_none(),
        }
    }

    /// Whether it is a token that the parser put in to go on; it has no bytes.
    pub fn is_missing(&self) -> bool {
        match self.inner {
            Seen::TreeSitter(node) => node.is_missing(),
            Seen::Written(_) => false,
        }
    }

    /// Whether it has a name, and is not just a text.
    pub fn is_named(&self) -> bool {
        match self.inner {
            Seen::TreeSitter(node) => node.is_named(),
            Seen::Written(node) => node.named,
        }
    }

    /// Whether there is an error or a missing token in it, or it is one.
    pub fn has_error(&self) -> bool {
        match self.inner {
            Seen::TreeSitter(node) => node.has_error(),
            Seen::Written(_) => self.is_error(),
        }
    }

    /// How many children it has, extras included.
    pub fn child_count(&self) -> u32 {
        match self.inner {
            Seen::TreeSitter(node) => node.child_count(),
            Seen::Written(node) => node.children,
        }
    }
}
