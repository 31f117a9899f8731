//! Delta debugging without syntax, over all tokens (Zeller and Hildebrandt, TSE 2002): the baseline of the papers on syntax-guided
//! reduction.

use crate::pass::shared::unit_list::{UnitList, UnitListPass, UnitSource, delete_each};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{ActionUnit, NodeShape, View, walk};

/// Tokens.
pub static TOKENS: PassKind = PassKind {
    name: "tokens",
    description: "the list minimiser over tokens, without syntax",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Skip,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(UnitListPass::new(&TOKEN_LIST, options)),
};

/// All tokens and comments in one list.
static TOKEN_LIST: UnitSource = UnitSource {
    name: TOKENS.name,
    next_units: token_units,
    delete_nodes: delete_each,
    max_failures: None,
    try_all_first: false,
};

fn token_units(view: &View, from: u32) -> Option<UnitList> {
    let documents = view.documents().iter();
    let leaves = documents.flat_map(|document| walk::iter_leaves(&document.root));
    let tokens = leaves.filter(|leaf| leaf.shape != NodeShape::End);
    (from == 0).then(|| UnitList {
        units: tokens.map(|leaf| ([leaf.id].into(), 1)).collect(),
        what: ActionUnit::named("token"),
        next: 1,
    })
}
