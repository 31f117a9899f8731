//! A batch: edits that are tested one by one against one base, and accepted together.
//!
//! The merge is that of Shrink Ray (MacIver), without its timing. There the edits with the most gain come first; here they are merged in
//! the order of their tests:
//!
//! ```text
//! S ← the edits found interesting, each tested on this very base
//! all of them together; where that fails, the longest prefix that passes, by galloping (1, 2, 4, … more, then halves):
//!     the edit behind it conflicts and is left out; then again with all that follow
//! accept what was merged
//! ```
//! The candidates of the first part do not depend on each other's verdicts, so all of them can be tested at the same time
//! ([`EditBatch::independent_edits`]). Accepting edits one after the other needs as many tests, or fewer: the price of a batch is the test
//! of the merge, and the tests of edits that an earlier edit would have made needless. So a batch pays for many edits of which some are
//! accepted. If none is, speculation on failures looks just as far ahead; if nearly all are, galloping needs far fewer tests.
//!
//! Only an edit that was tested on this base is accepted: the last interesting merge, or the only interesting edit.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::display::format_count;
use crate::program::{Edit, EditAction, EditOp, EditReason, NodeId, QuestionWords};
use crate::protocol::{Feedback, IndexRanges, ProposerStep};

/// The most edits of a batch.
pub const MAX_BATCH_EDITS: usize = 64;
/// With fewer edits the test of the merge costs more than it is worth.
pub const MIN_BATCH_EDITS: usize = 8;

/// The state of one batch.
#[derive(Clone, Debug)]
pub struct EditBatch {
    candidates: Arc<[(Edit, EditReason)]>,
    /// Which of them were interesting, and the edits as tested.
    interesting: imbl::Vector<(u32, Edit)>,
    /// The numbers of those that were interesting, but not together with those before them.
    conflicts: imbl::Vector<u32>,
    state: EditBatchState,
}

#[derive(Clone, Debug)]
enum EditBatchState {
    /// This edit is tested by itself.
    Single(usize),
    Merge(BatchMerge),
    Accept(Arc<Edit>),
    /// No edit was interesting.
    Done,
}

/// The search for edits that can be made together. Numbers count the interesting edits.
#[derive(Clone, Debug)]
struct BatchMerge {
    /// The last interesting merge, as one edit.
    merged: Arc<Edit>,
    /// All edits before this one are merged, or conflict.
    at: usize,
    /// Together with all edits before this one it was not interesting.
    failed_end: Option<usize>,
    /// How many more edits are tried after a failure.
    stride: usize,
}

impl BatchMerge {
    /// Up to which of this number of edits the next merge goes; none when all were tried.
    fn next_end(&mut self, all: usize) -> Option<usize> {
        (self.at < all).then(|| match self.failed_end {
            None => all,
            Some(bad) => self.at + self.stride.min((bad - self.at) / 2).max(1),
        })
    }
}

impl EditBatch {
    /// Begins with these candidates.
    pub fn new(questions: Vec<(Edit, EditReason)>) -> EditBatch {
        EditBatch {
            candidates: questions.into(),
            interesting: imbl::Vector::new(),
            conflicts: imbl::Vector::new(),
            state: EditBatchState::Single(0),
        }
    }

    /// The next candidate, or the edit to accept; done when no edit was interesting.
    pub fn propose(&mut self) -> ProposerStep<Edit, EditReason> {
        match &mut self.state {
            EditBatchState::Single(at) => match self.candidates.get(*at) {
                Some((edit, why)) => ProposerStep::Test(edit.clone(), why.clone()),
                None => ProposerStep::Done,
            },
            EditBatchState::Merge(merge) => {
                let until = merge.next_end(self.interesting.len()).unwrap_or(merge.at);
                let more = self.interesting.iter().take(until).skip(merge.at);
                let edit =
                    join_edits(std::iter::once(&*merge.merged).chain(more.map(|(_, edit)| edit)));
                let edits = format_count((until - self.conflicts.len()) as u64, "edit");
                let words = QuestionWords::ask(format!("Can {edits} be made together?"))
                    .in_short(format!("{edits} together"))
                    .listing_removed()
                    .because("each was interesting by itself");
                let action = EditAction::Question(words);
                let (_, why) = &self.candidates[self.interesting[0].0 as usize];
                let (pass, node) = (why.pass, None);
                ProposerStep::Test(edit, EditReason { pass, action, node })
            }
            EditBatchState::Accept(edit) => ProposerStep::Accept((**edit).clone()),
            EditBatchState::Done => ProposerStep::Done,
        }
    }

