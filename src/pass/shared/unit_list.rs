//! Passes that minimise lists of units, one list after the other: comments, lines, tokens, bracket levels, the levels of HDD, and what
//! hints point at.

use std::sync::Arc;

use super::failure_run::FailureRun;
use super::unit_minimizer::UnitMinimizer;
use crate::pass::PassOptions;
use crate::program::{ActionUnit, AppliedEdit, Edit, EditReason, NodeId, Version, View};
use crate::protocol::abandon::count_round;
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// A unit: nodes that are removed together, and the number of their tokens.
pub type RemovalUnit = (Arc<[NodeId]>, u32);

/// A list of units, and where to find the next list.
pub struct UnitList {
    /// The units in their order.
    pub units: Vec<RemovalUnit>,
    /// The name of the units.
    pub what: ActionUnit,
    /// The place for the next call of [`UnitSource::next_units`].
    pub next: u32,
}

/// The source of a pass's lists: passes of this kind differ only in it.
#[derive(Debug)]
pub struct UnitSource {
    /// The name of the pass.
    pub name: &'static str,
    /// The list that begins at this place, which is 0 at first; none when there are no more.
    pub next_units: fn(&View, u32) -> Option<UnitList>,
    /// The edit that removes these nodes.
    pub delete_nodes: fn(&Version, &[NodeId]) -> Edit,
    /// After this number of failures in a row the rest of the list is left to other passes; none to try all of it.
    pub max_failures: Option<u32>,
    /// Whether a whole list is tried before the list minimiser begins.
    pub try_all_first: bool,
}

/// A list minimiser over one list after the other.
#[derive(Clone)]
pub struct UnitListPass {
    source: &'static UnitSource,
    options: PassOptions,
    next: u32,
    units: Option<(ActionUnit, UnitMinimizer<Arc<[NodeId]>>)>,
    /// Failures in a row.
    failed: FailureRun,
}

impl UnitListPass {
    /// Begins with the first list.
    pub fn new(source: &'static UnitSource, options: &PassOptions) -> UnitListPass {
        UnitListPass {
            source,
            options: *options,
            next: 0,
            units: None,
            failed: FailureRun::default(),
        }
    }
}

/// The edit that removes these units.
fn delete_units(source: &UnitSource, view: &View, pieces: &[Arc<[NodeId]>]) -> Edit {
    let nodes = pieces.iter().flat_map(|piece| piece.iter().copied());
    (source.delete_nodes)(&view.version, &nodes.collect::<Vec<_>>())
}

impl Proposer for UnitListPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        loop {
            if self
                .source
                .max_failures
                .is_some_and(|most| self.failed.has_reached(most))
            {
                (self.units, self.failed) = (None, FailureRun::default());
            }
            let Some((what, minimizer)) = &mut self.units else {
                let Some(cut) = (self.source.next_units)(view, self.next) else {
                    return ProposerStep::Done;
                };
                let UnitList { what, next, .. } = cut;
                let pieces = unconstrained_units(view, cut.units);
                self.next = next;
                self.units = Some((
                    what,
                    UnitMinimizer::new(pieces, &self.options, self.source.try_all_first),
                ));
                continue;
            };
            let delete = |pieces: &[Arc<[NodeId]>]| delete_units(self.source, view, pieces);
            match minimizer.propose_removal(self.source.name, what, delete) {
                ProposerStep::Reparse | ProposerStep::Done => {
                    (self.units, self.failed) = (None, FailureRun::default());
                }
                step => return step,
            }
        }
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        self.failed.record_verdict(feedback);
        if let Some((_, minimizer)) = &mut self.units {
            minimizer.on_verdict(tested, feedback, |pieces| {
                delete_units(self.source, view, pieces)
            });
        }
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        if let Some((_, minimizer)) = &mut self.units {
            minimizer.on_accept();
        }
    }

    fn invalidate(&mut self, _: &View) {
        (self.next, self.units, self.failed) = (0, None, FailureRun::default());
    }
}

/// The units that may be removed as a whole: a unit is removed as a whole or not at all.
fn unconstrained_units(view: &View, mut pieces: Vec<RemovalUnit>) -> Vec<RemovalUnit> {
    let constraints = &view.constraints;
    let open = |&node: &NodeId| {
        count_round();
        let node = view.version.find_node(node);
        node.is_some_and(|node| constraints.node_exclusion(node).is_none())
    };
    if !constraints.is_empty() {
        pieces.retain(|(nodes, _)| nodes.iter().all(open));
    }
    pieces
}

/// A unit of leaves.
pub fn leaf_unit(leaves: Vec<NodeId>) -> RemovalUnit {
    let tokens = leaves.len() as u32;
    (leaves.into(), tokens)
}

/// Removes each node by itself, whatever the grammar says.
pub fn delete_each(_: &Version, nodes: &[NodeId]) -> Edit {
    nodes
        .iter()
        .map(|&node| crate::program::EditOp::Delete(node))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{read_program, walk};

    /// Two lists of three tokens.
    static TWO_LISTS: UnitSource = UnitSource {
        name: "test",
        next_units: |view, from| {
            let leaves = walk::iter_leaves(&view.version.documents()[0].root);
            let line = leaves.skip(3 * from as usize).take(3);
            (from < 2).then(|| UnitList {
                units: line.map(|leaf| ([leaf.id].into(), 1)).collect(),
                what: ActionUnit::named("token"),
                next: from + 1,
            })
        },
        delete_nodes: delete_each,
        max_failures: Some(7),
        try_all_first: false,
    };

    #[test]
    fn failures_of_one_list_say_nothing_of_the_next() {
        let text: Arc<[u8]> = (*b"int a; int b;").into();
        let files = vec![(Arc::from(std::path::Path::new("a.c")), text)];
        let view = View::new(read_program(files).expect("it can be read"));
        let options = PassOptions {
            minimizer: crate::minimize::find_minimizer("complements").expect("the table has it"),
            ..PassOptions::default()
        };
        let mut pass = UnitListPass::new(&TWO_LISTS, &options);
        let mut asked = 0;
        while let ProposerStep::Test(edit, _) = pass.propose(&view) {
            pass.on_verdict(&view, &edit, Feedback::Uninteresting);
            asked += 1;
        }
        let of_one_list = 1 + 2 + 3;
        assert_eq!(asked, 2 * of_one_list);
    }
}
