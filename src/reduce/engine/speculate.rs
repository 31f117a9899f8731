//! Speculation: the tree of future candidates is grown where the run is likeliest to come, and the candidates there are tested.
//!
//! A worker is kept free for each branch that waits for the parser, because the parser answers long before a test does. While all tests are
//! busy, the next few candidates are printed and checked by the parser, so that their tests can begin at once.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::ReductionEngine;
use crate::oracle::Verdict;
use crate::program::ContentHash;
use crate::protocol::Feedback;
use crate::reduce::speculation::NodeIndex;

/// How many branches may be open for each test that may run, and how many in any case: answers that are known cost no test.
const BRANCHES_PER_JOB: usize = 12;
const MIN_BRANCHES: usize = 64;

/// How likely a hint comes true.
const HINT_ACCEPTANCE: f64 = 0.95;

/// How many candidates are made ready for a test at the most, beyond those that are tested.
const MAX_PREPARED: usize = 4;

impl ReductionEngine {
    /// Goes through the tree from the likeliest place to the least likely, and has the candidates tested, until no worker is free. A
    /// worker is kept for each branch that waits for the parser, which answers long before a test does. The next few candidates are
    /// printed and checked by the parser, so that their tests can begin at once.
    pub(super) fn run_speculation(&mut self) {
        let jobs = self.pool.max_tests();
        let mut free = jobs.saturating_sub(self.testing.in_flight.len());
        let mut ready = jobs.min(MAX_PREPARED);
        let most = MIN_BRANCHES + jobs * BRANCHES_PER_JOB;
        let mut branches = BinaryHeap::from([SpeculativeBranch {
            odds: 1.0,
            index: self.tree.root_index(),
            place: BranchState::Grown,
        }]);
        while let Some(branch) = branches.pop().filter(|_| free + ready > 0) {
            let index = match branch.place {
                BranchState::Risky => branch.index,
                BranchState::Grown if self.advance_to_candidate(branch.index) => branch.index,
                // It is planned on the background thread.
                BranchState::Grown => continue,
                BranchState::AwaitingParser => {
                    free = free.saturating_sub(1);
                    continue;
                }
                BranchState::NotGrown(_) if self.tree.len() >= most => continue,
                BranchState::NotGrown(answer) => match self.grow_branch(branch.index, answer) {
                    Some(child) => child,
                    None => continue,
                },
            };
            let first_look = !matches!(branch.place, BranchState::Risky);
            let rate = self.timeout_rate(index);
            if first_look && rate > 0.0 {
                // What times out beside others is of no use.
                branches.push(SpeculativeBranch {
                    odds: branch.odds * (1.0 - rate),
                    index,
                    place: BranchState::Risky,
                });
            } else if rate < 1.0 {
                match free {
                    0 => ready -= usize::from(self.prepare_candidate(index)).min(ready),
                    _ => free -= usize::from(self.submit_if_needed(index)).min(free),
                }
            }
            if first_look {
                self.push_branches(&mut branches, index, branch.odds);
            }
        }
    }

    /// How often candidates such as that at `index` time out. One whose test was stopped is not tested ahead again.
    fn timeout_rate(&self, index: NodeIndex) -> f64 {
        let Some((node, proposed)) = self.tree.proposing_node(index) else {
            return 0.0;
        };
        let timeouts = &self.testing.timeouts;
        match timeouts.was_stopped(proposed.hash) {
            true => 1.0,
            false => timeouts.timeout_rate(node.proposer.schedule.candidate_kind(&proposed.edit)),
        }
    }

