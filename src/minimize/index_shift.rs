//! Where elements stand after a take.

use crate::protocol::IndexRanges;

/// The change of indices when elements went from a list.
pub(super) struct IndexShift<'a> {
    removed: &'a IndexRanges,
    /// How many elements went before each range of `gone`.
    removed_before: Vec<u32>,
}

impl IndexShift<'_> {
    /// These elements went.
    pub fn new(gone: &IndexRanges) -> IndexShift<'_> {
        let sums = gone.ranges().iter().scan(0, |sum, range| {
            let before = *sum;
            *sum += range.end - range.start;
            Some(before)
        });
        IndexShift {
            removed_before: sums.collect(),
            removed: gone,
        }
    }

    /// Where the element at `at` stands now; none if it went.
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
    fn elements_move_up_by_what_went_before_them() {
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
