//! The table of languages. A new language is a line here, a folder in `grammars/`, and a dependency on its parser's crate.

use std::sync::OnceLock;

use super::Language;
use super::parser::ParserFn;
use super::written::Written;

/// What is linked into the binary for a language.
pub(super) struct Linked {
    /// Its `language.toml`.
    pub data: &'static str,
    /// Its grammar, as `build.rs` wrote it.
    pub grammar: &'static [u8],
    pub parser: ParserFn,
    /// Its highlight query.
    pub highlights: &'static str,
    /// Its query for names, `reduce.scm`, if somebody wrote one.
    pub names: Option<&'static str>,
}

macro_rules! language {
    ($name:literal, $krate:ident, names) => {
        Linked {
            names: Some(include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/grammars/",
                $name,
                "/reduce.scm"
            ))),
            ..language!($name, $krate)
        }
    };
    ($name:literal, $krate:ident) => {
        Linked {
            data: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/grammars/",
                $name,
                "/language.toml"
            )),
            grammar: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".grammar")),
            parser: ParserFn::TreeSitter(|| $krate::LANGUAGE.into()),
            highlights: $krate::HIGHLIGHT_QUERY,
            names: None,
        }
    };
}

/// All languages.
pub fn languages() -> &'static [Language] {
    static LANGUAGES: OnceLock<Vec<Language>> = OnceLock::new();
    LANGUAGES.get_or_init(|| {
        [language!("c", tree_sitter_c, names)]
            .into_iter()
            .map(Language::new)
            .chain(WRITTEN.iter().map(|text| written(text)))
            .collect()
    })
}

/// Languages without a parser of tree-sitter's: their grammars in BNF.
const WRITTEN: &[&str] = &[include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/grammars/boolean-program.bnf"
))];

fn written(text: &str) -> Language {
    match Written::read(text) {
        Ok(grammar) => Language::written(grammar, "bnf"),
        Err(error) => panic!("a grammar in the binary: {error}"),
    }
}
