//! Probabilistic delta debugging: Wang, Shen, Chen, Xiong and Zhang, "Probabilistic Delta Debugging", ESEC/FSE 2021; and its
//! weighted form, WProbDD: Zhou, Xu, Zhang, Tian and Sun, "WDD: Weighted Delta Debugging", ICSE 2025.
//!
//! ```text
//! p[i] ← p0 = 0.1 for all elements
//! while an element is open:
//!     sort the open elements by p, the smallest first         weighted: by (1 - p) · weight, the largest first
//!     S ← the prefix with the largest |S| · ∏(1 - p)          weighted: (sum of weights) · ∏(1 - p), grown until it
//!                                                              first falls, which need not be the largest
//!     if the list without S is interesting: drop S
//!     else p[i] ← p[i] / (1 - ∏(1 - p[j]) over S) for all i in S; p = 1 closes i: only an element alone gets there
//! ```
//! O(n) questions, and what is left is 1-minimal, if the test is monotone. Where the order is open, ties, it is from the back to the
//! front in place of the paper's chance. First of all it asks whether the empty list will do; that enters no probability.
//! A single element that is refused is closed: asked again it would be refused again.
//!
//! Unweighted is weighted with weights of one, so one state serves both.

use std::cmp::Reverse;
use std::sync::Arc;

use super::chance::Chance;
use super::taken::Shift;
use super::{Kind, List, Movable};
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// ProbDD.
pub(super) static PROBDD: Kind = Kind {
    name: "probdd",
    what: "probabilistic delta debugging: the largest expected gain first (Wang et al., 2021)",
    one_minimal: false,
    start: |list| Movable::boxed(list, Probdd::new),
};

/// WProbDD.
pub(super) static WPROBDD: Kind = Kind {
    name: "wprobdd",
    what: "probabilistic delta debugging with weights (Zhou et al., 2025)",
    one_minimal: false,
    start: |list| Movable::boxed(list, Probdd::weighted),
};

/// The state of (weighted) probabilistic delta debugging on one list.
#[derive(Clone, Debug)]
pub struct Probdd {
    weighted: bool,
    /// Whether it is still to be asked if all may go.
    all: bool,
    /// The open elements in the order in which they are tried; a clone that is told something copies them.
    open: Arc<Vec<Open>>,
    /// How many elements may go together: a question about more of them was refused, which says nothing about each.
    most: Option<usize>,
    take: Option<Indices>,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    at: u32,
    weight: u32,
    chance: Chance,
}

impl Open {
    /// The expected gain of the element alone, the largest first; of two that tie, the one further back.
    fn key(&self) -> (Reverse<u64>, Reverse<u32>) {
        let gain = self.chance.not() * u64::from(self.weight);
        (Reverse(gain), Reverse(self.at))
    }
}

impl Probdd {
    /// ProbDD on this list.
    pub fn new(list: &List) -> Probdd {
        Probdd::begin(list, false)
    }

    /// WProbDD on this list.
    pub fn weighted(list: &List) -> Probdd {
        Probdd::begin(list, true)
    }

    fn begin(list: &List, weighted: bool) -> Probdd {
        let mut open: Vec<Open> = (0..list.length)
            .map(|at| Open {
                at,
                weight: if weighted { list.weight(at) } else { 1 },
                chance: Chance::TENTH,
            })
            .collect();
        open.sort_by_key(Open::key);
        Probdd {
            weighted,
            all: list.keep == 0,
            open: Arc::new(open),
            most: None,
            take: None,
        }
    }

    /// How long the best prefix is.
    fn count(&self, list: &List) -> usize {
        let may = (list.length - list.keep) as usize;
        let most = self.most.map_or(may, |most| most.min(may));
        let mut sum = 0;
        let pays = |open: &&Open| {
            let pays = sum == 0 || open.chance.pays(sum, open.weight);
            sum += u64::from(open.weight);
            pays
        };
        self.open.iter().take(most).take_while(pays).count()
    }

    fn question(&self, list: &List) -> Option<Indices> {
        if list.length <= list.keep || self.open.is_empty() {
            return None;
        }
        if self.all {
            return Some(Indices::range(0..list.length));
        }
        let mut together: Vec<u32> = self.open[..self.count(list)]
            .iter()
            .map(|open| open.at)
            .collect();
        together.sort_unstable();
        Some(Indices::sorted(together))
    }
}

impl Dialogue for Probdd {
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
            return;
        }
        if std::mem::take(&mut self.all) {
            return;
        }
        let count = self.count(list);
        match answer {
            Answer::Refused if count > 1 => self.most = Some(count / 2),
            _ => {
                self.most = None;
                let open = Arc::make_mut(&mut self.open);
                Chance::raise(open[..count].iter_mut().map(|open| &mut open.chance));
                open.retain(|open| !open.chance.certain());
                open.sort_by_key(Open::key);
            }
        }
    }

    fn taken(&mut self, _: &List, gone: &Indices) {
        self.take = None;
        self.all = false;
        self.most = None;
        let shift = Shift::new(gone);
        Arc::make_mut(&mut self.open).retain_mut(|open| match shift.of(open.at) {
            Some(at) => {
                open.at = at;
                true
            }
            None => false,
        });
    }

    fn constrained(&mut self, list: &List) {
        *self = Probdd::begin(list, self.weighted);
    }
}
