//! What the constraints allow: no candidate passes this filter that would break one.
//!
//! Pins are checked again where the candidate is made. This filter saves the pass inside proposals in vain, and shrinks a removal of
//! several elements to those that may be removed. Of different proposals the same may be left: that is asked once of a version.

use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::{EditFilter, FilterKind, FilteredPass};
use crate::program::{
    ConstraintSet, ContentHash, Edit, EditOp, EditReason, View, strip_separator, walk,
};
use crate::protocol::{Feedback, IndexRanges};

/// The constraints.
pub static CONSTRAINTS: FilterKind = FilterKind {
    name: "constraints",
    description: "rejects or shrinks what the user's constraints forbid",
    feature: None,
    wrap: |pass| FilteredPass::new_boxed(pass, ConstraintFilter::default()),
};

/// The filter around every pass.
#[derive(Clone, Debug, Default)]
pub struct ConstraintFilter {
    /// What was uninteresting under constraints, and the version that it was asked of.
    failed: Option<(ContentHash, Failures)>,
}

/// Edits.
type Failures = imbl::GenericHashSet<Edit, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>;

impl EditFilter for ConstraintFilter {
    fn filter_edit(
        &self,
        view: &View,
        edit: &Edit,
        why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        let constraints = &view.constraints;
        if constraints.is_empty() {
            return Some((edit.clone(), why.clone()));
        }
        if why.node.is_some_and(|node| constraints.is_suspended(node)) {
            return None;
        }
        let ops = edit
            .ops
            .iter()
            .filter_map(|op| allowed_op(view, constraints, op));
        let mut open: Edit = ops.collect();
        open.detour = edit.detour;
        if open.detour.is_some() && open != *edit {
            // What may make the program larger is made as a whole.
            return None;
        }
        if open.ops.is_empty() {
            return None;
        }
        if open == *edit {
            return Some((open, why.clone()));
        }
        let version = &view.version;
        let is_known = |(of, failed): &(ContentHash, Failures)| {
            *of == version.content_hash() && failed.contains(&open)
        };
        if self.failed.as_ref().is_some_and(is_known) {
            return None;
        }
        let why = why.for_rest(version, edit, &open);
        Some((open, why))
    }

    fn on_verdict(&mut self, view: &View, asked: &Edit, answer: Feedback) {
        if view.constraints.is_empty() || answer != Feedback::Uninteresting {
            return;
        }
        let version = view.version.content_hash();
        match &mut self.failed {
            Some((of, failed)) if *of == version => {
                failed.insert(asked.clone());
            }
            failed => *failed = Some((version, Failures::unit(asked.clone()))),
        }
    }

    fn invalidate(&mut self) {
        self.failed = None;
    }
}

/// Whether the constraints allow all changes of an edit: for one whose changes say nothing without each other.
pub(in crate::pass) fn allows_whole_edit(view: &View, edit: &Edit) -> bool {
    let constraints = &view.constraints;
    let allowed = |op: &EditOp| allowed_op(view, constraints, op).as_ref() == Some(op);
    constraints.is_empty() || edit.ops.iter().all(allowed)
}

/// What the constraints leave of a change; none if nothing.
fn allowed_op(view: &View, constraints: &Arc<ConstraintSet>, op: &EditOp) -> Option<EditOp> {
    let version = &view.version;
    if let Some((list, items)) = op.removed_items() {
        let node = version.find_node(list)?;
        let all = items.ranges().iter().cloned().flatten();
        let free = all
            .zip(walk::selected_items(node, items))
            .filter(|(_, item)| constraints.node_exclusion(strip_separator(item)).is_none());
        let items = IndexRanges::from_sorted(free.map(|(at, _)| at));
        return (!items.is_empty()).then_some(EditOp::DeleteItems { list, items });
    }
    let Some(node) = op.removed_node() else {
        return Some(op.clone());
    };
    let kept = op.kept_node().into_iter().chain(op.kept_pieces());
    let kept_pins: Option<u32> = kept
        .map(|kept| Some(version.find_node(kept)?.sums().pinned))
        .sum();
    let kept_pins = kept_pins?;
    let keeps_pins = kept_pins == version.find_node(node)?.sums().pinned;
    let edit = Edit::from(op.clone());
    (keeps_pins && constraints.edit_exclusion(version, &edit).is_none()).then(|| op.clone())
}
