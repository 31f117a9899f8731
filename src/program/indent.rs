//! Indentation, where it is syntax (Python). A node that moves out of a block moves as a whole: all its lines shift by the same amount, to
//! the indentation of its new place.

use std::sync::Arc;

use super::node::ProgramNode;
use super::text::SharedText;
use super::version::{Document, NodePath, Version};
use super::walk;
use super::whitespace_join::replace_trivia;
use crate::language::NewlineMeaning;

/// The old and the new indentation of a piece that moves.
pub struct IndentShift<'a> {
    document: &'a Document,
    from: Vec<u8>,
    to: Vec<u8>,
}

impl<'a> IndentShift<'a> {
    /// For a piece that begins with the `at`-th leaf of the node at the end of `path`, and moves to where that node begins. None where
    /// indentation means nothing.
    pub fn from_path(base: &'a Version, path: &NodePath, at: u32) -> Option<IndentShift<'a>> {
        let document = &base.documents()[path.document];
        if document.language?.newline_meaning() != NewlineMeaning::Indent {
            return None;
        }
        let place = path.preceding_sums().leaves;
        Some(IndentShift {
            document,
            from: line_indentation(&document.root, place + at),
            to: line_indentation(&document.root, place),
        })
    }

    /// The piece as it stands in its new place: all its lines shift by the same amount. Each statement but the first must begin its own
    /// line, so `own_line` breaks the line before it.
    pub fn reindent_node(&self, piece: &Arc<ProgramNode>, own_line: bool) -> Arc<ProgramNode> {
        let mut changes = Vec::new();
        for (leaf, index) in walk::iter_leaves(piece).zip(0..) {
            let trivia = leaf.trivia();
            let new = match trivia.iter().rposition(|&byte| byte == b'\n') {
                Some(end) => self.shift_trivia(trivia, end + 1),
                None if own_line && index == 0 => Some([b"\n", &self.to[..]].concat()),
                None => None,
            };
            changes.extend(new.map(|new| (index, SharedText::new(new))));
        }
        replace_trivia(self.document, piece, &changes)
    }

    /// White space whose last line begins at `start`, if that line shifts.
    fn shift_trivia(&self, trivia: &[u8], start: usize) -> Option<Vec<u8>> {
        let rest = trivia[start..].strip_prefix(&self.from[..])?;
        (self.from != self.to).then(|| [&trivia[..start], &self.to, rest].concat())
    }
}

/// The white space before the line of the leaf of this number.
fn line_indentation(root: &Arc<ProgramNode>, leaf: u32) -> Vec<u8> {
    let before = (0..=leaf)
        .rev()
        .filter_map(|index| walk::leaf_at(root, index));
    let mut first: &[u8] = &[];
    for leaf in before {
        first = leaf.trivia();
        if let Some(end) = first.iter().rposition(|&byte| byte == b'\n') {
            return first[end + 1..].to_vec();
        }
    }
    first.to_vec()
}
