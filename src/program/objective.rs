//! The objective of a run: what it makes smaller, by name. `version_size.rs` measures it.

use std::sync::Arc;

use crate::language::Language;
use crate::language::parser::CompiledQuery;

/// The name of the objective of a pair.
pub const PAIR_OBJECTIVE: &str = "difference";
/// The name of the objective of a sequence of choices.
pub const CHOICES_OBJECTIVE: &str = "choices";

/// What a run makes smaller.
#[derive(Clone, Debug, Default)]
pub enum Objective {
    /// Tokens, then files, then the tokens that the language counts (`%order`), then bytes, then names.
    #[default]
    Tokens,
    /// Bytes, then tokens, then files.
    Bytes,
    /// Lines that are not blank, then tokens, files and bytes.
    Lines,
    /// Nodes of the tree, then tokens, files and bytes.
    Nodes,
    /// The difference of a pair, then the tokens of the variant, those of the seed, and bytes (PPR, FSE 2023, §3.3).
    Pair,
    /// The choices of a sequence, from which a generator makes the program; then how long their listing is. Lower choices are for a pass
    /// that has an order of its own.
    Choices,
    /// Matches of a tree-sitter query, then tokens, files and bytes. Counting them parses each candidate.
    Matches(QueryMatches),
}

/// A size in the order of an objective: the first numbers that differ decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectiveSize(pub [u32; 5]);

impl ObjectiveSize {
    /// A size larger than any other.
    pub const MAX: ObjectiveSize = ObjectiveSize([u32::MAX; 5]);

    /// The number that the user sees.
    pub fn primary(self) -> u32 {
        self.0[0]
    }
}

/// The matches of a query, as an objective counts them.
#[derive(Clone, Debug)]
pub struct QueryMatches {
    text: Arc<str>,
    pub(super) language: &'static Language,
    pub(super) query: Arc<CompiledQuery>,
}

/// Why a text is no objective.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObjectiveError {
    /// It is none of the objectives.
    #[error(
        "`{0}` is no objective; there are tokens, bytes, lines, nodes, and count(QUERY) with a tree-sitter query"
    )]
    Unknown(String),
    /// A query needs a grammar.
    #[error("count(QUERY) needs a program in a language that lop knows; --language names one")]
    NoLanguage,
    /// It is no query for this language.
    #[error("the query of --objective cannot be used: {0}")]
    Query(String),
}

impl Objective {
    /// The objective of this name for a program in this language.
    ///
    /// # Errors
    /// When there is none of that name, or its query is none for the language.
    pub fn parse_name(
        name: &str,
        language: Option<&'static Language>,
    ) -> Result<Objective, ObjectiveError> {
        match name {
            "tokens" => return Ok(Objective::Tokens),
            "bytes" => return Ok(Objective::Bytes),
            "lines" => return Ok(Objective::Lines),
            "nodes" => return Ok(Objective::Nodes),
            _ => {}
        }
        let text = name
            .strip_prefix("count(")
            .and_then(|rest| rest.strip_suffix(')'));
        let text = text.ok_or_else(|| ObjectiveError::Unknown(name.to_owned()))?;
        let language = language.ok_or(ObjectiveError::NoLanguage)?;
        let query = language
            .compile_query(text)
            .map_err(ObjectiveError::Query)?;
        Ok(Objective::Matches(QueryMatches {
            text: text.into(),
            language,
            query: Arc::new(query),
        }))
    }

    /// What the first number of a size counts, in the singular.
    pub fn unit(&self) -> &'static str {
        match self {
            Objective::Tokens | Objective::Pair => "token",
            Objective::Choices => "choice",
            Objective::Bytes => "byte",
            Objective::Lines => "line",
            Objective::Nodes => "node",
            Objective::Matches(_) => "match",
        }
    }

    /// The same in the plural.
    pub fn units(&self) -> &'static str {
        match self {
            Objective::Tokens | Objective::Pair => "tokens",
            Objective::Choices => CHOICES_OBJECTIVE,
            Objective::Bytes => "bytes",
            Objective::Lines => "lines",
            Objective::Nodes => "nodes",
            Objective::Matches(_) => "matches",
        }
    }

    /// Whether it is what a run on such a program makes smaller unless the user chooses another.
    pub fn is_default(&self) -> bool {
        matches!(
            self,
            Objective::Tokens | Objective::Pair | Objective::Choices
        )
    }

    /// Whether the program is a sequence of choices.
    pub fn is_choices(&self) -> bool {
        matches!(self, Objective::Choices)
    }
}

/// The name by which [`Objective::parse_name`] finds it.
impl std::fmt::Display for Objective {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Objective::Pair => f.write_str(PAIR_OBJECTIVE),
            Objective::Matches(matches) => write!(f, "count({})", matches.text),
            _ => f.write_str(self.units()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_objective_is_refused_with_a_reason() {
        let refused = |name: &str, language| {
            let objective = Objective::parse_name(name, language);
            objective.expect_err("no objective").to_string()
        };
        assert!(refused("characters", None).contains("there are tokens, bytes, lines, nodes"));
        assert!(refused("count((x))", None).contains("--language names one"));
        let c = crate::language::by_name("c");
        assert!(refused("count((nothing_like_it))", c).contains("nothing_like_it"));
    }

    #[test]
    fn the_name_of_an_objective_finds_it_again() {
        let c = crate::language::by_name("c");
        for name in ["tokens", "bytes", "lines", "nodes", "count((comment) @c)"] {
            let objective = Objective::parse_name(name, c).expect("an objective");
            assert_eq!(objective.to_string(), name);
        }
    }
}
