//! Delta debugging over lines: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002, as most
//! tools have it. It knows no syntax.

use super::flat::{Cut, Flat, Rows, each, piece};
use super::{Again, Heed, Kind};
use crate::program::{NodeId, Pieces, Shape, View, walk};

/// Lines.
pub static LINES: Kind = Kind {
    name: "lines",
    what: "the list minimiser over lines, without syntax (Zeller and Hildebrandt, TSE 2002)",
    again: Again::Never,
    parser: Heed::Unheard,
    start: |_, options| Box::new(Flat::new(&ROWS, options)),
};

/// All lines in one row. A token that spans lines belongs to its first.
static ROWS: Rows = Rows {
    name: LINES.name,
    cut,
    delete: each,
    patience: None,
    at_once: false,
};

fn cut(view: &View, from: u32) -> Option<Cut> {
    let version = &view.version;
    let mut lines: Vec<Vec<NodeId>> = Vec::new();
    for document in version.documents().iter().filter(|_| from == 0) {
        for (at, leaf) in walk::leaves(&document.root).enumerate() {
            if at == 0 || leaf.trivia().contains(&b'\n') {
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut().filter(|_| leaf.shape != Shape::End) {
                line.push(leaf.id);
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    (from == 0).then(|| Cut {
        pieces: lines.into_iter().map(piece).collect(),
        what: Pieces::Lines,
        next: 1,
    })
}
