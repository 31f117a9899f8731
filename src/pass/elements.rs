//! A list in the hands of a list minimiser, while others take elements from it too.
//!
//! A minimiser knows only of what it took itself. So it goes on seeing elements that somebody else took, as *ghosts*: what it asks of
//! ghosts alone is answered at once, and what it asks of others is asked without the ghosts.

use std::sync::Arc;

use crate::dialogue::{Answer, Indices, Step};
use crate::minimize::{List, Minimizer, Start};
use crate::program::{Node, NodeId, Op, walk};

/// The state of a minimiser on one list. Indices outside are those of the list as it is; inside, ghosts count.
#[derive(Clone)]
pub struct Elements {
    /// The list.
    pub list: NodeId,
    minimizer: Box<dyn Minimizer>,
    seen: List,
    /// Sorted.
    ghosts: Arc<[u32]>,
    /// What the minimiser asked, or wants to take.
    asked: Indices,
    taking: bool,
}

impl Elements {
    /// Begins on the elements of this list.
    pub fn new(list: &Node, start: Start) -> Elements {
        let weights = walk::items(list).map(|item| item.sums.tokens);
        let seen = List::new(weights.collect(), u32::from(list.keeps_one()));
        Elements {
            list: list.id,
            minimizer: start(&seen),
            seen,
            ghosts: Arc::from([]),
            asked: Indices::default(),
            taking: false,
        }
    }

    /// What the minimiser asks or takes next.
    pub fn step(&mut self) -> Step<Op, Indices> {
        loop {
            match self.minimizer.step(&self.seen) {
                Step::Ask(inside, ()) => {
                    let items = self.outside(&inside);
                    if items.is_empty() {
                        self.minimizer.told(&self.seen, &inside, Answer::Yes);
                        continue;
                    }
                    (self.asked, self.taking) = (inside, false);
                    return Step::Ask(self.op(items.clone()), items);
                }
                Step::Take(inside) => {
                    let items = self.outside(&inside);
                    self.asked = inside;
                    if items.is_empty() {
                        self.vanish();
                        continue;
                    }
                    self.taking = true;
                    return Step::Take(self.op(items));
                }
                Step::Settle | Step::Done => return Step::Done,
            }
        }
    }

    fn op(&self, items: Indices) -> Op {
        Op::DeleteItems {
            list: self.list,
            items,
        }
    }

    /// The answer to what was really asked: perhaps less than the minimiser wanted.
    pub fn told(&mut self, asked: &Indices, answer: Answer) {
        let inside = if answer.is_yes() && *asked != self.outside(&self.asked) {
            let ghosts = self.asked_ghosts();
            let mut inside: Vec<u32> = self.inside(asked).chain(ghosts).collect();
            inside.sort_unstable();
            Indices::sorted(inside)
        } else {
            self.asked.clone()
        };
        self.minimizer.told(&self.seen, &inside, answer);
    }

    /// These elements went: by the take that the last step wanted, or by somebody else's.
    pub fn taken(&mut self, gone: &Indices) {
        if std::mem::take(&mut self.taking) {
            self.vanish();
            return;
        }
        let mut ghosts: Vec<u32> = self
            .inside(gone)
            .chain(self.ghosts.iter().copied())
            .collect();
        ghosts.sort_unstable();
        self.ghosts = ghosts.into();
    }

    /// What the minimiser takes is gone from the list that it sees.
    fn vanish(&mut self) {
        let gone = std::mem::take(&mut self.asked);
        let left = self.ghosts.iter().filter(|&&ghost| !gone.contains(ghost));
        let left = left.map(|&ghost| {
            let before = gone.ranges().iter().take_while(|range| range.end <= ghost);
            ghost - before.map(|range| range.end - range.start).sum::<u32>()
        });
        self.ghosts = left.collect();
        let weights = self.seen.weights.iter().enumerate();
        let weights = weights.filter(|&(at, _)| !gone.contains(at as u32));
        self.seen = List::new(weights.map(|(_, &weight)| weight).collect(), self.seen.keep);
        self.minimizer.taken(&self.seen, &gone);
    }

