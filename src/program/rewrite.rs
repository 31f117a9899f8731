//! The user's own edit: a whole new text, aligned with the old one.
//!
//! Tokens that a diff of the two finds in both keep their identities, so pins hold; a node is the same node if its kind and its tokens
//! are. What is new gets identities that are a function of the new text.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use smallvec::{SmallVec, smallvec};

use super::apply::FRESH;
use super::build::finish;
use super::edit::EditError;
use super::hash::Hash;
use super::node::{Body, Node, TokId};
use super::plain;
use super::read::{Again, known, parse};
use super::reader::Reader;
use super::version::{Document, Version};
use super::walk;

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
        let tree = match document.language {
            Some(language) => Some(parse(language, source).map_err(|_| EditError::Shape)?),
            None => None,
        };
        let draft = |identify: &mut dyn FnMut(Range<usize>) -> Ids| match (document.language, &tree)
        {
            (Some(language), Some(tree)) => Reader::new(language, source, identify).read(tree),
            _ => plain::draft(source, identify),
        };
        let mut leaves = Vec::new();
        draft(&mut |range| {
            leaves.push(range);
            smallvec![]
        });
        let aligned = align(&document.root, source, &leaves);
        let mut next = 0;
        let draft = draft(&mut |_| {
            next += 1;
            let fresh = || smallvec![TokId(salt.derive(next as u64) | FRESH)];
            aligned.get(&(next - 1)).cloned().unwrap_or_else(fresh)
        });
        let mut names = Again {
            known: known(&document.root),
            salt,
            made,
            parents: &mut parents,
        };
        documents.push(Document {
            root: finish(draft, &mut names),
            ..document.clone()
        });
        made = names.made;
        trees.push(tree);
    }
    Ok(Version::read(documents, parents, trees.into()))
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
