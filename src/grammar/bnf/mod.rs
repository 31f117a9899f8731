//! A grammar that a user writes: BNF with quantifiers, and tokens as patterns.
//!
//! ```text
//!  text ── read ──▶ Bnf ── rules ──▶ empty ──▶ recursion (left) ──▶ recursion (right) ──▶ quantify ── lower ──▶ Grammar
//!                    └ tokens: patterns for a lexer         Algorithm 1 of Perses
//! ```
//!
//! `docs/GRAMMARS.md` describes the notation. `derivation/` reads trees that are given. `marks.rs` has what a grammar says of names. The steps between are those of Perses (ICSE'18, Algorithm 1), one file each: `empty.rs`
//! removes rules that derive nothing, `recursion.rs` turns recursion into repetition over the strongly connected components of
//! `components.rs`, and `lower.rs` makes expressions of the result. [`BnfGrammar::normalization_stages`] shows the grammar after each step. The
//! result is a [`Grammar`](super::Grammar) like any other, so everything that works for tree-sitter's grammars works for these.

pub mod choices;
mod components;
pub mod derivation;
mod doubts;
mod empty;
mod error;
mod layout;
mod lower;
mod marks;
mod notation;
mod read;
mod recursion;
mod resolve;
mod rules;
mod statements;
mod syntax;
#[cfg(test)]
mod tests;

pub use error::BnfError;
pub use layout::{LayoutRole, LayoutSettings};
pub use lower::NormalizationStage;
pub use marks::NameSettings;
pub(super) use notation::{error_at, name_length};
pub use statements::{LogicRole, StatementSettings};
pub use syntax::{BnfGrammar, TokenDefinition, TokenKind, TokenPattern};
