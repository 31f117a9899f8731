//! Decisions: the verdict on the root's candidate, and what follows from it.
//!
//! A test that timed out while others ran is run again, alone, before it counts. So is one that timed out under another limit.

use super::ReductionEngine;
use super::breakpoints::BreakEvent;
use super::testing_state::RootState;
use crate::oracle::{TestOutput, Verdict};
use crate::program::{ContentHash, TokenChange};
use crate::protocol::Feedback;
use crate::reduce::decision::{Decision, DecisionDetails};
use crate::reduce::ports::{JournalDecision, JournalResult, TestedCandidate};
use crate::reduce::proposer::{ProposedCandidate, ProposerEvent};
use crate::reduce::reporting::EXTERNAL;
use crate::reduce::results::{PendingResult, ResultOrigin, TestResult};

impl ReductionEngine {
    /// The verdict on the root's candidate and its origin, if it is known. An interesting candidate needs its trees, and a candidate that
    /// the parser has not confirmed is not tested.
    pub(super) fn known_result(
        &mut self,
        proposed: &ProposedCandidate,
    ) -> Option<(TestResult, TestOutput)> {
        let confirmed = self
            .confirmed_trees((self.root_node().base, proposed.hash))
            .is_some();
        match self.lookup_cache(proposed.hash, proposed.token_hash) {
            Some(hit) if confirmed || hit.verdict != Verdict::Interesting => {
                let result = hit.to_result(self.limit.current_limits());
                return Some((result, TestOutput::default()));
            }
            // A result from the store sends no event, so a confirmed candidate is decided here.
            None if confirmed && !self.needs_test(proposed.hash) => {}
            _ => return None,
        }
        let PendingResult { result, output } = self.take_usable_result(proposed.hash)?;
        if result.origin == ResultOrigin::Store {
            self.record.counts.from_store += 1;
            self.record.time_saved += result.time;
            self.journal.record_result(&JournalResult {
                hash: proposed.hash,
                result,
                is_recheck: false,
            });
        }
        Some((result, output))
    }

    /// The result of the root's candidate, if it counts. One that timed out among others, or under another limit, is tested again,
    /// alone; and one of too few runs is tested again.
    fn take_usable_result(&mut self, hash: ContentHash) -> Option<PendingResult> {
        let pending = self.testing.results.remove(hash)?;
        let result = &pending.result;
        let stale = result.limits != self.limit.current_limits();
        if result.verdict == Verdict::TimedOut && (result.concurrent || stale) {
            self.test_alone();
            return None;
        }
        let (quorum, yes) = (
            self.required_quorum(),
            result.verdict == Verdict::Interesting,
        );
        let decides = result.quorum == quorum || quorum.evaluate_tally(result.tally) == Some(yes);
        decides.then_some(pending)
    }

    /// What is said of how a test ended: the status, if it says anything.
    fn describe_exit(&self, result: &TestResult) -> String {
        let Some(exit) = result.exit else {
            return String::new();
        };
        let mut property = self.record.property.iter();
        match result.verdict == Verdict::Uninteresting
            && property.any(|property| property.lacks_difference(exit))
        {
            true => "both agree".into(),
            false => exit.to_string(),
        }
    }

