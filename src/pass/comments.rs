//! Comments go before anything else is tried: they are no part of the grammar, and most tests do not care.

use std::collections::HashSet;
use std::sync::Arc;

use super::Options;
use crate::dialogue::{Answer, Dialogue, Indices, Step};
use crate::minimize::{List, Minimizer};
use crate::program::{Action, Change, Edit, NodeId, Op, Shape, View, Why, walk};

pub(super) const NAME: &str = "comments";

/// A list minimiser over all comments of the program.
#[derive(Clone)]
pub struct Comments {
    comments: Arc<[NodeId]>,
    list: List,
    minimizer: Box<dyn Minimizer>,
    asked: Indices,
    start: fn(&List) -> Box<dyn Minimizer>,
}

fn find(view: &View) -> Arc<[NodeId]> {
    let documents = view.version.documents().iter();
    documents
        .flat_map(|document| walk::leaves(&document.root))
        .filter(|leaf| leaf.shape == Shape::Extra)
        .map(|leaf| leaf.id)
        .collect()
}

impl Comments {
    /// Begins on this version.
    pub fn new(view: &View, options: &Options) -> Comments {
        let (comments, start) = (find(view), options.minimizer.start);
        let list = list_of(&comments);
        Comments {
            comments,
            minimizer: start(&list),
            list,
            asked: Indices::default(),
            start,
        }
    }

    fn edit(&self, items: &Indices) -> Edit {
        let picked = items
            .ranges()
            .iter()
            .flat_map(|range| &self.comments[range.start as usize..range.end as usize]);
        picked.map(|&comment| Op::Delete(comment)).collect()
    }

    /// The comments that go by the edit: what was asked, or less of it.
    fn items_of(&self, edit: &Edit) -> Indices {
        if edit.ops.len() == self.asked.len() as usize {
            return self.asked.clone();
        }
        let gone: HashSet<&Op> = edit.ops.iter().collect();
        let asked = self.asked.ranges().iter().cloned().flatten();
        Indices::sorted(asked.filter(|&at| gone.contains(&Op::Delete(self.comments[at as usize]))))
    }
}

/// All comments weigh the same: they are no tokens.
fn list_of(comments: &[NodeId]) -> List {
    List::even(comments.len() as u32, 0)
}

impl Dialogue for Comments {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, _: &View) -> Step<Edit, Why> {
        match self.minimizer.step(&self.list) {
            Step::Ask(items, ()) => {
                let action = Action::DropComments {
                    go: items.len(),
                    of: self.list.length,
                };
                let edit = self.edit(&items);
                self.asked = items;
                Step::Ask(
                    edit,
                    Why {
                        pass: NAME,
                        action,
                        node: None,
                    },
                )
            }
            Step::Take(items) => Step::Take(self.edit(&items)),
            Step::Settle | Step::Done => Step::Done,
        }
    }

    fn told(&mut self, _: &View, edit: &Edit, answer: Answer) {
        let asked = self.items_of(edit);
        self.minimizer.told(&self.list, &asked, answer);
    }

    fn taken(&mut self, _: &View, change: &Change) {
        let gone = self.items_of(&change.edit);
        let left = self
            .comments
            .iter()
            .enumerate()
            .filter(|&(at, _)| !gone.contains(at as u32));
        self.comments = left.map(|(_, &comment)| comment).collect();
        self.list = list_of(&self.comments);
        self.minimizer.taken(&self.list, &gone);
    }

    fn constrained(&mut self, view: &View) {
        self.comments = find(view);
        self.list = list_of(&self.comments);
        self.minimizer = (self.start)(&self.list);
    }
}
