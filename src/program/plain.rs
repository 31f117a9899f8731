//! Text without a grammar: a list of lines, each a list of tokens, with what is in brackets as lists in them. What is no text is a list
//! of bytes. Nothing is decoded: whatever the encoding, the bytes are printed as they were.

use std::ops::Range;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::build::Draft;
use super::groups::{Grouping, grouped};
use super::node::{Flags, Shape, TokId};
use super::text::{Bytes, Text};

/// The tokens of `text`: words, and every other byte that is not blank by itself. Bytes beyond ASCII count as letters.
pub fn tokens(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
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

/// Elements of a group of bytes.
const GROUP: usize = 64;

/// The tree of `source`: a list of lines, or of bytes. `identify` gives the identities of the token in a range; ranges come in order.
///
/// Brackets that belong together make a list of their own of what is between them, with the brackets around it as its neighbours:
/// so what is in them can go as a whole, and lines in them too.
pub fn draft(
    source: &Arc<[u8]>,
    identify: impl FnMut(Range<usize>) -> SmallVec<[TokId; 1]>,
) -> Draft {
    let mut leaves = Leaves {
        bytes: Arc::new(source.clone()),
        end: 0,
        identify,
    };
    let unit = unit(source);
    let parts = match unit {
        Some(unit) => bytes(source, unit, &mut leaves),
        None => lines(source, &mut leaves),
    };
    let mut last = leaves.leaf(Shape::End, source.len()..source.len());
    last.flags = if unit.is_some() {
        Flags::RAW
    } else {
        Flags::NONE
    };
    Draft::inner(Shape::Regular, vec![Draft::inner(Shape::Star, parts), last])
}

/// How many bytes belong together where a text is no text to us: the two of UTF-16, or each by itself.
fn unit(source: &[u8]) -> Option<usize> {
    let utf16 = source.starts_with(b"\xFF\xFE") || source.starts_with(b"\xFE\xFF");
    (utf16 || source.contains(&0)).then_some(if utf16 { 2 } else { 1 })
}

struct Leaves<F> {
    bytes: Bytes,
    /// Where the last leaf ended.
    end: usize,
    identify: F,
}

impl<F: FnMut(Range<usize>) -> SmallVec<[TokId; 1]>> Leaves<F> {
    fn leaf(&mut self, shape: Shape, range: Range<usize>) -> Draft {
        let ids = match shape {
            Shape::End => smallvec![],
            _ => (self.identify)(range.clone()),
        };
        let trivia = Text::slice(&self.bytes, self.end..range.start);
        self.end = range.end;
        let text = match shape {
            Shape::End => Text::empty(),
            _ => Text::slice(&self.bytes, range),
        };
        Draft::leaf(shape, ids, trivia, text)
    }
}

/// Lists in lists, so that much can go at once.
fn bytes<F: FnMut(Range<usize>) -> SmallVec<[TokId; 1]>>(
    source: &[u8],
    unit: usize,
    leaves: &mut Leaves<F>,
) -> Vec<Draft> {
    let starts = (0..source.len()).step_by(unit);
    let units = starts.map(|start| {
        let mut leaf = leaves.leaf(Shape::Token, start..(start + unit).min(source.len()));
        leaf.flags = Flags::RAW;
        leaf
    });
    let mut parts: Vec<Draft> = units.collect();
    while parts.len() > GROUP {
        let mut row = parts.into_iter().peekable();
        parts = Vec::new();
        while row.peek().is_some() {
            let group: Vec<Draft> = row.by_ref().take(GROUP).collect();
            parts.push(Draft::inner(Shape::Star, group));
        }
    }
    parts
}

fn lines<F: FnMut(Range<usize>) -> SmallVec<[TokId; 1]>>(
    source: &[u8],
    leaves: &mut Leaves<F>,
) -> Vec<Draft> {
    let tokens = tokens(source).map(|token| leaves.leaf(Shape::Token, token));
    let how = Grouping {
        shape: Shape::Star,
        lone: true,
        semicolons: false,
    };
    grouped(tokens.collect(), how)
}
