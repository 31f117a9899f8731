//! Deterministic speculation: what a run may ask next, as a tree of possible answers.
//!
//! The run is a function of its answers, and answers count in the order in which one worker would have asked. While the answer at the
//! root is not known, the tree grows below it: for each answer that may come, the schedule's state is cloned and told it, and so
//! says what it would ask then. Those questions are tested ahead, the likeliest first. When the root's answer is known, the branch
//! that came true becomes the root and the others go. So the number of workers and their timing decide only what is tested ahead of
//! time, never what is asked or taken (compare halfempty, which bets on failure alone).

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use super::asking::{Asking, Found, Happened, Question, Refusal, Stop, Work, Worked};
use crate::dialogue::Answer;
use crate::program::Trees;

/// A place in the tree.
pub type Index = usize;

/// A branch that ends at a question, at the end of a pass, or before work.
pub struct Node {
    /// The asking side there.
    pub asking: Asking,
    /// What happened on the way from the node before, and has not been told.
    pub happened: Vec<Happened>,
    /// Where it stopped.
    pub stop: Stop,
    /// How much work was done since the decision that led here: with a decision's number, the name of a state of the dialogue.
    pub works: u64,
    /// The branch at which the version, or the user's rules, came to be that it asks about; branches with the same ask about the same.
    pub base: Index,
    /// The node before, and the answer that leads here.
    parent: Option<(Index, Answer)>,
    /// The branches for yes and for no.
    yes: Option<Index>,
    no: Option<Index>,
}

impl Node {
    /// The question at which it stopped, if it did at one.
    pub fn question(&self) -> Option<&Arc<Question>> {
        match &self.stop {
            Stop::Ask(question) => Some(question),
            Stop::Work(_) | Stop::Settle | Stop::Done => None,
        }
    }

    /// The work before which it stopped, if it did before some.
    pub fn work(&self) -> Option<&Work> {
        match &self.stop {
            Stop::Work(work) => Some(work),
            Stop::Ask(_) | Stop::Settle | Stop::Done => None,
        }
    }

    /// The branch for this answer, if it is there.
    pub fn child(&self, answer: Answer) -> Option<Index> {
        if answer.is_yes() { self.yes } else { self.no }
    }

    fn child_mut(&mut self, answer: Answer) -> &mut Option<Index> {
        if answer.is_yes() {
            &mut self.yes
        } else {
            &mut self.no
        }
    }
}

/// The tree. Nodes are named by their index; the root is the present.
pub struct Tree {
    nodes: FxHashMap<Index, Node>,
    root: Index,
    next: Index,
}

impl Tree {
    /// A tree of the present only, of which nothing is planned yet.
    pub fn new(asking: Asking) -> Tree {
        let mut tree = Tree {
            nodes: FxHashMap::default(),
            root: 0,
            next: 0,
        };
        tree.root = tree.add(asking, Work::Plan, None);
        tree
    }

    /// A branch before this work.
    fn add(&mut self, asking: Asking, work: Work, parent: Option<(Index, Answer)>) -> Index {
        let index = self.fresh();
        let before = parent.and_then(|(parent, _)| self.get(parent));
        let node = Node {
            asking,
            happened: Vec::new(),
            stop: Stop::Work(work),
            works: 0,
            base: before.map_or(index, |before| before.base),
            parent,
            yes: None,
            no: None,
        };
        self.nodes.insert(index, node);
        index
    }

    fn fresh(&mut self) -> Index {
        self.next += 1;
        self.next
    }

    /// The index of the present.
    pub fn root(&self) -> Index {
        self.root
    }

    /// The node at `index`, if it is still there.
    pub fn get(&self, index: Index) -> Option<&Node> {
        self.nodes.get(&index)
    }

    /// The node at `index`, to change.
    pub fn get_mut(&mut self, index: Index) -> Option<&mut Node> {
        self.nodes.get_mut(&index)
    }

    /// The node at `index` and its question, if it stopped at one.
    pub fn asked(&self, index: Index) -> Option<(&Node, &Arc<Question>)> {
        let node = self.nodes.get(&index)?;
        Some((node, node.question()?))
    }

