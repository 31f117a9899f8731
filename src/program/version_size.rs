//! The size of a version: what its objective counts, as one total order.
//!
//! A version carries its objective, so whatever compares two versions asks [`Version::size`]: the engine before it accepts, breakpoints,
//! the history, the smallest of all branches, the output, the curve. The first number of a size is what the user sees; the others decide
//! between equals, and tokens and bytes are always among them.

use super::node::NodeShape;
use super::objective::{Objective, ObjectiveSize, QueryMatches};
use super::pair::TwinMap;
use super::version::Version;
use super::walk;

impl Version {
    /// Its size in the order of the objective: whatever compares versions compares this.
    pub fn size(&self) -> ObjectiveSize {
        *self.size.get_or_init(|| self.objective().measure(self))
    }

    /// Its size in tokens: the size without what only white space changes.
    pub fn token_size(&self) -> ObjectiveSize {
        self.objective().without_bytes(self.size())
    }
}

/// The difference of two sizes in what the user sees: "+3 tokens".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeChange {
    by: i64,
    units: &'static str,
    /// What is measured.
    subject: &'static str,
}

impl SizeChange {
    /// The change from one version to another.
    pub fn between(old: &Version, new: &Version) -> SizeChange {
        let primary = |version: &Version| i64::from(version.size().primary());
        SizeChange {
            by: primary(new) - primary(old),
            units: old.objective().units(),
            subject: match old.objective() {
                Objective::Pair => "the difference",
                _ => "the program",
            },
        }
    }

    /// What is measured: the program, or the difference of a pair.
    pub fn subject(&self) -> &'static str {
        self.subject
    }
}

impl std::fmt::Display for SizeChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:+} {}", self.by, self.units)
    }
}

impl Objective {
    /// A size without its last part, the bytes, where that only decides between equals.
    fn without_bytes(&self, size: ObjectiveSize) -> ObjectiveSize {
        let ObjectiveSize([first, second, third, _, fifth]) = size;
        ObjectiveSize(match self {
            Objective::Tokens => [first, second, third, 0, 0],
            Objective::Bytes => size.0,
            Objective::Choices => [first, 0, 0, 0, 0],
            Objective::Lines | Objective::Nodes | Objective::Matches(_) => {
                [first, second, third, 0, fifth]
            }
            Objective::Pair => [first, second, third, 0, 0],
        })
    }

    /// The size of a version. Tokens and bytes cost the same for a small program and a large one; the others need a walk through it.
    fn measure(&self, version: &Version) -> ObjectiveSize {
        let (tokens, bytes) = (version.token_count(), version.byte_count());
        let files = version.file_count();
        let document_tokens = |at: usize| {
            version
                .documents()
                .get(at)
                .map_or(0, |document| document.root.sums().tokens)
        };
        ObjectiveSize(match self {
            Objective::Tokens => {
                let (open, names) = count_values(version);
                [tokens, files, open, bytes, names]
            }
            Objective::Bytes => [bytes, tokens, files, 0, 0],
            Objective::Choices => [tokens, version.text_length(), 0, 0, 0],
            Objective::Lines => [count_lines(version), tokens, files, bytes, 0],
            Objective::Nodes => [count_nodes(version), tokens, files, bytes, 0],
            Objective::Pair => [
                count_difference(version),
                document_tokens(1),
                document_tokens(0),
                bytes,
                0,
            ],
            Objective::Matches(matches) => [matches.count_in(version), tokens, files, bytes, 0],
        })
    }
}

/// The tokens that the languages of the documents count between tokens and bytes (`%order`: the open values of a Boolean program), and,
/// to decide between equals, the names in such documents: a constant is smaller than a variable of one letter.
fn count_values(version: &Version) -> (u32, u32) {
    let (mut open, mut names) = (0, 0);
    for document in version.documents() {
        let facts = document.language.and_then(|language| language.statements());
        let Some(facts) = facts.filter(|facts| !facts.counted_texts().is_empty()) else {
            continue;
        };
        for leaf in walk::iter_leaves(&document.root) {
            let text = leaf.text();
            open += u32::from(facts.counted_texts().iter().any(|counted| counted == text));
            let begins = text
                .first()
                .is_some_and(|first| !first.is_ascii_punctuation());
            names += u32::from(
                leaf.shape == NodeShape::Token && begins && facts.logic_role(text).is_none(),
            );
        }
    }
    (open, names)
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
        let texts = version.render_texts();
        let documents = version.documents().iter().zip(&texts).enumerate();
        let counts = documents.map(|(at, (document, text))| {
            let text = text.as_deref().unwrap_or_default();
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
}
