//! What the name graph of a text that was read is made of.

use std::sync::Arc;

use super::super::version::{Document, ParseTrees};
use super::found_names::FoundNames;

/// Which documents share their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameSharing {
    /// All of them, as the files of a program do.
    #[default]
    Program,
    /// None: the seed and the variant of a pair are two programs.
    Document,
}

/// The documents of a text that was read, and the names that were found in them.
#[derive(Debug)]
pub struct ReadNames {
    pub documents: Arc<[Document]>,
    /// What the parser knows of them.
    pub parses: ParseTrees,
    /// The names, where they were looked for already.
    pub found: FoundNames,
    pub sharing: NameSharing,
}
