//! The tokens that a parser reads: one after the other, or several that may begin at one place.

use super::super::NodeClass;

/// A token of a source: its class, and the place behind it.
pub type SourceToken = (NodeClass, u32);

/// The tokens of a text by their places. A place is a number of tokens if a lexer has divided the text, else a number of bytes.
pub trait TokenSource {
    /// The place behind the text.
    fn end(&self) -> usize;

    /// Adds the tokens that may begin at a place, each with a place behind this one, always in the same order.
    fn push_tokens_at(&self, at: usize, into: &mut Vec<SourceToken>);
}

/// What a lexer has divided: at each place one token.
impl TokenSource for [NodeClass] {
    fn end(&self) -> usize {
        self.len()
    }

    fn push_tokens_at(&self, at: usize, into: &mut Vec<SourceToken>) {
        into.extend(self.get(at).map(|&class| (class, at as u32 + 1)));
    }
}
