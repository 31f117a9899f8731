//! Reading a text again: what was there before keeps its identity.
//!
//! Tokens keep their identities by their places, and nodes by their kind and their tokens. A long text is parsed by stretches, as it is when it is read
//! for the first time.
//!
//! If reading again left more of the text without a place in the grammar than the current tree does, the current tree stays: it is valid by
//! the rules of the grammar, and parsers that recover from errors misread some correct programs.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::build::{DraftBody, NodeDraft, NodeIdSource};
use super::document_parse::DocumentParse;
use super::hash::ContentHash;
use super::known_nodes::{EndTokens, KnownNodes, NodeKey, leaf_ends};
use super::names::FoundNames;
use super::node::{FRESH_BIT, NodeFlags, NodeId, NodeShape, ProgramNode, TokenId};
use super::normal_form::NormalFormReader;
use super::parallel_read::{self, StretchedDocument};
use super::stand_ins;
use super::stretches::StretchLengths;
use super::version::{Document, ParentMap, Version};
use super::walk;
use crate::grammar::NodeClass;
use crate::language::Language;

/// The same text, read again from scratch. Tokens keep their identities; a node is the same node if its kind and its tokens are. None when
/// a parse does not end within its limit, or leaves more text unexplained than the tree of the version does, or reads the text otherwise than a tree
/// that was given. Then the tree stays as it is, which is valid by the rules of the grammar. Reading costs nothing if no edit has changed the version since it was read.
pub fn reparse_version(version: &Version) -> Option<Version> {
    reparse_with_lengths(version, StretchLengths::default())
}

/// As [`reparse_version`]; documents of this length are parsed by stretches.
pub(super) fn reparse_with_lengths(version: &Version, lengths: StretchLengths) -> Option<Version> {
    if version.is_fresh_parse() {
        return Some(version.clone());
    }
    let (mut documents, mut parses) = (Vec::new(), Vec::new());
    let mut ids = RereadIds {
        parents: version.parents().clone(),
        made: 0,
    };
    let mut found = FoundNames::default();
    for (at, document) in version.documents().iter().enumerate() {
        let known = version.parse_trees()[at].clone();
        let is_read = document.is_gone || document.is_fresh && known.is_some();
        let Some(language) = document.language.filter(|_| !is_read) else {
            documents.push(document.clone());
            parses.push(known);
            found.skip_document();
            continue;
        };
        let reread = Reread {
            version,
            document,
            language,
            source: walk::render_text(&document.root).into(),
        };
        let masked = language.mask_text(&reread.source);
        let (root, parse) = reread
            .parse_stretches(&masked, lengths, &mut ids, &mut found)
            .or_else(|| reread.parse_whole(&masked, &mut ids, &mut found))?;
        parses.push(Some(parse));
        documents.push(document.with_read_root(root));
    }
    let ours = count_opaque_parts(version.documents());
    if ours.is_some_and(|ours| Some(ours) < count_opaque_parts(&documents)) {
        return None;
    }
    if version.has_given_tree() && !reads_alike(version.documents(), &documents) {
        return None;
    }
    let sharing = version.name_sharing();
    let read = Version::from_parse(documents, ids.parents, parses, found, sharing);
    Some(read.continuing(version))
}

/// What was given to nodes of a version that is read again.
#[derive(Clone)]
struct RereadIds {
    parents: ParentMap,
    /// How many identities are new.
    made: u64,
}

/// A document of a version that is read again.
struct Reread<'a> {
    version: &'a Version,
    document: &'a Document,
    language: &'static Language,
    source: Arc<[u8]>,
}

