//! What can be wrong with a grammar that was brought.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::super::parser::{BuildError, READABLE_ABI};
use crate::display::EscapeHidden;
use crate::grammar::GrammarError;

/// The generator of parsers, for advice.
const GENERATE_COMMAND: &str = "tree-sitter generate";

/// Why a directory does not give a language.
#[derive(Debug, Error)]
pub enum RepositoryError {
    /// Something in it cannot be read.
    #[error("{} cannot be read: {error}; name a directory that is whole", path.escape_hidden())]
    Unreadable {
        /// What.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not what its name says.
    #[error("{} is not JSON: {error}; `{GENERATE_COMMAND}` makes it from grammar.js", path.escape_hidden())]
    Json {
        /// Which.
        path: PathBuf,
        /// Why.
        error: serde_json::Error,
    },
    /// It is something else.
    #[error(
        "there is no src/grammar.json in it, as there is in the repository of a tree-sitter grammar{}",
        generator_advice(*.written)
    )]
    NoGrammar {
        /// Whether there is a grammar that the generator could be run on.
        written: bool,
    },
    /// No parser has that name.
    #[error(
        "it calls itself {0:?}, and names of grammars have letters, digits, _ and - only; mend `name` in its grammar.json"
    )]
    Name(String),
    /// The parser was not checked in.
    #[error("there is no parser, {}; `{GENERATE_COMMAND}` makes it from the grammar", .0.escape_hidden())]
    NoParser(PathBuf),
    /// Scanners in C++ are a thing of the past.
    #[error(
        "its scanner is {}, in C++, and tree-sitter takes scanners in C only: a newer version of the grammar may have a scanner.c",
        .0.escape_hidden()
    )]
    Cpp(PathBuf),
    /// The parser is of another time.
    #[error(
        "its parser has ABI {0}, and this lop reads {first} to {last}: {what} makes one that it reads",
        first = READABLE_ABI.start(), last = READABLE_ABI.end(), what = generate_command(*.0)
    )]
    Abi(usize),
    /// There are several, and it is not clear which one is meant.
    #[error("there are several grammars in it, {}: {which}; name its own directory, as in --grammar {}", .all.join(", "), .example.escape_hidden())]
    Several {
        /// Each with its extensions.
        all: Vec<String>,
        /// Why none was taken.
        which: String,
        /// The directory of the first.
        example: PathBuf,
    },
    /// The grammar cannot be read.
    #[error("{0}; `{GENERATE_COMMAND}` makes both files anew from grammar.js")]
    Grammar(#[from] GrammarError),
    /// What the user says about the language is wrong.
    #[error("{}: {error}", path.escape_hidden())]
    Data {
        /// Where it is said.
        path: PathBuf,
        /// What is wrong.
        error: Box<toml::de::Error>,
    },
    /// What the user says stands for nodes of a kind cannot.
    #[error("{}, fillers: {what}", path.escape_hidden())]
    Filler {
        /// Where it is said.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The user's query for names does not go with the parser.
    #[error("{}, line {line}, column {column}: {message}", path.escape_hidden())]
    Names {
        /// The query.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// There is no parser to be had.
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
