//! The edits that undo a part of the difference of a pair.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::edit::{AppliedEdit, Edit, EditOp, Replacement};
use super::super::node::{NodeId, ProgramNode};
use super::super::version::Version;
use super::token_difference::{PairToken, TokenDifference, TokenElement, TokenHunk, split_hunks};
use super::twins::{cover_leaves, leaf_texts, text_leaves};

/// Which document of a pair changes, as where a part of the difference is undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchSide {
    /// The variant becomes more like the seed.
    Variant,
    /// The seed becomes more like the variant.
    Seed,
}

/// A pair as two lists of tokens, comments among them, and their difference. `Seed` and `Variant` of its tokens are what they say if the
/// variant changes. If the seed does, they are exchanged: what changes is always the `Variant`.
#[derive(Clone, Debug)]
pub struct DifferencePatch {
    lists: Arc<TokenLists>,
    /// What was undone.
    undone: imbl::HashSet<PairToken>,
    /// The leaf of each token that was copied, by the original.
    copies: imbl::HashMap<NodeId, NodeId>,
}

#[derive(Debug)]
struct TokenLists {
    seed: Vec<Arc<ProgramNode>>,
    variant: Vec<Arc<ProgramNode>>,
    difference: TokenDifference,
    /// Which document is the `Variant`.
    changing: usize,
}

impl DifferencePatch {
    /// The difference of a pair; none if the version is no pair, or its documents have the same tokens.
    pub fn from_version(version: &Version, side: PatchSide) -> Option<DifferencePatch> {
        let [seed, variant] = version.documents() else {
            return None;
        };
        version.twins()?;
        let (fixed, changing) = match side {
            PatchSide::Variant => (seed, variant),
            PatchSide::Seed => (variant, seed),
        };
        let (seed, variant) = (text_leaves(&fixed.root), text_leaves(&changing.root));
        let difference = TokenDifference::from_texts(&leaf_texts(&seed), &leaf_texts(&variant));
        let lists = TokenLists {
            seed,
            variant,
            difference,
            changing: usize::from(side == PatchSide::Variant),
        };
        (!lists.difference.hunks.is_empty()).then(|| DifferencePatch {
            lists: Arc::new(lists),
            undone: imbl::HashSet::new(),
            copies: imbl::HashMap::new(),
        })
    }

    /// The hunks, those that stand close together as one element.
    pub fn hunk_groups(&self) -> Vec<TokenElement> {
        let groups = self.lists.difference.group_hunks().into_iter();
        groups.map(|group| self.tokens_of_hunks(group)).collect()
    }

    /// The hunks, each by itself.
    pub fn hunks(&self) -> Vec<TokenElement> {
        let hunks = 0..self.lists.difference.hunks.len();
        hunks
            .map(|hunk| self.tokens_of_hunks(hunk..hunk + 1))
            .collect()
    }

    /// The finest parts of all hunks.
    pub fn elements(&self) -> Vec<TokenElement> {
        let lists = &self.lists;
        let (seed, variant) = (leaf_texts(&lists.seed), leaf_texts(&lists.variant));
        split_hunks(&lists.difference.hunks, &seed, &variant)
    }

    fn tokens_of_hunks(&self, hunks: std::ops::Range<usize>) -> TokenElement {
        let hunks = self.lists.difference.hunks[hunks].iter();
        hunks.flat_map(TokenHunk::tokens).collect()
    }

    /// The edit after which these tokens of the difference are undone too: what the changing document has more goes, and what it lacks is
    /// copied to where it stands in the other one.
    pub fn undo_edit(&self, version: &Version, more: &[PairToken]) -> Edit {
        let lists = &self.lists;
        let more: FxHashSet<PairToken> = more.iter().copied().collect();
        let mut going: FxHashSet<NodeId> = FxHashSet::default();
        let mut places = LeafInsertions::default();
        for hunk in &lists.difference.hunks {
            let gone = hunk.variant.clone().map(PairToken::Variant);
            let gone = gone.filter(|token| more.contains(token));
            going.extend(gone.filter_map(|token| self.leaf_of(token)));
            self.insert_leaves(hunk, &more, &mut places);
        }
        // Where all goes, what is new stands in the place of a leaf that goes.
        let replaced = places.order.iter().copied();
        let replaced: Vec<NodeId> = replaced.filter(|place| going.remove(place)).collect();
        let covering = cover_leaves(&version.documents()[lists.changing].root, &going);
        let removals = covering.into_iter().map(EditOp::Delete);
        removals.chain(places.into_ops(&replaced)).collect()
    }

    /// An edit was accepted that undid these tokens.
    pub fn record_undone(&mut self, tokens: &[PairToken], change: &AppliedEdit) {
        self.undone.extend(tokens.iter().copied());
        self.copies.extend(change.copied.iter().copied());
    }

    /// The leaf that stands for a token in its document.
    fn leaf_of(&self, token: PairToken) -> Option<NodeId> {
        let (leaves, at) = match token {
            PairToken::Seed(at) => (&self.lists.seed, at),
            PairToken::Variant(at) => (&self.lists.variant, at),
        };
        leaves.get(at).map(|leaf| leaf.id)
    }

