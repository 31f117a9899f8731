//! A batch: edits that are asked about one by one against one base, and then taken together.
//!
//! The merge is that of shrinkray (MacIver, its merging of patches), without its timing. There the edits with the most gain come first,
//! here they are merged in the order of asking:
//!
//! ```text
//! yes ← the edits found interesting, each asked on this very base
//! all of them together; where that fails, the longest prefix that passes, by galloping (1, 2, 4, … more, then halves):
//!     the edit behind it conflicts and is left out; then again with all that follow
//! one take
//! ```
//! The questions of the first part do not depend on each other's answers, so they can all be tested at a time ([`Batch::ahead`]).
//! Sequential asking needs as many questions, or fewer: the price of a batch is the question about the merge, and edits that an edit
//! before them would have made needless. So it pays for many edits of which some are accepted: with none the bet on a row of refusals
//! looks as far ahead, and where nearly all are accepted galloping needs far fewer questions.
//!
//! Only what was asked on this base is taken: the last merge that passed, or the only edit that did.

use std::sync::Arc;

use crate::dialogue::{Answer, Indices, Step};
use crate::program::{Action, Edit, NodeId, Op, Why};

/// The most edits of a batch.
pub const MOST: usize = 64;
/// With fewer edits the question about the merge costs more than it is worth.
pub const LEAST: usize = 8;

/// The state of one batch.
#[derive(Clone, Debug)]
pub struct Batch {
    questions: Arc<[(Edit, Why)]>,
    /// Which of them passed, and what was really asked.
    yes: imbl::Vector<(u32, Edit)>,
    /// The numbers of those that passed, but not with what is before them.
    conflicts: imbl::Vector<u32>,
    now: Now,
}

#[derive(Clone, Debug)]
enum Now {
    /// This one is asked by itself.
    Each(usize),
    Merge(Merge),
    Take(Arc<Edit>),
    /// Nothing passed.
    Done,
}

/// The search for what may go together. Numbers count what passed.
#[derive(Clone, Debug)]
struct Merge {
    /// What passed so far, in one edit.
    sure: Arc<Edit>,
    /// What is before this one is in it, or conflicts.
    at: usize,
    /// With all before this one it did not pass.
    bad: Option<usize>,
    /// How many more are tried after a failure.
    stride: usize,
}

impl Merge {
    /// Up to where the next question goes, of so many; none when all were tried.
    fn until(&mut self, all: usize) -> Option<usize> {
        (self.at < all).then(|| match self.bad {
            None => all,
            Some(bad) => self.at + self.stride.min((bad - self.at) / 2).max(1),
        })
    }
}

impl Batch {
    /// Begins on these.
    pub fn new(questions: Vec<(Edit, Why)>) -> Batch {
        Batch {
            questions: questions.into(),
            yes: imbl::Vector::new(),
            conflicts: imbl::Vector::new(),
            now: Now::Each(0),
        }
    }

    /// The next question or the take; done when nothing passed.
    pub fn step(&mut self) -> Step<Edit, Why> {
        match &mut self.now {
            Now::Each(at) => match self.questions.get(*at) {
                Some((edit, why)) => Step::Ask(edit.clone(), why.clone()),
                None => Step::Done,
            },
            Now::Merge(merge) => {
                let until = merge.until(self.yes.len()).unwrap_or(merge.at);
                let more = self.yes.iter().take(until).skip(merge.at);
                let edit = join(std::iter::once(&*merge.sure).chain(more.map(|(_, edit)| edit)));
                let action = Action::Together {
                    go: (until - self.conflicts.len()) as u32,
                };
                let (_, why) = &self.questions[self.yes[0].0 as usize];
                let (pass, node) = (why.pass, None);
                Step::Ask(edit, Why { pass, action, node })
            }
            Now::Take(edit) => Step::Take((**edit).clone()),
            Now::Done => Step::Done,
        }
    }

    /// The answer to `asked`, which is what `step` asked or less; whether it was about an edit by itself.
    pub fn told(&mut self, asked: &Edit, answer: Answer) -> bool {
        let all = self.yes.len();
        match &mut self.now {
            Now::Each(at) => {
                if answer.is_yes() {
                    self.yes.push_back((*at as u32, asked.clone()));
                }
                *at += 1;
                if *at == self.questions.len() {
                    self.now = self.merge();
                }
                return true;
            }
            Now::Merge(merge) => {
                let until = merge.until(all).unwrap_or(merge.at);
                if answer.is_yes() {
                    merge.sure = Arc::new(asked.clone());
                    (merge.at, merge.stride) = (until, merge.stride * 2);
                } else {
                    merge.bad = Some(until);
                }
                if merge.bad == Some(merge.at + 1) {
                    self.conflicts.push_back(self.yes[merge.at].0);
                    (merge.at, merge.bad, merge.stride) = (merge.at + 1, None, 1);
                }
                if merge.at == all {
                    self.now = Now::Take(merge.sure.clone());
                }
            }
            Now::Take(_) | Now::Done => {}
        }
        false
    }

    fn merge(&self) -> Now {
        match self.yes.front() {
            None => Now::Done,
            Some((_, only)) if self.yes.len() == 1 => Now::Take(Arc::new(only.clone())),
            Some((_, first)) => Now::Merge(Merge {
                sure: Arc::new(first.clone()),
                at: 1,
                bad: None,
                stride: 1,
            }),
        }
    }

