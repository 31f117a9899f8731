//! A list minimiser over things that a pass has put in a row: comments, lines, the parts of one level.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Options;
use crate::dialogue::{Answer, Indices, Step};
use crate::minimize::{List, Minimizer, Whole};
use crate::program::{Edit, NodeId, Op};

/// The things that are left, and the minimiser at work on them.
#[derive(Clone)]
pub struct Row<T> {
    left: Arc<[T]>,
    list: List,
    minimizer: Box<dyn Minimizer>,
    asked: Indices,
    /// The edit that was made of what was asked; after an answer, what was really asked.
    edit: Arc<Edit>,
    /// Whether that passed and is to be taken.
    passed: bool,
}

impl<T: Clone> Row<T> {
    /// Begins with these, each with the tokens it would take away; if so wanted, with all of them at once. All of them may go.
    pub fn new(things: Vec<(T, u32)>, options: &Options, at_once: bool) -> Row<T> {
        let weights = things.iter().map(|&(_, tokens)| tokens).collect();
        let list = List::new(weights, 0);
        Row {
            left: things.into_iter().map(|(thing, _)| thing).collect(),
            minimizer: match at_once {
                true => Box::new(Whole::before(options.minimizer, &list)),
                false => (options.minimizer.start)(&list),
            },
            list,
            asked: Indices::default(),
            edit: Arc::default(),
            passed: false,
        }
    }

    /// How many are left.
    pub fn len(&self) -> u32 {
        self.list.length
    }

    /// What would go or goes, as the edit that `edit` makes of it; a question has the number of things. Done when nothing is left to
    /// ask.
    pub fn step(&mut self, edit: impl FnOnce(&[T]) -> Edit) -> Step<Edit, u32> {
        match self.minimizer.step(&self.list) {
            Step::Ask(asked, ()) => {
                let question = edit(&self.pick(&asked));
                let go = asked.len();
                (self.asked, self.edit) = (asked, Arc::new(question.clone()));
                Step::Ask(question, go)
            }
            Step::Take(_) => Step::Take((*self.edit).clone()),
            Step::Settle | Step::Done => Step::Done,
        }
    }

    /// The answer to `asked`, which is what `step` asked or less; `edit` as there. Of a thing that would go only in part nothing is said.
    pub fn told(&mut self, asked: &Edit, mut answer: Answer, edit: impl Fn(&[T]) -> Edit) {
        if *asked != *self.edit {
            let parts = Parts::of(asked);
            let left = &self.left;
            let inside = |&at: &u32| parts.cover(&edit(std::slice::from_ref(&left[at as usize])));
            let indices = self.asked.ranges().iter().cloned().flatten();
            let inside = Indices::sorted(indices.filter(inside));
            if inside.is_empty() {
                answer = Answer::Refused;
            } else {
                (self.asked, self.edit) = (inside, Arc::new(asked.clone()));
            }
        }
        self.passed = answer.is_yes();
        self.minimizer.told(&self.list, &self.asked, answer);
    }

    /// What was asked, as `told` heard it, is gone; or what somebody else took, of which the minimiser hears nothing: an edit about what
    /// is not there any more is smaller, or nothing and refused.
    pub fn taken(&mut self) {
        if !std::mem::take(&mut self.passed) {
            return;
        }
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

/// What an edit does, to look up what of another edit is in it.
struct Parts<'a> {
    ops: FxHashSet<&'a Op>,
    lists: FxHashMap<NodeId, &'a Indices>,
}

impl<'a> Parts<'a> {
    fn of(edit: &'a Edit) -> Parts<'a> {
        let lists = edit.ops.iter().filter_map(|op| match op {
            Op::DeleteItems { list, items } => Some((*list, items)),
            _ => None,
        });
        Parts {
            lists: lists.collect(),
            ops: edit.ops.iter().collect(),
        }
    }

    fn cover(&self, edit: &Edit) -> bool {
        edit.ops.iter().all(|op| match op {
            Op::DeleteItems { list, items } => self.lists.get(list).is_some_and(|own| {
                let mut ranges = items.ranges().iter();
                ranges.all(|range| own.covers(range.clone()))
            }),
            op => self.ops.contains(op),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::NodeId;

    fn delete(nodes: &[u64]) -> Edit {
        nodes.iter().map(|&node| Op::Delete(NodeId(node))).collect()
    }

    #[test]
    fn of_a_question_that_was_shrunk_only_what_was_asked_goes() {
        let things = (1..=4).map(|node| (node, 1)).collect();
        let complements = crate::minimize::kind("complements").expect("the table has it");
        let options = Options {
            minimizer: complements,
            ..Options::default()
        };
        let mut row = Row::new(things, &options, false);
        assert_eq!(row.step(delete), Step::Ask(delete(&[1, 2, 3, 4]), 4));
        let less = delete(&[2, 3]);
        row.told(&less, Answer::Yes, delete);
        assert_eq!(row.step(delete), Step::Take(less));
        row.taken();
        assert_eq!(row.len(), 2);
        let mut left = Vec::new();
        while let Step::Ask(asked, _) = row.step(delete) {
            row.told(&asked, Answer::No, delete);
            left.extend(asked.ops);
        }
        for node in [1, 4] {
            assert!(left.contains(&Op::Delete(NodeId(node))), "{left:?}");
        }
    }

    #[test]
    fn a_thing_that_would_go_in_part_stays_and_what_was_asked_is_taken() {
        let things = vec![([1, 2], 2), ([3, 4], 2), ([5, 6], 2)];
        let all = |things: &[[u64; 2]]| delete(things.as_flattened());
        let options = Options {
            minimizer: crate::minimize::kind("complements").expect("the table has it"),
            ..Options::default()
        };
        let mut row = Row::new(things, &options, false);
        assert_eq!(row.step(all), Step::Ask(delete(&[1, 2, 3, 4, 5, 6]), 3));
        let less = delete(&[1, 2, 3, 5, 6]);
        row.told(&less, Answer::Yes, all);
        assert_eq!(row.step(all), Step::Take(less));
        row.taken();
        assert_eq!(row.step(all), Step::Ask(delete(&[3, 4]), 1));
        row.told(&delete(&[4]), Answer::Yes, all);
        assert_eq!(row.step(all), Step::Done, "no whole thing was asked about");
    }

    #[test]
    fn what_somebody_else_takes_passes_no_question_over() {
        let things = (1..=4).map(|node| (node, 1)).collect();
        let options = Options {
            minimizer: crate::minimize::kind("complements").expect("the table has it"),
            ..Options::default()
        };
        let mut row = Row::new(things, &options, false);
        assert!(matches!(row.step(delete), Step::Ask(_, 4)));
        row.told(&delete(&[2]), Answer::Yes, delete);
        row.taken();
        let next = row.step(delete);
        assert_eq!(next, Step::Ask(delete(&[3, 4]), 2));
        let mut other = row.clone();
        other.taken();
        assert_eq!(other.step(delete), next);
    }
}
