//! The tests before a run, of the original or of the version that a session goes on with: as many runs as are wanted, and when the test
//! says no a few more, so that one which is flaky is told from one which means it.

use std::sync::Arc;

use super::preflight::PreflightTester;
use crate::cli::failure::CommandFailure;
use crate::oracle::{TestOutcome, TimeLimits, Verdict};
use crate::reduce::{Quorum, RunTally};

/// How many runs there are in all when the first says no.
const RUNS: u32 = 3;

/// What the test said.
pub struct BaselineRuns {
    /// The run that tells: the slowest that was interesting, or else the first that was not.
    pub outcome: TestOutcome,
    /// All runs.
    pub tally: RunTally,
}

impl BaselineRuns {
    /// What there is to say of a test that said both; none if it did not.
    pub fn describe_flakiness(&self) -> Option<String> {
        let RunTally { yes, runs } = self.tally;
        self.tally.is_mixed().then(|| {
            format!(
                "the test is flaky: on the same file it said interesting in {yes} of {runs} runs. --confirm K/N sets how many runs must pass, as in --confirm 1/5"
            )
        })
    }
}

impl PreflightTester<'_> {
    /// Asks until the quorum is decided, or if that is not said, once.
    pub fn run_baseline(
        &self,
        bytes: &Arc<[u8]>,
        limits: TimeLimits,
        quorum: Option<Quorum>,
    ) -> Result<BaselineRuns, CommandFailure> {
        let wanted = quorum.unwrap_or_default();
        let mut tally = RunTally::default();
        let (mut yes, mut no): (Option<TestOutcome>, Option<TestOutcome>) = (None, None);
        let mut decision = None;
        let decided = loop {
            let outcome = self.test_once(bytes, limits)?;
            let TestOutcome::Verdict(verdict, run) = &outcome else {
                return Ok(BaselineRuns { outcome, tally });
            };
            tally.add_run(*verdict);
            match verdict {
                Verdict::Interesting => {
                    let slower = yes.as_ref().is_none_or(
                        |yes| matches!(yes, TestOutcome::Verdict(_, old) if old.time < run.time),
                    );
                    if slower {
                        yes = Some(outcome);
                    }
                }
                // It takes long, and says nothing that another would not.
                Verdict::TimedOut if no.is_none() && yes.is_none() => {
                    return Ok(BaselineRuns { outcome, tally });
                }
                _ => no = no.or(Some(outcome)),
            }
            // More runs than are needed do not change what those decided.
            decision = decision.or(wanted.evaluate_tally(tally));
            if let Some(yes) = decision.filter(|yes| *yes || tally.runs >= RUNS) {
                break yes;
            }
        };
        let outcome = match decided {
            true => yes.or(no),
            false => no.or(yes),
        };
        Ok(BaselineRuns {
            outcome: outcome.unwrap_or(TestOutcome::Cancelled),
            tally,
        })
    }
}
