//! Which language a file is read in: that of its extension, one by its name, or a grammar of the user's.

use std::io;
use std::path::Path;

use super::complain as say;
use super::failure::{Failure, OrFail, USAGE};
use super::trust::reasons;
use crate::display::{Shown, tamed};
use crate::language::{self, Brought, Language, Repository, RepositoryError, Wanted, Written};
use crate::program::Hash;
use crate::session::journal::{Header, HeaderFile, HeaderRepository};
use crate::session::must_be_own;
use crate::session::owner::Doubt;
use crate::session::place;

/// The language that the command line wants for a file; none for lines and tokens.
pub(super) fn chosen(
    file: &Path,
    name: Option<&str>,
    grammar: Option<&Path>,
) -> Result<Option<&'static Language>, Failure> {
    match (grammar, name) {
        (Some(grammar), _) => loaded(grammar, Some(file)).map(Some),
        // The name of no language is `text`: the command line lets no other pass.
        (None, Some(name)) => Ok(language::by_name(name)),
        (None, None) => Ok(language::by_path(file)),
    }
}

/// The language of a grammar: a file in BNF, or the repository of one of tree-sitter's, which may have several; then it is the one for
/// `file`.
pub(super) fn loaded(path: &Path, file: Option<&Path>) -> Result<&'static Language, Failure> {
    if path.is_dir() {
        let wanted = file.map_or(Wanted::Only, Wanted::For);
        let repository = Repository::find(path, wanted).map_err(|error| unusable(path, &error))?;
        let key = key(path, &repository)?;
        let brought = brought(path, repository, key)?;
        if let Some(note) = brought.note {
            say(&note);
        }
        return Ok(brought.language);
    }
    written(path)
}

fn unusable(path: &Path, error: &RepositoryError) -> Failure {
    let what = format!("the grammar in {}: {error}", path.shown());
    Failure::new(USAGE, what)
}

/// By what it is told whether two grammars are the same.
fn key(path: &Path, repository: &Repository) -> Result<String, Failure> {
    let sources = repository
        .sources()
        .map_err(|error| unusable(path, &error))?;
    Ok(Hash::of(&sources).to_string())
}

/// The language of a repository. Its parser is built once and kept.
fn brought(path: &Path, repository: Repository, key: String) -> Result<Brought, Failure> {
    let unsafe_place = |error: io::Error| {
        let what = format!(
            "no parser of a grammar can be kept: {error}; mend that, or name another place in XDG_CACHE_HOME"
        );
        Failure::new(USAGE, what)
    };
    let Some(cache) = place::grammars().map_err(unsafe_place)? else {
        let what = "there is no place for the parser of a grammar: neither XDG_CACHE_HOME nor HOME is set; set one";
        return Err(Failure::new(USAGE, what));
    };
    let name = repository.name.clone();
    let building = || {
        let kept = cache.shown();
        say(&format!(
            "building the parser of {}; it is kept in {kept}",
            name.shown()
        ));
    };
    let brought = repository.load(&cache, key, &must_be_own, building);
    brought.map_err(|error| unusable(path, &error))
}

/// The language of a grammar in BNF.
fn written(path: &Path) -> Result<&'static Language, Failure> {
    let unreadable = |error: &dyn std::fmt::Display| {
        let what = format!(
            "the grammar {} cannot be read: {error}; name a file in BNF, or the directory of a grammar for tree-sitter (docs/GRAMMARS.md)",
            path.shown()
        );
        Failure::new(USAGE, what)
    };
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable(&"it is not UTF-8"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    language::load(&name, &text).map_err(|error| {
        let what = format!(
            "the grammar {}: {}",
            path.shown(),
            tamed(&error.to_string())
        );
        Failure::new(USAGE, what)
    })
}

/// Whether what is asked about is a grammar, in a file or a directory, rather than the name of a language.
pub(super) fn is_grammar(name: &Path) -> bool {
    let is_name = name
        .to_str()
        .is_some_and(|name| language::by_name(name).is_some());
    name.extension().is_some_and(|extension| extension == "bnf")
        || name.components().count() > 1
        || !is_name && name.is_dir()
}

/// The steps of a grammar on the way to its normal form.
pub(super) fn stages(path: &Path) -> Result<String, Failure> {
    if path.is_dir() {
        let what =
            "--steps is for a grammar in BNF: one of tree-sitter's has its normal form in one step";
        return Err(Failure::new(USAGE, what));
    }
    let stages = written(path)?.own_grammar().map(Written::stages);
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

/// Where the grammar of a language comes from, as a journal keeps it.
pub(super) fn origin(language: &'static Language) -> Option<HeaderRepository> {
    let origin = language.origin()?;
    Some(HeaderRepository {
        directory: origin.directory.clone(),
        name: origin.name.clone(),
        sources: origin.key.clone(),
    })
}

/// The language of a repository that a journal names, if it still has the same.
fn same(then: &HeaderRepository) -> Result<&'static Language, Failure> {
    let directory = &then.directory;
    let repository = Repository::find(directory, Wanted::Named(&then.name));
    let repository = repository.map_err(|error| unusable(directory, &error))?;
    let key = key(directory, &repository)?;
    if key != then.sources {
        let what = format!(
            "the grammar in {} is not the one that the session began with; put that back, or begin anew",
            directory.shown()
        );
        return Err(Failure::new(USAGE, what));
    }
    Ok(brought(directory, repository, key)?.language)
}

/// The language that a file of a journal was read in.
pub(super) fn again(file: &HeaderFile) -> Result<Option<&'static Language>, Failure> {
    let Some(name) = &file.language else {
        return Ok(None);
    };
    if let Some(repository) = &file.repository {
        return same(repository).map(Some);
    }
    match &file.bnf {
        Some(text) => language::load(name, text).map(Some).or_fail(USAGE),
        None => match language::by_name(name) {
            Some(language) => Ok(Some(language)),
            None => {
                let what = format!(
                    "this lop does not know the language `{}`; use the lop that wrote the session, or a newer one",
                    name.shown()
                );
                Err(Failure::new(USAGE, what))
            }
        },
    }
}

/// Why the program of a journal is not read as it was: a grammar that somebody else may have named is C code, and none of it is built or
/// loaded only to look at what a run did. None where it can be.
pub(super) fn withheld(header: &Header, doubts: &[Doubt]) -> Option<String> {
    let mut repositories = header
        .files
        .iter()
        .filter_map(|file| file.repository.as_ref());
    let repository = repositories.next().filter(|_| !doubts.is_empty())?;
    Some(format!(
        "the session may be somebody else's ({}), so its grammar in {} is not loaded",
        reasons(doubts),
        repository.directory.shown()
    ))
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
        "{}, {}; mend the grammar of {}, or reduce lines and words with --language text",
        name.shown(),
        tamed(&error.to_string()),
        language.name.shown()
    );
    Err(Failure::new(USAGE, what))
}
