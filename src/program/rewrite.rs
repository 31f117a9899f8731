//! The user's own edit: a whole new text, aligned with the old one.
//!
//! Tokens that a diff of the two finds in both keep their identities, so pins hold; a node is the same node if its kind and its tokens
//! are. What is new gets identities that are a function of the new text. Where the old text lacks parts that the parser requires, the new one lacks them too, before the
//! same tokens.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::build::{NodeIdSource, build_tree};
use super::document_parse::DocumentParse;
use super::edit::EditError;
use super::hash::ContentHash;
use super::known_nodes::KnownNodes;
use super::names::FoundNames;
use super::node::{FRESH_BIT, ProgramNode, TokenId};
use super::normal_form::NormalFormReader;
use super::parallel_read::OriginalIds;
use super::plain_text;
use super::read::parse_masked;
use super::reread::StableNodeIds;
use super::sequence_diff::{match_elements, match_subsequence};
use super::stand_ins::find_stand_ins;
use super::text::FileText;
use super::version::{DocumentFreedom, Version};
use super::walk;
use crate::language::Language;
use crate::language::parser::{ParseLimit, ParseTree, StandIns};

type LeafTokens = SmallVec<[TokenId; 1]>;

/// The version whose documents have these texts.
///
/// # Errors
/// [`EditError::NodeNotFound`] when there are more or fewer texts than documents, [`EditError::Ungrammatical`] when a parse does not end within its limit.
pub fn rewrite_texts(base: &Version, texts: &[FileText]) -> Result<Version, EditError> {
    if texts.len() != base.documents().len() {
        return Err(EditError::NodeNotFound);
    }
    let (mut documents, mut parses) = (Vec::new(), Vec::new());
    let mut parents = base.parents().clone();
    let mut made = 0;
    let is_blob = |source: &[u8]| base.is_project() && plain_text::is_blob(source);
    for (at, (document, source)) in base.documents().iter().zip(texts).enumerate() {
        let Some(source) = source else {
            documents.push(document.without_file());
            parses.push(None);
            continue;
        };
        // Most edits of several documents are about one of them.
        let is_same = !document.is_gone && has_text(&document.root, source);
        if texts.len() > 1 && document.is_fresh && is_same {
            documents.push(document.clone());
            parses.push(base.parse_trees()[at].clone());
            continue;
        }
        if document.freedom != DocumentFreedom::Free && !document.is_gone && !is_same {
            return Err(EditError::FixedText);
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
        let is_pair = base.twins().is_some();
        let align = |read: &Option<ParsedSource>| {
            let leaves = list_leaves(source, read, is_blob(source));
            let aligned = align_leaves(&document.root, source, &leaves, is_pair);
            (leaves, aligned)
        };
        let (leaves, aligned) = align(&read);
        let completed = read.as_ref().and_then(|(language, masked, tree)| {
            let own = move_stand_ins(language, &document.root, &leaves, &aligned);
            if own.is_empty() {
                return None;
            }
            let limit = ParseLimit::for_length(masked.len());
            let parsed = language.new_parser().parse_completed(masked, &own, limit);
            let sound = |parsed: &ParseTree| parsed.count_faults() <= tree.count_faults();
            parsed.ok().filter(sound)
        });
        let (read, aligned) = match (read, completed) {
            (Some((language, masked, _)), Some(tree)) => {
                let read = Some((language, masked, tree));
                let (_, aligned) = align(&read);
                (read, aligned)
            }
            (read, _) => (read, aligned),
        };
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
        let is_blob = is_blob(source);
        let root = build_root(source, &read, is_blob, identify, &mut names);
        made = names.made;
        parses.push(read.map(|(language, _, tree)| DocumentParse::of_tree(language, &root, tree)));
        documents.push(document.with_read_root(root));
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

/// The tree of ours of a text. `is_blob` says whether a text that is not parsed is one token.
fn build_root(
    source: &Arc<[u8]>,
    parsed: &Option<ParsedSource>,
    is_blob: bool,
    identify: impl FnMut(Range<usize>) -> LeafTokens,
    names: &mut impl NodeIdSource,
) -> Arc<ProgramNode> {
    match parsed {
        Some((language, masked, tree)) => {
            NormalFormReader::new(language, source, masked, identify, names).read_document(tree)
        }
        None if is_blob => build_tree(plain_text::draft_blob(source, identify), names),
        None => build_tree(plain_text::draft_text(source, identify), names),
    }
}

/// The leaves that a text has.
fn list_leaves(
    source: &Arc<[u8]>,
    read: &Option<ParsedSource>,
    is_blob: bool,
) -> Vec<Range<usize>> {
    let mut leaves = Vec::new();
    let note = |range| {
        leaves.push(range);
        smallvec![]
    };
    build_root(source, read, is_blob, note, &mut OriginalIds::new());
    leaves
}

/// What stands in for absent parts of `root`, before the same tokens of the new text.
fn move_stand_ins(
    language: &'static Language,
    root: &Arc<ProgramNode>,
    leaves: &[Range<usize>],
    aligned: &FxHashMap<usize, LeafTokens>,
) -> StandIns {
    let old = find_stand_ins(language, root);
    if old.is_empty() {
        return old;
    }
    let (mut old_starts, mut at) = (FxHashMap::default(), 0);
    for leaf in walk::iter_leaves(root) {
        at += leaf.trivia().len();
        old_starts.insert(at, leaf.ids());
        at += leaf.text().len();
    }
    let new_places: FxHashMap<&[TokenId], usize> = aligned
        .iter()
        .filter(|(_, ids)| !ids.is_empty())
        .map(|(&at, ids)| (ids.as_slice(), at))
        .collect();
    let place_of = |ids: &[TokenId]| Some(leaves.get(*new_places.get(ids)?)?.start);
    let places = old.places().filter_map(|(at, text)| {
        let behind = old_starts.get(&at)?;
        Some((place_of(behind)?, text.into()))
    });
    StandIns::at_places(places.collect())
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
    let pairs = by_order.then(|| match_subsequence(&before, &after));
    let pairs = pairs
        .flatten()
        .unwrap_or_else(|| match_elements(&before, &after));
    let aligned = pairs
        .into_iter()
        .map(|(old_at, new_at)| (new_at, old[old_at].1.clone()));
    aligned.collect()
}
