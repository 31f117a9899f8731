//! The visible lines of a document, found through the sums of the tree without printing the document.

use std::sync::Arc;

use super::edit_marks::{EditMarks, NodeMark};
use crate::program::{NodeFlags, NodeId, NodeShape, ProgramNode, walk};

/// A walk over the leaves of a document, forward, that can skip to a line.
pub struct LeafWalker<'a, 'm> {
    marks: &'m EditMarks,
    selected: Option<NodeId>,
    stack: Vec<LeafWalkFrame<'a>>,
    line: u32,
    byte: u32,
}

struct LeafWalkFrame<'a> {
    children: &'a [Arc<ProgramNode>],
    mark: NodeMark,
    item: u32,
    selected: bool,
}

/// A leaf and where it is.
#[derive(Clone, Copy, Debug)]
pub struct LeafPosition<'a> {
    /// The leaf.
    pub node: &'a Arc<ProgramNode>,
    /// The line on which the white space before it begins, counted from 0.
    pub line: u32,
    /// The byte at which the white space before it begins.
    pub byte: u32,
    /// Whether the current candidate would remove it.
    pub removed: bool,
    /// Whether it belongs to the selected node.
    pub selected: bool,
}

impl LeafPosition<'_> {
    /// The line on which its text begins.
    pub fn text_line(&self) -> u32 {
        self.line + count_line_ends(self.node.trivia())
    }
}

impl<'a, 'm> LeafWalker<'a, 'm> {
    /// A walk from the beginning of a document.
    pub fn new(
        root: &'a Arc<ProgramNode>,
        marks: &'m EditMarks,
        selected: Option<NodeId>,
    ) -> LeafWalker<'a, 'm> {
        let level = LeafWalkFrame {
            children: std::slice::from_ref(root),
            mark: NodeMark::default(),
            item: 0,
            selected: false,
        };
        LeafWalker {
            marks,
            selected,
            stack: vec![level],
            line: 0,
            byte: 0,
        }
    }

    /// Skips forward to the leaf in which `line` begins.
    pub fn skip_to_line(&mut self, line: u32) {
        while let Some(top) = self.stack.last_mut() {
            match top.children.split_first() {
                None => {
                    self.stack.pop();
                }
                Some((node, rest)) if self.line + node.sums().newlines < line => {
                    top.children = rest;
                    top.item += node.sums().items;
                    self.line += node.sums().newlines;
                    self.byte += node.sums().bytes;
                }
                Some((node, _)) if node.shape.is_leaf() => return,
                Some(_) => self.enter_next_node(),
            }
        }
    }

    /// Enters the next node.
    fn enter_next_node(&mut self) {
        let Some(top) = self.stack.last_mut() else {
            return;
        };
        let Some((node, rest)) = top.children.split_first() else {
            return;
        };
        let mark = self.marks.mark_child(top.mark, top.item, node);
        let selected = top.selected || self.selected == Some(node.id);
        top.children = rest;
        top.item += node.sums().items;
        self.stack.push(LeafWalkFrame {
            children: node.children(),
            mark,
            item: 0,
            selected,
        });
    }
}

impl<'a> Iterator for LeafWalker<'a, '_> {
    type Item = LeafPosition<'a>;

    fn next(&mut self) -> Option<LeafPosition<'a>> {
        while let Some(top) = self.stack.last_mut() {
            let Some((node, rest)) = top.children.split_first() else {
                self.stack.pop();
                continue;
            };
            if !node.shape.is_leaf() {
                self.enter_next_node();
                continue;
            }
            let gone = self.marks.mark_child(top.mark, top.item, node).removed;
            let selected = top.selected || self.selected == Some(node.id);
            top.children = rest;
            top.item += node.sums().items;
            let leaf = LeafPosition {
                node,
                line: self.line,
                byte: self.byte,
                removed: gone,
                selected,
            };
            self.line += node.sums().newlines;
            self.byte += node.sums().bytes;
            return Some(leaf);
        }
        None
    }
}

/// How many line ends these bytes have.
pub fn count_line_ends(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u32
}

/// A segment of a line with the same marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineSegment<'a> {
    /// Its bytes, without a line end.
    pub bytes: &'a [u8],
    /// Where they are in the document.
    pub byte: u32,
    /// Whether the candidate removes it.
    pub removed: bool,
    /// Whether it belongs to the selected node.
    pub selected: bool,
    /// The token that it is of; none for white space and comments.
    pub token: Option<NodeId>,
}

/// A line of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisibleLine<'a> {
    /// Its segments.
    pub segments: Vec<LineSegment<'a>>,
    /// Whether the candidate removes any of it.
    pub removed: bool,
    /// Whether any of it is selected.
    pub selected: bool,
    /// Whether any of it is pinned.
    pub pinned: bool,
}

