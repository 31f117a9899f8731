//! Perses: Sun, Li, Zhang, Gu and Su, "Perses: Syntax-Guided Program Reduction", ICSE 2018.
//!
//! ```text
//! Algorithm 2                                    here
//!   Q ← {root}                                   Perses::new
//!   while Q is not empty                         step, with Now::Next
//!     n ← the node with the most tokens          Queue::pop
//!     if n is a Kleene node: ddmin on its children     Now::List, Now::Optional     (algorithm 3)
//!     else: the smallest compatible descendant   Now::Regular                 (algorithm 4, in pieces.rs)
//!     push what is left of it                    push_below
//! ```
//! Fixpoint mode, the repetition until nothing gets smaller, is the schedule's. Of a plus the question about all is not asked; the paper
//! keeps the first child then. What a list minimiser leaves of elements that were spliced into a list is for the next round too.
//!
//! A regular node's candidates are asked smallest first. The paper asks all and takes the smallest that passes; the first that passes
//! in this order is that one, so the larger ones need no test.

use std::cmp::Reverse;
use std::sync::Arc;

use super::pieces::{Candidate, came, candidates};
use super::{Again, Heed, Kind, Options};
use crate::dialogue::{Answer, Dialogue, Indices, Step};
use crate::minimize::{List, Minimizer};
use crate::program::{Action, Change, Edit, Node, NodeId, Op, Shape, View, Why, walk};

/// Perses.
pub static PERSES: Kind = Kind {
    name: "perses",
    what: "syntax-guided reduction of the heaviest node first (Perses, ICSE 2018, algorithms 2 to 4)",
    again: Again::Fixpoint,
    parser: Heed::Obeyed,
    start: |view, options| Box::new(Perses::new(view, options)),
};

/// One run of algorithm 2 over the program.
#[derive(Clone)]
pub struct Perses {
    name: &'static str,
    rank: Rank,
    start: fn(&List) -> Box<dyn Minimizer>,
    queue: imbl::OrdSet<Key>,
    pushed: u64,
    now: Now,
}

/// Which node's turn it is: the smallest rank, and of equals the outer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    rank: [u64; 3],
    node: Reverse<NodeId>,
}

/// The rank of a node that joins the queue of a program of so many tokens, as the so-manieth.
pub type Rank = fn(&Arc<Node>, program: u32, arrival: u64) -> [u64; 3];

/// Most tokens first, then in document order: the paper's.
pub fn heaviest(node: &Arc<Node>, _: u32, _: u64) -> [u64; 3] {
    let tokens = u64::from(u32::MAX - node.sums.tokens);
    [
        tokens,
        walk::first_token(node).map_or(0, |token| token.0),
        0,
    ]
}

/// What is being done to the node at hand.
#[derive(Clone)]
enum Now {
    /// Nothing: the next node's turn.
    Next,
    /// A Kleene star, plus or separated list, by the list minimiser.
    List {
        list: NodeId,
        seen: List,
        minimizer: Box<dyn Minimizer>,
        asked: Indices,
    },
    /// A Kleene optional: may it go?
    Optional { node: NodeId, yes: bool },
    /// A regular node: which descendant may stand in its place?
    Regular {
        node: NodeId,
        candidates: Arc<[Candidate]>,
        at: usize,
        yes: bool,
    },
}

impl Perses {
    /// Begins at the roots of all documents.
    pub fn new(view: &View, options: &Options) -> Perses {
        Perses::in_order(PERSES.name, heaviest, view, options)
    }

    /// The same with another order of the queue, under the name of the pass that has it.
    pub fn in_order(name: &'static str, rank: Rank, view: &View, options: &Options) -> Perses {
        let mut perses = Perses {
            name,
            rank,
            start: options.minimizer.start,
            queue: imbl::OrdSet::new(),
            pushed: 0,
            now: Now::Next,
        };
        perses.push_roots(view);
        perses
    }

    fn push_roots(&mut self, view: &View) {
        for document in view.version.documents() {
            self.push(view, &document.root);
        }
    }

