//! The objective of a run: what it makes smaller, as one total order on versions.
//!
//! A version carries its objective, so whatever compares two versions asks [`Version::size`](super::Version::size): the engine
//! before it accepts, breakpoints, the history, the smallest of all branches, the output, the curve. The first number of a size is what
//! the user sees; the others decide between equals, and tokens and bytes are always among them.

use std::sync::Arc;

use super::node::NodeShape;
use super::pair::TwinMap;
use super::version::Version;
use super::walk;
use crate::language::Language;
use crate::language::parser::CompiledQuery;

/// What a run makes smaller.
#[derive(Clone, Debug, Default)]
pub enum Objective {
    /// Tokens, then bytes.
    #[default]
    Tokens,
    /// Bytes, then tokens.
    Bytes,
    /// Lines that are not blank, then tokens, then bytes.
    Lines,
    /// Nodes of the tree, then tokens, then bytes.
    Nodes,
    /// The difference of a pair, then the tokens of the variant, those of the seed, and bytes (PPR, FSE 2023, §3.3).
    Pair,
    /// Matches of a tree-sitter query, then tokens, then bytes. Counting them parses each candidate.
    Matches(QueryMatches),
}

/// A size in the order of an objective: the first numbers that differ decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectiveSize(pub [u32; 4]);

impl ObjectiveSize {
    /// A size larger than any other.
    pub const MAX: ObjectiveSize = ObjectiveSize([u32::MAX; 4]);

    /// The number that the user sees.
    pub fn primary(self) -> u32 {
        self.0[0]
    }
}

/// The difference of two sizes in what the user sees: "+3 tokens".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeChange {
    by: i64,
    units: &'static str,
}

impl SizeChange {
    /// The change from one version to another.
    pub fn between(old: &Version, new: &Version) -> SizeChange {
        let primary = |version: &Version| i64::from(version.size().primary());
        SizeChange {
            by: primary(new) - primary(old),
            units: old.objective().units(),
        }
    }
}

impl std::fmt::Display for SizeChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:+} {}", self.by, self.units)
    }
}

/// The matches of a query, as an objective counts them.
#[derive(Clone, Debug)]
pub struct QueryMatches {
    text: Arc<str>,
    language: &'static Language,
    query: Arc<CompiledQuery>,
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

    /// The size of a version. Tokens and bytes cost the same for a small program and a large one; the others need a walk through it.
    pub fn measure(&self, version: &Version) -> ObjectiveSize {
        let (tokens, bytes) = (version.token_count(), version.byte_count());
        let document_tokens = |at: usize| {
            version
                .documents()
                .get(at)
                .map_or(0, |document| document.root.sums.tokens)
        };
        ObjectiveSize(match self {
            Objective::Tokens => [tokens, bytes, 0, 0],
            Objective::Bytes => [bytes, tokens, 0, 0],
            Objective::Lines => [count_lines(version), tokens, bytes, 0],
            Objective::Nodes => [count_nodes(version), tokens, bytes, 0],
            Objective::Pair => [
                count_difference(version),
                document_tokens(1),
                document_tokens(0),
                bytes,
            ],
            Objective::Matches(matches) => [matches.count_in(version), tokens, bytes, 0],
        })
    }

    /// What the first number of a size counts, in the singular.
    pub fn unit(&self) -> &'static str {
        match self {
            Objective::Tokens | Objective::Pair => "token",
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
            Objective::Bytes => "bytes",
            Objective::Lines => "lines",
            Objective::Nodes => "nodes",
            Objective::Matches(_) => "matches",
        }
    }

    /// Whether it is what a run on such a program makes smaller unless the user chooses another.
    pub fn is_default(&self) -> bool {
        matches!(self, Objective::Tokens | Objective::Pair)
    }
}

/// The name by which [`Objective::parse_name`] finds it.
impl std::fmt::Display for Objective {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Objective::Pair => f.write_str("difference"),
            Objective::Matches(matches) => write!(f, "count({})", matches.text),
            _ => f.write_str(self.units()),
        }
    }
}

/// The tokens of the seed that the variant has not, and those of the variant that the seed has not.
fn count_difference(version: &Version) -> u32 {
    let twins = version.twins().map_or(0, TwinMap::pair_count);
    version.token_count().saturating_sub(2 * twins)
}

/// The lines of all documents that are not blank.
fn count_lines(version: &Version) -> u32 {
    let documents = version.documents().iter();
    let counts = documents.map(|document| {
        let text = walk::render_text(&document.root);
        let lines = text.split(|byte| *byte == b'\n');
        lines.filter(|line| !line.trim_ascii().is_empty()).count() as u32
    });
    counts.sum()
}

/// The nodes of all documents; stretches of long lists are none.
fn count_nodes(version: &Version) -> u32 {
    let documents = version.documents().iter();
    let nodes = documents.flat_map(|document| walk::preorder(&document.root));
    nodes.filter(|node| node.shape != NodeShape::Chunk).count() as u32
}

impl QueryMatches {
    fn count_in(&self, version: &Version) -> u32 {
        let files = version.render_files();
        let documents = version.documents().iter().zip(&files).enumerate();
        let counts = documents.map(|(at, (document, (_, text)))| {
            let ours = document
                .language
                .is_some_and(|language| std::ptr::eq(language, self.language));
            let tree = ours.then(|| version.get_or_parse_tree(at, text)).flatten();
            tree.map_or(0, |tree| self.query.count_matches(&tree, text))
        });
        counts.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::read_program;

    const PROGRAM: &str = "int a;\n\nint f(void) {\n  return a + 1;\n}\n";

    fn size_of(name: &str, text: &str) -> u32 {
        let file = (std::path::Path::new("a.c").into(), text.as_bytes().into());
        let version = read_program(vec![file]).expect("a program");
        let objective = Objective::parse_name(name, version.documents()[0].language);
        let version = version.with_objective(objective.expect("an objective"));
        version.size().primary()
    }

    #[test]
    fn a_program_has_a_size_for_each_objective() {
        assert_eq!(size_of("tokens", PROGRAM), 15);
        assert_eq!(size_of("bytes", PROGRAM), PROGRAM.len() as u32);
        assert_eq!(size_of("lines", PROGRAM), 4, "blank lines do not count");
        assert_eq!(size_of("count((identifier) @x)", PROGRAM), 3);
        let nested = "int f(void) { return ((((1)))); }";
        let flat = "int f(void) { return 1 + 1 + 1; }";
        assert!(size_of("nodes", nested) > size_of("nodes", "int f(void) { return 1; }"));
        assert!(size_of("nodes", flat) > size_of("nodes", "int f(void) { return 1 + 1; }"));
    }

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
