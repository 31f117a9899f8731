//! Comments are removed before anything else is tried: they are not part of the grammar, and most tests ignore them. There is no paper on
//! it.

use crate::pass::shared::unit_list::{UnitList, UnitListPass, UnitSource, delete_each};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{ActionUnit, DocumentFreedom, View, walk};

/// Removes comments.
pub static COMMENTS: PassKind = PassKind {
    name: "comments",
    description: "removes comments: all at once, else by the list minimiser",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Both,
    filters: &[],
    start: |_, options| Box::new(UnitListPass::new(&COMMENT_LIST, options)),
};

/// All comments of the program in one list.
static COMMENT_LIST: UnitSource = UnitSource {
    name: COMMENTS.name,
    next_units: comment_units,
    delete_nodes: delete_each,
    max_failures: None,
    try_all_first: true,
};

fn comment_units(view: &View, from: u32) -> Option<UnitList> {
    let version = &view.version;
    let free = version
        .documents()
        .iter()
        .filter(|document| document.freedom == DocumentFreedom::Free);
    let comments = free.flat_map(|document| walk::iter_comments(&document.root));
    (from == 0).then(|| UnitList {
        units: comments.map(|leaf| ([leaf.id].into(), 1)).collect(),
        what: ActionUnit::named("comment"),
        next: 1,
    })
}
