//! Heaviest node first, as Perses goes (ICSE 2018, algorithm 2), made to be wrapped in filters.
//!
//! Long lists go to the list minimiser, of short ones each element is tried once, from the back to the front. Optional parts and
//! replacements are tried once. It keeps its place when somebody else's edit is taken in between.
//!
//! When all is done, what a take may have made possible is tried again: the nodes around the place that changed, and those around
//! names that lost a declaration or a use.

use std::cmp::Reverse;
use std::sync::Arc;

use super::elements::Elements;
use super::nearby;
use super::pieces::{Candidate, candidates};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::minimize::{List, Minimizer, Singles, Start};
use crate::program::{
    Action, Change, Edit, Node, NodeId, Op, Piece, Shape, TokId, View, Why, element, walk,
};

/// Lists of so many elements are worth a list minimiser.
pub(super) const LONG: usize = 8;

/// Which nodes have their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only the lists that no other list is around: the declarations of a file.
    Top,
    /// All.
    All,
}

/// How it goes.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// The name of the pass.
    pub name: &'static str,
    /// How far down.
    pub reach: Reach,
    /// The minimiser of long lists; none to try their elements one by one.
    pub long: Option<Start>,
    /// Whether nodes near a take have their turn again at the end.
    pub again: bool,
}

/// The state of one run.
#[derive(Clone)]
pub struct Heaviest {
    manner: Manner,
    queue: imbl::OrdSet<Key>,
    /// Nodes that are to be tried again, without what is below them.
    again: imbl::OrdSet<Key>,
    /// Whether the node at hand is one of them.
    alone: bool,
    /// What is around the node at hand.
    above: Option<NodeId>,
    now: Now,
}

/// Most tokens first, then in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    tokens: Reverse<u32>,
    first: Option<TokId>,
    node: Reverse<NodeId>,
}

/// What is being done.
#[derive(Clone)]
enum Now {
    /// Nothing: the next node's turn.
    Next,
    /// The elements of a list.
    List(Elements),
    /// An optional part.
    Optional {
        node: NodeId,
        answer: Option<Answer>,
    },
    /// What may stand in the place of a node: the candidate `at` is next, or was found to pass.
    Regular {
        node: NodeId,
        candidates: Arc<[Candidate]>,
        at: usize,
        yes: bool,
    },
}

fn singles(list: &List) -> Box<dyn Minimizer> {
    Box::new(Singles::new(list))
}

fn key(node: &Arc<Node>) -> Key {
    Key {
        tokens: Reverse(node.sums.tokens),
        first: walk::first_token(node),
        node: Reverse(node.id),
    }
}

impl Heaviest {
    /// Begins at the roots of all documents.
    pub fn new(view: &View, manner: Manner) -> Heaviest {
        let mut pass = Heaviest {
            manner,
            queue: imbl::OrdSet::new(),
            again: imbl::OrdSet::new(),
            alone: false,
            above: None,
            now: Now::Next,
        };
        pass.constrained(view);
        pass
    }

