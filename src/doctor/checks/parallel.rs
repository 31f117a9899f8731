//! Copies of a test that run at the same time.

use std::time::Instant;

use super::determinism::flaky_finding;
use crate::doctor::examination::{
    ExaminationError, TestExamination, describe_exit, is_interesting, was_killed,
};
use crate::doctor::finding::DoctorFinding;
use crate::doctor::probe::ProbeFile;
use crate::oracle::shell::quote_word;
use crate::oracle::{TestFiles, TestOutcome};

/// The least and the most copies that run at a time.
const COPIES: (usize, usize) = (4, 16);
/// How many rounds are run.
const ROUNDS: usize = 2;

/// Runs copies side by side, on the original and in turns on an uninteresting file. Each verdict must be the same as alone.
pub(super) fn check_parallel(
    case: &mut TestExamination<'_>,
) -> Result<Vec<DoctorFinding>, ExaminationError> {
    let mut uninteresting = None;
    for probe in [ProbeFile::Empty, ProbeFile::Nonsense] {
        if uninteresting.is_none() && !case.is_probe_interesting(probe)? {
            uninteresting = Some(probe);
        }
    }
    let copies = case.input.jobs.clamp(COPIES.0, COPIES.1);
    let (original, other) = (
        case.candidate_files(case.input.bytes.clone()),
        uninteresting.map(|probe| case.candidate_files(probe.to_bytes(&case.input.bytes))),
    );
    // Original and other in turns, each with whether it is interesting.
    let pairs = [
        Some((original.clone(), true)),
        other.map(|other| (other, false)),
    ];
    let round: Vec<(TestFiles, bool)> = (0..copies)
        .flat_map(|_| pairs.iter().flatten().cloned())
        .collect();
    let test = case.original_test.clone();
    for number in 1..=ROUNDS {
        let candidates = round.iter().map(|(files, _)| files.clone()).collect();
        let outcomes = case.run_candidates(&test, candidates, copies, None)?;
        let wrong = wrong_outcomes(&outcomes, &round);
        if let Some((outcome, wanted)) = wrong.first() {
            // If it also happens in as many sequential runs, other runs are not the cause.
            if let Some(finding) = check_sequential(case, number, &round, uninteresting)? {
                return Ok(vec![finding]);
            }
            let about = describe_candidate(case, *wanted, uninteresting);
            let seen = format!(
                "of {} runs, {copies} at a time, {} said something else than alone, as {} about {about}",
                round.len(),
                wrong.len(),
                describe_exit(outcome)
            );
            return Ok(vec![interference_finding(case, seen)]);
        }
    }
    let jobs = case.input.jobs;
    let candidates = vec![original; 2 * jobs];
    let number = candidates.len();
    let begin = Instant::now();
    case.run_candidates(&test, candidates, jobs, None)?;
    case.tests_per_second = Some(number as f64 / begin.elapsed().as_secs_f64());
    Ok(Vec::new())
}

/// The outcomes that differ from the expected ones, each with what was expected.
fn wrong_outcomes<'a>(
    outcomes: &'a [TestOutcome],
    round: &[(TestFiles, bool)],
) -> Vec<(&'a TestOutcome, bool)> {
    let pairs = outcomes.iter().zip(round.iter().map(|(_, wanted)| *wanted));
    pairs
        .filter(|(outcome, wanted)| is_interesting(outcome) != *wanted && !was_killed(outcome))
        .collect()
}

/// The candidate of a run, for a sentence.
fn describe_candidate(
    case: &TestExamination<'_>,
    interesting: bool,
    uninteresting: Option<ProbeFile>,
) -> String {
    match uninteresting.filter(|_| !interesting) {
        Some(probe) => probe.describe_probe(&case.candidate_name()),
        None => format!("{} as it is", case.candidate_name()),
    }
}

/// Runs the same rounds sequentially. A finding if the verdicts differ then too.
fn check_sequential(
    case: &mut TestExamination<'_>,
    rounds: usize,
    round: &[(TestFiles, bool)],
    uninteresting: Option<ProbeFile>,
) -> Result<Option<DoctorFinding>, ExaminationError> {
    let test = case.original_test.clone();
    let round: Vec<_> = std::iter::repeat_n(round, rounds)
        .flatten()
        .cloned()
        .collect();
    let candidates = round.iter().map(|(files, _)| files.clone()).collect();
    let outcomes = case.run_candidates(&test, candidates, 1, None)?;
    let wrong = wrong_outcomes(&outcomes, &round);
    let Some((other, wanted)) = wrong.first() else {
        return Ok(None);
    };
    let of_kind = |all: &mut dyn Iterator<Item = bool>| all.filter(|one| one == wanted).count();
    let times = of_kind(&mut round.iter().map(|(_, wanted)| *wanted));
    let others = of_kind(&mut wrong.iter().map(|(_, wanted)| *wanted));
    let about = describe_candidate(case, *wanted, uninteresting);
    Ok(Some(flaky_finding(case, &about, times, others, other)))
}

fn interference_finding(case: &TestExamination<'_>, seen: String) -> DoctorFinding {
    let (file, test) = (
        case.input.file.to_string_lossy().into_owned(),
        case.test_name(),
    );
    DoctorFinding::new_harmful(
        "parallel",
        seen,
        "lop runs several tests at a time, and they disturb one another: most often by a file with a fixed name, a port or a lock",
        (
            format!(
                "in {test}: files with fixed names into the working directory or $TMPDIR, and ports chosen by the system; if it cannot be \
                 mended, run lop so"
            ),
            vec![format!(
                "lop {} {} --jobs 1",
                quote_word(&file),
                quote_word(&test)
            )],
        ),
    )
}
