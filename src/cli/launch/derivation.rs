//! Derivation trees that the user has: `--tree FILE.json`.

use std::path::Path;
use std::sync::Arc;

use crate::cli::failure::{CommandFailure, USAGE};
use crate::display::{EscapeHidden, sanitize_line};
use crate::program::{self, DocumentSource, Version};

/// Reads the file of a tree.
pub fn read_tree_file(path: &Path) -> Result<Arc<str>, CommandFailure> {
    let unreadable = |error: &dyn std::fmt::Display| {
        let what = format!(
            "the tree {} cannot be read: {error}; name a file with a derivation tree in JSON (docs/GRAMMARS.md)",
            path.escape_hidden()
        );
        CommandFailure::new(USAGE, what)
    };
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable(&"it is not UTF-8"))?;
    Ok(text.into())
}

/// The program whose derivation tree is `tree`.
pub fn read_given_tree(
    (language, path, text): DocumentSource,
    tree: &str,
) -> Result<Version, CommandFailure> {
    let failure = |what: &str| CommandFailure::new(USAGE, what);
    let needs_bnf = "--tree is for a grammar in BNF, or one that is a dictionary; name it with --grammar, or leave --tree out";
    let language = language.ok_or_else(|| failure(needs_bnf))?;
    let read = language
        .read_derivation(tree, &text)
        .ok_or_else(|| failure(needs_bnf))?;
    let parsed = read.map_err(|error| {
        let (name, error) = (path.escape_hidden(), error.to_string());
        let error = sanitize_line(&error);
        failure(&format!(
            "the tree of {name}: {error}; docs/GRAMMARS.md has the form"
        ))
    })?;
    Ok(program::read_parsed(language, path, text, parsed))
}
