//! What is tested: the root's candidate first, then the candidates of its batch, then the likeliest ones of the speculation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::ReductionEngine;
use super::testing_state::{CandidateKey, InFlightTest};
use super::worker::CandidateTask;
use crate::oracle::{JobId, TestJob, TestOutput, TimeLimits, Verdict};
use crate::program::{ContentHash, ParseTrees, TokenHash, Version};
use crate::protocol::Feedback;
use crate::reduce::proposer::{CandidateKind, ProposedCandidate, ProposerStop};
use crate::reduce::results::{CacheHit, PendingResult, RunTally, TestResult};
use crate::reduce::speculation::NodeIndex;

impl ReductionEngine {
    /// Has the root's candidate tested, and others as long as workers are free: those of a batch, then the likeliest.
    pub(super) fn dispatch_tests(&mut self) {
        if self.awaits_others() {
            return;
        }
        self.submit_if_needed(self.tree.root_index());
        if self.is_testing_alone() {
            return;
        }
        self.submit_lookahead();
        self.run_speculation();
    }

    /// Whether nothing is tested beside the root's candidate.
    fn is_testing_alone(&self) -> bool {
        self.paused || self.root_state.alone || self.root_state.waiting
    }

    /// Whether a candidate that the parser has refused is passed over before it is the current one. Not while a script waits: its commands
    /// hold at the first candidate of a decision, and that must not depend on the parser's timing.
    pub(super) fn rejects_ahead(&self) -> bool {
        !self.commands.has_script()
    }

    /// Whether the parser has refused the candidate at `index`, and the cache will not answer for it first.
    pub(super) fn is_rejected(&self, index: NodeIndex) -> bool {
        let Some((node, proposed)) = self.tree.proposing_node(index) else {
            return false;
        };
        let refused = matches!(
            self.testing.checked.get(&(node.base, proposed.hash)),
            Some(None)
        );
        let root = index == self.tree.root_index();
        let assumed = || {
            self.tree
                .assumed_feedback(index, proposed)
                .filter(|_| !root)
        };
        let uninteresting = || match self.lookup_cache(proposed.hash, proposed.token_hash) {
            Some(hit) => hit.verdict != Verdict::Interesting,
            None => assumed().is_some_and(|answer| !answer.is_interesting()),
        };
        refused && !uninteresting()
    }

    /// The parser's trees of a candidate, if it has confirmed it.
    pub(super) fn confirmed_trees(&self, key: CandidateKey) -> Option<&ParseTrees> {
        Some(&self.testing.checked.get(&key)?.as_ref()?.trees)
    }

    /// What the cache knows of a candidate now.
    pub(super) fn lookup_cache(
        &self,
        candidate: ContentHash,
        token_hash: Option<TokenHash>,
    ) -> Option<CacheHit> {
        self.testing
            .cache
            .get(candidate, token_hash, self.limit.current_limits())
    }

    /// The verdict on the candidate at a branch, where it is known already.
    pub(super) fn predicted_verdict(
        &self,
        index: NodeIndex,
        proposed: &ProposedCandidate,
    ) -> Option<Verdict> {
        let fact = || {
            self.testing
                .results
                .get(proposed.hash)
                .map(|pending| pending.result.verdict)
        };
        self.predicted_cache_verdict(index, proposed).or_else(fact)
    }

    /// What the cache will answer when the run comes to `index`.
    fn predicted_cache_verdict(
        &self,
        index: NodeIndex,
        proposed: &ProposedCandidate,
    ) -> Option<Verdict> {
        let hit = self.lookup_cache(proposed.hash, proposed.token_hash);
        hit.map(|hit| hit.verdict).or_else(|| {
            match self.tree.assumed_feedback(index, proposed)? {
                Feedback::Interesting => Some(Verdict::Interesting),
                Feedback::Uninteresting | Feedback::Rejected => Some(Verdict::Uninteresting),
            }
        })
    }

