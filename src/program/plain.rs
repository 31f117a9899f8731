//! Text without a grammar: a list of lines, each a list of tokens.

use std::ops::Range;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::build::Draft;
use super::node::{Shape, TokId};
use super::text::Text;

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

/// The tree of `source`: a list of lines. `identify` gives the identities of the token in a range; ranges come in order.
pub fn draft(
    source: &Arc<[u8]>,
    mut identify: impl FnMut(Range<usize>) -> SmallVec<[TokId; 1]>,
) -> Draft {
    let bytes = Arc::new(source.clone());
    let mut lines = Vec::new();
    let mut line: Vec<Draft> = Vec::new();
    let mut end = 0;
    for token in tokens(source) {
        if source[end..token.start].contains(&b'\n') && !line.is_empty() {
            lines.push(Draft::inner(Shape::Star, std::mem::take(&mut line)));
        }
        let ids = identify(token.clone());
        let trivia = Text::slice(&bytes, end..token.start);
        end = token.end;
        line.push(Draft::leaf(
            Shape::Token,
            ids,
            trivia,
            Text::slice(&bytes, token),
        ));
    }
    if !line.is_empty() {
        lines.push(Draft::inner(Shape::Star, line));
    }
    let last = Draft::leaf(
        Shape::End,
        smallvec![],
        Text::slice(&bytes, end..source.len()),
        Text::empty(),
    );
    Draft::inner(Shape::Regular, vec![Draft::inner(Shape::Star, lines), last])
}
