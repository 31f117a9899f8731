//! A parameter is removed together with its arguments in all calls, and from all declarations of its function.
//!
//! An edit that deletes the i-th parameter also deletes the i-th element of every list of parameters and of arguments of the same symbol,
//! if all of them have the same length. Where a call gives fewer or more (defaults, `...`, an overloaded name), it is not known which
//! argument belongs to which parameter, and the parameter is tried alone. (C-Reduce and ReduKtor remove parameters with their arguments
//! too.)

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::display::format_count;
use crate::pass::shared::batch::join_edits;
use crate::program::names::{NameGraph, NameRole, NameSymbol, ParameterList, ParameterSort};
use crate::program::{
    Edit, EditOp, NodeId, NodePath, NodeShape, PathFinder, ProgramNode, Version, quote_text, walk,
};
use crate::protocol::IndexRanges;
use crate::protocol::abandon::count_round;

/// The edit with the arguments and declarations, and a fact for its sentence; none if there are none.
pub(in crate::pass) fn with_arguments(version: &Version, edit: &Edit) -> Option<(Edit, String)> {
    let names = version.name_graph();
    let mut along = ArgumentRemoval::default();
    let mut paths = PathFinder::new(version);
    for op in &edit.ops {
        count_round();
        if let EditOp::Delete(place) | EditOp::DeleteItems { list: place, .. } = op
            && let Some(path) = paths.path_to(*place)
        {
            along.collect_arguments(version, names, op, path);
        }
    }
    let ArgumentRemoval {
        ops: more,
        name,
        calls,
    } = along;
    if more.is_empty() {
        return None;
    }
    let all = extend_edit(version, edit, more.into_iter().collect())?;
    let what = match name {
        Some(name) => format!("parameter {}", quote_text(&name)),
        None => "the parameter".into(),
    };
    let calls = format_count(calls.into(), "call");
    Some((all, format!("{what} with its argument in {calls}")))
}

/// The edit with more operations; none if they add nothing, or remove the place of the edit itself.
pub(in crate::pass) fn extend_edit(version: &Version, edit: &Edit, more: Edit) -> Option<Edit> {
    let known: FxHashSet<&EditOp> = edit.ops.iter().collect();
    let more = more.ops.into_iter().filter(|op| !known.contains(op));
    let all = join_edits([edit, &more.collect()]);
    // What lies inside another removed node needs no operation of its own.
    let removed = RemovalIndex::new(&all);
    let apart = |op: &&EditOp| !removed.lies_inside(version, op);
    let ops: Edit = all.ops.iter().filter(apart).cloned().collect();
    let own = edit.ops.iter().all(|op| apart(&op));
    (own && ops != join_edits([edit])).then_some(ops)
}

/// What is removed along with an edit.
#[derive(Default)]
struct ArgumentRemoval {
    ops: Vec<EditOp>,
    /// The name of a removed parameter.
    name: Option<Arc<str>>,
    /// How many calls lose an argument.
    calls: u32,
}

impl ArgumentRemoval {
    /// Adds what must be removed along with `op`, if `op` removes parameters at the end of `path`.
    fn collect_arguments(
        &mut self,
        version: &Version,
        names: &NameGraph,
        op: &EditOp,
        path: &NodePath,
    ) {
        let found = slots_at(version, path).filter(|(list, _)| list.is_declaration);
        let Some((list, own)) = found else { return };
        let which = own.removed_by(op);
        let (mut more, mut calls) = (Vec::new(), 0);
        for other in names
            .parameter_lists(list.callee)
            .filter(|other| other.sort == list.sort && other.leaf != list.leaf)
        {
            let Some(path) = version.path_to(other.leaf) else {
                continue;
            };
            let slots = slots_at(version, &path).map(|(_, slots)| slots);
            let slots = slots.filter(|slots| slots.positions.len() == own.positions.len());
            match slots.and_then(|slots| slots.removal_op(&which)) {
                Some(op) => more.push(op),
                None => return,
            }
            calls += u32::from(!other.is_declaration);
        }
        self.ops.append(&mut more);
        self.calls += calls;
        if self.name.is_none() && which.len() == 1 {
            let goes = op.removed_nodes(version).next().into_iter();
            let mut facts = goes.flat_map(|node| names.occurrences_below(node));
            let declared = facts.find(|fact| fact.role == NameRole::Declares);
            self.name = declared.map(|fact| names.symbol_name(fact.symbol).clone());
        }
    }
}

