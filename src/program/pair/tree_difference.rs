//! The difference of two trees, as a script of edits that makes V of S.
//!
//! It follows the two steps of GumTree: Falleri, Morandat, Blanc, Martinez and Monperrus, "Fine-grained and Accurate Source Code Differencing",
//! ASE 2014, §3.
//!
//! 1. *Equal pieces* (its top-down phase). Subtrees with equal gist, a hash of the tokens without the white space, and at least 3 tokens
//!    are tied, the largest first. A gist that occurs more often than once is tied where it occurs as often in both documents, in order;
//!    other repeated ones are left to step 2, which ties those whose parents match.
//! 2. *Alike nodes* (its bottom-up phase). Both roots match. The children of two nodes that match are compared in order: equal ones match;
//!    between those, nodes of one kind match if their Dice coefficient over the tokens of equal pieces is at least 0.5, those with the most
//!    in common first; at last nodes match that are alone of their kind there. The latter stands for the paper's search of small trees.
//!
//! What does not match is an edit, with all that is inside. A move is a deletion and an insertion, so step 2 need look nowhere but
//! below nodes that match, and goes from the root to the leaves in place of the paper's opposite order. No step compares all nodes with
//! all nodes.
//!
//! The gist covers comments. So two nodes that differ by a comment alone are alike and not equal; below them no edit is needed.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use similar::DiffOp;

use crate::grammar::{ExprId, NodeClass};
use crate::program::node::{NodeId, NodeShape, ProgramNode};
use crate::program::sequence_diff::diff_sequences;
use crate::program::walk;

/// A smaller piece is equal by chance.
const SMALLEST_PIECE: u32 = 3;

/// A step of the script from S to V.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeEdit {
    /// V lacks this node of S.
    Delete(NodeId),
    /// V has this node more.
    Insert(NodeId),
    /// Between the same neighbours, V has another node.
    Replace {
        /// The node of S.
        seed: NodeId,
        /// The node of V in its place.
        variant: NodeId,
    },
}

impl TreeEdit {
    /// The node that only one of the documents has; none if the edit replaces one.
    pub fn lone_node(&self) -> Option<NodeId> {
        match *self {
            TreeEdit::Delete(node) | TreeEdit::Insert(node) => Some(node),
            TreeEdit::Replace { .. } => None,
        }
    }
}

/// The edits that make the document with the root `variant` of the one with the root `seed`, the one with the most tokens first. Tokens of
/// both that no edit covers have the same texts in the same order.
pub fn compare_trees(seed: &Arc<ProgramNode>, variant: &Arc<ProgramNode>) -> Vec<TreeEdit> {
    let pieces = find_equal_pieces(seed, variant);
    let mut edits = Vec::new();
    let mut open = vec![(
        PlacedNode {
            node: seed,
            start: 0,
        },
        PlacedNode {
            node: variant,
            start: 0,
        },
    )];
    while let Some((old, new)) = open.pop() {
        if old.gist() == new.gist() {
            continue;
        }
        let (old, new) = (old.children(), new.children());
        let pairs = pair_children(&old, &new, &pieces);
        edits.extend(edits_between(&old, &new, &pairs));
        open.extend(pairs.into_iter().map(|(at, to)| (old[at], new[to])));
    }
    edits.sort_by_key(|edit| edit.order);
    edits.into_iter().map(|placed| placed.edit).collect()
}

/// The tokens of a subtree: their hash, and how many.
type TokenGist = (u64, u32);

/// Nodes of one kind may be variants of each other.
type NodeKind = (NodeShape, Option<NodeClass>, Option<ExprId>);

/// A node, and how many tokens stand before it in its document.
#[derive(Clone, Copy)]
struct PlacedNode<'a> {
    node: &'a Arc<ProgramNode>,
    start: u32,
}

impl<'a> PlacedNode<'a> {
    fn gist(&self) -> TokenGist {
        (self.node.token_hash().as_u64(), self.node.sums().tokens)
    }

    /// The kind of an inner node. Leaves are equal or different.
    fn kind(&self) -> Option<NodeKind> {
        let node = self.node;
        (!node.shape.is_leaf()).then_some((node.shape, node.class, node.expected))
    }

