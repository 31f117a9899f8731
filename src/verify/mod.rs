//! The independent check of minimality.
//!
//! It reads the file again, lists every smaller program that one step makes, and tests each. It shares no code with the passes: it cuts
//! candidates from the bytes of the file, along the parser's tree and the grammar's derivations, without edits of versions.
//!
//! * *1-minimal by tokens* (Zeller and Hildebrandt, TSE 2002): without any one token the file is uninteresting.
//! * *1-tree-minimal* (Misherghi and Su, ICSE 2006; Sun et al., Perses, ICSE 2018): without any one part that the grammar lets go, and with any one
//!   node replaced by a descendant that the grammar allows in its place, at most four levels below, the file is uninteresting.
//!
//! The second is what a run promises, and what decides the exit status of `lop verify`. A single token that could go, though no step along the
//! tree removes it, is reported apart: `int bug;` is 1-tree-minimal, whatever the verdict on `bug;`. No pass would propose it.
//!
//! As *text* a file is minimal if no token, no 2 to 4 tokens in a row, no pair of brackets and no stretch between `;`, `{` and `}` can go, whatever the tree says:
//! what the parser misreads is found too. That is what the passes over text of a run promise; [`check_minimality_as_text`] checks it.
//!
//! A syntax-guided reducer would not test a candidate with more syntax errors than the file. The second check leaves it out, and the first
//! counts it apart.

mod control;
mod pair;
mod parts;
mod source;
mod text;
mod tokens;
mod tree;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::ContentHash;
pub use control::{MutantCounts, MutationControl, run_control};
pub use pair::{PairReport, PairSide, PairStep, PairTexts, check_pair};
pub use source::{CheckedFile, MinimalityCandidate};

/// The results of one kind of candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CandidateCounts {
    /// Candidates that were tested.
    pub tried: u64,
    /// Those of them that are interesting.
    pub interesting: u64,
}

impl CandidateCounts {
    fn record_verdict(&mut self, interesting: bool) {
        self.tried += 1;
        self.interesting += u64::from(interesting);
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct MinimalityReport {
    /// Candidates without one token that have no more syntax errors than the file.
    pub tokens: CandidateCounts,
    /// Candidates without one token that have more syntax errors than the file.
    pub broken_tokens: CandidateCounts,
    /// Candidates without one part, or with one node replaced.
    pub parts: CandidateCounts,
    /// How many of those have more syntax errors than the file. They were not tested.
    pub left_out: u64,
    /// Candidates that are text, which a check as text has; none without one.
    pub text: Option<CandidateCounts>,
    /// How often the test was run. Candidates with the same bytes are tested once.
    pub tests: u64,
    /// The interesting candidates that a step along the tree makes, in the order of the file. For text without a tree, those without one
    /// token. Then, of a check as text, those that are text.
    pub violations: Vec<MinimalityCandidate>,
    /// The interesting candidates without one token that no step along the tree makes. None has more syntax errors than the file.
    pub loose_tokens: Vec<MinimalityCandidate>,
}

impl MinimalityReport {
    /// Whether no single step that follows the grammar leaves an interesting file; of a check as text, nor one of the text.
    pub fn is_minimal(&self) -> bool {
        self.violations.is_empty()
    }
}

/// Checks `source`. `ask` decides whether bytes are interesting; its error ends the check.
///
/// # Errors
/// Only those of `ask`.
pub fn check_minimality<E>(
    source: &CheckedFile,
    ask: impl FnMut(&Arc<[u8]>) -> Result<bool, E>,
) -> Result<MinimalityReport, E> {
    check_file(source, false, ask)
}

/// The same, and what is text too. If the language says that its parser misreads much of what compilers accept, candidates of text with more
/// syntax errors count as well.
///
/// # Errors
/// Only those of `ask`.
pub fn check_minimality_as_text<E>(
    source: &CheckedFile,
    ask: impl FnMut(&Arc<[u8]>) -> Result<bool, E>,
) -> Result<MinimalityReport, E> {
    check_file(source, true, ask)
}

fn check_file<E>(
    source: &CheckedFile,
    as_text: bool,
    mut ask: impl FnMut(&Arc<[u8]>) -> Result<bool, E>,
) -> Result<MinimalityReport, E> {
    let mut report = MinimalityReport::default();
    let mut known: FxHashMap<ContentHash, bool> = FxHashMap::default();
    // The programs that the report lists.
    let mut reported: FxHashSet<ContentHash> = FxHashSet::default();
    let mut interesting = |key: ContentHash, bytes: &Arc<[u8]>, tests: &mut u64| {
        if let Some(&answer) = known.get(&key) {
            return Ok(answer);
        }
        *tests += 1;
        let answer = ask(bytes)?;
        known.insert(key, answer);
        Ok(answer)
    };
    for (candidate, bytes) in parts::part_candidates(source) {
        if !source.is_as_clean(&bytes) {
            report.left_out += 1;
            continue;
        }
        let key = ContentHash::from_bytes(&bytes);
        let answer = interesting(key, &bytes, &mut report.tests)?;
        report.parts.record_verdict(answer);
        if answer && reported.insert(key) {
            report.violations.push(candidate);
        }
    }
    for (candidate, bytes) in tokens::token_candidates(source) {
        let key = ContentHash::from_bytes(&bytes);
        let answer = interesting(key, &bytes, &mut report.tests)?;
        if !source.is_as_clean(&bytes) {
            report.broken_tokens.record_verdict(answer);
            continue;
        }
        report.tokens.record_verdict(answer);
        if answer && reported.insert(key) {
            match source.tree {
                Some(_) if !as_text => report.loose_tokens.push(candidate),
                Some(_) | None => report.violations.push(candidate),
            }
        }
    }
    let unguarded = source
        .language
        .is_none_or(crate::language::Language::has_unguarded_text);
    for (candidate, bytes) in as_text
        .then(|| text::text_candidates(source))
        .into_iter()
        .flatten()
    {
        let counts = report.text.get_or_insert_default();
        if !unguarded && !source.is_as_clean(&bytes) {
            continue;
        }
        let key = ContentHash::from_bytes(&bytes);
        let answer = interesting(key, &bytes, &mut report.tests)?;
        counts.record_verdict(answer);
        if answer && reported.insert(key) {
            report.violations.push(candidate);
        }
    }
    Ok(report)
}
