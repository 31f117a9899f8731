//! What every list minimiser has in common: elements that are fixed, and a list that may not become too short.

use std::ops::Range;

use super::{List, Minimizer};
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// A list minimiser that sees only the elements that are not fixed, and whose questions about more elements than may go are refused
/// before anybody hears them.
#[derive(Clone, Debug)]
pub struct Movable<M> {
    minimizer: M,
    /// None where no element is fixed: the minimiser sees the list itself.
    fixed: Option<Fixed>,
}

#[derive(Clone, Debug)]
struct Fixed {
    /// The list as it is now.
    list: List,
    /// The same without its fixed elements: what the minimiser sees.
    movable: List,
}

impl Fixed {
    fn new(list: &List) -> Option<Fixed> {
        if list.fixed.is_empty() {
            return None;
        }
        let weights =
            free(list).flat_map(|range| &list.weights[range.start as usize..range.end as usize]);
        let weights = weights.copied().collect();
        let keep = list.keep.saturating_sub(list.fixed.len());
        Some(Fixed {
            list: list.clone(),
            movable: List::new(weights, keep),
        })
    }
}

impl<M> Movable<M>
where
    M: Dialogue<View = List, Edit = Indices, Why = (), Change = Indices> + Clone + Send + 'static,
{
    /// Begins on this list, with the minimiser that `start` makes for the elements that may go.
    pub fn boxed(list: &List, start: impl FnOnce(&List) -> M) -> Box<dyn Minimizer> {
        let fixed = Fixed::new(list);
        Box::new(Movable {
            minimizer: start(fixed.as_ref().map_or(list, |fixed| &fixed.movable)),
            fixed,
        })
    }
}

/// The stretches between the fixed elements.
fn free(list: &List) -> impl Iterator<Item = Range<u32>> {
    let fixed = list.fixed.ranges();
    let starts = std::iter::once(0).chain(fixed.iter().map(|range| range.end));
    let ends = fixed.iter().map(|range| range.start).chain([list.length]);
    starts.zip(ends).map(|(start, end)| start..end)
}

/// The free stretches, each with the index of its first element among the elements that may go.
fn numbered(list: &List) -> impl Iterator<Item = (Range<u32>, u32)> {
    let mut before = 0;
    free(list).map(move |range| {
        let first = before;
        before += range.end - range.start;
        (range, first)
    })
}

/// Indices of the list, from indices among the elements that may go.
fn outward(list: &List, items: &Indices) -> Indices {
    let found = numbered(list).flat_map(|(range, first)| {
        let offset = range.start - first;
        overlaps(items, first..first + (range.end - range.start), move |at| {
            at + offset
        })
    });
    found.collect()
}

/// Indices among the elements that may go, from indices of the list.
fn inward(list: &List, items: &Indices) -> Indices {
    let found = numbered(list).flat_map(|(range, first)| {
        let offset = range.start - first;
        overlaps(items, range, move |at| at - offset)
    });
    found.collect()
}

/// The parts of `items` in `window`, each end moved.
fn overlaps(
    items: &Indices,
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

impl<M> Dialogue for Movable<M>
where
    M: Dialogue<View = List, Edit = Indices, Why = (), Change = Indices>,
{
    type View = List;
    type Edit = Indices;
    type Why = ();
    type Change = Indices;

    fn step(&mut self, list: &List) -> Step<Indices, ()> {
        let seen = self.fixed.as_ref().map_or(list, |fixed| &fixed.movable);
        let out = |items: Indices| match &self.fixed {
            Some(fixed) => outward(&fixed.list, &items),
            None => items,
        };
        loop {
            match self.minimizer.step(seen) {
                Step::Ask(items, ()) if seen.length - items.len() < seen.keep => {
                    self.minimizer.told(seen, &items, Answer::Refused);
                }
                Step::Ask(items, ()) => return Step::Ask(out(items), ()),
                Step::Take(items) => return Step::Take(out(items)),
                step => return step,
            }
        }
    }

    fn told(&mut self, list: &List, asked: &Indices, answer: Answer) {
        match &self.fixed {
            Some(fixed) => {
                let asked = inward(&fixed.list, asked);
                self.minimizer.told(&fixed.movable, &asked, answer);
            }
            None => self.minimizer.told(list, asked, answer),
        }
    }

    fn taken(&mut self, list: &List, gone: &Indices) {
        match self.fixed.take() {
            Some(fixed) => {
                let gone = inward(&fixed.list, gone);
                self.fixed = Fixed::new(list);
                let seen = self.fixed.as_ref().map_or(list, |fixed| &fixed.movable);
                self.minimizer.taken(seen, &gone);
            }
            None => self.minimizer.taken(list, gone),
        }
    }

    fn constrained(&mut self, list: &List) {
        self.fixed = Fixed::new(list);
        let seen = self.fixed.as_ref().map_or(list, |fixed| &fixed.movable);
        self.minimizer.constrained(seen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_find_their_way_past_the_fixed_elements() {
        let mut list = List::new([1; 10].into(), 0);
        list.fixed = Indices::sorted([0, 4, 5, 9]);
        // May go: 1 2 3 6 7 8.
        let fixed = Fixed::new(&list).unwrap();
        assert_eq!(fixed.movable.length, 6);
        for (inside, outside) in [
            (0..6, vec![1, 2, 3, 6, 7, 8]),
            (2..4, vec![3, 6]),
            (3..5, vec![6, 7]),
            (0..1, vec![1]),
        ] {
            let (inside, outside) = (Indices::range(inside), Indices::sorted(outside));
            assert_eq!(outward(&list, &inside), outside);
            assert_eq!(inward(&list, &outside), inside);
        }
    }
}
