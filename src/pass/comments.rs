//! Comments go before anything else is tried: they are no part of the grammar, and most tests do not care.
//! It has no paper.

use super::flat::{Cut, Flat, Rows, each};
use super::{Again, Heed, Kind};
use crate::program::{Pieces, Shape, View, walk};

/// Takes out comments.
pub static COMMENTS: Kind = Kind {
    name: "comments",
    what: "takes out comments: all at once, else by the list minimiser",
    again: Again::Never,
    parser: Heed::Obeyed,
    start: |_, options| Box::new(Flat::new(&ROWS, options)),
};

/// All comments of the program in one row.
static ROWS: Rows = Rows {
    name: COMMENTS.name,
    cut,
    delete: each,
    patience: None,
    at_once: true,
};

fn cut(view: &View, from: u32) -> Option<Cut> {
    let version = &view.version;
    let leaves = version
        .documents()
        .iter()
        .flat_map(|document| walk::leaves(&document.root));
    let comments = leaves.filter(|leaf| leaf.shape == Shape::Extra);
    (from == 0).then(|| Cut {
        pieces: comments.map(|leaf| ([leaf.id].into(), 1)).collect(),
        what: Pieces::Comments,
        next: 1,
    })
}
