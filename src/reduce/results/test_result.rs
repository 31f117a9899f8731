//! The result of a test: one value from the run of the test to the cache, the stores, the journal and the screen.

use std::time::Duration;

use super::quorum::{Quorum, RunTally};
use crate::oracle::{LimitKind, TestExit, TestRun, TimeLimits, Verdict};

/// What a test said of a candidate. What it printed travels beside it, as far as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestResult {
    /// What it said.
    pub verdict: Verdict,
    /// How it ended; of several runs the last. None where nothing says it: no test ran, or an older lop wrote the result down.
    pub exit: Option<TestExit>,
    /// How long it took; of several runs the longest.
    pub time: Duration,
    /// The processor time of all its processes, where it is known; of several runs the most.
    pub cpu: Option<Duration>,
    /// The limits that it had.
    pub limits: TimeLimits,
    /// Whether it exceeded a limit of time while other tests ran: then it is repeated alone before it counts.
    pub concurrent: bool,
    /// The runs that it is made of.
    pub tally: RunTally,
    /// How many of them had to say interesting.
    pub quorum: Quorum,
    /// Where it comes from.
    pub origin: ResultOrigin,
}

/// Where a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOrigin {
    /// The test ran.
    Ran,
    /// A verdict store had it.
    Store,
    /// The journal had it: the run is resumed or replayed.
    Journal,
    /// An earlier decision about the same bytes.
    Cache,
    /// An earlier decision about the same tokens, with other white space between them.
    Respaced,
}

impl ResultOrigin {
    /// Whether an earlier decision of the same run answered, and no test.
    pub fn is_cached(self) -> bool {
        matches!(self, ResultOrigin::Cache | ResultOrigin::Respaced)
    }
}

impl TestResult {
    /// The result of one run.
    pub fn from_run(verdict: Verdict, run: &TestRun, limits: TimeLimits) -> TestResult {
        TestResult {
            verdict,
            exit: Some(run.exit),
            time: run.time,
            cpu: run.cpu,
            limits,
            concurrent: false,
            tally: RunTally::from_verdict(verdict),
            quorum: Quorum::ONCE,
            origin: ResultOrigin::Ran,
        }
    }

    /// The result of one run, as it was written down. Of a test beyond a limit that is not known, it was that of its time.
    pub fn from_record(
        origin: ResultOrigin,
        verdict: Verdict,
        exit: Option<TestExit>,
        (time, cpu): (Duration, Option<Duration>),
        limits: TimeLimits,
    ) -> TestResult {
        let too_slow = || TestExit::Killed(LimitKind::Wall);
        TestResult {
            verdict,
            exit: exit.or_else(|| (verdict == Verdict::TimedOut).then(too_slow)),
            time,
            cpu,
            limits,
            concurrent: false,
            tally: RunTally::from_verdict(verdict),
            quorum: Quorum::ONCE,
            origin,
        }
    }

    /// The limit that it exceeded, if it did.
    pub fn exceeded_limit(&self) -> Option<LimitKind> {
        self.exit.and_then(TestExit::exceeded_limit)
    }

    /// The same as a store hands it out: it counts as one run.
    pub fn recalled(self) -> TestResult {
        TestResult {
            concurrent: false,
            tally: RunTally::from_verdict(self.verdict),
            quorum: Quorum::ONCE,
            origin: ResultOrigin::Store,
            ..self
        }
    }

    /// Whether it holds under these limits: a test that was too slow may be fast enough for others, so it counts only under the very
    /// same.
    pub fn is_valid_under(&self, limits: TimeLimits) -> bool {
        self.verdict != Verdict::TimedOut || self.limits == limits
    }

    /// Whether it will be the answer if the run comes to the candidate. A test that was too slow may be repeated.
    pub fn is_final(&self) -> bool {
        self.verdict != Verdict::TimedOut
    }
}
