//! Hidden tokens go early: what only some compilers understand, and the parser does not see, such as `__attribute__((...))`. They are tried all at once,
//! then by their kinds. What stays is left to the passes over the tree, for which each is an optional part. There is no paper on it.

use std::collections::BTreeMap;

use crate::pass::shared::removable::removal_edit;
use crate::pass::shared::unit_list::{UnitList, UnitListPass, UnitSource};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{ActionUnit, DocumentFreedom, NodeFlags, NodeId, NodeShape, View, walk};

/// Removes hidden tokens.
pub static HIDDEN_TOKENS: PassKind = PassKind {
    name: "hidden tokens",
    description: "removes what the parser does not see: all at once, then kind by kind",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Both,
    filters: &[],
    start: |_, options| Box::new(UnitListPass::new(&HIDDEN_LIST, options)),
};

/// One list: a unit for each kind.
static HIDDEN_LIST: UnitSource = UnitSource {
    name: HIDDEN_TOKENS.name,
    next_units: hidden_units,
    delete_nodes: removal_edit,
    max_failures: None,
    try_all_first: true,
};

/// A kind has the same first token.
fn hidden_units(view: &View, from: u32) -> Option<UnitList> {
    if from > 0 {
        return None;
    }
    let documents = view.version.documents().iter();
    let free = documents.filter(|document| document.freedom == DocumentFreedom::Free);
    let nodes = free.flat_map(|document| walk::preorder(&document.root));
    let hidden =
        nodes.filter(|node| node.shape == NodeShape::Opt && node.flags.contains(NodeFlags::HIDDEN));
    let mut kinds: BTreeMap<&[u8], (Vec<NodeId>, u32)> = BTreeMap::new();
    for node in hidden {
        let first = walk::leaf_at(node, 0).map_or(&[][..], |leaf| leaf.text());
        let (nodes, tokens) = kinds.entry(first).or_default();
        nodes.push(node.id);
        *tokens += node.sums().tokens;
    }
    Some(UnitList {
        units: kinds
            .into_values()
            .map(|(nodes, tokens)| (nodes.into(), tokens))
            .collect(),
        what: ActionUnit::qualified("kind", "of hidden tokens"),
        next: 1,
    })
}