    /// Queues a node, or what matters below it.
    fn push(&mut self, node: &Arc<Node>) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            let only_lists = self.manner.reach == Reach::Top && !node.shape.is_list();
            match node.shape {
                Shape::Token | Shape::Extra | Shape::End => {}
                Shape::Link | Shape::Chunk => stack.extend(node.kids()),
                Shape::Item if node.expected.is_none() => stack.extend(node.kids()),
                _ if only_lists => stack.extend(node.kids()),
                _ => {
                    self.queue.insert(key(node));
                }
            }
        }
    }

    /// The node at hand is done: what is left below it comes next.
    fn pass(&mut self, view: &View) {
        let node = match std::mem::replace(&mut self.now, Now::Next) {
            Now::Next => return,
            Now::List(elements) => elements.list,
            Now::Optional { node, .. } | Now::Regular { node, .. } => node,
        };
        if self.manner.reach == Reach::All
            && !self.alone
            && let Some(node) = view.version.node(node)
        {
            for kid in node.kids() {
                self.push(kid);
            }
        }
    }

    /// Begins with the heaviest node that is still there; false when none is left.
    fn next(&mut self, view: &View) -> bool {
        loop {
            let first = self.queue.remove_min();
            self.alone = first.is_none();
            let Some(key) = first.or_else(|| self.again.remove_min()) else {
                return false;
            };
            let Some(trail) = view.version.trail(key.node.0) else {
                continue;
            };
            let node = trail.node();
            self.now = match node.shape {
                Shape::Opt => Now::Optional {
                    node: node.id,
                    answer: None,
                },
                Shape::Regular | Shape::Item => Now::Regular {
                    node: node.id,
                    candidates: candidates(&view.version, &trail).into(),
                    at: 0,
                    yes: false,
                },
                _ => {
                    let long = self.manner.long.filter(|_| node.len() >= LONG);
                    Now::List(Elements::new(node, long.unwrap_or(singles)))
                }
            };
            self.above = trail.parent().map(|parent| parent.id);
            return true;
        }
    }

    /// The question or take that the node at hand gives rise to; none when it is done.
    fn now(&mut self, view: &View) -> Option<Step<Edit, Why>> {
        let pass = self.manner.name;
        match &mut self.now {
            Now::Next => None,
            Now::List(elements) => {
                let id = elements.list;
                let list = view.version.node(id)?;
                match elements.step() {
                    Step::Ask(op, items) => {
                        let first = items.ranges().first()?.start as usize;
                        let action = Action::DropItems {
                            go: items.len(),
                            of: list.len() as u32,
                            first: walk::item(list, first).map(|item| element(item).id),
                        };
                        let node = Some(id);
                        Some(Step::Ask(op.into(), Why { pass, action, node }))
                    }
                    Step::Take(op) => Some(Step::Take(op.into())),
                    Step::Settle | Step::Done => None,
                }
            }
            Now::Optional { node, answer } => {
                let edit = Op::Delete(*node).into();
                match answer {
                    Some(Answer::Yes) => Some(Step::Take(edit)),
                    Some(_) => None,
                    None => {
                        let (action, node) = (Action::DropOptional, Some(*node));
                        Some(Step::Ask(edit, Why { pass, action, node }))
                    }
                }
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

impl Dialogue for Heaviest {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        loop {
            if let Some(step) = self.now(view) {
                return step;
            }
            self.pass(view);
            if !self.next(view) {
                return Step::Done;
            }
        }
    }

    fn told(&mut self, _: &View, asked: &Edit, answer: Answer) {
        match &mut self.now {
            Now::Next => {}
            Now::List(elements) => {
                if let [Op::DeleteItems { items, .. }] = &asked.ops[..] {
                    elements.told(items, answer);
                }
            }
            Now::Optional { answer: told, .. } => *told = Some(answer),
            Now::Regular { yes, .. } if answer.is_yes() => *yes = true,
            Now::Regular { at, .. } => *at += 1,
        }
    }

    fn taken(&mut self, view: &View, change: &Change) {
        let own = match &mut self.now {
            Now::Next => false,
            Now::List(elements) => {
                for op in &change.edit.ops {
                    if let Op::DeleteItems { list, items } = op
                        && *list == elements.list
                    {
                        elements.taken(items);
                    }
                }
                false
            }
            Now::Optional { answer, .. } => answer.is_some_and(Answer::is_yes),
            Now::Regular { yes, .. } => *yes,
        };
        if self.manner.again {
            let around = nearby::nodes(view, change, self.above.filter(|_| own));
            self.again.extend(around.iter().map(key));
        }
        if own {
            self.now = Now::Next;
            for op in &change.edit.ops {
                if let Op::Replace { piece, .. } = op {
                    self.push_piece(view, piece);
                }
            }
        }
    }

    fn constrained(&mut self, view: &View) {
        self.queue.clear();
        self.again.clear();
        self.now = Now::Next;
        for document in view.version.documents() {
            self.push(&document.root);
        }
    }
}

impl Heaviest {
    /// What stands there now has its turn.
    fn push_piece(&mut self, view: &View, piece: &Piece) {
        if let Piece::Node(node) = piece
            && let Some(node) = view.version.node(*node)
        {
            self.push(node);
        }
    }
}
