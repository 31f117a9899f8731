//! Trees from the parser.

use std::sync::Arc;

use tree_sitter::{InputEdit, Point};

use super::super::bnf_language;
use super::ParseCursor;

/// The syntax tree of a text. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct ParseTree {
    pub(super) inner: TreeBackend,
}

#[derive(Clone, Debug)]
pub(super) enum TreeBackend {
    TreeSitter(tree_sitter::Tree),
    Bnf(Arc<bnf_language::BnfTree>),
}

/// The bytes `start..old_end` of a text became `start..new_end` of the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextEdit {
    /// Where the change begins, in both texts.
    pub start: usize,
    /// Where it ends in the text before.
    pub old_end: usize,
    /// Where it ends in the text after.
    pub new_end: usize,
}

impl ParseTree {
    pub(super) fn tree_sitter(&self) -> Option<&tree_sitter::Tree> {
        match &self.inner {
            TreeBackend::TreeSitter(tree) => Some(tree),
            TreeBackend::Bnf(_) => None,
        }
    }

    pub(in super::super) fn bnf_tree(&self) -> Option<&bnf_language::BnfTree> {
        match &self.inner {
            TreeBackend::TreeSitter(_) => None,
            TreeBackend::Bnf(tree) => Some(tree),
        }
    }

    /// A cursor at the root.
    pub fn walk(&self) -> ParseCursor<'_> {
        ParseCursor::new(self)
    }

    /// The tree, adjusted to an edit that made `new` of `old`: for an incremental parse of `new`. It reads the lines up to the edit.
    ///
    /// # Panics
    /// If the edit reaches outside of the texts.
    pub fn with_edit(&self, old: &[u8], edit: TextEdit, new: &[u8]) -> ParseTree {
        let Some(tree) = self.tree_sitter() else {
            return self.clone();
        };
        let start = advance_point(Point::new(0, 0), &old[..edit.start]);
        let mut inner = tree.clone();
        inner.edit(&InputEdit {
            start_byte: edit.start,
            old_end_byte: edit.old_end,
            new_end_byte: edit.new_end,
            start_position: start,
            old_end_position: advance_point(start, &old[edit.start..edit.old_end]),
            new_end_position: advance_point(start, &new[edit.start..edit.new_end]),
        });
        let inner = TreeBackend::TreeSitter(inner);
        ParseTree { inner }
    }

    /// The number of faults in the tree: errors, nodes directly in an error, and missing tokens. So an error that contains more nodes
    /// counts more. It costs nothing in a tree without errors.
    pub fn count_faults(&self) -> u32 {
        if let Some(tree) = self.bnf_tree() {
            return u32::from(tree.faulty);
        }
        let mut faults = 0;
        let mut cursor = self.walk();
        // Whether the node's parent is an error, and the same for each node around it.
        let mut astray = vec![false];
        loop {
            let node = cursor.node();
            if node.is_error() || node.is_missing() || astray.last() == Some(&true) {
                faults += 1;
            }
            if node.has_error() && cursor.goto_first_child() {
                astray.push(node.is_error());
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return faults;
                }
                astray.pop();
            }
        }
    }

    /// The ranges that differ between this tree, with all edits applied, and the tree of the new text.
    pub fn changed_ranges(&self, new: &ParseTree) -> Vec<std::ops::Range<usize>> {
        let (Some(old), Some(new)) = (self.tree_sitter(), new.tree_sitter()) else {
            let end = self.walk().node().range().end;
            return std::iter::once(0..end.max(new.walk().node().range().end)).collect();
        };
        let ranges = old.changed_ranges(new);
        ranges
            .map(|range| range.start_byte..range.end_byte)
            .collect()
    }
}

/// The position behind `text`, if `from` is the position before it.
fn advance_point(from: Point, text: &[u8]) -> Point {
    match text.iter().rposition(|&b| b == b'\n') {
        Some(last) => {
            let rows = text[..=last].iter().filter(|&&b| b == b'\n').count();
            Point::new(from.row + rows, text.len() - last - 1)
        }
        None => Point::new(from.row, from.column + text.len()),
    }
}
