//! Heaviest node first, as Perses goes (ICSE 2018, algorithm 2), made to be wrapped in filters.
//!
//! Long lists go to the list minimiser, of short ones each element is tried once, from the back to the front. Optional parts and
//! replacements are tried once. It keeps its place when somebody else's edit is taken in between.
//!
//! Where edits of a kind pass again and again, nodes that are alike are asked about together (`alike.rs`).
//!
//! When all is done, what a take may have made possible is tried again: the nodes around the place that changed, and those around
//! names that lost a declaration or a use.

use std::cmp::Reverse;
use std::sync::Arc;

use super::alike::{Group, Mark, mark};
use super::elements::Elements;
use super::luck::{Kind, Luck};
use super::manner::{Manner, Reach};
use super::nearby;
use super::pieces::{Candidate, came, candidates, half};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::minimize::{List, Minimizer, Singles};
use crate::program::{
    Action, Change, Constraints, Edit, Node, NodeId, Op, Piece, Rule, Shape, TokId, Trail, View,
    Why, element, walk,
};

/// Lists of so many elements are worth a list minimiser.
pub(super) const LONG: usize = 8;

/// After so many replacements in a row that led a level down, half of the way is tried.
const DEEP: u32 = 2;

/// The state of one run.
#[derive(Clone)]
pub struct Heaviest {
    manner: Manner,
    queue: imbl::OrdSet<Key>,
    constraints: Arc<Constraints>,
    /// Nodes that are to be tried again, without what is below them.
    again: imbl::OrdSet<Key>,
    /// Whether the node at hand is one of them.
    alone: bool,
    /// What is around the node at hand.
    above: Option<NodeId>,
    now: Now,
    /// How edits fared so far, by their kind.
    luck: Luck,
    /// What is being asked of nodes that are alike, the one at hand among them.
    group: Option<Group>,
    /// The last piece that was put in the place of what was around it, and how many replacements in a row led to it.
    hoisted: Option<(NodeId, u32)>,
    /// What passed: it is taken as it was asked, whether that is more or less than what the node at hand wanted.
    passed: Option<Arc<Edit>>,
    /// What a batch asked without success: when its turn comes it is passed over, once.
    tried: imbl::OrdSet<Mark>,
}

/// What the user doubts first, what the user suspects last; most tokens first, then in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    hint: i8,
    tokens: Reverse<u32>,
    first: Option<TokId>,
    node: Reverse<NodeId>,
}

/// What is being done.
#[derive(Clone)]
enum Now {
    /// Nothing: the next node's turn.
    Next,
    /// The elements of a list, by the minimiser of long lists or one by one.
    List { elements: Elements, long: bool },
    /// An optional part, and whether it was asked about.
    Optional { node: NodeId, asked: bool },
    /// What may stand in the place of a node: the candidate `at` is next.
    Regular {
        node: NodeId,
        candidates: Arc<[Candidate]>,
        at: usize,
    },
}

fn singles(list: &List) -> Box<dyn Minimizer> {
    Box::new(Singles::new(list))
}

