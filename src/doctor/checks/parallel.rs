//! Copies of a test that run at the same time.

use std::time::Instant;

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
    for _ in 0..ROUNDS {
        let candidates = round.iter().map(|(files, _)| files.clone()).collect();
        let outcomes = case.ask_all(&test, candidates, copies, None)?;
        let wrong: Vec<(&Outcome, bool)> = outcomes
            .iter()
            .zip(&round)
            .map(|(outcome, (_, wanted))| (outcome, *wanted))
            .filter(|(outcome, wanted)| yes(outcome) != *wanted && !too_slow(outcome))
            .collect();
        if let Some((outcome, wanted)) = wrong.first() {
            let about = match (wanted, boring) {
                (false, Some(probe)) => probe.what(&case.name()),
                _ => case.name(),
            };
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

fn disturbed(case: &Case<'_>, seen: String) -> Finding {
    let (file, test) = (case.subject.file.display().to_string(), case.test());
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
