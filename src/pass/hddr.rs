//! HDDr, the recursive variant: Kiss, Hodován and Gyimóthy, "HDDr: A Recursive Variant of the Hierarchical Delta Debugging
//! Algorithm", A-TEST 2018.
//!
//! ```text
//! Q ← {root}
//! while Q is not empty: n ← the first; ddmin over the children of n only; append those that stay
//! ```
//! Breadth first and forward, the paper's first configuration. As in [`super::hdd`], only children that may go are in the list; all
//! that stay are appended.

use super::removable::{Seen, nearest, removal};
use super::row::Row;
use super::{Again, Heed, Kind, Options};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{Action, Change, Edit, NodeId, Pieces, View, Why};

/// HDDr.
pub static HDDR: Kind = Kind {
    name: "hddr",
    what: "the list minimiser over the parts of one node at a time, breadth first (HDDr, Kiss, Hodován and Gyimóthy, A-TEST 2018)",
    again: Again::Never,
    parser: Heed::Obeyed,
    start: |view, options| Box::new(Hddr::new(view, options)),
};

/// One run over the tree.
#[derive(Clone)]
pub struct Hddr {
    options: Options,
    queue: imbl::Vector<NodeId>,
    now: Option<(NodeId, Row<NodeId>)>,
}

impl Hddr {
    /// Begins with the roots.
    pub fn new(view: &View, options: &Options) -> Hddr {
        Hddr {
            options: *options,
            queue: roots(view),
            now: None,
        }
    }

    /// The children of the first node in the queue; false when it is empty.
    fn next(&mut self, view: &View) -> bool {
        while let Some(node) = self.queue.pop_front() {
            if let Some(found) = view.version.node(node) {
                let children = nearest(Seen::at(found));
                let free = children.iter().filter(|child| child.removable);
                let free = free.map(|child| (child.node.id, child.node.sums.tokens));
                self.now = Some((node, Row::new(free.collect(), &self.options, false)));
                return true;
            }
        }
        false
    }

    /// Appends the children that have stayed.
    fn append(&mut self, view: &View) {
        if let Some((node, _)) = self.now.take()
            && let Some(node) = view.version.node(node)
        {
            let children = nearest(Seen::at(node));
            self.queue
                .extend(children.iter().map(|child| child.node.id));
        }
    }
}

fn roots(view: &View) -> imbl::Vector<NodeId> {
    let documents = view.version.documents().iter();
    documents.map(|document| document.root.id).collect()
}

impl Dialogue for Hddr {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        loop {
            if let Some((node, row)) = &mut self.now {
                let of = row.len();
                match row.step(|parts| removal(&view.version, parts)) {
                    Step::Ask(edit, go) => {
                        let what = Pieces::Parts;
                        let why = Why {
                            pass: HDDR.name,
                            action: Action::Drop { what, go, of },
                            node: Some(*node),
                        };
                        return Step::Ask(edit, why);
                    }
                    Step::Take(edit) => return Step::Take(edit),
                    Step::Settle | Step::Done => self.append(view),
                }
            }
            if !self.next(view) {
                return Step::Done;
            }
        }
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        if let Some((_, row)) = &mut self.now {
            row.told(asked, answer, |parts| removal(&view.version, parts));
        }
    }

    fn taken(&mut self, _: &View, _: &Change) {
        if let Some((_, row)) = &mut self.now {
            row.taken();
        }
    }

    fn constrained(&mut self, view: &View) {
        self.now = None;
        self.queue = roots(view);
    }
}
