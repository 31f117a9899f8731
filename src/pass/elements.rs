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
    /// What the minimiser asked.
    asked: Indices,
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
        }
    }

    /// What the minimiser asks next; none when it is done.
    pub fn step(&mut self) -> Option<(Op, Indices)> {
        loop {
            match self.minimizer.step(&self.seen) {
                Step::Ask(inside, ()) => {
                    debug_assert!(!inside.is_empty(), "a list minimiser asks about something");
                    let items = self.outside(&inside);
                    if items.is_empty() {
                        self.minimizer.told(&self.seen, &inside, Answer::Yes);
                        continue;
                    }
                    self.asked = inside;
                    return Some((self.op(items.clone()), items));
                }
                Step::Take(inside) => {
                    debug_assert!(self.outside(&inside).is_empty(), "what passed was taken");
                    self.vanish(&inside);
                }
                Step::Settle | Step::Done => return None,
            }
        }
    }

    fn op(&self, items: Indices) -> Op {
        Op::DeleteItems {
            list: self.list,
            items,
        }
    }

    /// The answer to what was really asked: perhaps less than the minimiser wanted, perhaps more. If it is yes, that must be taken next.
    pub fn told(&mut self, asked: &Indices, answer: Answer) {
        if !answer.is_yes() {
            self.minimizer.told(&self.seen, &self.asked, answer);
            return;
        }
        // The minimiser hears of nothing that it did not propose: it will find that gone.
        let own = self.inside(asked).filter(|&at| self.asked.contains(at));
        let mut inside: Vec<u32> = own.chain(self.asked_ghosts()).collect();
        if inside.is_empty() {
            let nothing = Answer::Refused;
            self.minimizer.told(&self.seen, &self.asked, nothing);
            return;
        }
        inside.sort_unstable();
        let inside = Indices::sorted(inside);
        self.minimizer.told(&self.seen, &inside, answer);
    }

    /// These elements went, by whose take ever.
    pub fn taken(&mut self, gone: &Indices) {
        let mut ghosts: Vec<u32> = self
            .inside(gone)
            .chain(self.ghosts.iter().copied())
            .collect();
        ghosts.sort_unstable();
        self.ghosts = ghosts.into();
    }

    /// What the minimiser takes is gone from the list that it sees. That costs the length of the list, also for a single ghost: for very many
    /// ghosts apart in a very long list that is much, but a minimiser can only hear of them one take at a time.
    fn vanish(&mut self, gone: &Indices) {
        let left = self.ghosts.iter().filter(|&&ghost| !gone.contains(ghost));
        let left = left.map(|&ghost| {
            let before = gone.ranges().iter().take_while(|range| range.end <= ghost);
            ghost - before.map(|range| range.end - range.start).sum::<u32>()
        });
        self.ghosts = left.collect();
        self.seen = self.seen.without(gone);
        self.minimizer.taken(&self.seen, gone);
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
        /// After each take somebody else takes an element too. Sometimes only a part of what was wanted is asked, sometimes more of the list.
        #[test]
        fn a_minimiser_finds_its_way_although_others_take_elements(
            length in 1u32..40,
            needed in proptest::collection::btree_set(0u32..40, 0..5),
            others in proptest::collection::vec(any::<u32>(), 40),
            shrinks in proptest::collection::vec(any::<bool>(), 200),
            grows in proptest::collection::vec(proptest::collection::vec(0u32..40, 0..3), 200),
        ) {
            for kind in KINDS {
                let version = lines(length);
                let mut nodes = walk::preorder(&version.documents()[0].root);
                let list = nodes.find(|node| node.shape == Shape::Star).expect("a list of lines");
                let mut elements = Elements::new(list, kind.start);
                let mut left: Vec<u32> = (0..length).collect();
                let (mut others, mut shrinks, mut grows) = (others.iter(), shrinks.iter(), grows.iter());
                while let Some((_, items)) = elements.step() {
                    prop_assert!(items.ranges().last().is_some_and(|last| last.end as usize <= left.len()), "{}", kind.name);
                    let free = |&at: &u32| !needed.contains(&left[at as usize]);
                    let all: Vec<u32> = items.ranges().iter().cloned().flatten().collect();
                    let mut passed: Vec<u32> = all.iter().copied().filter(free).collect();
                    let shrunk = passed.len() < all.len();
                    if passed.is_empty() || shrunk && !shrinks.next().is_some_and(|&shrink| shrink) {
                        elements.told(&items, Answer::No);
                        continue;
                    }
                    let more = grows.next().into_iter().flatten().map(|more| more % left.len() as u32);
                    passed.extend(more.filter(free));
                    passed.sort_unstable();
                    passed.dedup();
                    let passed = Indices::sorted(passed);
                    elements.told(&passed, Answer::Yes);
                    remove(&mut left, &passed);
                    elements.taken(&passed);
                    let other = others.next().map(|other| other % length.max(1));
                    let at = left.iter().position(|&element| Some(element) == other && !needed.contains(&element));
                    if let Some(at) = at {
                        let items = Indices::range(at as u32..at as u32 + 1);
                        remove(&mut left, &items);
                        elements.taken(&items);
                    }
                }
                let there = |element: &&u32| **element < length;
                let wanted: Vec<u32> = needed.iter().filter(there).copied().collect();
                prop_assert_eq!(left, wanted, "{}", kind.name);
            }
        }
    }
}
