//! Heaviest node first, as in Perses (ICSE 2018, algorithm 2), written to be wrapped in filters.
//!
//! The list minimiser handles long lists. In short lists each element is tried once, from the back to the front. Optional parts and
//! replacements are tried once. The pass keeps its place when an edit that it did not propose is accepted in between.
//!
//! Where edits of a kind succeed again and again, similar nodes are tried together (`shared/similar_edits.rs`).
//!
//! Where the test needs a program of some size, the pass notices the limit, and leaves most of what cannot go until nothing else is left
//! (`shared/size_limit.rs`).
//!
//! At the end, what an accepted edit may have made possible is tried again: the nodes around the place that changed, and those around names
//! that lost a declaration or a use.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::minimize::{MinimizerStart, start_singles};
use crate::pass::shared::edit_stats::{EditKind, EditKindStats};
use crate::pass::shared::elements::{ElementMinimizer, LONG_LIST_LENGTH};
use crate::pass::shared::failure_run::FailureRun;
use crate::pass::shared::last_declarations::is_large_program;
use crate::pass::shared::nearby;
use crate::pass::shared::node_task::{NodeTask, items_reason, nodes_with_tasks, optional_proposal};
use crate::pass::shared::passed_edit::PassedEdit;
use crate::pass::shared::replacements::{
    ReplacementCandidate, ReplacementSearch, half_size_candidate, inserted_nodes,
    replacement_candidates,
};
use crate::pass::shared::similar_edits::{EditGroup, EditSite, GroupingConfig, edit_site};
use crate::pass::shared::size_limit::{
    EditSize, EqualEdits, SizeLimit, count_classes, count_removed_tokens,
};
use crate::program::{
    AppliedEdit, ConstraintRule, ConstraintSet, Edit, EditOp, EditReason, NodeId, NodePath,
    ProgramNode, Replacement, TokenId, Version, View, walk,
};
use crate::protocol::{
    AlgorithmLayer, AlgorithmPicture, AlgorithmState, AlgorithmText, Feedback, MOST_QUEUED,
    Proposer, ProposerStep, QueuePicture,
};

/// After this number of replacements in a row that led one level down, a replacement of half the size is tried.
const HALVE_DEPTH_AFTER: u32 = 2;

/// Its pseudo-code.
static TEXT: AlgorithmText = AlgorithmText {
    name: "heaviest first",
    source: "Perses with names, after Sun et al., ICSE 2018",
    lines: &[
        "Q ← {root}",
        "while Q is not empty:",
        "  node ← the heaviest of Q",
        "  a list?       minimise its elements",
        "  optional?     try without it",
        "  else a smaller one from inside of it",
        "  such edits succeed? many at once",
        "  push what is left below it",
        "then again what is near a change",
    ],
    ends_at: 8,
};

/// Which nodes are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaviestScope {
    /// Only the lists that are not inside another list: the declarations of a file.
    TopLevel,
    /// All nodes.
    All,
}

/// The difference between passes of this kind.
#[derive(Clone, Copy, Debug)]
pub struct HeaviestConfig {
    /// The name of the pass.
    pub name: &'static str,
    /// Which nodes it tries.
    pub scope: HeaviestScope,
    /// The minimiser of long lists; none to try their elements one by one.
    pub long_list_minimizer: Option<MinimizerStart>,
    /// Whether nodes near an accepted edit are tried again at the end.
    pub retry_near_accepted: bool,
    /// Which nodes below a node may replace it.
    pub search: ReplacementSearch,
    /// How similar edits are tested together.
    pub grouping: GroupingConfig,
    /// After so many failures in a row a program that is large is left to other passes; none to try all.
    pub patience: Option<u32>,
}

