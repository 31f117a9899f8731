//! What is looked at before every reduction: as much of the doctor's as costs two tests or five seconds, whichever is less.

use std::time::{Duration, Instant};

use super::empty;
use super::failure::Failure;
use super::front::Front;
use super::original::Question;
use crate::doctor::NONSENSE;
use crate::oracle::Limits;

/// What both questions may take together.
const BUDGET: Duration = Duration::from_secs(5);

/// Asks about an empty file, which the user may confirm, and about nonsense; a sentence, if the latter is interesting.
pub(super) fn glance(
    question: &Question<'_>,
    limits: Limits,
    front: Front,
) -> Result<Option<String>, Failure> {
    let begin = Instant::now();
    if question.finds(&[], limits, BUDGET)? {
        empty::confirm(front, question)?;
        return Ok(None);
    }
    let left = BUDGET.saturating_sub(begin.elapsed());
    if left.is_zero() || !question.finds(NONSENSE, limits, left)? {
        return Ok(None);
    }
    let more = match question.doctor() {
        Some(doctor) => format!("`{doctor}` says more"),
        None => "ask for more of what it prints, as with --grep RE".into(),
    };
    Ok(Some(format!(
        "the test finds a line of nonsense interesting too, so it may lose the bug: {more}"
    )))
}
