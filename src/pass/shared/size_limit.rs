//! What can still go where the test needs a program of some size, whatever it consists of.
//!
//! A jump that is too long for its encoding needs thousands of tokens, no matter which. A reduction soon comes to that limit, and then every
//! edit fails, one after the other, although many that are equal to it have succeeded. The sign is a run of failures of single
//! edits that are equal to many successful ones: elements of one class in long lists, or edits of one kind.
//!
//! From there on each sort of equal edits has a limit of its own, because some cost nothing of what the test needs: brackets go on and on where no
//! statement can. A sort that fails can lose less than the tokens of its smallest failure. Its edits of fewer tokens are tried as always, and lower the
//! limit. Of the others one is tried, then every second, every fourth and so on: galloping (MacIver) over what stays. What is passed over
//! waits until nothing else is left; the pass that asks keeps it. A success above the limit shows that the sort has none.

use rustc_hash::FxBuildHasher;

use super::edit_stats::EditKind;
use crate::grammar::NodeClass;
use crate::program::{Edit, EditOp, ProgramNode, Version, strip_separator, walk};
use crate::protocol::{Feedback, IndexRanges};

/// Only failures of edits that are equal to this number of successful ones are a sign.
const MIN_SUCCESSES: u32 = 32;
/// After this number of such failures in a row the limit is believed.
const MIN_FAILURES: u32 = 16;

/// What makes edits equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EqualEdits {
    /// They remove elements of this class from a long list.
    Elements(Option<NodeClass>),
    /// They are of this kind.
    OfKind(EditKind),
}

/// How much an edit changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EditSize {
    /// How many equal places.
    pub places: u32,
    /// How many tokens it removes there.
    pub tokens: u32,
}

/// The limit of one sort of equal edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KnownLimit {
    /// Fewer tokens than these may still go.
    tokens: u32,
    /// How many edits are passed over after the next failure.
    stride: u32,
    /// How many edits are still passed over.
    passing: u32,
}

type MapByEquals<T> =
    imbl::GenericHashMap<EqualEdits, T, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>;

/// The search for a limit, and what is known of it. The state clones cheaply.
#[derive(Clone, Debug, Default)]
pub struct SizeLimit {
    /// How many places equal edits have changed.
    successes: MapByEquals<u32>,
    /// How many edits of one place failed in a row, of those that often succeeded.
    failures: u32,
    /// The fewest tokens of each sort that failed in that row.
    failing: MapByEquals<u32>,
    /// The sorts that have failed at the limit of the program; none before it is known.
    known: Option<MapByEquals<KnownLimit>>,
}

impl SizeLimit {
    /// Whether the program has come to a limit.
    pub fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// Whether an edit that removes this number of tokens is passed over. If it is, the next one is asked about earlier.
    pub fn passes_over(&mut self, equal: EqualEdits, tokens: u32) -> bool {
        let known = self.known.as_mut();
        let Some(limit) = known.and_then(|known| known.get_mut(&equal)) else {
            return false;
        };
        let passes = tokens >= limit.tokens && limit.passing > 0;
        limit.passing -= u32::from(passes);
        passes
    }

    /// Records the verdict on an edit of equal places.
    pub fn record_verdict(&mut self, equal: EqualEdits, size: EditSize, feedback: Feedback) {
        match feedback {
            Feedback::Interesting => self.record_success(equal, size),
            Feedback::Uninteresting if size.places == 1 => self.record_failure(equal, size.tokens),
            Feedback::Uninteresting | Feedback::Rejected => {}
        }
    }

    fn record_success(&mut self, equal: EqualEdits, size: EditSize) {
        if let Some(known) = &mut self.known
            && let Some(limit) = known.get_mut(&equal)
        {
            match limit.tokens.checked_sub(size.tokens) {
                Some(left @ 1..) => limit.tokens = left,
                _ => {
                    known.remove(&equal);
                }
            }
        }
        *self.successes.entry(equal).or_default() += size.places;
        self.failures = 0;
        self.failing = MapByEquals::default();
    }

    fn record_failure(&mut self, equal: EqualEdits, tokens: u32) {
        let tokens = tokens.max(1);
        if let Some(known) = &mut self.known {
            match known.get_mut(&equal) {
                Some(limit) if tokens >= limit.tokens => {
                    limit.stride = limit.stride.saturating_mul(2);
                    limit.passing = limit.stride;
                }
                Some(limit) => limit.tokens = tokens,
                None => {
                    known.insert(equal, KnownLimit::new(tokens));
                }
            }
            return;
        }
        let fewest = self.failing.entry(equal).or_insert(tokens);
        *fewest = tokens.min(*fewest);
        let often = self.successes.get(&equal).copied().unwrap_or_default();
        self.failures += u32::from(often >= MIN_SUCCESSES);
        if self.failures >= MIN_FAILURES {
            let failed = std::mem::take(&mut self.failing).into_iter();
            let limits = failed.map(|(equal, tokens)| (equal, KnownLimit::new(tokens)));
            self.known = Some(limits.collect());
        }
    }
}

