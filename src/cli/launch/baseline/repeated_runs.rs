//! Repeated baseline tests of the original, or of the version from which a session resumes: as many as the quorum needs. After an
//! uninteresting run a few more follow, to tell a flaky test from a stable one.

use super::preflight::PreflightTester;
use crate::cli::failure::CommandFailure;
use crate::oracle::{TestFiles, TestOutcome, TimeLimits, Verdict};
use crate::reduce::{Quorum, RunTally};

/// The number of runs if the first is uninteresting.
const RUNS: u32 = 3;

/// The results of the runs.
pub struct BaselineRuns {
    /// The slowest interesting run if the quorum is met; else the first uninteresting one.
    pub outcome: TestOutcome,
    /// All runs.
    pub tally: RunTally,
}

impl BaselineRuns {
    /// A sentence about a test with both verdicts; none if it has one.
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
    /// Runs the test until the quorum is decided; without a quorum, once.
    pub fn run_baseline(
        &self,
        files: &TestFiles,
        limits: TimeLimits,
        quorum: Option<Quorum>,
    ) -> Result<BaselineRuns, CommandFailure> {
        let wanted = quorum.unwrap_or_default();
        let mut tally = RunTally::default();
        let (mut yes, mut no): (Option<TestOutcome>, Option<TestOutcome>) = (None, None);
        let mut decision = None;
        let decided = loop {
            let outcome = self.test_subject(files.clone(), limits)?;
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
                // Another run would take as long and show nothing new.
                Verdict::TimedOut if no.is_none() && yes.is_none() => {
                    return Ok(BaselineRuns { outcome, tally });
                }
                _ => no = no.or(Some(outcome)),
            }
            // Additional runs do not change the decision.
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
