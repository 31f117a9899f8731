//! What comes into a place: nodes from further in, as they are when they stand there.

use std::sync::Arc;

use super::edit::{EditError, PieceContent, Replacement, ReplacementPiece};
use super::indent::IndentShift;
use super::node::{FRESH_BIT, NodeFlags, NodeHead, NodeId, NodeShape, ProgramNode, TokenId};
use super::text::SharedText;
use super::version::{NodePath, Version};
use super::walk;
use super::whitespace_join::replace_trivia;
use crate::language::NewlineMeaning;

/// A node that moves into another place.
pub struct ReplacementNode {
    /// It, with the white space it has there.
    pub node: Arc<ProgramNode>,
    /// The white space of the first leaf that goes before it, and of the first that goes after it.
    pub lost_before: Option<SharedText>,
    /// See `lost_before`.
    pub lost_after: Option<SharedText>,
    /// Whether it takes over the place's white space.
    pub inherits_trivia: bool,
    /// Whether it is a statement that ends here, where it did not.
    pub ends_statement: bool,
    /// Whether it stands there whatever the grammar says.
    pub is_loose: bool,
}

impl ReplacementNode {
    /// Where a newline may end a statement: it does so behind a statement, and nowhere else is there one that was not.
    fn end_statement(&mut self, statement: bool) {
        self.ends_statement = statement;
        if let Some(lost) = self.lost_after.as_mut().filter(|_| !statement)
            && lost.contains(&b'\n')
        {
            *lost = SharedText::new(*b" ");
        }
    }
}

/// What stands in the place at the end of `path` when `piece` does. `made` counts the nodes that the edit made.
///
/// # Errors
/// When the piece is not below the place, or is nothing.
pub fn resolve_replacement(
    base: &Version,
    path: &NodePath,
    piece: &Replacement,
    made: &mut u64,
) -> Result<Vec<ReplacementNode>, EditError> {
    let mut pieces = match piece {
        Replacement::Node(below) => vec![move_node(base, path, *below)?],
        Replacement::Items(list) => move_items(base, path, *list)?,
        Replacement::Tokens(texts) => create_tokens(base, path.node(), texts, made),
        Replacement::Leaves(leaves) => copy_leaves(base, path.node(), leaves, made)?,
        Replacement::Pieces(pieces) => mix_pieces(base, path, pieces, made)?,
    };
    if pieces.is_empty() {
        return Err(EditError::Ungrammatical);
    }
    let document = &base.documents()[path.document];
    if let Some(language) = document
        .language
        .filter(|language| language.newline_meaning() == NewlineMeaning::Semicolons)
    {
        let statement = path
            .node()
            .expected
            .is_some_and(|place| language.accepts_statement(place));
        // Elements of a list are statements each; tokens are one.
        let each = matches!(piece, Replacement::Items(_));
        let last = pieces.len() - 1;
        for (at, piece) in pieces.iter_mut().enumerate() {
            piece.end_statement(statement && (each || at == last));
        }
    }
    Ok(pieces)
}

/// New tokens with these texts.
fn create_tokens(
    base: &Version,
    goes: &Arc<ProgramNode>,
    texts: &[Arc<[u8]>],
    made: &mut u64,
) -> Vec<ReplacementNode> {
    let mut lost_before = walk::leaf_at(goes, 0).map(|leaf| SharedText::new(leaf.trivia()));
    let texts = texts.iter();
    texts
        .map(|text| {
            let (trivia, text) = split_trivia(text);
            ReplacementNode {
                node: new_token(base, SharedText::new(trivia), text, made),
                lost_before: Some(
                    lost_before
                        .take()
                        .unwrap_or_else(|| SharedText::new(trivia)),
                ),
                lost_after: None,
                inherits_trivia: true,
                ends_statement: false,
                is_loose: false,
            }
        })
        .collect()
}

