//! Deterministic speculation: what a run may ask next, as a tree of possible answers.
//!
//! The run is a function of its answers, and answers count in the order in which one worker would have asked. While the answer at the
//! root is not known, the tree grows below it: for each answer that may come, the schedule's state is cloned and told it, and so
//! says what it would ask then. Those questions are tested ahead, the likeliest first. When the root's answer is known, the branch
//! that came true becomes the root and the others go. So the number of workers and their timing decide only what is tested ahead of
//! time, never what is asked or taken (compare halfempty, which bets on failure alone).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::event::Ending;
use super::schedule::{Schedule, Turn};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{
    self, Change, Closed, Edit, EditError, Hash, Op, Trees, Version, View, Why, mark,
};

/// The asking side and what it sees: all that a branch has of its own.
#[derive(Clone)]
pub struct Asking {
    /// The schedule's state.
    pub schedule: Schedule,
    /// The version it asks about.
    pub view: View,
    found: Vec<Arc<Found>>,
    /// The edit that begins an excursion: it alone may make the program larger.
    leaves: Option<Edit>,
}

/// An edit of the current version that was found interesting.
pub struct Found {
    /// The edit.
    pub edit: Edit,
    /// Why it was asked about.
    pub why: Why,
    change: Change,
    /// The version that it makes.
    pub version: Version,
}

/// Why an edit is not asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It cannot be made.
    #[error("{0}")]
    Edit(#[from] EditError),
    /// A constraint forbids it.
    #[error("closed by {}", .0.words())]
    Closed(Closed),
    /// It does not make the program smaller; by so many tokens it makes it larger.
    #[error("it would not make the program smaller ({0:+} tokens)")]
    Larger(i64),
}

/// A question that can be answered by a test.
#[derive(Clone)]
pub struct Question {
    /// What is asked about.
    pub edit: Edit,
    /// Why.
    pub why: Why,
    /// The version that the edit makes, without the parser's trees.
    pub candidate: Version,
    /// The hash of its bytes.
    pub hash: Hash,
    change: Change,
}

/// What happened on the way to a question: nothing of it needs an answer from outside.
#[derive(Clone)]
pub enum Happened {
    /// The schedule's pass or round may have changed.
    Turn(Turn),
    /// An edit was refused before any test.
    Refused,
    /// An edit was taken.
    Taken(Arc<Found>),
}

/// Where the asking side stops.
pub enum Stop {
    /// At a question.
    Ask(Box<Question>),
    /// At the end of a pass: the text is to be read anew.
    Settle,
    /// At its end.
    Done,
}

impl Asking {
    /// The asking side at the start of a run.
    pub fn new(schedule: Schedule, view: View) -> Asking {
        Asking {
            schedule,
            view,
            found: Vec::new(),
            leaves: None,
        }
    }

    /// An edit of the user's is the next question; one that is larger begins an excursion if it is taken.
    pub fn propose(&mut self, edit: Edit, why: Why, larger: bool) {
        self.leaves = larger.then(|| edit.clone());
        self.schedule.propose(edit, why);
    }

    /// The rules changed, or the version: what is asked about is thought over.
    pub fn rethink(&mut self) {
        self.found.clear();
        self.schedule.constrained(&self.view);
    }

    /// Goes on until an answer from outside is needed.
    pub fn advance(&mut self, happened: &mut Vec<Happened>) -> Stop {
        loop {
            let turn = self.schedule.turn().clone();
            let step = self.schedule.step(&self.view);
            if matches!(step, Step::Ask(..)) || *self.schedule.turn() != turn {
                happened.push(Happened::Turn(self.schedule.turn().clone()));
            }
            match step {
                Step::Ask(edit, why) => match self.candidate(&edit) {
                    Ok((candidate, change)) => {
                        let hash = candidate.hash();
                        return Stop::Ask(Box::new(Question {
                            edit,
                            why,
                            candidate,
                            hash,
                            change,
                        }));
                    }
                    Err(_) => {
                        happened.push(Happened::Refused);
                        self.schedule.told(&self.view, &edit, Answer::Refused);
                    }
                },
                Step::Take(edit) => happened.push(Happened::Taken(self.take(&edit))),
                Step::Settle => return Stop::Settle,
                Step::Done => return Stop::Done,
            }
        }
    }

