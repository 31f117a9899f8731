//! Deterministic speculation: what a run may propose next, as a tree of possible answers.
//!
//! While the answer at the root is not known, the tree grows below it. When the answer is known, the branch that came true becomes the root, the
//! others go, and tests that are in no branch any more are killed. So the number of workers and their timing decide only what is tested ahead
//! of time, never what is asked or accepted (compare halfempty, which speculates on failure alone).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::program::ParseTrees;
use crate::protocol::Feedback;
use crate::reduce::cleaner::Cleaner;
use crate::reduce::proposer::{
    ProposedCandidate, ProposerEvent, ProposerState, ProposerStop, ProposerWork, WorkResult,
};

/// A place in the tree.
pub type NodeIndex = usize;

/// A branch that ends at a candidate, at the end of a pass, or before work.
pub struct SpeculationNode {
    /// The proposer there.
    pub proposer: ProposerState,
    /// What happened on the way from the node before, and has not been reported.
    pub events: Vec<ProposerEvent>,
    /// Where it stopped.
    pub stop: ProposerStop,
    /// How much work was done since the decision that led here: with a decision's number, the name of a state of the dialogue.
    pub work_steps: u64,
    /// The branch at which its version, or the user's rules, came to be; branches with the same base work on the same version.
    pub base: NodeIndex,
    /// The node before, and the answer that leads here.
    parent: Option<(NodeIndex, Feedback)>,
    /// The branches for interesting and for uninteresting.
    if_interesting: Option<NodeIndex>,
    if_uninteresting: Option<NodeIndex>,
}

impl SpeculationNode {
    /// The candidate at which it stopped, if it did at one.
    pub fn proposed_candidate(&self) -> Option<&Arc<ProposedCandidate>> {
        match &self.stop {
            ProposerStop::Test(proposed) => Some(proposed),
            ProposerStop::Work(_) | ProposerStop::Reparse | ProposerStop::Done => None,
        }
    }

    /// The work before which it stopped, if it did before some.
    pub fn pending_work(&self) -> Option<&ProposerWork> {
        match &self.stop {
            ProposerStop::Work(work) => Some(work),
            ProposerStop::Test(_) | ProposerStop::Reparse | ProposerStop::Done => None,
        }
    }

    /// The branch for this answer, if it is there.
    pub fn child_for(&self, answer: Feedback) -> Option<NodeIndex> {
        if answer.is_interesting() {
            self.if_interesting
        } else {
            self.if_uninteresting
        }
    }

    fn drop_later(self, cleaner: &Cleaner) {
        let tokens = self.proposer.view.version.token_count();
        cleaner.drop_later(tokens, self);
    }

    fn child_for_mut(&mut self, answer: Feedback) -> &mut Option<NodeIndex> {
        if answer.is_interesting() {
            &mut self.if_interesting
        } else {
            &mut self.if_uninteresting
        }
    }
}

/// The tree. Nodes are named by their index; the root is the current state of the run.
pub struct SpeculationTree {
    nodes: FxHashMap<NodeIndex, SpeculationNode>,
    root: NodeIndex,
    next: NodeIndex,
    /// Drops what is removed: a branch may be the last that has a version.
    cleaner: Cleaner,
}

impl SpeculationTree {
    /// A tree of the root only, of which nothing is planned yet.
    pub fn new(proposer: ProposerState, cleaner: Cleaner) -> SpeculationTree {
        let mut tree = SpeculationTree {
            nodes: FxHashMap::default(),
            root: 0,
            next: 0,
            cleaner,
        };
        tree.root = tree.add_node(proposer, ProposerWork::Plan, None);
        tree
    }

    /// A branch before this work.
    fn add_node(
        &mut self,
        proposer: ProposerState,
        work: ProposerWork,
        parent: Option<(NodeIndex, Feedback)>,
    ) -> NodeIndex {
        let index = self.fresh_index();
        let before = parent.and_then(|(parent, _)| self.get(parent));
        let node = SpeculationNode {
            proposer,
            events: Vec::new(),
            stop: ProposerStop::Work(work),
            work_steps: 0,
            base: before.map_or(index, |before| before.base),
            parent,
            if_interesting: None,
            if_uninteresting: None,
        };
        self.nodes.insert(index, node);
        index
    }

    fn fresh_index(&mut self) -> NodeIndex {
        self.next += 1;
        self.next
    }

    /// The index of the root.
    pub fn root_index(&self) -> NodeIndex {
        self.root
    }

    /// The node at `index`, if it is still there.
    pub fn get(&self, index: NodeIndex) -> Option<&SpeculationNode> {
        self.nodes.get(&index)
    }

    /// The node at `index`, to change.
    pub fn get_mut(&mut self, index: NodeIndex) -> Option<&mut SpeculationNode> {
        self.nodes.get_mut(&index)
    }

    /// The node at `index` and its candidate, if it stopped at one.
    pub fn proposing_node(
        &self,
        index: NodeIndex,
    ) -> Option<(&SpeculationNode, &Arc<ProposedCandidate>)> {
        let node = self.nodes.get(&index)?;
        Some((node, node.proposed_candidate()?))
    }

    /// All nodes, in no order.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeIndex, &SpeculationNode)> {
        self.nodes.iter().map(|(&index, node)| (index, node))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The answer that the way to `index` takes for this candidate, if it was proposed on it: what the cache would answer then.
    pub fn assumed_feedback(
        &self,
        index: NodeIndex,
        asked: &ProposedCandidate,
    ) -> Option<Feedback> {
        let mut at = self.nodes.get(&index)?.parent;
        while let Some((parent, answer)) = at {
            let node = self.nodes.get(&parent)?;
            if let Some(proposed) = node.proposed_candidate() {
                let respaced =
                    asked.token_hash.is_some() && proposed.token_hash == asked.token_hash;
                if proposed.hash == asked.hash || respaced && !answer.is_interesting() {
                    return Some(answer);
                }
            }
            at = node.parent;
        }
        None
    }

