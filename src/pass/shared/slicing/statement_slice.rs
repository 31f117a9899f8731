//! The slice inside of a function (ReduKtor, figure 4), and of the declarations beside it.
//!
//! What stands behind the line goes, but for what contains it. Then the statements before it are looked at, the last first, with a set of names: at first
//! those of the line and of all conditions around it. A statement that declares or assigns one of them stays, and the names of its head
//! join the set, with those of the conditions around it. A call stays if it mentions a variable of the set. What leaves a block goes. Where a loop comes to stay, what it
//! contains is looked at once more. Of the declarations beside the function, up to the file, those stay that declare a name which the rest of
//! the function or such a declaration uses; functions and classes are other levels.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::outer_elements::{OuterElement, enclosing_element, list_outer_elements};
use super::statements::{FunctionBodies, Statement, StatementTree, read_statements};
use super::target::SliceTarget;
use super::{SlicePart, SlicePartKind};
use crate::program::names::{DeclarationKind, NameGraph, NameSymbol};
use crate::program::{NodeId, NodePath, Version};
use crate::protocol::abandon::count_round;

/// What the line does not need of the function around it and beside that. A line outside of all functions is one of the statements of a
/// script, or of a declaration.
pub fn find_outside(version: &Version, target: &SliceTarget) -> Vec<SlicePart> {
    let Some(path) = target.path(version) else {
        return Vec::new();
    };
    let bodies = FunctionBodies::of_document(version, target.document);
    let elements = list_outer_elements(version, target, &bodies);
    let body = path.nodes.iter().find(|node| bodies.contains(node.id));
    let mut around = elements.iter().filter(|element| element.has_target);
    let innermost = around
        .next_back()
        .filter(|around| around.kind != SlicePartKind::Declaration);
    if let (None, Some(around)) = (body, innermost) {
        let mut needed: FxHashSet<NameSymbol> = around.uses(version).into_iter().collect();
        needed.extend(&around.declared);
        return unneeded_beside(version, &elements, needed);
    }
    let block = *body.unwrap_or(&path.nodes[0]);
    let tree = read_statements(version, target.document, &bodies, block, &target.leaves);
    let Some(slice) = StatementSlice::find(version, &tree) else {
        return Vec::new();
    };
    let mut needed = slice.needed.clone();
    let mut outside = slice.into_outside();
    if body.is_some() {
        needed.extend(names_around(version, &path, block.id));
        outside.extend(unneeded_beside(version, &elements, needed));
    } else {
        // Functions and classes are other levels.
        let other = elements
            .iter()
            .filter(|element| element.kind != SlicePartKind::Declaration);
        let other: FxHashSet<NodeId> = other.map(|element| element.node.id).collect();
        outside.retain(|part| part.nodes.iter().all(|node| !other.contains(node)));
    }
    outside
}

/// Which statements of a body stay.
pub struct StatementSlice<'a, 'b> {
    tree: &'b StatementTree<'a>,
    stays: Vec<bool>,
    needed: FxHashSet<NameSymbol>,
    /// Those of them that are variables: calls that mention them stay.
    variables: FxHashSet<NameSymbol>,
}

impl<'a, 'b> StatementSlice<'a, 'b> {
    /// The slice of the statements that have the target; none if none has.
    pub fn find(version: &Version, tree: &'b StatementTree<'a>) -> Option<StatementSlice<'a, 'b>> {
        let names = version.name_graph();
        let statements = &tree.statements;
        let last = statements
            .iter()
            .rposition(|statement| statement.has_target)?;
        let mut slice = StatementSlice {
            tree,
            stays: vec![false; statements.len()],
            needed: FxHashSet::default(),
            variables: FxHashSet::default(),
        };
        for (at, statement) in statements.iter().enumerate().take(last + 1) {
            if statement.has_target {
                slice.keep(names, at);
            }
        }
        let mut at = last;
        while at > 0 {
            at -= 1;
            count_round();
            if slice.stays[at] || !slice.is_needed(&statements[at]) {
                continue;
            }
            if let Some(outermost) = slice.keep(names, at) {
                // What is inside of it, and before the line, is looked at again.
                at = at.max(statements[outermost].end.min(last));
            }
        }
        Some(slice)
    }

