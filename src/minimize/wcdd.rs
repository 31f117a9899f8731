//! Counter-based delta debugging with weights: the schedule of Zhang et al. (CDD, ICSE 2025) with the prefix rule of Zhou
//! et al. (WDD, ICSE 2025). Not published under this name.
//!
//! ```text
//! for r in 0, 1, … until p is certain:
//!     p ← min(1, p0 / (1 - 1/e)^r)                            p0 = 1/4
//!     from the last open element to the first:
//!         part ← the elements before here, grown one by one as long as (sum of weights) · (1 - p)^size does not fall;
//!                a single element where p is certain
//!         if the list without the part is interesting: drop it
//!         else if it is a single element: close it
//! ```
//! Elements are tried in list order, not heaviest first, so light ones do not join a heavy one that stands behind
//! them. With equal weights it asks what CDD asks. What is left is 1-minimal if the test is monotone. First of all it asks whether the empty list will do.

use std::sync::Arc;

use super::chance::Chance;
use super::taken::Shift;
use super::{Kind, List, Movable};
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// CDD with weights.
pub(super) static WCDD: Kind = Kind {
    name: "wcdd",
    what: "counter-based delta debugging with weights: a part is what pays by its weight (after Zhang et al. and Zhou et al., 2025)",
    one_minimal: false,
    start: |list| Movable::boxed(list, Wcdd::new),
};

/// The state of weighted counter-based delta debugging on one list.
#[derive(Clone, Debug)]
pub struct Wcdd {
    /// Whether it is still to be asked if all may go.
    all: bool,
    /// An element's chance to be needed, in this round.
    chance: Chance,
    /// The open elements, in order; a clone that closes one copies them.
    open: Arc<Vec<u32>>,
    /// Those of them that have not been tried in this round: so many from the first.
    until: usize,
    take: Option<Indices>,
}

impl Wcdd {
    /// Begins on this list.
    pub fn new(list: &List) -> Wcdd {
        Wcdd {
            all: list.keep == 0,
            chance: Chance::QUARTER,
            open: Arc::new((0..list.length).collect()),
            until: list.length as usize,
            take: None,
        }
    }

    /// The part at hand: the last ones of the elements not yet tried.
    fn part(&self, list: &List) -> &[u32] {
        let untried = &self.open[..self.until];
        let mut sum = 0;
        let pays = |at: &&u32| {
            let weight = list.weight(**at);
            let pays = sum == 0 || self.chance.pays(sum, weight);
            sum += u64::from(weight);
            pays
        };
        let count = untried.iter().rev().take_while(pays).count();
        &untried[untried.len() - count..]
    }

    fn question(&mut self, list: &List) -> Option<Indices> {
        loop {
            if list.length <= list.keep || self.open.is_empty() {
                return None;
            }
            if self.all {
                return Some(Indices::range(0..list.length));
            }
            if self.until > 0 {
                return Some(Indices::sorted(self.part(list).iter().copied()));
            }
            if self.chance.certain() {
                return None;
            }
            self.chance = self.chance.failed();
            self.until = self.open.len();
        }
    }
}

impl Dialogue for Wcdd {
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
        if answer.is_yes() {
            self.take = Some(asked.clone());
        } else if self.all {
            self.all = false;
        } else {
            let count = self.part(list).len();
            self.until -= count;
            if count == 1 && answer == Answer::No {
                Arc::make_mut(&mut self.open).remove(self.until);
            }
        }
    }

    fn taken(&mut self, _: &List, gone: &Indices) {
        self.take = None;
        let shift = Shift::new(gone);
        let open: Vec<u32> = self.open.iter().filter_map(|&at| shift.of(at)).collect();
        if self.all {
            (self.all, self.until) = (false, open.len());
        } else {
            // What was spared of the part has its turn again.
            self.until -= self.open.len() - open.len();
        }
        self.open = Arc::new(open);
    }

    fn constrained(&mut self, list: &List) {
        *self = Wcdd::new(list);
    }
}
