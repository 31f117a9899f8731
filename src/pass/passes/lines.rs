//! Delta debugging over lines, without syntax: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002, in the
//! form that most tools have.

use crate::pass::shared::unit_list::{UnitList, UnitListPass, UnitSource, delete_each, leaf_unit};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{ActionUnit, LINE, NodeId, NodeShape, View, walk};

/// Lines.
pub static LINES: PassKind = PassKind {
    name: "lines",
    description: "the list minimiser over lines, without syntax (Zeller and Hildebrandt, TSE 2002)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Skip,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(UnitListPass::new(&LINE_LIST, options)),
};

/// All lines in one list. A token that spans several lines belongs to the first.
static LINE_LIST: UnitSource = UnitSource {
    name: LINES.name,
    next_units: line_units,
    delete_nodes: delete_each,
    max_failures: None,
    try_all_first: false,
};

fn line_units(view: &View, from: u32) -> Option<UnitList> {
    let mut lines: Vec<Vec<NodeId>> = Vec::new();
    for document in view.documents().iter().filter(|_| from == 0) {
        for (at, leaf) in walk::iter_leaves(&document.root).enumerate() {
            if at == 0 || leaf.trivia().contains(&b'\n') {
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut().filter(|_| leaf.shape != NodeShape::End) {
                line.push(leaf.id);
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    (from == 0).then(|| UnitList {
        units: lines.into_iter().map(leaf_unit).collect(),
        what: ActionUnit::named(LINE),
        next: 1,
    })
}
