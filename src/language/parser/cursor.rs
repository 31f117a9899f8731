//! Walking a tree without recursion.

use std::num::NonZeroU16;
use std::ops::Range;

/// A place in a tree. Every move is cheap, up too; a deep tree costs no stack.
#[derive(Clone)]
pub struct Cursor<'tree> {
    inner: tree_sitter::TreeCursor<'tree>,
}

impl<'tree> Cursor<'tree> {
    pub(super) fn new(inner: tree_sitter::TreeCursor<'tree>) -> Self {
        Cursor { inner }
    }

    /// The node here.
    pub fn node(&self) -> Node<'tree> {
        Node {
            inner: self.inner.node(),
        }
    }

    /// The field that the node here is in its parent.
    pub fn field(&self) -> Option<NonZeroU16> {
        self.inner.field_id()
    }

    /// The name of that field.
    pub fn field_name(&self) -> Option<&'tree str> {
        self.inner.field_name()
    }

    /// Goes to the first child; false, and nowhere, if there is none.
    pub fn first_child(&mut self) -> bool {
        self.inner.goto_first_child()
    }

    /// Goes to the next sibling; false, and nowhere, if there is none.
    pub fn next_sibling(&mut self) -> bool {
        self.inner.goto_next_sibling()
    }

    /// Goes to the parent; false, and nowhere, at the root.
    pub fn parent(&mut self) -> bool {
        self.inner.goto_parent()
    }

    /// How far below the root it is.
    pub fn depth(&self) -> u32 {
        self.inner.depth()
    }
}

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node<'tree> {
    inner: tree_sitter::Node<'tree>,
}

impl Node<'_> {
    /// The symbol that the node is shown as.
    pub fn kind_id(&self) -> u16 {
        self.inner.kind_id()
    }

    /// The node's symbol in the grammar.
    pub fn grammar_id(&self) -> u16 {
        self.inner.grammar_id()
    }

    /// The name of its kind.
    pub fn kind(&self) -> &str {
        self.inner.kind()
    }

    /// Its bytes, without the white space before it.
    pub fn range(&self) -> Range<usize> {
        self.inner.byte_range()
    }

    /// Whether it may stand anywhere, as comments may.
    pub fn is_extra(&self) -> bool {
        self.inner.is_extra()
    }

    /// Whether it is a text that the parser could not make sense of.
    pub fn is_error(&self) -> bool {
        self.inner.is_error()
    }

    /// Whether it is a token that the parser put in to go on; it has no bytes.
    pub fn is_missing(&self) -> bool {
        self.inner.is_missing()
    }

    /// Whether it has a name, and is not just a text.
    pub fn is_named(&self) -> bool {
        self.inner.is_named()
    }

    /// Whether there is an error or a missing token in it, or it is one.
    pub fn has_error(&self) -> bool {
        self.inner.has_error()
    }

    /// How many children it has, extras included.
    pub fn child_count(&self) -> u32 {
        self.inner.child_count()
    }
}
