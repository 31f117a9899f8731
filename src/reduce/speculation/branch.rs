//! A place where the run may come, by how likely it does.

use std::cmp::{Ordering, Reverse};

use super::tree::NodeIndex;
use crate::protocol::Feedback;

/// A place to look at, by how likely the run comes there.
pub struct SpeculativeBranch {
    pub odds: f64,
    pub index: NodeIndex,
    pub place: BranchState,
}

#[derive(Clone, Copy)]
pub enum BranchState {
    /// A branch.
    Grown,
    /// The branch that this answer leads to, which is not there yet.
    NotGrown(Feedback),
    /// The branch for yes, which cannot be there before the parser has confirmed the candidate: the next candidates are parsed from
    /// its trees.
    AwaitingParser,
}

impl Ord for SpeculativeBranch {
    fn cmp(&self, other: &SpeculativeBranch) -> Ordering {
        let older = Reverse(self.index).cmp(&Reverse(other.index));
        self.odds.total_cmp(&other.odds).then(older)
    }
}

impl PartialOrd for SpeculativeBranch {
    fn partial_cmp(&self, other: &SpeculativeBranch) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SpeculativeBranch {
    fn eq(&self, other: &SpeculativeBranch) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SpeculativeBranch {}
