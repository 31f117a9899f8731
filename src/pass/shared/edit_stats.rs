//! What makes two edits similar for a compiler, and the verdicts on edits of a kind so far.

use rustc_hash::FxBuildHasher;

use crate::grammar::{ExprId, NodeClass};
use crate::program::{
    Edit, EditOp, NodePath, NodeShape, Replacement, Version, strip_separator, walk,
};
use crate::protocol::Feedback;

/// How many verdicts of a kind are remembered.
const REMEMBERED_VERDICTS: u32 = 40;
/// With fewer verdicts than this a rate says nothing.
const MIN_RATED_VERDICTS: u32 = 8;
/// The acceptance rate, in percent, above which a kind is worth a batch.
const BATCH_RATE_PERCENT: u32 = 15;
/// The fewest similar places that are tried together.
const MIN_SIMILAR_PLACES: usize = 3;
/// The same for elements of lists, which differ more from each other: statements, for example.
const MIN_SIMILAR_ELEMENTS: usize = 12;
/// After this number of successes in a row the next candidate changes several places.
const GALLOP_AFTER_SUCCESSES: u32 = 2;

/// What similar edits of one place have in common: where it is, what it is, and what happens to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EditKind {
    /// The kind of the nearest node above that has one.
    parent: Option<NodeClass>,
    /// The kind of the removed node.
    pub node: Option<NodeClass>,
    /// What the grammar expects in its place.
    expected: Option<ExprId>,
    /// The field that it fills, and its place among the parts of a node that is not a list.
    slot: (u16, usize),
    effect: EditEffect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum EditEffect {
    /// The optional part is removed.
    Removed,
    /// The list loses an element.
    Shorter,
    Node(Option<NodeClass>),
    Items(Option<ExprId>),
}

impl EditKind {
    /// The kind of an edit of one place; none for edits of several places.
    pub fn from_edit(version: &Version, edit: &Edit) -> Option<EditKind> {
        match &edit.ops[..] {
            [EditOp::Delete(node)] => {
                EditKind::from_path(&version.path_to(*node)?, EditEffect::Removed)
            }
            [EditOp::Replace { node, piece }] => {
                let becomes = match piece {
                    Replacement::Node(below) => EditEffect::Node(version.find_node(*below)?.class),
                    Replacement::Items(list) => {
                        EditEffect::Items(version.find_node(*list)?.expected)
                    }
                    Replacement::Tokens(_) | Replacement::Leaves(_) | Replacement::Pieces(_) => {
                        return None;
                    }
                };
                EditKind::from_path(&version.path_to(*node)?, becomes)
            }
            [EditOp::DeleteItems { list, items }] if items.len() == 1 => {
                let path = version.path_to(*list)?;
                let list = path.node();
                let item = walk::item_at(list, items.ranges().first()?.start as usize)?;
                Some(EditKind {
                    parent: path.nodes.iter().rev().find_map(|above| above.class),
                    node: strip_separator(item).class,
                    expected: list.expected,
                    slot: (list.field, 0),
                    effect: EditEffect::Shorter,
                })
            }
            _ => None,
        }
    }

    fn from_path(path: &NodePath, becomes: EditEffect) -> Option<EditKind> {
        let (node, parent) = (path.node(), path.parent()?);
        let place = match parent.shape {
            NodeShape::Regular | NodeShape::Item | NodeShape::Opt | NodeShape::Link => parent
                .children()
                .iter()
                .position(|child| child.id == node.id)?,
            _ => 0,
        };
        Some(EditKind {
            parent: path.ancestors().find_map(|above| above.class),
            node: node.class,
            expected: node.expected,
            slot: (node.field, place),
            effect: becomes,
        })
    }

    /// Whether it removes an element of a list.
    pub fn is_element(&self) -> bool {
        self.effect == EditEffect::Shorter
    }
}

/// The verdicts by kind.
#[derive(Clone, Debug, Default)]
pub struct EditKindStats {
    records: imbl::GenericHashMap<
        EditKind,
        EditKindRecord,
        FxBuildHasher,
        imbl::shared_ptr::DefaultSharedPtr,
    >,
}

/// The verdicts on edits of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EditKindRecord {
    /// The last verdicts on edits of one place, the newest in the lowest bit.
    accepted_bits: u64,
    /// How many they are.
    verdict_count: u32,
    /// How many places were changed in a row.
    success_run: u32,
    /// Whether several of them changed at once.
    joint_success: bool,
    /// This number of places cannot change at once.
    failed_group_size: Option<u32>,
}

impl EditKindStats {
    /// The verdicts on edits of this kind.
    pub fn record_for(&self, kind: &EditKind) -> EditKindRecord {
        self.records.get(kind).copied().unwrap_or_default()
    }

