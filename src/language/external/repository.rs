//! The repository of a tree-sitter grammar: its grammars, and the sources of the wanted one.
//!
//! ```text
//! tree-sitter.json           name, directory and extensions of each grammar; before 2024 that was in package.json
//! src/grammar.json  parser.c  scanner.c  tree_sitter/*.h      or in a directory for each grammar
//! queries/highlights.scm
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::SyntaxFile;
use super::super::parser::READABLE_ABI;
use super::error::RepositoryError;
use crate::display::EscapeHidden;

/// Which grammar of a repository is wanted, if it has several.
#[derive(Clone, Copy, Debug)]
pub enum GrammarSelector<'a> {
    /// The grammar for files with the extension of this path.
    For(&'a Path),
    /// The grammar of this name.
    Named(&'a str),
    /// The only one.
    Only,
}

/// The sources of a grammar.
#[derive(Debug)]
pub struct GrammarRepository {
    /// The directory that the user named, as an absolute path.
    pub(super) directory: PathBuf,
    /// The name of the grammar in the repository.
    pub(super) listed_name: String,
    /// The name of the grammar in itself, which is also in the function names of its parser.
    pub name: String,
    /// The extensions of its files, without the dot.
    pub(super) extensions: Vec<String>,
    /// The directory of `src`.
    grammar_directory: PathBuf,
    queries: Vec<PathBuf>,
    pub(super) grammar_json: String,
    pub(super) json: Value,
    pub(super) parser_c: String,
}

/// A grammar in a repository.
struct RepositoryEntry {
    name: Option<String>,
    grammar_directory: PathBuf,
    extensions: Vec<String>,
    queries: Vec<PathBuf>,
}

impl RepositoryEntry {
    fn display_name(&self) -> String {
        let directory = self.grammar_directory.file_name().unwrap_or_default();
        let name = self.name.clone();
        name.unwrap_or_else(|| directory.to_string_lossy().into_owned())
    }
}

impl GrammarRepository {
    /// Finds the grammar and reads it.
    ///
    /// # Errors
    /// When there is none, when the choice is not clear, and when the parser cannot be built or read.
    pub fn find_grammar(
        directory: &Path,
        wanted: GrammarSelector,
    ) -> Result<GrammarRepository, RepositoryError> {
        let directory = std::path::absolute(directory).map_err(unreadable_error(directory))?;
        let entry = choose_entry(list_entries(&directory)?, wanted)?;
        let src = entry.grammar_directory.join("src");
        let path = src.join("grammar.json");
        if !path.exists() {
            let written = entry.grammar_directory.join("grammar.js").exists();
            return Err(RepositoryError::NoGrammar { written });
        }
        let grammar_json = read_text(&path)?;
        let json: Value = serde_json::from_str(&grammar_json)
            .map_err(|error| RepositoryError::Json { path, error })?;
        let parser = src.join("parser.c");
        if !parser.exists() {
            return Err(RepositoryError::NoParser(parser));
        }
        let parser_c = read_text(&parser)?;
        if let Some(version) =
            abi_version(&parser_c).filter(|version| !READABLE_ABI.contains(version))
        {
            return Err(RepositoryError::Abi(version));
        }
        let cpp = ["scanner.cc", "scanner.cpp"].map(|name| src.join(name));
        if let (false, Some(scanner)) = (
            src.join("scanner.c").exists(),
            cpp.into_iter().find(|path| path.exists()),
        ) {
            return Err(RepositoryError::Cpp(scanner));
        }
        let listed = entry.display_name();
        let name = json["name"].as_str().unwrap_or(&listed).to_owned();
        // The name is part of the parser's file name and of its function's name.
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(is_part) {
            return Err(RepositoryError::Name(name));
        }
        Ok(GrammarRepository {
            listed_name: listed,
            name,
            extensions: entry.extensions,
            grammar_directory: entry.grammar_directory,
            queries: entry.queries,
            directory,
            grammar_json,
            json,
            parser_c,
        })
    }

    /// The directory of its C sources.
    pub(super) fn source_directory(&self) -> PathBuf {
        self.grammar_directory.join("src")
    }

    /// All sources of the parser, ordered by their names: the grammar and the C sources. Different sources make a different parser.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn read_sources(&self) -> Result<Vec<u8>, RepositoryError> {
        let mut all = self.grammar_json.clone().into_bytes();
        // Sources that several grammars share are beside their directories.
        for directory in [
            self.source_directory(),
            self.source_directory().join("tree_sitter"),
            self.grammar_directory.join("common"),
            self.grammar_directory.join("../common"),
        ] {
            let Ok(entries) = fs::read_dir(&directory) else {
                continue;
            };
            let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
            let mut paths: Vec<PathBuf> = paths.filter(|path| is_c_source(path)).collect();
            paths.sort();
            for path in paths {
                let bytes = fs::read(&path).map_err(unreadable_error(&path))?;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                all.extend(format!("\n{name} {}\n", bytes.len()).into_bytes());
                all.extend(bytes);
            }
        }
        Ok(all)
    }

    /// The highlight queries that exist.
    pub(super) fn highlight_queries(&self) -> Vec<String> {
        let queries = self.queries.iter();
        queries
            .filter_map(|path| fs::read_to_string(path).ok())
            .collect()
    }

    /// A file that the user may have put beside the grammar: its path and text.
    pub(super) fn read_companion_file(
        &self,
        name: &str,
    ) -> Result<Option<(PathBuf, String)>, RepositoryError> {
        let mut paths = self.companion_places().map(|place| place.join(name));
        let path = paths.find(|path| path.exists());
        path.map(|path| read_text(&path).map(|text| (path, text)))
            .transpose()
    }

    /// The file there that says how programs are coloured: the one of the grammar's name, or the only one.
    pub(super) fn find_syntax_file(&self) -> Option<SyntaxFile> {
        let names = [self.name.as_str(), self.listed_name.as_str()];
        self.companion_places().find_map(|place| {
            SyntaxFile::find_named(&place, &names).or_else(|| SyntaxFile::find_only(&place))
        })
    }

    /// The directories in which files that the user adds to the grammar may be, in the order in which they are looked for.
    fn companion_places(&self) -> impl Iterator<Item = PathBuf> {
        [
            self.grammar_directory.join("lop"),
            self.grammar_directory.clone(),
            self.directory.join("lop"),
            self.directory.clone(),
        ]
        .into_iter()
    }
}

