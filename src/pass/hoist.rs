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

use super::removable::{Seen, removal, walk_down};
use super::row::Row;
use super::{Again, Kind, Options, pieces};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{Action, Change, Edit, NodeId, Op, Piece, Pieces, Version, View, Why};

/// HDD with hoisting.
pub static HOIST: Kind = Kind {
    name: "hoist",
    what: "HDD, and on each level the list minimiser over the nodes that could be what they contain (Vince et al., AST 2021)",
    again: Again::Fixpoint,
    syntactic: true,
    start: |_, options| Box::new(Hoist::new(options)),
};

/// One run over the levels.
#[derive(Clone)]
pub struct Hoist {
    options: Options,
    level: u32,
    now: Now,
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
            now: Now::Begin,
        }
    }

    /// The level's mappings.
    fn hoist(&mut self, version: &Version) {
        self.now = Now::Hoist {
            row: Row::new(mappings(version, self.level), &self.options, false),
            applied: false,
        };
    }
}

/// The parts of this level that may go, with their tokens; none below the deepest level.
fn parts(version: &Version, wanted: u32) -> Option<Vec<(NodeId, u32)>> {
    let mut deeper = false;
    let mut found = Vec::new();
    for document in version.documents() {
        for seen in walk_down(Seen::at(&document.root)) {
            deeper |= seen.level >= wanted;
            if seen.removable && seen.level == wanted {
                found.push((seen.node.id, seen.node.sums.tokens));
            }
        }
    }
    deeper.then_some(found)
}

/// The mappings of this level, with the tokens that each saves.
fn mappings(version: &Version, level: u32) -> Vec<(Mapping, u32)> {
    let documents = version.documents().iter();
    let nodes = documents.flat_map(|document| walk_down(Seen::at(&document.root)));
    let here = nodes.filter(|seen| seen.level == level && seen.node.class.is_some());
    here.filter_map(|seen| {
        let trail = version.trail(seen.node.id)?;
        let nearest = pieces::nearest(version, &trail)?;
        let tokens = version.node(nearest)?.sums.tokens;
        let saved = seen.node.sums.tokens - tokens;
        Some(((seen.node.id, nearest), saved))
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
                Now::Begin => match parts(version, level) {
                    Some(parts) => self.now = Now::Prune(Row::new(parts, &self.options, false)),
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
        (self.level, self.now) = (0, Now::Begin);
    }
}