    /// Whether two inner nodes are of one kind. A list that the parser does not understand is of the kind of any list.
    fn is_alike(&self, other: &PlacedNode) -> bool {
        let shapes = [self.node.shape, other.node.shape];
        self.kind().is_some_and(|kind| other.kind() == Some(kind))
            || shapes.contains(&NodeShape::Opaque) && shapes.iter().all(|shape| shape.is_list())
    }

    fn end(&self) -> u32 {
        self.start + self.node.sums().tokens
    }

    /// The children that have tokens.
    fn children(&self) -> Vec<PlacedNode<'a>> {
        let mut start = self.start;
        let with_tokens = walk::iter_items(self.node).filter(|child| child.sums().tokens > 0);
        let placed = with_tokens.map(|node| {
            let child = PlacedNode { node, start };
            start = child.end();
            child
        });
        placed.collect()
    }
}

/// The same tokens in both documents, by the number of tokens before them.
struct EqualPiece {
    seed: u32,
    variant: u32,
    tokens: u32,
}

/// The equal pieces, which do not overlap, in the order of S.
fn find_equal_pieces(seed: &Arc<ProgramNode>, variant: &Arc<ProgramNode>) -> Vec<EqualPiece> {
    let mut nodes: Vec<(bool, PlacedNode)> = Vec::new();
    nodes.extend(large_nodes(seed).into_iter().map(|node| (false, node)));
    nodes.extend(large_nodes(variant).into_iter().map(|node| (true, node)));
    nodes.sort_by_key(|(new, node)| {
        (
            Reverse(node.node.sums().tokens),
            node.gist(),
            *new,
            node.start,
        )
    });
    let mut tied = [seed, variant].map(|root| vec![false; root.sums().tokens as usize]);
    let mut pieces = Vec::new();
    for same in nodes.chunk_by(|(_, a), (_, b)| a.gist() == b.gist()) {
        // The larger ones are tied already, so a node is inside one of them if its first token is.
        let free = |new: bool| {
            let nodes = same.iter().filter(|(of_variant, _)| *of_variant == new);
            let nodes = nodes.filter(|(_, node)| !tied[usize::from(new)][node.start as usize]);
            nodes.map(|(_, node)| *node).collect::<Vec<PlacedNode>>()
        };
        let (old, new) = (free(false), free(true));
        if old.len() != new.len() {
            continue;
        }
        for (old, new) in old.into_iter().zip(new) {
            tied[0][old.start as usize..old.end() as usize].fill(true);
            tied[1][new.start as usize..new.end() as usize].fill(true);
            pieces.push(EqualPiece {
                seed: old.start,
                variant: new.start,
                tokens: old.node.sums().tokens,
            });
        }
    }
    pieces.sort_unstable_by_key(|piece| piece.seed);
    pieces
}

/// The nodes that are large enough for a piece. Of several with the same tokens, one inside the other, it is the outermost.
fn large_nodes(root: &Arc<ProgramNode>) -> Vec<PlacedNode<'_>> {
    let mut start = 0;
    let placed = walk::preorder(root).map(|node| {
        let placed = PlacedNode { node, start };
        start += u32::from(node.shape == NodeShape::Token);
        placed
    });
    let large = |placed: &PlacedNode| {
        placed.node.shape != NodeShape::Chunk && placed.node.sums().tokens >= SMALLEST_PIECE
    };
    let mut nodes: Vec<PlacedNode> = placed.filter(large).collect();
    nodes.dedup_by_key(|placed| (placed.start, placed.node.sums().tokens));
    nodes
}

/// Which children of two nodes match, by their indices, in order.
fn pair_children(
    old: &[PlacedNode],
    new: &[PlacedNode],
    pieces: &[EqualPiece],
) -> Vec<(usize, usize)> {
    let gists = |children: &[PlacedNode]| {
        children
            .iter()
            .map(PlacedNode::gist)
            .collect::<Vec<TokenGist>>()
    };
    let mut pairs = Vec::new();
    let (mut from, mut to) = (0, 0);
    for op in diff_sequences(&gists(old), &gists(new)) {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = op
        {
            pairs.extend(pair_alike(old, new, from..old_index, to..new_index, pieces));
            pairs.extend((old_index..old_index + len).zip(new_index..new_index + len));
            (from, to) = (old_index + len, new_index + len);
        }
    }
    pairs.extend(pair_alike(old, new, from..old.len(), to..new.len(), pieces));
    pairs
}

