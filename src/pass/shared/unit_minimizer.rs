//! A list minimiser over units that a pass has listed: comments, lines, the parts of one level.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::minimize::{Minimizer, WeightedList, WholeFirstMinimizer};
use crate::pass::PassOptions;
use crate::program::{ActionUnit, Edit, EditAction, EditOp, EditReason, NodeId};
use crate::protocol::{AlgorithmState, ChunkFate, Feedback, IndexRanges, ListChunk, ProposerStep};

/// The units that are left, and the minimiser that tries them.
#[derive(Clone)]
pub struct UnitMinimizer<T> {
    remaining: Arc<[T]>,
    list: WeightedList,
    minimizer: Box<dyn Minimizer>,
    proposed: IndexRanges,
    /// The edit that was proposed; after a verdict, the edit that was tested.
    edit: Arc<Edit>,
    /// Whether it was interesting and is to be accepted.
    interesting: bool,
}

impl<T: Clone> UnitMinimizer<T> {
    /// Begins with these units, each with its tokens; with all of them at once if `at_once`. All of them may be removed.
    pub fn new(things: Vec<(T, u32)>, options: &PassOptions, at_once: bool) -> UnitMinimizer<T> {
        let weights = things.iter().map(|&(_, tokens)| tokens).collect();
        let list = WeightedList::new(weights, 0);
        UnitMinimizer {
            remaining: things.into_iter().map(|(thing, _)| thing).collect(),
            minimizer: match at_once {
                true => Box::new(WholeFirstMinimizer::followed_by(options.minimizer, &list)),
                false => (options.minimizer.start)(&list),
            },
            list,
            proposed: IndexRanges::default(),
            edit: Arc::default(),
            interesting: false,
        }
    }

    /// How many are left.
    pub fn len(&self) -> u32 {
        self.list.length
    }

    /// The next candidate, with its number of units, or the edit to accept. `edit` makes an edit of units. Done when nothing is left to
    /// try.
    pub fn propose(&mut self, edit: impl FnOnce(&[T]) -> Edit) -> ProposerStep<Edit, u32> {
        match self.minimizer.propose(&self.list) {
            ProposerStep::Test(proposed, ()) => {
                let proposal = edit(&self.select_units(&proposed));
                let go = proposed.len();
                (self.proposed, self.edit) = (proposed, Arc::new(proposal.clone()));
                ProposerStep::Test(proposal, go)
            }
            ProposerStep::Accept(_) => ProposerStep::Accept((*self.edit).clone()),
            ProposerStep::Reparse | ProposerStep::Done => ProposerStep::Done,
        }
    }

    /// The same for a pass of this name, which calls its units `what`, and removes them. One may lie inside of another, and goes with it.
    pub fn propose_removal(
        &mut self,
        pass: &'static str,
        what: &ActionUnit,
        edit: impl FnOnce(&[T]) -> Edit,
    ) -> ProposerStep<Edit, EditReason> {
        let of = self.len();
        explain_removal(self.propose(edit), pass, what, of)
    }

    /// The same where no unit lies inside of another. One that the edit of several leaves in place, because its list must keep an element, is
    /// not counted, and stays a unit.
    pub fn propose_disjoint_removal(
        &mut self,
        pass: &'static str,
        what: &ActionUnit,
        edit: impl Fn(&[T]) -> Edit,
    ) -> ProposerStep<Edit, EditReason> {
        let of = self.len();
        let mut step = self.propose(&edit);
        if let ProposerStep::Test(proposal, go) = &mut step {
            *go = self.leave_kept_units(proposal, *go, &edit);
        }
        explain_removal(step, pass, what, of)
    }

    /// The units that the candidate at hand is about.
    pub fn proposed_units(&self) -> Vec<T> {
        self.select_units(&self.proposed)
    }

    /// Forgets of the proposed units those that this edit leaves in place. How many go.
    fn leave_kept_units(&mut self, edit: &Edit, go: u32, of: impl Fn(&[T]) -> Edit) -> u32 {
        if count_removed(edit).is_none_or(|removed| removed >= go) {
            return go;
        }
        let gone = self.units_inside(&self.proposed, edit, of);
        if !gone.is_empty() {
            self.proposed = gone;
        }
        self.proposed.len()
    }

    /// The verdict on `tested`, which is what was proposed or less; `edit` as there. It says nothing about
    /// a unit that would be removed only in part.
    pub fn on_verdict(
        &mut self,
        tested: &Edit,
        mut feedback: Feedback,
        edit: impl Fn(&[T]) -> Edit,
    ) {
        if *tested != *self.edit {
            let inside = self.units_inside(&self.proposed, tested, &edit);
            if inside.is_empty() {
                feedback = Feedback::Rejected;
            } else {
                (self.proposed, self.edit) = (inside, Arc::new(tested.clone()));
            }
        }
        self.interesting = feedback.is_interesting();
        self.minimizer
            .on_verdict(&self.list, &self.proposed, feedback);
    }

