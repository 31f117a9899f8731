//! The indices of elements after others were removed.

use crate::protocol::IndexRanges;

/// The change of indices when elements are removed from a list.
pub(super) struct IndexShift<'a> {
    removed: &'a IndexRanges,
    /// How many elements were removed before each range of `removed`.
    removed_before: Vec<u32>,
}

impl IndexShift<'_> {
    /// These elements are removed.
    pub fn new(removed: &IndexRanges) -> IndexShift<'_> {
        let sums = removed.ranges().iter().scan(0, |sum, range| {
            let before = *sum;
            *sum += range.end - range.start;
            Some(before)
        });
        IndexShift {
            removed_before: sums.collect(),
            removed,
        }
    }

    /// The new index of the element at `at`; none if it was removed.
    pub fn shifted_index(&self, at: u32) -> Option<u32> {
        let ranges = self.removed.ranges();
        let after = ranges.partition_point(|range| range.end <= at);
        match ranges.get(after) {
            Some(range) if range.contains(&at) => None,
            Some(_) => Some(at - self.removed_before[after]),
            None => Some(at - self.removed.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_move_up_by_what_was_removed_before_them() {
        let gone = IndexRanges::from_sorted([1, 2, 5]);
        let shift = IndexShift::new(&gone);
        let now: Vec<_> = (0..8).map(|at| shift.shifted_index(at)).collect();
        assert_eq!(
            now,
            [
                Some(0),
                None,
                None,
                Some(1),
                Some(2),
                None,
                Some(3),
                Some(4)
            ]
        );
    }
}