    /// Records the verdict on a candidate with this number of places of the kind. A failure of several places says nothing about each, but
    /// the next candidate must have fewer.
    pub fn record_verdict(&mut self, kind: EditKind, places: u32, feedback: Feedback) {
        self.records
            .entry(kind)
            .or_default()
            .record_verdict(places, feedback);
    }
}

impl EditKindRecord {
    fn record_verdict(&mut self, places: u32, feedback: Feedback) {
        if places == 1 && feedback != Feedback::Rejected {
            self.accepted_bits = (self.accepted_bits << 1 | u64::from(feedback.is_interesting()))
                & ((1 << REMEMBERED_VERDICTS) - 1);
            self.verdict_count = (self.verdict_count + 1).min(REMEMBERED_VERDICTS);
        }
        match feedback {
            Feedback::Interesting => {
                self.success_run += places;
                self.joint_success |= places > 1;
                let left = self
                    .failed_group_size
                    .map(|bound| bound.saturating_sub(places));
                self.failed_group_size = left.filter(|&left| left > 0);
            }
            Feedback::Uninteresting | Feedback::Rejected if places > 1 => {
                self.failed_group_size = Some(places)
            }
            Feedback::Uninteresting => {
                (self.success_run, self.joint_success, self.failed_group_size) = (0, false, None)
            }
            Feedback::Rejected => {}
        }
    }

    /// How many places the next candidate should have: galloping, as in `minimize/galloping.rs`, from one node to the next.
    pub fn next_group_size(&self) -> u32 {
        match self.failed_group_size {
            Some(bound) => (bound / 2).max(1),
            None if self.success_run < GALLOP_AFTER_SUCCESSES => 1,
            None => self.success_run,
        }
    }

    /// The fewest places of a candidate with several of them. A few places are tried one by one: each of a few is likely to have a part in
    /// the bug.
    pub fn min_group_size(&self, kind: &EditKind) -> usize {
        match self.joint_success {
            true => 2,
            false if kind.is_element() => MIN_SIMILAR_ELEMENTS,
            false => MIN_SIMILAR_PLACES,
        }
    }

    /// Whether enough of the last edits of one place were interesting for a batch, but not the very last: if it was, galloping needs fewer
    /// tests.
    pub fn suits_batch(&self) -> bool {
        let often = self.accepted_bits.count_ones() * 100 > self.verdict_count * BATCH_RATE_PERCENT;
        self.verdict_count >= MIN_RATED_VERDICTS
            && often
            && self.success_run == 0
            && self.failed_group_size.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(answers: &[(u32, Feedback)]) -> EditKindRecord {
        let mut record = EditKindRecord::default();
        for &(places, answer) in answers {
            record.record_verdict(places, answer);
        }
        record
    }

    #[test]
    fn questions_grow_with_success_and_halve_after_a_failure() {
        use Feedback::{Interesting, Uninteresting};
        let sizes = |answers: &[(u32, Feedback)]| after(answers).next_group_size();
        assert_eq!(sizes(&[(1, Interesting)]), 1);
        assert_eq!(sizes(&[(1, Interesting), (1, Interesting)]), 2);
        assert_eq!(
            sizes(&[(1, Interesting), (1, Interesting), (2, Interesting)]),
            4
        );
        assert_eq!(
            sizes(&[
                (1, Interesting),
                (1, Interesting),
                (2, Interesting),
                (4, Uninteresting)
            ]),
            2
        );
        let found = [
            (1, Interesting),
            (1, Interesting),
            (2, Interesting),
            (4, Uninteresting),
            (2, Interesting),
            (1, Interesting),
        ];
        assert_eq!(sizes(&found), 1, "the next one is what cannot go");
        let passed: Vec<_> = found.into_iter().chain([(1, Uninteresting)]).collect();
        assert_eq!(sizes(&passed), 1, "and a new run begins");
    }

    #[test]
    fn a_batch_needs_answers_of_both_sorts() {
        use Feedback::{Interesting, Rejected, Uninteresting};
        assert!(
            !after(&[(1, Interesting), (1, Uninteresting), (1, Uninteresting)]).suits_batch(),
            "too few"
        );
        let mut answers = vec![(1, Uninteresting); 6];
        answers.splice(0..0, [(1, Interesting), (1, Interesting)]);
        assert!(after(&answers).suits_batch());
        answers.extend([(1, Rejected); 50]);
        assert!(after(&answers).suits_batch(), "a refusal is no decision");
        answers.extend([(1, Uninteresting); 6]);
        assert!(!after(&answers).suits_batch(), "2 of 14 are too few");
        assert!(
            !after(&[(1, Interesting); 20]).suits_batch(),
            "galloping is better"
        );
    }
}
