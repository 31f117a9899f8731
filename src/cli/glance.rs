//! What is looked at before every reduction: as much of the doctor's as costs two tests or five seconds, whichever is less.

use std::time::Duration;

use super::empty;
use super::failure::Failure;
use super::front::Front;
use super::original::Question;
use crate::doctor::NONSENSE;
use crate::oracle::Limits;
use crate::plain::quoted;

/// What both questions may take together.
const BUDGET: Duration = Duration::from_secs(5);

/// Asks about an empty file, which the user may confirm, and about nonsense; a sentence, if the latter is interesting. `first` is what the
/// test of the original took.
pub(super) fn glance(
    question: &Question<'_>,
    limits: Limits,
    first: Duration,
    front: Front,
) -> Result<Option<String>, Failure> {
    // A candidate that takes longer than the budget says nothing.
    let limits = Limits {
        wall: Some(limits.wall.map_or(BUDGET, |limit| limit.min(BUDGET))),
        ..limits
    };
    if question.finds(&[], limits)? {
        empty::confirm(front, question.signals)?;
        return Ok(None);
    }
    if first.saturating_mul(2) > BUDGET || !question.finds(NONSENSE, limits)? {
        return Ok(None);
    }
    Ok(Some(format!(
        "the test finds a line of nonsense interesting too, so it may lose the bug: `lop doctor {} {}` says more",
        quoted(&question.input.named),
        quoted(question.test.path())
    )))
}
