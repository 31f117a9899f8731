//! The counters of a run and of its passes.

use std::sync::Arc;
use std::time::Duration;

use crate::program::TokenId;

/// How often each thing happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Candidates that were decided: by a test or by the cache.
    pub decisions: u64,
    /// Tests that decided something, the first one on the original not counted.
    pub tests: u64,
    /// Tests that this process started: those too whose verdict was not needed after all.
    pub started: u64,
    /// Decisions that a store of verdicts answered, so that no test ran.
    pub from_store: u64,
    /// Decisions by tests of an earlier process, which a resume repeats from the journal, so that no test ran.
    pub from_journal: u64,
    /// Tests that said interesting.
    pub interesting: u64,
    /// Tests that said uninteresting.
    pub uninteresting: u64,
    /// Tests that ended with 125.
    pub invalid: u64,
    /// Tests that were killed at their limit.
    pub timed_out: u64,
    /// Decisions that the cache answered.
    pub cached: u64,
    /// Those of them that were about a candidate which differs from an earlier one in white space only.
    pub respaced: u64,
    /// Candidates that were rejected before any test.
    pub rejected: u64,
    /// Accepted edits.
    pub accepted: u64,
    /// Runs of the test on bytes that it had been run on before, to see whether it says the same.
    pub repeated: u64,
    /// How often the verdict was different.
    pub changed: u64,
    /// Of a pair: how often a test ran that sees the seed alone, and one that sees the variant alone. All that ended count, whatever for.
    pub tests_by_document: [u64; 2],
}

impl RunCounts {
    /// Adds the tests of single documents that ran for one job.
    pub fn add_document_tests(&mut self, tests: [u64; 2]) {
        for (all, more) in self.tests_by_document.iter_mut().zip(tests) {
            *all += more;
        }
    }

    /// Tests that this process started and that have decided nothing: they run, were killed, or their answer was not needed.
    pub fn unused_tests(&self) -> u64 {
        let ran = self.tests - self.from_store - self.from_journal;
        self.started.saturating_sub(ran)
    }
}

/// A pass, as the list of passes shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassLine {
    /// Its name.
    pub name: &'static str,
    /// One line on what it does.
    pub what: &'static str,
    /// Where it stands.
    pub state: PassState,
    /// What its round asks about, in words; none for everything.
    pub scope: Option<Arc<str>>,
    /// Decisions about its candidates.
    pub tried: u64,
    /// Decisions about its candidates since it began the last time, or its round did.
    pub asked: u64,
    /// The last time that it, or a round of it, came to its end.
    pub last_sweep: Option<PassSweep>,
    /// Its accepted edits.
    pub accepted: u64,
    /// What it did not test, since it began the last time.
    pub untested: UntestedCandidates,
    /// Tokens that its accepted edits removed.
    pub tokens: u64,
    /// Time its tests took.
    pub time: Duration,
    /// The tokens of the program when it last came to its end without an accepted edit, if it did since an earlier version became current.
    pub settled: Option<u32>,
}

/// Passes that stand in another order than that of the strategy. The command `order` with `now` or with `before` makes the one order or
/// the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReorderedPasses {
    /// Those that stand at another place, as the run has them.
    pub moved: Vec<&'static str>,
    /// These and those between them and the running pass, as the run has them.
    pub now: Vec<&'static str>,
    /// The same as `now`, as the strategy has them.
    pub before: Vec<&'static str>,
}

/// A pass from its beginning to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSweep {
    /// How many questions it asked.
    pub questions: u64,
    /// The tokens of the program at its end.
    pub tokens: u32,
}

/// The candidates of a pass that have no verdict of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UntestedCandidates {
    /// How many were rejected before a test.
    pub rejected: u64,
    /// How many tests were cut short at their limit.
    pub timed_out: u64,
    /// The tokens of each node that the user skipped.
    pub skipped_nodes: Vec<Arc<[TokenId]>>,
}

/// Where a pass stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassState {
    /// Its turn has not come.
    Waiting,
    /// It is proposing; in this round.
    Running(u32),
    /// It has nothing left to propose.
    Done,
    /// The user cut it short.
    Skipped,
    /// The user disabled it.
    Disabled,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_an_earlier_process_do_not_hide_those_that_were_not_needed() {
        let resumed = RunCounts {
            tests: 10,
            from_store: 1,
            from_journal: 6,
            started: 7,
            ..RunCounts::default()
        };
        assert_eq!(resumed.unused_tests(), 4);
    }
}
