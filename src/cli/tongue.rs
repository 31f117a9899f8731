//! Which language a file is read in: that of its extension, one by its name, or a grammar of the user's.

use std::path::Path;

use super::failure::{Failure, OrFail, USAGE};
use crate::language::{self, Language, Written};
use crate::session::journal::HeaderFile;

/// The language that the command line wants for a file; none for lines and tokens.
pub(super) fn chosen(
    file: &Path,
    name: Option<&str>,
    grammar: Option<&Path>,
) -> Result<Option<&'static Language>, Failure> {
    match (grammar, name) {
        (Some(grammar), _) => loaded(grammar).map(Some),
        // The name of no language is `text`: the command line lets no other pass.
        (None, Some(name)) => Ok(language::by_name(name)),
        (None, None) => Ok(language::by_path(file)),
    }
}

/// The language of a file that holds a grammar.
pub(super) fn loaded(path: &Path) -> Result<&'static Language, Failure> {
    let unreadable = |error: &dyn std::fmt::Display| {
        let what = format!("the grammar {} cannot be read: {error}", path.display());
        Failure::new(USAGE, what)
    };
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable(&"it is not UTF-8"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    language::load(&name, &text).map_err(|error| {
        let what = format!("the grammar {}: {error}", path.display());
        Failure::new(USAGE, what)
    })
}

/// Whether what is asked about is a file that holds a grammar, rather than the name of a language.
pub(super) fn is_grammar(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "bnf") || name.components().count() > 1
}

/// The steps of a grammar on the way to its normal form.
pub(super) fn stages(path: &Path) -> Result<String, Failure> {
    let stages = loaded(path)?.own_grammar().map(Written::stages);
    let pages = stages.into_iter().flatten();
    Ok(pages
        .map(|stage| format!("{}\n\n{}\n", stage.title, stage.text))
        .collect())
}

/// The grammar of a language that is not one of lop's own, as a journal keeps it.
pub(super) fn kept(language: &'static Language) -> Option<String> {
    let own = language::by_name(language.name).is_some_and(|own| std::ptr::eq(own, language));
    let grammar = language.own_grammar().filter(|_| !own)?;
    Some(grammar.text().to_owned())
}

/// The language that a file of a journal was read in.
pub(super) fn again(file: &HeaderFile) -> Result<Option<&'static Language>, Failure> {
    let Some(name) = &file.language else {
        return Ok(None);
    };
    match &file.bnf {
        Some(text) => language::load(name, text).map(Some).or_fail(USAGE),
        None => match language::by_name(name) {
            Some(language) => Ok(Some(language)),
            None => {
                let what = format!("this lop does not know the language `{name}`");
                Err(Failure::new(USAGE, what))
            }
        },
    }
}

/// Fails if a file does not follow the grammar of its language, where that says so.
pub(super) fn complain(
    language: Option<&'static Language>,
    name: &Path,
    bytes: &[u8],
) -> Result<(), Failure> {
    let Some((language, error)) = language.and_then(|l| Some((l, l.complaint(bytes)?))) else {
        return Ok(());
    };
    let what = format!(
        "{}, {error}; mend the grammar of {}, or reduce lines and words with --language text",
        name.display(),
        language.name
    );
    Err(Failure::new(USAGE, what))
}
