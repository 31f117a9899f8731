//! What is tested: the present's candidate, and what is likeliest to be asked next.

use std::time::Instant;

use rustc_hash::FxHashSet;

use super::engine::Engine;
use super::event::Ending;
use super::present::{Fact, Flight};
use super::speculate::{Index, Node, Stop};
use super::store::Recalled;
use super::worker::{Task, gate};
use crate::dialogue::Answer;
use crate::oracle::{self, JobId};
use crate::program::Hash;

/// How many branches may be open for each test that may run.
const BRANCHES: usize = 12;

impl Engine {
    /// Has the root's candidate tested, and the likeliest others as long as workers are free.
    pub(super) fn dispatch(&mut self) {
        self.send(self.tree.root());
        if self.paused || self.at.alone || self.at.waiting {
            return;
        }
        self.send_waiting();
        while self.known.flights.len() < self.jobs && self.tree.len() < self.jobs * BRANCHES {
            let Some((index, answer)) = self
                .tree
                .likeliest(|index, node| self.foreseen(index, node))
            else {
                return;
            };
            match self.tree.grow(index, answer) {
                Some(child) => self.send(child),
                None => return,
            }
        }
    }

    /// The answer that a branch will get, where it is known already.
    pub(super) fn foreseen(&self, index: Index, node: &Node) -> Option<Ending> {
        let Stop::Ask(question) = &node.stop else {
            return None;
        };
        let assumed = || match self.tree.assumed(index, question.hash)? {
            Answer::Yes => Some(Ending::Interesting),
            Answer::No | Answer::Refused => Some(Ending::Boring),
        };
        self.decided(question.hash)
            .or_else(assumed)
            .or_else(|| self.known.facts.get(&question.hash).map(|fact| fact.ending))
    }

    /// Branches whose test was shared with one that came to nothing, or that went on to another question.
    pub(super) fn send_waiting(&mut self) {
        let mut waiting: Vec<Index> = self
            .tree
            .nodes()
            .filter(|(_, node)| matches!(node.stop, Stop::Ask(_)))
            .map(|(index, _)| index)
            .collect();
        waiting.sort_unstable();
        for index in waiting {
            if self.known.flights.len() >= self.jobs {
                return;
            }
            self.send(index);
        }
    }

    /// Hands the candidate at `index` to the workers, as far as it is not there or known.
    pub(super) fn send(&mut self, index: Index) {
        let Some(node) = self.tree.get(index) else {
            return;
        };
        let Stop::Ask(question) = &node.stop else {
            return;
        };
        let root = index == self.tree.root();
        let known = if root {
            self.decided(question.hash)
        } else {
            self.foreseen(index, node)
        };
        let hash = question.hash;
        let recalled = self
            .store
            .as_ref()
            .and_then(|store| store.get(hash))
            .filter(|fact| known.is_none() && fact.holds(self.limit.current()));
        if let Some(fact) = recalled {
            self.known.facts.entry(hash).or_insert_with(|| recall(fact));
        }
        let wanted = known.is_none()
            && !self.known.flights.contains_key(&question.hash)
            && !self.known.facts.contains_key(&question.hash);
        let checking = self.known.checks.values().any(|&other| other == index);
        let needs_trees =
            node.trees.is_none() && known.is_none_or(|ending| ending == Ending::Interesting);
        if (root && self.at.waiting) || checking || !(wanted || needs_trees) {
            return;
        }
        self.known.jobs += 1;
        let (id, hash, limits) = (JobId(self.known.jobs), question.hash, self.limit.current());
        let task = Task {
            id,
            base: node.asking.view.version.clone(),
            candidate: question.candidate.clone(),
            limits,
            alone: self.at.alone,
            syntactic: node.asking.schedule.syntactic(),
            constraints: node.asking.view.constraints.clone(),
            test: wanted,
        };
        if wanted {
            let crowded = !self.known.flights.is_empty();
            for flight in self.known.flights.values_mut() {
                flight.crowded = true;
            }
            self.known.flights.insert(
                hash,
                Flight {
                    job: id,
                    since: Instant::now(),
                    limits,
                    crowded,
                },
            );
            self.known.by_job.insert(id, hash);
            self.record.counts.started += 1;
        }
        self.known.checks.insert(id, index);
        // A worker that has died is noticed when its answers are waited for.
        let _ = self.workers.tasks.send(task);
    }

    /// Tests whose candidate is in no branch any more are killed.
    pub(super) fn cancel_unwanted(&mut self) {
        let wanted: FxHashSet<Hash> = self
            .tree
            .nodes()
            .filter_map(|(_, node)| match &node.stop {
                Stop::Ask(question) => Some(question.hash),
                Stop::Settle | Stop::Done => None,
            })
            .collect();
        // What a test printed is shown only when its answer decides something.
        for (hash, fact) in &mut self.known.facts {
            if !wanted.contains(hash) && !fact.run.output.is_empty() {
                fact.run.output = oracle::Output::default();
            }
        }
        self.cancel(|hash| wanted.contains(hash));
    }

    pub(super) fn cancel(&mut self, keep: impl Fn(&Hash) -> bool) {
        let doomed: Vec<Hash> = self
            .known
            .flights
            .keys()
            .filter(|hash| !keep(hash))
            .copied()
            .collect();
        for hash in doomed {
            if let Some(flight) = self.known.flights.remove(&hash) {
                self.known.by_job.remove(&flight.job);
                self.known.checks.remove(&flight.job);
                gate(&self.runner).cancel(flight.job);
            }
        }
    }

    /// From now until the next decision, only the root's candidate is tested.
    pub(super) fn quiet(&mut self) {
        self.at.alone = true;
        self.tree.forget_bets();
        self.cancel_unwanted();
    }
}

/// What a store knows, as if a test had said it now.
fn recall(fact: Recalled) -> Fact {
    let Recalled {
        ending,
        time,
        exit,
        cpu,
        limits,
    } = fact;
    let run = oracle::Run {
        exit,
        time,
        cpu,
        output: oracle::Output::default(),
    };
    Fact {
        ending,
        run,
        limits,
        crowded: false,
        recalled: true,
    }
}