    /// Decides the root's candidate: the branch that came true holds the current version now.
    pub(super) fn commit_decision(
        &mut self,
        proposed: &ProposedCandidate,
        result: TestResult,
        output: TestOutput,
    ) {
        let number = self.record.counts.decisions + 1;
        let limits = self.limit.current_limits();
        let (verdict, hash, tested) = (result.verdict, proposed.hash, !result.origin.is_cached());
        self.testing.timeouts.forget_candidate(hash);
        let yes = verdict == Verdict::Interesting;
        if tested {
            self.record.count_repeats(result.tally);
            if yes {
                self.record.add_tally(hash, result.tally);
            }
            self.testing
                .cache
                .record_decision(hash, proposed.token_hash, verdict, limits);
            if yes && self.limit.on_interesting(result.time, result.cpu) {
                self.record.limit = self.limit.current_limits().wall;
            }
        }
        self.record.counts.from_journal += u64::from(result.origin == ResultOrigin::Journal);
        self.record.counts.respaced += u64::from(result.origin == ResultOrigin::Respaced);
        self.journal.record_decision(&JournalDecision {
            number,
            hash,
            verdict,
            origin: result.origin,
            rejected: self.record.counts.rejected - self.rejected_before,
            limit: limits.wall,
        });
        if result.origin == ResultOrigin::Ran {
            self.keep_tested(number, proposed, verdict, &output);
        }
        self.external
            .on_decision(proposed.why.pass, verdict, &output);
        let shown = self.record.current_test.take();
        let version = self.root_node().proposer.view.version.clone();
        let change = TokenChange::between(&version, &proposed.candidate);
        let (sentence, algorithm) = match shown.filter(|trying| trying.edit == proposed.edit) {
            Some(trying) => (trying.sentence, trying.algorithm),
            None => {
                let proposer = &self.root_node().proposer;
                let is_seen = self.record.publisher.wants_snapshot();
                (
                    proposed.why.to_sentence(&version, &proposed.edit, change),
                    is_seen.then(|| proposer.describe_algorithm()).flatten(),
                )
            }
        };
        let decided = DecisionDetails {
            decision: number,
            verdict,
            edit: proposed.edit.clone(),
            why: proposed.why.clone(),
            sentence,
            change,
            algorithm,
            origin: result.origin,
            decided_at: self.record.publisher.wall_time(),
            time: tested.then_some(result.time),
            exit: match tested {
                true => self.describe_exit(&result),
                false => String::new(),
            },
            bound: result.exceeded_limit().filter(|_| tested),
            output,
        };
        self.record
            .record_decision(decided, self.history.current_version().number, &version);
        let trees = self.confirmed_trees((self.root_node().base, hash)).cloned();
        self.root_state = RootState {
            steps: self.root_state.steps,
            ..RootState::default()
        };
        self.rejected_before = self.record.counts.rejected;
        let answer = if yes {
            Feedback::Interesting
        } else {
            Feedback::Uninteresting
        };
        self.tree.promote_branch(answer, trees.as_ref());
        self.cancel_unwanted();
        self.process_root_events();
        self.check_breakpoints(&BreakEvent::Decided(verdict));
    }

    /// Hands a candidate that was tested to its keeper.
    fn keep_tested(
        &mut self,
        decision: Decision,
        proposed: &ProposedCandidate,
        verdict: Verdict,
        output: &TestOutput,
    ) {
        let Some(keeper) = &mut self.candidates else {
            return;
        };
        let files = proposed.candidate.render_files();
        let tested = files.last().map(|(_, text)| TestedCandidate {
            decision,
            text,
            verdict,
            output,
        });
        let note = tested.and_then(|tested| keeper.keep_candidate(&tested));
        if let Some(note) = note {
            self.add_note(note);
        }
    }

    /// Reports what happened on the way to the current candidate.
    pub(super) fn process_root_events(&mut self) {
        let root = self.tree.root_index();
        let events = self
            .tree
            .get_mut(root)
            .map(|node| std::mem::take(&mut node.events))
            .unwrap_or_default();
        for event in events {
            match event {
                ProposerEvent::Turn(turn) => {
                    let began = self.record.set_turn(turn);
                    if let Some(ended) = self.record.passes.take_ended() {
                        self.journal.record_pass(&ended);
                    }
                    if let Some(pass) = began {
                        self.check_breakpoints(&BreakEvent::Turn(pass));
                    }
                }
                ProposerEvent::Rejected => self.record.count_rejection(),
                ProposerEvent::ManualEditRejected(EXTERNAL) => {
                    self.record.count_rejection();
                    self.external.on_rejection();
                }
                ProposerEvent::ManualEditRejected(_) => {
                    self.record.count_rejection();
                    self.add_note("your edit is not tested: a required query or another constraint forbids it".into());
                }
                ProposerEvent::DetourDropped => self.drop_detour(),
                ProposerEvent::Accepted(found, leaves) => {
                    let (number, version) = (self.history.next_number(), &found.version);
                    let taken = self.record.next_accepted(number, version);
                    if leaves {
                        self.begin_detour(&found.edit);
                    }
                    let past = self.build_version_record(&found);
                    self.journal.record_accept(&taken, &past);
                    self.record.record_accept(taken, found.why.pass);
                    self.add_version(past);
                    if leaves {
                        self.note_detour_start();
                    }
                    self.check_breakpoints(&BreakEvent::Accepted(&found.version));
                }
            }
        }
    }
}
