//! The slice of the classes of a file: those that are named in the function around the line, in properties that it names, and in classes that were found so. Classes
//! around the line stay, and with each class those that it extends, since it names them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::outer_elements::{OuterElement, list_outer_elements};
use super::statements::FunctionBodies;
use super::target::SliceTarget;
use super::{SlicePart, SlicePartKind};
use crate::program::names::{DeclarationKind, NameSymbol};
use crate::program::{NodeId, PathFinder, Version};

/// The classes that the line does not need.
pub fn find_outside(version: &Version, target: &SliceTarget) -> Vec<SlicePart> {
    let bodies = FunctionBodies::of_document(version, target.document);
    let elements = list_outer_elements(version, target, &bodies);
    let mut declaring: FxHashMap<NameSymbol, Vec<usize>> = FxHashMap::default();
    // Only the name of a member is known, so a use of it names no class.
    let names = version.name_graph();
    let is_followed = |symbol: &NameSymbol| {
        let kind = names.declaration_kind(*symbol);
        !matches!(kind, Some(DeclarationKind::Member | DeclarationKind::Field))
    };
    let followed = elements.iter().enumerate();
    for (at, element) in followed.filter(|(_, element)| element.kind != SlicePartKind::Function) {
        for &symbol in element.declared.iter().filter(|symbol| is_followed(symbol)) {
            declaring.entry(symbol).or_default().push(at);
        }
    }
    let mut kept: FxHashSet<usize> = FxHashSet::default();
    let around = elements.iter().enumerate();
    let mut open: Vec<usize> = around
        .filter(|(_, element)| element.has_target)
        .map(|(at, _)| at)
        .collect();
    while let Some(at) = open.pop() {
        if kept.insert(at) {
            let used = elements[at].uses(version).into_iter();
            open.extend(used.flat_map(|used| declaring.get(&used).into_iter().flatten()));
        }
    }
    let kept_nodes: FxHashSet<NodeId> = kept.iter().map(|&at| elements[at].node.id).collect();
    let is_outside = |(at, element): &(usize, &OuterElement)| {
        element.kind == SlicePartKind::Class && !kept.contains(at)
    };
    let outside = elements.iter().enumerate().filter(is_outside);
    let outside: Vec<&OuterElement> = outside.map(|(_, element)| element).collect();
    let going: FxHashSet<NodeId> = outside.iter().map(|element| element.node.id).collect();
    let around_kept = nodes_around(version, &kept_nodes);
    let mut paths = PathFinder::new(version);
    let mut is_whole = |element: &&OuterElement| {
        let path = paths.path_to(element.node.id);
        let is_inner = path.is_some_and(|path| {
            let mut above = path.ancestors();
            above.any(|above| going.contains(&above.id) && !around_kept.contains(&above.id))
        });
        !is_inner && !around_kept.contains(&element.node.id)
    };
    let whole = outside.into_iter().filter(&mut is_whole);
    whole
        .map(|element| SlicePart::of_node(SlicePartKind::Class, element.node))
        .collect()
}

/// All nodes above these.
fn nodes_around(version: &Version, nodes: &FxHashSet<NodeId>) -> FxHashSet<NodeId> {
    let mut around = FxHashSet::default();
    for &node in nodes {
        let path = version.path_to(node);
        let above = path.iter().flat_map(|path| path.ancestors());
        around.extend(above.map(|above| above.id));
    }
    around
}
