//! What comes into a place: nodes from further in, as they are when they stand there.

use std::sync::Arc;

use smallvec::smallvec;

use super::edit::{EditError, Replacement};
use super::indent::IndentShift;
use super::node::{FRESH_BIT, NodeHead, NodeId, NodeShape, ProgramNode, TokenId};
use super::text::SharedText;
use super::version::{NodePath, Version};
use super::walk;
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
        pieces
            .iter_mut()
            .for_each(|piece| piece.end_statement(statement));
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
            *made += 1;
            let number = base.content_hash().derive_id(*made) | FRESH_BIT;
            let head = NodeHead::with_shape(NodeId(number), NodeShape::Token);
            let ids = smallvec![TokenId(number)];
            ReplacementNode {
                node: ProgramNode::new_leaf(
                    head,
                    ids,
                    SharedText::empty(),
                    SharedText::new(&**text),
                ),
                lost_before: Some(lost_before.take().unwrap_or_else(SharedText::empty)),
                lost_after: None,
                inherits_trivia: true,
                ends_statement: false,
            }
        })
        .collect()
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
        let start = at + item.sums.leaves - element.sums.leaves;
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
        });
        at += item.sums.leaves;
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
    let end = before + node.sums.leaves;
    Ok((node, before..end))
}
