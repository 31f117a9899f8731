//! HDD with hoisting: Vince, Hodován, Bársony and Kiss, "Extending Hierarchical Delta Debugging with Hoisting", AST 2021.
//!
//! ```text
//! for each level, from the root:
//!     prune     ddmin over the parts that may go                                  (as in hdd.rs)
//!     hoist     map each node of the level to the nearest descendant that fits its place;
//!               ddmin over the set of mappings that are *not* applied: all are applied at first, then halves of them, …
//!               again, as long as a mapping was applied
//! ```
//! So many siblings are hoisted at once, where Perses does it one by one.

use std::sync::Arc;

use super::removable::{Seen, removal, walk_down};
use super::row::Row;
use super::{Again, Heed, Kind, Options, pieces};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{Action, Change, Edit, NodeId, Op, Piece, Pieces, Version, View, Why};

/// HDD with hoisting.
pub static HOIST: Kind = Kind {
    name: "hoist",
    what: "HDD, and on each level the list minimiser over the nodes that could be what they contain (Vince et al., AST 2021)",
    again: Again::Fixpoint,
    parser: Heed::Obeyed,
    start: |_, options| Box::new(Hoist::new(options)),
};

/// One run over the levels.
#[derive(Clone)]
pub struct Hoist {
    options: Options,
    level: u32,
    /// The levels of the version; none after a take, until they are needed again.
    levels: Option<Arc<[Level]>>,
    now: Now,
}

/// What is on one level.
#[derive(Debug, Default)]
struct Level {
    /// The parts that may go, with their tokens.
    parts: Vec<(NodeId, u32)>,
    /// The nodes that the parser saw.
    nodes: Vec<NodeId>,
}

/// A node and what could stand in its place.
type Mapping = (NodeId, NodeId);

#[derive(Clone)]
enum Now {
    /// The level's turn has come.
    Begin,
    Prune(Row<NodeId>),
    Hoist {
        row: Row<Mapping>,
        /// Whether a mapping of this row was applied.
        applied: bool,
    },
}

impl Hoist {
    /// Begins with the first level.
    pub fn new(options: &Options) -> Hoist {
        Hoist {
            options: *options,
            level: 0,
            levels: None,
            now: Now::Begin,
        }
    }

    fn levels(&mut self, version: &Version) -> Arc<[Level]> {
        self.levels.get_or_insert_with(|| levels(version)).clone()
    }

    /// The level's mappings.
    fn hoist(&mut self, version: &Version) {
        let levels = self.levels(version);
        let level = levels.get(self.level as usize);
        let mappings = level.map_or_else(Vec::new, |level| mappings(version, &level.nodes));
        self.now = Now::Hoist {
            row: Row::new(mappings, &self.options, false),
            applied: false,
        };
    }
}

/// The levels of a version, found in one walk.
fn levels(version: &Version) -> Arc<[Level]> {
    let mut levels: Vec<Level> = Vec::new();
    let documents = version.documents().iter();
    for seen in documents.flat_map(|document| walk_down(Seen::at(&document.root))) {
        let at = seen.level as usize;
        if levels.len() <= at {
            levels.resize_with(at + 1, Level::default);
        }
        if seen.removable {
            levels[at].parts.push((seen.node.id, seen.node.sums.tokens));
        }
        if seen.node.class.is_some() {
            levels[at].nodes.push(seen.node.id);
        }
    }
    levels.into()
}

/// What these nodes may be mapped to, with the tokens that each saves.
fn mappings(version: &Version, nodes: &[NodeId]) -> Vec<(Mapping, u32)> {
    let trails = nodes.iter().filter_map(|&node| version.trail(node));
    trails
        .filter_map(|trail| {
            let node = trail.node();
            let nearest = pieces::nearest(version, &trail)?;
            let tokens = version.node(nearest)?.sums.tokens;
            Some(((node.id, nearest), node.sums.tokens - tokens))
        })
        .collect()
}

fn apply(mappings: &[Mapping]) -> Edit {
    let replace = |&(node, piece)| Op::Replace {
        node,
        piece: Piece::Node(piece),
    };
    mappings.iter().map(replace).collect()
}

impl Dialogue for Hoist {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        let version = &view.version;
        let why = |action| Why {
            pass: HOIST.name,
            action,
            node: None,
        };
        loop {
            let level = self.level;
            match &mut self.now {
                Now::Begin => match self.levels(version).get(level as usize) {
                    Some(Level { parts, .. }) => {
                        self.now = Now::Prune(Row::new(parts.clone(), &self.options, false));
                    }
                    None => return Step::Done,
                },
                Now::Prune(row) => {
                    let of = row.len();
                    match row.step(|parts| removal(version, parts)) {
                        Step::Ask(edit, go) => {
                            let what = Pieces::Level(level);
                            let why = why(Action::Drop { what, go, of });
                            return Step::Ask(edit, why);
                        }
                        Step::Take(edit) => return Step::Take(edit),
                        Step::Settle | Step::Done => self.hoist(version),
                    }
                }
                Now::Hoist { row, applied } => {
                    let of = row.len();
                    match row.step(apply) {
                        Step::Ask(edit, go) => {
                            let why = why(Action::Hoist { go, of, level });
                            return Step::Ask(edit, why);
                        }
                        Step::Take(edit) => return Step::Take(edit),
                        Step::Settle | Step::Done if *applied => self.hoist(version),
                        Step::Settle | Step::Done => {
                            (self.level, self.now) = (level + 1, Now::Begin);
                        }
                    }
                }
            }
        }
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        match &mut self.now {
            Now::Begin => {}
            Now::Prune(row) => row.told(asked, answer, |parts| removal(&view.version, parts)),
            Now::Hoist { row, .. } => row.told(asked, answer, apply),
        }
    }

    fn taken(&mut self, _: &View, _: &Change) {
        self.levels = None;
        match &mut self.now {
            Now::Begin => {}
            Now::Prune(row) => row.taken(),
            Now::Hoist { row, applied } => {
                *applied = true;
                row.taken();
            }
        }
    }

    fn constrained(&mut self, _: &View) {
        (self.level, self.levels, self.now) = (0, None, Now::Begin);
    }
}
