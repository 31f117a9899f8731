//! Text without a grammar: a list of lines, each a list of tokens, with the inside of brackets as nested lists. Binary data is a list of
//! bytes. Nothing is decoded: the bytes are printed as they were, whatever the encoding.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::build::NodeDraft;
use super::groups::{BracketGrouping, group_parts};
use super::node::{LeafBody, NodeFlags, NodeShape, TokenId};
use super::text::{SharedBytes, SharedText};

/// The tokens of `text`: words, and every other byte that is not blank as a token of its own. Bytes beyond ASCII count as letters.
pub fn split_tokens(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() && text[at].is_ascii_whitespace() {
            at += 1;
        }
        let start = at;
        let first = *text.get(at)?;
        at += 1;
        while word(first) && at < text.len() && word(text[at]) {
            at += 1;
        }
        Some(start..at)
    })
}

/// How many elements a group of bytes has.
const GROUP_LENGTH: usize = 64;

/// The tree of `source`: a list of lines, or of bytes. `identify` gives the identities of the token in a range; ranges come in order.
///
/// What is between two matching brackets is a list of its own, next to the brackets. So it can be removed as a whole, and lines inside it
/// can be removed too.
pub fn draft_text(
    source: &Arc<[u8]>,
    identify: impl FnMut(Range<usize>) -> SmallVec<[TokenId; 1]>,
) -> NodeDraft {
    let mut leaves = PlainLeafReader::new(source, identify);
    let unit = binary_unit_size(source);
    let parts = match unit {
        Some(unit) => draft_bytes(source, unit, &mut leaves),
        None => draft_lines(source, &mut leaves),
    };
    let mut last = leaves.draft_leaf(NodeShape::End, source.len()..source.len());
    last.flags = if unit.is_some() {
        NodeFlags::RAW
    } else {
        NodeFlags::NONE
    };
    NodeDraft::new_inner(
        NodeShape::Regular,
        vec![NodeDraft::new_inner(NodeShape::Star, parts), last],
    )
}

/// Whether a file of a project goes or stays as a whole: it is no text.
pub fn is_blob(bytes: &[u8]) -> bool {
    bytes.contains(&0) || std::str::from_utf8(bytes).is_err()
}

/// The tree of a file that goes or stays as a whole: one token.
pub(super) fn draft_blob(
    source: &Arc<[u8]>,
    identify: impl FnMut(Range<usize>) -> SmallVec<[TokenId; 1]>,
) -> NodeDraft {
    let mut leaves = PlainLeafReader::new(source, identify);
    let mut parts = vec![
        leaves.draft_leaf(NodeShape::Token, 0..source.len()),
        leaves.draft_leaf(NodeShape::End, source.len()..source.len()),
    ];
    parts
        .iter_mut()
        .for_each(|leaf| leaf.flags = NodeFlags::RAW);
    NodeDraft::new_inner(NodeShape::Regular, parts)
}

/// How many bytes belong together in binary data: the two of UTF-16, or each by itself.
fn binary_unit_size(source: &[u8]) -> Option<usize> {
    let utf16 = source.starts_with(b"\xFF\xFE") || source.starts_with(b"\xFE\xFF");
    (utf16 || source.contains(&0)).then_some(if utf16 { 2 } else { 1 })
}

struct PlainLeafReader<F> {
    bytes: SharedBytes,
    /// Where the last leaf ended.
    end: usize,
    identify: F,
}

impl<F: FnMut(Range<usize>) -> SmallVec<[TokenId; 1]>> PlainLeafReader<F> {
    fn new(source: &Arc<[u8]>, identify: F) -> Self {
        Self {
            bytes: Arc::new(source.clone()),
            end: 0,
            identify,
        }
    }

    fn draft_leaf(&mut self, shape: NodeShape, range: Range<usize>) -> NodeDraft {
        let from = std::mem::replace(&mut self.end, range.end);
        let leaf = match shape {
            NodeShape::End => {
                let trivia = SharedText::from_source(&self.bytes, from..range.start);
                LeafBody::new(&[], trivia, SharedText::empty())
            }
            _ => {
                let ids = (self.identify)(range.clone());
                LeafBody::in_source(&ids, &self.bytes, from, range)
            }
        };
        NodeDraft::new_leaf(shape, leaf)
    }
}

/// Nested lists, so that many elements can be removed at once.
fn draft_bytes<F: FnMut(Range<usize>) -> SmallVec<[TokenId; 1]>>(
    source: &[u8],
    unit: usize,
    leaves: &mut PlainLeafReader<F>,
) -> Vec<NodeDraft> {
    let starts = (0..source.len()).step_by(unit);
    let units = starts.map(|start| {
        let mut leaf = leaves.draft_leaf(NodeShape::Token, start..(start + unit).min(source.len()));
        leaf.flags = NodeFlags::RAW;
        leaf
    });
    let mut parts: Vec<NodeDraft> = units.collect();
    while parts.len() > GROUP_LENGTH {
        let mut rest = parts.into_iter().peekable();
        parts = Vec::new();
        while rest.peek().is_some() {
            let group: Vec<NodeDraft> = rest.by_ref().take(GROUP_LENGTH).collect();
            parts.push(NodeDraft::new_inner(NodeShape::Star, group));
        }
    }
    parts
}

fn draft_lines<F: FnMut(Range<usize>) -> SmallVec<[TokenId; 1]>>(
    source: &[u8],
    leaves: &mut PlainLeafReader<F>,
) -> Vec<NodeDraft> {
    let tokens = split_tokens(source).map(|token| leaves.draft_leaf(NodeShape::Token, token));
    let how = BracketGrouping {
        shape: NodeShape::Star,
        wrap_single: true,
        split_at_semicolons: false,
    };
    group_parts(tokens.collect(), how)
}
