//! A strategy of these stories: each element of the file's list by itself, all about one version; then all at once that may go.

use lop::dialogue::{Answer, Dialogue, Indices, Step};
use lop::pass::{self, Again, Kind, Strategy};
use lop::program::{Action, Change, Edit, NodeId, Op, View, Why, walk};

static BATCH: Kind = Kind {
    name: "batch",
    what: "elements one by one, then together",
    again: Again::Never,
    syntactic: true,
    start: |view, _| Box::new(Batch::new(view)),
};

static STRATEGY: Strategy = Strategy {
    name: "batch",
    what: "one batch",
    minimizer: "complements",
    passes: &[&BATCH],
};

/// What a run is told to use it.
pub fn batch() -> pass::Options {
    pass::Options::of(&STRATEGY)
}

#[derive(Clone)]
struct Batch {
    list: NodeId,
    length: u32,
    asked: u32,
    /// Those that may go.
    free: Vec<u32>,
    merged: Option<Answer>,
}

impl Batch {
    fn new(view: &View) -> Batch {
        let root = &view.version.documents()[0].root;
        let list = walk::preorder(root)
            .find(|node| node.shape.is_list())
            .expect("a list");
        Batch {
            list: list.id,
            length: list.len() as u32,
            asked: 0,
            free: Vec::new(),
            merged: None,
        }
    }

    fn one(&self, element: u32) -> Edit {
        self.edit(Indices::range(element..element + 1))
    }

    fn edit(&self, items: Indices) -> Edit {
        let list = self.list;
        Op::DeleteItems { list, items }.into()
    }

    fn all(&self) -> Edit {
        self.edit(Indices::sorted(self.free.iter().copied()))
    }

    fn why(&self) -> Why {
        let action = Action::DropItems {
            go: 1,
            of: self.length,
            first: None,
        };
        Why {
            pass: BATCH.name,
            action,
            node: Some(self.list),
        }
    }
}

impl Dialogue for Batch {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, _: &View) -> Step<Edit, Why> {
        match self.merged {
            _ if self.asked < self.length => Step::Ask(self.one(self.asked), self.why()),
            None if !self.free.is_empty() => Step::Ask(self.all(), self.why()),
            Some(Answer::Yes) => Step::Take(self.all()),
            _ => Step::Done,
        }
    }

    fn ahead(&self, _: &View, most: usize) -> Vec<Edit> {
        let rest = self.asked + 1..self.length;
        rest.take(most).map(|element| self.one(element)).collect()
    }

    fn told(&mut self, _: &View, _: &Edit, answer: Answer) {
        if self.asked == self.length {
            self.merged = Some(answer);
            return;
        }
        self.free.extend(answer.is_yes().then_some(self.asked));
        self.asked += 1;
    }

    fn taken(&mut self, _: &View, _: &Change) {
        self.free.clear();
        self.merged = Some(Answer::No);
    }

    fn constrained(&mut self, _: &View) {}
}