    /// The questions behind the one at hand that come whatever the answers are.
    pub fn ahead(&self, most: usize) -> Vec<Edit> {
        let behind = match &self.now {
            Now::Each(at) => &self.questions[at + 1..],
            _ => &[],
        };
        let edits = behind.iter().take(most);
        edits.map(|(edit, _)| edit.clone()).collect()
    }

    /// The numbers of the edits that are known not to pass: by themselves, or with those that are taken. To be asked at the end.
    pub fn failed(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.questions.len()).filter(|&at| {
            let at = at as u32;
            let passed = self.yes.binary_search_by_key(&at, |&(at, _)| at).is_ok();
            !passed || self.conflicts.contains(&at)
        })
    }
}

/// One edit that does what these do. Elements of one list go in one operation.
pub fn join<'a>(edits: impl IntoIterator<Item = &'a Edit>) -> Edit {
    let mut joined = Edit::default();
    let mut lists: Vec<(NodeId, Vec<u32>)> = Vec::new();
    for op in edits.into_iter().flat_map(|edit| &edit.ops) {
        let Op::DeleteItems { list, items } = op else {
            joined.ops.push(op.clone());
            continue;
        };
        let place = lists.iter().position(|(known, _)| known == list);
        let place = place.unwrap_or_else(|| {
            lists.push((*list, Vec::new()));
            lists.len() - 1
        });
        lists[place]
            .1
            .extend(items.ranges().iter().cloned().flatten());
    }
    for (list, mut items) in lists {
        items.sort_unstable();
        items.dedup();
        let items = Indices::sorted(items);
        joined.ops.push(Op::DeleteItems { list, items });
    }
    joined
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn delete(node: u64) -> (Edit, Why) {
        let why = Why {
            pass: "test",
            action: Action::DropOptional,
            node: Some(NodeId(node)),
        };
        (Op::Delete(NodeId(node)).into(), why)
    }

    fn nodes(edit: &Edit) -> BTreeSet<u64> {
        let ops = edit.ops.iter();
        ops.map(|op| match op {
            Op::Delete(node) => node.0,
            other => panic!("{other:?}"),
        })
        .collect()
    }

    /// What a batch did: its questions with their answers, and what it took.
    #[derive(Debug)]
    struct Run {
        asked: Vec<(BTreeSet<u64>, bool)>,
        took: BTreeSet<u64>,
        failed: BTreeSet<u64>,
    }

    /// Runs a batch over `0..length`; a question may be shrunk on its way.
    fn run(
        length: u64,
        interesting: impl Fn(&BTreeSet<u64>) -> bool,
        shrink: impl Fn(&BTreeSet<u64>) -> BTreeSet<u64>,
    ) -> Run {
        let mut batch = Batch::new((0..length).map(delete).collect());
        let mut asked = Vec::new();
        loop {
            let failed = |batch: &Batch| batch.failed().map(|at| at as u64).collect();
            match batch.step() {
                Step::Ask(edit, why) => {
                    assert_eq!(batch.step(), Step::Ask(edit.clone(), why));
                    let gone = shrink(&nodes(&edit));
                    let yes = interesting(&gone);
                    let edit: Edit = gone.iter().map(|&node| Op::Delete(NodeId(node))).collect();
                    let answer = if yes { Answer::Yes } else { Answer::No };
                    batch.told(&edit, answer);
                    asked.push((gone, yes));
                }
                Step::Take(edit) => {
                    return Run {
                        asked,
                        took: nodes(&edit),
                        failed: failed(&batch),
                    };
                }
                Step::Settle | Step::Done => {
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
        let mut batch = Batch::new((0..10).map(delete).collect());
        assert_eq!(batch.ahead(3), [delete(1).0, delete(2).0, delete(3).0]);
        assert_eq!(batch.ahead(64).len(), 9);
        for at in 0..10 {
            batch.told(&delete(at).0, Answer::Yes);
        }
        assert_eq!(batch.ahead(64), [], "the merge is one question");
    }

    #[test]
    fn elements_of_one_list_go_in_one_operation() {
        let drop = |at: u32| {
            Edit::from(Op::DeleteItems {
                list: NodeId(1),
                items: Indices::range(at..at + 1),
            })
        };
        let joined = join([&drop(4), &drop(1), &delete(9).0]);
        assert_eq!(
            joined.ops[..],
            [
                Op::Delete(NodeId(9)),
                Op::DeleteItems {
                    list: NodeId(1),
                    items: Indices::sorted([1, 4])
                }
            ]
        );
    }

    proptest! {
        /// Sets of edits that must not all be made, as a test whose answer is no for more if it is no for less.
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
            // A filter that shrinks the merge: still only what was asked is taken.
            let spare = |set: &BTreeSet<u64>| match set.len() {
                1 => set.clone(),
                _ => set.iter().copied().filter(|node| node % 9 != shrinks).collect(),
            };
            let shrunk = super::tests::run(length, interesting, spare);
            prop_assert!(shrunk.took.is_empty() || shrunk.asked.contains(&(shrunk.took.clone(), true)));
        }
    }
}