    /// The verdict on `tested`, which is what was proposed or less. Returns whether it was about an edit by itself.
    pub fn on_verdict(&mut self, tested: &Edit, feedback: Feedback) -> bool {
        let all = self.interesting.len();
        match &mut self.state {
            EditBatchState::Single(at) => {
                if feedback.is_interesting() {
                    self.interesting.push_back((*at as u32, tested.clone()));
                }
                *at += 1;
                if *at == self.candidates.len() {
                    self.state = self.start_merge();
                }
                return true;
            }
            EditBatchState::Merge(merge) => {
                let until = merge.next_end(all).unwrap_or(merge.at);
                if feedback.is_interesting() {
                    merge.merged = Arc::new(tested.clone());
                    (merge.at, merge.stride) = (until, merge.stride * 2);
                } else {
                    merge.failed_end = Some(until);
                }
                if merge.failed_end == Some(merge.at + 1) {
                    self.conflicts.push_back(self.interesting[merge.at].0);
                    (merge.at, merge.failed_end, merge.stride) = (merge.at + 1, None, 1);
                }
                if merge.at == all {
                    self.state = EditBatchState::Accept(merge.merged.clone());
                }
            }
            EditBatchState::Accept(_) | EditBatchState::Done => {}
        }
        false
    }

    fn start_merge(&self) -> EditBatchState {
        match self.interesting.front() {
            None => EditBatchState::Done,
            Some((_, only)) if self.interesting.len() == 1 => {
                EditBatchState::Accept(Arc::new(only.clone()))
            }
            Some((_, first)) => EditBatchState::Merge(BatchMerge {
                merged: Arc::new(first.clone()),
                at: 1,
                failed_end: None,
                stride: 1,
            }),
        }
    }

    /// The edits after the current one that are proposed whatever the verdicts are.
    pub fn independent_edits(&self, most: usize) -> Vec<Edit> {
        let behind = match &self.state {
            EditBatchState::Single(at) => &self.candidates[at + 1..],
            _ => &[],
        };
        let edits = behind.iter().take(most);
        edits.map(|(edit, _)| edit.clone()).collect()
    }

    /// At the end of the batch: the numbers of the edits that were not interesting, by themselves or with those that are accepted.
    pub fn failed_indices(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.candidates.len()).filter(|&at| {
            let at = at as u32;
            let passed = self
                .interesting
                .binary_search_by_key(&at, |&(at, _)| at)
                .is_ok();
            !passed || self.conflicts.contains(&at)
        })
    }
}

