//! Pairs: a seed S, which does not show the bug, and a variant V, which was made from it and does. Their difference is a list of
//! tokens (`token_difference.rs`).

mod token_difference;

pub use token_difference::{
    PairToken, TokenDifference, TokenElement, TokenHunk, TokenRun, split_hunks,
};
