//! The number of rows below each node. Versions share the nodes that an edit did not touch, so a number holds as long as its node is
//! the identical one. Only large nodes are cached, because small ones are counted faster than they are looked up.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::visibility::{NodeVisibility, node_visibility};
use crate::program::{Document, NodeId, ProgramNode, Version};

/// The least number of leaves of a large node.
const LEAST_LEAVES: u32 = 32;

type NodeCounts = FxHashMap<NodeId, (Arc<ProgramNode>, u32)>;

/// A cache in two generations: the counts that were used lately, and older ones, which are dropped unless they are used again.
#[derive(Debug, Default)]
pub struct RowCountCache {
    new: NodeCounts,
    old: NodeCounts,
}

impl RowCountCache {
    /// The count of a node, if it is known.
    pub fn get(&mut self, node: &Arc<ProgramNode>) -> Option<u32> {
        let same =
            |(known, rows): &(Arc<ProgramNode>, u32)| Arc::ptr_eq(known, node).then_some(*rows);
        if let Some(rows) = self.new.get(&node.id).and_then(same) {
            return Some(rows);
        }
        let (known, rows) = self.old.remove(&node.id)?;
        let rows = same(&(known, rows))?;
        self.set(node, rows);
        Some(rows)
    }

    /// Stores the count of a node.
    pub fn set(&mut self, node: &Arc<ProgramNode>, rows: u32) {
        if node.sums().leaves >= LEAST_LEAVES {
            self.new.insert(node.id, (node.clone(), rows));
        }
    }

    /// Removes the count of a node, after it has changed.
    pub fn remove_node(&mut self, node: NodeId) {
        self.new.remove(&node);
        self.old.remove(&node);
    }

    /// Drops the older generation when the newer one has more counts than `version` needs.
    pub fn evict_unused(&mut self, version: &Version) {
        let leaves: u32 = version
            .documents()
            .iter()
            .map(|document| document.root.sums().leaves)
            .sum();
        if self.new.len() > 4096 + leaves as usize / 4 {
            self.old = std::mem::take(&mut self.new);
        }
    }
}

/// Counts the rows of a version in which everything is open, a few nodes at a time.
#[derive(Debug)]
pub struct RowCounter {
    documents: Vec<Document>,
    /// The path to the node that is being counted: for each node on it, the next child and the rows so far.
    stack: Vec<(Arc<ProgramNode>, usize, u32)>,
    /// The counts so far.
    pub counts: RowCountCache,
}

impl RowCounter {
    /// A counter at its start.
    pub fn new(version: &Version) -> RowCounter {
        RowCounter {
            documents: version.documents().to_vec(),
            stack: Vec::new(),
            counts: RowCountCache::default(),
        }
    }

    /// Counts up to `nodes` more nodes. Returns whether all are counted.
    pub fn count_nodes(&mut self, nodes: usize) -> bool {
        for _ in 0..nodes {
            let Some(document) = self.documents.last() else {
                return true;
            };
            let Some((node, next, rows)) = self.stack.last_mut() else {
                self.stack.push((document.root.clone(), 0, 0));
                continue;
            };
            if *next == 0 {
                *rows = u32::from(node_visibility(document, node) == NodeVisibility::Row);
            }
            let hidden = node_visibility(document, node) == NodeVisibility::Hidden;
            if let Some(child) = node.children().get(*next).filter(|_| !hidden).cloned() {
                *next += 1;
                self.stack.push((child, 0, 0));
                continue;
            }
            let Some((node, _, rows)) = self.stack.pop() else {
                continue;
            };
            self.counts.set(&node, rows);
            match self.stack.last_mut() {
                Some((_, _, above)) => *above += rows,
                None => {
                    self.documents.pop();
                }
            }
        }
        self.documents.is_empty()
    }
}
