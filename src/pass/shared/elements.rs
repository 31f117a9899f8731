//! A list minimiser over a list of which other edits also delete elements.
//!
//! A minimiser only knows its own removals. So it still sees elements that another edit deleted, as *ghosts*: its candidates of ghosts
//! alone are interesting at once, and other candidates are tested without the ghosts.

use std::sync::Arc;

use crate::minimize::{Minimizer, MinimizerStart, WeightedList};
use crate::pass::shared::node_task::name_elements;
use crate::program::{EditOp, NodeId, ProgramNode, walk};
use crate::protocol::{AlgorithmState, Feedback, IndexRanges, ListChunk, ProposerStep};

/// The fewest elements of a list that is worth a list minimiser. In shorter lists each element is tried by itself.
pub const LONG_LIST_LENGTH: usize = 8;

/// The state of a minimiser on one list. Outside, indices are those of the current list; inside, ghosts count.
#[derive(Clone)]
pub struct ElementMinimizer {
    /// The list.
    pub list: NodeId,
    minimizer: Box<dyn Minimizer>,
    seen: WeightedList,
    /// The ghosts, sorted.
    ghosts: Arc<[u32]>,
    /// What the minimiser proposed.
    proposed: IndexRanges,
}

impl ElementMinimizer {
    /// Begins on the elements of this list.
    pub fn new(list: &ProgramNode, start: MinimizerStart) -> ElementMinimizer {
        let weights = walk::iter_items(list).map(|item| item.sums().tokens);
        let seen = WeightedList::new(weights.collect(), u32::from(list.must_keep_one()));
        ElementMinimizer {
            list: list.id,
            minimizer: start(&seen),
            seen,
            ghosts: Arc::from([]),
            proposed: IndexRanges::default(),
        }
    }

    /// What the minimiser proposes next; none when it is done.
    pub fn next_removal(&mut self) -> Option<(EditOp, IndexRanges)> {
        loop {
            match self.minimizer.propose(&self.seen) {
                ProposerStep::Test(inside, ()) => {
                    debug_assert!(!inside.is_empty(), "a list minimiser asks about something");
                    let items = self.to_list_indices(&inside);
                    if items.is_empty() {
                        self.minimizer
                            .on_verdict(&self.seen, &inside, Feedback::Interesting);
                        continue;
                    }
                    self.proposed = inside;
                    return Some((self.delete_op(items.clone()), items));
                }
                ProposerStep::Accept(inside) => {
                    debug_assert!(
                        self.to_list_indices(&inside).is_empty(),
                        "what passed was accepted"
                    );
                    self.shrink_seen(&inside);
                }
                ProposerStep::Reparse | ProposerStep::Done => return None,
            }
        }
    }

    fn delete_op(&self, items: IndexRanges) -> EditOp {
        EditOp::DeleteItems {
            list: self.list,
            items,
        }
    }

    /// The verdict on what was really tested: perhaps less than the minimiser proposed, perhaps more. If it is interesting, it must be
    /// accepted next.
    pub fn on_verdict(&mut self, tested: &IndexRanges, feedback: Feedback) {
        if !feedback.is_interesting() {
            self.minimizer
                .on_verdict(&self.seen, &self.proposed, feedback);
            return;
        }
        // The minimiser learns of nothing that it did not propose: those elements become ghosts.
        let own = self
            .to_minimizer_indices(tested)
            .filter(|&at| self.proposed.contains(at));
        let mut inside: Vec<u32> = own.chain(self.asked_ghosts()).collect();
        if inside.is_empty() {
            let nothing = Feedback::Rejected;
            self.minimizer
                .on_verdict(&self.seen, &self.proposed, nothing);
            return;
        }
        inside.sort_unstable();
        let inside = IndexRanges::from_sorted(inside);
        self.minimizer.on_verdict(&self.seen, &inside, feedback);
    }

    /// These elements are gone, whatever edit removed them.
    pub fn on_accept(&mut self, gone: &IndexRanges) {
        let mut ghosts: Vec<u32> = self
            .to_minimizer_indices(gone)
            .chain(self.ghosts.iter().copied())
            .collect();
        ghosts.sort_unstable();
        self.ghosts = ghosts.into();
    }

    /// What the minimiser removes disappears from the list that it sees. This costs the length of the list, even for a single ghost. That
    /// is slow for very many ghosts apart from each other in a very long list, but a minimiser can only learn of them one removal at a
    /// time.
    fn shrink_seen(&mut self, gone: &IndexRanges) {
        let left = self.ghosts.iter().filter(|&&ghost| !gone.contains(ghost));
        let left = left.map(|&ghost| {
            let before = gone.ranges().iter().take_while(|range| range.end <= ghost);
            ghost - before.map(|range| range.end - range.start).sum::<u32>()
        });
        self.ghosts = left.collect();
        self.seen = self.seen.without_elements(gone);
        self.minimizer.on_accept(&self.seen, gone);
    }

