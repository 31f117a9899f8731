//! Twins: which tokens of the seed and of the variant are the same token.
//!
//! When a pair is read, the token difference matches them. An edit only loses twins: with a token that goes, its pair goes. When a pair is
//! read again, the new match replaces the old one only if it is no worse, so the difference never grows by itself.

use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::super::node::{NodeId, NodeShape, ProgramNode, TokenId};
use super::super::version::{Document, Version};
use super::super::walk;
use super::token_difference::TokenDifference;

/// Which token of one document is which token of the other, by the leaves of both. Cloning costs nothing.
#[derive(Clone, Debug, Default)]
pub struct TwinMap {
    /// Both directions.
    twins: imbl::GenericHashMap<NodeId, NodeId, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
}

impl TwinMap {
    /// The twins of these two documents, by the difference of their tokens.
    pub fn match_documents(seed: &Document, variant: &Document) -> TwinMap {
        let (seed, variant) = (token_leaves(&seed.root), token_leaves(&variant.root));
        let difference = TokenDifference::from_texts(&leaf_texts(&seed), &leaf_texts(&variant));
        let mut map = TwinMap::default();
        for (at, to) in difference.matched_tokens() {
            map.tie_leaves(seed[at].id, variant[to].id);
        }
        map
    }

    /// The token of the other document that this one is.
    pub fn twin_of(&self, leaf: NodeId) -> Option<NodeId> {
        self.twins.get(&leaf).copied()
    }

    /// How many tokens both documents have.
    pub fn pair_count(&self) -> u32 {
        (self.twins.len() / 2) as u32
    }

    fn tie_leaves(&mut self, one: NodeId, other: NodeId) {
        self.twins.insert(one, other);
        self.twins.insert(other, one);
    }

    /// The twins that an edit leaves: tokens that are gone have none. What it puts into both documents alike are twins, and so are a token
    /// without twin and its copy (`copied`).
    pub(in crate::program) fn after_edit(
        &self,
        old: &[Document],
        new: &[Document],
        copied: &[(NodeId, NodeId)],
    ) -> TwinMap {
        let mut map = self.clone();
        let mut inserted: Vec<Vec<Arc<ProgramNode>>> = Vec::new();
        for (old, new) in old.iter().zip(new) {
            let changed = compare_leaves(&old.root, &new.root);
            for leaf in changed.gone {
                if let Some(twin) = map.twins.remove(&leaf) {
                    map.twins.remove(&twin);
                }
            }
            inserted.push(changed.inserted);
        }
        if let [seed, variant] = &inserted[..]
            && leaf_texts(seed) == leaf_texts(variant)
        {
            let pairs = seed.iter().zip(variant);
            pairs.for_each(|(seed, variant)| map.tie_leaves(seed.id, variant.id));
        }
        if !copied.is_empty() {
            let tokens = inserted.iter().flatten().map(|leaf| leaf.id);
            let tokens: FxHashSet<NodeId> = tokens.collect();
            for (leaf, copy) in copied {
                if tokens.contains(copy) && !map.twins.contains_key(leaf) {
                    map.tie_leaves(*leaf, *copy);
                }
            }
        }
        map
    }

    /// The twins of documents that were read again: a new match, unless the tokens that are still there match better.
    pub(in crate::program) fn after_reading(&self, new: &[Document]) -> TwinMap {
        let [seed, variant] = new else {
            return TwinMap::default();
        };
        let fresh = TwinMap::match_documents(seed, variant);
        if fresh.pair_count() >= self.pair_count() {
            return fresh;
        }
        let mut kept = TwinMap::default();
        let there = token_leaves(&variant.root);
        let there: FxHashSet<NodeId> = there.iter().map(|leaf| leaf.id).collect();
        for leaf in token_leaves(&seed.root) {
            let twin = self.twin_of(leaf.id);
            if let Some(twin) = twin.filter(|twin| there.contains(twin)) {
                kept.tie_leaves(leaf.id, twin);
            }
        }
        match kept.pair_count() > fresh.pair_count() {
            true => kept,
            false => fresh,
        }
    }
}

/// The tokens of a tree, without comments.
pub fn token_leaves(root: &Arc<ProgramNode>) -> Vec<Arc<ProgramNode>> {
    let leaves = walk::iter_leaves(root);
    let tokens = leaves.filter(|leaf| leaf.shape == NodeShape::Token);
    tokens.cloned().collect()
}

/// The tokens of the other document that these tokens of a pair are, with their leaves, sorted by identity; none if the version is no pair.
pub fn twin_tokens(version: &Version, tokens: &[TokenId]) -> Vec<(TokenId, NodeId)> {
    let Some(twins) = version.twins() else {
        return Vec::new();
    };
    let wanted: FxHashSet<TokenId> = tokens.iter().copied().collect();
    let documents = version.documents().iter();
    let leaves = documents.flat_map(|document| walk::iter_leaves(&document.root));
    let named = leaves.filter(|leaf| leaf.ids().iter().any(|id| wanted.contains(id)));
    let others = named.filter_map(|leaf| version.find_node(twins.twin_of(leaf.id)?));
    let tokens = others.flat_map(|leaf| leaf.ids().iter().map(|token| (*token, leaf.id)));
    let mut tokens: Vec<(TokenId, NodeId)> = tokens.collect();
    tokens.sort_unstable();
    tokens
}

