//! Walks over a tree that do not recurse on its depth.

use std::sync::Arc;

use super::edit::Indices;
use super::node::{Body, Node, Shape, TokId};
use crate::dialogue::abandon::count_round;

/// The children of `node` in order, chunks looked through: for a list, its elements.
pub fn items(node: &Node) -> Items<'_> {
    Items {
        stack: vec![node.kids().iter()],
    }
}

/// See [`items`].
pub struct Items<'a> {
    stack: Vec<std::slice::Iter<'a, Arc<Node>>>,
}

impl<'a> Iterator for Items<'a> {
    type Item = &'a Arc<Node>;

    fn next(&mut self) -> Option<&'a Arc<Node>> {
        count_round();
        loop {
            match self.stack.last_mut()?.next() {
                Some(kid) if kid.shape == Shape::Chunk => self.stack.push(kid.kids().iter()),
                Some(kid) => return Some(kid),
                None => {
                    self.stack.pop();
                }
            }
        }
    }
}

/// All nodes of the tree, parents before children, in document order; chunks included.
pub fn preorder(root: &Arc<Node>) -> impl Iterator<Item = &Arc<Node>> {
    let mut stack = vec![std::slice::from_ref(root).iter()];
    std::iter::from_fn(move || {
        count_round();
        loop {
            match stack.last_mut()?.next() {
                Some(node) => {
                    stack.push(node.kids().iter());
                    return Some(node);
                }
                None => {
                    stack.pop();
                }
            }
        }
    })
}

/// The leaves of the tree in order.
pub fn leaves(root: &Arc<Node>) -> impl Iterator<Item = &Arc<Node>> {
    preorder(root).filter(|node| node.shape.is_leaf())
}

/// The `index`-th element of a list, or part of another node.
pub fn item(node: &Node, mut index: usize) -> Option<&Arc<Node>> {
    let mut kids = node.kids();
    'level: loop {
        for kid in kids {
            let items = kid.sums.items as usize;
            if index < items {
                if kid.shape == Shape::Chunk {
                    kids = kid.kids();
                    continue 'level;
                }
                return Some(kid);
            }
            index -= items;
        }
        return None;
    }
}

/// The `index`-th leaf below `node`.
pub fn leaf(node: &Arc<Node>, mut index: u32) -> Option<&Arc<Node>> {
    let mut node = node;
    'level: loop {
        if node.shape.is_leaf() {
            return (index == 0).then_some(node);
        }
        for kid in node.kids() {
            if index < kid.sums.leaves {
                node = kid;
                continue 'level;
            }
            index -= kid.sums.leaves;
        }
        return None;
    }
}

/// The elements of a list that are in the set.
pub fn picked<'a>(list: &'a Node, set: &'a Indices) -> impl Iterator<Item = &'a Arc<Node>> {
    let ranges = set.ranges().iter().cloned();
    ranges.flat_map(|range| items_from(list, range.start as usize).take(range.len()))
}

/// The elements of a list from the `index`-th on.
fn items_from(list: &Node, mut index: usize) -> Items<'_> {
    let mut stack = Vec::new();
    let mut kids = list.kids().iter();
    'level: loop {
        let mut ahead = kids.clone();
        while let Some(kid) = ahead.next() {
            let items = kid.sums.items as usize;
            if index < items {
                if kid.shape == Shape::Chunk {
                    stack.push(ahead);
                    kids = kid.kids().iter();
                    continue 'level;
                }
                break;
            }
            index -= items;
            kids = ahead.clone();
        }
        stack.push(kids);
        return Items { stack };
    }
}

/// The identity of the first token below `node`; the first of them where a leaf has several.
pub fn first_token(node: &Arc<Node>) -> Option<TokId> {
    match &leaf(node, 0)?.body {
        Body::Leaf { ids, .. } => ids.first().copied(),
        Body::Inner(_) => None,
    }
}

/// The bytes of the tree. What stands in its file as one piece is copied in one go.
pub fn render(root: &Arc<Node>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(root.sums.bytes as usize);
    let mut stack = vec![std::slice::from_ref(root).iter()];
    while let Some(level) = stack.last_mut() {
        count_round();
        match level.next() {
            Some(node) => match piece(node) {
                Some(piece) => bytes.extend_from_slice(piece),
                None => {
                    bytes.extend_from_slice(node.trivia());
                    bytes.extend_from_slice(node.text());
                    stack.push(node.kids().iter());
                }
            },
            None => {
                stack.pop();
            }
        }
    }
    bytes
}

fn piece(node: &Arc<Node>) -> Option<&[u8]> {
    let span = node.sums.span?;
    let mut first = node;
    while let Some(kid) = first.kids().first() {
        first = kid;
    }
    match &first.body {
        Body::Leaf { text, .. } => span.bytes(text),
        Body::Inner(_) => None,
    }
}
