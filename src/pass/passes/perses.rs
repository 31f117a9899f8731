//! Perses: Sun, Li, Zhang, Gu and Su, "Perses: Syntax-Guided Program Reduction", ICSE 2018.
//!
//! ```text
//! Algorithm 2                                    here
//!   Q ← {root}                                   push_roots
//!   while Q is not empty                         propose, with PersesState::Idle
//!     n ← the node with the most tokens          the first of the queue
//!     if n is a Kleene node: ddmin on its children     PersesState::List, Optional    (algorithm 3)
//!     else: the smallest compatible descendant   PersesState::Regular           (algorithm 4, in shared/replacements.rs)
//!     push what is left of it                    push_below
//! ```
//! The strategy repeats the pass until the program gets no smaller (the paper's fixpoint mode). All elements of a plus are not tried at
//! once; the paper then keeps the first child. Elements that were spliced into a list, and that a list minimiser leaves, are tried again in
//! the next round.
//!
//! A regular node's candidates are tested smallest first. The paper tests all and accepts the smallest interesting one, which is the first
//! interesting one in this order, so the larger ones need no test.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::minimize::{Minimizer, WeightedList};
use crate::pass::shared::node_task::{
    NodeTask, items_reason, name_elements, nodes_with_tasks, optional_proposal,
};
use crate::pass::shared::replacements::{
    ReplacementCandidate, ReplacementSearch, inserted_nodes, replacement_candidates,
};
use crate::pass::{PairScope, PassKind, PassOptions, RepeatPolicy, SyntaxCheck};
use crate::program::{AppliedEdit, Edit, EditOp, EditReason, NodeId, ProgramNode, View, walk};
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmState, AlgorithmText, Feedback,
    IndexRanges, MOST_QUEUED, Proposer, ProposerStep, QueuePicture,
};

/// Perses.
pub static PERSES: PassKind = PassKind {
    name: "perses",
    description: "syntax-guided reduction of the heaviest node first (Perses, ICSE 2018, algorithms 2 to 4)",
    repeat: RepeatPolicy::Fixpoint,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |view, options| Box::new(PersesPass::new(view, options)),
};

/// One run of algorithm 2 over the program.
#[derive(Clone)]
pub struct PersesPass {
    name: &'static str,
    order: &'static QueueOrder,
    start: fn(&WeightedList) -> Box<dyn Minimizer>,
    queue: imbl::OrdSet<PersesKey>,
    pushed: u64,
    state: PersesState,
    /// The lines of the pseudo-code between the question before and the one at hand.
    passed: &'static [usize],
}

/// The order of the queue: the smallest rank first, and of equal ranks the outer node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PersesKey {
    rank: [u64; 3],
    node: Reverse<NodeId>,
}

/// The rank of a node that joins the queue: `program` is the number of tokens of the program, and `arrival` counts the nodes that have
/// joined.
pub type QueueRank = fn(&Arc<ProgramNode>, program: u32, arrival: u64) -> [u64; 3];

/// The order of a queue, and the algorithm that it makes.
#[derive(Debug)]
pub struct QueueOrder {
    /// The rank of a node.
    pub rank: QueueRank,
    /// The pseudo-code with that order.
    pub text: AlgorithmText,
}

/// The order of the paper.
static HEAVIEST_FIRST: QueueOrder = QueueOrder {
    rank: heaviest_first,
    text: AlgorithmText {
        name: "Perses",
        source: "Sun et al., ICSE 2018, algorithms 2 to 4",
        lines: &[
            "Q ← {root}",
            "while Q is not empty:",
            "  node ← the heaviest of Q",
            "  a list?       minimise its elements",
            "  optional?     try without it",
            "  else a smaller one from inside of it",
            "  push what is left below it",
        ],
        ends_at: 1,
    },
};

/// Most tokens first, then in document order, as in the paper.
fn heaviest_first(node: &Arc<ProgramNode>, _: u32, _: u64) -> [u64; 3] {
    let tokens = u64::from(u32::MAX - node.sums().tokens);
    [
        tokens,
        walk::first_token(node).map_or(0, |token| token.0),
        0,
    ]
}

