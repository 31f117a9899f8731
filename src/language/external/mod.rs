//! External tree-sitter grammars: the repository of a user's grammar, and the language that is made of it.
//!
//! It becomes a language at run time in the same way as lop's own languages at build time. `repository.rs` finds the sources. `guess.rs`
//! derives the entries of a `language.toml` from `grammar.json`, by testing texts on its tokens; a `language.toml` beside the grammar
//! overrides them. `parser/loader.rs` builds and loads the parser. `cli/launch/language_choice.rs` decides where built parsers are kept,
//! and computes the hash of the sources that names them.

mod error;
mod guess;
mod pattern;
mod repository;
#[cfg(test)]
mod tests;

use std::env::consts::{ARCH, DLL_EXTENSION, OS};
use std::path::{Path, PathBuf};

use toml::Table;

use super::data::LanguageData;
use super::imports::ImportRules;
use super::parser::{self, CompiledQuery, ParserFn, QueryError, SyntaxHighlighter, Vet};
use super::table::LinkedLanguage;
use super::{Grammar, Language};
pub use error::RepositoryError;
pub use repository::{GrammarRepository, GrammarSelector};

/// The file of language data that the user may put into the directory of a grammar, or into one called `lop` there.
const DATA_FILE: &str = "language.toml";
/// The file of queries that the user may put there.
const QUERY_FILE: &str = "reduce.scm";

impl GrammarRepository {
    /// The language, with its parser from the directory `cache`, to which only the user may write. If the parser is missing or damaged, or
    /// `vet` says that another user could have written it, it is built first, and `building` is called before. `key` is a hash of
    /// [`GrammarRepository::read_sources`]. The language lives as long as the process.
    ///
    /// # Errors
    /// When there is no compiler, when the compiler rejects the sources, and when a file beside the grammar does not fit it.
    pub fn load_language(
        self,
        cache: &Path,
        key: String,
        vet: Vet,
        building: impl FnOnce(),
    ) -> Result<ExternalLanguage, RepositoryError> {
        let data = self.read_data()?;
        let grammar = Grammar::from_tree_sitter(&self.grammar_json, &self.parser_c)?;
        let library = cache.join(format!("{}-{key}-{ARCH}-{OS}.{DLL_EXTENSION}", self.name));
        let cached = library
            .exists()
            .then(|| parser::load_parser(&self.name, &library, vet));
        let parser = match cached {
            Some(Ok(parser)) => parser,
            _ => {
                building();
                parser::build_parser(&self.name, &self.source_directory(), &library)?;
                parser::load_parser(&self.name, &library, vet)?
            }
        };
        let (highlights, note) = self.read_highlights(parser);
        let syntax = self.find_syntax_file();
        let linked = LinkedLanguage {
            data: data.to_string().leak(),
            grammar: grammar.encode().leak(),
            parser,
            highlights,
            sample: ("", ""),
            names: self.read_name_query(parser)?,
        };
        let data = LanguageData::from_table(data).map_err(|error| RepositoryError::Data {
            path: DATA_FILE.into(),
            error: Box::new(error),
        })?;
        let optional = Grammar::decode(linked.grammar)?.with_optional_parts(&data.optional_parts());
        if let Err(error) = optional {
            let path = self.find_data_file()?;
            return Err(RepositoryError::Optional { path, error });
        }
        let mut language = Language::from_data(linked, data);
        let problems = [
            ("fillers", language.find_filler_problem()),
            ("hidden", language.find_hidden_problem()),
            ("islands", language.find_island_problem()),
            (
                "imports",
                language.import_rules().and_then(ImportRules::find_problem),
            ),
        ];
        for (entry, problem) in problems {
            if let Some(what) = problem {
                let path = self.find_data_file()?;
                return Err(RepositoryError::Entry { path, entry, what });
            }
        }
        if !language.has_highlights() {
            language.syntax = syntax;
        }
        language.origin = Some(GrammarOrigin {
            directory: self.directory,
            name: self.listed_name,
            key,
        });
        Ok(ExternalLanguage {
            language: Box::leak(Box::new(language)),
            note,
        })
    }

    /// The file with the user's entries, for messages about them.
    fn find_data_file(&self) -> Result<PathBuf, RepositoryError> {
        let beside = self.read_companion_file(DATA_FILE)?;
        Ok(beside.map_or(DATA_FILE.into(), |(path, _)| path))
    }

    /// The data of the language: the user's entries, and for the others a guess from the grammar.
    fn read_data(&self) -> Result<Table, RepositoryError> {
        let mut data = guess::guess_language_data(&self.json);
        let own = |key: &str, value: &str| (key.to_owned(), value.into());
        data.extend([
            own("name", &self.name),
            own("crate", ""),
            own("version", ""),
            own("grammar", "src/grammar.json"),
            own("parser", "src/parser.c"),
        ]);
        data.insert("extensions".into(), self.extensions.clone().into());
        if let Some((path, text)) = self.read_companion_file(DATA_FILE)? {
            let wrong = |error| RepositoryError::Data {
                path: path.clone(),
                error: Box::new(error),
            };
            let user: Table = text.parse().map_err(wrong)?;
            data.extend(user);
            LanguageData::from_table(data.clone()).map_err(wrong)?;
        }
        Ok(data)
    }

    /// The parts of the highlight query; if they do not fit the parser, none and a sentence about it.
    fn read_highlights(&self, parser: ParserFn) -> (&'static [&'static str], Option<String>) {
        let parts = self.highlight_queries();
        match SyntaxHighlighter::new(parser, &parts.join("\n")) {
            Ok(_) => {
                let parts: Vec<&'static str> =
                    parts.into_iter().map(|part| &*part.leak()).collect();
                (parts.leak(), None)
            }
            Err(error) => {
                let said = describe_query_error(&error);
                let place = error.row + 1;
                let note = format!(
                    "the highlight query of {} does not go with its parser (line {place}: {said}); it is shown without colours",
                    self.name
                );
                (&[], Some(note))
            }
        }
    }

    /// The query for names.
    fn read_name_query(
        &self,
        parser: ParserFn,
    ) -> Result<&'static [&'static str], RepositoryError> {
        let Some((path, text)) = self.read_companion_file(QUERY_FILE)? else {
            return Ok(&[]);
        };
        match CompiledQuery::new(parser, &text) {
            Ok(_) => Ok(Vec::leak(vec![&*text.leak()])),
            Err(error) => Err(RepositoryError::Names {
                path,
                line: error.row + 1,
                column: error.column + 1,
                message: describe_query_error(&error),
            }),
        }
    }
}

/// The error of a query, in a line.
fn describe_query_error(error: &QueryError) -> String {
    match parser::unknown_kind(error) {
        Some(kind) => format!("there is no kind of node called `{kind}`"),
        None => error.message.lines().next().unwrap_or_default().to_owned(),
    }
}

/// The origin of an external grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarOrigin {
    /// The repository, as an absolute path.
    pub directory: PathBuf,
    /// The name of the grammar there.
    pub name: String,
    /// The hash of its sources.
    pub key: String,
}

/// An external language.
#[derive(Debug)]
pub struct ExternalLanguage {
    /// The language.
    pub language: &'static Language,
    /// Notices for the user.
    pub note: Option<String>,
}
