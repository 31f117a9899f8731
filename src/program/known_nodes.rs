//! The nodes of a tree by what they are and by their tokens: which node of a text that is read again was there before.
//!
//! A large program has millions of nodes, and the tree of the parser is there at the same time. So nothing is stored by key: in a walk with
//! parents before children the nodes that begin with one leaf stand together, each after those around it, and a key says its first token.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::node::{FRESH_BIT, NodeId, NodeShape, ProgramNode, TokenId};
use super::walk;
use crate::grammar::NodeClass;

/// The first and the last token of a node.
pub type EndTokens = (Option<TokenId>, Option<TokenId>);

/// The tokens of a leaf: the first and the last of them.
pub fn leaf_ends(leaf: &ProgramNode) -> EndTokens {
    let ids = leaf.ids();
    (ids.first().copied(), ids.last().copied())
}

/// What identifies a node after a parse: what it is, its first and its last token, and how many leaves it has.
#[derive(Clone, Copy, Debug)]
pub struct NodeKey {
    pub shape: NodeShape,
    pub class: Option<NodeClass>,
    pub ends: EndTokens,
    pub leaves: u32,
}

/// A node that was there before.
#[derive(Debug)]
struct KnownNode {
    id: NodeId,
    leaves: u32,
    /// [`NO_CLASS`] for none.
    class: u16,
    shape: NodeShape,
    taken: bool,
}

/// No grammar has so many classes.
const NO_CLASS: u16 = u16::MAX;

/// The nodes of a tree, each of which is found once.
#[derive(Debug, Default)]
pub struct KnownNodes {
    /// Parents before children, without chunks.
    nodes: Vec<KnownNode>,
    /// By the number of a leaf: where the nodes begin whose first leaf it is. They end with the leaf itself, and the next leaf's follow.
    starts: Vec<u32>,
    /// By the number of a leaf: its last token.
    last_tokens: Vec<Option<TokenId>>,
    /// By the number of a token of the original: the number of the last leaf that begins with it, counted from 1; 0 for none.
    original: Vec<u32>,
    /// The same for tokens that an edit made, and for leaves without a token.
    fresh: FxHashMap<Option<TokenId>, u32>,
    /// By the number of a leaf, from 1: the leaf before it that begins with the same token.
    same_token: FxHashMap<u32, u32>,
}

impl KnownNodes {
    /// The nodes of this tree.
    pub fn from_tree(root: &Arc<ProgramNode>) -> KnownNodes {
        let leaves = root.sums().leaves as usize;
        let mut known = KnownNodes {
            starts: Vec::with_capacity(leaves + 1),
            last_tokens: Vec::with_capacity(leaves),
            ..KnownNodes::default()
        };
        known.starts.push(0);
        for node in walk::preorder(root) {
            if node.shape != NodeShape::Chunk && node.sums().leaves > 0 {
                known.nodes.push(KnownNode {
                    id: node.id,
                    leaves: node.sums().leaves,
                    class: node.class.map_or(NO_CLASS, |class| class.0),
                    shape: node.shape,
                    taken: false,
                });
            }
            if node.shape.is_leaf() {
                let (first, last) = leaf_ends(node);
                known.last_tokens.push(last);
                known.starts.push(known.nodes.len() as u32);
                let number = known.last_tokens.len() as u32;
                let before = std::mem::replace(known.leaf_slot(first), number);
                if before != 0 {
                    known.same_token.insert(number, before);
                }
            }
        }
        known
    }

    /// The number of the last leaf that begins with this token.
    fn leaf_slot(&mut self, token: Option<TokenId>) -> &mut u32 {
        match token {
            Some(TokenId(number)) if number & FRESH_BIT == 0 => {
                let at = number as usize;
                if at >= self.original.len() {
                    self.original.resize(at + 1, 0);
                }
                &mut self.original[at]
            }
            token => self.fresh.entry(token).or_default(),
        }
    }

    /// The innermost node with this key that was not taken yet, and from now on is.
    pub fn take_node(&mut self, key: &NodeKey) -> Option<NodeId> {
        let (first, last) = key.ends;
        let to_last = (key.leaves as usize).checked_sub(1)?;
        let known = match first {
            Some(TokenId(number)) if number & FRESH_BIT == 0 => {
                self.original.get(number as usize).copied()
            }
            token => self.fresh.get(&token).copied(),
        };
        let mut number = known.filter(|&number| number != 0)?;
        loop {
            let leaf = number as usize - 1;
            if self.last_tokens.get(leaf + to_last) == Some(&last)
                && let Some(id) = self.take_at_leaf(leaf, key)
            {
                return Some(id);
            }
            number = *self.same_token.get(&number)?;
        }
    }

