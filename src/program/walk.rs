//! Walks over a tree without recursion on its depth.

use std::sync::Arc;

use super::edit::IndexRanges;
use super::node::{NodeShape, ProgramNode, TokenId};
use super::text::SourceSpan;
use crate::protocol::abandon::count_round;

/// The children of `node` in order, chunks looked through: for a list, its elements.
pub fn iter_items(node: &ProgramNode) -> ItemIter<'_> {
    ItemIter {
        stack: vec![node.children().iter()],
    }
}

/// See [`iter_items`].
pub struct ItemIter<'a> {
    stack: Vec<std::slice::Iter<'a, Arc<ProgramNode>>>,
}

impl<'a> Iterator for ItemIter<'a> {
    type Item = &'a Arc<ProgramNode>;

    fn next(&mut self) -> Option<&'a Arc<ProgramNode>> {
        count_round();
        loop {
            match self.stack.last_mut()?.next() {
                Some(child) if child.shape == NodeShape::Chunk => {
                    self.stack.push(child.children().iter())
                }
                Some(child) => return Some(child),
                None => {
                    self.stack.pop();
                }
            }
        }
    }
}

/// All nodes of the tree, parents before children, in document order; chunks included.
pub fn preorder(root: &Arc<ProgramNode>) -> impl Iterator<Item = &Arc<ProgramNode>> {
    let mut stack = vec![std::slice::from_ref(root).iter()];
    std::iter::from_fn(move || {
        count_round();
        loop {
            match stack.last_mut()?.next() {
                Some(node) => {
                    stack.push(node.children().iter());
                    return Some(node);
                }
                None => {
                    stack.pop();
                }
            }
        }
    })
}

/// The tree in parts, in order, and where in its bytes each begins. A part is a node with all that is below it, and has at most this many leaves.
pub fn split_tree(root: &Arc<ProgramNode>, leaves: u32) -> Vec<(&Arc<ProgramNode>, u32)> {
    let (mut parts, mut at, mut stack) = (Vec::new(), 0, vec![root]);
    while let Some(node) = stack.pop() {
        let sums = node.sums();
        if sums.leaves > leaves {
            stack.extend(node.children().iter().rev());
            continue;
        }
        parts.push((node, at));
        at += sums.bytes;
    }
    parts
}

/// The leaves of the tree in order.
pub fn iter_leaves(root: &Arc<ProgramNode>) -> impl Iterator<Item = &Arc<ProgramNode>> {
    preorder(root).filter(|node| node.shape.is_leaf())
}

/// The comments of the tree in order. Parts without one are not entered, so it costs what the comments and the paths to them cost.
pub fn iter_comments(root: &Arc<ProgramNode>) -> impl Iterator<Item = &Arc<ProgramNode>> {
    let mut stack = vec![std::slice::from_ref(root).iter()];
    std::iter::from_fn(move || {
        count_round();
        loop {
            match stack.last_mut()?.next() {
                Some(node) if node.sums().leaves == node.sums().tokens => {}
                Some(node) if node.shape == NodeShape::Extra => return Some(node),
                Some(node) => stack.push(node.children().iter()),
                None => {
                    stack.pop();
                }
            }
        }
    })
}

/// The `index`-th element of a list, or part of another node.
pub fn item_at(node: &ProgramNode, mut index: usize) -> Option<&Arc<ProgramNode>> {
    let mut children = node.children();
    'level: loop {
        for child in children {
            let items = child.sums().items as usize;
            if index < items {
                if child.shape == NodeShape::Chunk {
                    children = child.children();
                    continue 'level;
                }
                return Some(child);
            }
            index -= items;
        }
        return None;
    }
}

/// The last element of a list, or part of another node. Its siblings are not looked at.
pub fn last_item(node: &ProgramNode) -> Option<&Arc<ProgramNode>> {
    let mut last = node.children().last()?;
    while last.shape == NodeShape::Chunk {
        last = last.children().last()?;
    }
    Some(last)
}

/// The `index`-th leaf below `node`.
pub fn leaf_at(node: &Arc<ProgramNode>, mut index: u32) -> Option<&Arc<ProgramNode>> {
    let mut node = node;
    'level: loop {
        if node.shape.is_leaf() {
            return (index == 0).then_some(node);
        }
        for child in node.children() {
            if index < child.sums().leaves {
                node = child;
                continue 'level;
            }
            index -= child.sums().leaves;
        }
        return None;
    }
}

/// The elements of a list whose indices are in the set.
pub fn selected_items<'a>(
    list: &'a ProgramNode,
    set: &'a IndexRanges,
) -> impl Iterator<Item = &'a Arc<ProgramNode>> {
    let ranges = set.ranges().iter().cloned();
    ranges.flat_map(|range| items_from(list, range.start as usize).take(range.len()))
}

/// The elements of a list from the `index`-th on.
fn items_from(list: &ProgramNode, mut index: usize) -> ItemIter<'_> {
    let mut stack = Vec::new();
    let mut children = list.children().iter();
    'level: loop {
        let mut ahead = children.clone();
        while let Some(child) = ahead.next() {
            let items = child.sums().items as usize;
            if index < items {
                if child.shape == NodeShape::Chunk {
                    stack.push(ahead);
                    children = child.children().iter();
                    continue 'level;
                }
                break;
            }
            index -= items;
            children = ahead.clone();
        }
        stack.push(children);
        return ItemIter { stack };
    }
}

/// The identity of the first token below `node`; the first of them where a leaf has several.
pub fn first_token(node: &Arc<ProgramNode>) -> Option<TokenId> {
    leaf_at(node, 0)?.ids().first().copied()
}

/// The identity of the last token below `node`; the last of them where a leaf has several.
pub fn last_token(node: &Arc<ProgramNode>) -> Option<TokenId> {
    let mut last = node;
    while let Some(child) = last.children().last() {
        last = child;
    }
    last.ids().last().copied()
}

/// The bytes of the tree. What stands in its file as one piece is copied at once.
pub fn render_text(root: &Arc<ProgramNode>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(root.sums().bytes as usize);
    visit_text_pieces(root, |_, piece| bytes.extend_from_slice(piece));
    bytes
}

/// Visits the bytes of the tree in order: where each piece stands in its source, and its bytes. What stands there as one piece is visited at
/// once, as far as a node has all of it.
pub fn visit_text_pieces(root: &Arc<ProgramNode>, mut visit: impl FnMut(SourceSpan, &[u8])) {
    let mut stack = vec![std::slice::from_ref(root).iter()];
    while let Some(level) = stack.last_mut() {
        count_round();
        match level.next() {
            Some(node) => match (contiguous_bytes(node), node.leaf_spans()) {
                (Some((span, piece)), _) => visit(span, piece),
                (None, Some([trivia, text])) => {
                    visit(trivia, node.trivia());
                    visit(text, node.text());
                }
                (None, None) => stack.push(node.children().iter()),
            },
            None => {
                stack.pop();
            }
        }
    }
}

fn contiguous_bytes(node: &Arc<ProgramNode>) -> Option<(SourceSpan, &[u8])> {
    let span = node.span()?;
    let mut first = node;
    while let Some(child) = first.children().first() {
        first = child;
    }
    Some((span, first.source_bytes(span)?))
}
