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

use super::apply::FRESH;
use super::build::{Names, finish};
use super::edit::EditError;
use super::hash::Hash;
use super::node::{Body, Node, TokId};
use super::plain;
use super::read::{Again, known, parse};
use super::reader::Reader;
use super::stretches::Original;
use super::version::{Document, Version};
use super::walk;
use crate::language::Language;
use crate::language::parser::ParseTree;

type Ids = SmallVec<[TokId; 1]>;

/// The version whose documents have these texts.
///
/// # Errors
/// [`EditError::Gone`] when there are more or fewer texts than documents, [`EditError::Shape`] when a parse does not end within its limit.
pub fn rewrite(base: &Version, texts: &[Arc<[u8]>]) -> Result<Version, EditError> {
    if texts.len() != base.documents().len() {
        return Err(EditError::Gone);
    }
    let (mut documents, mut trees) = (Vec::new(), Vec::new());
    let mut parents = base.parents().clone();
    let mut made = 0;
    for (document, source) in base.documents().iter().zip(texts) {
        let salt = Hash::of(source);
        let read = match document.language {
            Some(language) => {
                let masked = language.mask(source);
                let tree = parse(language, &masked).map_err(|_| EditError::Shape)?;
                Some((language, masked, tree))
            }
            None => None,
        };
        let mut leaves = Vec::new();
        let note = |range| {
            leaves.push(range);
            smallvec![]
        };
        root(source, &read, note, &mut Original::new());
        let aligned = align(&document.root, source, &leaves);
        let mut next = 0;
        let identify = |_| {
            next += 1;
            let fresh = || smallvec![TokId(salt.derive(next as u64) | FRESH)];
            aligned.get(&(next - 1)).cloned().unwrap_or_else(fresh)
        };
        let mut names = Again {
            known: known(&document.root),
            base,
            salt,
            made,
            parents: &mut parents,
            ends: Default::default(),
        };
        documents.push(Document {
            root: root(source, &read, identify, &mut names),
            ..document.clone()
        });
        made = names.made;
        trees.push(read.map(|(.., tree)| tree));
    }
    let captures = vec![None; documents.len()];
    Ok(Version::read(documents, parents, trees.into(), captures))
}

/// A language, the text as its parser sees it, and the parser's tree.
type Parsed<'a> = (&'static Language, Cow<'a, [u8]>, ParseTree);

/// The tree of ours of a text.
fn root(
    source: &Arc<[u8]>,
    parsed: &Option<Parsed>,
    identify: impl FnMut(Range<usize>) -> Ids,
    names: &mut impl Names,
) -> Arc<Node> {
    match parsed {
        Some((language, masked, tree)) => {
            Reader::new(language, source, masked, identify, names).read(tree)
        }
        None => finish(plain::draft(source, identify), names),
    }
}

/// The identities of those new leaves, by their number, that were there before.
fn align(root: &Arc<Node>, source: &[u8], leaves: &[Range<usize>]) -> FxHashMap<usize, Ids> {
    let leaf = |node: &'_ Arc<Node>| match &node.body {
        Body::Leaf { ids, .. } if !node.text().is_empty() => Some(ids.clone()),
        _ => None,
    };
    let old: Vec<(&[u8], Ids)> = walk::leaves(root)
        .filter_map(|node| Some((node.text(), leaf(node)?)))
        .collect();
    let before: Vec<&[u8]> = old.iter().map(|(text, _)| *text).collect();
    let after: Vec<&[u8]> = leaves.iter().map(|range| &source[range.clone()]).collect();
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
