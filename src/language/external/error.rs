//! Errors of an external grammar.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::super::parser::{BuildError, READABLE_ABI};
use crate::display::EscapeHidden;
use crate::grammar::{GrammarError, OptionalPartError};

/// The command that generates a parser, for advice.
const GENERATE_COMMAND: &str = "tree-sitter generate";

/// Why a directory is not a language.
#[derive(Debug, Error)]
pub enum RepositoryError {
    /// Something in it cannot be read.
    #[error("{} cannot be read: {error}; name a directory that is whole", path.escape_hidden())]
    Unreadable {
        /// The file or directory.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The content of a file does not match its name.
    #[error("{} is not JSON: {error}; `{GENERATE_COMMAND}` makes it from grammar.js", path.escape_hidden())]
    Json {
        /// The file.
        path: PathBuf,
        /// The error.
        error: serde_json::Error,
    },
    /// There is no grammar in the directory.
    #[error(
        "there is no src/grammar.json in it, as there is in the repository of a tree-sitter grammar{}",
        generator_advice(*.written)
    )]
    NoGrammar {
        /// Whether there is a grammar that the generator could read.
        written: bool,
    },
    /// A name that no parser can have.
    #[error(
        "it calls itself {0:?}, and names of grammars have letters, digits, _ and - only; fix `name` in its grammar.json"
    )]
    Name(String),
    /// The generated parser is missing.
    #[error("there is no parser, {}; `{GENERATE_COMMAND}` makes it from the grammar", .0.escape_hidden())]
    NoParser(PathBuf),
    /// The scanner is written in C++, which is not supported any more.
    #[error(
        "its scanner is {}, in C++, and tree-sitter accepts scanners in C only: a newer version of the grammar may have a scanner.c",
        .0.escape_hidden()
    )]
    Cpp(PathBuf),
    /// The version (ABI) of the parser is not supported.
    #[error(
        "its parser has ABI {0}, and this lop reads {first} to {last}: {what} makes one that it reads",
        first = READABLE_ABI.start(), last = READABLE_ABI.end(), what = generate_command(*.0)
    )]
    Abi(usize),
    /// There are several grammars, and the choice is not clear.
    #[error("there are several grammars in it, {}: {which}; name its own directory, as in --grammar {}", .all.join(", "), .example.escape_hidden())]
    Several {
        /// Each with its extensions.
        all: Vec<String>,
        /// Why none was chosen.
        which: String,
        /// The directory of the first one.
        example: PathBuf,
    },
    /// The grammar cannot be read.
    #[error("{0}; `{GENERATE_COMMAND}` makes both files again from grammar.js")]
    Grammar(#[from] GrammarError),
    /// An error in the user's entries for the language.
    #[error("{}: {error}", path.escape_hidden())]
    Data {
        /// The file.
        path: PathBuf,
        /// The error.
        error: Box<toml::de::Error>,
    },
    /// An error in one of the user's entries.
    #[error("{}, {entry}: {what}", path.escape_hidden())]
    Entry {
        /// The file.
        path: PathBuf,
        /// The name of the entry.
        entry: &'static str,
        /// The error.
        what: String,
    },
    /// An error in the user's optional parts.
    #[error("{}, optional: {error}", path.escape_hidden())]
    Optional {
        /// The file.
        path: PathBuf,
        /// The error.
        error: OptionalPartError,
    },
    /// The user's query for names does not fit the parser.
    #[error("{}, line {line}, column {column}: {message}", path.escape_hidden())]
    Names {
        /// The query.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The error.
        message: String,
    },
    /// The parser cannot be built or loaded.
    #[error(transparent)]
    Build(#[from] BuildError),
}

fn generator_advice(written: bool) -> String {
    match written {
        true => format!("; `{GENERATE_COMMAND}` makes it from grammar.js"),
        false => "; name a directory that has one, or a file in BNF".into(),
    }
}

fn generate_command(version: usize) -> String {
    match version > *READABLE_ABI.end() {
        true => format!(
            "`{GENERATE_COMMAND} --abi {}`, or a newer lop,",
            READABLE_ABI.end()
        ),
        false => format!("`{GENERATE_COMMAND}`"),
    }
}
