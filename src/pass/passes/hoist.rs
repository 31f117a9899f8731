//! HDD with hoisting: Vince, Hodován, Bársony and Kiss, "Extending Hierarchical Delta Debugging with Hoisting", AST 2021.
//!
//! ```text
//! for each level, from the root:
//!     prune     ddmin over the parts that may go                                  (as in hdd.rs)
//!     hoist     map each node of the level to the nearest descendant that fits its place;
//!               ddmin over the set of mappings that are *not* applied: all are applied at first, then halves of them, …
//!               again, as long as a mapping was applied
//! ```
//! So many siblings are hoisted at once, while Perses replaces them one by one.

use std::sync::Arc;

use crate::display::format_count;
use crate::pass::shared::removable::{WalkedNode, removal_edit, walk_down};
use crate::pass::shared::replacements;
use crate::pass::shared::unit_minimizer::UnitMinimizer;
use crate::pass::{PairScope, PassKind, PassOptions, RepeatPolicy, SyntaxCheck};
use crate::program::{
    ActionUnit, AppliedEdit, Edit, EditAction, EditOp, EditReason, NodeId, Replacement, Version,
    View,
};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// HDD with hoisting.
pub static HOIST: PassKind = PassKind {
    name: "hoist",
    description: "HDD, and on each level the list minimiser over the nodes that could be what they contain (Vince et al., AST 2021)",
    repeat: RepeatPolicy::Fixpoint,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(HoistPass::new(options)),
};

/// One run over the levels.
#[derive(Clone)]
pub struct HoistPass {
    options: PassOptions,
    level: u32,
    /// The levels of the version; none after an accepted edit, until they are needed again.
    levels: Option<Arc<[TreeLevel]>>,
    state: HoistState,
}

/// The parts and nodes of one level.
#[derive(Debug, Default)]
struct TreeLevel {
    /// The parts that may be removed, with their tokens.
    parts: Vec<(NodeId, u32)>,
    /// The nodes of the parser's tree.
    nodes: Vec<NodeId>,
}

/// A node and its possible replacement.
type HoistMapping = (NodeId, NodeId);

#[derive(Clone)]
enum HoistState {
    /// The level begins.
    Begin,
    Prune(UnitMinimizer<NodeId>),
    Hoist {
        minimizer: UnitMinimizer<HoistMapping>,
        /// Whether one of these mappings was applied.
        applied: bool,
    },
}

impl HoistPass {
    /// Begins with the first level.
    pub fn new(options: &PassOptions) -> HoistPass {
        HoistPass {
            options: *options,
            level: 0,
            levels: None,
            state: HoistState::Begin,
        }
    }

    fn cached_levels(&mut self, view: &View) -> Arc<[TreeLevel]> {
        self.levels
            .get_or_insert_with(|| collect_levels(view))
            .clone()
    }

    /// Begins with the level's mappings.
    fn start_hoisting(&mut self, view: &View) {
        let version = &view.version;
        let levels = self.cached_levels(view);
        let level = levels.get(self.level as usize);
        let mappings = level.map_or_else(Vec::new, |level| find_mappings(version, &level.nodes));
        self.state = HoistState::Hoist {
            minimizer: UnitMinimizer::new(mappings, &self.options, false),
            applied: false,
        };
    }
}

/// The levels of a version, found in one walk.
fn collect_levels(view: &View) -> Arc<[TreeLevel]> {
    let mut levels: Vec<TreeLevel> = Vec::new();
    let documents = view.documents().iter();
    for seen in documents.flat_map(|document| walk_down(WalkedNode::from_node(&document.root))) {
        let at = seen.level as usize;
        if levels.len() <= at {
            levels.resize_with(at + 1, TreeLevel::default);
        }
        if seen.removable {
            levels[at]
                .parts
                .push((seen.node.id, seen.node.sums().tokens));
        }
        if seen.node.class.is_some() {
            levels[at].nodes.push(seen.node.id);
        }
    }
    levels.into()
}

/// The mappings of these nodes, each with the tokens that it saves.
fn find_mappings(version: &Version, nodes: &[NodeId]) -> Vec<(HoistMapping, u32)> {
    let paths = nodes.iter().filter_map(|&node| version.path_to(node));
    paths
        .filter_map(|path| {
            let node = path.node();
            let nearest = replacements::nearest_fitting(version, &path)?;
            let tokens = version.find_node(nearest)?.sums().tokens;
            Some(((node.id, nearest), node.sums().tokens - tokens))
        })
        .collect()
}

fn apply_mappings(mappings: &[HoistMapping]) -> Edit {
    let replace = |&(node, piece)| EditOp::Replace {
        node,
        piece: Replacement::Node(piece),
    };
    mappings.iter().map(replace).collect()
}

impl Proposer for HoistPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        let version = &view.version;
        let why = |action| EditReason {
            pass: HOIST.name,
            action,
            node: None,
        };
        loop {
            let level = self.level;
            match &mut self.state {
                HoistState::Begin => match self.cached_levels(view).get(level as usize) {
                    Some(TreeLevel { parts, .. }) => {
                        self.state = HoistState::Prune(UnitMinimizer::new(
                            parts.clone(),
                            &self.options,
                            false,
                        ));
                    }
                    None => return ProposerStep::Done,
                },
                HoistState::Prune(minimizer) => {
                    let what = ActionUnit::qualified("part", format_args!("on level {level}"));
                    let remove = |parts: &[NodeId]| removal_edit(version, parts);
                    match minimizer.propose_disjoint_removal(HOIST.name, &what, remove) {
                        ProposerStep::Reparse | ProposerStep::Done => self.start_hoisting(view),
                        step => return step,
                    }
                }
                HoistState::Hoist { minimizer, applied } => {
                    let of = minimizer.len();
                    match minimizer.propose(apply_mappings) {
                        ProposerStep::Test(edit, go) => {
                            let nodes = format_count(of.into(), "node");
                            let proposal = format!(
                                "Can {go} of {nodes} on level {level} become what they contain?"
                            );
                            let why = why(EditAction::Question(proposal.into()));
                            return ProposerStep::Test(edit, why);
                        }
                        ProposerStep::Accept(edit) => return ProposerStep::Accept(edit),
                        ProposerStep::Reparse | ProposerStep::Done if *applied => {
                            self.start_hoisting(view)
                        }
                        ProposerStep::Reparse | ProposerStep::Done => {
                            (self.level, self.state) = (level + 1, HoistState::Begin);
                        }
                    }
                }
            }
        }
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        match &mut self.state {
            HoistState::Begin => {}
            HoistState::Prune(minimizer) => {
                minimizer.on_verdict(tested, feedback, |parts| removal_edit(&view.version, parts))
            }
            HoistState::Hoist { minimizer, .. } => {
                minimizer.on_verdict(tested, feedback, apply_mappings)
            }
        }
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        self.levels = None;
        match &mut self.state {
            HoistState::Begin => {}
            HoistState::Prune(minimizer) => minimizer.on_accept(),
            HoistState::Hoist { minimizer, applied } => {
                *applied = true;
                minimizer.on_accept();
            }
        }
    }

    fn invalidate(&mut self, _: &View) {
        (self.level, self.levels, self.state) = (0, None, HoistState::Begin);
    }
}
