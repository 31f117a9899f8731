//! What the constraints leave open: no question goes past this filter that would break one.
//!
//! The last word on pins is spoken where the candidate is made; this filter saves the pass inside from asking in vain, and shrinks a
//! question about many elements to those that may go.

use std::sync::Arc;

use super::filter::Filter;
use crate::dialogue::Indices;
use crate::program::{Action, Constraints, Edit, Op, Piece, View, Why, element, walk};

/// The filter around every pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open;

impl Filter for Open {
    fn sift(&self, view: &View, edit: &Edit, why: &Why) -> Option<(Edit, Why)> {
        let constraints = &view.constraints;
        if constraints.is_empty() {
            return Some((edit.clone(), why.clone()));
        }
        if why.node.is_some_and(|node| constraints.rests(node)) {
            return None;
        }
        let ops = edit.ops.iter().filter_map(|op| open(view, constraints, op));
        let open: Edit = ops.collect();
        let mut why = why.clone();
        if let ([Op::DeleteItems { items, .. }], Action::DropItems { go, .. }) =
            (&open.ops[..], &mut why.action)
        {
            *go = items.len();
        }
        (!open.ops.is_empty()).then_some((open, why))
    }
}

/// What may be made of a change; none if nothing may.
fn open(view: &View, constraints: &Arc<Constraints>, op: &Op) -> Option<Op> {
    let version = &view.version;
    let free = match op {
        Op::StripMarkers | Op::Rewrite(_) => true,
        Op::Delete(node) => constraints.closes(version.node(*node)?).is_none(),
        Op::Replace { node, piece } => {
            let stays = match piece {
                Piece::Node(below) | Piece::Items(below) => version.node(*below)?.sums.pinned,
                Piece::Tokens(_) => 0,
            };
            let keeps = stays == version.node(*node)?.sums.pinned;
            keeps && constraints.forbids(version, &op.clone().into()).is_none()
        }
        Op::DeleteItems { list, items } => {
            let node = version.node(*list)?;
            let all = items.ranges().iter().cloned().flatten();
            let free = all.zip(walk::picked(node, items));
            let free = free.filter(|(_, item)| constraints.closes(element(item)).is_none());
            let items = Indices::sorted(free.map(|(at, _)| at));
            return (!items.is_empty()).then_some(Op::DeleteItems { list: *list, items });
        }
    };
    free.then(|| op.clone())
}
