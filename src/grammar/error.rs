//! Errors in a grammar.

use std::fmt;

/// Why a grammar cannot be read.
///
/// The implementation is written by hand, because this room is also compiled into `build.rs` and uses only the standard library and
/// `serde_json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrammarError {
    /// `grammar.json` is not JSON, or not a tree-sitter grammar.
    Json(String),
    /// `parser.c` lacks a table that every generated parser has.
    Parser(String),
    /// A rule names a rule that does not exist.
    UnknownRule {
        /// The rule that names it.
        inside: String,
        /// The name without a rule.
        name: String,
    },
    /// The compact table is damaged or of another version.
    Table(&'static str),
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GrammarError::Json(what) => write!(f, "grammar.json: {what}"),
            GrammarError::Parser(what) => write!(f, "parser.c: {what}"),
            GrammarError::UnknownRule { inside, name } => {
                write!(
                    f,
                    "grammar.json: the rule {inside} names {name}, which is not a rule"
                )
            }
            GrammarError::Table(what) => write!(f, "the grammar table cannot be read: {what}"),
        }
    }
}

impl std::error::Error for GrammarError {}
