//! `lop languages`: the languages that lop reads, and their checks.

mod contract;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::grammar::unknown_language;
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::launch::language_choice;
use crate::display::EscapeHidden;
use crate::language::{self, Language};
use crate::plain::ConsoleWriter;
use contract::LanguageContract;

/// Prints all languages: names, extensions, their data, and the origin of the parser.
pub fn print_languages() -> u8 {
    let mut page = String::new();
    for language in language::all_languages() {
        let extensions = language.extensions.iter().map(|e| format!(".{e}"));
        let extensions: Vec<String> = extensions.collect();
        let names = if language.has_names() { "names" } else { "" };
        page += &format!(
            "{:<12} {:<6} highlight  {:<30} {}\n",
            language.name,
            names,
            language.describe_parser(),
            extensions.join(" ")
        );
    }
    ConsoleWriter::stdout().write_page(&page);
    0
}

/// Checks a language, or all, with its sample or with these files; 1 if a check fails.
pub fn check_languages(name: Option<&str>, files: &[PathBuf]) -> Result<u8, CommandFailure> {
    let languages: Vec<&'static Language> = match name {
        None => language::all_languages().iter().collect(),
        Some(name) if language_choice::is_grammar_path(Path::new(name)) => {
            let file = files.first().map(PathBuf::as_path);
            vec![language_choice::load_grammar(Path::new(name), file)?]
        }
        Some(name) => vec![language::by_name(name).ok_or_else(|| {
            let error = unknown_language(name);
            CommandFailure::new(USAGE, error)
        })?],
    };
    let mut texts_of = Vec::new();
    for language in languages {
        let texts = sample_texts(language, files)?.into_iter();
        texts_of.extend(texts.map(|(path, text)| (language, path, text)));
    }
    // Each check has a thread of its own, because the checks are independent.
    let contracts: Vec<LanguageContract> = thread::scope(|scope| {
        let checks = texts_of.into_iter();
        let check = |(language, path, text)| {
            scope.spawn(move || LanguageContract::check_text(language, path, text))
        };
        let threads: Vec<_> = checks.map(check).collect();
        let ends = threads.into_iter().map(|thread| thread.join());
        ends.collect::<Result<_, _>>()
    })
    .map_err(|_| CommandFailure::new(FAILED, "a check broke off"))?;
    for contract in &contracts {
        ConsoleWriter::stdout().write_page(&contract.to_string());
    }
    Ok(u8::from(
        !contracts.iter().all(LanguageContract::is_fulfilled),
    ))
}

/// A program to check a language with.
type SampleText = (PathBuf, Arc<[u8]>);

/// The files, or the sample of the language.
fn sample_texts(
    language: &'static Language,
    files: &[PathBuf],
) -> Result<Vec<SampleText>, CommandFailure> {
    if files.is_empty() {
        let (name, text) = language.sample_program();
        if name.is_empty() {
            let what = format!(
                "name files to check {} by: no sample comes with it",
                language.name
            );
            return Err(CommandFailure::new(USAGE, what));
        }
        return Ok(vec![(name.into(), text.as_bytes().into())]);
    }
    let read = |path: &PathBuf| {
        let text = std::fs::read(path).map_err(|e| {
            anyhow::anyhow!(
                "{} cannot be read: {e}; name a text in that language",
                path.escape_hidden()
            )
        });
        Ok((path.clone(), text.or_fail(USAGE)?.into()))
    };
    files.iter().map(read).collect()
}
