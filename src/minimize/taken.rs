//! Where elements stand after a take.

use crate::dialogue::Indices;

/// The change of indices when elements went from a list.
pub(super) struct Shift<'a> {
    gone: &'a Indices,
    /// How many elements went before each range of `gone`.
    before: Vec<u32>,
}

impl Shift<'_> {
    /// These elements went.
    pub fn new(gone: &Indices) -> Shift<'_> {
        let sums = gone.ranges().iter().scan(0, |sum, range| {
            let before = *sum;
            *sum += range.end - range.start;
            Some(before)
        });
        Shift {
            before: sums.collect(),
            gone,
        }
    }

    /// Where the element at `at` stands now; none if it went.
    pub fn of(&self, at: u32) -> Option<u32> {
        let ranges = self.gone.ranges();
        let after = ranges.partition_point(|range| range.end <= at);
        match ranges.get(after) {
            Some(range) if range.contains(&at) => None,
            Some(_) => Some(at - self.before[after]),
            None => Some(at - self.gone.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_move_up_by_what_went_before_them() {
        let gone = Indices::sorted([1, 2, 5]);
        let shift = Shift::new(&gone);
        let now: Vec<_> = (0..8).map(|at| shift.of(at)).collect();
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
