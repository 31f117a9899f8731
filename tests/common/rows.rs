//! Strategies for tests. One proposes to delete each element of the file's list, each on the same version, and then all that may go at
//! once. Another has a fault: it accepts a candidate of a version that is no longer the current one.

use lop::pass::{self, PairScope, PassKind, RepeatPolicy, Strategy, SyntaxCheck};
use lop::program::{AppliedEdit, Edit, EditAction, EditOp, EditReason, NodeId, View, walk};
use lop::protocol::{Feedback, IndexRanges, Proposer, ProposerStep};

static BATCH: PassKind = PassKind {
    name: "batch",
    description: "elements one by one, then together",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |view, _| Box::new(Batch::new(view)),
};

static STALE: PassKind = PassKind {
    name: "stale",
    description: "takes elements one by one that were all asked about before",
    start: |view, _| Box::new(Stale(Batch::new(view))),
    ..BATCH
};

static STRATEGY: Strategy = Strategy {
    name: "batch",
    description: "one batch",
    minimizer: "complements",
    repeat_from: None,
    detours: None,
    schedule: pass::ScheduleKind::Plain,
    strata: &[],
    steps: &[],
    passes: &[&BATCH],
};

static FAULTY: Strategy = Strategy {
    name: "stale",
    description: "a pass with a fault",
    passes: &[&STALE],
    ..STRATEGY
};

/// The options of a run with the first strategy.
pub fn batch() -> pass::PassOptions {
    pass::PassOptions::from_strategy(&STRATEGY)
}

/// The options of a run with the faulty strategy.
pub fn stale() -> pass::PassOptions {
    pass::PassOptions::from_strategy(&FAULTY)
}

#[derive(Clone)]
struct Batch {
    list: NodeId,
    length: u32,
    asked: u32,
    /// Those that may go.
    free: Vec<u32>,
    merged: Option<Feedback>,
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
        self.edit(IndexRanges::from_range(element..element + 1))
    }

    fn edit(&self, items: IndexRanges) -> Edit {
        let list = self.list;
        EditOp::DeleteItems { list, items }.into()
    }

    fn all(&self) -> Edit {
        self.edit(IndexRanges::from_sorted(self.free.iter().copied()))
    }

    fn why(&self) -> EditReason {
        let action = EditAction::DropItems {
            go: 1,
            of: self.length,
            first: None,
        };
        EditReason {
            pass: BATCH.name,
            action,
            node: Some(self.list),
        }
    }
}

impl Proposer for Batch {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, _: &View) -> ProposerStep<Edit, EditReason> {
        match self.merged {
            _ if self.asked < self.length => ProposerStep::Test(self.one(self.asked), self.why()),
            None if !self.free.is_empty() => ProposerStep::Test(self.all(), self.why()),
            Some(Feedback::Interesting) => ProposerStep::Accept(self.all()),
            _ => ProposerStep::Done,
        }
    }

    fn lookahead_edits(&self, _: &View, most: usize) -> Vec<Edit> {
        let rest = self.asked + 1..self.length;
        rest.take(most).map(|element| self.one(element)).collect()
    }

    fn on_verdict(&mut self, _: &View, _: &Edit, answer: Feedback) {
        if self.asked == self.length {
            self.merged = Some(answer);
            return;
        }
        self.free
            .extend(answer.is_interesting().then_some(self.asked));
        self.asked += 1;
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        self.free.clear();
        self.merged = Some(Feedback::Uninteresting);
    }

    fn invalidate(&mut self, _: &View) {}
}

/// Its `free` are the elements that were not accepted yet.
#[derive(Clone)]
struct Stale(Batch);

impl Proposer for Stale {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        match self.0.free.first() {
            _ if self.0.asked < self.0.length => self.0.propose(view),
            Some(&first) => ProposerStep::Accept(self.0.one(first)),
            None => ProposerStep::Done,
        }
    }

    fn on_verdict(&mut self, view: &View, asked: &Edit, answer: Feedback) {
        self.0.on_verdict(view, asked, answer);
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        self.0.free.remove(0);
    }

    fn invalidate(&mut self, _: &View) {}
}
