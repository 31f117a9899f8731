//! A list minimiser over things that a pass has put in a row: comments, lines, the parts of one level.

use std::sync::Arc;

use super::Options;
use crate::dialogue::{Answer, Indices, Step};
use crate::minimize::{List, Minimizer};

/// The things that are left, and the minimiser at work on them.
#[derive(Clone)]
pub struct Row<T> {
    left: Arc<[T]>,
    list: List,
    minimizer: Box<dyn Minimizer>,
    asked: Indices,
}

impl<T: Clone> Row<T> {
    /// Begins with these. All of them may go.
    pub fn new(things: Vec<T>, options: &Options) -> Row<T> {
        let list = List::even(things.len() as u32, 0);
        Row {
            left: things.into(),
            minimizer: (options.minimizer.start)(&list),
            list,
            asked: Indices::default(),
        }
    }

    /// How many are left.
    pub fn len(&self) -> u32 {
        self.left.len() as u32
    }

    /// The things that would go, or that go; none when nothing is left to ask.
    pub fn step(&mut self) -> Step<Vec<T>, ()> {
        match self.minimizer.step(&self.list) {
            Step::Ask(asked, ()) => {
                let things = self.pick(&asked);
                self.asked = asked;
                Step::Ask(things, ())
            }
            Step::Take(taken) => Step::Take(self.pick(&taken)),
            Step::Settle | Step::Done => Step::Done,
        }
    }

    /// The answer to what `step` asked.
    pub fn told(&mut self, answer: Answer) {
        self.minimizer.told(&self.list, &self.asked, answer);
    }

    /// What was asked is gone.
    pub fn taken(&mut self) {
        let gone = std::mem::take(&mut self.asked);
        let left = self.left.iter().zip(0..);
        self.left = left
            .filter(|&(_, at)| !gone.contains(at))
            .map(|(thing, _)| thing.clone())
            .collect();
        self.list = self.list.without(&gone);
        self.minimizer.taken(&self.list, &gone);
    }

    fn pick(&self, indices: &Indices) -> Vec<T> {
        let ranges = indices.ranges().iter();
        let stretches = ranges.map(|range| &self.left[range.start as usize..range.end as usize]);
        stretches.flatten().cloned().collect()
    }
}
