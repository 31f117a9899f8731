//! Counter-based delta debugging: Zhang, Xu, Tian, Cheng and Sun, "Toward a Better Understanding of Probabilistic Delta Debugging",
//! ICSE 2025. ProbDD's probabilities turn out to be counters of failures, so parts shrink by a fixed schedule.
//!
//! ```text
//! for r in 0, 1, … until the parts are single elements:
//!     p ← p0 / (1 - 1/e)^r
//!     size ← the s with the largest s · (1 - p)^s             4, 2, 1 for p0 = 1/4
//!     from the last part of that size to the first:
//!         if the list without the part is interesting: drop it
//!         else count one failure for each element of it; a single element is closed and never tried again
//! ```
//! Each element is tried once a round: at most n/4 + n/2 + n questions. The paper's counters agree in all elements of a round, so one
//! number stands for them. Parts do not straddle two rounds, as the paper's may at the end of one.
//! Order is left open there; from the back to the front here, because uses stand after what they use. First of
//! all it asks whether the empty list will do. What is left is 1-minimal if the test is monotone.

use super::chance::Chance;
use super::{Kind, List, Movable};
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// CDD.
pub(super) static CDD: Kind = Kind {
    name: "cdd",
    what: "counter-based delta debugging: parts of 4, 2 and 1 (Zhang et al., 2025)",
    one_minimal: false,
    start: |list| Movable::boxed(list, Cdd::new),
};

/// The state of counter-based delta debugging on one list.
#[derive(Clone, Debug)]
pub struct Cdd {
    /// Whether it is still to be asked if all may go.
    all: bool,
    /// An element's chance to be needed, in this round.
    chance: Chance,
    /// The elements before this index have not been tried in this round.
    until: u32,
    /// So many elements at the start are closed: only the last part of a round, at the start of the list, may fall short of its size.
    closed: u32,
    take: Option<Indices>,
}

impl Cdd {
    /// Begins on this list.
    pub fn new(list: &List) -> Cdd {
        Cdd {
            all: list.keep == 0,
            chance: Chance::QUARTER,
            until: list.length,
            closed: 0,
            take: None,
        }
    }

    fn start(&self) -> u32 {
        self.until
            .saturating_sub(self.chance.best())
            .max(self.closed)
    }

    fn question(&mut self, list: &List) -> Option<Indices> {
        loop {
            if list.length <= list.keep {
                return None;
            }
            if self.all {
                return Some(Indices::range(0..list.length));
            }
            if self.until > self.closed {
                return Some(Indices::range(self.start()..self.until));
            }
            if self.chance.best() == 1 {
                return None;
            }
            self.chance = self.chance.failed();
            self.until = list.length;
        }
    }
}

impl Dialogue for Cdd {
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
        if answer.is_yes() {
            self.take = Some(asked.clone());
        } else if self.all {
            self.all = false;
        } else {
            let start = self.start();
            if start == self.closed && self.until - start == 1 && answer == Answer::No {
                self.closed += 1;
            }
            self.until = start;
        }
    }

    fn taken(&mut self, list: &List, gone: &Indices) {
        self.take = None;
        if self.all {
            (self.all, self.until) = (false, list.length);
        } else {
            // What was spared of the part stands just before this index, and has its turn again.
            self.until -= gone.len();
        }
    }

    fn constrained(&mut self, list: &List) {
        *self = Cdd::new(list);
    }
}
