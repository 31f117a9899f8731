//! The check of a pair: each token that both programs have, each hunk of their difference, and each token of a hunk.
//!
//! * A *common token* goes from both programs at once.
//! * A *hunk* is undone in the variant: what it has more goes, and what it lacks comes back.
//! * A *token of a hunk* is undone alone: one that the variant has more goes; one that it lacks comes back, or goes from the seed too.
//!
//! A pass undoes hunks and their tokens whatever the parser says, so one of these that leaves a pair makes the pair not minimal. A token that goes from a
//! program counts only if a step along its tree takes it out; else it is reported apart, as in the check of one program.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::source::{CheckedFile, MinimalityCandidate, format_snippet};
use super::{CandidateCounts, parts};
use crate::program::ContentHash;
use crate::program::pair::{TokenDifference, TokenHunk};

/// A program of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairSide {
    /// The one that works.
    Seed,
    /// The one that fails.
    Variant,
}

/// A step, and the program in whose lines it is described.
#[derive(Clone, Debug)]
pub struct PairStep {
    /// Which program.
    pub side: PairSide,
    /// What changes in it.
    pub candidate: MinimalityCandidate,
}

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct PairReport {
    /// Tokens of the difference.
    pub difference: usize,
    /// Hunks that were undone.
    pub hunks: CandidateCounts,
    /// Single tokens of hunks that were undone, or taken out of the seed.
    pub hunk_tokens: CandidateCounts,
    /// Common tokens that were taken out of both.
    pub common_tokens: CandidateCounts,
    /// How many pairs were tested.
    pub tests: u64,
    /// The steps that leave a pair, in this order: hunks, their tokens, common tokens.
    pub violations: Vec<PairStep>,
    /// Single tokens that could go, though no step along the tree takes them out.
    pub loose_tokens: Vec<PairStep>,
}

impl PairReport {
    /// Whether no step leaves a pair.
    pub fn is_minimal(&self) -> bool {
        self.violations.is_empty()
    }
}

/// The bytes of a seed and a variant.
pub type PairTexts = [Arc<[u8]>; 2];

/// Checks a pair. `ask` decides whether texts are one; its error ends the check.
///
/// # Errors
/// Only those of `ask`.
pub fn check_pair<E>(
    files: &[CheckedFile; 2],
    ask: impl FnMut(&PairTexts) -> Result<bool, E>,
) -> Result<PairReport, E> {
    let [seed, variant] = files.each_ref().map(CheckedFile::token_texts);
    let difference = TokenDifference::from_texts(&seed, &variant);
    let mut checker = PairChecker {
        files,
        tree_steps: files.each_ref().map(|file| {
            let steps = parts::part_candidates(file);
            steps
                .map(|(_, bytes)| ContentHash::from_bytes(&bytes))
                .collect()
        }),
        report: PairReport {
            difference: difference.token_count(),
            ..PairReport::default()
        },
        ask,
    };
    for hunk in &difference.hunks {
        checker.check_hunk(hunk)?;
    }
    for hunk in &difference.hunks {
        checker.check_hunk_tokens(hunk)?;
    }
    for (seed, variant) in difference.matched_tokens() {
        checker.check_common_token(seed, variant)?;
    }
    Ok(checker.report)
}

struct PairChecker<'a, A> {
    files: &'a [CheckedFile; 2],
    /// For each program, what a step along its tree makes of it.
    tree_steps: [FxHashSet<ContentHash>; 2],
    report: PairReport,
    ask: A,
}