    fn is_needed(&self, statement: &Statement) -> bool {
        let needs = |symbol: &NameSymbol| self.needed.contains(symbol);
        let is_call = !statement.calls.is_empty() && !statement.is_jump;
        statement.changes.iter().any(needs)
            || is_call
                && statement
                    .reads
                    .iter()
                    .any(|name| self.variables.contains(name))
    }

    /// Keeps a statement and those around it. Returns the outermost of the latter that did not stay before.
    fn keep(&mut self, names: &NameGraph, at: usize) -> Option<usize> {
        let mut outermost = None;
        let mut next = Some(at);
        while let Some(kept) = next.filter(|&kept| !self.stays[kept]) {
            let statement = &self.tree.statements[kept];
            self.stays[kept] = true;
            self.needed.extend(&statement.reads);
            self.needed.extend(&statement.changes);
            let all = statement.reads.iter().chain(&statement.changes);
            let variables =
                all.filter(|&&name| is_variable(names, name) && !statement.calls.contains(&name));
            self.variables.extend(variables);
            if kept != at {
                outermost = Some(kept);
            }
            next = statement.parent;
        }
        outermost
    }

    /// The statements that go, with all that is inside of each. Where all of a block goes, it is one part if the grammar wants it so.
    pub fn into_outside(self) -> Vec<SlicePart> {
        let StatementTree { statements, blocks } = self.tree;
        let mut going: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
        let mut at = 0;
        while let Some(statement) = statements.get(at) {
            if self.stays[at] {
                at += 1;
                continue;
            }
            going[statement.block].push(at);
            at = statement.end;
        }
        let tokens = |at: &usize| statements[*at].node.sums().tokens;
        // The parts, by the first statement of each.
        let mut outside: BTreeMap<usize, SlicePart> = BTreeMap::new();
        for (block, mut going) in blocks.iter().zip(going) {
            let is_whole = going.len() == block.parts;
            if is_whole && block.is_nonempty {
                let lightest = (0..going.len()).min_by_key(|&at| tokens(&going[at]));
                lightest.map(|at| going.remove(at));
            }
            match (block.holder.filter(|_| is_whole), going.first()) {
                (Some(holder), Some(&first)) if !block.is_nonempty => {
                    let part = SlicePart {
                        kind: SlicePartKind::Statement,
                        count: block.parts as u32,
                        nodes: [holder].into(),
                        tokens: going.iter().map(tokens).sum(),
                    };
                    outside.insert(first, part);
                }
                _ => outside.extend(going.into_iter().map(|at| {
                    let node = statements[at].node;
                    (at, SlicePart::of_node(SlicePartKind::Statement, node))
                })),
            }
        }
        outside.into_values().collect()
    }
}

/// Whether a name is that of a variable.
fn is_variable(names: &NameGraph, name: NameSymbol) -> bool {
    matches!(
        names.declaration_kind(name),
        Some(
            DeclarationKind::Var
                | DeclarationKind::Param
                | DeclarationKind::Binding
                | DeclarationKind::Field
                | DeclarationKind::Member
        )
    )
}

/// The names around the body in the function: its parameters and types.
fn names_around(version: &Version, path: &NodePath, body: NodeId) -> FxHashSet<NameSymbol> {
    let mut found = FxHashSet::default();
    let inside = path.nodes.iter().position(|node| node.id == body);
    let mut stack = vec![enclosing_element(path, inside.unwrap_or(0))];
    while let Some(node) = stack.pop() {
        if node.id != body {
            let names = version.name_graph().leaf_occurrences(node);
            found.extend(names.map(|found| found.symbol));
            stack.extend(node.children());
        }
    }
    found
}

/// The declarations beside the function that declare none of these names, nor one that a declaration which stays uses.
fn unneeded_beside(
    version: &Version,
    elements: &[OuterElement],
    mut needed: FxHashSet<NameSymbol>,
) -> Vec<SlicePart> {
    let is_open = |element: &&OuterElement| {
        element.kind == SlicePartKind::Declaration && element.is_beside && !element.has_target
    };
    let mut open: Vec<&OuterElement> = elements.iter().filter(is_open).collect();
    loop {
        let before = open.len();
        open.retain(|element| {
            let stays = element.declared.iter().any(|name| needed.contains(name));
            if stays {
                needed.extend(element.uses(version));
            }
            !stays
        });
        if open.len() == before {
            break;
        }
    }
    let parts = open.into_iter();
    parts
        .map(|element| SlicePart::of_node(SlicePartKind::Declaration, element.node))
        .collect()
}
