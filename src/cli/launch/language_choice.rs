//! The language of a file: by its extension, by name, or by a grammar of the user.

use std::io;
use std::path::Path;

use crate::cli::failure::{CommandFailure, USAGE};
use crate::cli::messages::report_message;
use crate::display::{EscapeHidden, sanitize_line};
use crate::language::{
    self, BnfLanguage, ExternalLanguage, GrammarRepository, GrammarSelector, Language,
    RepositoryError,
};
use crate::pass::Strategy;
use crate::program::{ContentHash, DocumentFreedom};
use crate::session::session_directory;
use crate::session::{InputFile, RunInput, ensure_owned_by_user};

/// The language that the command line chooses for a file; none for lines and tokens.
pub fn choose_language(
    file: &Path,
    name: Option<&str>,
    grammar: Option<&Path>,
) -> Result<Option<&'static Language>, CommandFailure> {
    match (grammar, name) {
        (Some(grammar), _) => load_grammar(grammar, Some(file)).map(Some),
        // `text` is not a language. The command line allows no other unknown name.
        (None, Some(name)) => Ok(language::by_name(name)),
        (None, None) => Ok(language::by_path(file)),
    }
}

/// The language that the name of a file says; none of a link.
pub fn language_by_name(file: &InputFile) -> Option<&'static Language> {
    language::by_path(&file.named).filter(|_| !file.is_link())
}

/// The language of a project where one is needed: that of the first file that may change and has one.
pub fn project_language(
    mut files: impl Iterator<Item = (Option<&'static Language>, DocumentFreedom)>,
) -> Option<&'static Language> {
    files.find_map(|(language, freedom)| language.filter(|_| freedom == DocumentFreedom::Free))
}

/// The languages of all files of a run. Two files of one extension have one language, whose grammar is loaded once.
pub fn choose_languages(
    input: &RunInput,
    name: Option<&str>,
    grammar: Option<&Path>,
) -> Result<Vec<Option<&'static Language>>, CommandFailure> {
    let mut chosen: Vec<(&Path, Option<&'static Language>)> = Vec::new();
    let mut languages = Vec::new();
    for file in input.files() {
        if file.is_link() {
            languages.push(None);
            continue;
        }
        let path = &*file.named;
        let like = |(known, _): &&(&Path, _)| known.extension() == path.extension();
        let language = match chosen.iter().find(like) {
            Some((_, language)) => *language,
            None => choose_language(path, name, grammar)?,
        };
        chosen.push((path, language));
        languages.push(language);
    }
    Ok(languages)
}

/// The language of a grammar: a file in BNF, or a tree-sitter repository. If that has several grammars, the one for `file`.
pub fn load_grammar(path: &Path, file: Option<&Path>) -> Result<&'static Language, CommandFailure> {
    if path.is_dir() {
        let wanted = file.map_or(GrammarSelector::Only, GrammarSelector::For);
        let repository = GrammarRepository::find_grammar(path, wanted)
            .map_err(|error| grammar_failure(path, &error))?;
        let key = grammar_key(path, &repository)?;
        let brought = load_repository(path, repository, key)?;
        if let Some(note) = brought.note {
            report_message(&note);
        }
        return Ok(brought.language);
    }
    load_bnf_file(path)
}

pub fn grammar_failure(path: &Path, error: &RepositoryError) -> CommandFailure {
    let what = format!("the grammar in {}: {error}", path.escape_hidden());
    CommandFailure::new(USAGE, what)
}

/// A hash of the grammar's sources; equal grammars have equal keys.
pub fn grammar_key(path: &Path, repository: &GrammarRepository) -> Result<String, CommandFailure> {
    let sources = repository
        .read_sources()
        .map_err(|error| grammar_failure(path, &error))?;
    Ok(ContentHash::from_bytes(&sources).to_string())
}

