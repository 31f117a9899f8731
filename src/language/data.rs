//! What a `language.toml` says.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::written::Written;

/// What a newline means where no token is bound to its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Newlines {
    /// What a blank means.
    Free,
    /// It may end a statement.
    Semicolons,
    /// It ends a statement, and the blanks behind it say what the next one belongs to.
    Indent,
    /// It may be content.
    Text,
}

/// A language as data; `grammars/c/language.toml` says what each entry means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    pub name: String,
    pub extensions: Vec<String>,
    #[serde(rename = "crate")]
    pub package: String,
    pub version: String,
    // The next two are for build.rs.
    #[serde(rename = "grammar")]
    _grammar: String,
    #[serde(rename = "parser")]
    _parser: String,
    #[serde(default)]
    pub opaque: Vec<String>,
    #[serde(default)]
    pub comments: Vec<String>,
    pub line_comment: Option<String>,
    pub newlines: Newlines,
    pub statement: Option<String>,
    #[serde(default)]
    pub templates: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub nonempty: Vec<String>,
    #[serde(default)]
    pub fillers: BTreeMap<String, String>,
    #[serde(default)]
    pub line_markers: bool,
    pub continuation: Option<char>,
    #[serde(default)]
    pub lines: Lines,
    pub joins: Joins,
}

/// Kinds that are bound to lines.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lines {
    pub start: Vec<String>,
    pub end: Vec<String>,
}

/// Which tokens need a blank between them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Joins {
    #[serde(default)]
    pub word: String,
    pub pairs: Vec<String>,
    #[serde(default)]
    pub prefixes: Vec<String>,
    #[serde(default)]
    pub quotes: String,
    #[serde(default)]
    pub number: String,
    #[serde(default)]
    pub exponents: String,
    #[serde(default)]
    pub signs: String,
}

impl Data {
    /// What follows from a grammar in BNF, whose language is called `name` if it does not say. Which tokens join its lexer knows.
    pub fn written(grammar: &Written, name: &str) -> Data {
        let comments = grammar
            .grammar
            .classes()
            .filter(|&class| grammar.is_comment(class));
        let named = |class| grammar.grammar.class_name(class).to_owned();
        Data {
            name: grammar.name.clone().unwrap_or_else(|| name.to_owned()),
            extensions: grammar.extensions.clone(),
            package: String::new(),
            version: String::new(),
            _grammar: String::new(),
            _parser: String::new(),
            opaque: Vec::new(),
            comments: comments.map(named).collect(),
            line_comment: None,
            newlines: match grammar.newlines_are_free() {
                true => Newlines::Free,
                false => Newlines::Text,
            },
            statement: None,
            templates: BTreeMap::new(),
            nonempty: Vec::new(),
            fillers: BTreeMap::new(),
            line_markers: false,
            continuation: None,
            lines: Lines::default(),
            joins: Joins::default(),
        }
    }

    /// What a table says that has the entries of a `language.toml`.
    pub fn from_table(table: toml::Table) -> Result<Data, toml::de::Error> {
        table.try_into()
    }

    pub fn read(text: &str) -> Result<Data, toml::de::Error> {
        toml::from_str(text)
    }
}
