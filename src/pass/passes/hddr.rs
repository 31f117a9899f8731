//! HDDr, the recursive variant: Kiss, Hodován and Gyimóthy, "HDDr: A Recursive Variant of the Hierarchical Delta Debugging
//! Algorithm", A-TEST 2018.
//!
//! ```text
//! Q ← {root}
//! while Q is not empty: n ← the first; ddmin over the children of n only; append those that stay
//! ```
//! The order is breadth first and forward, the paper's first configuration. As in [`super::hdd`], only children that may be removed are in
//! the list; all that stay are appended.

use crate::pass::shared::removable::{WalkedNode, nearest_nodes, removal_edit};
use crate::pass::shared::unit_minimizer::UnitMinimizer;
use crate::pass::{PairScope, PassKind, PassOptions, RepeatPolicy, SyntaxCheck};
use crate::program::{ActionUnit, AppliedEdit, Edit, EditReason, NodeId, View};
use crate::protocol::{
    AlgorithmLayer, AlgorithmPicture, AlgorithmState, AlgorithmText, Feedback, MOST_QUEUED,
    Proposer, ProposerStep, QueuePicture,
};

/// HDDr.
pub static HDDR: PassKind = PassKind {
    name: "hddr",
    description: "the list minimiser over the parts of one node at a time, breadth first (HDDr, Kiss, Hodován and Gyimóthy, A-TEST 2018)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |view, options| Box::new(HddrPass::new(view, options)),
};

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "HDDr",
    source: "Kiss, Hodován and Gyimóthy, A-TEST 2018",
    lines: &[
        "Q ← {root}",
        "while Q is not empty:",
        "  node ← the first of Q",
        "  minimise the list of its children",
        "  append those that stay to Q",
    ],
    ends_at: 1,
};

/// One run over the tree.
#[derive(Clone)]
pub struct HddrPass {
    options: PassOptions,
    queue: imbl::Vector<NodeId>,
    current: Option<(NodeId, UnitMinimizer<NodeId>)>,
}

impl HddrPass {
    /// Begins with the roots.
    pub fn new(view: &View, options: &PassOptions) -> HddrPass {
        HddrPass {
            options: *options,
            queue: document_roots(view),
            current: None,
        }
    }

    /// The children of the first node in the queue; false when it is empty.
    fn start_next_node(&mut self, view: &View) -> bool {
        while let Some(node) = self.queue.pop_front() {
            if let Some(found) = view.version.find_node(node) {
                let children = nearest_nodes(WalkedNode::from_node(found));
                let free = children.iter().filter(|child| child.removable);
                let free = free.map(|child| (child.node.id, child.node.sums().tokens));
                self.current = Some((
                    node,
                    UnitMinimizer::new(free.collect(), &self.options, false),
                ));
                return true;
            }
        }
        false
    }

    /// Appends the children that have stayed.
    fn queue_children(&mut self, view: &View) {
        if let Some((node, _)) = self.current.take()
            && let Some(node) = view.version.find_node(node)
        {
            let children = nearest_nodes(WalkedNode::from_node(node));
            self.queue
                .extend(children.iter().map(|child| child.node.id));
        }
    }
}

fn document_roots(view: &View) -> imbl::Vector<NodeId> {
    let documents = view.documents().iter();
    documents.map(|document| document.root.id).collect()
}

impl Proposer for HddrPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        loop {
            if let Some((node, minimizer)) = &mut self.current {
                let what = ActionUnit::named("part");
                let remove = |parts: &[NodeId]| removal_edit(&view.version, parts);
                match minimizer.propose_disjoint_removal(HDDR.name, &what, remove) {
                    ProposerStep::Test(edit, why) => {
                        let node = Some(*node);
                        return ProposerStep::Test(edit, EditReason { node, ..why });
                    }
                    ProposerStep::Accept(edit) => return ProposerStep::Accept(edit),
                    ProposerStep::Reparse | ProposerStep::Done => self.queue_children(view),
                }
            }
            if !self.start_next_node(view) {
                return ProposerStep::Done;
            }
        }
    }

    fn describe_algorithm(&self, _: &View) -> Option<AlgorithmState<NodeId>> {
        let (node, minimizer) = self.current.as_ref()?;
        let outer = AlgorithmLayer {
            text: &TEXT,
            line: 3,
            passed: &[],
            facts: Vec::new(),
            picture: AlgorithmPicture::Queue(QueuePicture {
                at_hand: *node,
                next: self.queue.iter().take(MOST_QUEUED).copied().collect(),
                waiting: self.queue.len() as u32,
            }),
        };
        let inner = minimizer.describe_minimizer(|part| Some((*part, *part)));
        Some(AlgorithmState::of_layers(outer, inner))
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        if let Some((_, minimizer)) = &mut self.current {
            minimizer.on_verdict(tested, feedback, |parts| removal_edit(&view.version, parts));
        }
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        if let Some((_, minimizer)) = &mut self.current {
            minimizer.on_accept();
        }
    }

    fn invalidate(&mut self, view: &View) {
        self.current = None;
        self.queue = document_roots(view);
    }
}