/// What is tried at the current node.
#[derive(Clone)]
enum PersesState {
    /// Nothing: the next node comes.
    Idle,
    /// A Kleene star, plus or separated list, by the list minimiser.
    List {
        list: NodeId,
        seen: WeightedList,
        minimizer: Box<dyn Minimizer>,
        proposed: IndexRanges,
    },
    /// A Kleene optional: may it be removed?
    Optional { node: NodeId, yes: bool },
    /// A regular node: which descendant may replace it?
    Regular {
        node: NodeId,
        candidates: Arc<[ReplacementCandidate]>,
        at: usize,
        yes: bool,
    },
}

impl PersesPass {
    /// Begins at the roots of all documents.
    pub fn new(view: &View, options: &PassOptions) -> PersesPass {
        PersesPass::with_order(PERSES.name, &HEAVIEST_FIRST, view, options)
    }

    /// The same with another order of the queue, under the name of the pass that uses it.
    pub fn with_order(
        name: &'static str,
        order: &'static QueueOrder,
        view: &View,
        options: &PassOptions,
    ) -> PersesPass {
        let mut perses = PersesPass {
            name,
            order,
            start: options.minimizer.start,
            queue: imbl::OrdSet::new(),
            pushed: 0,
            state: PersesState::Idle,
            passed: &[0, 1, 2],
        };
        perses.push_roots(view);
        perses
    }

    /// The same for what these nodes are and contain, instead of whole documents.
    pub fn below(
        name: &'static str,
        nodes: &[NodeId],
        view: &View,
        options: &PassOptions,
    ) -> PersesPass {
        let mut perses = PersesPass::with_order(name, &HEAVIEST_FIRST, view, options);
        perses.queue.clear();
        for node in nodes
            .iter()
            .filter_map(|&node| view.version.find_node(node))
        {
            perses.push_node(view, node);
        }
        perses
    }

    fn push_roots(&mut self, view: &View) {
        for document in view.documents() {
            self.push_node(view, &document.root);
        }
    }

    /// Queues a node, or the nodes below it that have a task.
    fn push_node(&mut self, view: &View, node: &Arc<ProgramNode>) {
        for node in nodes_with_tasks(node, |_| true) {
            self.pushed += 1;
            self.queue.insert(PersesKey {
                rank: (self.order.rank)(node, view.version.token_count(), self.pushed),
                node: Reverse(node.id),
            });
        }
    }

    /// The node is done: what is left below it comes next.
    fn push_below(&mut self, view: &View, node: NodeId) {
        self.state = PersesState::Idle;
        if let Some(node) = view.version.find_node(node) {
            for child in node.children() {
                self.push_node(view, child);
            }
        }
    }

    /// Begins with the heaviest node that is still there; false when none is left.
    fn start_next_node(&mut self, view: &View) -> bool {
        while let Some(key) = self.queue.remove_min() {
            let Some(path) = view.version.path_to(key.node.0) else {
                continue;
            };
            let node = path.node();
            if self.passed.is_empty() {
                self.passed = &[6, 1, 2];
            }
            self.state = match NodeTask::for_shape(node.shape) {
                NodeTask::RemovePart => PersesState::Optional {
                    node: node.id,
                    yes: false,
                },
                NodeTask::Replace => {
                    let candidates =
                        replacement_candidates(&view.version, &path, ReplacementSearch::Outermost)
                            .into();
                    PersesState::Regular {
                        node: node.id,
                        candidates,
                        at: 0,
                        yes: false,
                    }
                }
                NodeTask::RemoveElements => {
                    let seen = weighted_list(node);
                    PersesState::List {
                        list: node.id,
                        minimizer: (self.start)(&seen),
                        seen,
                        proposed: IndexRanges::default(),
                    }
                }
            };
            return true;
        }
        false
    }

