//! Checks before every reduction: those of the doctor that cost at most two tests and five seconds.

use std::time::{Duration, Instant};

use super::super::front_end::FrontEnd;
use super::empty_file;
use super::preflight::PreflightTester;
use crate::cli::failure::CommandFailure;
use crate::doctor::NONSENSE;
use crate::oracle::TimeLimits;

/// The time for both tests together.
const BUDGET: Duration = Duration::from_secs(5);

/// Tests an empty file, which the user may confirm, and a line of nonsense. The result is a sentence if the nonsense is interesting.
pub fn check_sanity(
    tester: &PreflightTester<'_>,
    limits: TimeLimits,
    front: FrontEnd,
) -> Result<Option<String>, CommandFailure> {
    let begin = Instant::now();
    if tester.is_interesting(&[], limits, BUDGET)? {
        empty_file::confirm_empty(front, tester)?;
        return Ok(None);
    }
    let left = BUDGET.saturating_sub(begin.elapsed());
    if left.is_zero() || !tester.is_interesting(NONSENSE, limits, left)? {
        return Ok(None);
    }
    let more = match tester.doctor_hint() {
        Some(doctor) => format!("`{doctor}` says more"),
        None => "require more of its output, such as a line with --grep RE".into(),
    };
    Ok(Some(format!(
        "the test finds a line of nonsense interesting too, so it may lose the bug: {more}"
    )))
}
