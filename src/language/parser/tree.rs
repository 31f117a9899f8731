//! Trees from the parser.

use std::ops::Range;
use std::sync::Arc;

use tree_sitter::{InputEdit, Point};

use super::super::bnf_language;
use super::{ParseCursor, StandIns};

/// The syntax tree of a text. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct ParseTree {
    pub(super) inner: TreeBackend,
    /// What the parser saw besides the text.
    pub(super) stand_ins: StandIns,
}

#[derive(Clone, Debug)]
pub(super) enum TreeBackend {
    TreeSitter(tree_sitter::Tree),
    Bnf(Arc<bnf_language::BnfTree>),
}

/// A stretch of a text was replaced by a stretch of the next one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextEdit {
    /// Its bytes in the text before.
    pub old: Range<usize>,
    /// Its bytes in the text after.
    pub new: Range<usize>,
}

impl ParseTree {
    pub(super) fn from_backend(inner: TreeBackend) -> ParseTree {
        let stand_ins = StandIns::default();
        ParseTree { inner, stand_ins }
    }

    /// The same tree, of a text without these.
    pub(super) fn with_stand_ins(self, stand_ins: StandIns) -> ParseTree {
        ParseTree { stand_ins, ..self }
    }

    pub(super) fn tree_sitter(&self) -> Option<&tree_sitter::Tree> {
        match &self.inner {
            TreeBackend::TreeSitter(tree) => Some(tree),
            TreeBackend::Bnf(_) => None,
        }
    }

    pub(in super::super) fn from_bnf(tree: Arc<bnf_language::BnfTree>) -> ParseTree {
        ParseTree::from_backend(TreeBackend::Bnf(tree))
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

    /// The tree, adjusted to edits that together made `new` of `old`: for an incremental parse of `new`, which reads again what the edits
    /// changed and nothing between them. They are in ascending order, and the texts are equal between them. It reads the lines up to the
    /// last edit. Neither text has stand-ins.
    ///
    /// # Panics
    /// If an edit reaches outside of the texts.
    pub fn with_edits(&self, old: &[u8], edits: &[TextEdit], new: &[u8]) -> ParseTree {
        let Some(tree) = self.tree_sitter() else {
            return self.clone();
        };
        let mut inner = tree.clone();
        // Each edit is one of the text that the edits before it made, and up to its own start that is the new text.
        let (mut known, mut position) = (0, Point::new(0, 0));
        for TextEdit {
            old: gone,
            new: put,
        } in edits
        {
            let start = advance_point(position, &new[known..put.start]);
            let end = advance_point(start, &new[put.clone()]);
            inner.edit(&InputEdit {
                start_byte: put.start,
                old_end_byte: put.start + gone.len(),
                new_end_byte: put.end,
                start_position: start,
                old_end_position: advance_point(start, &old[gone.clone()]),
                new_end_position: end,
            });
            (known, position) = (put.end, end);
        }
        ParseTree::from_backend(TreeBackend::TreeSitter(inner))
    }

    /// The number of faults in the tree ([`ParseTree::find_faults`]).
    pub fn count_faults(&self) -> u32 {
        self.find_faults().len() as u32
    }

    /// The byte ranges of the faults in the tree, by where they begin: errors, nodes directly in an error, and missing tokens. So an error
    /// that contains more nodes counts more. It costs nothing in a tree without errors. A tree by a grammar in BNF has at most one.
    pub fn find_faults(&self) -> Vec<Range<usize>> {
        self.find_faults_within(0..usize::MAX)
    }

    /// Those of the root and of its children that begin in this range.
    pub fn find_faults_within(&self, within: Range<usize>) -> Vec<Range<usize>> {
        if let Some(tree) = self.bnf_tree() {
            let whole = self.walk().node().range();
            return tree.faulty.then_some(whole).into_iter().collect();
        }
        let mut faults = Vec::new();
        let mut cursor = self.walk();
        // Whether the node's parent is an error, and the same for each node around it.
        let mut astray = vec![false];
        loop {
            let node = cursor.node();
            let is_inside = astray.len() != 2 || within.contains(&node.range().start);
            if is_inside {
                if node.is_error() || node.is_missing() || astray.last() == Some(&true) {
                    faults.push(node.range());
                }
                if node.has_error() && cursor.goto_first_child() {
                    astray.push(node.is_error());
                    continue;
                }
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
    pub fn changed_ranges(&self, new: &ParseTree) -> Vec<Range<usize>> {
        let own = &new.stand_ins;
        let (Some(old), Some(new)) = (self.tree_sitter(), new.tree_sitter()) else {
            let end = self.walk().node().range().end;
            return std::iter::once(0..end.max(new.walk().node().range().end)).collect();
        };
        let ranges = old.changed_ranges(new);
        ranges
            .map(|range| own.own_range(range.start_byte..range.end_byte))
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
