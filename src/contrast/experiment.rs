//! Tries neighbours: known verdicts first, then tests, then checks of those that lost the bug.

use std::path::Path;

use crossbeam_channel::{Receiver, select};

use super::TriedNeighbour;
use super::neighbours::ProgramNeighbour;
use super::roles::ChangeOutcome;
use crate::oracle::{JobId, NoVerdict, Runner, TestJob, TestOutcome, TimeLimits, Verdict};
use crate::program::ContentHash;

/// Who says whether a neighbour without the bug is valid.
pub enum ValiditySource<'a> {
    /// The test: it finds invalid what is.
    Test,
    /// Another test, which finds interesting what is valid.
    Check(&'a mut dyn Runner),
    /// Nobody.
    Nobody,
}

/// Where verdicts come from.
pub struct ContrastOracle<'a> {
    /// Runs the test.
    pub test: &'a mut dyn Runner,
    /// Who says what is valid.
    pub validity: ValiditySource<'a>,
    /// The limits of a test or check.
    pub limits: TimeLimits,
    /// The verdicts of the same test that are known, by the hash of the candidate.
    pub known: &'a dyn Fn(ContentHash) -> Option<Verdict>,
    /// The most tests. Known verdicts and checks do not count.
    pub max_tests: usize,
    /// Signals that end the experiment. It also ends when nobody can send one any more.
    pub interrupted: &'a Receiver<i32>,
    /// Is told of each result.
    pub on_progress: &'a dyn Fn(ContrastProgress),
}

/// How far an experiment is: how many neighbours of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContrastProgress {
    /// Were tested, besides those whose verdicts were known.
    Tested(usize, usize),
    /// Were checked, of those that lost the bug.
    Checked(usize, usize),
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ContrastError {
    /// This signal came, or nobody wants the report any more.
    #[error("the comparison was stopped")]
    Interrupted(i32),
    /// A test cannot be run, and will not be by itself.
    #[error("{0}")]
    NoVerdict(NoVerdict),
    /// The thread that runs tests has died.
    #[error("the thread that runs the test has died")]
    RunnerLost,
    /// The system gives no threads or descriptors to run tests.
    #[error("the test cannot be run: {0}")]
    NoRunner(std::io::Error),
}

/// The result.
pub struct ExperimentResult {
    /// In the order in which they were given, with those beyond the limit.
    pub tried: Vec<TriedNeighbour>,
    pub tests: usize,
    pub known: usize,
    pub checks: usize,
}

/// Tries the neighbours in order, until the limit of tests is reached.
pub fn try_neighbours(
    path: &Path,
    neighbours: Vec<ProgramNeighbour>,
    oracle: &mut ContrastOracle<'_>,
) -> Result<ExperimentResult, ContrastError> {
    let (mut tests, mut known) = (Vec::new(), 0);
    // None for those whose verdict is sought.
    let mut tried: Vec<(ProgramNeighbour, Option<Verdict>)> = Vec::new();
    let mut left_out = vec![false; neighbours.len()];
    for (at, neighbour) in neighbours.into_iter().enumerate() {
        let verdict = match neighbour.is_grammatical {
            true => (oracle.known)(neighbour.hash),
            false => Some(Verdict::Invalid),
        };
        known += usize::from(neighbour.is_grammatical && verdict.is_some());
        match verdict {
            None if tests.len() < oracle.max_tests => tests.push(at),
            None => left_out[at] = true,
            Some(_) => {}
        }
        tried.push((neighbour, verdict));
    }
    let mut batch = TestBatch {
        path,
        limits: oracle.limits,
        interrupted: oracle.interrupted,
        on_progress: oracle.on_progress,
    };
    let progress = ContrastProgress::Tested;
    for (at, verdict) in batch.run_all(oracle.test, &tried, &tests, progress)? {
        tried[at].1 = verdict;
    }
    let mut checked: Vec<Option<bool>> = vec![None; tried.len()];
    let mut checks = Vec::new();
    match &mut oracle.validity {
        ValiditySource::Test => checked.fill(Some(true)),
        ValiditySource::Nobody => {}
        ValiditySource::Check(check) => {
            let lost = |at: &usize| tried[*at].1 == Some(Verdict::Uninteresting);
            checks = (0..tried.len()).filter(lost).collect();
            let progress = ContrastProgress::Checked;
            for (at, verdict) in batch.run_all(&mut **check, &tried, &checks, progress)? {
                checked[at] = verdict.map(|verdict| verdict == Verdict::Interesting);
            }
        }
    }
    let is_checked = !matches!(oracle.validity, ValiditySource::Nobody);
    let tried = tried.into_iter().zip(checked).zip(&left_out);
    Ok(ExperimentResult {
        tried: tried
            .map(|(((neighbour, verdict), valid), left_out)| TriedNeighbour {
                neighbour,
                outcome: match left_out {
                    true => ChangeOutcome::Untried,
                    false => to_outcome(verdict, valid, is_checked),
                },
            })
            .collect(),
        tests: tests.len(),
        known,
        checks: checks.len(),
    })
}

/// What a verdict means, with what the check says.
fn to_outcome(verdict: Option<Verdict>, valid: Option<bool>, is_checked: bool) -> ChangeOutcome {
    match (verdict, valid) {
        (Some(Verdict::Interesting), _) => ChangeOutcome::Fails,
        (Some(Verdict::Invalid), _) => ChangeOutcome::Invalid,
        (Some(Verdict::Uninteresting), Some(true)) => ChangeOutcome::Works,
        (Some(Verdict::Uninteresting), Some(false)) => ChangeOutcome::Invalid,
        (Some(Verdict::Uninteresting), None) if !is_checked => ChangeOutcome::Lost,
        // One that takes too long may be anything.
        (Some(Verdict::Uninteresting | Verdict::TimedOut) | None, _) => ChangeOutcome::NoVerdict,
    }
}

/// Runs tests of neighbours, as many at a time as the runner allows.
struct TestBatch<'a> {
    path: &'a Path,
    limits: TimeLimits,
    interrupted: &'a Receiver<i32>,
    on_progress: &'a dyn Fn(ContrastProgress),
}

impl TestBatch<'_> {
    /// The verdicts of those at these places; none where the test or the system failed.
    fn run_all(
        &mut self,
        runner: &mut dyn Runner,
        neighbours: &[(ProgramNeighbour, Option<Verdict>)],
        places: &[usize],
        progress: fn(usize, usize) -> ContrastProgress,
    ) -> Result<Vec<(usize, Option<Verdict>)>, ContrastError> {
        for &place in places {
            runner.submit(TestJob {
                id: JobId(place as u64),
                files: vec![(self.path.to_path_buf(), neighbours[place].0.bytes.clone())],
                limits: self.limits,
                alone: false,
                fresh: false,
            });
        }
        let mut verdicts = Vec::with_capacity(places.len());
        (self.on_progress)(progress(0, places.len()));
        while verdicts.len() < places.len() {
            select! {
                recv(runner.result_receiver()) -> result => {
                    let result = result.map_err(|_| ContrastError::RunnerLost)?;
                    if let TestOutcome::NoVerdict(trouble @ NoVerdict::CannotStart { .. }) = result.outcome {
                        return Err(ContrastError::NoVerdict(trouble));
                    }
                    verdicts.push((result.id.0 as usize, result.outcome.verdict()));
                    (self.on_progress)(progress(verdicts.len(), places.len()));
                }
                // The runner kills its tests when it is dropped.
                recv(self.interrupted) -> signal => {
                    return Err(ContrastError::Interrupted(signal.unwrap_or_default()));
                }
            }
        }
        Ok(verdicts)
    }
}
