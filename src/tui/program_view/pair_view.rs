//! A pair as the screen knows it: the alignment of the version that is shown, made when it is needed first.

use std::sync::Arc;

use super::pair_alignment::{PairAlignment, PairHunk, SEED, VARIANT};
use super::rewrite_change::{RewriteChange, words_of};
use crate::program::{NodeId, NodePath, ProgramNode, Version, walk};

/// What a version is known by: its number, and the roots of both documents.
#[derive(Debug)]
struct PairKey {
    number: u64,
    roots: [Arc<ProgramNode>; 2],
}

/// The alignment of a version of a pair.
#[derive(Debug)]
pub struct PairView {
    key: PairKey,
    /// The rows, the hunks, and the tokens without twins.
    pub alignment: PairAlignment,
}

impl PairView {
    /// What is known of a version; none if it is no pair.
    pub fn from_version(number: u64, version: &Version) -> Option<PairView> {
        let [seed, variant] = version.documents() else {
            return None;
        };
        Some(PairView {
            key: PairKey {
                number,
                roots: [seed.root.clone(), variant.root.clone()],
            },
            alignment: PairAlignment::from_version(version)?,
        })
    }

    /// Whether it is about this version.
    pub fn is_of(&self, number: u64, version: &Version) -> bool {
        let documents = version.documents();
        let mut roots = self.key.roots.iter().zip(documents);
        self.key.number == number && roots.all(|(root, document)| Arc::ptr_eq(root, &document.root))
    }

    /// Whether the leaf with this number is a token without a twin.
    pub fn is_unpaired_leaf(&self, document: usize, leaf: u32) -> bool {
        self.alignment.count_unpaired(document, leaf..leaf + 1) > 0
    }

    /// How many tokens below the node at the end of a path have no twins.
    pub fn count_below(&self, path: &NodePath) -> usize {
        let first = path.preceding_sums().leaves;
        let leaves = first..first + path.node().sums().leaves;
        self.alignment.count_unpaired(path.document, leaves)
    }

    /// The texts of the tokens of a hunk in a document, with blanks between them.
    pub fn hunk_text(&self, version: &Version, hunk: &PairHunk, document: usize) -> String {
        let tokens = self.alignment.hunk_tokens(hunk, document).iter();
        let root = &version.documents()[document].root;
        let leaves = tokens.filter_map(|token| walk::leaf_at(root, token.leaf));
        let texts = leaves.map(|leaf| String::from_utf8_lossy(leaf.text()).into_owned());
        texts.collect::<Vec<_>>().join(" ")
    }

    /// The tokens of the other document that a change of this one brings in.
    pub fn restored_tokens(
        &self,
        version: &Version,
        document: usize,
        change: &RewriteChange,
    ) -> Vec<NodeId> {
        if change.inserted.is_empty() {
            return Vec::new();
        }
        let hunks = self.alignment.hunks().iter();
        hunks
            .flat_map(|hunk| self.restored_in_hunk(version, hunk, document, change))
            .collect()
    }

    /// The tokens that the other document has in a hunk and whose words come in its place, in their order.
    fn restored_in_hunk(
        &self,
        version: &Version,
        hunk: &PairHunk,
        document: usize,
        change: &RewriteChange,
    ) -> Vec<NodeId> {
        let (place, other) = (&hunk.places[document], SEED + VARIANT - document);
        let start = change
            .inserted
            .partition_point(|(leaf, _)| *leaf < place.start);
        let here = change.inserted[start..].iter();
        let mut come = here
            .take_while(|(leaf, _)| *leaf < place.end)
            .map(|(_, word)| &**word)
            .peekable();
        let mut restored = Vec::new();
        for token in self.alignment.hunk_tokens(hunk, other) {
            let Some(leaf) = walk::leaf_at(&version.documents()[other].root, token.leaf) else {
                continue;
            };
            let mut words = words_of(leaf.text());
            if words.next() == come.peek().copied() {
                // The first word, and the rest of the token.
                let _ = come.nth(words.count());
                restored.push(token.node);
            }
        }
        restored
    }
}