/// New tokens and nodes that stay, each with its white space; the first with that of the place.
fn mix_pieces(
    base: &Version,
    path: &NodePath,
    pieces: &[ReplacementPiece],
    made: &mut u64,
) -> Result<Vec<ReplacementNode>, EditError> {
    let goes = path.node();
    let document = &base.documents()[path.document];
    let trivia = |index: u32| walk::leaf_at(goes, index).map(|leaf| SharedText::new(leaf.trivia()));
    let mut kept_end = 0;
    let mut mixed: Vec<ReplacementNode> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let own = match mixed.is_empty() {
            true => trivia(0).unwrap_or_else(SharedText::empty),
            false => SharedText::new(&*piece.trivia),
        };
        let (node, lost_after) = match &piece.content {
            PieceContent::Token(text) => (new_token(base, own.clone(), text, made), None),
            PieceContent::Node(below) => {
                let (node, range) = find_below(base, goes, *below)?;
                if range.start < kept_end {
                    return Err(EditError::Overlap);
                }
                kept_end = range.end;
                let stays = walk::leaf_at(&node, 0)
                    .is_some_and(|leaf| leaf.flags.contains(NodeFlags::FROZEN));
                let changes = (!stays).then(|| (0, own.clone()));
                let node = replace_trivia(document, &node, changes.as_slice());
                (node, trivia(range.end))
            }
        };
        mixed.push(ReplacementNode {
            node,
            lost_before: Some(own),
            lost_after,
            inherits_trivia: false,
            ends_statement: false,
            is_loose: true,
        });
    }
    // Only behind the last one the author's white space counts.
    let last = mixed.len().saturating_sub(1);
    mixed.iter_mut().take(last).for_each(|piece| {
        piece.lost_after = None;
    });
    Ok(mixed)
}

/// A new token with this white space before it.
fn new_token(base: &Version, trivia: SharedText, text: &[u8], made: &mut u64) -> Arc<ProgramNode> {
    *made += 1;
    let number = base.content_hash().derive_id(*made) | FRESH_BIT;
    let head = NodeHead::with_shape(NodeId(number), NodeShape::Token);
    ProgramNode::new_leaf(head, &[TokenId(number)], trivia, SharedText::new(text))
}

/// The white space at the beginning of a token's text, and the token; a text of white space alone is a token.
fn split_trivia(text: &[u8]) -> (&[u8], &[u8]) {
    let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace());
    match blank.count() {
        all if all == text.len() => (&[], text),
        blank => text.split_at(blank),
    }
}

/// Copies of these leaves with their white space; the node itself is no copy. Where it goes, the first copy gets its white space. A line end
/// that stands in the other document between a copy and what is next to it here stays between them.
fn copy_leaves(
    base: &Version,
    goes: &Arc<ProgramNode>,
    leaves: &[NodeId],
    made: &mut u64,
) -> Result<Vec<ReplacementNode>, EditError> {
    let stays = leaves.contains(&goes.id);
    let mut place = walk::leaf_at(goes, 0).filter(|_| !stays);
    let mut pieces = Vec::with_capacity(leaves.len());
    let mut before: Option<NodeId> = None;
    for (at, &id) in leaves.iter().enumerate() {
        let mut piece = ReplacementNode {
            node: goes.clone(),
            lost_before: None,
            lost_after: None,
            inherits_trivia: false,
            ends_statement: false,
            is_loose: true,
        };
        if id != goes.id {
            let source = LeafPlace::find_leaf(base, id)?;
            *made += 1;
            let number = base.content_hash().derive_id(*made) | FRESH_BIT;
            piece.node = source.copy_as(number)?;
            let lost = place.take().map(|leaf| SharedText::new(leaf.trivia()));
            piece.inherits_trivia = lost.is_some();
            let apart = before.is_some_and(|before| source.is_apart_from(base, before));
            let own = match apart {
                true => SharedText::new(*b"\n"),
                false => SharedText::new(piece.node.trivia()),
            };
            piece.lost_before = Some(lost.unwrap_or(own));
            let is_last = leaves.get(at + 1).is_none_or(|next| *next == goes.id);
            piece.lost_after = (is_last && source.ends_line()).then(|| SharedText::new(*b"\n"));
        }
        before = Some(id);
        pieces.push(piece);
    }
    Ok(pieces)
}

/// A leaf that is to be copied, and the number of leaves before it in its document.
struct LeafPlace<'a> {
    leaf: &'a Arc<ProgramNode>,
    document: usize,
    root: &'a Arc<ProgramNode>,
    index: u32,
}

