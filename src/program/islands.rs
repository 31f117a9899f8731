//! Structure inside of what the grammar does not explain: pieces in brackets are parsed by themselves ([`Language::parse_island`]).
//!
//! The outermost brackets come first. Where the parser understands a piece in one of the places that the language names, it becomes the node of that
//! place, with lists inside; else the brackets inside of it are tried. So the smallest piece that the parser does not understand stays opaque. What
//! is inside of a piece may have opaque parts of its own, which are read in the same way. A piece whose brackets the parser has torn apart, each into another
//! node that it believes to be sound, is no island.
//!
//! [`Language::parse_island`]: crate::language::Language::parse_island

use std::ops::Range;

use smallvec::SmallVec;

use super::build::{DraftBody, NodeDraft};
use super::groups::find_bracket_partners;
use super::node::{NodeShape, TokenId};

/// How many bytes may be parsed in islands for each byte of a child of the root. Brackets that are faulty at all depths would else cost the
/// square of their depth.
pub const ISLAND_SHARE: usize = 32;

/// How many islands may be inside of each other: they are read by recursion.
pub const DEEPEST_ISLAND: u32 = 32;

/// The identities of a token: several if it was several tokens before.
pub type TokenIds = SmallVec<[TokenId; 1]>;

/// The tokens of a piece, in their order: they were read already, and keep their identities.
pub struct PieceTokens {
    tokens: Vec<(Range<usize>, TokenIds)>,
    /// Whether all that was asked for was known.
    pub sufficed: bool,
}

impl PieceTokens {
    /// The identities of the token in this range, which may have been several tokens, but not a part of one.
    pub fn ids_in_range(&mut self, range: Range<usize>) -> TokenIds {
        let starts = |token: &(Range<usize>, TokenIds)| token.0.start;
        let first = self
            .tokens
            .partition_point(|token| starts(token) < range.start);
        let behind = self
            .tokens
            .partition_point(|token| starts(token) < range.end);
        let inside = &self.tokens[first..behind];
        let is_whole = inside
            .first()
            .zip(inside.last())
            .is_some_and(|(first, last)| first.0.start == range.start && last.0.end == range.end);
        self.sufficed &= is_whole;
        // Torn again each time it is read, it would have ever more.
        let mut ids = TokenIds::new();
        for id in inside.iter().flat_map(|(_, ids)| ids) {
            if !ids.contains(id) {
                ids.push(*id);
            }
        }
        ids
    }
}

/// A piece in brackets.
pub struct BracketedPiece<'a> {
    /// Its parts, from a bracket to its partner.
    parts: &'a [NodeDraft],
    /// Where it stands in the source.
    pub range: Range<usize>,
    /// Where the token before it ends.
    pub after: usize,
}

impl<'a> BracketedPiece<'a> {
    /// That of these parts; none if its ends are no tokens.
    fn from_parts(parts: &'a [NodeDraft]) -> Option<BracketedPiece<'a>> {
        let (DraftBody::Leaf(first), DraftBody::Leaf(last)) =
            (&parts.first()?.body, &parts.last()?.body)
        else {
            return None;
        };
        let ([_, opening], [_, closing]) = (first.spans(), last.spans());
        let range = opening.range().start..closing.range().end;
        Some(BracketedPiece {
            parts,
            after: range.start - first.trivia().len(),
            range,
        })
    }

    /// Its tokens; none if a part is finished already.
    pub fn find_tokens(&self) -> Option<PieceTokens> {
        let mut tokens = Vec::new();
        let mut stack: Vec<&NodeDraft> = self.parts.iter().rev().collect();
        while let Some(draft) = stack.pop() {
            if draft.is_sealed() {
                return None;
            }
            match &draft.body {
                DraftBody::Built(_) => return None,
                DraftBody::Inner(children) => stack.extend(children.iter().rev()),
                DraftBody::Leaf(leaf) => {
                    let [_, text] = leaf.spans();
                    tokens.push((text.range(), leaf.ids().into()));
                }
            }
        }
        let sufficed = true;
        Some(PieceTokens { tokens, sufficed })
    }

    /// Whether less of the piece is outside of the grammar when it is this node.
    pub fn gains_by(&self, node: &NodeDraft) -> bool {
        count_opaque_leaves([node], false) < count_opaque_leaves(self.parts, true)
    }
}

/// The parts of an opaque list, with a node for each piece in brackets that `read` makes one of.
pub fn replace_pieces(
    parts: Vec<NodeDraft>,
    mut read: impl FnMut(&BracketedPiece) -> Option<NodeDraft>,
) -> Vec<NodeDraft> {
    let partners = find_bracket_partners(&parts);
    let mut nodes = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        // What has at most one part inside has no list.
        let closing = partners[at].filter(|closing| *closing > at + 2);
        let node = closing.and_then(|closing| {
            let piece = BracketedPiece::from_parts(&parts[at..=closing])?;
            Some((at..closing + 1, read(&piece)?))
        });
        at = node.as_ref().map_or(at + 1, |(range, _)| range.end);
        nodes.extend(node);
    }
    let (mut replaced, mut parts, mut at) = (Vec::new(), parts.into_iter(), 0);
    for (range, node) in nodes {
        replaced.extend(parts.by_ref().take(range.start - at));
        parts.by_ref().take(range.len()).for_each(drop);
        at = range.end;
        replaced.push(node);
    }
    replaced.extend(parts);
    replaced
}

/// How many leaves are parts of opaque lists; `opaque` says whether these drafts are.
fn count_opaque_leaves<'a>(drafts: impl IntoIterator<Item = &'a NodeDraft>, opaque: bool) -> usize {
    let mut stack: Vec<_> = drafts.into_iter().map(|draft| (draft, opaque)).collect();
    let mut count = 0;
    while let Some((draft, opaque)) = stack.pop() {
        let inside = draft.shape == NodeShape::Opaque;
        match draft.children() {
            Some(children) => stack.extend(children.iter().map(|child| (child, inside))),
            None => count += usize::from(opaque),
        }
    }
    count
}