impl Reread<'_> {
    /// None, and nothing has changed, if the text must be parsed as a whole.
    fn parse_stretches(
        &self,
        masked: &[u8],
        lengths: StretchLengths,
        ids: &mut RereadIds,
        found: &mut FoundNames,
    ) -> Option<(Arc<ProgramNode>, DocumentParse)> {
        if masked.len() < lengths.text || stand_ins::is_lacking(&self.document.root) {
            return None;
        }
        let (language, source) = (self.language, &self.source);
        let mut changed = ids.clone();
        let read = self.with_ids(&mut changed, |identify, names| {
            let reader = NormalFormReader::new(language, source, masked, identify, names);
            parallel_read::reread_by_stretches(language, source, masked, lengths, reader)
        });
        let StretchedDocument {
            root,
            faults,
            names,
        } = read?;
        *ids = changed;
        found.push_document(names);
        let parse = DocumentParse::of_stretches(language, &root, faults);
        Some((root, parse))
    }

    /// None if the parse does not end within its limit.
    fn parse_whole(
        &self,
        masked: &[u8],
        ids: &mut RereadIds,
        found: &mut FoundNames,
    ) -> Option<(Arc<ProgramNode>, DocumentParse)> {
        let language = self.language;
        let (parser, root) = (&mut language.new_parser(), &self.document.root);
        let tree = stand_ins::parse_completed(parser, language, root, masked).ok()?;
        let root = self.with_ids(ids, |identify, names| {
            let reader = NormalFormReader::new(language, &self.source, masked, identify, names);
            let read = || reader.read_document(&tree);
            found.find_beside(language, &tree, masked, read)
        });
        let parse = DocumentParse::of_tree(language, &root, tree);
        Some((root, parse))
    }

    /// What `read` makes of where tokens and nodes get their identities from.
    fn with_ids<T>(
        &self,
        ids: &mut RereadIds,
        read: impl FnOnce(
            &mut dyn FnMut(Range<usize>) -> SmallVec<[TokenId; 1]>,
            &mut StableNodeIds,
        ) -> T,
    ) -> T {
        let mut tokens = AlignedTokens::new(walk::iter_leaves(&self.document.root));
        let mut names = StableNodeIds {
            known_nodes: KnownNodes::from_tree(&self.document.root),
            base: self.version,
            salt: self.version.content_hash(),
            made: ids.made,
            parents: &mut ids.parents,
            ends: Default::default(),
        };
        let done = read(&mut |range| tokens.ids_in_range(range), &mut names);
        ids.made = names.made;
        done
    }
}

/// Whether each node of the new trees is one of the old trees too: the same kind of node, over the same bytes. A list or an element of a list
/// has no kind.
fn reads_alike(old: &[Document], new: &[Document]) -> bool {
    let mut documents = old.iter().zip(new);
    documents.all(|(old, new)| {
        let known = node_ranges(&old.root).into_iter();
        let known: FxHashSet<_> = known
            .flat_map(|(class, range)| [(class, range.clone()), (None, range)])
            .collect();
        node_ranges(&new.root)
            .iter()
            .all(|node| known.contains(node))
    })
}

/// For each node the bytes from its first token to its last; comments belong to no node.
fn node_ranges(root: &Arc<ProgramNode>) -> Vec<(Option<NodeClass>, Range<usize>)> {
    let (mut tokens, mut before, mut at) = (Vec::new(), vec![0], 0);
    for leaf in walk::iter_leaves(root) {
        let start = at + leaf.trivia().len();
        at = start + leaf.text().len();
        if leaf.shape == NodeShape::Token {
            tokens.push(start..at);
        }
        before.push(tokens.len());
    }
    let (mut ranges, mut leaf) = (Vec::new(), 0);
    for node in walk::preorder(root) {
        let inside = &tokens[before[leaf]..before[leaf + node.sums().leaves as usize]];
        if let ([first, ..], [.., last]) = (inside, inside) {
            ranges.push((node.class, first.start..last.end));
        }
        leaf += usize::from(node.shape.is_leaf());
    }
    ranges
}

/// How many parts have no place by the rules of the grammar. None where an edit left a node incomplete, because that is not valid by any
/// rule.
fn count_opaque_parts(documents: &[Document]) -> Option<usize> {
    let nodes = documents
        .iter()
        .flat_map(|document| walk::preorder(&document.root));
    let mut opaque = nodes.filter(|node| node.shape == NodeShape::Opaque);
    opaque.try_fold(0, |sum, node| {
        node.flags
            .contains(NodeFlags::FAULT)
            .then(|| sum + node.len())
    })
}

/// Identities for a tree that is read again: those of the nodes that are the same.
pub(super) struct StableNodeIds<'a> {
    pub known_nodes: KnownNodes,
    /// The version before.
    pub base: &'a Version,
    pub salt: ContentHash,
    pub made: u64,
    pub parents: &'a mut ParentMap,
    /// The ends of the nodes that are built and have no parent yet. Searching for them from the top of each node would cost the square of
    /// the depth.
    pub ends: FxHashMap<NodeId, EndTokens>,
}