    fn asked_ghosts(&self) -> impl Iterator<Item = u32> + '_ {
        let ghosts = self.ghosts.iter().copied();
        ghosts.filter(|&ghost| self.asked.contains(ghost))
    }

    /// Without ghosts.
    fn outside(&self, inside: &Indices) -> Indices {
        if self.ghosts.is_empty() {
            return inside.clone();
        }
        let real = inside.ranges().iter().cloned().flatten().filter_map(|at| {
            let before = self.ghosts.binary_search(&at).err()?;
            Some(at - before as u32)
        });
        Indices::sorted(real)
    }

    /// What these elements are to the minimiser, in order.
    fn inside(&self, outside: &Indices) -> impl Iterator<Item = u32> + '_ {
        let mut real = outside.ranges().to_vec().into_iter().flatten();
        let (mut at, mut passed, mut next_ghost) = (0, 0, 0);
        std::iter::from_fn(move || {
            let wanted = real.next()?;
            loop {
                if self.ghosts.get(next_ghost) == Some(&at) {
                    next_ghost += 1;
                    at += 1;
                    continue;
                }
                if passed == wanted {
                    return Some(at);
                }
                // Up to the next ghost every element is real.
                let run = self
                    .ghosts
                    .get(next_ghost)
                    .map_or(u32::MAX, |ghost| ghost - at);
                let step = run.min(wanted - passed);
                (at, passed) = (at + step, passed + step);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::minimize::KINDS;
    use crate::program::{Shape, Version, read};

    /// A text of so many lines of one word: its root list has as many elements.
    fn lines(length: u32) -> Version {
        let text: String = (0..length).map(|line| format!("w{line}\n")).collect();
        let files = vec![(Arc::from(Path::new("a.txt")), Arc::from(text.into_bytes()))];
        read(files).expect("text can always be read")
    }

    fn remove(left: &mut Vec<u32>, items: &Indices) {
        let mut at = 0;
        left.retain(|_| {
            at += 1;
            !items.contains(at - 1)
        });
    }

    proptest! {
        /// After each take somebody else takes an element too, and sometimes only a part of what was wanted is asked.
        #[test]
        fn a_minimiser_finds_its_way_although_others_take_elements(
            length in 1u32..40,
            needed in proptest::collection::btree_set(0u32..40, 0..5),
            others in proptest::collection::vec(any::<u32>(), 40),
            shrinks in proptest::collection::vec(any::<bool>(), 200),
        ) {
            for kind in KINDS {
                let version = lines(length);
                let mut nodes = walk::preorder(&version.documents()[0].root);
                let list = nodes.find(|node| node.shape == Shape::Star).expect("a list of lines");
                let mut elements = Elements::new(list, kind.start);
                let mut left: Vec<u32> = (0..length).collect();
                let (mut others, mut shrinks) = (others.iter(), shrinks.iter());
                loop {
                    match elements.step() {
                        Step::Ask(_, items) => {
                            prop_assert!(items.ranges().last().is_some_and(|last| last.end as usize <= left.len()), "{}", kind.name);
                            let free = |&at: &u32| !needed.contains(&left[at as usize]);
                            let all: Vec<u32> = items.ranges().iter().cloned().flatten().collect();
                            let shrunk: Vec<u32> = all.iter().copied().filter(free).collect();
                            if shrunk.len() == all.len() {
                                elements.told(&items, Answer::Yes);
                            } else if shrunk.is_empty() || !shrinks.next().is_some_and(|&shrink| shrink) {
                                elements.told(&items, Answer::No);
                            } else {
                                elements.told(&Indices::sorted(shrunk), Answer::Yes);
                            }
                        }
                        Step::Take(Op::DeleteItems { items, .. }) => {
                            remove(&mut left, &items);
                            elements.taken(&items);
                            let other = others.next().map(|other| other % length.max(1));
                            let at = left.iter().position(|&element| Some(element) == other && !needed.contains(&element));
                            if let Some(at) = at {
                                let items = Indices::range(at as u32..at as u32 + 1);
                                remove(&mut left, &items);
                                elements.taken(&items);
                            }
                        }
                        Step::Take(_) | Step::Settle => unreachable!("only elements of the list are taken"),
                        Step::Done => break,
                    }
                }
                let there = |element: &&u32| **element < length;
                let wanted: Vec<u32> = needed.iter().filter(there).copied().collect();
                prop_assert_eq!(left, wanted, "{}", kind.name);
            }
        }
    }
}
