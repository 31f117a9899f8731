//! Pairs: a seed S, which does not show the bug, and a variant V, which was made from it and does. Two differences of them: a list of
//! tokens (`token_difference.rs`) and edits of trees (`tree_difference.rs`).

mod patch;
mod sizes;
mod token_difference;
mod tree_difference;
mod twins;
mod undo;

pub use patch::PatchedVariant;
pub use sizes::PairSizes;
pub use token_difference::{
    PairToken, TokenDifference, TokenElement, TokenHunk, TokenRun, split_hunks,
};
pub use tree_difference::{TreeEdit, compare_trees};
pub use twins::{
    ChangedLeaves, TwinMap, compare_leaves, cover_leaves, text_leaves, token_leaves, twin_tokens,
};
pub use undo::{DifferencePatch, PatchSide};
