//! Pardis: Gharachorlu and Sumner, "Pardis: Priority Aware Test Case Reduction", FASE 2019.
//!
//! ```text
//! Q ← {root}
//! while Q is not empty:
//!     n ← the node with the most tokens
//!     if the grammar lets n go and the program without it is interesting: drop it
//!     else push the children of n
//! ```
//! One node is one candidate, so no light child of a heavy list is tested before the heavy nodes elsewhere. Nullability pruning is the
//! paper's: a node with the same text as its parent, which was tried in vain, is not tried again. The paper's hybrid, one-pass delta
//! debugging over siblings of equal weight, is left out.

use std::cmp::Reverse;

use crate::pass::shared::removable::{WalkedNode, nearest_nodes, removal_edit};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{AppliedEdit, Edit, EditAction, EditReason, NodeId, View};
use crate::protocol::{
    AlgorithmLayer, AlgorithmPicture, AlgorithmState, AlgorithmText, Feedback, MOST_QUEUED,
    Proposer, ProposerStep, QueuePicture,
};

/// Pardis.
pub static PARDIS: PassKind = PassKind {
    name: "pardis",
    description: "deletes one node at a time, the heaviest first (Pardis, Gharachorlu and Sumner, FASE 2019)",
    repeat: RepeatPolicy::Fixpoint,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |view, _| Box::new(PardisPass::new(view)),
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "Pardis",
    source: "Gharachorlu and Sumner, FASE 2019",
    lines: &[
        "Q ← {root}",
        "while Q is not empty:",
        "  node ← the heaviest of Q",
        "  may it go, and does it? drop it",
        "  else push its children",
    ],
    ends_at: 1,
};

/// One run over the tree.
#[derive(Clone)]
pub struct PardisPass {
    queue: imbl::OrdSet<PardisKey>,
    serial: u32,
    trial: Option<PardisTrial>,
}

/// Most tokens first, then in the order of arrival, which is document order among siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PardisKey {
    tokens: Reverse<u32>,
    serial: u32,
    node: NodeId,
    /// Whether the grammar allows to remove it.
    removable: bool,
    /// Whether the same text was tried with an ancestor.
    tried: bool,
}

#[derive(Clone, Debug)]
struct PardisTrial {
    node: NodeId,
    interesting: bool,
}

impl PardisPass {
    /// Begins with what is below the roots, which must stay.
    pub fn new(view: &View) -> PardisPass {
        let mut pardis = PardisPass {
            queue: imbl::OrdSet::new(),
            serial: 0,
            trial: None,
        };
        pardis.push_roots(view);
        pardis
    }

    fn push_roots(&mut self, view: &View) {
        for document in view.documents() {
            self.push_below(WalkedNode::from_node(&document.root), false);
        }
    }

    /// Queues the children of a node; `tried` says whether it was tried in vain.
    fn push_below(&mut self, node: WalkedNode, tried: bool) {
        for child in nearest_nodes(node) {
            let same = child.node.sums().leaves == node.node.sums().leaves;
            self.serial += 1;
            self.queue.insert(PardisKey {
                tokens: Reverse(child.node.sums().tokens),
                serial: self.serial,
                node: child.node.id,
                removable: child.removable,
                tried: tried && same,
            });
        }
    }

    /// The heaviest node that may be removed; false when none is left.
    fn start_next_node(&mut self, view: &View) -> bool {
        while let Some(key) = self.queue.remove_min() {
            let Some(node) = view.version.find_node(key.node) else {
                continue;
            };
            if key.removable && !key.tried {
                self.trial = Some(PardisTrial {
                    node: key.node,
                    interesting: false,
                });
                return true;
            }
            self.push_below(WalkedNode::from_node(node), key.tried);
        }
        false
    }
}

impl Proposer for PardisPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if self.trial.is_none() && !self.start_next_node(view) {
            return ProposerStep::Done;
        }
        let Some(PardisTrial {
            node,
            interesting: yes,
        }) = self.trial
        else {
            return ProposerStep::Done;
        };
        let edit = removal_edit(&view.version, &[node]);
        let why = EditReason {
            pass: PARDIS.name,
            action: EditAction::DropNode,
            node: Some(node),
        };
        match yes {
            true => ProposerStep::Accept(edit),
            false => ProposerStep::Test(edit, why),
        }
    }

    fn describe_algorithm(&self, _: &View) -> Option<AlgorithmState<NodeId>> {
        let trial = self.trial.as_ref()?;
        let next = self.queue.iter().take(MOST_QUEUED);
        Some(AlgorithmState::of_layer(AlgorithmLayer {
            text: &TEXT,
            line: 3,
            passed: &[],
            facts: Vec::new(),
            picture: AlgorithmPicture::Queue(QueuePicture {
                at_hand: trial.node,
                next: next.map(|key| key.node).collect(),
                waiting: self.queue.len() as u32,
            }),
        }))
    }

    fn on_verdict(&mut self, view: &View, _: &Edit, feedback: Feedback) {
        match &mut self.trial {
            Some(now) if feedback.is_interesting() => now.interesting = true,
            _ => {
                let node = self
                    .trial
                    .take()
                    .and_then(|now| view.version.find_node(now.node).cloned());
                if let Some(node) = node {
                    self.push_below(WalkedNode::from_node(&node), true);
                }
            }
        }
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        self.trial = None;
    }

    fn invalidate(&mut self, view: &View) {
        self.queue.clear();
        self.trial = None;
        self.push_roots(view);
    }
}