/// The state of one run.
#[derive(Clone)]
pub struct HeaviestPass {
    config: HeaviestConfig,
    queue: imbl::OrdSet<HeaviestKey>,
    constraints: Arc<ConstraintSet>,
    /// Nodes that are to be tried again, without what is below them.
    retry_queue: imbl::OrdSet<HeaviestKey>,
    /// Whether the current node is one of them, or of those that waited.
    is_retry: bool,
    /// Nodes with edits that were passed over: they wait until nothing else is left.
    waiting: imbl::OrdSet<HeaviestKey>,
    /// Whether the current node has waited.
    has_waited: bool,
    /// The parent of the current node.
    parent: Option<NodeId>,
    state: HeaviestState,
    /// The verdicts on edits so far, by their kind.
    stats: EditKindStats,
    /// How much may still go, where only the size counts.
    limit: SizeLimit,
    /// Similar edits that are tested together, one of the current node among them.
    group: Option<EditGroup>,
    /// The last node that replaced its parent, and how many replacements in a row led to it.
    hoisted: Option<(NodeId, u32)>,
    /// The edit that is accepted next, whether it is more or less than the current node proposed.
    to_accept: PassedEdit,
    /// Places that a batch tried without success: each is skipped once, when its node is tried.
    tried: imbl::OrdSet<EditSite>,
    /// Failures in a row.
    failed: FailureRun,
}

/// Nodes that the user doubts first, nodes that the user suspects last; most tokens first, then in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HeaviestKey {
    hint: i8,
    tokens: Reverse<u32>,
    first: Option<TokenId>,
    node: Reverse<NodeId>,
}

/// What is tried at the current node.
#[derive(Clone)]
enum HeaviestState {
    /// Nothing: the next node comes.
    Idle,
    /// The elements of a list, by the minimiser of long lists or one by one.
    List {
        elements: ElementMinimizer,
        long: bool,
    },
    /// An optional part, and whether it was proposed.
    Optional { node: NodeId, proposed: bool },
    /// Replacements of a node: the candidate `at` is next.
    Regular {
        node: NodeId,
        candidates: Arc<[ReplacementCandidate]>,
        at: usize,
    },
}

impl HeaviestState {
    /// The current node.
    fn node(&self) -> Option<NodeId> {
        match self {
            HeaviestState::Idle => None,
            HeaviestState::List { elements, .. } => Some(elements.list),
            HeaviestState::Optional { node, .. } | HeaviestState::Regular { node, .. } => {
                Some(*node)
            }
        }
    }
}

fn queue_key(constraints: &ConstraintSet, node: &Arc<ProgramNode>) -> HeaviestKey {
    HeaviestKey {
        hint: match constraints.node_hint(node) {
            Some(ConstraintRule::Doubt) => -1,
            Some(ConstraintRule::Suspect) => 1,
            _ => 0,
        },
        tokens: Reverse(node.sums().tokens),
        first: walk::first_token(node),
        node: Reverse(node.id),
    }
}

impl HeaviestPass {
    /// Begins at the roots of all documents.
    pub fn new(view: &View, config: HeaviestConfig) -> HeaviestPass {
        let mut pass = HeaviestPass {
            config,
            queue: imbl::OrdSet::new(),
            constraints: view.constraints.clone(),
            retry_queue: imbl::OrdSet::new(),
            is_retry: false,
            waiting: imbl::OrdSet::new(),
            has_waited: false,
            parent: None,
            state: HeaviestState::Idle,
            stats: EditKindStats::default(),
            limit: SizeLimit::default(),
            group: None,
            hoisted: None,
            to_accept: PassedEdit::default(),
            tried: imbl::OrdSet::new(),
            failed: FailureRun::default(),
        };
        pass.invalidate(view);
        pass
    }

    /// Queues a node, or the nodes below it that have a task.
    fn push_node(&mut self, node: &Arc<ProgramNode>) {
        let only_lists = self.config.scope == HeaviestScope::TopLevel;
        for node in nodes_with_tasks(node, |node| !only_lists || node.shape.is_list()) {
            self.queue.insert(queue_key(&self.constraints, node));
        }
    }