/// Whether an edit removes only arguments that are values, each of a call with as many arguments as are declared.
pub(in crate::pass) fn only_arguments(version: &Version, edit: &Edit) -> bool {
    let is_argument = |op: &EditOp| {
        let (EditOp::Delete(place) | EditOp::DeleteItems { list: place, .. }) = op else {
            return false;
        };
        let taken = version.path_to(*place).and_then(|path| {
            let (list, slots) = slots_at(version, &path)?;
            let is_argument = !list.is_declaration && list.sort == ParameterSort::Value;
            (is_argument && !slots.removed_by(op).is_empty()).then_some((list, slots))
        });
        taken.is_some_and(|(list, own)| {
            lists_of_callee(version, list.callee, list.sort).any(|(list, slots)| {
                list.is_declaration && slots.positions.len() == own.positions.len()
            })
        })
    };
    !edit.ops.is_empty() && edit.ops.iter().all(is_argument)
}

/// The lists of parameters and of arguments of a callee, with their places.
fn lists_of_callee(
    version: &Version,
    callee: NameSymbol,
    sort: ParameterSort,
) -> impl Iterator<Item = (ParameterList, ParameterSlots)> {
    let lists = version.name_graph().parameter_lists(callee);
    let lists = lists.filter(move |list| list.sort == sort);
    lists.filter_map(|list| {
        let (_, slots) = slots_at(version, &version.path_to(list.leaf)?)?;
        Some((list, slots))
    })
}

/// The callee of which a list of parameters that are values contains the end of this path, and in which of its places.
pub(in crate::pass) fn find_parameter(
    version: &Version,
    path: &NodePath,
) -> Option<(NameSymbol, u32)> {
    let mut lists =
        lists_around(path).filter_map(|node| slots_of_node(version, path.document, node));
    let (list, slots) =
        lists.find(|(list, _)| list.is_declaration && list.sort == ParameterSort::Value)?;
    let holds = |place: &Option<(NodeId, u32)>| {
        place.is_some_and(|(of, index)| {
            let depth = path.nodes.iter().position(|node| node.id == of);
            let child = depth.and_then(|depth| path.child_below(depth));
            child.is_some_and(|(at, _)| at == index)
        })
    };
    let slot = slots.positions.iter().position(holds)?;
    Some((list.callee, slot as u32))
}

/// The lists of parameters of a function (`is_declaration`), or those of the arguments of its calls, each with what stands in its places.
pub(in crate::pass) fn slot_nodes(
    version: &Version,
    callee: NameSymbol,
    is_declaration: bool,
) -> impl Iterator<Item = (ParameterList, Vec<Arc<ProgramNode>>)> {
    let lists = lists_of_callee(version, callee, ParameterSort::Value);
    let lists = lists.filter(move |(list, _)| list.is_declaration == is_declaration);
    lists.map(|(list, slots)| (list, slots.nodes))
}

/// What stands in a place, without the separator that its group may begin with.
fn named_part(
    node: &Arc<ProgramNode>,
    is_named: impl Fn(&ProgramNode) -> bool,
) -> &Arc<ProgramNode> {
    let mut part = node;
    while part.class.is_none() {
        let mut named = part
            .children()
            .iter()
            .filter(|part| part.class.is_none() || is_named(part));
        match (named.next(), named.next()) {
            (Some(only), None) => part = only,
            _ => return node,
        }
    }
    part
}

/// The most places that a list of parameters or of arguments of this callee has; 0 if there is none.
pub(in crate::pass) fn count_slots(
    version: &Version,
    callee: NameSymbol,
    sort: ParameterSort,
) -> u32 {
    let counts =
        lists_of_callee(version, callee, sort).map(|(_, slots)| slots.positions.len() as u32);
    counts.max().unwrap_or_default()
}

/// The operations that remove a place, or all of them, from the lists of parameters of a callee (`is_declaration`) or from those of
/// arguments: one for each list that has the place.
pub(in crate::pass) fn remove_slots(
    version: &Version,
    callee: NameSymbol,
    sort: ParameterSort,
    slot: Option<u32>,
    is_declaration: bool,
) -> Vec<EditOp> {
    let lists = lists_of_callee(version, callee, sort);
    let lists = lists.filter(|(list, _)| list.is_declaration == is_declaration);
    let ops = lists.filter_map(|(_, slots)| {
        let all = 0..slots.positions.len() as u32;
        let which = match slot {
            Some(slot) => all.start.max(slot)..all.end.min(slot + 1),
            None => all,
        };
        let which = Some(which).filter(|which| !which.is_empty())?;
        slots.removal_op(&IndexRanges::from_range(which))
    });
    ops.collect()
}

/// The list of parameters or arguments that the node at the end of a path is, or that directly contains it.
fn slots_at(version: &Version, path: &NodePath) -> Option<(ParameterList, ParameterSlots)> {
    slots_of_node(version, path.document, lists_around(path).next()?)
}

/// The list of parameters or arguments that a node is.
fn slots_of_node(
    version: &Version,
    document: usize,
    node: &Arc<ProgramNode>,
) -> Option<(ParameterList, ParameterSlots)> {
    let first = walk::first_token(node)?;
    let list = version.name_graph().parameter_list_at(first)?;
    let slots = ParameterSlots::from_node(version, document, node, list);
    Some((list, slots))
}