    /// The version that `edit` makes, if it can be made, keeps all pins, breaks no other constraint, and is smaller in the total order:
    /// tokens, then bytes. Only the first step of an excursion may be larger.
    fn candidate(&self, edit: &Edit) -> Result<(Version, Change), Refusal> {
        let (base, constraints) = (&self.view.version, &self.view.constraints);
        let (mut version, change) = program::apply(base, edit)?;
        if !constraints.is_empty() {
            let mut pinned = version.pinned() < base.pinned();
            if matches!(edit.ops[..], [Op::Rewrite(_)]) {
                version = mark(&version, constraints);
                pinned =
                    version.pinned() < base.pinned() || !constraints.keeps_frozen(base, &version);
            }
            let skipped = constraints.is_skipped(version.hash());
            let closed = constraints.forbids(base, edit);
            let closed = closed.or(skipped.then_some(Closed::Skipped));
            if let Some(closed) = pinned.then_some(Closed::Pinned).or(closed) {
                return Err(Refusal::Closed(closed));
            }
        }
        let size = |version: &Version| (version.tokens(), version.bytes());
        match size(&version) < size(base) || self.leaves.as_ref() == Some(edit) {
            true => Ok((version, change)),
            false => Err(Refusal::Larger(
                i64::from(version.tokens()) - i64::from(base.tokens()),
            )),
        }
    }

    /// Why this edit would not be asked about; none if it would.
    pub fn refusal(&self, edit: &Edit) -> Option<Refusal> {
        self.candidate(edit).err()
    }

    fn take(&mut self, edit: &Edit) -> Arc<Found> {
        let Some(found) = self.found.iter().find(|found| found.edit == *edit).cloned() else {
            unreachable!("a take names an edit that was found interesting on this version");
        };
        self.found.clear();
        self.leaves = None;
        self.view.version = found.version.clone();
        self.schedule.taken(&self.view, &found.change);
        found
    }

    /// Hears the answer to `question`. `trees` are the candidate's, and needed for a yes.
    pub fn told(&mut self, question: &Question, answer: Answer, trees: Option<&Trees>) {
        if let (Answer::Yes, Some(trees)) = (answer, trees) {
            let version = question.candidate.clone().with_trees(trees.clone());
            let (edit, change) = (question.edit.clone(), question.change.clone());
            self.found.push(Arc::new(Found {
                edit,
                why: question.why.clone(),
                change,
                version,
            }));
        }
        self.schedule.told(&self.view, &question.edit, answer);
    }

    /// Brings the tree into agreement with the parser.
    pub fn settle(&mut self) {
        if let Some(version) = program::reread(&self.view.version) {
            self.view.turn_to(&version);
        }
        // A node that rests has its turn again in the next pass.
        if self.view.constraints.is_resting() {
            let mut constraints = (*self.view.constraints).clone();
            constraints.wake();
            self.view.constrain(constraints);
        }
        self.found.clear();
        self.schedule.settled(&self.view);
    }
}

/// A place in the tree.
pub type Index = usize;

/// A branch that ends at a question or at the end of a pass.
pub struct Node {
    /// The asking side there.
    pub asking: Asking,
    /// What happened on the way from the node before.
    pub happened: Vec<Happened>,
    /// Where it stopped.
    pub stop: Stop,
    /// The candidate's trees, once the parser has confirmed it.
    pub trees: Option<Trees>,
    /// The node before, and the answer that leads here.
    parent: Option<(Index, Answer)>,
    /// The branches for yes and for no.
    yes: Option<Index>,
    no: Option<Index>,
    /// How likely it is that the run comes here.
    odds: f64,
}

/// The tree. Nodes are named by their index; the root is the present.
pub struct Tree {
    nodes: FxHashMap<Index, Node>,
    root: Index,
    next: Index,
}

impl Tree {
    /// A tree of the present only.
    pub fn new(mut asking: Asking) -> Tree {
        let mut happened = Vec::new();
        let stop = asking.advance(&mut happened);
        let mut tree = Tree {
            nodes: FxHashMap::default(),
            root: 0,
            next: 0,
        };
        tree.root = tree.add(asking, happened, stop, None, 1.0);
        tree
    }