/// The language of a repository. Its parser is built once and cached.
pub fn load_repository(
    path: &Path,
    repository: GrammarRepository,
    key: String,
) -> Result<ExternalLanguage, CommandFailure> {
    let unsafe_place = |error: io::Error| {
        let what = format!(
            "lop cannot store the parser of a grammar: {error}; fix that, or set XDG_CACHE_HOME to another place"
        );
        CommandFailure::new(USAGE, what)
    };
    let Some(cache) = session_directory::create_grammar_directory().map_err(unsafe_place)? else {
        let what = "there is no place for the parser of a grammar: neither XDG_CACHE_HOME nor HOME is set; set one";
        return Err(CommandFailure::new(USAGE, what));
    };
    let name = repository.name.clone();
    let building = || {
        let kept = cache.escape_hidden();
        report_message(&format!(
            "building the parser of {}; it is kept in {kept}",
            name.escape_hidden()
        ));
    };
    let brought = repository.load_language(&cache, key, &ensure_owned_by_user, building);
    brought.map_err(|error| grammar_failure(path, &error))
}

/// The language of a grammar in BNF, or of one that is a dictionary.
fn load_bnf_file(path: &Path) -> Result<&'static Language, CommandFailure> {
    let unreadable = |error: &dyn std::fmt::Display| {
        let what = format!(
            "the grammar {} cannot be read: {error}; name a file in BNF, a dictionary in JSON, or the directory of a grammar for tree-sitter (docs/GRAMMARS.md)",
            path.escape_hidden()
        );
        CommandFailure::new(USAGE, what)
    };
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable(&"it is not UTF-8"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let text = match is_dictionary(path) {
        true => language::convert_dictionary(&text),
        false => Ok(text),
    };
    let language = text.and_then(|text| language::load_bnf_beside(&name, &text, path.parent()));
    language.map_err(|error| {
        let what = format!(
            "the grammar {}: {}",
            path.escape_hidden(),
            sanitize_line(&error.to_string())
        );
        CommandFailure::new(USAGE, what)
    })
}

/// Whether a grammar is written as a dictionary.
fn is_dictionary(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "json" || extension == "py")
}

/// Fails if a strategy needs the rules of a grammar as they are written, and the language has none.
pub fn check_strategy(
    strategy: &'static Strategy,
    language: Option<&'static Language>,
) -> Result<(), CommandFailure> {
    if !strategy.needs_bnf() || language.is_some_and(|language| language.bnf_grammar().is_some()) {
        return Ok(());
    }
    let what = format!(
        "--strategy {} works on a grammar as it is written; bring one in BNF or as a dictionary with --grammar FILE (docs/GRAMMARS.md)",
        strategy.name
    );
    Err(CommandFailure::new(USAGE, what))
}

/// Whether an argument is the path of a grammar rather than the name of a language.
pub fn is_grammar_path(name: &Path) -> bool {
    let is_name = name
        .to_str()
        .is_some_and(|name| language::by_name(name).is_some());
    name.extension().is_some_and(|extension| extension == "bnf")
        || is_dictionary(name)
        || name.components().count() > 1
        || !is_name && name.is_dir()
}

/// The steps from a grammar to its normal form.
pub fn normalization_stages(path: &Path) -> Result<String, CommandFailure> {
    if path.is_dir() {
        let what =
            "--steps is for a grammar in BNF: one of tree-sitter's has its normal form in one step";
        return Err(CommandFailure::new(USAGE, what));
    }
    let stages = load_bnf_file(path)?
        .bnf_grammar()
        .map(BnfLanguage::normalization_stages);
    let pages = stages.into_iter().flatten();
    Ok(pages
        .map(|stage| format!("{}\n\n{}\n", stage.title, stage.text))
        .collect())
}

/// Fails if a file has a syntax error that the grammar of its language reports.
pub fn check_syntax(
    language: Option<&'static Language>,
    name: &Path,
    bytes: &[u8],
) -> Result<(), CommandFailure> {
    let Some((language, error)) = language.and_then(|l| Some((l, l.find_syntax_error(bytes)?)))
    else {
        return Ok(());
    };
    let own = language.name.escape_hidden();
    let is_built_in =
        language::by_name(language.name).is_some_and(|known| std::ptr::eq(known, language));
    let advice = match is_built_in {
        true => format!(
            "copy grammars/{own}.bnf of lop's sources, change it, and give it with --grammar"
        ),
        false => format!("fix the grammar of {own}"),
    };
    let what = format!(
        "{}, {}; {advice}, or reduce lines and tokens with --language text",
        name.escape_hidden(),
        sanitize_line(&error.to_string()),
    );
    Err(CommandFailure::new(USAGE, what))
}
