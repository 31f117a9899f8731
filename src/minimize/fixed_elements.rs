//! The wrapper around all list minimisers: it hides fixed elements, and keeps a list from becoming too short.
//!
//! No minimiser sees a fixed element. Nobody sees a candidate that would leave the list too short.

use std::ops::Range;

use super::{MinimizerDriver, MinimizingAlgorithm, WeightedList};
use crate::protocol::{AlgorithmState, Feedback, IndexRanges, ListChunk, Proposer, ProposerStep};

/// A list minimiser that sees only the elements that are not fixed. Its candidates that would leave the list too short are rejected at
/// once.
#[derive(Clone, Debug)]
pub struct FixedElementsAdapter<A> {
    driver: MinimizerDriver<A>,
    /// None where no element is fixed: the minimiser sees the list itself.
    fixed: Option<FixedListView>,
}

#[derive(Clone, Debug)]
struct FixedListView {
    /// The list as it is now.
    list: WeightedList,
    /// The same without its fixed elements: what the minimiser sees.
    free: WeightedList,
}

impl FixedListView {
    fn new(list: &WeightedList) -> Option<FixedListView> {
        if list.fixed.is_empty() {
            return None;
        }
        let weights = free_ranges(list)
            .flat_map(|range| &list.weights[range.start as usize..range.end as usize]);
        let weights = weights.copied().collect();
        let keep = list.keep.saturating_sub(list.fixed.len());
        Some(FixedListView {
            list: list.clone(),
            free: WeightedList::new(weights, keep),
        })
    }
}

impl<A: MinimizingAlgorithm> FixedElementsAdapter<A> {
    /// Begins on this list, with the state that `start` makes for the elements that may be removed.
    pub fn new(list: &WeightedList, start: fn(&WeightedList) -> A) -> FixedElementsAdapter<A> {
        let fixed = FixedListView::new(list);
        let seen = fixed.as_ref().map_or(list, |fixed| &fixed.free);
        FixedElementsAdapter {
            driver: MinimizerDriver::new(seen, start),
            fixed,
        }
    }
}

/// The runs between the fixed elements.
fn free_ranges(list: &WeightedList) -> impl Iterator<Item = Range<u32>> {
    let fixed = list.fixed.ranges();
    let starts = std::iter::once(0).chain(fixed.iter().map(|range| range.end));
    let ends = fixed.iter().map(|range| range.start).chain([list.length]);
    starts.zip(ends).map(|(start, end)| start..end)
}

/// The free runs, each with the index of its first element among the elements that may be removed.
fn numbered_free_ranges(list: &WeightedList) -> impl Iterator<Item = (Range<u32>, u32)> {
    let mut before = 0;
    free_ranges(list).map(move |range| {
        let first = before;
        before += range.end - range.start;
        (range, first)
    })
}

/// Indices of the list, from indices among the elements that may be removed.
fn to_list_indices(list: &WeightedList, items: &IndexRanges) -> IndexRanges {
    let found = numbered_free_ranges(list).flat_map(|(range, first)| {
        let offset = range.start - first;
        clip_and_shift(items, first..first + (range.end - range.start), move |at| {
            at + offset
        })
    });
    found.collect()
}

/// Indices among the elements that may be removed, from indices of the list.
fn to_free_indices(list: &WeightedList, items: &IndexRanges) -> IndexRanges {
    let found = numbered_free_ranges(list).flat_map(|(range, first)| {
        let offset = range.start - first;
        clip_and_shift(items, range, move |at| at - offset)
    });
    found.collect()
}

/// The parts of `items` in `window`, with both ends shifted.
fn clip_and_shift(
    items: &IndexRanges,
    window: Range<u32>,
    moved: impl Fn(u32) -> u32,
) -> impl Iterator<Item = Range<u32>> {
    let first = items
        .ranges()
        .partition_point(|range| range.end <= window.start);
    let ranges = items.ranges()[first..].iter();
    let (start, end) = (window.start, window.end);
    ranges
        .take_while(move |range| range.start < end)
        .map(move |range| moved(range.start.max(start))..moved(range.end.min(end)))
}

impl<A: MinimizingAlgorithm> Proposer for FixedElementsAdapter<A> {
    type View = WeightedList;
    type Edit = IndexRanges;
    type Why = ();
    type Change = IndexRanges;

    fn propose(&mut self, list: &WeightedList) -> ProposerStep<IndexRanges, ()> {
        let seen = self.fixed.as_ref().map_or(list, |fixed| &fixed.free);
        let to_list = |items: IndexRanges| match &self.fixed {
            Some(fixed) => to_list_indices(&fixed.list, &items),
            None => items,
        };
        loop {
            match self.driver.propose(seen) {
                ProposerStep::Test(items, ()) if seen.length - items.len() < seen.keep => {
                    self.driver.on_verdict(seen, &items, Feedback::Rejected);
                }
                ProposerStep::Test(items, ()) => return ProposerStep::Test(to_list(items), ()),
                ProposerStep::Accept(items) => return ProposerStep::Accept(to_list(items)),
                step => return step,
            }
        }
    }

    fn describe_algorithm(&self, list: &WeightedList) -> Option<AlgorithmState<u32>> {
        let Some(FixedListView { list, free }) = &self.fixed else {
            return self.driver.describe_algorithm(list);
        };
        // Only the ends of a chunk need their places in the whole list.
        let to_list = |at: u32| {
            let found = to_list_indices(list, &IndexRanges::from_range(at..at + 1));
            found.ranges().first().map(|range| range.start)
        };
        let state = self.driver.describe_algorithm(free)?;
        Some(state.map_chunks(|chunk| {
            Some(ListChunk {
                first: to_list(chunk.first)?,
                last: to_list(chunk.last)?,
                ..chunk
            })
        }))
    }

    fn on_verdict(&mut self, list: &WeightedList, tested: &IndexRanges, feedback: Feedback) {
        match &self.fixed {
            Some(fixed) => {
                let tested = to_free_indices(&fixed.list, tested);
                self.driver.on_verdict(&fixed.free, &tested, feedback);
            }
            None => self.driver.on_verdict(list, tested, feedback),
        }
    }

    fn on_accept(&mut self, list: &WeightedList, removed: &IndexRanges) {
        match self.fixed.take() {
            Some(fixed) => {
                let removed = to_free_indices(&fixed.list, removed);
                self.fixed = FixedListView::new(list);
                let seen = self.fixed.as_ref().map_or(list, |fixed| &fixed.free);
                self.driver.on_accept(seen, &removed);
            }
            None => self.driver.on_accept(list, removed),
        }
    }

    fn invalidate(&mut self, list: &WeightedList) {
        self.fixed = FixedListView::new(list);
        let seen = self.fixed.as_ref().map_or(list, |fixed| &fixed.free);
        self.driver.invalidate(seen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_find_their_way_past_the_fixed_elements() {
        let mut list = WeightedList::new([1; 10].into(), 0);
        list.fixed = IndexRanges::from_sorted([0, 4, 5, 9]);
        // May go: 1 2 3 6 7 8.
        let fixed = FixedListView::new(&list).unwrap();
        assert_eq!(fixed.free.length, 6);
        for (inside, outside) in [
            (0..6, vec![1, 2, 3, 6, 7, 8]),
            (2..4, vec![3, 6]),
            (3..5, vec![6, 7]),
            (0..1, vec![1]),
        ] {
            let (inside, outside) = (
                IndexRanges::from_range(inside),
                IndexRanges::from_sorted(outside),
            );
            assert_eq!(to_list_indices(&list, &inside), outside);
            assert_eq!(to_free_indices(&list, &outside), inside);
        }
    }
}