fn key(constraints: &Constraints, node: &Arc<Node>) -> Key {
    Key {
        hint: match constraints.hint(node) {
            Some(Rule::Doubt) => -1,
            Some(Rule::Suspect) => 1,
            _ => 0,
        },
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
            constraints: view.constraints.clone(),
            again: imbl::OrdSet::new(),
            alone: false,
            above: None,
            now: Now::Next,
            luck: Luck::default(),
            group: None,
            hoisted: None,
            passed: None,
            tried: imbl::OrdSet::new(),
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
                    self.queue.insert(key(&self.constraints, node));
                }
            }
        }
    }

    /// The node at hand is done: what is left below it comes next.
    fn pass(&mut self, view: &View) {
        let node = match std::mem::replace(&mut self.now, Now::Next) {
            Now::Next => return,
            Now::List { elements, .. } => elements.list,
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
                    asked: false,
                },
                Shape::Regular | Shape::Item => Now::Regular {
                    node: node.id,
                    candidates: self.candidates(view, &trail).into(),
                    at: 0,
                },
                _ => {
                    let long = self.manner.long.filter(|_| node.len() >= LONG);
                    Now::List {
                        elements: Elements::new(node, long.unwrap_or(singles)),
                        long: long.is_some(),
                    }
                }
            };
            self.above = trail.parent().map(|parent| parent.id);
            return true;
        }
    }

    /// The question that the node at hand gives rise to; none when it is done.
    fn question(&mut self, view: &View) -> Option<(Edit, Why)> {
        let pass = self.manner.name;
        match &mut self.now {
            Now::Next | Now::Optional { asked: true, .. } => None,
            Now::List { elements, .. } => {
                let id = elements.list;
                let list = view.version.node(id)?;
                let (op, items) = elements.step()?;
                let first = items.ranges().first()?.start as usize;
                let action = Action::DropItems {
                    go: items.len(),
                    of: list.len() as u32,
                    first: walk::item(list, first).map(|item| element(item).id),
                };
                let node = Some(id);
                Some((op.into(), Why { pass, action, node }))
            }
            Now::Optional { node, .. } => {
                let (action, id) = (Action::DropOptional, *node);
                let node = Some(id);
                Some((Op::Delete(id).into(), Why { pass, action, node }))
            }
            Now::Regular {
                node,
                candidates,
                at,
            } => candidates.get(*at)?.question(pass, *node),
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
            if let Some(group) = &mut self.group {
                return group.step();
            }
            if let Some(passed) = &self.passed {
                return Step::Take((**passed).clone());
            }
            let Some((edit, why)) = self.question(view) else {
                self.pass(view);
                if !self.next(view) {
                    return Step::Done;
                }
                continue;
            };
            if self.was_tried(view, &edit) {
                self.heard(&edit, Answer::Refused);
                continue;
            }
            self.group = self.gather(view, &edit, &why);
            if self.group.is_none() {
                return Step::Ask(edit, why);
            }
        }
    }

    fn ahead(&self, _: &View, most: usize) -> Vec<Edit> {
        let group = self.group.as_ref();
        group.map_or_else(Vec::new, |group| group.ahead(most))
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        if let Some(group) = &mut self.group {
            if group.told(asked, answer, &mut self.luck) {
                self.tried.extend(group.failed());
                self.group = None;
            }
            return;
        }
        let first: Edit = asked.ops.iter().take(1).cloned().collect();
        if self.counts()
            && let Some(kind) = Kind::of(&view.version, &first)
        {
            self.luck.told(kind, 1, answer);
        }
        self.heard(asked, answer);
        self.passed = answer.is_yes().then(|| Arc::new(asked.clone()));
    }

    fn taken(&mut self, view: &View, change: &Change) {
        let group = self.group.take();
        self.passed = None;
        // The node at hand went, or something else stands in its place.
        let own = match &mut self.now {
            Now::Next => false,
            Now::List { elements, .. } => {
                if let Some(items) = change.edit.items_of(elements.list) {
                    elements.taken(items);
                }
                false
            }
            Now::Optional { node, .. } | Now::Regular { node, .. } => {
                view.version.trail(*node).is_none()
            }
        };
        let above = match &group {
            Some(group) => &group.above[..],
            None if own => self.above.as_slice(),
            None => &[],
        };
        if self.manner.again {
            let around = nearby::nodes(view, change, above);
            let keys = around.iter().map(|node| key(&self.constraints, node));
            self.again.extend(keys);
        }
        match group {
            Some(group) => self.tried.extend(group.failed()),
            None if own => self.hoist(change),
            None => {}
        }
        if own {
            self.now = Now::Next;
        }
        for node in came(&view.version, change) {
            self.push(node);
        }
    }

    fn constrained(&mut self, view: &View) {
        self.constraints = view.constraints.clone();
        self.queue.clear();
        self.again.clear();
        self.tried.clear();
        (self.now, self.group, self.passed) = (Now::Next, None, None);
        for document in view.version.documents() {
            self.push(&document.root);
        }
    }
}

impl Heaviest {
    /// What may stand in the place of the node at the end of the trail. Where replacements led a level down again and again, the first
    /// try is half of the way, unless that is a candidate anyway, then the next level's heaviest: so a deep nest costs few questions a
    /// level, at best a logarithm of all.
    fn candidates(&self, view: &View, trail: &Trail) -> Vec<Candidate> {
        let mut all = candidates(&view.version, trail);
        let run = match self.hoisted {
            Some((piece, run)) if piece == trail.node().id => run,
            _ => 0,
        };
        if self.manner.ways.alike && run >= DEEP {
            let heaviest = all.pop();
            all.splice(0..0, heaviest);
            let half = half(&view.version, trail).filter(|half| !all.contains(half));
            all.splice(0..0, half);
        }
        all
    }

    /// The answer to a question about the node at hand.
    fn heard(&mut self, asked: &Edit, answer: Answer) {
        match &mut self.now {
            Now::Next => {}
            Now::List { elements, .. } => {
                let items = asked.items_of(elements.list).cloned();
                elements.told(&items.unwrap_or_default(), answer);
            }
            Now::Optional { asked, .. } => *asked = true,
            Now::Regular { at, .. } => *at += 1,
        }
    }

    /// Whether questions about the node at hand are about one place, so that there may be others like it.
    fn counts(&self) -> bool {
        !matches!(self.now, Now::List { long: true, .. })
    }

    fn was_tried(&mut self, view: &View, edit: &Edit) -> bool {
        let tried = !self.tried.is_empty();
        let mark = mark(&view.version, edit).filter(|_| tried);
        mark.is_some_and(|mark| self.tried.remove(&mark).is_some())
    }

    /// Nodes in the queue lie apart; those that wait for another try need not.
    fn gather(&self, view: &View, edit: &Edit, why: &Why) -> Option<Group> {
        if self.alone || !self.counts() {
            return None;
        }
        let queue = self.queue.iter();
        let others = queue.map(|key| (key.node.0, key.tokens.0));
        Group::begin(
            &view.version,
            &self.luck,
            self.manner.ways,
            (edit, why),
            others,
        )
    }

    /// The node at hand has become a part of it.
    fn hoist(&mut self, change: &Change) {
        if let [
            Op::Replace {
                node,
                piece: Piece::Node(piece),
            },
        ] = change.edit.ops[..]
        {
            let run = self.hoisted.filter(|&(last, _)| last == node);
            self.hoisted = Some((piece, run.map_or(0, |(_, run)| run) + 1));
        }
    }
}
