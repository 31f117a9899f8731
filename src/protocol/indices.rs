//! Sets of list elements: what a list minimiser proposes to remove, and what an edit of a list names.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

/// A set of list elements by index, as sorted ranges that do not touch. Most candidates are without one stretch of a list, so the set
/// costs the same whatever the stretch's length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct IndexRanges(SmallVec<[Range<u32>; 1]>);

impl IndexRanges {
    /// The elements `range`.
    pub fn from_range(range: Range<u32>) -> IndexRanges {
        if range.is_empty() {
            IndexRanges::default()
        } else {
            IndexRanges(smallvec![range])
        }
    }

    /// These elements, which must be sorted and distinct.
    pub fn from_sorted(indices: impl IntoIterator<Item = u32>) -> IndexRanges {
        indices.into_iter().map(|index| index..index + 1).collect()
    }

    /// All elements below `length` except `range`.
    pub fn all_except(range: Range<u32>, length: u32) -> IndexRanges {
        [0..range.start, range.end..length].into_iter().collect()
    }

    /// The set without these numbers, which must be sorted.
    pub fn without_sorted(&self, gone: impl IntoIterator<Item = u32>) -> IndexRanges {
        let mut gone = gone.into_iter().peekable();
        let mut left = Vec::new();
        for range in self.ranges() {
            let mut start = range.start;
            while let Some(index) = gone.next_if(|index| *index < range.end) {
                if index >= start {
                    left.push(start..index);
                    start = index + 1;
                }
            }
            left.push(start..range.end);
        }
        left.into_iter().collect()
    }

    /// The ranges.
    pub fn ranges(&self) -> &[Range<u32>] {
        &self.0
    }

    /// How many elements.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `index` is one of them.
    pub fn contains(&self, index: u32) -> bool {
        self.range_containing(index).is_some()
    }

    /// The range that `index` is in.
    pub fn range_containing(&self, index: u32) -> Option<&Range<u32>> {
        let after = self.0.partition_point(|range| range.end <= index);
        self.0.get(after).filter(|range| range.contains(&index))
    }

    /// Whether all of `range` is in the set.
    pub fn contains_range(&self, range: Range<u32>) -> bool {
        let after = self.0.partition_point(|own| own.end <= range.start);
        range.is_empty()
            || self
                .0
                .get(after)
                .is_some_and(|own| own.start <= range.start && range.end <= own.end)
    }

    /// Whether any of `range` is in the set.
    pub fn intersects_range(&self, range: Range<u32>) -> bool {
        let after = self.0.partition_point(|own| own.end <= range.start);
        !range.is_empty() && self.0.get(after).is_some_and(|own| own.start < range.end)
    }
}

impl FromIterator<Range<u32>> for IndexRanges {
    /// The elements of these ranges, which must be sorted and must not overlap.
    fn from_iter<T: IntoIterator<Item = Range<u32>>>(parts: T) -> IndexRanges {
        let mut ranges: SmallVec<[Range<u32>; 1]> = SmallVec::new();
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            match ranges.last_mut() {
                Some(last) if last.end == part.start => last.end = part.end,
                _ => ranges.push(part),
            }
        }
        IndexRanges(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_kept_as_ranges_and_answer_for_stretches() {
        let set = IndexRanges::from_sorted([1, 2, 3, 7]);
        assert_eq!(set.ranges(), [1..4, 7..8]);
        assert_eq!(set.len(), 4);
        assert!(set.contains(3) && !set.contains(4) && set.contains(7));
        assert!(set.contains_range(1..4) && !set.contains_range(3..5) && !set.contains_range(0..2));
        assert_eq!(IndexRanges::all_except(2..4, 6).ranges(), [0..2, 4..6]);
        assert_eq!(
            IndexRanges::all_except(0..4, 6),
            IndexRanges::from_range(4..6)
        );
        assert_eq!(IndexRanges::all_except(0..6, 6), IndexRanges::default());
        assert!(
            set.intersects_range(3..6)
                && !set.intersects_range(4..7)
                && set.intersects_range(0..100)
        );
    }

    #[test]
    fn numbers_are_taken_out_of_a_set_whether_they_are_in_it_or_not() {
        let set = IndexRanges::from_sorted([5, 6, 7, 8, 9, 12]);
        let without = |gone: &[u32]| set.without_sorted(gone.iter().copied());
        assert_eq!(without(&[5, 7, 9]).ranges(), [6..7, 8..9, 12..13]);
        assert_eq!(without(&[2, 10, 12, 20]), IndexRanges::from_range(5..10));
        assert_eq!(without(&[]), set);
    }
}