    /// The current node is done: what is left below it comes next.
    fn finish_node(&mut self, view: &View) {
        let state = std::mem::replace(&mut self.state, HeaviestState::Idle);
        let Some(node) = state.node() else {
            return;
        };
        if self.config.scope == HeaviestScope::All
            && !self.is_retry
            && let Some(node) = view.version.find_node(node)
        {
            for child in node.children() {
                self.push_node(child);
            }
        }
    }

    /// Begins with the heaviest node that is still there; false when none is left.
    fn start_next_node(&mut self, view: &View) -> bool {
        loop {
            let first = self.queue.remove_min();
            self.is_retry = first.is_none();
            let next = first.or_else(|| self.retry_queue.remove_min());
            self.has_waited = next.is_none();
            let Some(key) = next.or_else(|| self.waiting.remove_min()) else {
                return false;
            };
            let Some(path) = view.version.path_to(key.node.0) else {
                continue;
            };
            let node = path.node();
            self.state = match NodeTask::for_shape(node.shape) {
                NodeTask::RemovePart => HeaviestState::Optional {
                    node: node.id,
                    proposed: false,
                },
                NodeTask::Replace => HeaviestState::Regular {
                    node: node.id,
                    candidates: self.node_candidates(view, &path).into(),
                    at: 0,
                },
                NodeTask::RemoveElements => {
                    let long = self
                        .config
                        .long_list_minimizer
                        .filter(|_| node.len() >= LONG_LIST_LENGTH);
                    HeaviestState::List {
                        elements: ElementMinimizer::new(node, long.unwrap_or(start_singles)),
                        long: long.is_some(),
                    }
                }
            };
            self.parent = path.parent().map(|parent| parent.id);
            return true;
        }
    }

    /// The next proposal for the current node; none when it is done.
    fn next_candidate(&mut self, view: &View) -> Option<(Edit, EditReason)> {
        let pass = self.config.name;
        match &mut self.state {
            HeaviestState::Idle | HeaviestState::Optional { proposed: true, .. } => None,
            HeaviestState::List { elements, .. } => {
                let list = view.version.find_node(elements.list)?;
                let (op, items) = elements.next_removal()?;
                Some((op.into(), items_reason(pass, list, &items)))
            }
            HeaviestState::Optional { node, .. } => Some(optional_proposal(pass, *node)),
            HeaviestState::Regular {
                node,
                candidates,
                at,
            } => candidates.get(*at)?.to_proposal(pass, *node),
        }
    }
}