/// One edit that does what these do. Elements of one list are removed by one operation.
pub fn join_edits<'a>(edits: impl IntoIterator<Item = &'a Edit>) -> Edit {
    let mut joined = Edit::default();
    // In the order in which the lists come up.
    let mut lists: Vec<(NodeId, Vec<u32>)> = Vec::new();
    let mut places: FxHashMap<NodeId, usize> = FxHashMap::default();
    for op in edits.into_iter().flat_map(|edit| &edit.ops) {
        let Some((list, items)) = op.removed_items() else {
            joined.ops.push(op.clone());
            continue;
        };
        let place = *places.entry(list).or_insert_with(|| {
            lists.push((list, Vec::new()));
            lists.len() - 1
        });
        lists[place]
            .1
            .extend(items.ranges().iter().cloned().flatten());
    }
    for (list, mut items) in lists {
        items.sort_unstable();
        items.dedup();
        let items = IndexRanges::from_sorted(items);
        joined.ops.push(EditOp::DeleteItems { list, items });
    }
    joined
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn delete(node: u64) -> (Edit, EditReason) {
        let why = EditReason {
            pass: "test",
            action: EditAction::DropOptional,
            node: Some(NodeId(node)),
        };
        (EditOp::Delete(NodeId(node)).into(), why)
    }

    fn nodes(edit: &Edit) -> BTreeSet<u64> {
        let ops = edit.ops.iter();
        ops.map(|op| match op {
            EditOp::Delete(node) => node.0,
            other => panic!("{other:?}"),
        })
        .collect()
    }

    /// What a batch did: its candidates with their verdicts, and what it accepted.
    #[derive(Debug)]
    struct Run {
        asked: Vec<(BTreeSet<u64>, bool)>,
        took: BTreeSet<u64>,
        failed: BTreeSet<u64>,
    }

    /// Runs a batch over `0..length`; a candidate may be shrunk on its way.
    fn run(
        length: u64,
        interesting: impl Fn(&BTreeSet<u64>) -> bool,
        shrink: impl Fn(&BTreeSet<u64>) -> BTreeSet<u64>,
    ) -> Run {
        let mut batch = EditBatch::new((0..length).map(delete).collect());
        let mut asked = Vec::new();
        loop {
            let failed = |batch: &EditBatch| batch.failed_indices().map(|at| at as u64).collect();
            match batch.propose() {
                ProposerStep::Test(edit, why) => {
                    assert_eq!(batch.propose(), ProposerStep::Test(edit.clone(), why));
                    let gone = shrink(&nodes(&edit));
                    let yes = interesting(&gone);
                    let edit: Edit = gone
                        .iter()
                        .map(|&node| EditOp::Delete(NodeId(node)))
                        .collect();
                    let answer = if yes {
                        Feedback::Interesting
                    } else {
                        Feedback::Uninteresting
                    };
                    batch.on_verdict(&edit, answer);
                    asked.push((gone, yes));
                }
                ProposerStep::Accept(edit) => {
                    return Run {
                        asked,
                        took: nodes(&edit),
                        failed: failed(&batch),
                    };
                }
                ProposerStep::Reparse | ProposerStep::Done => {
                    return Run {
                        asked,
                        took: BTreeSet::new(),
                        failed: failed(&batch),
                    };
                }
            }
        }
    }

    fn whole(set: &BTreeSet<u64>) -> BTreeSet<u64> {
        set.clone()
    }

    #[test]
    fn edits_that_do_not_meet_cost_one_question_more() {
        let needed = [3, 7];
        let run = run(10, |gone| needed.iter().all(|n| !gone.contains(n)), whole);
        assert_eq!(run.asked.len(), 11, "{run:?}");
        assert_eq!(run.took, BTreeSet::from([0, 1, 2, 4, 5, 6, 8, 9]));
        assert_eq!(run.failed, BTreeSet::from(needed));
    }

    #[test]
    fn of_two_edits_that_exclude_each_other_the_second_stays() {
        let run = run(20, |gone| !(gone.contains(&4) && gone.contains(&15)), whole);
        assert_eq!(run.failed, BTreeSet::from([15]));
        assert_eq!(run.took.len(), 19);
        assert!(run.asked.len() <= 20 + 1 + 10, "{run:?}");
    }

    #[test]
    fn what_comes_whatever_the_answers_are_is_said_ahead() {
        let mut batch = EditBatch::new((0..10).map(delete).collect());
        assert_eq!(
            batch.independent_edits(3),
            [delete(1).0, delete(2).0, delete(3).0]
        );
        assert_eq!(batch.independent_edits(64).len(), 9);
        for at in 0..10 {
            batch.on_verdict(&delete(at).0, Feedback::Interesting);
        }
        assert_eq!(batch.independent_edits(64), [], "the merge is one question");
    }

    #[test]
    fn elements_of_one_list_go_in_one_operation() {
        let drop = |at: u32| {
            Edit::from(EditOp::DeleteItems {
                list: NodeId(1),
                items: IndexRanges::from_range(at..at + 1),
            })
        };
        let joined = join_edits([&drop(4), &drop(1), &delete(9).0]);
        assert_eq!(
            joined.ops[..],
            [
                EditOp::Delete(NodeId(9)),
                EditOp::DeleteItems {
                    list: NodeId(1),
                    items: IndexRanges::from_sorted([1, 4])
                }
            ]
        );
    }

    proptest! {
        /// Sets of edits that must not all be made, as a test that is uninteresting for more if it is so for less.
        #[test]
        fn what_is_left_is_one_minimal_and_what_is_taken_was_asked(
            length in 1u64..70,
            forbidden in proptest::collection::vec(proptest::collection::btree_set(0u64..70, 1..4), 0..6),
            shrinks in 0u64..9,
        ) {
            let interesting = |gone: &BTreeSet<u64>| !forbidden.iter().any(|set| set.is_subset(gone));
            let run = run(length, interesting, whole);
            prop_assert!(interesting(&run.took), "the result is interesting: {run:?}");
            let asked = |set: &BTreeSet<u64>| run.asked.contains(&(set.clone(), true));
            prop_assert!(run.took.is_empty() || asked(&run.took), "only what was asked on this base is taken: {run:?}");
            for node in (0..length).filter(|node| !run.took.contains(node)) {
                let more: BTreeSet<u64> = run.took.iter().copied().chain([node]).collect();
                prop_assert!(!interesting(&more), "{node} could go too: {run:?}");
                prop_assert!(run.failed.contains(&node));
            }
            // A filter that shrinks the merge: still only a tested edit is accepted.
            let spare = |set: &BTreeSet<u64>| match set.len() {
                1 => set.clone(),
                _ => set.iter().copied().filter(|node| node % 9 != shrinks).collect(),
            };
            let shrunk = super::tests::run(length, interesting, spare);
            prop_assert!(shrunk.took.is_empty() || shrunk.asked.contains(&(shrunk.took.clone(), true)));
        }
    }
}