    /// What the minimiser does with the candidate at hand. `list` is the list as it is now.
    pub fn describe_minimizer(&self, list: &ProgramNode) -> Option<AlgorithmState<NodeId>> {
        let state = self.minimizer.describe_algorithm(&self.seen)?;
        Some(state.map_chunks(|chunk| name_elements(list, self.without_ghosts(chunk)?)))
    }

    /// A chunk of the minimiser's list in indices of the current list; none if only ghosts are in it.
    fn without_ghosts(&self, chunk: ListChunk<u32>) -> Option<ListChunk<u32>> {
        let ghosts_before = |at: u32| self.ghosts.partition_point(|&ghost| ghost < at) as u32;
        let first = chunk.first - ghosts_before(chunk.first);
        let end = chunk.last + 1 - ghosts_before(chunk.last + 1);
        (first < end).then(|| ListChunk::of_range(first..end, chunk.fate))
    }

    fn asked_ghosts(&self) -> impl Iterator<Item = u32> + '_ {
        let ghosts = self.ghosts.iter().copied();
        ghosts.filter(|&ghost| self.proposed.contains(ghost))
    }

    /// The indices in the current list, without ghosts.
    fn to_list_indices(&self, inside: &IndexRanges) -> IndexRanges {
        if self.ghosts.is_empty() {
            return inside.clone();
        }
        let real = inside.ranges().iter().cloned().flatten().filter_map(|at| {
            let before = self.ghosts.binary_search(&at).err()?;
            Some(at - before as u32)
        });
        IndexRanges::from_sorted(real)
    }

    /// The indices of these elements as the minimiser sees them, in order.
    fn to_minimizer_indices(&self, outside: &IndexRanges) -> impl Iterator<Item = u32> + '_ {
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
                // All elements up to the next ghost still exist.
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
    use crate::minimize::MINIMIZERS;
    use crate::program::{NodeShape, Version, read_program};

    /// A text with this number of lines of one word: its root list has as many elements.
    fn lines(length: u32) -> Version {
        let text: String = (0..length).map(|line| format!("w{line}\n")).collect();
        let files = vec![(Arc::from(Path::new("a.txt")), Arc::from(text.into_bytes()))];
        read_program(files).expect("text can always be read")
    }

    fn remove(left: &mut Vec<u32>, items: &IndexRanges) {
        let mut at = 0;
        left.retain(|_| {
            at += 1;
            !items.contains(at - 1)
        });
    }

    proptest! {
        /// After each accepted edit another pass removes an element too. Sometimes only a part of the candidate is tested, sometimes more
        /// of the list.
        #[test]
        fn a_minimiser_finds_its_way_although_others_take_elements(
            length in 1u32..40,
            needed in proptest::collection::btree_set(0u32..40, 0..5),
            others in proptest::collection::vec(any::<u32>(), 40),
            shrinks in proptest::collection::vec(any::<bool>(), 200),
            grows in proptest::collection::vec(proptest::collection::vec(0u32..40, 0..3), 200),
        ) {
            for kind in MINIMIZERS {
                let version = lines(length);
                let mut nodes = walk::preorder(&version.documents()[0].root);
                let list = nodes.find(|node| node.shape == NodeShape::Star).expect("a list of lines");
                let mut elements = ElementMinimizer::new(list, kind.start);
                let mut left: Vec<u32> = (0..length).collect();
                let (mut others, mut shrinks, mut grows) = (others.iter(), shrinks.iter(), grows.iter());
                while let Some((_, items)) = elements.next_removal() {
                    prop_assert!(items.ranges().last().is_some_and(|last| last.end as usize <= left.len()), "{}", kind.name);
                    let free = |&at: &u32| !needed.contains(&left[at as usize]);
                    let all: Vec<u32> = items.ranges().iter().cloned().flatten().collect();
                    let mut passed: Vec<u32> = all.iter().copied().filter(free).collect();
                    let shrunk = passed.len() < all.len();
                    if passed.is_empty() || shrunk && !shrinks.next().is_some_and(|&shrink| shrink) {
                        elements.on_verdict(&items, Feedback::Uninteresting);
                        continue;
                    }
                    let more = grows.next().into_iter().flatten().map(|more| more % left.len() as u32);
                    passed.extend(more.filter(free));
                    passed.sort_unstable();
                    passed.dedup();
                    let passed = IndexRanges::from_sorted(passed);
                    elements.on_verdict(&passed, Feedback::Interesting);
                    remove(&mut left, &passed);
                    elements.on_accept(&passed);
                    let other = others.next().map(|other| other % length.max(1));
                    let at = left.iter().position(|&element| Some(element) == other && !needed.contains(&element));
                    if let Some(at) = at {
                        let items = IndexRanges::from_range(at as u32..at as u32 + 1);
                        remove(&mut left, &items);
                        elements.on_accept(&items);
                    }
                }
                let there = |element: &&u32| **element < length;
                let wanted: Vec<u32> = needed.iter().filter(there).copied().collect();
                prop_assert_eq!(left, wanted, "{}", kind.name);
            }
        }
    }
}
