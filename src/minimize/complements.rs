//! ddmin without its subset phase, from the back to the front: Hodován and Kiss, "Modernizing Hierarchical Delta Debugging", A-TEST
//! 2016, §3.
//!
//! ```text
//! size ← length
//! loop   from the last part of that size to the first:
//!            if the list without the part is interesting: drop it, and go on with the part before it
//!        if size = 1: done if none was dropped, else once more
//!        else size ← ⌈size / 2⌉
//! ```
//! Back to front, because uses stand after what they use. The paper goes on with n - 1 parts after a success; here each size is swept once,
//! as lithium does.

use super::{Kind, List, Movable};
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// ddmin without its subset phase.
pub(super) static COMPLEMENTS: Kind = Kind {
    name: "complements",
    what: "ddmin without its subset phase, from the back to the front (Hodován and Kiss, 2016)",
    one_minimal: true,
    start: |list| Movable::boxed(list, Complements::new),
};

/// The state of complements-only ddmin on one list.
#[derive(Clone, Debug)]
pub struct Complements {
    /// The length of a part in this round.
    size: u32,
    /// The elements before this index have not been tried in this round.
    until: u32,
    /// Whether this round dropped something.
    dropped: bool,
    take: Option<Indices>,
}

impl Complements {
    /// Begins on this list.
    pub fn new(list: &List) -> Complements {
        // All at once is the first part, where all may go.
        let size = if list.keep == 0 {
            list.length
        } else {
            list.length.div_ceil(2)
        };
        Complements {
            size,
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
                _ => self.size = self.size.min(list.length).div_ceil(2),
            }
            (self.until, self.dropped) = (list.length, false);
        }
    }
}

impl Dialogue for Complements {
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

    fn taken(&mut self, _: &List, _: &Indices) {
        self.take = None;
        self.dropped = true;
        // What was spared of the part has its turn again with the smaller parts of the next round: asked at once, it would only be
        // spared again.
        self.until = self.until.saturating_sub(self.size);
    }

    fn constrained(&mut self, list: &List) {
        *self = Complements::new(list);
    }
}