/// The inner nodes of the parser's tree on a path that may be lists, its end among them, the innermost first.
fn lists_around<'a>(path: &NodePath<'a>) -> impl Iterator<Item = &'a Arc<ProgramNode>> {
    let nodes = path.nodes.iter().rev().copied();
    nodes.filter(|node| node.class.is_some() && !node.shape.is_leaf())
}

/// The places of a list of parameters or arguments, independent of its structure in the grammar.
#[derive(Default)]
struct ParameterSlots {
    /// The optional part that all of them are in.
    optional_part: Option<NodeId>,
    /// For each place, the list that it is an element of, and its index there; none where it is not an element.
    positions: Vec<Option<(NodeId, u32)>>,
    /// What stands in each place.
    nodes: Vec<Arc<ProgramNode>>,
}

impl ParameterSlots {
    fn from_node(
        version: &Version,
        document: usize,
        node: &Arc<ProgramNode>,
        list: ParameterList,
    ) -> ParameterSlots {
        let language = version.documents()[document].language;
        let is_named = |node: &ProgramNode| match (language, node.class) {
            (Some(language), Some(class)) => language.grammar().is_named(class),
            _ => false,
        };
        let mut slots = ParameterSlots::default();
        for part in node.children() {
            let (before, mut stack) = (slots.positions.len(), vec![part]);
            while let Some(part) = stack.pop() {
                if part.shape.is_list() {
                    let items = walk::iter_items(part).enumerate();
                    let items = items.filter(|(_, item)| item.shape != NodeShape::Extra);
                    for (at, item) in items {
                        slots.positions.push(Some((part.id, at as u32)));
                        slots.nodes.push(named_part(item, is_named).clone());
                    }
                } else if part.class.is_none() {
                    stack.extend(part.children().iter().rev());
                } else if is_named(part) && part.shape != NodeShape::Extra {
                    slots.positions.push(None);
                    slots.nodes.push(part.clone());
                }
            }
            if slots.positions.len() > before {
                let only = before == 0 && part.shape == NodeShape::Opt;
                slots.optional_part = only.then_some(part.id);
            }
        }
        if list.has_receiver && !slots.positions.is_empty() {
            slots.positions.remove(0);
            slots.nodes.remove(0);
            slots.optional_part = None;
        }
        slots
    }

    /// Which places an operation removes.
    fn removed_by(&self, op: &EditOp) -> IndexRanges {
        let taken = |at: &u32| match op {
            EditOp::Delete(node) => self.optional_part == Some(*node),
            EditOp::DeleteItems { list, items } => {
                let place = self.positions[*at as usize];
                place.is_some_and(|(of, index)| of == *list && items.contains(index))
            }
            _ => false,
        };
        IndexRanges::from_sorted((0..self.positions.len() as u32).filter(taken))
    }

    /// The operation that removes these places; none if there is no such operation.
    fn removal_op(&self, which: &IndexRanges) -> Option<EditOp> {
        if which.len() as usize == self.positions.len()
            && let Some(all) = self.optional_part
        {
            return Some(EditOp::Delete(all));
        }
        let places = which.ranges().iter().cloned().flatten();
        let places: Option<Vec<_>> = places.map(|at| self.positions[at as usize]).collect();
        let places = places?;
        let (list, _) = *places.first()?;
        let items = IndexRanges::from_sorted(places.iter().map(|(_, index)| *index));
        let one = places.iter().all(|(of, _)| *of == list);
        one.then_some(EditOp::DeleteItems { list, items })
    }
}

/// What an edit removes, by node.
struct RemovalIndex<'a> {
    nodes: FxHashSet<NodeId>,
    /// The elements of each list. The edit has one operation for a list.
    items: FxHashMap<NodeId, &'a IndexRanges>,
}

impl<'a> RemovalIndex<'a> {
    /// Of an edit that [`join_edits`] made.
    fn new(joined: &'a Edit) -> RemovalIndex<'a> {
        RemovalIndex {
            nodes: joined.ops.iter().filter_map(EditOp::removed_node).collect(),
            items: joined.item_removals().collect(),
        }
    }

    /// Whether an operation concerns something inside what is removed. It looks at the path to its place only.
    fn lies_inside(&self, version: &Version, op: &EditOp) -> bool {
        let Some(path) = op.target().and_then(|target| version.path_to(target)) else {
            return false;
        };
        (0..path.nodes.len() - 1).any(|depth| {
            let above = &path.nodes[depth].id;
            self.nodes.contains(above)
                || self.items.get(above).is_some_and(|items| {
                    let child = path.child_below(depth);
                    child.is_some_and(|(index, _)| items.contains(index))
                })
        })
    }
}
