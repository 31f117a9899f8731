//! Sets of list elements: what a list minimiser asks about, and what an edit of a list names.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

/// A set of list elements by index, as sorted ranges that do not touch. Most questions are about one stretch of a list, so the set
/// costs the same whatever the stretch's length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Indices(SmallVec<[Range<u32>; 1]>);

impl Indices {
    /// The elements `range`.
    pub fn range(range: Range<u32>) -> Indices {
        if range.is_empty() {
            Indices::default()
        } else {
            Indices(smallvec![range])
        }
    }

    /// These elements, which must be sorted and distinct.
    pub fn sorted(indices: impl IntoIterator<Item = u32>) -> Indices {
        indices.into_iter().map(|index| index..index + 1).collect()
    }

    /// All elements below `length` except `range`.
    pub fn outside(range: Range<u32>, length: u32) -> Indices {
        [0..range.start, range.end..length].into_iter().collect()
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
        self.around(index).is_some()
    }

    /// The range that `index` is in.
    pub fn around(&self, index: u32) -> Option<&Range<u32>> {
        let after = self.0.partition_point(|range| range.end <= index);
        self.0.get(after).filter(|range| range.contains(&index))
    }

    /// Whether all of `range` is in the set.
    pub fn covers(&self, range: Range<u32>) -> bool {
        let after = self.0.partition_point(|own| own.end <= range.start);
        range.is_empty()
            || self
                .0
                .get(after)
                .is_some_and(|own| own.start <= range.start && range.end <= own.end)
    }

    /// Whether any of `range` is in the set.
    pub fn meets(&self, range: Range<u32>) -> bool {
        let after = self.0.partition_point(|own| own.end <= range.start);
        !range.is_empty() && self.0.get(after).is_some_and(|own| own.start < range.end)
    }
}

impl FromIterator<Range<u32>> for Indices {
    /// The elements of these ranges, which must be sorted and must not overlap.
    fn from_iter<T: IntoIterator<Item = Range<u32>>>(parts: T) -> Indices {
        let mut ranges: SmallVec<[Range<u32>; 1]> = SmallVec::new();
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            match ranges.last_mut() {
                Some(last) if last.end == part.start => last.end = part.end,
                _ => ranges.push(part),
            }
        }
        Indices(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_kept_as_ranges_and_answer_for_stretches() {
        let set = Indices::sorted([1, 2, 3, 7]);
        assert_eq!(set.ranges(), [1..4, 7..8]);
        assert_eq!(set.len(), 4);
        assert!(set.contains(3) && !set.contains(4) && set.contains(7));
        assert!(set.covers(1..4) && !set.covers(3..5) && !set.covers(0..2));
        assert_eq!(Indices::outside(2..4, 6).ranges(), [0..2, 4..6]);
        assert_eq!(Indices::outside(0..4, 6), Indices::range(4..6));
        assert_eq!(Indices::outside(0..6, 6), Indices::default());
        assert!(set.meets(3..6) && !set.meets(4..7) && set.meets(0..100));
    }
}