/// Which of these children are alike. None of them is equal to another one in order.
fn pair_alike(
    old: &[PlacedNode],
    new: &[PlacedNode],
    from: Range<usize>,
    to: Range<usize>,
    pieces: &[EqualPiece],
) -> BTreeMap<usize, usize> {
    let mut pairs = BTreeMap::new();
    if from.is_empty() || to.is_empty() {
        return pairs;
    }
    // Two alone need no coefficient. In a deep program that is the case at almost every node.
    if from.len() == 1 && to.len() == 1 {
        if old[from.start].is_alike(&new[to.start]) {
            pairs.insert(from.start, to.start);
        }
        return pairs;
    }
    let mut shared: Vec<((usize, usize), u32)> = shared_tokens(old, new, &from, &to, pieces)
        .into_iter()
        .collect();
    shared.sort_unstable_by_key(|(pair, tokens)| (Reverse(*tokens), *pair));
    for ((at, to), tokens) in shared {
        let both = old[at].node.sums().tokens + new[to].node.sums().tokens;
        if old[at].is_alike(&new[to]) && 4 * tokens >= both {
            add_in_order(&mut pairs, at, to);
        }
    }
    let mut kinds: FxHashMap<NodeKind, (Vec<usize>, Vec<usize>)> = FxHashMap::default();
    let taken: Vec<usize> = pairs.values().copied().collect();
    for at in from.clone().filter(|at| !pairs.contains_key(at)) {
        if let Some(kind) = old[at].kind() {
            kinds.entry(kind).or_default().0.push(at);
        }
    }
    for at in to.filter(|at| taken.binary_search(at).is_err()) {
        if let Some(kind) = new[at].kind() {
            kinds.entry(kind).or_default().1.push(at);
        }
    }
    for at in from {
        let alone = old[at].kind().and_then(|kind| kinds.get(&kind));
        if let Some(([one], [other])) = alone.map(|(old, new)| (&old[..], &new[..]))
            && *one == at
        {
            add_in_order(&mut pairs, at, *other);
        }
    }
    pairs
}

/// Adds a pair unless one of the two is in another pair, or the pair would cross another one.
fn add_in_order(pairs: &mut BTreeMap<usize, usize>, at: usize, to: usize) {
    let before = pairs.range(..=at).next_back();
    let after = pairs.range(at..).next();
    if before.is_none_or(|(other, end)| *other < at && *end < to)
        && after.is_none_or(|(_, start)| to < *start)
    {
        pairs.insert(at, to);
    }
}

/// How many tokens of equal pieces each of the children `from` shares with each of the children `to`.
fn shared_tokens(
    old: &[PlacedNode],
    new: &[PlacedNode],
    from: &Range<usize>,
    to: &Range<usize>,
    pieces: &[EqualPiece],
) -> FxHashMap<(usize, usize), u32> {
    let mut shared = FxHashMap::default();
    let first = pieces.partition_point(|piece| piece.seed < old[from.start].start);
    let inside = pieces[first..]
        .iter()
        .take_while(|piece| piece.seed < old[from.end - 1].end());
    for piece in inside {
        let at = child_around(old, from, piece.seed, piece.tokens);
        let to = child_around(new, to, piece.variant, piece.tokens);
        if let Some(pair) = at.zip(to) {
            *shared.entry(pair).or_default() += piece.tokens;
        }
    }
    shared
}

/// Which of these children has the `tokens` tokens from `start` on.
fn child_around(
    children: &[PlacedNode],
    range: &Range<usize>,
    start: u32,
    tokens: u32,
) -> Option<usize> {
    let own = &children[range.clone()];
    let at = own
        .partition_point(|child| child.start <= start)
        .checked_sub(1)?;
    (start + tokens <= own[at].end()).then_some(range.start + at)
}

/// An edit, and what determines its place in the script: its size, then where it is.
struct PlacedEdit {
    order: (Reverse<u32>, u32, u32),
    edit: TreeEdit,
}