/// All leaves of a tree but the end: its tokens and its comments.
pub fn text_leaves(root: &Arc<ProgramNode>) -> Vec<Arc<ProgramNode>> {
    let leaves = walk::iter_leaves(root);
    let leaves = leaves.filter(|leaf| leaf.shape != NodeShape::End);
    leaves.cloned().collect()
}

/// The texts of leaves, without the white space before them.
pub(super) fn leaf_texts(leaves: &[Arc<ProgramNode>]) -> Vec<&[u8]> {
    leaves.iter().map(|leaf| leaf.text()).collect()
}

/// The largest nodes of a tree whose leaves are all among these, in document order.
pub fn cover_leaves(root: &Arc<ProgramNode>, going: &FxHashSet<NodeId>) -> Vec<NodeId> {
    let mut before = vec![0u32];
    for leaf in walk::iter_leaves(root) {
        let count = before[before.len() - 1] + u32::from(going.contains(&leaf.id));
        before.push(count);
    }
    let (mut covering, mut open) = (Vec::new(), vec![(root, 0u32)]);
    while let Some((node, start)) = open.pop() {
        let end = start + node.sums().leaves;
        let count = before[end as usize] - before[start as usize];
        if count == node.sums().leaves && node.shape != NodeShape::Chunk && start != end {
            covering.push(node.id);
        } else if count > 0 {
            let first = open.len();
            let mut at = start;
            for child in node.children() {
                open.push((child, at));
                at += child.sums().leaves;
            }
            open[first..].reverse();
        }
    }
    covering
}

/// What tells two trees of one document apart.
#[derive(Debug, Default)]
pub struct ChangedLeaves {
    /// Tokens that only the old tree has.
    pub gone: Vec<NodeId>,
    /// Tokens that only the new tree has.
    pub inserted: Vec<Arc<ProgramNode>>,
}

/// Compares two trees, of which one was made of the other by an edit: what they share costs nothing.
pub fn compare_leaves(old: &Arc<ProgramNode>, new: &Arc<ProgramNode>) -> ChangedLeaves {
    let (mut gone, mut inserted) = (Vec::new(), Vec::new());
    let mut open = vec![(old, new)];
    while let Some((old, new)) = open.pop() {
        if Arc::ptr_eq(old, new) {
            continue;
        }
        if old.children().is_empty() || new.children().is_empty() {
            gone.extend(token_leaves(old));
            inserted.extend(token_leaves(new));
            continue;
        }
        let mut before: FxHashMap<NodeId, &Arc<ProgramNode>> = old
            .children()
            .iter()
            .map(|child| (child.id, child))
            .collect();
        for child in new.children() {
            match before.remove(&child.id) {
                Some(same) => open.push((same, child)),
                None => inserted.extend(token_leaves(child)),
            }
        }
        before
            .values()
            .for_each(|child| gone.extend(token_leaves(child)));
    }
    // What moved is in both.
    let moved: FxHashSet<NodeId> = inserted.iter().map(|leaf| leaf.id).collect();
    let left: FxHashSet<NodeId> = gone.iter().map(|leaf| leaf.id).collect();
    ChangedLeaves {
        gone: gone
            .iter()
            .map(|leaf| leaf.id)
            .filter(|leaf| !moved.contains(leaf))
            .collect(),
        inserted: inserted
            .into_iter()
            .filter(|leaf| !left.contains(&leaf.id))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::language;
    use crate::program::read_pair;

    /// The twins of these tokens, by their numbers in the two documents.
    fn tie(version: &Version, pairs: &[(usize, usize)]) -> TwinMap {
        let documents = version.documents();
        let [seed, variant] = [0, 1].map(|at| token_leaves(&documents[at].root));
        let mut map = TwinMap::default();
        for &(one, other) in pairs {
            map.tie_leaves(seed[one].id, variant[other].id);
        }
        map
    }

    /// The tokens that have twins, by their numbers in the two documents.
    fn tied_tokens(version: &Version, map: &TwinMap) -> Vec<(usize, usize)> {
        let documents = version.documents();
        let [seed, variant] = [0, 1].map(|at| token_leaves(&documents[at].root));
        let twin = |leaf: &Arc<ProgramNode>| {
            let twin = map.twin_of(leaf.id)?;
            variant.iter().position(|leaf| leaf.id == twin)
        };
        let tied = seed.iter().enumerate();
        tied.filter_map(|(at, leaf)| Some((at, twin(leaf)?)))
            .collect()
    }

    #[test]
    fn a_new_match_replaces_the_old_one_only_if_it_has_no_fewer_twins() {
        let source = |text: &str| {
            let path = Arc::from(Path::new("a.c"));
            (language::by_name("c"), path, Arc::from(text.as_bytes()))
        };
        let version = read_pair(source("int a; int b;"), source("int b; int a;")).expect("a pair");
        // A match by the difference has the tokens in their order.
        let matched = tied_tokens(&version, version.twins().expect("a pair"));
        assert_eq!(matched, [(0, 0), (2, 2), (3, 3), (5, 5)]);
        let read_again = |old: &[(usize, usize)]| {
            let map = tie(&version, old).after_reading(version.documents());
            tied_tokens(&version, &map)
        };
        let crossing = [(0, 3), (1, 4), (2, 5), (3, 0), (4, 1), (5, 2)];
        for most in 0..=crossing.len() {
            let old = &crossing[..most];
            let expected = if most > matched.len() { old } else { &matched };
            assert_eq!(read_again(old), expected, "{most} twins before");
        }
    }
}