impl Proposer for HeaviestPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        loop {
            if let Some(group) = &mut self.group {
                return group.propose();
            }
            if let Some(step) = self.to_accept.to_step() {
                return step;
            }
            if self.gives_up(view) {
                return ProposerStep::Done;
            }
            let Some((edit, why)) = self.next_candidate(view) else {
                self.finish_node(view);
                if !self.start_next_node(view) {
                    return ProposerStep::Done;
                }
                continue;
            };
            if self.was_tried(view, &edit) {
                self.on_node_verdict(&edit, Feedback::Rejected);
                continue;
            }
            if self.must_wait(view, &edit) {
                self.on_node_verdict(&edit, Feedback::Rejected);
                continue;
            }
            self.group = self.start_group(view, &edit, &why);
            if self.group.is_none() {
                return ProposerStep::Test(edit, why);
            }
        }
    }

    fn lookahead_edits(&self, _: &View, most: usize) -> Vec<Edit> {
        let group = self.group.as_ref();
        group.map_or_else(Vec::new, |group| group.independent_edits(most))
    }

    fn describe_algorithm(&self, view: &View) -> Option<AlgorithmState<NodeId>> {
        let node = self.state.node()?;
        let (line, inner) = match &self.state {
            _ if self.group.is_some() => (6, None),
            HeaviestState::Idle => return None,
            HeaviestState::List { elements, .. } => {
                let list = view.version.find_node(elements.list);
                (3, list.and_then(|list| elements.describe_minimizer(list)))
            }
            HeaviestState::Optional { .. } => (4, None),
            HeaviestState::Regular { .. } => (5, None),
        };
        let next = self.queue.iter().take(MOST_QUEUED);
        let waiting = self.queue.len() + self.retry_queue.len() + self.waiting.len();
        let outer = AlgorithmLayer {
            text: &TEXT,
            line,
            passed: &[],
            facts: Vec::new(),
            picture: AlgorithmPicture::Queue(QueuePicture {
                at_hand: node,
                next: next.map(|key| key.node.0).collect(),
                waiting: waiting as u32,
            }),
        };
        Some(AlgorithmState::of_layers(outer, inner))
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        self.failed.record_verdict(feedback);
        self.record_size(view, tested, feedback);
        if let Some(group) = &mut self.group {
            if group.on_verdict(tested, feedback, &mut self.stats) {
                self.tried.extend(group.failed_sites());
                self.group = None;
            }
            return;
        }
        let first: Edit = tested.ops.iter().take(1).cloned().collect();
        if self.is_single_place()
            && let Some(kind) = EditKind::from_edit(&view.version, &first)
        {
            self.stats.record_verdict(kind, 1, feedback);
        }
        self.on_node_verdict(tested, feedback);
        self.to_accept.record_verdict(tested, feedback);
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        let group = self.group.take();
        self.to_accept.clear();
        // The current node was removed or replaced.
        let own = match &mut self.state {
            HeaviestState::Idle => false,
            HeaviestState::List { elements, .. } => {
                if let Some(items) = change.edit.deleted_items(elements.list) {
                    elements.on_accept(items);
                }
                false
            }
            HeaviestState::Optional { node, .. } | HeaviestState::Regular { node, .. } => {
                view.version.path_to(*node).is_none()
            }
        };
        let above = match &group {
            Some(group) => &group.parents[..],
            None if own => self.parent.as_slice(),
            None => &[],
        };
        if self.config.retry_near_accepted {
            let around = nearby::nodes_near_change(view, change, above);
            let keys = around.iter().map(|node| queue_key(&self.constraints, node));
            self.retry_queue.extend(keys);
        }
        match group {
            Some(group) => self.tried.extend(group.failed_sites()),
            None if own => self.record_hoist(change),
            None => {}
        }
        if own {
            self.state = HeaviestState::Idle;
        }
        for node in inserted_nodes(&view.version, change) {
            self.push_node(node);
        }
    }

    fn invalidate(&mut self, view: &View) {
        self.constraints = view.constraints.clone();
        self.queue.clear();
        self.retry_queue.clear();
        self.waiting.clear();
        self.limit = SizeLimit::default();
        self.failed = FailureRun::default();
        self.tried.clear();
        self.to_accept.clear();
        (self.state, self.group) = (HeaviestState::Idle, None);
        for document in view.documents() {
            self.push_node(&document.root);
        }
    }
}

impl HeaviestPass {
    /// Whether it leaves the program to other passes.
    fn gives_up(&self, view: &View) -> bool {
        let most = self.config.patience;
        most.is_some_and(|most| self.failed.has_reached(most)) && is_large_program(view)
    }

    /// The replacements for the node at the end of the path. After several replacements in a row that led one level down, the first two are
    /// a replacement of half the size, unless that is a candidate anyway, and the heaviest node of the next level. So a deep nest costs few
    /// tests a level, at best a logarithm of its depth in all.
    fn node_candidates(&self, view: &View, path: &NodePath) -> Vec<ReplacementCandidate> {
        let mut all = replacement_candidates(&view.version, path, self.config.search);
        let run = match self.hoisted {
            Some((piece, run)) if piece == path.node().id => run,
            _ => 0,
        };
        if self.config.grouping.gallop && run >= HALVE_DEPTH_AFTER {
            let heaviest = all.pop();
            all.splice(0..0, heaviest);
            let half = half_size_candidate(&view.version, path).filter(|half| !all.contains(half));
            all.splice(0..0, half);
        }
        all
    }