    /// The current node's next step; none when it is done.
    fn current_step(&mut self, view: &View) -> Option<ProposerStep<Edit, EditReason>> {
        let pass = self.name;
        match &mut self.state {
            PersesState::Idle => None,
            PersesState::List {
                list,
                seen,
                minimizer,
                proposed,
            } => {
                let node = view.version.find_node(*list)?;
                match minimizer.propose(seen) {
                    ProposerStep::Test(items, ()) => {
                        let why = items_reason(pass, node, &items);
                        *proposed = items.clone();
                        let edit = EditOp::DeleteItems { list: *list, items }.into();
                        Some(ProposerStep::Test(edit, why))
                    }
                    ProposerStep::Accept(items) => Some(ProposerStep::Accept(
                        EditOp::DeleteItems { list: *list, items }.into(),
                    )),
                    ProposerStep::Reparse | ProposerStep::Done => None,
                }
            }
            PersesState::Optional { node, yes } => {
                let (edit, why) = optional_proposal(pass, *node);
                Some(if *yes {
                    ProposerStep::Accept(edit)
                } else {
                    ProposerStep::Test(edit, why)
                })
            }
            PersesState::Regular {
                node,
                candidates,
                at,
                yes,
            } => {
                let (edit, why) = candidates.get(*at)?.to_proposal(pass, *node)?;
                Some(if *yes {
                    ProposerStep::Accept(edit)
                } else {
                    ProposerStep::Test(edit, why)
                })
            }
        }
    }
}

fn weighted_list(node: &ProgramNode) -> WeightedList {
    let weights = walk::iter_items(node)
        .map(|item| item.sums().tokens)
        .collect();
    WeightedList::new(weights, u32::from(node.must_keep_one()))
}

impl Proposer for PersesPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        loop {
            if let Some(step) = self.current_step(view) {
                return step;
            }
            if let PersesState::List { list: node, .. }
            | PersesState::Regular { node, .. }
            | PersesState::Optional { node, .. } = self.state
            {
                self.push_below(view, node);
            }
            if !self.start_next_node(view) {
                return ProposerStep::Done;
            }
        }
    }

    fn describe_algorithm(&self, view: &View) -> Option<AlgorithmState<NodeId>> {
        let (line, node, facts, inner) = match &self.state {
            PersesState::Idle => return None,
            PersesState::List {
                list,
                seen,
                minimizer,
                ..
            } => {
                let inner = minimizer.describe_algorithm(seen);
                let inner = view
                    .version
                    .find_node(*list)
                    .zip(inner)
                    .map(|(list, inner)| inner.map_chunks(|chunk| name_elements(list, chunk)));
                (3, *list, Vec::new(), inner)
            }
            PersesState::Optional { node, .. } => (4, *node, Vec::new(), None),
            PersesState::Regular {
                node,
                candidates,
                at,
                ..
            } => {
                let (at, of) = (*at as u32 + 1, candidates.len() as u32);
                (
                    5,
                    *node,
                    vec![AlgorithmFact::place("candidate", at, of)],
                    None,
                )
            }
        };
        let next = self.queue.iter().take(MOST_QUEUED);
        let outer = AlgorithmLayer {
            text: &self.order.text,
            line,
            passed: self.passed,
            facts,
            picture: AlgorithmPicture::Queue(QueuePicture {
                at_hand: node,
                next: next.map(|key| key.node.0).collect(),
                waiting: self.queue.len() as u32,
            }),
        };
        Some(AlgorithmState::of_layers(outer, inner))
    }

    fn on_verdict(&mut self, view: &View, edit: &Edit, feedback: Feedback) {
        self.passed = &[];
        match &mut self.state {
            PersesState::Idle => {}
            PersesState::List {
                list,
                seen,
                minimizer,
                proposed,
            } => minimizer.on_verdict(
                seen,
                edit.deleted_items(*list).unwrap_or(proposed),
                feedback,
            ),
            PersesState::Optional { yes, .. } if feedback.is_interesting() => *yes = true,
            PersesState::Optional { node, .. } => {
                let node = *node;
                self.push_below(view, node);
            }
            PersesState::Regular { yes, .. } if feedback.is_interesting() => *yes = true,
            PersesState::Regular { at, .. } => *at += 1,
        }
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        match &mut self.state {
            PersesState::Idle => {}
            PersesState::List {
                list,
                seen,
                minimizer,
                proposed,
            } => {
                let gone = change.edit.deleted_items(*list).unwrap_or(proposed);
                *seen = seen.without_elements(gone);
                minimizer.on_accept(seen, gone);
            }
            PersesState::Optional { .. } => self.state = PersesState::Idle,
            PersesState::Regular { .. } => {
                self.state = PersesState::Idle;
                for node in inserted_nodes(&view.version, change) {
                    self.push_node(view, node);
                }
            }
        }
    }

    fn invalidate(&mut self, view: &View) {
        self.queue.clear();
        self.state = PersesState::Idle;
        self.push_roots(view);
    }
}