    /// Hands the candidate at `index` to the workers, unless it is there or known. Returns whether one more test is under way.
    pub(super) fn submit_if_needed(&mut self, index: NodeIndex) -> bool {
        let root = index == self.tree.root_index();
        let Some((node, proposed)) = self.tree.proposing_node(index) else {
            return false;
        };
        if self.is_rejected(index) {
            return false;
        }
        let known = if root {
            self.lookup_cache(proposed.hash, proposed.token_hash)
                .map(|hit| hit.verdict)
        } else {
            self.predicted_cache_verdict(index, proposed)
        };
        let key = (node.base, proposed.hash);
        let proposed: Arc<ProposedCandidate> = proposed.clone();
        let test = known.is_none() && self.needs_test(proposed.hash);
        let word = !self.testing.checked.contains_key(&key) && !self.testing.is_being_checked(key);
        let matters = known.is_none_or(|verdict| verdict == Verdict::Interesting);
        if (root && self.root_state.waiting) || !(test || word && matters) {
            return false;
        }
        self.submit_candidate(index, key, proposed.candidate.clone(), test);
        test
    }

    /// Whether no test result of this candidate is there or under way. A result of the store is recorded from now on.
    pub(super) fn needs_test(&mut self, candidate: ContentHash) -> bool {
        if self.testing.in_flight.contains_key(&candidate)
            || self.testing.results.get(candidate).is_some()
        {
            return false;
        }
        let recalled = self.store.as_ref().and_then(|store| store.get(candidate));
        let quorum = self.required_quorum();
        let enough = |result: &TestResult| {
            let tally = RunTally::from_verdict(result.verdict);
            quorum.evaluate_tally(tally).is_some()
        };
        let limits = self.limit.current_limits();
        let recalled = recalled.filter(|result| result.is_valid_under(limits) && enough(result));
        if let Some(result) = recalled {
            let result = result.recalled();
            let output = TestOutput::default();
            self.testing
                .results
                .insert(candidate, PendingResult { result, output });
        }
        recalled.is_none()
    }

    /// Has the batch's candidates tested that are not known.
    fn submit_lookahead(&mut self) {
        let root = self.tree.root_index();
        self.refresh_lookahead();
        for at in 0..self.testing.lookahead.candidates().len() {
            if self.testing.in_flight.len() >= self.pool.max_tests() {
                return;
            }
            let candidate = self.testing.lookahead.candidates()[at].clone();
            let key = (self.root_node().base, candidate.hash);
            let known = self
                .lookup_cache(candidate.hash, candidate.token_hash)
                .is_some();
            let refused = matches!(self.testing.checked.get(&key), Some(None));
            let waits = self.testing.timeouts.was_stopped(candidate.hash);
            if !known && !refused && !waits && self.needs_test(candidate.hash) {
                self.submit_candidate(root, key, candidate.version.clone(), true);
            }
        }
    }

    /// Gets the candidates that the current batch will propose in any case.
    fn refresh_lookahead(&mut self) {
        let present = self.tree.get(self.tree.root_index());
        match present
            .filter(|node| self.pool.max_tests() > 1 && node.proposed_candidate().is_some())
        {
            Some(present) if !self.is_testing_alone() => self
                .testing
                .lookahead
                .refresh_candidates(present, self.pool.max_tests()),
            _ => self.testing.lookahead.clear(),
        }
    }

    /// Hands a candidate of the version at `index` to the workers: for the parser's check, and for a test if `test`. One that is
    /// confirmed already is submitted at once.
    pub(super) fn submit_candidate(
        &mut self,
        index: NodeIndex,
        key: CandidateKey,
        candidate: Version,
        test: bool,
    ) {
        let (id, limits) = (self.pool.next_job_id(), self.limit.current_limits());
        if test {
            let Some((node, proposed)) = self.tree.proposing_node(index) else {
                return;
            };
            let kind = node.proposer.schedule.candidate_kind(&proposed.edit);
            self.register_test(id, key.1, kind, limits);
            let confirmed = self.testing.checked.get_mut(&key).and_then(Option::as_mut);
            if let Some(files) = confirmed.and_then(|confirmed| confirmed.files.take()) {
                let alone = self.root_state.alone;
                let fresh = self.wants_fresh_tests();
                self.pool.submit_test(TestJob {
                    id,
                    files,
                    limits,
                    alone,
                    fresh,
                });
                return;
            }
        }
        let Some(node) = self.tree.get(index) else {
            return;
        };
        let task = CandidateTask {
            id,
            base: node.proposer.view.version.clone(),
            candidate,
            limits,
            alone: self.root_state.alone,
            fresh: self.wants_fresh_tests(),
            syntactic: node.proposer.schedule.is_syntactic(),
            constraints: node.proposer.view.constraints.clone(),
            test,
        };
        self.testing.checks.insert(id, key);
        self.pool.check_candidate(task);
    }

