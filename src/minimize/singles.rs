//! Every element once, from the back to the front: the last word on a list, and all that a short one is worth.

use super::List;
use crate::dialogue::{Answer, Dialogue, Indices, Step};

/// The state of one round over a list.
#[derive(Clone, Debug)]
pub struct Singles {
    /// The elements before this index have not been tried.
    until: u32,
    take: Option<Indices>,
}

impl Singles {
    /// Begins on this list.
    pub fn new(list: &List) -> Singles {
        Singles {
            until: list.length,
            take: None,
        }
    }
}

impl Dialogue for Singles {
    type View = List;
    type Edit = Indices;
    type Why = ();
    type Change = Indices;

    fn step(&mut self, list: &List) -> Step<Indices, ()> {
        if let Some(gone) = &self.take {
            return Step::Take(gone.clone());
        }
        if self.until == 0 || list.length <= list.keep {
            return Step::Done;
        }
        Step::Ask(Indices::range(self.until - 1..self.until), ())
    }

    fn told(&mut self, _: &List, asked: &Indices, answer: Answer) {
        match answer {
            Answer::Yes => self.take = Some(asked.clone()),
            Answer::No | Answer::Refused => self.until -= 1,
        }
    }

    fn taken(&mut self, _: &List, _: &Indices) {
        self.take = None;
        self.until -= 1;
    }

    fn constrained(&mut self, list: &List) {
        *self = Singles::new(list);
    }
}
