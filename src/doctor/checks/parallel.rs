//! Copies of a test that run at the same time.

use std::time::Instant;

use super::steady::flaky;
use crate::doctor::case::{Case, Halt, ending, too_slow, yes};
use crate::doctor::finding::Finding;
use crate::doctor::probe::Probe;
use crate::oracle::shell::word;
use crate::oracle::{Files, Outcome};

/// How many copies run at a time, at least and at most.
const COPIES: (usize, usize) = (4, 16);
/// How often.
const ROUNDS: usize = 2;

/// Runs copies side by side, on the original and, between them, on a file that is not interesting: each must say what it says alone.
pub(super) fn check(case: &mut Case<'_>) -> Result<Vec<Finding>, Halt> {
    let mut boring = None;
    for probe in [Probe::Empty, Probe::Nonsense] {
        if boring.is_none() && !case.probe(probe)? {
            boring = Some(probe);
        }
    }
    let copies = case.subject.jobs.clamp(COPIES.0, COPIES.1);
    let (original, other) = (
        case.files(case.subject.bytes.clone()),
        boring.map(|probe| case.files(probe.bytes(&case.subject.bytes))),
    );
    // Each with what it is to say: original and other by turns.
    let pairs = [
        Some((original.clone(), true)),
        other.map(|other| (other, false)),
    ];
    let round: Vec<(Files, bool)> = (0..copies)
        .flat_map(|_| pairs.iter().flatten().cloned())
        .collect();
    let test = case.itself.clone();
    for number in 1..=ROUNDS {
        let candidates = round.iter().map(|(files, _)| files.clone()).collect();
        let outcomes = case.ask_all(&test, candidates, copies, None)?;
        let wrong = wrong(&outcomes, &round);
        if let Some((outcome, wanted)) = wrong.first() {
            // What happens in so many runs of which none is beside another is not the fault of the others.
            if let Some(finding) = alone(case, number, &round, boring)? {
                return Ok(vec![finding]);
            }
            let about = about(case, *wanted, boring);
            let seen = format!(
                "of {} runs, {copies} at a time, {} said something else than alone, as {} about {about}",
                round.len(),
                wrong.len(),
                ending(outcome)
            );
            return Ok(vec![disturbed(case, seen)]);
        }
    }
    let jobs = case.subject.jobs;
    let candidates = vec![original; 2 * jobs];
    let number = candidates.len();
    let begin = Instant::now();
    case.ask_all(&test, candidates, jobs, None)?;
    case.rate = Some(number as f64 / begin.elapsed().as_secs_f64());
    Ok(Vec::new())
}

/// The answers that are others than those wanted, each with that.
fn wrong<'a>(outcomes: &'a [Outcome], round: &[(Files, bool)]) -> Vec<(&'a Outcome, bool)> {
    let pairs = outcomes.iter().zip(round.iter().map(|(_, wanted)| *wanted));
    pairs
        .filter(|(outcome, wanted)| yes(outcome) != *wanted && !too_slow(outcome))
        .collect()
}

/// What was asked about, which is interesting or boring.
fn about(case: &Case<'_>, interesting: bool, boring: Option<Probe>) -> String {
    match boring.filter(|_| !interesting) {
        Some(probe) => probe.what(&case.name()),
        None => format!("{} as it is", case.name()),
    }
}

/// So many rounds of the same runs one after the other: a finding, if the test does not say the same each time then either.
fn alone(
    case: &mut Case<'_>,
    rounds: usize,
    round: &[(Files, bool)],
    boring: Option<Probe>,
) -> Result<Option<Finding>, Halt> {
    let test = case.itself.clone();
    let round: Vec<_> = std::iter::repeat_n(round, rounds)
        .flatten()
        .cloned()
        .collect();
    let candidates = round.iter().map(|(files, _)| files.clone()).collect();
    let outcomes = case.ask_all(&test, candidates, 1, None)?;
    let wrong = wrong(&outcomes, &round);
    let Some((other, wanted)) = wrong.first() else {
        return Ok(None);
    };
    let of_kind = |all: &mut dyn Iterator<Item = bool>| all.filter(|one| one == wanted).count();
    let times = of_kind(&mut round.iter().map(|(_, wanted)| *wanted));
    let others = of_kind(&mut wrong.iter().map(|(_, wanted)| *wanted));
    let about = about(case, *wanted, boring);
    Ok(Some(flaky(case, &about, times, others, other)))
}

fn disturbed(case: &Case<'_>, seen: String) -> Finding {
    let (file, test) = (
        case.subject.file.to_string_lossy().into_owned(),
        case.test(),
    );
    Finding::hurts(
        "parallel",
        seen,
        "lop runs several tests at a time, and they disturb one another: most often by a file with a fixed name, a port or a lock",
        (
            format!(
                "in {test}: files with fixed names into the working directory or $TMPDIR, and ports chosen by the system; if it cannot be \
                 mended, run lop so"
            ),
            vec![format!("lop {} {} --jobs 1", word(&file), word(&test))],
        ),
    )
}