impl KnownLimit {
    /// Less than these tokens may go; the next edit is passed over.
    fn new(tokens: u32) -> KnownLimit {
        KnownLimit {
            tokens,
            stride: 1,
            passing: 1,
        }
    }
}

/// How many tokens an edit removes.
pub fn count_removed_tokens(version: &Version, edit: &Edit) -> u32 {
    let of_op = |op: &EditOp| {
        let removed: u32 = op
            .removed_nodes(version)
            .map(|node| node.sums().tokens)
            .sum();
        let kept = op.kept_nodes(version);
        let kept: u32 = kept.iter().map(|node| node.sums().tokens).sum();
        removed.saturating_sub(kept)
    };
    edit.ops.iter().map(of_op).sum()
}

/// These elements of a list, by their classes.
pub fn count_classes(list: &ProgramNode, items: &IndexRanges) -> Vec<(EqualEdits, EditSize)> {
    let mut sizes: Vec<(EqualEdits, EditSize)> = Vec::new();
    let indices = items.ranges().iter().cloned().flatten();
    for item in indices.filter_map(|at| walk::item_at(list, at as usize)) {
        let equal = EqualEdits::Elements(strip_separator(item).class);
        let at = sizes.iter().position(|(known, _)| *known == equal);
        let at = at.unwrap_or_else(|| {
            sizes.push((equal, EditSize::default()));
            sizes.len() - 1
        });
        let size = &mut sizes[at].1;
        size.places += 1;
        size.tokens += item.sums().tokens;
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Feedback::{Interesting, Uninteresting};

    const ELEMENTS: EqualEdits = EqualEdits::Elements(None);

    fn size(places: u32, tokens: u32) -> EditSize {
        EditSize { places, tokens }
    }

    /// Elements of a list went at once, and then this number failed one after the other, of nine tokens each.
    fn after_failures(succeeded: u32, failures: u32) -> SizeLimit {
        let mut limit = SizeLimit::default();
        limit.record_verdict(ELEMENTS, size(succeeded, 9 * succeeded), Interesting);
        for _ in 0..failures {
            limit.record_verdict(ELEMENTS, size(1, 9), Uninteresting);
        }
        limit
    }

    fn at_limit() -> SizeLimit {
        after_failures(MIN_SUCCESSES, MIN_FAILURES)
    }

    #[test]
    fn failures_in_a_row_after_many_successes_are_a_limit() {
        assert!(!after_failures(MIN_SUCCESSES, MIN_FAILURES - 1).is_known());
        assert!(!after_failures(MIN_SUCCESSES - 1, 100).is_known());
        assert!(after_failures(MIN_SUCCESSES, MIN_FAILURES).is_known());
    }

    #[test]
    fn what_cannot_go_is_tried_at_growing_distances() {
        let mut limit = at_limit();
        let mut tried = Vec::new();
        for at in 0..100 {
            if !limit.passes_over(ELEMENTS, 9) {
                tried.push(at);
                limit.record_verdict(ELEMENTS, size(1, 9), Uninteresting);
            }
        }
        assert_eq!(tried, [1, 4, 9, 18, 35, 68]);
    }

    #[test]
    fn what_is_smaller_is_tried_and_moves_the_limit() {
        let mut limit = at_limit();
        assert!(!limit.passes_over(ELEMENTS, 8), "eight tokens may go");
        limit.record_verdict(ELEMENTS, size(1, 2), Interesting);
        assert!(!limit.passes_over(ELEMENTS, 6), "two of them went");
        limit.record_verdict(ELEMENTS, size(1, 6), Uninteresting);
        assert!(!limit.passes_over(ELEMENTS, 5), "and six cannot");
        assert!(limit.passes_over(ELEMENTS, 6));
    }

    #[test]
    fn a_success_above_the_limit_shows_that_it_is_none() {
        let mut limit = at_limit();
        assert!(limit.passes_over(ELEMENTS, 9));
        limit.record_verdict(ELEMENTS, size(1, 9), Interesting);
        assert!(!limit.passes_over(ELEMENTS, 9));
        assert!(limit.is_known(), "others keep their limits");
    }

    #[test]
    fn another_sort_is_not_passed_over_before_it_fails() {
        let (mut limit, other) = (at_limit(), EqualEdits::Elements(Some(NodeClass(7))));
        assert!(!limit.passes_over(other, 9));
        limit.record_verdict(other, size(1, 9), Uninteresting);
        assert!(limit.passes_over(other, 9));
    }
}
