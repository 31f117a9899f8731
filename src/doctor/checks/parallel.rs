//! Copies of a test that run at the same time.

use crate::doctor::case::{Case, Halt, ending, too_slow, yes};
use crate::doctor::finding::Finding;
use crate::doctor::probe::Probe;

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
    for _ in 0..ROUNDS {
        let mut candidates = Vec::new();
        let mut wanted = Vec::new();
        for _ in 0..copies {
            candidates.push(original.clone());
            wanted.push(true);
            if let Some(other) = &other {
                candidates.push(other.clone());
                wanted.push(false);
            }
        }
        let number = candidates.len();
        let test = case.subject.test.clone();
        let (outcomes, time) = case.timed(|case| case.ask_all(&test, candidates, copies, None))?;
        case.rate = Some(number as f64 / time.as_secs_f64());
        let wrong: Vec<_> = outcomes
            .iter()
            .zip(&wanted)
            .filter(|(outcome, wanted)| yes(outcome) != **wanted && !too_slow(outcome))
            .collect();
        if let Some((outcome, wanted)) = wrong.first() {
            let about = match (wanted, boring) {
                (false, Some(probe)) => probe.what(&case.name()),
                _ => case.name(),
            };
            return Ok(vec![Finding::hurts(
                "parallel",
                format!(
                    "of {number} runs, {copies} at a time, {} said something else than alone, as {} about {about}",
                    wrong.len(),
                    ending(outcome)
                ),
                "lop runs several tests at a time, and they disturb one another: most often by a file with a fixed name, a port or a lock",
                (
                    format!(
                        "in {}: files with fixed names into the working directory or $TMPDIR, and ports chosen by the system; if it cannot be mended, run lop so",
                        case.test()
                    ),
                    vec![format!(
                        "lop {} {} --jobs 1",
                        case.subject.file.display(),
                        case.test()
                    )],
                ),
            )]);
        }
    }
    Ok(Vec::new())
}
