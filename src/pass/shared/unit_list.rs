//! Passes that minimise lists of units, one list after the other: comments, lines, tokens, bracket levels, the levels of HDD, and what
//! hints point at.

use std::sync::Arc;

use super::failure_run::FailureRun;
use super::unit_minimizer::UnitMinimizer;
use crate::pass::PassOptions;
use crate::program::{ActionUnit, AppliedEdit, Edit, EditReason, NodeId, Version, View};
use crate::protocol::abandon::count_round;
use crate::protocol::{
    AlgorithmLayer, AlgorithmPicture, AlgorithmState, AlgorithmText, Feedback, LevelPicture,
    LevelSize, Proposer, ProposerStep,
};

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

/// An algorithm that goes from level to level, as a screen shows it.
#[derive(Debug)]
pub struct LevelAlgorithm {
    /// Its pseudo-code.
    pub text: AlgorithmText,
    /// The line that minimises the list of a level.
    pub minimizes_at: usize,
    /// The lines before it at the first level, and at each other.
    pub begins_by: [&'static [usize]; 2],
    /// The levels of a program that have parts which may go.
    pub count_levels: fn(&View) -> Arc<[LevelSize]>,
}

/// A list minimiser over one list after the other.
#[derive(Clone)]
pub struct UnitListPass {
    source: &'static UnitSource,
    options: PassOptions,
    /// What a screen shows of it besides its list minimiser; none where there is no more to it.
    levels: Option<&'static LevelAlgorithm>,
    next: u32,
    units: Option<OpenUnits>,
    /// The levels before the present one, with what stayed of each.
    done: Vec<LevelSize>,
    /// Failures in a row.
    failed: FailureRun,
}

/// The list that is minimised.
#[derive(Clone)]
struct OpenUnits {
    what: ActionUnit,
    level: Option<LevelPicture>,
    /// Whether no candidate was decided yet.
    is_new: bool,
    minimizer: UnitMinimizer<Arc<[NodeId]>>,
}

impl UnitListPass {
    /// Begins with the first list.
    pub fn new(source: &'static UnitSource, options: &PassOptions) -> UnitListPass {
        UnitListPass {
            source,
            options: *options,
            levels: None,
            next: 0,
            units: None,
            done: Vec::new(),
            failed: FailureRun::default(),
        }
    }

    /// The same, with a list for each level: the place of [`UnitSource::next_units`] is the number of a level.
    pub fn by_levels(self, levels: &'static LevelAlgorithm) -> UnitListPass {
        UnitListPass {
            levels: Some(levels),
            ..self
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
            let Some(open) = &mut self.units else {
                let Some(cut) = (self.source.next_units)(view, self.next) else {
                    return ProposerStep::Done;
                };
                let pieces = unconstrained_units(view, cut.units);
                let at_once = self.source.try_all_first;
                self.next = cut.next;
                self.units = Some(OpenUnits {
                    what: cut.what,
                    level: self.levels.map(|levels| LevelPicture {
                        level: cut.next.saturating_sub(1),
                        levels: join_levels(&self.done, (levels.count_levels)(view)),
                    }),
                    is_new: true,
                    minimizer: UnitMinimizer::new(pieces, &self.options, at_once),
                });
                continue;
            };
            let delete = |pieces: &[Arc<[NodeId]>]| delete_units(self.source, view, pieces);
            let (what, minimizer) = (&open.what, &mut open.minimizer);
            let name = self.source.name;
            // On a level no part lies inside of another.
            let step = match self.levels {
                Some(_) => minimizer.propose_disjoint_removal(name, what, delete),
                None => minimizer.propose_removal(name, what, delete),
            };
            match step {
                ProposerStep::Reparse | ProposerStep::Done => {
                    let parts = open.minimizer.len();
                    if let Some(LevelPicture { level, .. }) = open.level {
                        self.done.push(LevelSize { level, parts });
                    }
                    (self.units, self.failed) = (None, FailureRun::default());
                }
                step => return step,
            }
        }
    }

    fn describe_algorithm(&self, _: &View) -> Option<AlgorithmState<NodeId>> {
        let open = self.units.as_ref()?;
        let inner = open
            .minimizer
            .describe_minimizer(|unit| Some((*unit.first()?, *unit.last()?)));
        let Some((levels, mut level)) = self.levels.zip(open.level.clone()) else {
            return inner;
        };
        let left = |mut size: LevelSize| {
            if size.level == level.level {
                size.parts = open.minimizer.len();
            }
            size
        };
        level.levels = level.levels.iter().copied().map(left).collect();
        let passed = match (open.is_new, self.done.is_empty()) {
            (false, _) => &[],
            (true, is_first) => levels.begins_by[usize::from(!is_first)],
        };
        let outer = AlgorithmLayer {
            text: &levels.text,
            line: levels.minimizes_at,
            passed,
            facts: Vec::new(),
            picture: AlgorithmPicture::Levels(level),
        };
        Some(AlgorithmState::of_layers(outer, inner))
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        self.failed.record_verdict(feedback);
        if let Some(OpenUnits {
            minimizer, is_new, ..
        }) = &mut self.units
        {
            *is_new = false;
            minimizer.on_verdict(tested, feedback, |pieces| {
                delete_units(self.source, view, pieces)
            });
        }
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        if let Some(OpenUnits { minimizer, .. }) = &mut self.units {
            minimizer.on_accept();
        }
    }

    fn invalidate(&mut self, _: &View) {
        (self.next, self.units, self.failed) = (0, None, FailureRun::default());
        self.done.clear();
    }
}

/// The levels that are done, as they were left, then those that were not begun.
fn join_levels(done: &[LevelSize], now: Arc<[LevelSize]>) -> Arc<[LevelSize]> {
    let last = done.last().map(|size| size.level);
    let open = now
        .iter()
        .filter(|size| last.is_none_or(|last| size.level > last));
    done.iter().chain(open).copied().collect()
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