impl<'a> LeafPlace<'a> {
    fn find_leaf(base: &'a Version, leaf: NodeId) -> Result<LeafPlace<'a>, EditError> {
        let path = base.path_to(leaf).ok_or(EditError::NodeNotFound)?;
        Ok(LeafPlace {
            leaf: path.node(),
            document: path.document,
            root: path.nodes[0],
            index: path.preceding_sums().leaves,
        })
    }

    /// The same leaf with another identity.
    fn copy_as(&self, number: u64) -> Result<Arc<ProgramNode>, EditError> {
        let Some((trivia, text)) = self.leaf.leaf_texts() else {
            return Err(EditError::NodeNotFound);
        };
        // A pin is about tokens, and the copy is another one.
        let kept = NodeFlags::PINNED.union(NodeFlags::FROZEN);
        let head = NodeHead {
            id: NodeId(number),
            flags: self.leaf.flags.difference(kept),
            ..self.leaf.head()
        };
        Ok(ProgramNode::new_leaf(
            head,
            &[TokenId(number)],
            trivia,
            text,
        ))
    }

    /// Whether a line ends in this document between `before`, or its twin, and the leaf.
    fn is_apart_from(&self, base: &Version, before: NodeId) -> bool {
        let known = |leaf| LeafPlace::find_leaf(base, leaf).ok();
        let same = |place: &LeafPlace| place.document == self.document;
        let twin = || known(base.twins()?.twin_of(before)?);
        let before = known(before).filter(same).or_else(|| twin().filter(same));
        let between = before.map_or(0..0, |before| before.index + 1..self.index + 1);
        let mut leaves = between.filter_map(|at| walk::leaf_at(self.root, at));
        leaves.any(|leaf| leaf.trivia().contains(&b'\n'))
    }

    /// Whether the line ends behind it.
    fn ends_line(&self) -> bool {
        let next = walk::leaf_at(self.root, self.index + 1);
        next.is_some_and(|next| next.trivia().contains(&b'\n'))
    }
}

/// `below`, which must be below the place, as what stands there.
fn move_node(base: &Version, path: &NodePath, below: NodeId) -> Result<ReplacementNode, EditError> {
    let goes = path.node();
    let (node, range) = find_below(base, goes, below)?;
    let trivia = |index: u32| walk::leaf_at(goes, index).map(|leaf| SharedText::new(leaf.trivia()));
    let lost_before = if range.start > 0 { trivia(0) } else { None };
    let indent = IndentShift::from_path(base, path, range.start);
    Ok(ReplacementNode {
        lost_before,
        lost_after: trivia(range.end),
        node: indent.map_or(node.clone(), |indent| indent.reindent_node(&node, false)),
        inherits_trivia: true,
        ends_statement: false,
        is_loose: false,
    })
}

/// The elements of `list`, which must be below the place, as what stands there.
fn move_items(
    base: &Version,
    path: &NodePath,
    list: NodeId,
) -> Result<Vec<ReplacementNode>, EditError> {
    let goes = path.node();
    let (list, range) = find_below(base, goes, list)?;
    let trivia = |index: u32| walk::leaf_at(goes, index).map(|leaf| SharedText::new(leaf.trivia()));
    let indent = IndentShift::from_path(base, path, range.start);
    let (mut pieces, mut at, mut lost) = (Vec::<ReplacementNode>::new(), range.start, 0);
    for item in walk::iter_items(&list) {
        let element = super::placement::strip_separator(item);
        let start = at + item.sums().leaves - element.sums().leaves;
        let first = pieces.is_empty();
        pieces.push(ReplacementNode {
            lost_before: if lost < start { trivia(lost) } else { None },
            lost_after: None,
            node: match &indent {
                Some(indent) => indent.reindent_node(element, !first),
                None => element.clone(),
            },
            inherits_trivia: first && indent.is_some(),
            ends_statement: false,
            is_loose: false,
        });
        at += item.sums().leaves;
        lost = at;
    }
    if let Some(last) = pieces.last_mut() {
        last.lost_after = trivia(range.end);
    }
    Ok(pieces)
}

/// The node `below` and which leaves of `goes` are its.
fn find_below(
    base: &Version,
    goes: &Arc<ProgramNode>,
    below: NodeId,
) -> Result<(Arc<ProgramNode>, std::ops::Range<u32>), EditError> {
    let mut path = base.path_to(below).ok_or(EditError::NodeNotFound)?;
    let depth = path
        .nodes
        .iter()
        .position(|node| node.id == goes.id)
        .ok_or(EditError::NodeNotFound)?;
    path.nodes.drain(..depth);
    if path.nodes.len() == 1 {
        return Err(EditError::NodeNotFound);
    }
    let (node, before) = (path.node().clone(), path.preceding_sums().leaves);
    let end = before + node.sums().leaves;
    Ok((node, before..end))
}