    /// Registers a test that begins.
    fn register_test(
        &mut self,
        job: JobId,
        candidate: ContentHash,
        kind: CandidateKind,
        limits: TimeLimits,
    ) {
        let concurrent = !self.testing.in_flight.is_empty();
        for flight in self.testing.in_flight.values_mut() {
            flight.concurrent = true;
        }
        let flight = InFlightTest {
            job,
            kind,
            since: Instant::now(),
            limits,
            concurrent,
            quorum: self.required_quorum(),
            tally: RunTally::default(),
            slowest: Duration::ZERO,
            max_cpu: None,
        };
        self.testing.in_flight.insert(candidate, flight);
        self.testing.by_job.insert(job, candidate);
        self.record.counts.started += 1;
    }

    /// Kills tests whose candidate no branch and no batch proposes any more, and retires their results.
    pub(super) fn cancel_unwanted(&mut self) {
        if self.is_planning() {
            // The next candidate is not known yet.
            return;
        }
        self.refresh_lookahead();
        let mut wanted = FxHashSet::default();
        let mut keys = FxHashSet::default();
        for (_, node) in self.tree.nodes() {
            if let ProposerStop::Test(proposed) = &node.stop {
                wanted.insert(proposed.hash);
                keys.insert((node.base, proposed.hash));
            }
        }
        let (present, known) = (self.root_node().base, &mut self.testing);
        let ahead = &known.lookahead;
        let named = |key: &CandidateKey| key.0 == present && ahead.contains_candidate(key.1);
        let is_over = |key: &CandidateKey| !keys.contains(key) && !named(key);
        for (_, over) in known.checked.extract_if(|key, _| is_over(key)) {
            if let Some(over) = over {
                self.cleaner.drop_later(over.tokens, over);
            }
        }
        let is_stale = |(id, key): &(&JobId, &CandidateKey)| {
            !known.by_job.contains_key(*id) && !keys.contains(*key) && !named(key)
        };
        let checks = known.checks.iter().filter(is_stale);
        let stale: Vec<JobId> = checks.map(|(id, _)| *id).collect();
        for id in stale {
            known.checks.remove(&id);
            self.pool.cancel_job(id);
        }
        let is_wanted =
            |hash: &ContentHash| wanted.contains(hash) || ahead.contains_candidate(*hash);
        known.results.retire_unwanted(|hash| is_wanted(&hash));
        let flights = known.in_flight.keys().filter(|hash| !is_wanted(hash));
        let doomed: Vec<ContentHash> = flights.copied().collect();
        self.cancel_tests(doomed);
    }

    /// Kills these tests.
    pub(super) fn cancel_tests(&mut self, doomed: Vec<ContentHash>) {
        for hash in doomed {
            if let Some(flight) = self.testing.in_flight.remove(&hash) {
                self.testing.by_job.remove(&flight.job);
                self.testing.checks.remove(&flight.job);
                let started = self.pool.cancel_job(flight.job);
                self.record.counts.started -= u64::from(!started);
            }
        }
    }

    /// Kills all tests.
    pub(super) fn cancel_all(&mut self) {
        self.cancel_tests(self.testing.in_flight.keys().copied().collect());
    }

    /// From now until the next decision, only the root's candidate is tested.
    pub(super) fn test_alone(&mut self) {
        self.root_state.alone = true;
        self.tree.drop_speculation();
        self.cancel_unwanted();
    }
}
