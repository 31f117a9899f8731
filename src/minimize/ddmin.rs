//! ddmin, the minimising delta debugging algorithm: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input",
//! TSE 2002, figure 5.
//!
//! ```text
//! n ← 2
//! loop   cut the list into n parts
//!        reduce to a subset        if a part alone is interesting:      keep it, n ← 2
//!        reduce to a complement    if the list without one is:          drop it, n ← max(n - 1, 2)
//!        increase granularity      else if n < length:                  n ← min(2n, length)
//!        done                      else
//! ```
//! Before the first cut it asks whether the empty list will do, which the paper takes as known. After a complement it goes on with
//! complements of the new cut; the paper would try its subsets first, most of which it knows.

use super::{Kind, List, Movable, part};
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// ddmin.
pub(super) static DDMIN: Kind = Kind {
    name: "ddmin",
    what: "minimising delta debugging (Zeller and Hildebrandt, 2002)",
    one_minimal: true,
    start: |list| Movable::boxed(list, Ddmin::new),
};

/// The state of ddmin on one list.
#[derive(Clone, Debug)]
pub struct Ddmin {
    phase: Phase,
    parts: u32,
    at: u32,
    /// Whether it was asked in vain if all may go.
    needed: bool,
    take: Option<Indices>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    All,
    Subset,
    Complement,
}

impl Ddmin {
    /// Begins on this list.
    pub fn new(_: &List) -> Ddmin {
        Ddmin {
            phase: Phase::All,
            parts: 2,
            at: 0,
            needed: false,
            take: None,
        }
    }

    /// What goes when the question at hand is answered with yes; none when no question is left.
    fn question(&mut self, list: &List) -> Option<Indices> {
        loop {
            if list.length <= list.keep || (list.length == 1 && self.needed) {
                return None;
            }
            if list.length == 1 {
                // Only a part of all went, so it was never asked if the last element may go.
                self.phase = Phase::All;
            }
            let parts = self.parts.min(list.length);
            if self.phase == Phase::All {
                if list.keep == 0 {
                    return Some(Indices::range(0..list.length));
                }
                self.phase = Phase::Subset;
            } else if self.at < parts {
                let kept = part(list.length, parts, self.at);
                return Some(match self.phase {
                    Phase::Complement => Indices::range(kept),
                    _ => Indices::outside(kept, list.length),
                });
            } else if self.phase == Phase::Subset && parts > 2 {
                (self.phase, self.at) = (Phase::Complement, 0);
            } else if parts == list.length {
                return None;
            } else {
                // With two parts, the complements are the subsets.
                (self.phase, self.at, self.parts) =
                    (Phase::Subset, 0, (2 * parts).min(list.length));
            }
        }
    }
}

impl Dialogue for Ddmin {
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
                self.phase = Phase::Subset;
            }
            _ => self.at += 1,
        }
    }

    fn taken(&mut self, _: &List, _: &Indices) {
        self.take = None;
        self.at = 0;
        match self.phase {
            Phase::All | Phase::Subset => (self.phase, self.parts) = (Phase::Subset, 2),
            Phase::Complement => self.parts = (self.parts - 1).max(2),
        }
        if self.parts == 2 {
            self.phase = Phase::Subset;
        }
    }

    fn constrained(&mut self, list: &List) {
        *self = Ddmin::new(list);
    }
}