impl StableNodeIds<'_> {
    /// The ends of a list of nodes, whose parent is known now.
    fn take_ends(&mut self, children: &[Arc<ProgramNode>]) -> EndTokens {
        let of = |child: &Arc<ProgramNode>| match child.shape.is_leaf() {
            true => leaf_ends(child),
            // A node of the version before was not built here.
            false => self
                .ends
                .get(&child.id)
                .copied()
                .unwrap_or_else(|| (walk::first_token(child), last_token(child))),
        };
        let first = children.first().and_then(|child| of(child).0);
        let last = children.last().and_then(|child| of(child).1);
        for child in children {
            self.ends.remove(&child.id);
        }
        (first, last)
    }

    fn fresh_id(&mut self) -> NodeId {
        self.made += 1;
        NodeId(self.salt.derive_id(!self.made) | FRESH_BIT)
    }
}

fn last_token(node: &Arc<ProgramNode>) -> Option<TokenId> {
    let last = walk::leaf_at(node, node.sums().leaves.checked_sub(1)?)?;
    leaf_ends(last).1
}

impl NodeIdSource for StableNodeIds<'_> {
    fn assign_id(&mut self, draft: &NodeDraft, children: &[Arc<ProgramNode>]) -> NodeId {
        let (first, last, leaves) = match &draft.body {
            DraftBody::Leaf(leaf) => {
                let ids = leaf.ids();
                (ids.first().copied(), ids.last().copied(), 1)
            }
            _ => {
                let (first, last) = self.take_ends(children);
                (
                    first,
                    last,
                    children.iter().map(|child| child.sums().leaves).sum(),
                )
            }
        };
        // Children get their identities first, so the innermost node is theirs.
        let same = self.known_nodes.take_node(&NodeKey {
            shape: draft.shape,
            class: draft.class,
            ends: (first, last),
            leaves,
        });
        let id = same.unwrap_or_else(|| self.fresh_id());
        if !children.is_empty() {
            self.ends.insert(id, (first, last));
        }
        id
    }

    fn assign_chunk_id(&mut self, children: &[Arc<ProgramNode>]) -> NodeId {
        let id = self.fresh_id();
        let ends = self.take_ends(children);
        self.ends.insert(id, ends);
        id
    }

    fn record_children(&mut self, parent: NodeId, children: &[Arc<ProgramNode>]) {
        for child in children {
            self.parents.set(child.id, parent);
        }
    }

    fn previous_node(&self, node: NodeId) -> Option<Arc<ProgramNode>> {
        self.base.find_node(node).cloned()
    }
}

/// The identities of the old leaves, by their places. They are looked at as the new leaves come.
struct AlignedTokens<'a, I> {
    leaves: I,
    /// Where the last leaf ended that was looked at.
    end: usize,
    /// Leaves that later ranges may meet.
    ahead: VecDeque<(Range<usize>, &'a [TokenId])>,
}

impl<'a, I: Iterator<Item = &'a Arc<ProgramNode>>> AlignedTokens<'a, I> {
    fn new(leaves: I) -> AlignedTokens<'a, I> {
        AlignedTokens {
            leaves,
            end: 0,
            ahead: VecDeque::new(),
        }
    }

    /// The identities of all old leaves that meet `range`. Ranges come in order.
    fn ids_in_range(&mut self, range: Range<usize>) -> SmallVec<[TokenId; 1]> {
        while self.end < range.end
            && let Some(leaf) = self.leaves.next()
        {
            let start = self.end + leaf.trivia().len();
            self.end = start + leaf.text().len();
            if start < self.end {
                self.ahead.push_back((start..self.end, leaf.ids()));
            }
        }
        let is_past = |(old, _): &(Range<usize>, _)| old.end <= range.start;
        while self.ahead.front().is_some_and(is_past) {
            self.ahead.pop_front();
        }
        let meeting = self.ahead.iter();
        let meeting = meeting.take_while(|(old, _)| old.start < range.end);
        meeting.flat_map(|(_, ids)| ids.iter().copied()).collect()
    }
}
