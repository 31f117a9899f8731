//! lithium's minimising: Ruderman; described in `algorithm.md` of MozillaSecurity/lithium.
//!
//! ```text
//! size ← the largest power of two that is at most half the length
//! loop   from the last to the first part of that size:
//!            if the list without the part is interesting: drop it, and go on with the part before it
//!        if size = 1: done if none was dropped, else once more
//!        else halve the size
//! ```
//! Under monotony it needs O(m log n) questions for m needed elements among n: no subset phase and no new start after a success.
//! When the list became shorter than that, sizes that would cover it whole are passed over.

use super::{Kind, List, Movable};
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// lithium's minimising.
pub(super) static LITHIUM: Kind = Kind {
    name: "lithium",
    what: "halving parts, no new start after a success (Ruderman)",
    one_minimal: true,
    start: |list| Movable::boxed(list, Lithium::new),
};

/// The state of lithium's minimising on one list.
#[derive(Clone, Debug)]
pub struct Lithium {
    /// The length of a part in this round.
    size: u32,
    /// The elements before this index have not been tried in this round.
    until: u32,
    /// Whether this round dropped something.
    dropped: bool,
    take: Option<Indices>,
}

/// The largest size of a part in a list of this length.
fn largest(length: u32) -> u32 {
    (length / 2).checked_ilog2().map_or(1, |log| 1 << log)
}

impl Lithium {
    /// Begins on this list.
    pub fn new(list: &List) -> Lithium {
        Lithium {
            size: largest(list.length),
            until: list.length,
            dropped: false,
            take: None,
        }
    }

    fn question(&mut self, list: &List) -> Option<Indices> {
        loop {
            if list.length <= list.keep {
                return None;
            }
            if self.until > 0 {
                let start = self.until.saturating_sub(self.size);
                return Some(Indices::range(start..self.until));
            }
            match (self.size, self.dropped) {
                (1, false) => return None,
                (1, true) => {}
                _ => self.size = (self.size / 2).min(largest(list.length)),
            }
            (self.until, self.dropped) = (list.length, false);
        }
    }
}

impl Dialogue for Lithium {
    type View = List;
    type Edit = Indices;
    type Why = ();
    type Change = Indices;

    fn step(&mut self, list: &List) -> Step<Indices, ()> {
        if let Some(gone) = &self.take {
            return Step::Take(gone.clone());
        }
        match self.question(list) {
            Some(gone) => Step::Ask(gone, ()),
            None => Step::Done,
        }
    }

    fn told(&mut self, _: &List, asked: &Indices, answer: Answer) {
        match answer {
            Answer::Yes => self.take = Some(asked.clone()),
            Answer::No | Answer::Refused => self.until = self.until.saturating_sub(self.size),
        }
    }

    fn taken(&mut self, _: &List, gone: &Indices) {
        self.take = None;
        self.dropped = true;
        // What was spared of the part stands just before this index, and has its turn again.
        self.until -= gone.len();
    }

    fn constrained(&mut self, list: &List) {
        *self = Lithium::new(list);
    }
}