    /// What was tested is removed; or another edit was accepted, which the minimiser does not learn of. Then its candidates about missing
    /// units are smaller, or empty and rejected.
    pub fn on_accept(&mut self) {
        if !std::mem::take(&mut self.interesting) {
            return;
        }
        let gone = std::mem::take(&mut self.proposed);
        let left = self.remaining.iter().zip(0..);
        self.remaining = left
            .filter(|&(_, at)| !gone.contains(at))
            .map(|(thing, _)| thing.clone())
            .collect();
        self.list = self.list.without_elements(&gone);
        self.minimizer.on_accept(&self.list, &gone);
    }

    /// What the list minimiser does with the candidate at hand. `ends` are the first and the last node of a unit.
    pub fn describe_minimizer(
        &self,
        ends: impl Fn(&T) -> Option<(NodeId, NodeId)>,
    ) -> Option<AlgorithmState<NodeId>> {
        let unit = |at: u32| ends(self.remaining.get(at as usize)?);
        let state = self.minimizer.describe_algorithm(&self.list)?;
        Some(state.map_chunks(|chunk| {
            let is_whole = self.proposed.contains_range(chunk.first..chunk.last + 1);
            let fate = match chunk.fate {
                ChunkFate::Going if !is_whole => ChunkFate::GoingInPart,
                fate => fate,
            };
            Some(ListChunk {
                first: unit(chunk.first)?.0,
                last: unit(chunk.last)?.1,
                elements: chunk.elements,
                fate,
            })
        }))
    }

    /// Those of these units that go as a whole with an edit.
    fn units_inside(
        &self,
        units: &IndexRanges,
        within: &Edit,
        edit: impl Fn(&[T]) -> Edit,
    ) -> IndexRanges {
        let parts = EditLookup::from_edit(within);
        let left = &self.remaining;
        let is_inside =
            |&at: &u32| parts.covers_edit(&edit(std::slice::from_ref(&left[at as usize])));
        let indices = units.ranges().iter().cloned().flatten();
        IndexRanges::from_sorted(indices.filter(is_inside))
    }

    fn select_units(&self, indices: &IndexRanges) -> Vec<T> {
        let ranges = indices.ranges().iter();
        let stretches =
            ranges.map(|range| &self.remaining[range.start as usize..range.end as usize]);
        stretches.flatten().cloned().collect()
    }
}

/// A step of a pass of this name that removes units, with its reason in place of the number of those that go.
fn explain_removal(
    step: ProposerStep<Edit, u32>,
    pass: &'static str,
    what: &ActionUnit,
    of: u32,
) -> ProposerStep<Edit, EditReason> {
    match step {
        ProposerStep::Test(edit, go) => {
            let what = what.clone();
            let why = EditReason {
                pass,
                action: EditAction::DropUnits { what, go, of },
                node: None,
            };
            ProposerStep::Test(edit, why)
        }
        ProposerStep::Accept(edit) => ProposerStep::Accept(edit),
        ProposerStep::Reparse => ProposerStep::Reparse,
        ProposerStep::Done => ProposerStep::Done,
    }
}

/// How many nodes an edit removes; none if it does something else too.
fn count_removed(edit: &Edit) -> Option<u32> {
    let removed = edit.ops.iter().map(|op| match op.removed_items() {
        Some((_, items)) => Some(items.len()),
        None => op.removed_node().map(|_| 1),
    });
    removed.sum()
}

/// What an edit does, to find parts of another edit in it.
struct EditLookup<'a> {
    ops: FxHashSet<&'a EditOp>,
    lists: FxHashMap<NodeId, &'a IndexRanges>,
}

