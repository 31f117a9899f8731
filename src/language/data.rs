//! What a `language.toml` says.

use serde::Deserialize;

use super::written::Written;

/// A language as data; `grammars/c/language.toml` says what each entry means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    pub name: String,
    pub extensions: Vec<String>,
    // The next three are for build.rs.
    #[serde(rename = "crate")]
    _package: String,
    #[serde(rename = "grammar")]
    _grammar: String,
    #[serde(rename = "parser")]
    _parser: String,
    #[serde(default)]
    pub opaque: Vec<String>,
    #[serde(default)]
    pub comments: Vec<String>,
    pub line_comment: Option<String>,
    #[serde(default)]
    pub newlines_are_free: bool,
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
            _package: String::new(),
            _grammar: String::new(),
            _parser: String::new(),
            opaque: Vec::new(),
            comments: comments.map(named).collect(),
            line_comment: None,
            newlines_are_free: grammar.newlines_are_free(),
            line_markers: false,
            continuation: None,
            lines: Lines::default(),
            joins: Joins::default(),
        }
    }

    pub fn read(text: &str) -> Result<Data, toml::de::Error> {
        toml::from_str(text)
    }
}
