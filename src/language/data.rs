//! The entries of a `language.toml`: what the grammar of a language does not contain.
//!
//! `grammars/c/language.toml` explains each entry. Most of these determine the layout of a candidate:
//!
//! * `newlines`, where no token is bound to its line. `semicolons` (JavaScript, TypeScript, Go, Kotlin, Bash): a newline may end a statement, so
//!   a node that moves into the place of a statement gets one after it, and no other white space join gets a newline that was not there. `indent` (Python):
//!   indentation says what a line belongs to, so a node moves in or out as a whole (`program/indent.rs`).
//! * `jumps`: kinds that leave a block, such as `return_statement`.
//! * `nonempty`: kinds whose list keeps an element although the parser would accept none, such as a block of Python.
//! * `optional`: parts that the grammar requires and compilers do not, by the kind of node and the field or kind of the part, each with what the parser
//!   is shown where the part is absent ([`Grammar::with_optional_parts`](crate::grammar::Grammar::with_optional_parts)).
//! * `text_unguarded`: passes over tokens and brackets (the stratum *text*) also have candidates tested in which the parser finds new errors. It is
//!   for a language whose compilers accept much that its parser does not: of C, types that are left out and definitions in the old style. Elsewhere the
//!   parser refuses such candidates, because a compiler that crashes after it has recovered from nonsense would keep the nonsense: a smaller
//!   program that shows another bug.
//! * `templates`: a string with holes is one token if it has none. Otherwise it is a list of texts and holes, and white space in it is text.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::bnf_language::BnfLanguage;
use super::hidden::{HiddenEntry, TokenStyle};
use super::imports::ImportRules;
use super::rules::split_rules;
use crate::grammar::OptionalPart;

/// What a newline means where no token is bound to its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NewlineMeaning {
    /// The same as a blank.
    Free,
    /// It may end a statement.
    Semicolons,
    /// It ends a statement, and the indentation after it determines the block of the next one.
    Indent,
    /// It may be content.
    Text,
}

/// A language as data. `grammars/c/language.toml` explains each entry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LanguageData {
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
    pub newlines: NewlineMeaning,
    #[serde(default)]
    pub text_unguarded: bool,
    pub statement: Option<String>,
    pub expression_statement: Option<String>,
    pub type_statement: Option<String>,
    pub parameter_statement: Option<String>,
    pub no_result: Option<String>,
    #[serde(default)]
    pub templates: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub nonempty: Vec<String>,
    #[serde(default)]
    pub jumps: Vec<String>,
    #[serde(default)]
    pub evaluated: Vec<String>,
    #[serde(default)]
    pub optional: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    pub fillers: BTreeMap<String, String>,
    #[serde(default)]
    pub fillings: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub simplest_values: BTreeMap<String, String>,
    #[serde(default)]
    pub simplest_types: BTreeMap<String, String>,
    #[serde(default)]
    pub defaults: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub literals: BTreeMap<String, LiteralRule>,
    /// Tokens that may become another one, by the other one.
    #[serde(default)]
    pub shorter_tokens: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub names: NameKinds,
    #[serde(default)]
    pub line_markers: bool,
    #[serde(default)]
    pub hidden: Vec<HiddenEntry>,
    /// How the text is divided into tokens where hidden ones are looked for.
    #[serde(default)]
    pub hidden_text: TokenStyle,
    #[serde(default)]
    pub constants: ConstantOperations,
    pub imports: Option<ImportRules>,
    /// Places where what is in brackets may stand, by the opening bracket: `$` is the brackets with what is in them.
    #[serde(default)]
    pub islands: BTreeMap<char, Vec<String>>,
    pub continuation: Option<char>,
    #[serde(default)]
    pub lines: LineBoundKinds,
    pub joins: SeparatorRules,
}

/// Operations that a compiler computes where their operands are numbers.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantOperations {
    /// The kinds of their nodes.
    pub kinds: Vec<String>,
    /// Their operators.
    pub operators: Vec<String>,
}

/// Kinds that are bound to lines.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineBoundKinds {
    pub start: Vec<String>,
    pub end: Vec<String>,
}

/// What a literal of a kind may become.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LiteralRule {
    #[serde(default)]
    pub to: Vec<String>,
    pub pattern: String,
}

/// Which tokens are names.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NameKinds {
    pub kinds: Vec<String>,
    #[serde(default)]
    pub entries: Vec<String>,
}

/// The tokens that need a blank between them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeparatorRules {
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
    #[serde(default)]
    pub blanks: bool,
    #[serde(default)]
    pub open: Vec<String>,
    #[serde(default)]
    pub close: Vec<String>,
}

impl LanguageData {
    /// The parts of nodes that are optional although the grammar requires them.
    pub fn optional_parts(&self) -> Vec<OptionalPart<'_>> {
        let rules = self.optional.iter();
        let parts = rules.flat_map(|(rule, parts)| {
            parts.iter().map(move |(part, stand_in)| OptionalPart {
                rule,
                part,
                stand_in,
            })
        });
        parts.collect()
    }

    /// The entries that follow from a grammar in BNF, whose language is called `name` if it has no name. The lexer knows which tokens would
    /// join.
    pub fn from_bnf(grammar: &BnfLanguage, name: &str) -> LanguageData {
        let comments = grammar
            .grammar
            .classes()
            .filter(|&class| grammar.is_comment(class));
        let named = |class| grammar.grammar.class_name(class).to_owned();
        LanguageData {
            name: grammar.name.clone().unwrap_or_else(|| name.to_owned()),
            extensions: grammar.extensions.clone(),
            package: String::new(),
            version: String::new(),
            _grammar: String::new(),
            _parser: String::new(),
            opaque: grammar.token_rules().map(str::to_owned).collect(),
            comments: comments.map(named).collect(),
            line_comment: None,
            newlines: match grammar.newlines_are_free() {
                true => NewlineMeaning::Free,
                false => NewlineMeaning::Text,
            },
            text_unguarded: false,
            statement: None,
            templates: BTreeMap::new(),
            nonempty: Vec::new(),
            jumps: Vec::new(),
            evaluated: Vec::new(),
            optional: BTreeMap::new(),
            fillers: BTreeMap::new(),
            fillings: BTreeMap::new(),
            simplest_values: BTreeMap::new(),
            simplest_types: BTreeMap::new(),
            defaults: BTreeMap::new(),
            literals: BTreeMap::new(),
            shorter_tokens: BTreeMap::new(),
            names: NameKinds::default(),
            expression_statement: None,
            type_statement: None,
            parameter_statement: None,
            no_result: None,
            line_markers: false,
            hidden: Vec::new(),
            hidden_text: TokenStyle::default(),
            constants: ConstantOperations::default(),
            imports: None,
            islands: BTreeMap::new(),
            continuation: None,
            lines: LineBoundKinds::default(),
            joins: SeparatorRules::default(),
        }
    }

    /// Reads a table with the entries of a `language.toml`.
    pub fn from_table(table: toml::Table) -> Result<LanguageData, toml::de::Error> {
        table.try_into()
    }

    /// Reads a `language.toml` but for its rules, which are at its end: they are many, and most runs of lop are about one language.
    pub fn from_toml(text: &str) -> Result<LanguageData, toml::de::Error> {
        toml::from_str(split_rules(text).0)
    }
}
