//! Comments go before anything else is tried: they are no part of the grammar, and most tests do not care.

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
        let list = List {
            length: comments.len() as u32,
            keep: 0,
        };
        Comments {
            comments,
            minimizer: start(&list),
            asked: Indices::default(),
            start,
        }
    }

    fn list(&self) -> List {
        List {
            length: self.comments.len() as u32,
            keep: 0,
        }
    }

    fn edit(&self, items: &Indices) -> Edit {
        let picked = items
            .ranges()
            .iter()
            .flat_map(|range| &self.comments[range.start as usize..range.end as usize]);
        picked.map(|&comment| Op::Delete(comment)).collect()
    }
}

impl Dialogue for Comments {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, _: &View) -> Step<Edit, Why> {
        let list = self.list();
        match self.minimizer.step(&list) {
            Step::Ask(items, ()) => {
                let action = Action::DropComments {
                    go: items.len(),
                    of: list.length,
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

    fn told(&mut self, _: &View, _: &Edit, answer: Answer) {
        let list = self.list();
        self.minimizer.told(&list, &self.asked, answer);
    }

    fn taken(&mut self, _: &View, _: &Change) {
        let gone = std::mem::take(&mut self.asked);
        let left = self
            .comments
            .iter()
            .enumerate()
            .filter(|&(at, _)| !gone.contains(at as u32));
        self.comments = left.map(|(_, &comment)| comment).collect();
        let list = self.list();
        self.minimizer.taken(&list, &gone);
    }

    fn constrained(&mut self, view: &View) {
        self.comments = find(view);
        self.minimizer = (self.start)(&self.list());
    }
}
