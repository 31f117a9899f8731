//! What comes into a place: nodes from further in, as they are when they stand there.

use std::sync::Arc;

use smallvec::smallvec;

use super::apply::FRESH;
use super::edit::{EditError, Piece};
use super::indent::Indent;
use super::node::{Head, Node, NodeId, Shape, TokId};
use super::text::Text;
use super::version::{Trail, Version};
use super::walk;
use crate::language::Newlines;

/// A node that moves into another place.
pub struct Piecework {
    /// It, with the white space it has there.
    pub node: Arc<Node>,
    /// The white space of the first leaf that goes before it, and of the first that goes after it.
    pub lost_before: Option<Text>,
    /// See `lost_before`.
    pub lost_after: Option<Text>,
    /// Whether it takes over the place's white space.
    pub moved: bool,
    /// Whether it is a statement that ends here, where it did not.
    pub statement: bool,
}

impl Piecework {
    /// Where a newline may end a statement: it does so behind a statement, and nowhere else is there one that was not.
    fn end(&mut self, statement: bool) {
        self.statement = statement;
        if let Some(lost) = self.lost_after.as_mut().filter(|_| !statement)
            && lost.contains(&b'\n')
        {
            *lost = Text::new(*b" ");
        }
    }
}

/// What stands in the place at the end of `trail` when `piece` does. `made` counts the nodes that the edit made.
///
/// # Errors
/// When the piece is not below the place, or is nothing.
pub fn pieces(
    base: &Version,
    trail: &Trail,
    piece: &Piece,
    made: &mut u64,
) -> Result<Vec<Piecework>, EditError> {
    let mut pieces = match piece {
        Piece::Node(below) => vec![moved(base, trail, *below)?],
        Piece::Items(list) => moved_items(base, trail, *list)?,
        Piece::Tokens(texts) => tokens(base, trail.node(), texts, made),
    };
    if pieces.is_empty() {
        return Err(EditError::Shape);
    }
    let document = &base.documents()[trail.document];
    if let Some(language) = document
        .language
        .filter(|language| language.newlines() == Newlines::Semicolons)
    {
        let statement = trail
            .node()
            .expected
            .is_some_and(|place| language.takes_statement(place));
        pieces.iter_mut().for_each(|piece| piece.end(statement));
    }
    Ok(pieces)
}

/// New tokens with these texts.
fn tokens(base: &Version, goes: &Arc<Node>, texts: &[Arc<[u8]>], made: &mut u64) -> Vec<Piecework> {
    let mut lost_before = walk::leaf(goes, 0).map(|leaf| Text::new(leaf.trivia()));
    let texts = texts.iter();
    texts
        .map(|text| {
            *made += 1;
            let number = base.hash().derive(*made) | FRESH;
            let head = Head::plain(NodeId(number), Shape::Token);
            let ids = smallvec![TokId(number)];
            Piecework {
                node: Node::leaf(head, ids, Text::empty(), Text::new(&**text)),
                lost_before: Some(lost_before.take().unwrap_or_else(Text::empty)),
                lost_after: None,
                moved: true,
                statement: false,
            }
        })
        .collect()
}

/// `below`, which must be below the place, as what stands there.
fn moved(base: &Version, trail: &Trail, below: NodeId) -> Result<Piecework, EditError> {
    let goes = trail.node();
    let (node, range) = within(base, goes, below)?;
    let trivia = |index: u32| walk::leaf(goes, index).map(|leaf| Text::new(leaf.trivia()));
    let lost_before = if range.start > 0 { trivia(0) } else { None };
    let indent = Indent::of(base, trail, range.start);
    Ok(Piecework {
        lost_before,
        lost_after: trivia(range.end),
        node: indent.map_or(node.clone(), |indent| indent.put(&node, false)),
        moved: true,
        statement: false,
    })
}

/// The elements of `list`, which must be below the place, as what stands there.
fn moved_items(base: &Version, trail: &Trail, list: NodeId) -> Result<Vec<Piecework>, EditError> {
    let goes = trail.node();
    let (list, range) = within(base, goes, list)?;
    let trivia = |index: u32| walk::leaf(goes, index).map(|leaf| Text::new(leaf.trivia()));
    let indent = Indent::of(base, trail, range.start);
    let (mut pieces, mut at, mut lost) = (Vec::<Piecework>::new(), range.start, 0);
    for item in walk::items(&list) {
        let element = super::place::element(item);
        let start = at + item.sums.leaves - element.sums.leaves;
        let first = pieces.is_empty();
        pieces.push(Piecework {
            lost_before: if lost < start { trivia(lost) } else { None },
            lost_after: None,
            node: match &indent {
                Some(indent) => indent.put(element, !first),
                None => element.clone(),
            },
            moved: first && indent.is_some(),
            statement: false,
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
fn within(
    base: &Version,
    goes: &Arc<Node>,
    below: NodeId,
) -> Result<(Arc<Node>, std::ops::Range<u32>), EditError> {
    let mut trail = base.trail(below).ok_or(EditError::Gone)?;
    let depth = trail
        .nodes
        .iter()
        .position(|node| node.id == goes.id)
        .ok_or(EditError::Gone)?;
    trail.nodes.drain(..depth);
    if trail.nodes.len() == 1 {
        return Err(EditError::Gone);
    }
    let (node, before) = (trail.node().clone(), trail.before().leaves);
    let end = before + node.sums.leaves;
    Ok((node, before..end))
}
