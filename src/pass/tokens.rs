//! Delta debugging without syntax, over all tokens: what the papers on syntax-guided reduction compare themselves with.

use super::flat::{Cut, Kind, each};
use crate::program::{Pieces, Shape, View, walk};

/// All tokens and comments in one row.
pub static TOKENS: Kind = Kind {
    name: "tokens",
    cut,
    delete: each,
    patience: None,
    at_once: false,
};

fn cut(view: &View, from: u32) -> Option<Cut> {
    let version = &view.version;
    let documents = version.documents().iter();
    let leaves = documents.flat_map(|document| walk::leaves(&document.root));
    let tokens = leaves.filter(|leaf| leaf.shape != Shape::End);
    (from == 0).then(|| Cut {
        pieces: tokens.map(|leaf| ([leaf.id].into(), 1)).collect(),
        what: Pieces::Tokens,
        next: 1,
    })
}