    /// The verdict on a candidate of the current node.
    fn on_node_verdict(&mut self, tested: &Edit, feedback: Feedback) {
        match &mut self.state {
            HeaviestState::Idle => {}
            HeaviestState::List { elements, .. } => {
                let items = tested.deleted_items(elements.list).cloned();
                elements.on_verdict(&items.unwrap_or_default(), feedback);
            }
            HeaviestState::Optional { proposed, .. } => *proposed = true,
            HeaviestState::Regular { at, .. } => *at += 1,
        }
    }

    /// Whether the current node's candidates change one place, so that there may be similar places.
    fn is_single_place(&self) -> bool {
        !matches!(self.state, HeaviestState::List { long: true, .. })
    }

    fn was_tried(&mut self, view: &View, edit: &Edit) -> bool {
        let tried = !self.tried.is_empty();
        let site = edit_site(&view.version, edit).filter(|_| tried);
        site.is_some_and(|site| self.tried.remove(&site).is_some())
    }

    /// Whether the edit is passed over because the program has come to a limit of its size. Then its node waits.
    fn must_wait(&mut self, view: &View, edit: &Edit) -> bool {
        if self.has_waited || !self.limit.is_known() {
            return false;
        }
        let equal = self.equal_edits(&view.version, edit);
        let waits = !equal.is_empty()
            && equal
                .into_iter()
                .all(|(equal, size)| self.limit.passes_over(equal, size.tokens));
        let node = self.state.node().filter(|_| waits);
        if let Some(node) = node.and_then(|node| view.version.find_node(node)) {
            self.waiting.insert(queue_key(&self.constraints, node));
        }
        waits
    }

    /// The verdict, for what may still go.
    fn record_size(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        if !self.config.grouping.gallop || feedback == Feedback::Rejected {
            return;
        }
        let equal = match &self.group {
            Some(group) => {
                let size = EditSize {
                    places: group.place_count(),
                    tokens: count_removed_tokens(&view.version, tested),
                };
                vec![(EqualEdits::OfKind(group.kind), size)]
            }
            None => self.equal_edits(&view.version, tested),
        };
        for (equal, size) in equal {
            self.limit.record_verdict(equal, size, feedback);
        }
    }

    /// What an edit of the current node is equal to, and how much of it: elements of a long list by their classes, else one place. What
    /// filters add to an edit does not count.
    fn equal_edits(&self, version: &Version, edit: &Edit) -> Vec<(EqualEdits, EditSize)> {
        if let HeaviestState::List {
            elements,
            long: true,
        } = &self.state
        {
            let list = version.find_node(elements.list);
            let items = edit.deleted_items(elements.list);
            return match list.zip(items) {
                Some((list, items)) => count_classes(list, items),
                None => Vec::new(),
            };
        }
        let first: Edit = edit.ops.iter().take(1).cloned().collect();
        let kind = EditKind::from_edit(version, &first);
        let size = EditSize {
            places: 1,
            tokens: count_removed_tokens(version, &first),
        };
        kind.map(|kind| (EqualEdits::OfKind(kind), size))
            .into_iter()
            .collect()
    }

    /// Nodes in the queue do not overlap; those that wait for another try may.
    fn start_group(&self, view: &View, edit: &Edit, why: &EditReason) -> Option<EditGroup> {
        if self.is_retry || !self.is_single_place() {
            return None;
        }
        let queue = self.queue.iter();
        let others = queue.map(|key| (key.node.0, key.tokens.0));
        EditGroup::try_start(
            &view.version,
            &self.stats,
            self.config.grouping,
            (edit, why),
            others,
        )
    }

    /// The current node was replaced by a part of it.
    fn record_hoist(&mut self, change: &AppliedEdit) {
        // The only element of a list is such a part too.
        if let [
            EditOp::Replace {
                node,
                piece: Replacement::Node(_) | Replacement::Items(_),
            },
        ] = change.edit.ops[..]
            && let [piece] = change.inserted[..]
        {
            let run = self.hoisted.filter(|&(last, _)| last == node);
            self.hoisted = Some((piece, run.map_or(0, |(_, run)| run) + 1));
        }
    }
}
