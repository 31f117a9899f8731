//! The tree difference of a pair: which edits of the tree that made the variant of the seed are needed (PPR, FSE 2023, algorithm 2)?
//!
//! ```text
//! Algorithm 2                                  here
//!   Δ ← the tree edit script from S to V       at the start, the heaviest edit first (`program/pair/tree_difference.rs`)
//!   delete t from S: reduce S inside t         TreeDifferenceStage::Seed, then ::Inside
//!   insert t into V: reduce V inside t         TreeDifferenceStage::Variant, then ::Inside
//!   replace s by t: put s back into V          TreeDifferenceStage::Variant
//! ```
//!
//! The paper tries one edit after the other. A fuzzer leaves many of which few are needed, so here the list minimiser first tries to be
//! without several at once: the deleted nodes go from the seed as wholes, then the inserted ones go from the variant, and what replaced a
//! node of the seed becomes that node again. The nodes that are left are then reduced from the inside, by Perses, the heaviest first.
//!
//! A candidate changes one document, so one part of the test runs. Tokens that are copied from the seed become twins of those.

use std::sync::Arc;

use crate::pass::passes::perses::PersesPass;
use crate::pass::shared::removable::removal_edit;
use crate::pass::shared::unit_minimizer::UnitMinimizer;
use crate::pass::{PairScope, PassKind, PassOptions, RepeatPolicy, StrategyFeature, SyntaxCheck};
use crate::program::pair::{TreeEdit, compare_trees, text_leaves};
use crate::program::{
    ActionUnit, AppliedEdit, Edit, EditOp, EditReason, NodeId, Replacement, Version, View,
};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// The tree difference.
pub static TREE_DIFFERENCE: PassKind = PassKind {
    name: "tree difference",
    description: "in a pair, is without subtrees that the seed or the variant has more, and undoes replaced ones (PPR, FSE 2023, algorithm 2)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Both,
    filters: &[],
    start: |_, options| {
        let pass = TreeDifferencePass::new(options);
        options.pass_if_enabled(StrategyFeature::TreeDifference, Box::new(pass))
    },
};

/// What the pass does now.
#[derive(Clone)]
enum TreeDifferenceStage {
    /// Nothing yet.
    Start,
    /// Nodes that only the seed has go as wholes.
    Seed(EditUnits),
    /// Edits of the variant are undone as wholes.
    Variant(EditUnits),
    /// What one document has more is reduced from the inside.
    Inside(Box<PersesPass>),
    /// Nothing is left.
    Done,
}

/// Edits of the script, and the minimiser that tries to be without them.
type EditUnits = UnitMinimizer<TreeEdit>;

/// The state of one run.
#[derive(Clone)]
pub struct TreeDifferencePass {
    options: PassOptions,
    script: Arc<[TreeEdit]>,
    stage: TreeDifferenceStage,
}

impl TreeDifferencePass {
    fn new(options: &PassOptions) -> TreeDifferencePass {
        TreeDifferencePass {
            options: *options,
            script: Arc::default(),
            stage: TreeDifferenceStage::Start,
        }
    }

    /// The next stage.
    fn start_next_stage(&mut self, view: &View) {
        self.stage = match &self.stage {
            TreeDifferenceStage::Start => {
                let [seed, variant] = view.version.documents() else {
                    self.stage = TreeDifferenceStage::Done;
                    return;
                };
                self.script = compare_trees(&seed.root, &variant.root).into();
                let deleted = |edit: &TreeEdit| matches!(edit, TreeEdit::Delete(_));
                TreeDifferenceStage::Seed(self.list_units(&view.version, deleted))
            }
            TreeDifferenceStage::Seed(_) => {
                let undone = |edit: &TreeEdit| !matches!(edit, TreeEdit::Delete(_));
                TreeDifferenceStage::Variant(self.list_units(&view.version, undone))
            }
            TreeDifferenceStage::Variant(_) => {
                let only: Vec<NodeId> =
                    self.script.iter().filter_map(TreeEdit::lone_node).collect();
                let inside = PersesPass::below(TREE_DIFFERENCE.name, &only, view, &self.options);
                TreeDifferenceStage::Inside(Box::new(inside))
            }
            TreeDifferenceStage::Inside(_) | TreeDifferenceStage::Done => TreeDifferenceStage::Done,
        };
    }

