//! How many questions are left, as an estimate: what each pass that is still to come asked about a token when it last came to its end.
//!
//! ```text
//!   pass              last end       per token   now at 40 tokens
//!   windows           100 at 50        2.0         80
//!   certificate       never            0.3         12
//!   heaviest first    settled here      –           0
//! ```
//!
//! It takes the program to stay as it is. So it is only told where that was so for as long back as it looks ahead: where the program lost more than a
//! tenth of its tokens in as many questions, or the run is not as old as that, nobody can know. Nor can they while a pass asks more than the last time,
//! or where half of the questions are those of passes that never came to their end. Each yes makes the program smaller and asks more, so the
//! share of yes in those questions is added.
//!
//! In three runs of the default strategy on bugs, of 155, 189 and 370 questions, there was an estimate at 17, 11 and 6 of them. The time made of it was
//! at most 3, 9 and 3 times too high; in the second run, where bursts of known candidates pushed the rate up, it was up to 30 times too low.

use super::counters::{PassLine, PassState};
use super::snapshot::RunSnapshot;

/// A larger program shrinks too much for what is known of its passes to hold.
const MOST_TOKENS: u32 = 2_000;

/// What a pass that never came to its end is taken to ask about a token: the mean of the passes of the default strategy.
const USUAL_RATE: f64 = 0.3;

/// How many questions are left, and what that rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemainingEstimate {
    /// Questions.
    pub questions: u64,
    /// The passes that they belong to.
    pub passes: usize,
    /// How many of these passes never came to their end in this run.
    pub unknown: usize,
}

/// Of fewer questions nothing is told: one yes begins more than these.
const LEAST_QUESTIONS: u64 = 20;

/// Of the tokens, more than one in so many that were lost lately means that the program does not stay as it is.
const LOST_SHARE: u64 = 10;

/// The questions that are left in a run, and the share of yes among as many that were asked last, in per cent. None where nobody can know.
pub fn estimate_run(snapshot: &RunSnapshot) -> Option<(RemainingEstimate, u64)> {
    let tokens = snapshot.version.token_count();
    let left = estimate_remaining(&snapshot.passes, tokens)?;
    if left.questions < LEAST_QUESTIONS {
        return None;
    }
    let past = left.questions;
    let then = snapshot.counts.decisions.checked_sub(past)?;
    let newest_first = snapshot.history.iter().rev();
    let mut since = newest_first.skip_while(|made| made.decision > then);
    let before = since.next()?.version.token_count();
    let lost = u64::from(before.saturating_sub(tokens));
    if lost * LOST_SHARE > u64::from(before) {
        return None;
    }
    let made = snapshot.history.iter().rev();
    let accepted = made.take_while(|made| made.decision > then).count() as u64;
    let others = past.saturating_sub(accepted).max(1);
    let questions = left.questions * past / others;
    Some((
        RemainingEstimate { questions, ..left },
        accepted * 100 / past,
    ))
}

/// The questions that are left for a program of so many tokens. None before a pass came to its end at about this size.
fn estimate_remaining(passes: &[PassLine], tokens: u32) -> Option<RemainingEstimate> {
    let is_near = |line: &PassLine| {
        let sweep = line.last_sweep;
        sweep.is_some_and(|sweep| sweep.questions > 0 && sweep.tokens <= tokens.saturating_mul(2))
    };
    if tokens > MOST_TOKENS || !passes.iter().any(is_near) {
        return None;
    }
    let (mut questions, mut guessed, mut open, mut unknown) = (0.0, 0.0, 0, 0);
    for line in passes {
        let asked = match line.state {
            PassState::Running(_) => line.asked,
            PassState::Disabled | PassState::Skipped => continue,
            // The row of the user, or of what removes the unused: it has no turns.
            PassState::Done if line.last_sweep.is_none() => continue,
            PassState::Done | PassState::Waiting if line.settled == Some(tokens) => continue,
            PassState::Done | PassState::Waiting => 0,
        };
        let rate = line
            .last_sweep
            .map(|sweep| sweep.questions as f64 / f64::from(sweep.tokens.max(1)));
        let whole = rate.unwrap_or(USUAL_RATE) * f64::from(tokens);
        let left = whole - asked as f64;
        if matches!(line.state, PassState::Running(_)) && left <= 0.0 {
            // It asks more than the last time, and nobody knows how much more.
            return None;
        }
        questions += left;
        open += 1;
        if rate.is_none() {
            unknown += 1;
            guessed += left;
        }
    }
    if questions <= 2.0 * guessed {
        return None;
    }
    Some(RemainingEstimate {
        questions: questions.round() as u64,
        passes: open,
        unknown,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::reduce::reporting::counters::{PassSweep, UntestedCandidates};

    /// A pass that asked `asked` questions since it began, and `sweep` (questions, tokens) the last time it came to its end.
    fn pass(
        state: PassState,
        asked: u64,
        sweep: Option<(u64, u32)>,
        settled: Option<u32>,
    ) -> PassLine {
        PassLine {
            name: "a pass",
            what: "",
            state,
            scope: None,
            tried: asked,
            asked,
            last_sweep: sweep.map(|(questions, tokens)| PassSweep { questions, tokens }),
            accepted: 0,
            untested: UntestedCandidates::default(),
            tokens: 0,
            time: Duration::ZERO,
            settled,
        }
    }

    #[test]
    fn what_passes_asked_before_says_what_they_will_ask() {
        use PassState::{Disabled, Done, Running, Waiting};
        let known = || pass(Done, 20, Some((20, 40)), Some(40));
        let rows = [
            ("nothing but what is settled", vec![known()], None),
            (
                "half of a sweep is asked",
                vec![known(), pass(Running(2), 30, Some((60, 40)), None)],
                Some((30, 1, 0)),
            ),
            (
                "a larger program asked more",
                vec![known(), pass(Waiting, 0, Some((100, 200)), None)],
                Some((20, 1, 0)),
            ),
            (
                "a pass that never ended",
                vec![
                    known(),
                    pass(Waiting, 0, Some((60, 40)), None),
                    pass(Waiting, 0, None, None),
                ],
                Some((72, 2, 1)),
            ),
            (
                "nothing but a pass that never ended",
                vec![known(), pass(Waiting, 0, None, None)],
                None,
            ),
            (
                "a sweep that is longer than the last",
                vec![known(), pass(Running(1), 99, Some((60, 40)), None)],
                None,
            ),
            (
                "what the user tried",
                vec![known(), pass(Done, 3, None, None)],
                None,
            ),
            (
                "a pass that is off",
                vec![known(), pass(Disabled, 0, None, None)],
                None,
            ),
            (
                "no pass has ended near this size",
                vec![pass(Done, 3, Some((3, 6_000)), None)],
                None,
            ),
        ];
        for (story, passes, expected) in rows {
            let found = estimate_remaining(&passes, 40);
            let found = found.map(|left| (left.questions, left.passes, left.unknown));
            assert_eq!(found, expected, "{story}");
        }
        assert_eq!(
            estimate_remaining(&[known()], 2_001),
            None,
            "a large program"
        );
    }
}