    fn add(
        &mut self,
        asking: Asking,
        happened: Vec<Happened>,
        stop: Stop,
        parent: Option<(Index, Answer)>,
        odds: f64,
    ) -> Index {
        self.next += 1;
        self.nodes.insert(
            self.next,
            Node {
                asking,
                happened,
                stop,
                trees: None,
                parent,
                yes: None,
                no: None,
                odds,
            },
        );
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

    /// All nodes, in no order.
    pub fn nodes(&self) -> impl Iterator<Item = (Index, &Node)> {
        self.nodes.iter().map(|(&index, node)| (index, node))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The answer that the way to `index` takes for this candidate, if it has been asked about on it: what the cache would say then.
    pub fn assumed(&self, index: Index, hash: Hash) -> Option<Answer> {
        let mut at = self.nodes.get(&index)?.parent;
        while let Some((parent, answer)) = at {
            let node = self.nodes.get(&parent)?;
            if matches!(&node.stop, Stop::Ask(question) if question.hash == hash) {
                return Some(answer);
            }
            at = node.parent;
        }
        None
    }

    /// The likeliest branch that is not there yet: its node, its answer. `known` tells the answer of a node where it is known:
    /// then there is one branch only.
    pub fn likeliest(
        &self,
        known: impl Fn(Index, &Node) -> Option<Ending>,
    ) -> Option<(Index, Answer)> {
        let mut best: Option<(f64, Index, Answer)> = None;
        for (index, node) in self.nodes() {
            let Stop::Ask(question) = &node.stop else {
                continue;
            };
            let interesting = node.asking.schedule.odds(&question.edit);
            let (yes, no) = match known(index, node) {
                Some(Ending::Interesting) => (1.0, 0.0),
                Some(_) => (0.0, 1.0),
                None => (interesting, 1.0 - interesting),
            };
            // A yes needs the candidate's trees: the next candidates are parsed from them.
            let branches = [
                (yes, Answer::Yes, node.yes.is_none() && node.trees.is_some()),
                (no, Answer::No, node.no.is_none()),
            ];
            for (odds, answer, open) in branches {
                let odds = odds * node.odds;
                let better =
                    |best: &(f64, Index, Answer)| odds > best.0 || odds == best.0 && index < best.1;
                if open && odds > 0.0 && best.as_ref().is_none_or(better) {
                    best = Some((odds, index, answer));
                }
            }
        }
        best.map(|(_, index, answer)| (index, answer))
    }

    /// Grows the branch for `answer` at `index`.
    pub fn grow(&mut self, index: Index, answer: Answer) -> Option<Index> {
        let node = self.nodes.get(&index)?;
        let Stop::Ask(question) = &node.stop else {
            return None;
        };
        let interesting = node.asking.schedule.odds(&question.edit);
        let mut asking = node.asking.clone();
        asking.told(question, answer, node.trees.as_ref());
        let odds = node.odds
            * if answer.is_yes() {
                interesting
            } else {
                1.0 - interesting
            };
        let mut happened = Vec::new();
        let stop = asking.advance(&mut happened);
        let child = self.add(asking, happened, stop, Some((index, answer)), odds);
        let node = self.nodes.get_mut(&index)?;
        *(if answer.is_yes() {
            &mut node.yes
        } else {
            &mut node.no
        }) = Some(child);
        Some(child)
    }

    /// The answer at `index` is that the candidate is refused: the node goes on to its next question, and what was below it goes.
    pub fn refuse(&mut self, index: Index) {
        self.prune_below(index, None);
        let Some(node) = self.nodes.get_mut(&index) else {
            return;
        };
        let Stop::Ask(question) = &node.stop else {
            return;
        };
        node.asking.told(question, Answer::Refused, None);
        node.happened.push(Happened::Refused);
        (node.yes, node.no, node.trees) = (None, None, None);
        node.stop = node.asking.advance(&mut node.happened);
    }

    /// The answer at the root is known: its branch becomes the root, all else goes.
    pub fn decide(&mut self, answer: Answer) {
        let root = self.root;
        let branch = |node: &Node| if answer.is_yes() { node.yes } else { node.no };
        let Some(child) = self
            .nodes
            .get(&root)
            .and_then(branch)
            .or_else(|| self.grow(root, answer))
        else {
            return;
        };
        self.prune_below(root, Some(child));
        self.nodes.remove(&root);
        self.root = child;
        self.rescale();
    }

    /// The end of a pass at the root: the text is read anew and the asking side goes on.
    pub fn settle(&mut self) {
        let root = self.root;
        self.prune_below(root, None);
        let Some(node) = self.nodes.get_mut(&root) else {
            return;
        };
        node.asking.settle();
        node.happened.clear();
        (node.yes, node.no, node.trees) = (None, None, None);
        node.stop = node.asking.advance(&mut node.happened);
    }

    /// The user changes the present: all bets are off, and the asking side goes on from there.
    pub fn change<T>(&mut self, change: impl FnOnce(&mut Asking) -> T) -> Option<T> {
        let root = self.root;
        self.prune_below(root, None);
        let node = self.nodes.get_mut(&root)?;
        let changed = change(&mut node.asking);
        node.happened.clear();
        (node.yes, node.no, node.trees) = (None, None, None);
        node.stop = node.asking.advance(&mut node.happened);
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
        let mut doomed: Vec<Index> = self
            .nodes
            .get(&index)
            .into_iter()
            .flat_map(|node| [node.yes, node.no])
            .flatten()
            .collect();
        while let Some(index) = doomed.pop() {
            if Some(index) == keep {
                continue;
            }
            if let Some(node) = self.nodes.remove(&index) {
                doomed.extend([node.yes, node.no].into_iter().flatten());
            }
        }
    }

    /// The root is certain again.
    fn rescale(&mut self) {
        let Some(root) = self.nodes.get_mut(&self.root) else {
            return;
        };
        root.parent = None;
        let scale = 1.0 / root.odds.max(f64::MIN_POSITIVE);
        for node in self.nodes.values_mut() {
            node.odds *= scale;
        }
    }
}