    /// The branches at a place that the run comes to with these odds.
    fn push_branches(
        &mut self,
        branches: &mut BinaryHeap<SpeculativeBranch>,
        index: NodeIndex,
        odds: f64,
    ) {
        let Some((node, proposed)) = self.tree.proposing_node(index) else {
            return;
        };
        let key = (node.base, proposed.hash);
        let yes = match self.predicted_verdict(index, proposed) {
            Some(Verdict::Interesting) => 1.0,
            Some(_) => 0.0,
            None if self.testing.timeouts.was_stopped(proposed.hash) => 1.0 - HINT_ACCEPTANCE,
            None => match self.hinted_verdict(proposed.hash) {
                Some(Verdict::Interesting) => HINT_ACCEPTANCE,
                Some(_) => 1.0 - HINT_ACCEPTANCE,
                None => node.proposer.schedule.acceptance_rate(&proposed.edit),
            },
        };
        for (answer, share) in [
            (Feedback::Interesting, yes),
            (Feedback::Uninteresting, 1.0 - yes),
        ] {
            let place = match node.child_for(answer) {
                _ if share == 0.0 => continue,
                Some(child) => (child, BranchState::Grown),
                None if answer.is_interesting() && self.confirmed_trees(key).is_none() => {
                    if !self.testing.is_being_checked(key) {
                        continue;
                    }
                    (index, BranchState::AwaitingParser)
                }
                None => (index, BranchState::NotGrown(answer)),
            };
            branches.push(SpeculativeBranch {
                odds: odds * share,
                index: place.0,
                place: place.1,
            });
        }
    }

    /// An earlier verdict on this candidate, which may be different now.
    fn hinted_verdict(&self, candidate: ContentHash) -> Option<Verdict> {
        self.store.as_ref()?.predict_verdict(candidate)
    }

    /// Grows a branch. Candidates that the parser refused already are skipped.
    fn grow_branch(&mut self, index: NodeIndex, answer: Feedback) -> Option<NodeIndex> {
        let (node, proposed) = self.tree.proposing_node(index)?;
        let trees = self.confirmed_trees((node.base, proposed.hash)).cloned();
        let child = self.tree.grow_branch(index, answer, trees.as_ref())?;
        self.advance_to_candidate(child).then_some(child)
    }

    /// Has the candidate at `index` printed and checked by the parser. Returns whether it is or will be ready for a test that it needs.
    fn prepare_candidate(&mut self, index: NodeIndex) -> bool {
        let Some((node, proposed)) = self.tree.proposing_node(index) else {
            return false;
        };
        let (key, proposed) = ((node.base, proposed.hash), proposed.clone());
        if self.is_rejected(index) {
            return false;
        }
        if self.testing.in_flight.contains_key(&key.1)
            || self.predicted_verdict(index, &proposed).is_some()
        {
            return false;
        }
        if !self.testing.checked.contains_key(&key) && !self.testing.is_being_checked(key) {
            self.submit_candidate(index, key, proposed.candidate.clone(), false);
        }
        true
    }

    /// A test has decided what the feedback to this candidate will be: branches of the other answer are pruned.
    pub(super) fn prune_mispredicted(&mut self, candidate: ContentHash, verdict: Verdict) {
        let wrong = match verdict {
            Verdict::Interesting => Feedback::Uninteresting,
            _ => Feedback::Interesting,
        };
        let nodes = self.tree.nodes().filter(|(_, node)| {
            let asked = node
                .proposed_candidate()
                .is_some_and(|own| own.hash == candidate);
            asked && node.child_for(wrong).is_some()
        });
        let doomed: Vec<NodeIndex> = nodes.map(|(index, _)| index).collect();
        for &index in &doomed {
            self.tree.prune_branch(index, wrong);
        }
        if !doomed.is_empty() {
            self.cancel_unwanted();
        }
    }
}

/// A place to look at, by how likely the run comes there.
struct SpeculativeBranch {
    odds: f64,
    index: NodeIndex,
    place: BranchState,
}

#[derive(Clone, Copy)]
enum BranchState {
    /// A branch.
    Grown,
    /// The same, whose branches have been looked at; its candidate, which may time out, is tested when nothing is likelier to be of use.
    Risky,
    /// The branch that this answer leads to, which is not there yet.
    NotGrown(Feedback),
    /// The interesting branch, which cannot be there before the parser has confirmed the candidate: the next candidates are parsed from
    /// its trees.
    AwaitingParser,
}

impl Ord for SpeculativeBranch {
    fn cmp(&self, other: &SpeculativeBranch) -> Ordering {
        let older = Reverse(self.index).cmp(&Reverse(other.index));
        self.odds.total_cmp(&other.odds).then(older)
    }
}

impl PartialOrd for SpeculativeBranch {
    fn partial_cmp(&self, other: &SpeculativeBranch) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SpeculativeBranch {
    fn eq(&self, other: &SpeculativeBranch) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SpeculativeBranch {}
