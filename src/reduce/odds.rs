//! How likely a question is to be answered with yes: by the last answers to questions of its kind.
//!
//! Part of the schedule's state, so every branch of a speculation carries its own, and counted in decisions, never in seconds.

use crate::dialogue::Answer;
use crate::program::{Edit, Op};

/// How many answers of a kind are remembered.
const REMEMBERED: u32 = 40;

/// Kinds of edits, by what makes their odds differ.
const KINDS: usize = 5;

/// The last answers, by kind of edit.
#[derive(Clone, Debug, Default)]
pub struct Odds {
    kinds: [Answers; KINDS],
}

/// The newest answer is the lowest bit.
#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    yes: u64,
    number: u32,
}

fn kind(edit: &Edit) -> usize {
    match edit.ops.first() {
        Some(Op::DeleteItems { items, .. }) if items.len() == 1 => 0,
        Some(Op::DeleteItems { .. }) => 1,
        Some(Op::Replace { .. }) => 2,
        Some(Op::Delete(_)) => 3,
        _ => 4,
    }
}

impl Odds {
    /// Hears an answer. A refusal is no decision and does not count.
    pub fn told(&mut self, edit: &Edit, answer: Answer) {
        if answer == Answer::Refused {
            return;
        }
        let answers = &mut self.kinds[kind(edit)];
        answers.yes = (answers.yes << 1 | u64::from(answer.is_yes())) & ((1 << REMEMBERED) - 1);
        answers.number = (answers.number + 1).min(REMEMBERED);
    }

    /// The odds of a yes to this question: the share of yes among the last answers of its kind, with one yes in four to begin with.
    pub fn of(&self, edit: &Edit) -> f64 {
        let answers = self.kinds[kind(edit)];
        f64::from(answers.yes.count_ones() + 1) / f64::from(answers.number + 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::NodeId;

    #[test]
    fn odds_follow_the_last_answers_of_a_kind() {
        let optional = Edit::from(Op::Delete(NodeId(1)));
        let markers = Edit::from(Op::StripMarkers);
        let mut odds = Odds::default();
        assert_eq!(odds.of(&optional), 0.25);
        for _ in 0..100 {
            odds.told(&optional, Answer::No);
        }
        odds.told(&optional, Answer::Refused);
        assert_eq!(odds.of(&optional), 1.0 / 44.0);
        for _ in 0..40 {
            odds.told(&optional, Answer::Yes);
        }
        assert_eq!(odds.of(&optional), 41.0 / 44.0);
        assert_eq!(odds.of(&markers), 0.25);
    }
}