impl<E, A: FnMut(&PairTexts) -> Result<bool, E>> PairChecker<'_, A> {
    fn is_pair(&mut self, texts: &PairTexts) -> Result<bool, E> {
        self.report.tests += 1;
        (self.ask)(texts)
    }

    /// Whether a step along the tree of a program makes this of it.
    fn is_tree_step(&self, side: PairSide, text: &Arc<[u8]>) -> bool {
        // Of a text without a tree each token goes.
        let at = side as usize;
        self.files[at].tree.is_none()
            || self.tree_steps[at].contains(&ContentHash::from_bytes(text))
    }

    /// Undoes a hunk, or a part of one, in the variant. The result is whether that leaves a pair.
    fn check_undone(&mut self, hunk: &TokenHunk) -> Result<bool, E> {
        let (candidate, variant) = undo_hunk(self.files, hunk);
        let answer = self.is_pair(&[self.files[0].text.clone(), variant])?;
        if answer {
            let side = PairSide::Variant;
            self.report.violations.push(PairStep { side, candidate });
        }
        Ok(answer)
    }

    fn check_hunk(&mut self, hunk: &TokenHunk) -> Result<(), E> {
        let answer = self.check_undone(hunk)?;
        self.report.hunks.record_verdict(answer);
        Ok(())
    }

    fn check_hunk_tokens(&mut self, hunk: &TokenHunk) -> Result<(), E> {
        if hunk.seed.len() + hunk.variant.len() < 2 {
            // It was undone as a whole.
            return self.check_seed_tokens(hunk);
        }
        let inserted = hunk.variant.clone().map(|token| TokenHunk {
            seed: hunk.seed.end..hunk.seed.end,
            variant: token..token + 1,
        });
        let deleted = hunk.seed.clone().map(|token| TokenHunk {
            seed: token..token + 1,
            variant: hunk.variant.start..hunk.variant.start,
        });
        let tokens: Vec<TokenHunk> = deleted.chain(inserted).collect();
        for token in tokens {
            let answer = self.check_undone(&token)?;
            self.report.hunk_tokens.record_verdict(answer);
        }
        self.check_seed_tokens(hunk)
    }

    /// What the variant lacks may go from the seed.
    fn check_seed_tokens(&mut self, hunk: &TokenHunk) -> Result<(), E> {
        for token in hunk.seed.clone() {
            let (candidate, text) = self.files[0].without_token(token);
            let texts = [text, self.files[1].text.clone()];
            let answer = self.is_pair(&texts)?;
            self.report.hunk_tokens.record_verdict(answer);
            if answer {
                let is_step = self.is_tree_step(PairSide::Seed, &texts[0]);
                self.record_token(PairSide::Seed, candidate, is_step);
            }
        }
        Ok(())
    }

    fn check_common_token(&mut self, seed: usize, variant: usize) -> Result<(), E> {
        let (_, seed) = self.files[0].without_token(seed);
        let (candidate, variant) = self.files[1].without_token(variant);
        let texts = [seed, variant];
        let answer = self.is_pair(&texts)?;
        self.report.common_tokens.record_verdict(answer);
        if answer {
            let is_step = self.is_tree_step(PairSide::Seed, &texts[0])
                && self.is_tree_step(PairSide::Variant, &texts[1]);
            self.record_token(PairSide::Variant, candidate, is_step);
        }
        Ok(())
    }

    fn record_token(&mut self, side: PairSide, candidate: MinimalityCandidate, is_step: bool) {
        let step = PairStep { side, candidate };
        match is_step {
            true => self.report.violations.push(step),
            false => self.report.loose_tokens.push(step),
        }
    }
}

/// The variant with the tokens of the seed in the place of its own.
fn undo_hunk(files: &[CheckedFile; 2], hunk: &TokenHunk) -> (MinimalityCandidate, Arc<[u8]>) {
    let [seed, variant] = files;
    let old = variant.token_span(&hunk.variant);
    let new = &seed.text[seed.token_span(&hunk.seed)];
    let what = format_snippet(&variant.text[old.clone()]);
    let step = match (hunk.variant.is_empty(), hunk.seed.is_empty()) {
        (true, _) => format!("{} of the seed can come back", format_snippet(new)),
        (false, true) => format!("{what}, which the seed has not, can go"),
        (false, false) => format!("{what} can be {} as in the seed", format_snippet(new)),
    };
    // Blanks keep it apart from its neighbours.
    let new = match new {
        [] => Vec::new(),
        new => [b" ", new, b" "].concat(),
    };
    variant.replace_range(old, &new, step)
}
