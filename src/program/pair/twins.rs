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
    pub(in crate::program) fn after_reading(&self, old: &[Document], new: &[Document]) -> TwinMap {
        let ([old_seed, old_variant], [seed, variant]) = (old, new) else {
            return TwinMap::default();
        };
        let fresh = TwinMap::match_documents(seed, variant);
        if fresh.pair_count() >= self.pair_count() {
            return fresh;
        }
        let mut kept = TwinMap::default();
        let in_variant = find_tokens_again(&old_variant.root, &variant.root);
        for (before, leaf) in find_tokens_again(&old_seed.root, &seed.root) {
            let twin = self.twin_of(before);
            if let Some(twin) = twin.and_then(|twin| in_variant.get(&twin)) {
                kept.tie_leaves(leaf, *twin);
            }
        }
        match kept.pair_count() > fresh.pair_count() {
            true => kept,
            false => fresh,
        }
    }
}

/// The leaves that the tokens of a tree are in another tree of its text, by those that they were: what has kept its identity, and else the token of the same
/// text in the same place.
fn find_tokens_again(old: &Arc<ProgramNode>, new: &Arc<ProgramNode>) -> FxHashMap<NodeId, NodeId> {
    let (old, new) = (placed_tokens(old), placed_tokens(new));
    let before: FxHashSet<NodeId> = old.iter().map(|(_, leaf)| leaf.id).collect();
    let there: FxHashSet<NodeId> = new.iter().map(|(_, leaf)| leaf.id).collect();
    let made = new.iter().filter(|(_, leaf)| !before.contains(&leaf.id));
    let made: FxHashMap<(u32, &[u8]), NodeId> = made
        .map(|(start, leaf)| ((*start, leaf.text()), leaf.id))
        .collect();
    let found = old.iter().filter_map(|(start, leaf)| {
        let is_there = there.contains(&leaf.id).then_some(leaf.id);
        let again = is_there.or_else(|| made.get(&(*start, leaf.text())).copied());
        Some((leaf.id, again?))
    });
    found.collect()
}

/// The tokens of a tree, each with the byte at which its text begins.
fn placed_tokens(root: &Arc<ProgramNode>) -> Vec<(u32, &Arc<ProgramNode>)> {
    let mut end = 0;
    let leaves = walk::iter_leaves(root).map(|leaf| {
        end += leaf.sums().bytes;
        (end - leaf.text().len() as u32, leaf)
    });
    leaves
        .filter(|(_, leaf)| leaf.shape == NodeShape::Token)
        .collect()
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
    use crate::program::{read_documents, read_pair};

    const PAIR: [&str; 2] = ["int a; int b;", "int b; int a;"];
    const CROSSING: [(usize, usize); 6] = [(0, 3), (1, 4), (2, 5), (3, 0), (4, 1), (5, 2)];

    type Source = (Option<&'static language::Language>, Arc<Path>, Arc<[u8]>);

    fn source(name: &str, text: &str) -> Source {
        let path = Arc::from(Path::new(name));
        (language::by_name("c"), path, Arc::from(text.as_bytes()))
    }

    /// The twins of these tokens, by their numbers in the two documents.
    fn tie(documents: &[Document], pairs: &[(usize, usize)]) -> TwinMap {
        let [seed, variant] = [0, 1].map(|at| token_leaves(&documents[at].root));
        let mut map = TwinMap::default();
        for &(one, other) in pairs {
            map.tie_leaves(seed[one].id, variant[other].id);
        }
        map
    }

    /// The tokens that have twins, by their numbers in the two documents.
    fn tied_tokens(documents: &[Document], map: &TwinMap) -> Vec<(usize, usize)> {
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
        let version = read_pair(source("a.c", PAIR[0]), source("b.c", PAIR[1])).expect("a pair");
        let documents = version.documents();
        // A match by the difference has the tokens in their order.
        let matched = tied_tokens(documents, version.twins().expect("a pair"));
        assert_eq!(matched, [(0, 0), (2, 2), (3, 3), (5, 5)]);
        let read_again = |old: &[(usize, usize)]| {
            let map = tie(documents, old).after_reading(documents, documents);
            tied_tokens(documents, &map)
        };
        for most in 0..=CROSSING.len() {
            let old = &CROSSING[..most];
            let expected = if most > matched.len() { old } else { &matched };
            assert_eq!(read_again(old), expected, "{most} twins before");
        }
    }

    #[test]
    fn twins_stay_where_the_tokens_are_the_same_and_no_node_is() {
        let texts = [PAIR, PAIR].concat();
        let names = ["a.c", "b.c", "c.c", "d.c"];
        let sources = names
            .iter()
            .zip(texts)
            .map(|(name, text)| source(name, text));
        let version = read_documents(sources.collect()).expect("four documents");
        let (old, new) = version.documents().split_at(2);
        let map = tie(old, &CROSSING).after_reading(old, new);
        assert_eq!(tied_tokens(new, &map), CROSSING);
    }
}