/// The edits between children that match. A child of S and one of V between the same neighbours are a replacement.
fn edits_between(
    old: &[PlacedNode],
    new: &[PlacedNode],
    pairs: &[(usize, usize)],
) -> Vec<PlacedEdit> {
    let mut edits = Vec::new();
    let (mut from, mut to) = (0, 0);
    for &(at, until) in pairs.iter().chain([&(old.len(), new.len())]) {
        let (gone, come) = (&old[from..at], &new[to..until]);
        for index in 0..gone.len().max(come.len()) {
            let (gone, come) = (gone.get(index), come.get(index));
            let tokens = |node: Option<&PlacedNode>| node.map_or(0, |node| node.node.sums().tokens);
            let start = |node: Option<&PlacedNode>| node.map_or(u32::MAX, |node| node.start);
            let edit = match (gone, come) {
                (Some(gone), Some(come)) => TreeEdit::Replace {
                    seed: gone.node.id,
                    variant: come.node.id,
                },
                (Some(gone), None) => TreeEdit::Delete(gone.node.id),
                (None, Some(come)) => TreeEdit::Insert(come.node.id),
                (None, None) => unreachable!("one of the two is longer"),
            };
            edits.push(PlacedEdit {
                order: (
                    Reverse(tokens(gone) + tokens(come)),
                    start(gone),
                    start(come),
                ),
                edit,
            });
        }
        (from, to) = (at + 1, until + 1);
    }
    edits
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;
    use rustc_hash::FxHashSet;

    use super::*;
    use crate::program::{TokenId, Version, read_program, tokens_of};

    /// A program of two documents.
    fn read_pair(seed: &str, variant: &str) -> Version {
        let document =
            |name: &str, text: &str| (Arc::from(Path::new(name)), Arc::from(text.as_bytes()));
        let files = vec![document("seed.c", seed), document("variant.c", variant)];
        read_program(files).expect("both can be read")
    }

    fn script_of(version: &Version) -> Vec<TreeEdit> {
        compare_trees(&version.documents()[0].root, &version.documents()[1].root)
    }

    /// The tokens of a node.
    fn text_of(version: &Version, node: NodeId) -> String {
        let node = version.find_node(node).expect("the edit names a node");
        let tokens = walk::iter_leaves(node).filter(|leaf| leaf.shape == NodeShape::Token);
        let texts: Vec<_> = tokens
            .map(|leaf| String::from_utf8_lossy(leaf.text()))
            .collect();
        texts.join(" ")
    }

    /// The script in words: `- gone`, `+ new`, `old -> new`.
    #[track_caller]
    fn assert_script(seed: &str, variant: &str, expected: &[&str]) {
        let version = read_pair(seed, variant);
        let words = script_of(&version).into_iter().map(|edit| match edit {
            TreeEdit::Delete(node) => format!("- {}", text_of(&version, node)),
            TreeEdit::Insert(node) => format!("+ {}", text_of(&version, node)),
            TreeEdit::Replace { seed, variant } => {
                format!(
                    "{} -> {}",
                    text_of(&version, seed),
                    text_of(&version, variant)
                )
            }
        });
        assert_eq!(words.collect::<Vec<_>>(), expected, "{seed} ~ {variant}");
    }

    #[test]
    fn a_script_deletes_inserts_and_replaces() {
        assert_script(
            "int a; int b; if (b) { print(a); }",
            "int a; if (a) { a++; print(a); }",
            &["- int b ;", "+ a ++ ;", "b -> a"],
        );
        assert_script(
            "f(1); g(2);",
            "f(1); if (x) { y(); } g(2);",
            &["+ if ( x ) { y ( ) ; }"],
        );
        assert_script(
            "f(1); x = 3; g(2);",
            "f(1); if (x) { y(); } g(2);",
            &["x = 3 ; -> if ( x ) { y ( ) ; }"],
        );
    }

    #[test]
    fn white_space_and_comments_are_no_difference() {
        assert_script("int a; f(a);", "int a;\n  f( a );", &[]);
        assert_script("int a; f(a);", "int a; /* why */ f(/* here */ a);", &[]);
    }

    #[test]
    fn what_moved_is_deleted_and_inserted() {
        assert_script(
            "f(1); g(2); h(3);",
            "g(2); h(3); f(1);",
            &["- f ( 1 ) ;", "+ f ( 1 ) ;"],
        );
        // Into another block, too.
        assert_script(
            "{ f(1); g(2); } { h(3); i(4); }",
            "{ g(2); } { h(3); f(1); i(4); }",
            &["- f ( 1 ) ;", "+ f ( 1 ) ;"],
        );
    }

    #[test]
    fn nodes_of_one_kind_match_by_what_they_share() {
        // The first function is new; its body is like no other.
        assert_script(
            "int f() { a(1); b(2); c(3); } int g() { d(4); e(5); }",
            "int n() { z(9); } int f() { a(1); c(3); } int g() { d(4); e(6); }",
            &["+ int n ( ) { z ( 9 ) ; }", "- b ( 2 ) ;", "5 -> 6"],
        );
    }

    #[test]
    fn a_piece_that_is_repeated_matches_below_its_parent() {
        assert_script(
            "if (a) { x = 1; x = 1; y(1); } if (b) { z(1); x = 1; }",
            "if (a) { x = 1; y(1); } if (b) { z(1); x = 1; x = 1; }",
            &["- x = 1 ;", "+ x = 1 ;"],
        );
    }

    #[test]
    fn a_list_of_thousands_and_a_program_of_any_depth_are_compared() {
        let list = |changed: usize| -> String {
            let value = |at: usize| if at == changed { 1 } else { 0 };
            (0..3000)
                .map(|at| format!("f({at}, {}); ", value(at)))
                .collect()
        };
        assert_script(&list(1500), &list(3000), &["1 -> 0"]);
        let nested = |inside: &str| {
            format!(
                "int x = {}{inside}{};",
                "(".repeat(10_000),
                ")".repeat(10_000)
            )
        };
        assert_script(&nested("1"), &nested("2"), &["1 -> 2"]);
    }

    /// A list of statements, some of them nested.
    fn program_text() -> impl Strategy<Value = String> {
        let simple = [
            "a = 1;",
            "f(a, b);",
            "int c;",
            "c++;",
            "return a + b * 2;",
            "f(a); // why\n",
            ";",
        ];
        let statement = proptest::sample::select(simple.to_vec()).prop_map(str::to_owned);
        let statement = statement.prop_recursive(3, 40, 5, |inner| {
            (
                proptest::sample::select(vec!["", "if (a) ", "while (f(b)) ", "for (;;) "]),
                proptest::collection::vec(inner, 0..5),
            )
                .prop_map(|(head, body)| format!("{head}{{ {} }}", body.join(" ")))
        });
        proptest::collection::vec(statement, 0..6).prop_map(|statements| statements.join(" "))
    }

    /// The texts of the tokens of a document that no edit covers.
    fn uncovered_texts(version: &Version, document: usize, covered: &[NodeId]) -> Vec<Vec<u8>> {
        let nodes = covered
            .iter()
            .map(|node| version.find_node(*node).expect("the edit names a node"));
        let gone: Vec<TokenId> = nodes.flat_map(|node| tokens_of(node, false)).collect();
        let set: FxHashSet<TokenId> = gone.iter().copied().collect();
        assert_eq!(set.len(), gone.len(), "no two edits cover the same token");
        let leaves = walk::iter_leaves(&version.documents()[document].root);
        let tokens = leaves.filter(|leaf| leaf.shape == NodeShape::Token);
        let left =
            tokens.filter(|leaf| walk::first_token(leaf).is_none_or(|id| !set.contains(&id)));
        left.map(|leaf| leaf.text().to_vec()).collect()
    }

    proptest! {
        #[test]
        fn what_no_edit_covers_is_the_same_in_both(seed in program_text(), variant in program_text()) {
            let version = read_pair(&seed, &variant);
            let script = script_of(&version);
            let (mut old, mut new, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
            for edit in &script {
                let (gone, come) = match *edit {
                    TreeEdit::Delete(seed) => (Some(seed), None),
                    TreeEdit::Insert(variant) => (None, Some(variant)),
                    TreeEdit::Replace { seed, variant } => (Some(seed), Some(variant)),
                };
                let nodes = gone.iter().chain(&come).filter_map(|node| version.find_node(*node));
                sizes.push(nodes.map(|node| node.sums().tokens).sum::<u32>());
                old.extend(gone);
                new.extend(come);
            }
            prop_assert!(sizes.is_sorted_by(|a, b| a >= b), "heaviest first: {:?}", sizes);
            let kept = uncovered_texts(&version, 0, &old);
            prop_assert_eq!(&kept, &uncovered_texts(&version, 1, &new));
            let same = uncovered_texts(&version, 0, &[]) == uncovered_texts(&version, 1, &[]);
            prop_assert_eq!(same, script.is_empty());
        }
    }
}
