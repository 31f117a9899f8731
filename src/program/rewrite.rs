//! The user's own edit: a whole new text, aligned with the old one.
//!
//! Tokens that a diff of the two finds in both keep their identities, so pins hold; a node is the same node if its kind and its tokens
//! are. What is new gets identities that are a function of the new text.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use smallvec::{SmallVec, smallvec};

use super::build::{NodeIdSource, build_tree};
use super::document_parse::DocumentParse;
use super::edit::EditError;
use super::hash::ContentHash;
use super::known_nodes::KnownNodes;
use super::names::FoundNames;
use super::node::{FRESH_BIT, ProgramNode, TokenId};
use super::normal_form::NormalFormReader;
use super::pair::match_subsequence;
use super::parallel_read::OriginalIds;
use super::plain_text;
use super::read::parse_masked;
use super::reread::StableNodeIds;
use super::version::{Document, Version};
use super::walk;
use crate::language::Language;
use crate::language::parser::ParseTree;

type LeafTokens = SmallVec<[TokenId; 1]>;

/// The version whose documents have these texts.
///
/// # Errors
/// [`EditError::NodeNotFound`] when there are more or fewer texts than documents, [`EditError::Ungrammatical`] when a parse does not end within its limit.
pub fn rewrite_texts(base: &Version, texts: &[Arc<[u8]>]) -> Result<Version, EditError> {
    if texts.len() != base.documents().len() {
        return Err(EditError::NodeNotFound);
    }
    let (mut documents, mut parses) = (Vec::new(), Vec::new());
    let mut parents = base.parents().clone();
    let mut made = 0;
    for (at, (document, source)) in base.documents().iter().zip(texts).enumerate() {
        // In a pair most edits are about one of the documents.
        if base.twins().is_some() && base.is_fresh_parse() && has_text(&document.root, source) {
            documents.push(document.clone());
            parses.push(base.parse_trees()[at].clone());
            continue;
        }
        let salt = ContentHash::from_bytes(source);
        let read = match document.language {
            Some(language) => {
                let masked = language.mask_text(source);
                let tree = parse_masked(language, &masked).map_err(|_| EditError::Ungrammatical)?;
                Some((language, masked, tree))
            }
            None => None,
        };
        let mut leaves = Vec::new();
        let note = |range| {
            leaves.push(range);
            smallvec![]
        };
        build_root(source, &read, note, &mut OriginalIds::new());
        let is_pair = base.twins().is_some();
        let aligned = align_leaves(&document.root, source, &leaves, is_pair);
        let mut next = 0;
        let identify = |_| {
            next += 1;
            let fresh = || smallvec![TokenId(salt.derive_id(next as u64) | FRESH_BIT)];
            aligned.get(&(next - 1)).cloned().unwrap_or_else(fresh)
        };
        let mut names = StableNodeIds {
            known_nodes: KnownNodes::from_tree(&document.root),
            base,
            salt,
            made,
            parents: &mut parents,
            ends: Default::default(),
        };
        let root = build_root(source, &read, identify, &mut names);
        made = names.made;
        parses.push(read.map(|(language, _, tree)| DocumentParse::of_tree(language, &root, tree)));
        documents.push(Document {
            root,
            ..document.clone()
        });
    }
    let (found, sharing) = (FoundNames::default(), base.name_sharing());
    let read = Version::from_parse(documents, parents, parses, found, sharing);
    Ok(read.continuing(base))
}

/// Whether a tree has this text.
fn has_text(root: &Arc<ProgramNode>, text: &[u8]) -> bool {
    root.sums().bytes as usize == text.len() && walk::render_text(root) == text
}

/// A language, the text as its parser sees it, and the parser's tree.
type ParsedSource<'a> = (&'static Language, Cow<'a, [u8]>, ParseTree);

/// The tree of ours of a text.
fn build_root(
    source: &Arc<[u8]>,
    parsed: &Option<ParsedSource>,
    identify: impl FnMut(Range<usize>) -> LeafTokens,
    names: &mut impl NodeIdSource,
) -> Arc<ProgramNode> {
    match parsed {
        Some((language, masked, tree)) => {
            NormalFormReader::new(language, source, masked, identify, names).read_document(tree)
        }
        None => build_tree(plain_text::draft_text(source, identify), names),
    }
}

/// The identities of those new leaves, by their number, that were there before. `by_order` first looks whether one text is a part of the
/// other, in order, as are the texts between the two programs of dd: a difference of many tokens takes long.
fn align_leaves(
    root: &Arc<ProgramNode>,
    source: &[u8],
    leaves: &[Range<usize>],
    by_order: bool,
) -> FxHashMap<usize, LeafTokens> {
    let old: Vec<(&[u8], LeafTokens)> = walk::iter_leaves(root)
        .filter(|leaf| !leaf.text().is_empty())
        .map(|leaf| (leaf.text(), SmallVec::from_slice(leaf.ids())))
        .collect();
    let before: Vec<&[u8]> = old.iter().map(|(text, _)| *text).collect();
    let after: Vec<&[u8]> = leaves.iter().map(|range| &source[range.clone()]).collect();
    if let Some(pairs) = by_order
        .then(|| match_subsequence(&before, &after))
        .flatten()
    {
        let pairs = pairs.into_iter();
        return pairs
            .map(|(old_at, new_at)| (new_at, old[old_at].1.clone()))
            .collect();
    }
    let mut aligned = FxHashMap::default();
    for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = op
        {
            aligned.extend((0..len).map(|at| (new_index + at, old[old_index + at].1.clone())));
        }
    }
    aligned
}
