//! A grammar that a user writes: BNF with quantifiers, and tokens as patterns.
//!
//! ```text
//!  text ── read ──▶ Bnf ── rules ──▶ empty ──▶ recursion (left) ──▶ recursion (right) ──▶ quantify ── lower ──▶ Grammar
//!                    └ tokens: patterns for a lexer         Algorithm 1 of Perses
//! ```
//!
//! `docs/GRAMMARS.md` describes the notation. The steps between are those of Perses (ICSE'18, Algorithm 1), one file each: `empty.rs`
//! removes rules that derive nothing, `recursion.rs` turns recursion into repetition over the strongly connected components of
//! `components.rs`, and `lower.rs` makes expressions of the result. [`BnfGrammar::normalization_stages`] shows the grammar after each step. The
//! result is a [`Grammar`](super::Grammar) like any other, so everything that works for tree-sitter's grammars works for these.

mod components;
mod empty;
mod error;
mod lower;
mod notation;
mod read;
mod recursion;
mod resolve;
mod rules;
mod syntax;
#[cfg(test)]
mod tests;

pub use error::BnfError;
pub use lower::NormalizationStage;
pub use syntax::{BnfGrammar, TokenDefinition, TokenKind, TokenPattern};
