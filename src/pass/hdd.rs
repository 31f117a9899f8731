//! Hierarchical delta debugging: Misherghi and Su, "HDD: Hierarchical Delta Debugging", ICSE 2006.
//!
//! ```text
//! level ← 0
//! while the tree has nodes on this level:
//!     ddmin over all of them, each with what is below it; level ← level + 1
//! ```
//! What cannot be deleted by the grammar is left out of the rows: this is the coarse HDD of Hodován, Kiss and Gyimóthy, "Coarse
//! Hierarchical Delta Debugging", ICSME 2017, of which the paper's minimal replacement strings are the fine one. Where a whole list
//! would go that must keep an element, the first stays in the place of the minimal string. HDD*, the repetition to a fixpoint, is
//! the schedule's.

use super::flat::{Cut, Flat, Rows};
use super::removable::{Seen, removal, walk_down};
use super::{Again, Heed, Kind};
use crate::program::{Pieces, View};

/// HDD.
pub static HDD: Kind = Kind {
    name: "hdd",
    what: "the list minimiser over all parts of a level, level by level (HDD, Misherghi and Su, ICSE 2006; coarse, Hodován et al., 2017)",
    again: Again::Never,
    parser: Heed::Obeyed,
    start: |_, options| Box::new(Flat::new(&ROWS, options)),
};

/// HDD*.
pub static HDD_STAR: Kind = Kind {
    name: "hdd-star",
    what: "HDD to a fixpoint (HDD*, Misherghi and Su, ICSE 2006)",
    again: Again::Fixpoint,
    ..HDD
};

/// The levels of the tree, from the root.
static ROWS: Rows = Rows {
    name: HDD.name,
    cut: level,
    delete: removal,
    patience: None,
    at_once: false,
};

/// The first level from `from` on that has parts which may go.
fn level(view: &View, from: u32) -> Option<Cut> {
    let version = &view.version;
    let (mut level, mut pieces) = (u32::MAX, Vec::new());
    for document in version.documents() {
        let seen = walk_down(Seen::at(&document.root));
        for part in seen.filter(|seen| seen.removable && seen.level >= from) {
            if part.level < level {
                level = part.level;
                pieces.clear();
            }
            if part.level == level {
                pieces.push(([part.node.id].into(), part.node.sums.tokens));
            }
        }
    }
    (!pieces.is_empty()).then_some(Cut {
        pieces,
        what: Pieces::Level(level),
        next: level.saturating_add(1),
    })
}