    /// The edits of one kind that can be undone as wholes, with their tokens.
    fn list_units(&self, version: &Version, wanted: impl Fn(&TreeEdit) -> bool) -> EditUnits {
        let edits = self.script.iter().filter(|edit| wanted(edit));
        let edits = edits.filter(|edit| !undo_edits(version, &[**edit]).ops.is_empty());
        let weighed = edits.map(|edit| (*edit, edit_tokens(version, *edit)));
        UnitMinimizer::new(weighed.collect(), &self.options, false)
    }
}

/// The edit that is without these edits of the script. What is not there any more, or may not go, is left out.
fn undo_edits(version: &Version, edits: &[TreeEdit]) -> Edit {
    let only: Vec<NodeId> = edits.iter().filter_map(TreeEdit::lone_node).collect();
    let mut undone = removal_edit(version, &only);
    let restored = edits.iter().filter_map(|edit| match *edit {
        TreeEdit::Replace { seed, variant } => restore_node(version, seed, variant),
        TreeEdit::Delete(_) | TreeEdit::Insert(_) => None,
    });
    undone.ops.extend(restored);
    undone
}

/// A node of the seed in the place of one of the variant.
fn restore_node(version: &Version, seed: NodeId, variant: NodeId) -> Option<EditOp> {
    version.find_node(variant)?;
    let leaves = text_leaves(version.find_node(seed)?);
    let piece = Replacement::Leaves(leaves.iter().map(|leaf| leaf.id).collect());
    Some(EditOp::Replace {
        node: variant,
        piece,
    })
}

/// How many tokens of the difference an edit makes.
fn edit_tokens(version: &Version, edit: TreeEdit) -> u32 {
    let tokens = |node| version.find_node(node).map_or(0, |node| node.sums().tokens);
    match edit {
        TreeEdit::Delete(node) | TreeEdit::Insert(node) => tokens(node),
        TreeEdit::Replace { seed, variant } => tokens(seed) + tokens(variant),
    }
}

impl Proposer for TreeDifferencePass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        let undo = |edits: &[TreeEdit]| undo_edits(&view.version, edits);
        loop {
            let step = match &mut self.stage {
                TreeDifferenceStage::Start => ProposerStep::Done,
                TreeDifferenceStage::Seed(units) => {
                    let unit = ActionUnit::qualified("difference", "in the seed");
                    units.propose_removal(TREE_DIFFERENCE.name, &unit, undo)
                }
                TreeDifferenceStage::Variant(units) => {
                    let unit = ActionUnit::qualified("difference", "in the variant");
                    units.propose_removal(TREE_DIFFERENCE.name, &unit, undo)
                }
                TreeDifferenceStage::Inside(perses) => perses.propose(view),
                TreeDifferenceStage::Done => return ProposerStep::Done,
            };
            match step {
                ProposerStep::Done => self.start_next_stage(view),
                step => return step,
            }
        }
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        match &mut self.stage {
            TreeDifferenceStage::Seed(units) | TreeDifferenceStage::Variant(units) => {
                let undo = |edits: &[TreeEdit]| undo_edits(&view.version, edits);
                units.on_verdict(tested, feedback, undo);
            }
            TreeDifferenceStage::Inside(perses) => perses.on_verdict(view, tested, feedback),
            TreeDifferenceStage::Start | TreeDifferenceStage::Done => {}
        }
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        match &mut self.stage {
            TreeDifferenceStage::Seed(units) | TreeDifferenceStage::Variant(units) => {
                units.on_accept();
            }
            TreeDifferenceStage::Inside(perses) => perses.on_accept(view, change),
            TreeDifferenceStage::Start | TreeDifferenceStage::Done => {}
        }
    }

    fn invalidate(&mut self, _: &View) {
        self.stage = TreeDifferenceStage::Start;
    }
}
