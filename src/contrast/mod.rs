//! Why a reduced program shows its bug: what its nearest neighbours do.
//!
//! A *neighbour* is the program with one change: a token or a node is deleted, or replaced by what the grammar allows in its place
//! (`neighbours.rs`, `fillings.rs`). The test says whether it keeps the bug, and a check whether it is valid. A valid neighbour without the bug,
//! as near as possible, is the contrast that explains it. What the changes of a token lead to says what the token is for (`roles.rs`).
//!
//! A *change of a token* is one that changes it alone, or that renames what it names. A token of which no such change is valid stands for the
//! smallest change of a node that begins with it: `return` for its statement, `[` for an index. So closing brackets and separators are only needed to
//! compile.
//!
//! ```text
//!  version ──▶ neighbours ──▶ known verdicts, tests ──▶ checks of what lost the bug ──▶ outcomes ──▶ roles of the tokens
//!                                                                                          └──▶ the nearest, as sentences
//! ```
//!
//! Which neighbours are tested depends on nothing but the program, its original and the known verdicts, so the report is the same for any number
//! of tests at a time.

mod annotated;
mod experiment;
mod fillings;
mod neighbours;
mod roles;
mod sentences;
#[cfg(test)]
mod tests;

use crate::program::Version;

pub use annotated::{AnnotatedPiece, ChangedLines, annotate_lines, find_changed_lines};
pub use experiment::{ContrastError, ContrastOracle, ContrastProgress, ValiditySource};
pub use neighbours::{ContrastToken, ProgramNeighbour};
pub use roles::{ChangeKind, ChangeOutcome, OutcomeCounts, TokenRole, UnknownReason, decide_role};
pub use sentences::{ContrastSentence, role_counts, write_sentences};

/// The most tokens of a program that is explained: the result of a reduction has few.
pub const LARGEST_PROGRAM: u32 = 1000;
/// The most tests of an experiment, unless the user says otherwise.
pub const USUAL_TESTS: u64 = 500;

/// A neighbour, and what became of it.
#[derive(Clone, Debug)]
pub struct TriedNeighbour {
    /// Which.
    pub neighbour: ProgramNeighbour,
    /// What it does.
    pub outcome: ChangeOutcome,
}

/// All that was found.
#[derive(Clone, Debug)]
pub struct ContrastReport {
    /// The tokens of the program, each with its role, in order.
    pub tokens: Vec<(ContrastToken, TokenRole)>,
    /// The neighbours, the nearest and most telling first.
    pub tried: Vec<TriedNeighbour>,
    /// How many tests ran.
    pub tests: usize,
    /// How many verdicts were known.
    pub known: usize,
    /// How many checks ran, besides the tests.
    pub checks: usize,
}

impl ContrastReport {
    /// How many neighbours were not tried, because they are beyond the limit of tests.
    pub fn left_out_count(&self) -> usize {
        let tried = self.tried.iter();
        tried
            .filter(|tried| tried.outcome == ChangeOutcome::Untried)
            .count()
    }
}

/// Compares the program, which is interesting, with its neighbours. The fillings are also those of `original`.
///
/// # Errors
/// When it was interrupted, or the test cannot be run.
pub fn contrast_version(
    version: &Version,
    original: Option<&Version>,
    oracle: &mut ContrastOracle<'_>,
) -> Result<ContrastReport, ContrastError> {
    let (tokens, neighbours) = neighbours::list_neighbours(version, original);
    let path = version.documents()[0].path.to_path_buf();
    let experiment = experiment::try_neighbours(&path, neighbours, oracle)?;
    let roles =
        (0..tokens.len()).map(|number| decide_role(&count_outcomes(number, &experiment.tried)));
    let roles: Vec<TokenRole> = roles.collect();
    Ok(ContrastReport {
        tokens: tokens.into_iter().zip(roles).collect(),
        tried: experiment.tried,
        tests: experiment.tests,
        known: experiment.known,
        checks: experiment.checks,
    })
}

/// The outcomes of the changes of a token.
fn count_outcomes(token: usize, tried: &[TriedNeighbour]) -> OutcomeCounts {
    let is_own = |tried: &&TriedNeighbour| {
        let neighbour = &tried.neighbour;
        neighbour.tokens.contains(&token) && (neighbour.size() == 1 || neighbour.everywhere)
    };
    let own: Vec<&TriedNeighbour> = tried.iter().filter(is_own).collect();
    let mut counts = OutcomeCounts::default();
    for tried in &own {
        counts.record_change(tried.neighbour.kind, tried.outcome);
    }
    if own
        .iter()
        .any(|tried| tried.outcome != ChangeOutcome::Invalid)
    {
        return counts;
    }
    let begins =
        |tried: &&TriedNeighbour| tried.neighbour.size() > 1 && tried.neighbour.tokens[0] == token;
    let smallest = tried
        .iter()
        .filter(begins)
        .map(|tried| tried.neighbour.size())
        .min();
    for tried in tried.iter().filter(begins) {
        if Some(tried.neighbour.size()) == smallest {
            counts.record_change(tried.neighbour.kind, tried.outcome);
        }
    }
    counts
}
