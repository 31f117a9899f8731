//! Fillers: what replaces a node of a kind when nothing of it is needed, such as `pass` for a block of Python; and the statement that is made of a
//! parameter and its argument.

use std::sync::Arc;

use super::Language;
use super::data::LanguageData;
use super::literals::find_pattern_problem;
use super::separators::needs_separator;
use super::suggest::suggest_names;
use crate::grammar::Grammar;

/// The tokens that replace a node of which nothing is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFiller {
    /// Its tokens.
    pub tokens: Arc<[Arc<[u8]>]>,
    /// Its text.
    pub text: Arc<str>,
}

impl NodeFiller {
    /// A filler of the tokens in `words`, which are separated by blanks.
    fn from_words(words: &str, data: &LanguageData) -> NodeFiller {
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut text = String::new();
        for word in &words {
            if needs_separator(&data.joins, text.as_bytes(), word.as_bytes()) {
                text.push(' ');
            }
            text.push_str(word);
        }
        NodeFiller {
            tokens: words.iter().map(|word| word.as_bytes().into()).collect(),
            text: text.into(),
        }
    }
}

/// The fillers by the classes of their kinds.
pub(super) fn fillers_by_class(data: &LanguageData, grammar: &Grammar) -> Vec<Option<NodeFiller>> {
    let of = |class| data.fillers.get(grammar.class_name(class));
    let classes = grammar.classes();
    classes
        .map(|class| of(class).map(|words| NodeFiller::from_words(words, data)))
        .collect()
}

/// The tokens before, between and behind `$p` and `$e`, each of which may be empty. None if there are more or fewer.
fn split_parameter_statement(text: &str) -> Option<[&str; 3]> {
    let (before, rest) = text.split_once("$p")?;
    let (between, after) = rest.split_once("$e")?;
    let parts = [before, between, after].map(str::trim);
    let is_token = |part: &str| !part.contains(|char: char| char.is_whitespace() || char == '$');
    parts.iter().all(|part| is_token(part)).then_some(parts)
}

impl Language {
    /// The tokens before, between and behind a parameter and its argument, where the parameter is declared as a variable with that value; an empty text is
    /// no token. None in a language that does not say it.
    pub fn parameter_statement(&'static self) -> Option<[&'static str; 3]> {
        let text = self.definition.data.parameter_statement.as_deref()?;
        split_parameter_statement(text)
    }
}

/// The first error in the statement of a parameter, the fillers, fillings, literals and kinds of names that the grammar reveals.
pub(super) fn find_filler_problem(data: &LanguageData, grammar: &Grammar) -> Option<String> {
    let kinds = || grammar.classes().map(|class| grammar.class_name(class));
    let unknown = |kind: &String| {
        if kinds().any(|known| known == kind) {
            return None;
        }
        let near = match &suggest_names(kind, kinds())[..] {
            [] => String::new(),
            near => format!("; near it: {}", near.join(", ")),
        };
        Some(format!("there is no kind of node called `{kind}`{near}"))
    };
    let simplest = data
        .simplest_values
        .keys()
        .chain(data.simplest_types.keys())
        .chain(data.defaults.keys())
        .chain(data.literals.keys())
        .chain(data.shorter_tokens.values().flatten())
        .chain(&data.names.kinds);
    let parameter_statement = data.parameter_statement.as_deref();
    if parameter_statement.is_some_and(|text| split_parameter_statement(text).is_none()) {
        return Some("parameter_statement is not $p and $e with at most one token before, between and behind them".to_owned());
    }
    let unknown_filling = data.fillings.keys().chain(simplest).find_map(unknown);
    let mut fillers = data.fillers.iter();
    let filler_problem = |(kind, words): (&String, &String)| {
        if let Some(problem) = unknown(kind) {
            return Some(problem);
        }
        let blank = words.split_whitespace().next().is_none();
        blank.then(|| format!("the filler of {kind} has no tokens"))
    };
    let unknown_filling = unknown_filling.or_else(|| find_pattern_problem(data));
    unknown_filling.or_else(|| fillers.find_map(filler_problem))
}