    /// All nodes, in no order.
    pub fn nodes(&self) -> impl Iterator<Item = (Index, &Node)> {
        self.nodes.iter().map(|(&index, node)| (index, node))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The answer that the way to `index` takes for this candidate, if it has been asked about on it: what the cache would say then.
    pub fn assumed(&self, index: Index, asked: &Question) -> Option<Answer> {
        let mut at = self.nodes.get(&index)?.parent;
        while let Some((parent, answer)) = at {
            let node = self.nodes.get(&parent)?;
            if let Some(question) = node.question() {
                let respaced = asked.gist.is_some() && question.gist == asked.gist;
                if question.hash == asked.hash || respaced && !answer.is_yes() {
                    return Some(answer);
                }
            }
            at = node.parent;
        }
        None
    }

    /// Grows the branch for `answer` at `index`, up to the work that hears it. `trees` are the candidate's, and needed for a yes.
    pub fn grow(&mut self, index: Index, answer: Answer, trees: Option<&Trees>) -> Option<Index> {
        let node = self.nodes.get(&index)?;
        let work = Work::Hear(node.question()?.clone(), answer, trees.cloned());
        let child = self.add(node.asking.clone(), work, Some((index, answer)));
        *self.nodes.get_mut(&index)?.child_mut(answer) = Some(child);
        Some(child)
    }

    /// Puts what came of the work at `index` there.
    pub fn put(&mut self, index: Index, worked: Worked) {
        let fresh = self.fresh();
        let Some(node) = self.nodes.get_mut(&index) else {
            return;
        };
        if worked.renewed {
            node.base = fresh;
        }
        (node.asking, node.stop) = (worked.asking, worked.stop);
        node.happened.extend(worked.happened);
        node.works += 1;
    }

    /// The branch for `answer` at `index` will not come true.
    pub fn prune(&mut self, index: Index, answer: Answer) {
        let Some(node) = self.nodes.get_mut(&index) else {
            return;
        };
        let doomed = node.child_mut(answer).take();
        self.remove(doomed.into_iter().collect(), None);
    }

    /// The answer at `index` is that the candidate is refused: the node is to hear that, and what was below it goes.
    pub fn refuse(&mut self, index: Index) {
        self.prune_below(index, None);
        let Some(node) = self.nodes.get_mut(&index) else {
            return;
        };
        if let Some(question) = node.question().cloned() {
            node.stop = Stop::Work(Work::Hear(question, Answer::Refused, None));
            (node.yes, node.no) = (None, None);
        }
    }

    /// The answer at the root is known: its branch becomes the root, all else goes. `trees` are the candidate's, and needed for a yes.
    pub fn decide(&mut self, answer: Answer, trees: Option<&Trees>) {
        let root = self.root;
        let there = self.get(root).and_then(|node| node.child(answer));
        let Some(child) = there.or_else(|| self.grow(root, answer, trees)) else {
            return;
        };
        self.prune_below(root, Some(child));
        self.nodes.remove(&root);
        self.root = child;
        if let Some(root) = self.nodes.get_mut(&child) {
            root.parent = None;
        }
    }

    /// The end of a pass at the root: the text is to be read anew.
    pub fn settle(&mut self) {
        self.prune_below(self.root, None);
        if let Some(node) = self.nodes.get_mut(&self.root) {
            node.stop = Stop::Work(Work::Reread);
            (node.yes, node.no) = (None, None);
        }
    }

    /// The user changes the present: all bets are off, and the asking side plans from there.
    pub fn change<T>(&mut self, change: impl FnOnce(&mut Asking) -> T) -> Option<T> {
        let (root, fresh) = (self.root, self.fresh());
        self.prune_below(root, None);
        let node = self.nodes.get_mut(&root)?;
        let changed = change(&mut node.asking);
        (node.yes, node.no, node.base) = (None, None, fresh);
        node.stop = Stop::Work(Work::Plan);
        node.works += 1;
        Some(changed)
    }

    /// Forgets all that is not the present.
    pub fn forget_bets(&mut self) {
        self.prune_below(self.root, None);
        if let Some(node) = self.nodes.get_mut(&self.root) {
            (node.yes, node.no) = (None, None);
        }
    }

    fn prune_below(&mut self, index: Index, keep: Option<Index>) {
        let node = self.nodes.get(&index).into_iter();
        let doomed = node.flat_map(|node| [node.yes, node.no]).flatten();
        self.remove(doomed.collect(), keep);
    }

    /// Takes out these nodes and all below them, but for `keep`.
    fn remove(&mut self, mut doomed: Vec<Index>, keep: Option<Index>) {
        while let Some(index) = doomed.pop() {
            if Some(index) == keep {
                continue;
            }
            if let Some(node) = self.nodes.remove(&index) {
                doomed.extend([node.yes, node.no].into_iter().flatten());
            }
        }
    }
}