    /// Grows the branch for `answer` at `index`, up to the work that gives it to the proposer. `trees` are the candidate's, and needed if
    /// it is interesting.
    pub fn grow_branch(
        &mut self,
        index: NodeIndex,
        answer: Feedback,
        trees: Option<&ParseTrees>,
    ) -> Option<NodeIndex> {
        let node = self.nodes.get(&index)?;
        let work =
            ProposerWork::ApplyFeedback(node.proposed_candidate()?.clone(), answer, trees.cloned());
        let child = self.add_node(node.proposer.clone(), work, Some((index, answer)));
        *self.nodes.get_mut(&index)?.child_for_mut(answer) = Some(child);
        Some(child)
    }

    /// Sets the outcome of the work at `index`.
    pub fn set_work_result(&mut self, index: NodeIndex, worked: WorkResult) {
        let fresh = self.fresh_index();
        let Some(node) = self.nodes.get_mut(&index) else {
            return;
        };
        if worked.renewed {
            node.base = fresh;
        }
        let proposer = std::mem::replace(&mut node.proposer, worked.proposer);
        let stop = std::mem::replace(&mut node.stop, worked.stop);
        let tokens = proposer.view.version.token_count();
        self.cleaner.drop_later(tokens, (proposer, stop));
        node.events.extend(worked.events);
        node.work_steps += 1;
    }

    /// Prunes the branch for `answer` at `index`.
    pub fn prune_branch(&mut self, index: NodeIndex, answer: Feedback) {
        let Some(node) = self.nodes.get_mut(&index) else {
            return;
        };
        let doomed = node.child_for_mut(answer).take();
        self.remove_subtrees(doomed.into_iter().collect(), None);
    }

    /// Rejects the candidate at `index`: its proposer gets that as feedback, and all below it is removed.
    pub fn reject_candidate(&mut self, index: NodeIndex) {
        self.prune_below(index, None);
        let Some(node) = self.nodes.get_mut(&index) else {
            return;
        };
        if let Some(proposed) = node.proposed_candidate().cloned() {
            node.stop = ProposerStop::Work(ProposerWork::ApplyFeedback(
                proposed,
                Feedback::Rejected,
                None,
            ));
            (node.if_interesting, node.if_uninteresting) = (None, None);
        }
    }

    /// Makes the branch of `answer` the root, and removes all else. `trees` are the candidate's, and needed if it is interesting.
    pub fn promote_branch(&mut self, answer: Feedback, trees: Option<&ParseTrees>) {
        let root = self.root;
        let there = self.get(root).and_then(|node| node.child_for(answer));
        let Some(child) = there.or_else(|| self.grow_branch(root, answer, trees)) else {
            return;
        };
        self.prune_below(root, Some(child));
        if let Some(node) = self.nodes.remove(&root) {
            node.drop_later(&self.cleaner);
        }
        self.root = child;
        if let Some(root) = self.nodes.get_mut(&child) {
            root.parent = None;
        }
    }

    /// Ends a pass at the root: the text is reparsed.
    pub fn begin_reparse(&mut self) {
        self.prune_below(self.root, None);
        if let Some(node) = self.nodes.get_mut(&self.root) {
            node.stop = ProposerStop::Work(ProposerWork::Reparse);
            (node.if_interesting, node.if_uninteresting) = (None, None);
        }
    }

    /// Changes the proposer at the root for the user: speculation is dropped, and the proposer plans from there.
    pub fn change_root<T>(&mut self, change: impl FnOnce(&mut ProposerState) -> T) -> Option<T> {
        let (root, fresh) = (self.root, self.fresh_index());
        self.prune_below(root, None);
        let node = self.nodes.get_mut(&root)?;
        // What the change replaces is held until the end, and dropped later.
        let stop = std::mem::replace(&mut node.stop, ProposerStop::Done);
        let before = (node.proposer.clone(), stop);
        let tokens = node.proposer.view.version.token_count();
        let changed = change(&mut node.proposer);
        (node.if_interesting, node.if_uninteresting, node.base) = (None, None, fresh);
        node.stop = ProposerStop::Work(ProposerWork::Plan);
        node.work_steps += 1;
        self.cleaner.drop_later(tokens, before);
        Some(changed)
    }

    /// Removes all but the root.
    pub fn drop_speculation(&mut self) {
        self.prune_below(self.root, None);
        if let Some(node) = self.nodes.get_mut(&self.root) {
            (node.if_interesting, node.if_uninteresting) = (None, None);
        }
    }

    fn prune_below(&mut self, index: NodeIndex, keep: Option<NodeIndex>) {
        let node = self.nodes.get(&index).into_iter();
        let doomed = node
            .flat_map(|node| [node.if_interesting, node.if_uninteresting])
            .flatten();
        self.remove_subtrees(doomed.collect(), keep);
    }

    /// Removes these nodes and all below them, but for `keep`.
    fn remove_subtrees(&mut self, mut doomed: Vec<NodeIndex>, keep: Option<NodeIndex>) {
        while let Some(index) = doomed.pop() {
            if Some(index) == keep {
                continue;
            }
            if let Some(node) = self.nodes.remove(&index) {
                doomed.extend(
                    [node.if_interesting, node.if_uninteresting]
                        .into_iter()
                        .flatten(),
                );
                node.drop_later(&self.cleaner);
            }
        }
    }
}
