//! Comments go before anything else is tried: they are no part of the grammar, and most tests do not care.

use super::flat::{Cut, Kind, each};
use crate::program::{Pieces, Shape, View, walk};

/// All comments of the program in one row.
pub static COMMENTS: Kind = Kind {
    name: "comments",
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
