//! The difference of a pair, cut into the elements that a pass undoes or applies as a whole.

use rustc_hash::FxHashMap;

use crate::program::pair::{PairToken, PatchedVariant, TokenElement};
use crate::program::{Document, NodeId, NodeShape, Version, walk};

/// How fine the difference is cut. Comments go with the next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DifferenceCut {
    /// The hunks.
    Hunks,
    /// In each document, the tokens that begin on one line.
    Lines,
    /// In each document, the tokens whose innermost list element or optional part is the same, of those within at most so many others.
    Parts(u32),
    /// Single tokens.
    Tokens,
}

impl DifferenceCut {
    /// One element, in a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            DifferenceCut::Hunks => "hunk",
            DifferenceCut::Lines => "line",
            DifferenceCut::Parts(_) => "part",
            DifferenceCut::Tokens => "token",
        }
    }

    /// The elements of these tokens of the difference of a pair, in the order of their first tokens. `version` is the pair that `patch` was
    /// made of.
    pub fn cut_tokens(
        self,
        version: &Version,
        patch: &PatchedVariant,
        tokens: impl Iterator<Item = (usize, PairToken)>,
    ) -> Vec<TokenElement> {
        let keys: Vec<Vec<u64>> = match self {
            DifferenceCut::Hunks | DifferenceCut::Tokens => Vec::new(),
            DifferenceCut::Lines => version.documents().iter().map(line_numbers).collect(),
            DifferenceCut::Parts(level) => {
                let parts = |document| parts_on_level(document, level).0;
                version.documents().iter().map(parts).collect()
            }
        };
        let key_of = |hunk: usize, token: PairToken| match (self, token) {
            (DifferenceCut::Hunks, _) => (0, hunk as u64),
            (DifferenceCut::Tokens, PairToken::Seed(at)) => (0, at as u64),
            (DifferenceCut::Tokens, PairToken::Variant(at)) => (1, at as u64),
            (_, PairToken::Seed(at)) => (0, keys[0][at]),
            (_, PairToken::Variant(at)) => (1, keys[1][at]),
        };
        let mut elements: Vec<(TokenElement, bool)> = Vec::new();
        let mut index_of: FxHashMap<(usize, u64), usize> = FxHashMap::default();
        for (hunk, token) in tokens {
            let at = *index_of.entry(key_of(hunk, token)).or_insert_with(|| {
                elements.push((TokenElement::new(), false));
                elements.len() - 1
            });
            elements[at].0.push(token);
            elements[at].1 |= patch.leaf(token).shape == NodeShape::Token;
        }
        join_comments(elements)
    }
}

/// How many list elements and optional parts are around a token of the pair, at most.
pub fn deepest_part(version: &Version) -> u32 {
    let documents = version.documents().iter();
    let depths = documents.map(|document| parts_on_level(document, u32::MAX).1);
    depths.max().unwrap_or(0)
}

/// Elements of comments alone join the next element; at the end, the last one.
fn join_comments(elements: Vec<(TokenElement, bool)>) -> Vec<TokenElement> {
    let (mut joined, mut comments): (Vec<TokenElement>, _) = (Vec::new(), TokenElement::new());
    for (element, has_tokens) in elements {
        comments.extend(element);
        if has_tokens {
            joined.push(std::mem::take(&mut comments));
        }
    }
    if let Some(last) = joined.last_mut() {
        last.extend(comments);
    }
    joined
}

/// The line on which each leaf begins, but for the end.
fn line_numbers(document: &Document) -> Vec<u64> {
    let line_ends = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count() as u64;
    let mut line = 0;
    let leaves = walk::iter_leaves(&document.root).filter(|leaf| leaf.shape != NodeShape::End);
    let lines = leaves.map(|leaf| {
        let begins = line + line_ends(leaf.trivia());
        line = begins + line_ends(leaf.text());
        begins
    });
    lines.collect()
}

/// For each leaf, but for the end, the innermost part around it among those within fewer than `level` + 1 others; and how many parts are around
/// a leaf at most.
fn parts_on_level(document: &Document, level: u32) -> (Vec<u64>, u32) {
    let (mut parts, mut deepest) = (Vec::new(), 0);
    let mut open = vec![(&document.root, 0, document.root.id)];
    while let Some((node, depth, part)) = open.pop() {
        deepest = deepest.max(depth);
        if node.shape.is_leaf() {
            if node.shape != NodeShape::End {
                parts.push(part.0);
            }
            continue;
        }
        let in_list = node.shape.is_list() || node.shape == NodeShape::Chunk;
        let children = node.children().iter().rev().map(|child| {
            let is_element = in_list && child.shape != NodeShape::Chunk;
            match is_element || child.shape == NodeShape::Opt {
                true => (child, depth + 1, own_part(child.id, part, depth < level)),
                false => (child, depth, part),
            }
        });
        open.extend(children);
    }
    (parts, deepest)
}

/// The part that the tokens of `own` belong to.
fn own_part(own: NodeId, around: NodeId, is_seen: bool) -> NodeId {
    if is_seen { own } else { around }
}
