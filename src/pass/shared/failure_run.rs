//! How many candidates in a row were uninteresting: after some, a pass leaves the rest to others.

use crate::protocol::Feedback;

/// Failures in a row.
#[derive(Clone, Copy, Debug, Default)]
pub struct FailureRun(u32);

impl FailureRun {
    /// Counts a verdict. A candidate that was rejected says nothing.
    pub fn record_verdict(&mut self, feedback: Feedback) {
        match feedback {
            Feedback::Interesting => self.0 = 0,
            Feedback::Uninteresting => self.0 += 1,
            Feedback::Rejected => {}
        }
    }

    /// Whether there were so many.
    pub fn has_reached(self, most: u32) -> bool {
        self.0 >= most
    }
}
