//! How much may still go where the test needs a program of some size, whatever it consists of.
//!
//! A jump that is too long for its encoding needs thousands of tokens, no matter which. A reduction soon comes to that limit, and then every
//! edit fails, one after the other, although many that are equal to it have succeeded. The sign is a run of failures of single
//! edits that are equal to many successful ones: elements of one list, or edits of one kind.
//!
//! From there on the smallest of them says what may still go: less than its tokens. Edits of fewer tokens are tried as always, and lower the
//! limit. Of the others one is tried, then every second, every fourth and so on: galloping (MacIver) over what stays. What is passed over
//! waits until nothing else is left; the pass that asks keeps it. A success above the limit shows that it is none.

use rustc_hash::FxBuildHasher;

use super::edit_stats::EditKind;
use crate::program::{Edit, EditOp, NodeId, Version};
use crate::protocol::Feedback;

/// Only failures of edits that are equal to this number of successful ones are a sign.
const MIN_SUCCESSES: u32 = 32;
/// After this number of such failures in a row the limit is believed.
const MIN_FAILURES: u32 = 16;

/// What makes edits equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EqualEdits {
    /// They remove elements of this list.
    Elements(NodeId),
    /// They are of this kind.
    OfKind(EditKind),
}

/// The limit, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KnownLimit {
    /// Fewer tokens than these may still go.
    tokens: u32,
    /// How many edits are passed over after the next failure.
    stride: u32,
    /// How many edits are still passed over.
    passing: u32,
}

/// The search for a limit, and what is known of it. The state clones cheaply.
#[derive(Clone, Debug, Default)]
pub struct SizeLimit {
    /// How many places equal edits have changed.
    successes:
        imbl::GenericHashMap<EqualEdits, u32, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
    /// How many edits of one place failed in a row, of those that often succeeded.
    failures: u32,
    /// The fewest tokens of those.
    fewest_tokens: u32,
    known: Option<KnownLimit>,
}

impl SizeLimit {
    /// Whether the program has come to a limit.
    pub fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// Whether an edit that removes this number of tokens is passed over. If it is, the next one is asked about earlier.
    pub fn passes_over(&mut self, tokens: u32) -> bool {
        let Some(known) = &mut self.known else {
            return false;
        };
        let passes = tokens >= known.tokens && known.passing > 0;
        known.passing -= u32::from(passes);
        passes
    }

    /// Records the verdict on an edit that changes this number of equal places and removes this number of tokens.
    pub fn record_verdict(
        &mut self,
        equal: EqualEdits,
        places: u32,
        tokens: u32,
        feedback: Feedback,
    ) {
        match feedback {
            Feedback::Interesting => self.record_success(equal, places, tokens),
            Feedback::Uninteresting if places == 1 => self.record_failure(equal, tokens),
            Feedback::Uninteresting | Feedback::Rejected => {}
        }
    }

    fn record_success(&mut self, equal: EqualEdits, places: u32, tokens: u32) {
        match &mut self.known {
            Some(known) if tokens < known.tokens => known.tokens -= tokens,
            Some(_) => *self = SizeLimit::default(),
            None => {}
        }
        *self.successes.entry(equal).or_default() += places;
        self.failures = 0;
    }

    fn record_failure(&mut self, equal: EqualEdits, tokens: u32) {
        if let Some(known) = &mut self.known {
            if tokens < known.tokens {
                known.tokens = tokens.max(1);
            } else {
                known.stride = known.stride.saturating_mul(2);
                known.passing = known.stride;
            }
            return;
        }
        let often = self.successes.get(&equal).copied().unwrap_or_default();
        if often < MIN_SUCCESSES {
            return;
        }
        self.fewest_tokens = match self.failures {
            0 => tokens,
            _ => self.fewest_tokens.min(tokens),
        };
        self.failures += 1;
        if self.failures >= MIN_FAILURES {
            self.known = Some(KnownLimit {
                tokens: self.fewest_tokens.max(1),
                stride: 1,
                passing: 1,
            });
        }
    }
}

/// How many tokens an edit removes.
pub fn count_removed_tokens(version: &Version, edit: &Edit) -> u32 {
    let of_op = |op: &EditOp| {
        let removed: u32 = op.removed_nodes(version).map(|node| node.sums.tokens).sum();
        let kept = op.kept_nodes(version);
        let kept: u32 = kept.iter().map(|node| node.sums.tokens).sum();
        removed.saturating_sub(kept)
    };
    edit.ops.iter().map(of_op).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Feedback::{Interesting, Uninteresting};

    const ELEMENTS: EqualEdits = EqualEdits::Elements(NodeId(1));

    /// Elements of a list went at once, and then this number failed one after the other, of nine tokens each.
    fn after_failures(succeeded: u32, failures: u32) -> SizeLimit {
        let mut limit = SizeLimit::default();
        limit.record_verdict(ELEMENTS, succeeded, 9 * succeeded, Interesting);
        for _ in 0..failures {
            limit.record_verdict(ELEMENTS, 1, 9, Uninteresting);
        }
        limit
    }

    #[test]
    fn failures_in_a_row_after_many_successes_are_a_limit() {
        assert!(!after_failures(MIN_SUCCESSES, MIN_FAILURES - 1).is_known());
        assert!(!after_failures(MIN_SUCCESSES - 1, 100).is_known());
        assert!(after_failures(MIN_SUCCESSES, MIN_FAILURES).is_known());
    }

    #[test]
    fn what_cannot_go_is_tried_at_growing_distances() {
        let mut limit = after_failures(MIN_SUCCESSES, MIN_FAILURES);
        let mut tried = Vec::new();
        for at in 0..100 {
            if !limit.passes_over(9) {
                tried.push(at);
                limit.record_verdict(ELEMENTS, 1, 9, Uninteresting);
            }
        }
        assert_eq!(tried, [1, 4, 9, 18, 35, 68]);
    }

    #[test]
    fn what_is_smaller_is_tried_and_moves_the_limit() {
        let mut limit = after_failures(MIN_SUCCESSES, MIN_FAILURES);
        assert!(!limit.passes_over(8), "eight tokens may go");
        limit.record_verdict(ELEMENTS, 1, 2, Interesting);
        assert!(!limit.passes_over(6), "two of them went");
        limit.record_verdict(ELEMENTS, 1, 6, Uninteresting);
        assert!(!limit.passes_over(5), "and six cannot");
        assert!(limit.passes_over(6));
    }

    #[test]
    fn a_success_above_the_limit_shows_that_it_is_none() {
        let mut limit = after_failures(MIN_SUCCESSES, MIN_FAILURES);
        limit.record_verdict(ELEMENTS, 1, 9, Interesting);
        assert!(!limit.is_known());
    }
}