    /// The same among the nodes whose first leaf has this number.
    fn take_at_leaf(&mut self, leaf: usize, key: &NodeKey) -> Option<NodeId> {
        let range = self.starts[leaf] as usize..self.starts[leaf + 1] as usize;
        let around = &mut self.nodes[range];
        // Each is around the next, so none has fewer leaves than that.
        let from = around.partition_point(|node| node.leaves > key.leaves);
        let until = around.partition_point(|node| node.leaves >= key.leaves);
        let class = key.class.map_or(NO_CLASS, |class| class.0);
        let mut same = around[from..until].iter_mut().rev();
        let found =
            same.find(|node| !node.taken && node.shape == key.shape && node.class == class)?;
        found.taken = true;
        Some(found.id)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::language;
    use crate::program::{self, Edit, EditOp, Version};

    /// What a table by keys would find: the nodes of each key, the innermost last.
    type NodesByKey = FxHashMap<String, Vec<NodeId>>;

    fn name_key(key: &NodeKey) -> String {
        format!("{key:?}")
    }

    fn keys(root: &Arc<ProgramNode>) -> Vec<(NodeKey, NodeId)> {
        let leaves: Vec<EndTokens> = walk::iter_leaves(root)
            .map(|leaf| leaf_ends(leaf))
            .collect();
        let (mut keys, mut at) = (Vec::new(), 0);
        for node in walk::preorder(root) {
            let own = &leaves[at..at + node.sums().leaves as usize];
            at += usize::from(node.shape.is_leaf());
            if let ([first, ..], [.., last]) = (own, own)
                && node.shape != NodeShape::Chunk
            {
                let key = NodeKey {
                    shape: node.shape,
                    class: node.class,
                    ends: (first.0, last.1),
                    leaves: node.sums().leaves,
                };
                keys.push((key, node.id));
            }
        }
        keys
    }

    /// Takes all nodes of one tree from those of the other, children first.
    fn compare(old: &Version, new: &Version) -> usize {
        let (old, new) = (&old.documents()[0].root, &new.documents()[0].root);
        let mut known = KnownNodes::from_tree(old);
        let mut by_key = NodesByKey::default();
        for (key, id) in keys(old) {
            by_key.entry(name_key(&key)).or_default().push(id);
        }
        let mut found = 0;
        for (key, _) in keys(new).iter().rev() {
            let same = by_key.get_mut(&name_key(key)).and_then(Vec::pop);
            assert_eq!(known.take_node(key), same, "{key:?}");
            found += usize::from(same.is_some());
        }
        found
    }

    #[test]
    #[ignore = "long"]
    fn the_nodes_are_those_that_a_table_by_keys_would_find() {
        for language in ["c", "cpp", "rust", "python", "json"] {
            let language = language::by_name(language).expect("it is known");
            let (name, sample) = language.sample_program();
            let file = (Path::new(name).into(), sample.as_bytes().into());
            let version = program::read_program(vec![file]).expect("it can be read");
            assert!(compare(&version, &version) > 20);
            let nodes = walk::preorder(&version.documents()[0].root);
            let lists = nodes.filter(|node| node.shape.is_list() && node.len() > 1);
            for list in lists {
                let edit = Edit::from(EditOp::DeleteItems {
                    list: list.id,
                    items: std::iter::once(0..1).collect(),
                });
                let Ok((edited, _)) = program::apply_edit(&version, &edit) else {
                    continue;
                };
                compare(&version, &edited);
                compare(&edited, &version);
                if let Some(again) = program::reparse_version(&edited) {
                    compare(&edited, &again);
                    compare(&again, &edited);
                }
            }
        }
    }

    #[test]
    fn of_leaves_with_one_token_the_last_is_found_first() {
        use super::super::build::{NodeDraft, build_tree};
        use super::super::node::LeafBody;
        use super::super::parallel_read::OriginalIds;
        use super::super::text::SharedText;
        let leaf = |token| {
            let text = SharedText::new(&b"x"[..]);
            let leaf = LeafBody::new(&[TokenId(token)], SharedText::empty(), text);
            NodeDraft::new_leaf(NodeShape::Token, leaf)
        };
        let draft = NodeDraft::new_inner(NodeShape::Regular, [leaf(1), leaf(1), leaf(2)]);
        let root = build_tree(draft, &mut OriginalIds::new());
        let mut known = KnownNodes::from_tree(&root);
        let token = Some(TokenId(1));
        let mut take = || {
            known.take_node(&NodeKey {
                shape: NodeShape::Token,
                class: None,
                ends: (token, token),
                leaves: 1,
            })
        };
        assert_eq!(
            [take(), take(), take()],
            [Some(NodeId(2)), Some(NodeId(1)), None]
        );
    }
}
