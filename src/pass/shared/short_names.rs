//! Short texts for names, and the edit that gives one to a token.

use std::sync::Arc;

use crate::program::{EditOp, NodeId, ProgramNode, Replacement};

/// The letters of a name, in their order.
pub const SMALL_LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

/// The same, and the capitals behind them.
pub const ALL_LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// All texts of one of these letters, in their order, then of two, and of three.
pub fn short_texts(letters: &'static [u8]) -> impl Iterator<Item = String> {
    (1..4).flat_map(move |length| {
        let count = letters.len().pow(length);
        (0..count).map(move |number| {
            let places = (0..length).rev();
            let letter =
                places.map(|place| letters[number / letters.len().pow(place) % letters.len()]);
            letter.map(char::from).collect()
        })
    })
}

/// The change of a leaf by which it has one name in the place of another. What stands before and behind a name in its token stays.
pub fn rename_leaf(leaf: &ProgramNode, old: &str, new: &str) -> Option<EditOp> {
    let text = String::from_utf8_lossy(leaf.text());
    let at = text.find(old)?;
    let new = [&text[..at], new, &text[at + old.len()..]].concat();
    Some(replace_text(leaf.id, new.as_bytes()))
}

/// The change of a leaf by which it has another text.
pub fn replace_text(leaf: NodeId, text: &[u8]) -> EditOp {
    EditOp::Replace {
        node: leaf,
        piece: Replacement::Tokens([Arc::from(text)].into()),
    }
}
