//! Errors in a grammar in BNF.

use std::fmt;

/// Something in the text of a grammar that cannot be read, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BnfError {
    /// The line, from 1.
    pub line: usize,
    /// The column in it, from 1, in characters.
    pub column: usize,
    /// The error, and what would be correct.
    pub what: String,
}

impl fmt::Display for BnfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BnfError { line, column, what } = self;
        write!(f, "line {line}, column {column}: {what}")
    }
}

impl std::error::Error for BnfError {}
