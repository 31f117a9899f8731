//! A document of the original, in a journal's header.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::program::ByteText;

/// A document of the original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderFile {
    /// Its path, as the test sees it.
    pub path: PathBuf,
    /// The name of its language; none for lines and tokens.
    pub language: Option<String>,
    /// The hash of the language's grammar.
    #[serde(default)]
    pub grammar: Option<String>,
    /// The grammar itself, if the user brought it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bnf: Option<String>,
    /// The text of the file `.sublime-syntax` beside that grammar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syntax: Option<String>,
    /// The derivation tree of the document in JSON, if the user gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// Where the grammar is, if the user brought one of tree-sitter's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<HeaderRepository>,
    /// Its bytes.
    #[serde(flatten)]
    pub bytes: ByteText,
}

/// The repository of a tree-sitter grammar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderRepository {
    /// Its directory, as an absolute path.
    pub directory: PathBuf,
    /// What the grammar is called there.
    pub name: String,
    /// The hash of `grammar.json` and the sources of the parser.
    pub sources: String,
}

impl HeaderFile {
    /// A document as the header holds it.
    pub fn new(path: &Path, language: Option<&str>, bytes: &[u8]) -> HeaderFile {
        HeaderFile {
            path: path.to_path_buf(),
            language: language.map(str::to_owned),
            grammar: None,
            bnf: None,
            syntax: None,
            tree: None,
            repository: None,
            bytes: ByteText::from_bytes(bytes),
        }
    }
}
