//! One-pass delta debugging: Gharachorlu and Sumner, "Avoiding the Familiar to Speed Up Test Case Reduction", QRS 2018. It is ddmin
//! that does not try a part again after another one was dropped.
//!
//! ```text
//! n ← 2
//! loop   cut the list into n parts
//!        reduce to a subset        if a part alone is interesting:   keep it, n ← 2, cut anew
//!        reduce to complements     from the last to the first part:
//!                                      if the list without it is interesting: drop it, and go on with the part before it
//!        done                      if the parts are single elements
//!        increase granularity      n ← min(2 × the parts left, length)
//! ```
//! Each part is tried once at each granularity: O(n) questions. The last round tries every element once, so what is left is 1-minimal
//! if the test is monotone. Before the first cut it asks whether the empty list will do.

use super::{Kind, List, Movable, part};
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// One-pass delta debugging.
pub(super) static OPDD: Kind = Kind {
    name: "opdd",
    what: "one-pass delta debugging: ddmin that tries no part twice (Gharachorlu and Sumner, 2018)",
    one_minimal: false,
    start: |list| Movable::boxed(list, Opdd::new),
};

/// The state of one-pass delta debugging on one list.
#[derive(Clone, Debug)]
pub struct Opdd {
    phase: Phase,
    /// Whether it was asked in vain if all may go.
    needed: bool,
    /// How many parts the list was cut into.
    parts: u32,
    /// The list's length when it was cut.
    length: u32,
    /// The parts before this one have not been tried in this phase.
    at: u32,
    /// The end of the part at hand, where parts go.
    until: u32,
    /// The parts of this cut that are still there.
    left: u32,
    take: Option<Indices>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    All,
    Subset,
    Complement,
}

impl Opdd {
    /// Begins on this list.
    pub fn new(list: &List) -> Opdd {
        let mut opdd = Opdd {
            phase: Phase::All,
            needed: false,
            parts: 0,
            length: 0,
            at: 0,
            until: 0,
            left: 0,
            take: None,
        };
        if list.keep > 0 {
            opdd.cut(list, 2);
        }
        opdd
    }

    fn cut(&mut self, list: &List, parts: u32) {
        self.phase = Phase::Subset;
        self.parts = parts.min(list.length);
        (self.length, self.until) = (list.length, list.length);
        (self.at, self.left) = (self.parts, self.parts);
    }

    fn question(&mut self, list: &List) -> Option<Indices> {
        loop {
            if list.length <= list.keep || (list.length == 1 && self.needed) {
                return None;
            }
            if list.length == 1 {
                // Only a part of all went, so it was never asked if the last element may go.
                self.phase = Phase::All;
            }
            if self.phase == Phase::All {
                return Some(Indices::range(0..list.length));
            } else if self.at > 0 {
                let part = part(self.length, self.parts, self.at - 1);
                return Some(match self.phase {
                    Phase::Complement => Indices::range(part.start..self.until),
                    _ => Indices::outside(part, list.length),
                });
            } else if self.phase == Phase::Subset && self.parts > 2 {
                (self.phase, self.at) = (Phase::Complement, self.parts);
            } else if self.parts == self.length {
                return None;
            } else {
                // With two parts, the complements are the subsets.
                self.cut(list, 2 * self.left);
            }
        }
    }
}

impl Dialogue for Opdd {
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

    fn told(&mut self, list: &List, asked: &Indices, answer: Answer) {
        match (answer, self.phase) {
            (Answer::Yes, _) => self.take = Some(asked.clone()),
            (_, Phase::All) => {
                self.needed = answer == Answer::No || list.length == 1;
                self.cut(list, 2);
            }
            (_, Phase::Subset) => self.at -= 1,
            (_, Phase::Complement) => {
                self.at -= 1;
                self.until = part(self.length, self.parts, self.at).start;
            }
        }
    }

    fn taken(&mut self, list: &List, gone: &Indices) {
        self.take = None;
        if self.phase != Phase::Complement {
            self.cut(list, 2);
            return;
        }
        self.until -= gone.len();
        // What was spared of a part has its turn again.
        if self.until == part(self.length, self.parts, self.at - 1).start {
            (self.at, self.left) = (self.at - 1, self.left - 1);
        }
    }

    fn constrained(&mut self, list: &List) {
        *self = Opdd::new(list);
    }
}