fn is_c_source(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "c" || extension == "h")
}

fn unreadable_error(path: &Path) -> impl Fn(io::Error) -> RepositoryError {
    let path = path.to_path_buf();
    move |error| RepositoryError::Unreadable {
        path: path.clone(),
        error,
    }
}

fn read_text(path: &Path) -> Result<String, RepositoryError> {
    fs::read_to_string(path).map_err(unreadable_error(path))
}

/// The version (ABI) of a generated parser.
fn abi_version(parser_c: &str) -> Option<usize> {
    let definition = parser_c
        .lines()
        .find_map(|line| line.strip_prefix("#define LANGUAGE_VERSION "));
    definition?.trim().parse().ok()
}

/// The grammars that a repository lists; else those that are found in it.
fn list_entries(directory: &Path) -> Result<Vec<RepositoryEntry>, RepositoryError> {
    for (file, key) in [
        ("tree-sitter.json", "grammars"),
        ("package.json", "tree-sitter"),
    ] {
        let path = directory.join(file);
        if !path.exists() {
            continue;
        }
        let json: Value = serde_json::from_str(&read_text(&path)?)
            .map_err(|error| RepositoryError::Json { path, error })?;
        let entries: Vec<RepositoryEntry> = json[key]
            .as_array()
            .into_iter()
            .flatten()
            .map(|entry| parse_entry(directory, entry))
            .collect();
        if !entries.is_empty() {
            return Ok(entries);
        }
    }
    let inside = fs::read_dir(directory).map_err(unreadable_error(directory))?;
    let mut inside: Vec<PathBuf> = inside
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    inside.sort();
    let has_grammar =
        |grammar_directory: &PathBuf| grammar_directory.join("src/grammar.json").exists();
    let directories: Vec<PathBuf> = match has_grammar(&directory.to_path_buf()) {
        true => Vec::new(),
        false => inside.into_iter().filter(has_grammar).collect(),
    };
    let found = |grammar_directory: PathBuf| RepositoryEntry {
        name: None,
        extensions: Vec::new(),
        queries: vec![first_existing([
            grammar_directory.join("queries/highlights.scm"),
            directory.join("queries/highlights.scm"),
        ])],
        grammar_directory,
    };
    Ok(match directories.is_empty() {
        true => vec![found(directory.to_path_buf())],
        false => directories.into_iter().map(found).collect(),
    })
}

/// A grammar in the list of a repository.
fn parse_entry(directory: &Path, entry: &Value) -> RepositoryEntry {
    let grammar_directory = match entry["path"].as_str() {
        None | Some("." | "") => directory.to_path_buf(),
        Some(path) => directory.join(path),
    };
    let queries = string_list(&entry["highlights"]);
    let queries = match queries.is_empty() {
        true => vec!["queries/highlights.scm".to_owned()],
        false => queries,
    };
    RepositoryEntry {
        name: entry["name"].as_str().map(str::to_owned),
        extensions: string_list(&entry["file-types"]),
        queries: queries
            .iter()
            .map(|query| first_existing([directory.join(query), grammar_directory.join(query)]))
            .collect(),
        grammar_directory,
    }
}

/// The strings of a JSON string or list.
fn string_list(json: &Value) -> Vec<String> {
    let list = json.as_array().into_iter().flatten();
    list.chain(Some(json))
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// The second path if only that exists; else the first.
fn first_existing([first, second]: [PathBuf; 2]) -> PathBuf {
    match !first.exists() && second.exists() {
        true => second,
        false => first,
    }
}

/// The wanted entry.
fn choose_entry(
    mut entries: Vec<RepositoryEntry>,
    wanted: GrammarSelector,
) -> Result<RepositoryEntry, RepositoryError> {
    let extension = |path: &Path| {
        path.extension()
            .map(|extension| extension.to_string_lossy().into_owned())
    };
    let is_it = |entry: &RepositoryEntry| match wanted {
        GrammarSelector::For(path) => {
            extension(path).is_some_and(|extension| entry.extensions.contains(&extension))
        }
        GrammarSelector::Named(name) => entry.display_name() == name,
        GrammarSelector::Only => false,
    };
    let at = match entries.len() {
        1 => Some(0),
        _ => entries.iter().position(is_it),
    };
    if let Some(at) = at {
        return Ok(entries.swap_remove(at));
    }
    let which = match wanted {
        GrammarSelector::For(path) => match extension(path) {
            Some(extension) => format!("none says that it is for files .{extension}"),
            None => format!("{} has no extension to choose by", path.escape_hidden()),
        },
        GrammarSelector::Named(name) => format!("none is called {name}"),
        GrammarSelector::Only => "only one can be read".to_owned(),
    };
    let described = |entry: &RepositoryEntry| match entry.extensions.is_empty() {
        true => entry.display_name(),
        false => format!(
            "{} (.{})",
            entry.display_name(),
            entry.extensions.join(" .")
        ),
    };
    Err(RepositoryError::Several {
        all: entries.iter().map(described).collect(),
        which,
        example: entries.swap_remove(0).grammar_directory,
    })
}
