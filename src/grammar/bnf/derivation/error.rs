//! Why a derivation tree is none of the grammar and the text.

use std::fmt;

use super::super::BnfError;

/// Why a tree is no derivation of a text. `place` is the path to a node: `start[0].expr[2].term` is the third part of the first part of `start`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DerivationError {
    /// The text is no tree.
    Form(BnfError),
    /// The root is not the first rule of the grammar.
    Start {
        /// The root.
        found: String,
        /// The first rule.
        wanted: String,
    },
    /// A node with parts has the name of no rule and no token.
    UnknownName {
        /// The node.
        place: String,
        /// Its name.
        name: String,
    },
    /// The parts of a node are none of its alternatives.
    NoProduction {
        /// The node.
        place: String,
        /// Its rule as it is written.
        rule: String,
        /// Its parts.
        parts: String,
    },
    /// A leaf is not what stands in the text.
    Leaf {
        /// The leaf.
        place: String,
        /// Its text.
        text: String,
        /// What stands in the text.
        mismatch: LeafMismatch,
    },
    /// No token begins at a place of the text.
    NoToken(LeafMismatch),
    /// The text goes on behind the last leaf.
    MoreText(LeafMismatch),
    /// The steps to the normal form have lost the derivation.
    NoNormalForm,
}

/// A place where a text is not what a tree says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafMismatch {
    /// The line, from 1.
    pub line: usize,
    /// The column in it, from 1, in bytes.
    pub column: usize,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for DerivationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DerivationError::Form(error) => write!(f, "{error}"),
            DerivationError::Start { found, wanted } => {
                write!(f, "it begins with {found}, and the grammar with {wanted}")
            }
            DerivationError::UnknownName { place, name } => write!(
                f,
                "at {place}: the grammar derives nothing from a rule or token called {name}"
            ),
            DerivationError::NoProduction { place, rule, parts } => {
                write!(
                    f,
                    "at {place}: its parts are {parts}, and the grammar has {rule}"
                )
            }
            DerivationError::Leaf {
                place,
                text,
                mismatch,
            } => write!(f, "at {place}: the leaf is {text:?}, and {mismatch}"),
            DerivationError::NoToken(mismatch) => {
                write!(f, "{mismatch}, which begins no token of the grammar")
            }
            DerivationError::MoreText(mismatch) => {
                write!(f, "it has no more leaves, and {mismatch}")
            }
            DerivationError::NoNormalForm => {
                f.write_str("the normal form of the grammar does not derive it; without --tree the program is parsed")
            }
        }
    }
}

impl fmt::Display for LeafMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LeafMismatch {
            line,
            column,
            found,
        } = self;
        write!(f, "line {line}, column {column} of the program has {found}")
    }
}

impl std::error::Error for DerivationError {}

impl From<BnfError> for DerivationError {
    fn from(error: BnfError) -> DerivationError {
        DerivationError::Form(error)
    }
}
