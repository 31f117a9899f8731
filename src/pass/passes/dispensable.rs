//! Parts that the grammar requires and compilers do not go (`[optional]` in `language.toml`): in C the type of a declaration, a function, a parameter and a
//! `typedef`.
//!
//! Many of them can go at once or not at all, and where the program is still large most are not worth a question of their own. So all are one list, after
//! the search for what the grammar allows to go. There is no paper on it.

use rustc_hash::FxHashSet;

use crate::pass::shared::removable::deletion_edit;
use crate::pass::shared::unit_list::{UnitList, UnitListPass, UnitSource};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{
    ActionUnit, Edit, NodeId, PathFinder, Version, View, find_dispensable_parts, walk,
};
use crate::protocol::abandon::count_round;

/// Parts that compilers do without.
pub static DISPENSABLE: PassKind = PassKind {
    name: "dispensable",
    description: "removes parts that the grammar requires and compilers do not: all at once, else by the list minimiser",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(UnitListPass::new(&PARTS, options)),
};

/// All of them in one list.
static PARTS: UnitSource = UnitSource {
    name: DISPENSABLE.name,
    next_units: list_parts,
    delete_nodes: delete_outermost,
    max_failures: None,
    try_all_first: true,
};

fn list_parts(view: &View, from: u32) -> Option<UnitList> {
    if from > 0 {
        return None;
    }
    let documents = view.documents().iter();
    let parts = documents.flat_map(|document| {
        let nodes = walk::preorder(&document.root);
        nodes.flat_map(|node| {
            let language = document.language.into_iter();
            language.flat_map(|language| find_dispensable_parts(language, node))
        })
    });
    Some(UnitList {
        units: parts
            .map(|part| ([part.id].into(), part.sums().tokens))
            .collect(),
        what: ActionUnit::qualified("part", "that compilers do without"),
        next: 1,
    })
}

/// Removes these parts. Some may stand inside of others, such as the types of parameters in the type of a declaration.
fn delete_outermost(version: &Version, parts: &[NodeId]) -> Edit {
    let own: FxHashSet<NodeId> = parts.iter().copied().collect();
    let mut paths = PathFinder::new(version);
    let mut outermost = parts.to_vec();
    outermost.retain(|&part| {
        count_round();
        let path = paths.path_to(part);
        path.is_some_and(|path| path.ancestors().all(|above| !own.contains(&above.id)))
    });
    deletion_edit(version, &outermost)
}