impl<'a> EditLookup<'a> {
    fn from_edit(edit: &'a Edit) -> EditLookup<'a> {
        EditLookup {
            lists: edit.item_removals().collect(),
            ops: edit.ops.iter().collect(),
        }
    }

    fn covers_edit(&self, edit: &Edit) -> bool {
        edit.ops.iter().all(|op| match op.removed_items() {
            Some((list, items)) => self.lists.get(&list).is_some_and(|own| {
                let mut ranges = items.ranges().iter();
                ranges.all(|range| own.contains_range(range.clone()))
            }),
            None => self.ops.contains(op),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::NodeId;
    use crate::protocol::AlgorithmPicture;

    fn delete(nodes: &[u64]) -> Edit {
        nodes
            .iter()
            .map(|&node| EditOp::Delete(NodeId(node)))
            .collect()
    }

    #[test]
    fn of_a_question_that_was_shrunk_only_what_was_asked_goes() {
        let things = (1..=4).map(|node| (node, 1)).collect();
        let complements = crate::minimize::find_minimizer("complements").expect("the table has it");
        let options = PassOptions {
            minimizer: complements,
            ..PassOptions::default()
        };
        let mut minimizer = UnitMinimizer::new(things, &options, false);
        assert_eq!(
            minimizer.propose(delete),
            ProposerStep::Test(delete(&[1, 2, 3, 4]), 4)
        );
        let less = delete(&[2, 3]);
        minimizer.on_verdict(&less, Feedback::Interesting, delete);
        assert_eq!(minimizer.propose(delete), ProposerStep::Accept(less));
        minimizer.on_accept();
        assert_eq!(minimizer.len(), 2);
        let mut left = Vec::new();
        while let ProposerStep::Test(asked, _) = minimizer.propose(delete) {
            minimizer.on_verdict(&asked, Feedback::Uninteresting, delete);
            left.extend(asked.ops);
        }
        for node in [1, 4] {
            assert!(left.contains(&EditOp::Delete(NodeId(node))), "{left:?}");
        }
    }

    #[test]
    fn a_unit_that_its_list_must_keep_is_not_counted_and_stays_a_unit() {
        let things = (1..=3).map(|node| (node, 1)).collect();
        let options = PassOptions {
            minimizer: crate::minimize::find_minimizer("ddmin").expect("the table has it"),
            ..PassOptions::default()
        };
        // All three stand in one list, which keeps its first element.
        let keep_one = |nodes: &[u64]| match nodes {
            [1, rest @ ..] if nodes.len() == 3 => delete(rest),
            nodes => delete(nodes),
        };
        let mut minimizer = UnitMinimizer::new(things, &options, false);
        let what = ActionUnit::named("part");
        let step = minimizer.propose_disjoint_removal("a pass", &what, keep_one);
        let ProposerStep::Test(asked, why) = step else {
            panic!("nothing is asked: {step:?}");
        };
        assert_eq!(asked, delete(&[2, 3]));
        assert_eq!(why.action, EditAction::DropUnits { what, go: 2, of: 3 });
        let state = minimizer.describe_minimizer(|&node| Some((NodeId(node), NodeId(node))));
        let layers = state.expect("a state").layers;
        let AlgorithmPicture::Chunks(picture) = &layers[0].picture else {
            panic!("no chunks");
        };
        assert_eq!(picture.chunks[0].fate, ChunkFate::GoingInPart);
        minimizer.on_verdict(&delete(&[2, 3]), Feedback::Interesting, keep_one);
        assert_eq!(
            minimizer.propose(keep_one),
            ProposerStep::Accept(delete(&[2, 3]))
        );
        minimizer.on_accept();
        assert_eq!(minimizer.len(), 1, "the first is still there");
    }

    #[test]
    fn a_thing_that_would_go_in_part_stays_and_what_was_asked_is_taken() {
        let things = vec![([1, 2], 2), ([3, 4], 2), ([5, 6], 2)];
        let all = |things: &[[u64; 2]]| delete(things.as_flattened());
        let options = PassOptions {
            minimizer: crate::minimize::find_minimizer("complements").expect("the table has it"),
            ..PassOptions::default()
        };
        let mut minimizer = UnitMinimizer::new(things, &options, false);
        assert_eq!(
            minimizer.propose(all),
            ProposerStep::Test(delete(&[1, 2, 3, 4, 5, 6]), 3)
        );
        let less = delete(&[1, 2, 3, 5, 6]);
        minimizer.on_verdict(&less, Feedback::Interesting, all);
        assert_eq!(minimizer.propose(all), ProposerStep::Accept(less));
        minimizer.on_accept();
        assert_eq!(
            minimizer.propose(all),
            ProposerStep::Test(delete(&[3, 4]), 1)
        );
        minimizer.on_verdict(&delete(&[4]), Feedback::Interesting, all);
        assert_eq!(
            minimizer.propose(all),
            ProposerStep::Done,
            "no whole thing was asked about"
        );
    }

    #[test]
    fn an_edit_of_another_pass_skips_no_candidate() {
        let things = (1..=4).map(|node| (node, 1)).collect();
        let options = PassOptions {
            minimizer: crate::minimize::find_minimizer("complements").expect("the table has it"),
            ..PassOptions::default()
        };
        let mut minimizer = UnitMinimizer::new(things, &options, false);
        assert!(matches!(
            minimizer.propose(delete),
            ProposerStep::Test(_, 4)
        ));
        minimizer.on_verdict(&delete(&[2]), Feedback::Interesting, delete);
        minimizer.on_accept();
        let next = minimizer.propose(delete);
        assert_eq!(next, ProposerStep::Test(delete(&[3, 4]), 2));
        let mut other = minimizer.clone();
        other.on_accept();
        assert_eq!(other.propose(delete), next);
    }
}
