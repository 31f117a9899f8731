//! What the user doubts is removed first, and then all that is apart from what the user suspects: a few candidates that are large at once.
//!
//! A hint changes the order of candidates and never what the result needs. If it was wrong, a few tests are lost: after some failures in a
//! row, the rest is left for the later passes. Without hints the pass proposes nothing. There is no paper on it.

use std::sync::Arc;

use crate::minimize;
use crate::pass::filters::dependency_closure::DEPENDENCY_CLOSURE;
use crate::pass::filters::gc::GARBAGE_COLLECTION;
use crate::pass::shared::removable::{WalkedNode, removal_edit};
use crate::pass::shared::unit_list::{UnitList, UnitListPass, UnitSource};
use crate::pass::{PairScope, PassKind, PassOptions, RepeatPolicy, SyntaxCheck};
use crate::program::{ActionUnit, ConstraintRule, ProgramNode, View};

/// What the user points at.
pub static HINTS: PassKind = PassKind {
    name: "hints",
    description: "removes what the user doubts, and what is apart from what the user suspects; nothing without hints",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[&DEPENDENCY_CLOSURE, &GARBAGE_COLLECTION],
    start: |_, options| {
        let halving = minimize::find_minimizer("complements").unwrap_or(options.minimizer);
        let halved = PassOptions {
            minimizer: halving,
            ..*options
        };
        Box::new(UnitListPass::new(&HINT_LISTS, &halved))
    },
};

/// A list of what is doubted, and a list of what is apart from all that is suspected.
static HINT_LISTS: UnitSource = UnitSource {
    name: HINTS.name,
    next_units: hint_units,
    delete_nodes: removal_edit,
    max_failures: Some(6),
    try_all_first: false,
};

fn hint_units(view: &View, from: u32) -> Option<UnitList> {
    let lists = [
        (ConstraintRule::Doubt, "that you doubt"),
        (ConstraintRule::Suspect, "apart from what you suspect"),
    ];
    let &(rule, which) = lists.get(from as usize)?;
    Some(UnitList {
        units: likely_parts(view, rule),
        what: ActionUnit::qualified("part", which),
        next: from + 1,
    })
}

/// The largest parts that the grammar allows to remove and that match a hint of this rule: inside of what is doubted, or apart from all
/// that is suspected.
fn likely_parts(
    view: &View,
    rule: ConstraintRule,
) -> Vec<crate::pass::shared::unit_list::RemovalUnit> {
    let constraints = &view.constraints;
    let likely = |node: &Arc<ProgramNode>| match rule {
        ConstraintRule::Doubt => constraints.node_hint(node) == Some(ConstraintRule::Doubt),
        _ => !constraints.rule_overlaps(rule, node),
    };
    let mut parts = Vec::new();
    let mut stack: Vec<WalkedNode> = Vec::new();
    if constraints.has_rule(rule) {
        let documents = view.documents().iter();
        stack.extend(documents.map(|document| WalkedNode::from_node(&document.root)));
    }
    while let Some(seen) = stack.pop() {
        if seen.removable && likely(seen.node) {
            parts.push(([seen.node.id].into(), seen.node.sums().tokens));
        } else if constraints.rule_overlaps(rule, seen.node) {
            let first = stack.len();
            stack.extend(seen.child_nodes());
            stack[first..].reverse();
        }
    }
    parts
}
