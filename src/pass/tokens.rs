//! Delta debugging without syntax, over all tokens (Zeller and Hildebrandt, TSE 2002): what the papers on syntax-guided reduction
//! compare themselves with.

use super::flat::{Cut, Flat, Rows, each};
use super::{Again, Heed, Kind};
use crate::program::{Pieces, Shape, View, walk};

/// Tokens.
pub static TOKENS: Kind = Kind {
    name: "tokens",
    what: "the list minimiser over tokens, without syntax",
    again: Again::Never,
    parser: Heed::Unheard,
    start: |_, options| Box::new(Flat::new(&ROWS, options)),
};

/// All tokens and comments in one row.
static ROWS: Rows = Rows {
    name: TOKENS.name,
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
