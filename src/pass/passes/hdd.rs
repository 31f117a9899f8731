//! Hierarchical delta debugging: Misherghi and Su, "HDD: Hierarchical Delta Debugging", ICSE 2006.
//!
//! ```text
//! level ← 0
//! while the tree has nodes on this level:
//!     ddmin over all of them, each with what is below it; level ← level + 1
//! ```
//! What the grammar does not allow to delete is left out of the lists. This is the coarse HDD of Hodován, Kiss and Gyimóthy, "Coarse
//! Hierarchical Delta Debugging", ICSME 2017; the minimal replacement strings of the original paper make the fine one. If a whole list
//! would be removed that must keep an element, the first element stays instead of the minimal string. The strategy repeats the pass to a
//! fixpoint for HDD*.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::pass::shared::removable::{WalkedNode, removal_edit, walk_down};
use crate::pass::shared::unit_list::{LevelAlgorithm, UnitList, UnitListPass, UnitSource};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{ActionUnit, View};
use crate::protocol::{AlgorithmText, LevelSize};

/// HDD.
pub static HDD: PassKind = PassKind {
    name: "hdd",
    description: "the list minimiser over all parts of a level, level by level (HDD, Misherghi and Su, ICSE 2006; coarse, Hodován et al., 2017)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(UnitListPass::new(&TREE_LEVELS, options).by_levels(&BY_LEVELS)),
};

/// HDD*.
pub static HDD_STAR: PassKind = PassKind {
    name: "hdd-star",
    description: "HDD to a fixpoint (HDD*, Misherghi and Su, ICSE 2006)",
    repeat: RepeatPolicy::Fixpoint,
    ..HDD
};

/// The algorithm as a screen shows it.
static BY_LEVELS: LevelAlgorithm = LevelAlgorithm {
    text: AlgorithmText {
        name: "coarse HDD",
        source: "Misherghi and Su; Hodován et al. 2017",
        lines: &[
            "level ← 0",
            "while the tree has nodes on it:",
            "  minimise the list of all of them",
            "  level ← level + 1",
        ],
        ends_at: 1,
    },
    minimizes_at: 2,
    begins_by: [&[0, 1], &[3, 1]],
    count_levels,
};

/// The levels of the tree, from the root.
static TREE_LEVELS: UnitSource = UnitSource {
    name: HDD.name,
    next_units: level_units,
    delete_nodes: removal_edit,
    max_failures: None,
    try_all_first: false,
};

/// The first level from `from` on with parts that may be removed.
fn level_units(view: &View, from: u32) -> Option<UnitList> {
    let (mut level, mut pieces) = (u32::MAX, Vec::new());
    for document in view.documents() {
        let seen = walk_down(WalkedNode::from_node(&document.root));
        for part in seen.filter(|seen| seen.removable && seen.level >= from) {
            if part.level < level {
                level = part.level;
                pieces.clear();
            }
            if part.level == level {
                pieces.push(([part.node.id].into(), part.node.sums().tokens));
            }
        }
    }
    (!pieces.is_empty()).then_some(UnitList {
        units: pieces,
        what: ActionUnit::qualified("part", format_args!("on level {level}")),
        next: level.saturating_add(1),
    })
}

/// How many parts of each level may be removed.
fn count_levels(view: &View) -> Arc<[LevelSize]> {
    let mut sizes: BTreeMap<u32, u32> = BTreeMap::new();
    for document in view.documents() {
        let seen = walk_down(WalkedNode::from_node(&document.root));
        for part in seen.filter(|seen| seen.removable) {
            *sizes.entry(part.level).or_default() += 1;
        }
    }
    let sizes = sizes.into_iter();
    sizes
        .map(|(level, parts)| LevelSize { level, parts })
        .collect()
}
