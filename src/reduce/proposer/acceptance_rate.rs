//! How likely a candidate is interesting: the share among the last forty answers to candidates of its kind.
//!
//! It is part of the schedule's state, so every branch of the speculation carries its own, and it counts decisions, never seconds.

use crate::program::{Edit, EditOp};
use crate::protocol::Feedback;

/// How many answers of a kind are remembered.
const WINDOW: u32 = 40;

/// Kinds of edits, by what makes their odds differ.
const KINDS: usize = 5;

/// Candidates of which what is said of one may hold for another: the pass, and the kind of edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CandidateKind {
    pass: &'static str,
    edit: usize,
}

impl CandidateKind {
    /// The kind of a pass's candidate with this edit.
    pub fn new(pass: &'static str, edit: &Edit) -> CandidateKind {
        let edit = edit_kind(edit);
        CandidateKind { pass, edit }
    }
}

/// The last answers, by kind of edit.
#[derive(Clone, Debug, Default)]
pub struct AcceptanceRates {
    kinds: [RecentFeedback; KINDS],
}

/// The newest answer is the lowest bit.
#[derive(Clone, Copy, Debug, Default)]
struct RecentFeedback {
    yes: u64,
    number: u32,
}

fn edit_kind(edit: &Edit) -> usize {
    match edit.ops.first() {
        Some(EditOp::DeleteItems { items, .. }) if items.len() == 1 => 0,
        Some(EditOp::DeleteItems { .. }) => 1,
        Some(EditOp::Replace { .. }) => 2,
        Some(EditOp::Delete(_)) => 3,
        _ => 4,
    }
}

impl AcceptanceRates {
    /// Adds an answer. A rejection is not a decision and does not count.
    pub fn record_feedback(&mut self, edit: &Edit, answer: Feedback) {
        if answer == Feedback::Rejected {
            return;
        }
        let answers = &mut self.kinds[edit_kind(edit)];
        answers.yes = (answers.yes << 1 | u64::from(answer.is_interesting())) & ((1 << WINDOW) - 1);
        answers.number = (answers.number + 1).min(WINDOW);
    }

    /// The odds of this candidate: the share of interesting ones among the last answers of its kind, one in four to begin with.
    pub fn rate_for(&self, edit: &Edit) -> f64 {
        let answers = self.kinds[edit_kind(edit)];
        f64::from(answers.yes.count_ones() + 1) / f64::from(answers.number + 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::NodeId;

    #[test]
    fn odds_follow_the_last_answers_of_a_kind() {
        let optional = Edit::from(EditOp::Delete(NodeId(1)));
        let markers = Edit::from(EditOp::StripMarkers);
        let mut odds = AcceptanceRates::default();
        assert_eq!(odds.rate_for(&optional), 0.25);
        for _ in 0..100 {
            odds.record_feedback(&optional, Feedback::Uninteresting);
        }
        odds.record_feedback(&optional, Feedback::Rejected);
        assert_eq!(odds.rate_for(&optional), 1.0 / 44.0);
        for _ in 0..40 {
            odds.record_feedback(&optional, Feedback::Interesting);
        }
        assert_eq!(odds.rate_for(&optional), 41.0 / 44.0);
        assert_eq!(odds.rate_for(&markers), 0.25);
    }
}
