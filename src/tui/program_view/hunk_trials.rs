//! Which candidates were without which tokens of the difference of a pair: the last one for each, with what its test printed.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::edit_marks::EditMarks;
use super::pair_alignment::{SEED, VARIANT};
use super::pair_view::PairView;
use crate::oracle::Verdict;
use crate::program::{Edit, NodeId, ProgramNode, Version};
use crate::reduce::{Decision, DecisionDetails, RunSnapshot};

/// The last decision about each token of the difference.
#[derive(Debug, Default)]
pub struct HunkTrials {
    last: FxHashMap<NodeId, Arc<DecisionDetails>>,
    /// The newest decision that is known.
    newest: Decision,
}

impl HunkTrials {
    /// Adds the decisions that are new in a snapshot. `pair` is what is known of its version.
    pub fn add_new_decisions(&mut self, snapshot: &RunSnapshot, pair: &PairView) {
        let end = snapshot.counts.decisions;
        if end < self.newest {
            // A recording was played backwards.
            self.last.retain(|_, decided| decided.decision <= end);
        }
        let known = self.newest.min(end);
        self.newest = end;
        let decided = snapshot.decided.iter().rev();
        let mut new: Vec<_> = decided
            .take_while(|decided| decided.decision > known)
            .collect();
        new.reverse();
        // The pair of an earlier version, where decisions came before the version that is shown.
        let mut earlier: Option<(u64, PairView)> = None;
        // What an accepted candidate was without is gone.
        new.retain(|decided| decided.verdict != Verdict::Interesting);
        for decided in new {
            let number = version_of(snapshot, decided.decision);
            let undone = match snapshot.history.get(number as usize) {
                Some(past) if number != snapshot.number => {
                    if earlier.as_ref().is_none_or(|(known, _)| *known != number) {
                        let pair = PairView::from_version(number, &past.version);
                        earlier = pair.map(|pair| (number, pair));
                    }
                    let pair = earlier.as_ref().map(|(_, pair)| pair);
                    pair.map(|pair| undone_tokens(&past.version, pair, &decided.edit))
                }
                _ => Some(undone_tokens(&snapshot.version, pair, &decided.edit)),
            };
            for token in undone.into_iter().flatten() {
                self.last.insert(token, decided.clone());
            }
        }
    }

    /// The last candidate that was without any of these tokens.
    pub fn last_without(&self, tokens: &[NodeId]) -> Option<&Arc<DecisionDetails>> {
        let decisions = tokens.iter().filter_map(|token| self.last.get(token));
        decisions.max_by_key(|decided| decided.decision)
    }

    /// How many of these tokens that candidate was without.
    pub fn count_without(&self, decision: Decision, tokens: &[NodeId]) -> usize {
        let last = tokens.iter().filter_map(|token| self.last.get(token));
        last.filter(|decided| decided.decision == decision).count()
    }
}

/// The number of the version that a decision was about.
fn version_of(snapshot: &RunSnapshot, decision: Decision) -> u64 {
    let mut log = snapshot.log.decisions().iter().rev();
    let logged = log.find(|logged| logged.decision <= decision);
    logged.map_or(snapshot.number, |logged| logged.version)
}

/// The tokens of the difference that an edit of this version undoes: those of either document that go, and those that come into the other one.
pub fn undone_tokens(version: &Version, pair: &PairView, edit: &Edit) -> FxHashSet<NodeId> {
    let aligned = &pair.alignment;
    if edit.is_rewrite() {
        let marks = EditMarks::from_edit_of(version, Some(pair), edit);
        let tokens = [SEED, VARIANT].map(|document| aligned.unpaired_tokens(document));
        let tokens = tokens.into_iter().flatten().map(|token| token.node);
        return tokens.filter(|token| marks.changes_token(*token)).collect();
    }
    let mut undone = FxHashSet::default();
    let tokens_below = |node: &Arc<ProgramNode>| -> Vec<NodeId> {
        let Some(path) = version.path_to(node.id) else {
            return Vec::new();
        };
        let first = path.preceding_sums().leaves;
        let leaves = first..first + node.sums().leaves;
        let tokens = aligned.unpaired_in(path.document, leaves).iter();
        tokens.map(|token| token.node).collect()
    };
    for op in &edit.ops {
        undone.extend(op.removed_nodes(version).flat_map(tokens_below));
        let kept = op.kept_nodes(version);
        let kept: Vec<NodeId> = kept.into_iter().flat_map(tokens_below).collect();
        kept.iter().for_each(|token| {
            undone.remove(token);
        });
    }
    let marks = EditMarks::from_edit(edit);
    let restored = [SEED, VARIANT].map(|document| aligned.unpaired_tokens(document));
    let restored = restored.into_iter().flatten().map(|token| token.node);
    undone.extend(restored.filter(|token| marks.restores_token(*token)));
    undone
}
