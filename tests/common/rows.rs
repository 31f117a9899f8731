//! Strategies of these stories. One asks about each element of the file's list by itself, all about one version; then about all at once
//! that may go. Another has a fault: it takes what was found on a version that is no longer the present one.

use lop::dialogue::{Answer, Dialogue, Indices, Step};
use lop::pass::{self, Again, Heed, Kind, Strategy};
use lop::program::{Action, Change, Edit, NodeId, Op, View, Why, walk};

static BATCH: Kind = Kind {
    name: "batch",
    what: "elements one by one, then together",
    again: Again::Never,
    parser: Heed::Obeyed,
    start: |view, _| Box::new(Batch::new(view)),
};

static STALE: Kind = Kind {
    name: "stale",
    what: "takes elements one by one that were all asked about before",
    start: |view, _| Box::new(Stale(Batch::new(view))),
    ..BATCH
};

static STRATEGY: Strategy = Strategy {
    name: "batch",
    what: "one batch",
    minimizer: "complements",
    passes: &[&BATCH],
};

static FAULTY: Strategy = Strategy {
    name: "stale",
    what: "a pass with a fault",
    passes: &[&STALE],
    ..STRATEGY
};

/// What a run is told to use the first.
pub fn batch() -> pass::Options {
    pass::Options::of(&STRATEGY)
}

/// What a run is told to use the one with a fault.
pub fn stale() -> pass::Options {
    pass::Options::of(&FAULTY)
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

/// Its `free` are those that it has not taken yet.
#[derive(Clone)]
struct Stale(Batch);

impl Dialogue for Stale {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        match self.0.free.first() {
            _ if self.0.asked < self.0.length => self.0.step(view),
            Some(&first) => Step::Take(self.0.one(first)),
            None => Step::Done,
        }
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        self.0.told(view, asked, answer);
    }

    fn taken(&mut self, _: &View, _: &Change) {
        self.0.free.remove(0);
    }

    fn constrained(&mut self, _: &View) {}
}