impl VisibleLine<'_> {
    /// Its bytes.
    pub fn collect_bytes(&self) -> Vec<u8> {
        let segments = self.segments.iter();
        segments
            .flat_map(|segment| segment.bytes)
            .copied()
            .collect()
    }

    /// CR LF is one line end.
    fn strip_trailing_cr(&mut self) {
        if let Some(last) = self.segments.last_mut() {
            last.bytes = last.bytes.strip_suffix(b"\r").unwrap_or(last.bytes);
        }
        self.segments.retain(|segment| !segment.bytes.is_empty());
    }
}

/// The lines `first..first + count` of a document, as many as there are. Of a line, bytes beyond about `width` are left out: a
/// program on one line of megabytes costs no more than any other.
pub fn visible_lines<'a>(
    root: &'a Arc<ProgramNode>,
    marks: &EditMarks,
    selected: Option<NodeId>,
    first: u32,
    count: usize,
    width: usize,
) -> Vec<VisibleLine<'a>> {
    let last = (u64::from(root.sums().newlines) + 1).min(u64::from(first) + count as u64) as u32;
    let mut lines = vec![VisibleLine::default(); last.saturating_sub(first) as usize];
    let mut leaves = LeafWalker::new(root, marks, selected);
    leaves.skip_to_line(first);
    // White space has a mark only if the leaves on both sides have it.
    let mut before = (false, false);
    let mut length = 0;
    while let Some(leaf) = leaves.next() {
        if leaf.line >= last {
            break;
        }
        let (mut line, mut byte) = (leaf.line, leaf.byte);
        let own = (leaf.removed, leaf.selected);
        let between = (before.0 && own.0, before.1 && own.1);
        let pinned = leaf.node.flags.contains(NodeFlags::PINNED);
        let token = (leaf.node.shape == NodeShape::Token).then_some(leaf.node.id);
        for (bytes, token, (gone, selected)) in [
            (leaf.node.trivia(), None, between),
            (leaf.node.text(), token, own),
        ] {
            for (number, piece) in bytes.split(|&byte| byte == b'\n').enumerate() {
                if number > 0 {
                    line += 1;
                    byte += 1;
                    length = 0;
                }
                if line >= first && line < last && !piece.is_empty() && length < width {
                    let line = &mut lines[(line - first) as usize];
                    // White space at the beginning of a line has no marks.
                    let own =
                        !line.segments.is_empty() || !piece.iter().all(u8::is_ascii_whitespace);
                    let (gone, selected) = (gone && own, selected && own);
                    let shown = &piece[..piece.len().min(width - length)];
                    line.segments.push(LineSegment {
                        bytes: shown,
                        byte,
                        removed: gone,
                        selected,
                        token,
                    });
                    line.pinned |= pinned && own;
                    line.removed |= gone;
                    line.selected |= selected;
                }
                byte += piece.len() as u32;
                length += piece.len();
            }
        }
        before = own;
        if length >= width {
            leaves.skip_to_line(line + 1);
            before = (false, false);
        }
    }
    let ended = root.sums().newlines.saturating_sub(first) as usize;
    lines
        .iter_mut()
        .take(ended)
        .for_each(VisibleLine::strip_trailing_cr);
    lines
}

/// The bytes of a range of a document, as many as exist. The cost depends only on the length of the range.
pub fn bytes_in_range(root: &Arc<ProgramNode>, range: std::ops::Range<usize>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(range.len().min(1 << 20));
    let mut at = 0;
    let mut stack = vec![std::slice::from_ref(root).iter()];
    while let Some(level) = stack.last_mut() {
        let Some(node) = level.next() else {
            stack.pop();
            continue;
        };
        let end = at + node.sums().bytes as usize;
        if at >= range.end {
            break;
        }
        if end <= range.start {
            at = end;
        } else if node.shape.is_leaf() {
            for piece in [node.trivia(), node.text()] {
                let from = range.start.saturating_sub(at).min(piece.len());
                let to = range.end.saturating_sub(at).min(piece.len());
                bytes.extend_from_slice(&piece[from..to.max(from)]);
                at += piece.len();
            }
        } else {
            stack.push(node.children().iter());
        }
    }
    bytes
}

/// The last line of a document. An empty text after the last line end is not a line.
pub fn last_line(root: &Arc<ProgramNode>) -> u32 {
    let all = root.sums().newlines;
    let mut ends = (0..root.sums().leaves)
        .rev()
        .filter_map(|at| walk::leaf_at(root, at))
        .filter_map(|leaf| leaf.text().last().or(leaf.trivia().last()).copied());
    all.saturating_sub(u32::from(ends.next() == Some(b'\n')))
}

/// The first leaf whose text begins on `line` or later, with what comes before it.
pub fn first_leaf_from(root: &Arc<ProgramNode>, line: u32) -> Option<LeafPosition<'_>> {
    static NONE: std::sync::LazyLock<EditMarks> = std::sync::LazyLock::new(EditMarks::default);
    let mut leaves = LeafWalker::new(root, &NONE, None);
    leaves.skip_to_line(line);
    leaves.find(|leaf| leaf.text_line() >= line)
}
