//! Where everything is recorded before anyone sees its effect.
//!
//! A journal has *results*, written as they come: a verdict for these bytes, under this limit. And it has *decisions*, accepted versions and
//! commands, written in the order of the dialogue. Decisions depend on nothing but what the run started from, the results and the
//! commands; two runs are the same when their decisions are.

use std::time::Duration;

use crate::oracle::Verdict;
use crate::program::ContentHash;
use crate::reduce::commands::{CommandPosition, EngineCommand};
use crate::reduce::decision::{AcceptedVersion, Decision};
use crate::reduce::history::VersionRecord;
use crate::reduce::reporting::{FinishReason, MinimalityClaim, PassLine, RunCounts};
use crate::reduce::results::{ResultOrigin, TestResult};

/// The result of a test, for the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalResult {
    /// The bytes, as one hash over all documents.
    pub hash: ContentHash,
    /// The test's verdict and figures.
    pub result: TestResult,
    /// Whether it is about a version that was found interesting before, and no decision uses it.
    pub is_recheck: bool,
}

/// A candidate and its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalDecision {
    /// Its number.
    pub number: Decision,
    /// The candidate.
    pub hash: ContentHash,
    /// The answer.
    pub verdict: Verdict,
    /// Where it comes from.
    pub origin: ResultOrigin,
    /// Candidates since the decision before it that were rejected before a test.
    pub rejected: u64,
    /// The limit in force.
    pub limit: Option<Duration>,
}

/// Records what happens. The engine calls it before it publishes.
pub trait Journal: Send {
    /// A test has ended.
    fn record_result(&mut self, result: &JournalResult);
    /// A candidate was decided.
    fn record_decision(&mut self, decided: &JournalDecision);
    /// An edit was accepted, and made this version.
    fn record_accept(&mut self, taken: &AcceptedVersion, version: &VersionRecord);
    /// Another version is current without an accepted edit; the second belongs on the disk.
    fn record_switch(&mut self, version: u64, kept: u64);
    /// A command holds before this decision, after a number of rejections since the one before.
    fn record_command(&mut self, place: CommandPosition, command: &EngineCommand);
    /// A pass has ended, or one of its rounds: what it did in all.
    fn record_pass(&mut self, line: &PassLine);
    /// The run waits. Lines that were put off are written now.
    fn on_idle(&mut self) {}
    /// Only a number of the recorded events were replayed; after them versions were restored from their texts.
    /// [`Journal::record_resume`] follows.
    fn record_restore(&mut self, _held: usize) {}
    /// The replay is over: from now on things happen. `exactly` says whether they continue as if the run had not been
    /// interrupted.
    fn record_resume(&mut self, exactly: bool);
    /// The run has ended with these counts and this claim.
    fn record_finish(&mut self, finish: &FinishReason, counts: &RunCounts, claim: &MinimalityClaim);
    /// Why something is not written although it should be, after another try; none if all is.
    fn retry_failed_write(&mut self) -> Option<String> {
        None
    }
    /// What was written and is lost, as a sentence that is returned once.
    fn take_loss_notice(&mut self) -> Option<String> {
        None
    }
}

/// Writes nothing down.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJournal;

impl Journal for NoJournal {
    fn record_result(&mut self, _: &JournalResult) {}
    fn record_decision(&mut self, _: &JournalDecision) {}
    fn record_accept(&mut self, _: &AcceptedVersion, _: &VersionRecord) {}
    fn record_switch(&mut self, _: u64, _: u64) {}
    fn record_command(&mut self, _: CommandPosition, _: &EngineCommand) {}
    fn record_pass(&mut self, _: &PassLine) {}
    fn record_resume(&mut self, _: bool) {}
    fn record_finish(&mut self, _: &FinishReason, _: &RunCounts, _: &MinimalityClaim) {}
}
