//! The tests before a run, of the original or of the version that a session goes on with: as many runs as are wanted, and when the test
//! says no a few more, so that one which is flaky is told from one which means it.

use std::sync::Arc;

use super::failure::Failure;
use super::original::Question;
use crate::oracle::{Limits, Outcome, Verdict};
use crate::reduce::{Ending, Quorum, Tally};

/// How many runs there are in all when the first says no.
const RUNS: u32 = 3;

/// What the test said.
pub(super) struct Golden {
    /// The run that tells: the slowest that was interesting, or else the first that was not.
    pub outcome: Outcome,
    /// All runs.
    pub tally: Tally,
}

impl Golden {
    /// What there is to say of a test that said both; none if it did not.
    pub fn flaky(&self) -> Option<String> {
        let Tally { yes, runs } = self.tally;
        self.tally.is_mixed().then(|| {
            format!(
                "the test is flaky: on the same file it said interesting in {yes} of {runs} runs. --confirm K/N says how many runs shall be enough, as --confirm 1/5"
            )
        })
    }
}

impl Question<'_> {
    /// Asks until the quorum is decided, or if that is not said, once.
    pub fn golden(
        &self,
        bytes: &Arc<[u8]>,
        limits: Limits,
        quorum: Option<Quorum>,
    ) -> Result<Golden, Failure> {
        let wanted = quorum.unwrap_or_default();
        let mut tally = Tally::default();
        let (mut yes, mut no): (Option<Outcome>, Option<Outcome>) = (None, None);
        let mut told = None;
        let decided = loop {
            let outcome = self.ask(bytes, limits)?;
            let Outcome::Verdict(verdict, run) = &outcome else {
                return Ok(Golden { outcome, tally });
            };
            tally.add(Ending::from(*verdict));
            match verdict {
                Verdict::Interesting => {
                    let slower = yes.as_ref().is_none_or(
                        |yes| matches!(yes, Outcome::Verdict(_, old) if old.time < run.time),
                    );
                    if slower {
                        yes = Some(outcome);
                    }
                }
                // It takes long, and says nothing that another would not.
                Verdict::TimedOut if no.is_none() && yes.is_none() => {
                    return Ok(Golden { outcome, tally });
                }
                _ => no = no.or(Some(outcome)),
            }
            // More runs than are needed do not change what those decided.
            told = told.or(wanted.decides(tally));
            if let Some(yes) = told.filter(|yes| *yes || tally.runs >= RUNS) {
                break yes;
            }
        };
        let outcome = match decided {
            true => yes.or(no),
            false => no.or(yes),
        };
        Ok(Golden {
            outcome: outcome.unwrap_or(Outcome::Cancelled),
            tally,
        })
    }
}