    /// Where the tokens `more` of the other document that a hunk lacks come to stand: behind what is before them there.
    fn insert_leaves(
        &self,
        hunk: &TokenHunk,
        more: &FxHashSet<PairToken>,
        places: &mut LeafInsertions,
    ) {
        let before = hunk.variant.start.checked_sub(1);
        let mut before = before.and_then(|at| self.leaf_of(PairToken::Variant(at)));
        let mut first = Vec::new();
        for at in hunk.seed.clone() {
            let token = PairToken::Seed(at);
            let Some(leaf) = self.leaf_of(token) else {
                continue;
            };
            if self.undone.contains(&token) {
                before = self.copies.get(&leaf).copied().or(before);
            } else if more.contains(&token) {
                match before {
                    Some(before) => places.place_mut(before).1.push(leaf),
                    None => first.push(leaf),
                }
            }
        }
        if first.is_empty() {
            return;
        }
        // At the start of the document there is only what follows.
        let copied = hunk.seed.clone().map(PairToken::Seed);
        let copied = copied.filter(|token| self.undone.contains(token));
        let copied = copied.filter_map(|token| self.copies.get(&self.leaf_of(token)?).copied());
        let own = hunk.variant.start..self.lists.variant.len();
        let own = own.map(PairToken::Variant);
        let there = own.filter(|token| !self.undone.contains(token));
        let (stay, go) = there.partition::<Vec<_>, _>(|token| !more.contains(token));
        let own = stay.into_iter().chain(go);
        let mut follows = copied.chain(own.filter_map(|token| self.leaf_of(token)));
        if let Some(after) = follows.next() {
            places.place_mut(after).0.extend(first);
        }
    }
}

/// The leaves that are copied to both sides of a leaf: before it, and behind it.
type LeafSides = (Vec<NodeId>, Vec<NodeId>);

/// Which leaves are copied to which places.
#[derive(Default)]
struct LeafInsertions {
    places: FxHashMap<NodeId, LeafSides>,
    /// The places in the order in which they were found.
    order: Vec<NodeId>,
}

impl LeafInsertions {
    fn place_mut(&mut self, leaf: NodeId) -> &mut LeafSides {
        if !self.places.contains_key(&leaf) {
            self.order.push(leaf);
        }
        self.places.entry(leaf).or_default()
    }

    /// An operation for each place; these leaves do not stay.
    fn into_ops(mut self, replaced: &[NodeId]) -> Vec<EditOp> {
        let order = std::mem::take(&mut self.order).into_iter();
        let ops = order.filter_map(|node| {
            let (before, behind) = self.places.remove(&node)?;
            let own = (!replaced.contains(&node)).then_some(node);
            let leaves: Vec<NodeId> = before.into_iter().chain(own).chain(behind).collect();
            let piece = Replacement::Leaves(leaves.into());
            Some(EditOp::Replace { node, piece })
        });
        ops.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::language;
    use crate::program::{apply_edit, read_pair, walk};

    /// A pair of C programs.
    fn pair(seed: &str, variant: &str) -> Version {
        let source = |text: &str| {
            let path = Arc::from(Path::new("a.c"));
            (language::by_name("c"), path, Arc::from(text.as_bytes()))
        };
        read_pair(source(seed), source(variant)).expect("a pair")
    }

    /// The variant without these hunks.
    #[track_caller]
    fn undo(seed: &str, variant: &str, hunks: &[usize]) -> String {
        let version = pair(seed, variant);
        let patch = DifferencePatch::from_version(&version, PatchSide::Variant);
        let patch = patch.expect("a difference");
        let all = patch.hunks();
        let undone: Vec<PairToken> = hunks.iter().flat_map(|at| all[*at].clone()).collect();
        let edit = patch.undo_edit(&version, &undone);
        let (undone, _) = apply_edit(&version, &edit).expect("an edit");
        let text = walk::render_text(&undone.documents()[1].root);
        String::from_utf8(text).expect("UTF-8")
    }

    #[test]
    fn an_undone_hunk_stands_as_it_did_in_the_seed() {
        let (seed, variant) = ("int a = k(1, 2, 3);\n", "int a = k(9); int E;\n");
        assert_eq!(undo(seed, variant, &[0]), "int a = k(1, 2, 3); int E;\n");
        assert_eq!(undo(seed, variant, &[0, 1]), seed);
    }

    #[test]
    fn lines_that_were_apart_stay_apart() {
        let (seed, variant) = ("#define A 1\nint b;\n", "#define A 1\nlong c;\nint b;\n");
        assert_eq!(undo(seed, variant, &[0]), seed);
        assert_eq!(undo(seed, "int b;\n", &[0]), seed);
        assert_eq!(undo("int b;\n", seed, &[0]), "int b;\n");
    }

    #[test]
    fn what_is_undone_token_by_token_stands_in_the_order_of_the_seed() {
        let mut version = pair("int a[] = { 1, 2, 3 };\n", "int a[] = { 9 };\n");
        let patch = DifferencePatch::from_version(&version, PatchSide::Variant);
        let mut patch = patch.expect("a difference");
        let mut tokens: Vec<PairToken> = patch.hunks().concat().to_vec();
        // The last first, then from the middle.
        tokens.reverse();
        tokens.swap(0, 2);
        for token in tokens {
            let edit = patch.undo_edit(&version, &[token]);
            let (next, change) = apply_edit(&version, &edit).expect("an edit");
            assert_eq!(next.size().primary() + 1, version.size().primary());
            patch.record_undone(&[token], &change);
            version = next;
        }
        let texts = version.render_files();
        assert_eq!(
            String::from_utf8_lossy(&texts[0].1),
            String::from_utf8_lossy(&texts[1].1)
        );
    }

    #[test]
    fn the_seed_can_become_more_like_the_variant() {
        let version = pair("int a; int L; int b;", "int a; int b; int W;");
        let patch = DifferencePatch::from_version(&version, PatchSide::Seed);
        let patch = patch.expect("a difference");
        let all: Vec<PairToken> = patch.hunks().concat().to_vec();
        let (same, _) = apply_edit(&version, &patch.undo_edit(&version, &all)).expect("an edit");
        assert_eq!(same.size().primary(), 0);
        let text = walk::render_text(&same.documents()[0].root);
        assert_eq!(text, b"int a; int b; int W;");
    }
}
