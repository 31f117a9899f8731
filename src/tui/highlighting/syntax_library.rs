//! Which syntax definition colours a text: the file beside the grammar, or one of syntect's own by the name of the file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;
use syntect::parsing::syntax_definition::{ContextReference, Pattern};
use syntect::parsing::{ParseSyntaxError, SyntaxDefinition, SyntaxReference, SyntaxSet};

use crate::display::{EscapeHidden, sanitize_line};
use crate::language::SyntaxFile;

/// What says how a text is coloured.
#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxChoice {
    /// The file beside the grammar of its language.
    File(&'static SyntaxFile),
    /// The name of the text's own file.
    Name(Arc<Path>),
}

/// A definition and the set that it is linked in.
#[derive(Clone, Debug)]
pub struct LinkedSyntax {
    /// All that it may refer to.
    pub set: Arc<SyntaxSet>,
    /// The definition.
    pub syntax: SyntaxReference,
}

/// Why a syntax file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFileError {
    /// The file.
    pub path: PathBuf,
    /// The line of the mistake, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for SyntaxFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.escape_hidden())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// The definitions that were asked for so far. syntect's own cost some milliseconds to read, so that is done where one is first needed.
#[derive(Debug, Default)]
pub struct SyntaxLibrary {
    own: Option<Arc<SyntaxSet>>,
}

impl SyntaxLibrary {
    /// The definition for a choice; none if no definition knows such a file.
    ///
    /// # Errors
    /// When the file beside the grammar is no definition.
    pub fn find_syntax(
        &mut self,
        choice: &SyntaxChoice,
    ) -> Result<Option<LinkedSyntax>, SyntaxFileError> {
        match choice {
            SyntaxChoice::File(file) => link_syntax_file(file).map(Some),
            SyntaxChoice::Name(path) => Ok(self.find_by_name(path)),
        }
    }

    /// As most editors do it: a definition names whole files (`Makefile`) and extensions.
    fn find_by_name(&mut self, path: &Path) -> Option<LinkedSyntax> {
        let name = path.file_name()?.to_str()?;
        let extension = path.extension().and_then(|extension| extension.to_str());
        let load = || Arc::new(SyntaxSet::load_defaults_newlines());
        let set = self.own.get_or_insert_with(load);
        let known = |name| set.find_syntax_by_extension(name);
        let syntax = known(name).or_else(|| extension.and_then(known))?;
        Some(LinkedSyntax {
            syntax: syntax.clone(),
            set: set.clone(),
        })
    }
}

/// Reads a syntax file, as the screen does it.
///
/// # Errors
/// When it is no definition.
pub fn check_syntax_file(file: &SyntaxFile) -> Result<(), SyntaxFileError> {
    link_syntax_file(file).map(drop)
}

fn link_syntax_file(file: &SyntaxFile) -> Result<LinkedSyntax, SyntaxFileError> {
    let wrong = |line, what: String| SyntaxFileError {
        path: file.path.clone(),
        line,
        what: sanitize_line(&what).into_owned(),
    };
    let text = file.text.as_ref();
    let text = text.map_err(|error| wrong(None, format!("it cannot be read: {error}")))?;
    let name = file.path.file_stem().map(|name| name.to_string_lossy());
    let definition = SyntaxDefinition::load_from_str(text, true, name.as_deref());
    let definition = definition.map_err(|error| {
        let (line, what) = explain_syntax_error(&error, text);
        wrong(line, what)
    })?;
    if let Some(context) = find_circle(&definition) {
        let what = format!("the context `{context}` includes itself");
        let line = find_line(text, &format!("{context}:"));
        return Err(wrong(line, what));
    }
    let scope = definition.scope;
    let alone = link_with(SyntaxSet::new(), definition.clone());
    // Some refer to the definitions that everybody has.
    let set = match alone.find_unlinked_contexts().is_empty() {
        true => alone,
        false => link_with(SyntaxSet::load_defaults_newlines(), definition),
    };
    if let Some(missing) = set.find_unlinked_contexts().first() {
        return Err(wrong(
            None,
            format!("something that it refers to is not there: {missing}"),
        ));
    }
    let syntax = set
        .syntaxes()
        .iter()
        .rev()
        .find(|known| known.scope == scope);
    let syntax = syntax.cloned();
    let syntax = syntax.ok_or_else(|| wrong(None, "it has no scope".to_owned()))?;
    let set = Arc::new(set);
    Ok(LinkedSyntax { set, syntax })
}

fn link_with(set: SyntaxSet, definition: SyntaxDefinition) -> SyntaxSet {
    let mut builder = set.into_builder();
    builder.add(definition);
    builder.build()
}

/// The line of a mistake, where it is known, and what it is.
fn explain_syntax_error(error: &ParseSyntaxError, text: &str) -> (Option<usize>, String) {
    match error {
        ParseSyntaxError::InvalidYaml(error) => {
            let said = error.to_string();
            let said = said.split(" at line ").next().unwrap_or(&said).to_owned();
            (
                Some(error.marker().line()),
                format!("it is not YAML: {said}"),
            )
        }
        ParseSyntaxError::EmptyFile => (None, "it is empty".to_owned()),
        ParseSyntaxError::MissingMandatoryKey(key) => (None, format!("`{key}` is missing")),
        ParseSyntaxError::MainMissing => (None, "the context `main` is missing".to_owned()),
        ParseSyntaxError::RegexCompileError(regex, error) => {
            let said = error.to_string();
            let said = said.lines().last().unwrap_or_default();
            let what = format!("the pattern `{regex}` cannot be read: {said}");
            (find_line(text, regex), what)
        }
        ParseSyntaxError::TypeMismatch => {
            let what = "a value has another type than such a file needs there";
            (None, what.to_owned())
        }
        error => (None, error.to_string()),
    }
}

/// The first line that has such a text, from 1.
fn find_line(text: &str, part: &str) -> Option<usize> {
    let at = text.lines().position(|line| line.contains(part))?;
    Some(at + 1)
}

/// A context that includes itself, directly or through others: its patterns have no end.
fn find_circle(definition: &SyntaxDefinition) -> Option<&str> {
    let included = |name: &str| {
        let patterns = definition
            .contexts
            .get(name)
            .map(|context| &context.patterns);
        let patterns = patterns.into_iter().flatten();
        patterns.filter_map(|pattern| match pattern {
            Pattern::Include(ContextReference::Named { 0: name, .. }) => Some(name.as_str()),
            Pattern::Include(ContextReference::Inline { 0: name, .. }) => Some(name.as_str()),
            _ => None,
        })
    };
    let mut names: Vec<&str> = definition.contexts.keys().map(String::as_str).collect();
    names.sort_unstable();
    names.into_iter().find(|name| {
        let mut seen = FxHashSet::default();
        let mut open: Vec<&str> = included(name).collect();
        while let Some(inner) = open.pop() {
            if inner == *name {
                return true;
            }
            if seen.insert(inner) {
                open.extend(included(inner));
            }
        }
        false
    })
}
