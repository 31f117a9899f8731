//! Pardis: Gharachorlu and Sumner, "Pardis: Priority Aware Test Case Reduction", FASE 2019.
//!
//! ```text
//! Q ← {root}
//! while Q is not empty:
//!     n ← the node with the most tokens
//!     if the grammar lets n go and the program without it is interesting: drop it
//!     else push the children of n
//! ```
//! One node is one candidate, so no test goes to a light child of a heavy list before the heavy nodes elsewhere had theirs. Their
//! nullability pruning: a node with the same text as the one around it, which was tried in vain, is not tried again.
//! Without the paper's hybrid, one-pass delta debugging over siblings of equal weight.

use std::cmp::Reverse;

use super::removable::{Seen, nearest, removal};
use super::{Again, Heed, Kind};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{Action, Change, Edit, NodeId, View, Why};

/// Pardis.
pub static PARDIS: Kind = Kind {
    name: "pardis",
    what: "deletes one node at a time, the heaviest first (Pardis, Gharachorlu and Sumner, FASE 2019)",
    again: Again::Fixpoint,
    parser: Heed::Obeyed,
    start: |view, _| Box::new(Pardis::new(view)),
};

/// One run over the tree.
#[derive(Clone)]
pub struct Pardis {
    queue: imbl::OrdSet<Key>,
    serial: u32,
    now: Option<Now>,
}

/// Most tokens first, then in the order of arrival, which is document order among siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    tokens: Reverse<u32>,
    serial: u32,
    node: NodeId,
    /// Whether the grammar lets it go.
    removable: bool,
    /// Whether the same text was tried with a node around it.
    tried: bool,
}

#[derive(Clone, Debug)]
struct Now {
    node: NodeId,
    yes: bool,
}

impl Pardis {
    /// Begins with what is below the roots, which may not go.
    pub fn new(view: &View) -> Pardis {
        let mut pardis = Pardis {
            queue: imbl::OrdSet::new(),
            serial: 0,
            now: None,
        };
        pardis.roots(view);
        pardis
    }

    fn roots(&mut self, view: &View) {
        for document in view.version.documents() {
            self.push_below(Seen::at(&document.root), false);
        }
    }

    /// Queues the children of a node; `tried` says whether it was asked about in vain.
    fn push_below(&mut self, node: Seen, tried: bool) {
        for child in nearest(node) {
            let same = child.node.sums.leaves == node.node.sums.leaves;
            self.serial += 1;
            self.queue.insert(Key {
                tokens: Reverse(child.node.sums.tokens),
                serial: self.serial,
                node: child.node.id,
                removable: child.removable,
                tried: tried && same,
            });
        }
    }

    /// The heaviest node that may go; false when none is left.
    fn next(&mut self, view: &View) -> bool {
        while let Some(key) = self.queue.remove_min() {
            let Some(node) = view.version.node(key.node) else {
                continue;
            };
            if key.removable && !key.tried {
                self.now = Some(Now {
                    node: key.node,
                    yes: false,
                });
                return true;
            }
            self.push_below(Seen::at(node), key.tried);
        }
        false
    }
}

impl Dialogue for Pardis {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        if self.now.is_none() && !self.next(view) {
            return Step::Done;
        }
        let Some(Now { node, yes }) = self.now else {
            return Step::Done;
        };
        let edit = removal(&view.version, &[node]);
        let why = Why {
            pass: PARDIS.name,
            action: Action::DropNode,
            node: Some(node),
        };
        match yes {
            true => Step::Take(edit),
            false => Step::Ask(edit, why),
        }
    }

    fn told(&mut self, view: &View, _: &Edit, answer: Answer) {
        match &mut self.now {
            Some(now) if answer.is_yes() => now.yes = true,
            _ => {
                let node = self
                    .now
                    .take()
                    .and_then(|now| view.version.node(now.node).cloned());
                if let Some(node) = node {
                    self.push_below(Seen::at(&node), true);
                }
            }
        }
    }

    fn taken(&mut self, _: &View, _: &Change) {
        self.now = None;
    }

    fn constrained(&mut self, view: &View) {
        self.queue.clear();
        self.now = None;
        self.roots(view);
    }
}
