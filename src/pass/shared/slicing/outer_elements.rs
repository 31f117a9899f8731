//! The declarations of a document outside of the bodies of functions.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::SlicePartKind;
use super::statements::FunctionBodies;
use super::target::SliceTarget;
use crate::pass::shared::removable::{declaring_elements, elements_at};
use crate::program::names::{DeclarationKind, NameGraph, NameRole, NameSymbol, ParameterSort};
use crate::program::{NodeId, NodePath, ProgramNode, Version};
use crate::protocol::abandon::count_round;

/// An element of a list that declares something.
pub struct OuterElement<'a> {
    /// Its node.
    pub node: &'a Arc<ProgramNode>,
    /// What it is.
    pub kind: SlicePartKind,
    /// What it declares.
    pub declared: Vec<NameSymbol>,
    /// Whether a leaf of the target is inside of it.
    pub has_target: bool,
    /// Whether its list is around the target.
    pub is_beside: bool,
}

impl OuterElement<'_> {
    /// The names that are used in it.
    pub fn uses(&self, version: &Version) -> Vec<NameSymbol> {
        let found = version.name_graph().occurrences_below(self.node);
        let uses = found.filter(|found| found.role == NameRole::Uses);
        uses.map(|found| found.symbol).collect()
    }
}

/// The innermost element of a list at or above this place of the path; the root if there is none.
pub fn enclosing_element<'a>(path: &NodePath<'a>, at: usize) -> &'a Arc<ProgramNode> {
    let list = path.nodes[..at]
        .iter()
        .rposition(|node| node.shape.is_list());
    let element = list.and_then(|list| path.child_below(list));
    element.map_or(path.nodes[0], |(_, element)| element)
}

/// Those of the document of the target, in the order of the text.
pub fn list_outer_elements<'a>(
    version: &'a Version,
    target: &SliceTarget,
    bodies: &FunctionBodies,
) -> Vec<OuterElement<'a>> {
    let names = version.name_graph();
    let around = target.path(version).map(|path| path.nodes);
    let around: FxHashSet<NodeId> = around.iter().flatten().map(|node| node.id).collect();
    let mut found: Vec<(u32, OuterElement)> = Vec::new();
    let mut known: FxHashMap<NodeId, Option<usize>> = FxHashMap::default();
    for symbol in names.symbols() {
        count_round();
        let Some(kind) = outer_kind(names, symbol) else {
            continue;
        };
        let mut elements = declaring_elements(version, symbol);
        elements.extend(elements_at(version, names.attached_sites(symbol)));
        for element in elements {
            let at = *known.entry(element).or_insert_with(|| {
                let path = version.path_to(element)?;
                let is_inner = path.ancestors().any(|above| bodies.contains(above.id));
                if is_inner || path.document != target.document {
                    return None;
                }
                let element = OuterElement {
                    node: path.node(),
                    kind,
                    declared: Vec::new(),
                    has_target: around.contains(&path.node().id),
                    is_beside: path.parent().is_some_and(|list| around.contains(&list.id)),
                };
                found.push((path.preceding_sums().leaves, element));
                Some(found.len() - 1)
            });
            if let Some(at) = at {
                let element = &mut found[at].1;
                element.declared.push(symbol);
                element.kind = widest(element.kind, kind);
            }
        }
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, element)| element).collect()
}

/// What declares this symbol, if that may stand outside of functions.
fn outer_kind(names: &NameGraph, symbol: NameSymbol) -> Option<SlicePartKind> {
    let mut lists = names.parameter_lists(symbol);
    match names.declaration_kind(symbol)? {
        DeclarationKind::Param | DeclarationKind::Label | DeclarationKind::Outer => None,
        DeclarationKind::Type | DeclarationKind::Struct => Some(SlicePartKind::Class),
        DeclarationKind::Function => Some(SlicePartKind::Function),
        _ if lists.any(|list| list.is_declaration && list.sort == ParameterSort::Value) => {
            Some(SlicePartKind::Function)
        }
        _ => Some(SlicePartKind::Declaration),
    }
}

/// Of an element that declares both: a class may be declared with a variable of it.
fn widest(kind: SlicePartKind, other: SlicePartKind) -> SlicePartKind {
    match [kind, other].contains(&SlicePartKind::Class) {
        true => SlicePartKind::Class,
        false if [kind, other].contains(&SlicePartKind::Function) => SlicePartKind::Function,
        false => kind,
    }
}
