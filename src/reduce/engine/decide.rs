//! Decisions: the answer to the root's question, and what follows from it.
//!
//! A test that timed out while others ran is run again, alone, before it counts. So is one that timed out under another limit.

use super::ReductionEngine;
use super::breakpoints::BreakEvent;
use super::root_state::RootState;
use crate::oracle::{self, Verdict};
use crate::program::ContentHash;
use crate::protocol::Feedback;
use crate::reduce::decision::DecisionDetails;
use crate::reduce::ports::{DecisionOrigin, JournalDecision, JournalResult};
use crate::reduce::proposer::{ProposedCandidate, ProposerEvent};
use crate::reduce::reporting::VerdictSource;
use crate::reduce::results::{CacheHit, CandidateResult};

impl ReductionEngine {
    /// How the root's question ends, and who says so, if that is known. An interesting candidate needs its trees; and what the parser
    /// has not confirmed is no question for a test.
    pub(super) fn known_verdict(
        &mut self,
        question: &ProposedCandidate,
    ) -> Option<(Verdict, VerdictSource)> {
        let confirmed = self
            .confirmed_trees((self.root_node().base, question.hash))
            .is_some();
        match self.lookup_cache(question.hash, question.gist) {
            Some(CacheHit { ending, respaced }) if confirmed || ending != Verdict::Interesting => {
                return Some((ending, VerdictSource::Cache { respaced }));
            }
            // Nobody would wake us for what a store knows of a candidate that is confirmed already.
            None if confirmed && !self.needs_test(question.hash) => {}
            _ => return None,
        }
        let fact = self.take_usable_result(question.hash)?;
        if fact.from_store {
            self.record.counts.from_store += 1;
            self.record.time_saved += fact.run.time;
            self.journal.record_result(&JournalResult {
                hash: question.hash,
                ending: fact.ending,
                time: fact.run.time,
                cpu: fact.run.cpu,
                limit: fact.limits.wall,
                bound: fact.run.exit.exceeded_limit(),
                concurrent: false,
                from_store: true,
                tally: fact.tally,
                quorum: fact.quorum,
                is_recheck: false,
            });
        }
        Some((fact.ending, VerdictSource::Test(fact.run, fact.tally)))
    }

    /// The fact about the root's candidate, if it counts. One that timed out among others, or under another limit, is asked for
    /// again, alone; and one of too few runs is asked for again.
    fn take_usable_result(&mut self, hash: ContentHash) -> Option<CandidateResult> {
        let fact = self.testing.results.remove(hash)?;
        let stale = fact.limits != self.limit.current_limits();
        if fact.ending == Verdict::TimedOut && (fact.concurrent || stale) {
            self.test_alone();
            return None;
        }
        let (quorum, yes) = (self.required_quorum(), fact.ending == Verdict::Interesting);
        let tells = fact.quorum == quorum || quorum.evaluate_tally(fact.tally) == Some(yes);
        tells.then_some(fact)
    }

    /// The root's question is answered: the branch that came true is the present now.
    pub(super) fn commit_decision(
        &mut self,
        question: &ProposedCandidate,
        ending: Verdict,
        source: VerdictSource,
    ) {
        let number = self.record.counts.decisions + 1;
        let limits = self.limit.current_limits();
        let (yes, hash) = (ending == Verdict::Interesting, question.hash);
        if let VerdictSource::Test(run, tally) = &source {
            self.record.count_repeats(*tally);
            if yes {
                self.record.add_tally(hash, *tally);
            }
            self.testing
                .cache
                .record_decision(hash, question.gist, ending, limits);
            if yes && self.limit.on_interesting(run.time, run.cpu) {
                self.record.limit = self.limit.current_limits().wall;
            }
        }
        self.journal.record_decision(&JournalDecision {
            number,
            hash,
            ending,
            origin: match &source {
                VerdictSource::Test(..) => DecisionOrigin::Test,
                VerdictSource::Cache { respaced: false } => DecisionOrigin::Cache,
                VerdictSource::Cache { respaced: true } => DecisionOrigin::Respaced,
            },
            rejected: self.record.counts.rejected - self.rejected_before,
            limit: limits.wall,
        });
        let shown = self.record.current_test.take();
        let version = self.root_node().proposer.view.version.clone();
        let saved = version
            .token_count()
            .saturating_sub(question.candidate.token_count());
        let sentence = match shown.filter(|trying| trying.edit == question.edit) {
            Some(trying) => trying.sentence,
            None => question.why.to_sentence(&version, saved),
        };
        let (time, exit, bound, output) = match source {
            VerdictSource::Test(run, _) => {
                let exit = run.exit;
                (
                    Some(run.time),
                    exit.to_string(),
                    exit.exceeded_limit(),
                    run.output,
                )
            }
            VerdictSource::Cache { respaced } => {
                self.record.counts.respaced += u64::from(respaced);
                (None, String::new(), None, oracle::TestOutput::default())
            }
        };
        let decided = DecisionDetails {
            decision: number,
            ending,
            edit: question.edit.clone(),
            why: question.why.clone(),
            sentence,
            saved,
            time,
            exit,
            bound,
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
        self.check_breakpoints(&BreakEvent::Decided(ending));
    }

    /// Tells what happened on the way to the present.
    pub(super) fn process_root_events(&mut self) {
        let root = self.tree.root_index();
        let happened = self
            .tree
            .get_mut(root)
            .map(|node| std::mem::take(&mut node.events))
            .unwrap_or_default();
        for event in happened {
            match event {
                ProposerEvent::Turn(turn) => {
                    let began = self.record.set_turn(turn);
                    if let Some(ended) = self.record.ended_pass.take() {
                        self.journal.record_pass(&ended);
                    }
                    if let Some(pass) = began {
                        self.check_breakpoints(&BreakEvent::Turn(pass));
                    }
                }
                ProposerEvent::Rejected => self.record.count_rejection(),
                ProposerEvent::ManualEditRejected => {
                    self.record.count_rejection();
                    self.add_note("your edit is not asked about: a required query or another constraint forbids it".into());
                }
                ProposerEvent::Accepted(found, leaves) => {
                    let (number, version) = (self.history.next_number(), &found.version);
                    let taken = self.record.next_accepted(number, version);
                    if leaves
                        && found.version.token_count()
                            >= self.history.current_version().version.token_count()
                    {
                        self.detour_base
                            .get_or_insert(self.history.current_version().number);
                    }
                    let past = self.build_version_record(&found);
                    self.journal.record_accept(&taken, &past);
                    self.record.record_accept(taken);
                    self.add_version(past);
                    self.check_breakpoints(&BreakEvent::Accepted(&found.version));
                }
            }
        }
    }
}