    /// Queues a node, or what matters below it.
    fn push(&mut self, view: &View, node: &Arc<Node>) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            match node.shape {
                Shape::Token | Shape::Extra | Shape::End => {}
                Shape::Link | Shape::Chunk => stack.extend(node.kids()),
                Shape::Item if node.expected.is_none() => stack.extend(node.kids()),
                Shape::Star
                | Shape::Plus
                | Shape::Sep
                | Shape::Opt
                | Shape::Opaque
                | Shape::Regular
                | Shape::Item => {
                    self.pushed += 1;
                    self.queue.insert(Key {
                        rank: (self.rank)(node, view.version.tokens(), self.pushed),
                        node: Reverse(node.id),
                    });
                }
            }
        }
    }

    /// The node is done: what is left below it comes next.
    fn push_below(&mut self, view: &View, node: NodeId) {
        self.now = Now::Next;
        if let Some(node) = view.version.node(node) {
            for kid in node.kids() {
                self.push(view, kid);
            }
        }
    }

    /// Begins with the heaviest node that is still there; false when none is left.
    fn next(&mut self, view: &View) -> bool {
        while let Some(key) = self.queue.remove_min() {
            let Some(trail) = view.version.trail(key.node.0) else {
                continue;
            };
            let node = trail.node();
            self.now = match node.shape {
                Shape::Opt => Now::Optional {
                    node: node.id,
                    yes: false,
                },
                Shape::Regular | Shape::Item => {
                    let candidates = candidates(&view.version, &trail).into();
                    Now::Regular {
                        node: node.id,
                        candidates,
                        at: 0,
                        yes: false,
                    }
                }
                _ => {
                    let seen = list_of(node);
                    Now::List {
                        list: node.id,
                        minimizer: (self.start)(&seen),
                        seen,
                        asked: Indices::default(),
                    }
                }
            };
            return true;
        }
        false
    }

    /// The question or take that the node at hand gives rise to; none when it is done.
    fn now(&mut self, view: &View) -> Option<Step<Edit, Why>> {
        let pass = self.name;
        match &mut self.now {
            Now::Next => None,
            Now::List {
                list,
                seen,
                minimizer,
                asked,
            } => {
                let node = view.version.node(*list)?;
                match minimizer.step(seen) {
                    Step::Ask(items, ()) => {
                        let first = items
                            .ranges()
                            .first()
                            .and_then(|range| walk::item(node, range.start as usize));
                        let first = first.map(|item| crate::program::element(item).id);
                        let action = Action::DropItems {
                            go: items.len(),
                            of: node.len() as u32,
                            first,
                        };
                        *asked = items.clone();
                        let edit = Op::DeleteItems { list: *list, items }.into();
                        Some(Step::Ask(
                            edit,
                            Why {
                                pass,
                                action,
                                node: Some(*list),
                            },
                        ))
                    }
                    Step::Take(items) => {
                        Some(Step::Take(Op::DeleteItems { list: *list, items }.into()))
                    }
                    Step::Settle | Step::Done => None,
                }
            }
            Now::Optional { node, yes } => {
                let edit = Op::Delete(*node).into();
                let why = Why {
                    pass,
                    action: Action::DropOptional,
                    node: Some(*node),
                };
                Some(if *yes {
                    Step::Take(edit)
                } else {
                    Step::Ask(edit, why)
                })
            }
            Now::Regular {
                node,
                candidates,
                at,
                yes,
            } => {
                let (edit, why) = candidates.get(*at)?.question(pass, *node)?;
                Some(if *yes {
                    Step::Take(edit)
                } else {
                    Step::Ask(edit, why)
                })
            }
        }
    }
}

fn list_of(node: &Node) -> List {
    let weights = walk::items(node).map(|item| item.sums.tokens).collect();
    List::new(weights, u32::from(node.keeps_one()))
}

impl Dialogue for Perses {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        loop {
            if let Some(step) = self.now(view) {
                return step;
            }
            if let Now::List { list: node, .. }
            | Now::Regular { node, .. }
            | Now::Optional { node, .. } = self.now
            {
                self.push_below(view, node);
            }
            if !self.next(view) {
                return Step::Done;
            }
        }
    }

    fn told(&mut self, view: &View, edit: &Edit, answer: Answer) {
        match &mut self.now {
            Now::Next => {}
            Now::List {
                list,
                seen,
                minimizer,
                asked,
            } => minimizer.told(seen, edit.items_of(*list).unwrap_or(asked), answer),
            Now::Optional { yes, .. } if answer.is_yes() => *yes = true,
            Now::Optional { node, .. } => {
                let node = *node;
                self.push_below(view, node);
            }
            Now::Regular { yes, .. } if answer.is_yes() => *yes = true,
            Now::Regular { at, .. } => *at += 1,
        }
    }

    fn taken(&mut self, view: &View, change: &Change) {
        match &mut self.now {
            Now::Next => {}
            Now::List {
                list,
                seen,
                minimizer,
                asked,
            } => {
                let gone = change.edit.items_of(*list).unwrap_or(asked);
                *seen = seen.without(gone);
                minimizer.taken(seen, gone);
            }
            Now::Optional { .. } => self.now = Now::Next,
            Now::Regular { .. } => {
                self.now = Now::Next;
                for node in came(&view.version, change) {
                    self.push(view, node);
                }
            }
        }
    }

    fn constrained(&mut self, view: &View) {
        self.queue.clear();
        self.now = Now::Next;
        self.push_roots(view);
    }
}
