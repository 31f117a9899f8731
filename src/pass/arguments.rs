//! arguments: a parameter goes with what all calls give for it, and from all declarations of its function.
//!
//! An edit that takes the i-th parameter takes the i-th element of every list of parameters and of arguments of the same symbol too, as
//! long as all of them have the same length: where a call gives fewer or more (defaults, `...`, an overloaded name), nobody knows which
//! argument is whose, and the parameter is asked about alone. (Removal of parameters with their arguments, as in C-Reduce and ReduKtor.)

use std::sync::Arc;

use super::batch::join;
use crate::dialogue::Indices;
use crate::program::names::{Names, Role, Row};
use crate::program::{Edit, NameFact, Node, NodeId, Op, Shape, Trail, Version, walk};

/// The edit with all that goes along, and what there is to say of it; none if nothing does.
pub(super) fn along(version: &Version, edit: &Edit) -> Option<(Edit, NameFact)> {
    let names = version.names();
    let mut along = Along::default();
    for op in &edit.ops {
        along.add(version, names, op);
    }
    let Along { more, name, calls } = along;
    let all = together(version, edit, more.into_iter().collect())?;
    Some((all, NameFact::Given { name, calls }))
}

/// An edit with more; none if that comes to the same, or takes what the edit is about.
pub(super) fn together(version: &Version, edit: &Edit, more: Edit) -> Option<Edit> {
    let more = more.ops.into_iter().filter(|op| !edit.ops.contains(op));
    let all = join([edit, &more.collect()]);
    // What lies in something that goes anyway needs no operation of its own.
    let apart = |op: &&Op| !lies_inside(version, &all, op);
    let ops: Edit = all.ops.iter().filter(apart).cloned().collect();
    let own = edit.ops.iter().all(|op| apart(&op));
    (own && ops != join([edit])).then_some(ops)
}

/// What goes along.
#[derive(Default)]
struct Along {
    more: Vec<Op>,
    /// The name of a parameter that goes.
    name: Option<Arc<str>>,
    /// How many calls lose an argument.
    calls: u32,
}

impl Along {
    /// Adds what goes along with `op`, if that takes parameters.
    fn add(&mut self, version: &Version, names: &Names, op: &Op) {
        let (Op::Delete(place) | Op::DeleteItems { list: place, .. }) = op else {
            return;
        };
        let Some(trail) = version.trail(*place) else {
            return;
        };
        let row = row_at(version, &trail).filter(|(row, _)| row.declares);
        let Some((row, own)) = row else { return };
        let which = own.taken_by(op);
        let (mut more, mut calls) = (Vec::new(), 0);
        for other in names.rows(row.of).filter(|other| other.leaf != row.leaf) {
            let Some(trail) = version.trail(other.leaf) else {
                continue;
            };
            let slots = row_at(version, &trail).map(|(_, slots)| slots);
            let slots = slots.filter(|slots| slots.of.len() == own.of.len());
            match slots.and_then(|slots| slots.without(&which)) {
                Some(op) => more.push(op),
                None => return,
            }
            calls += u32::from(!other.declares);
        }
        self.more.append(&mut more);
        self.calls += calls;
        if self.name.is_none() && which.len() == 1 {
            let goes = match op {
                Op::DeleteItems { items, .. } => walk::picked(trail.node(), items).next(),
                _ => Some(trail.node()),
            };
            let mut facts = goes.into_iter().flat_map(|node| names.below(node));
            let declared = facts.find(|fact| fact.role == Role::Declares);
            self.name = declared.map(|fact| names.name(fact.symbol).clone());
        }
    }
}

/// Whether an edit takes arguments and nothing else, each of a call that gives what is declared.
pub(super) fn only_arguments(version: &Version, edit: &Edit) -> bool {
    let names = version.names();
    let is_argument = |op: &Op| {
        let (Op::Delete(place) | Op::DeleteItems { list: place, .. }) = op else {
            return false;
        };
        let taken = version.trail(*place).and_then(|trail| {
            let (row, slots) = row_at(version, &trail)?;
            (!row.declares && !slots.taken_by(op).is_empty()).then_some((row, slots))
        });
        taken.is_some_and(|(row, own)| {
            let mut declared = names.rows(row.of).filter(|row| row.declares);
            declared.any(|row| {
                let trail = version.trail(row.leaf);
                let slots = trail.and_then(|trail| row_at(version, &trail));
                slots.is_some_and(|(_, slots)| slots.of.len() == own.of.len())
            })
        })
    };
    !edit.ops.is_empty() && edit.ops.iter().all(is_argument)
}

/// The list of parameters or arguments that the end of a trail is, or is directly in.
fn row_at(version: &Version, trail: &Trail) -> Option<(Row, Slots)> {
    let list = list_around(trail)?;
    let row = version.names().row(walk::first_token(list)?)?;
    Some((row, Slots::of(version, trail.document, list, row)))
}

/// The innermost node around the end of a trail that the parser saw, or that end itself.
fn list_around<'a>(trail: &Trail<'a>) -> Option<&'a Arc<Node>> {
    let mut nodes = trail.nodes.iter().rev().copied();
    nodes.find(|node| node.class.is_some() && !node.shape.is_leaf())
}

/// The places of a list of parameters or arguments, whatever the grammar makes of it.
#[derive(Default)]
struct Slots {
    /// The optional part that all of them are in.
    all: Option<NodeId>,
    /// Of each the list that it is an element of, and its index there; none where it is no element.
    of: Vec<Option<(NodeId, u32)>>,
}

impl Slots {
    fn of(version: &Version, document: usize, node: &Arc<Node>, row: Row) -> Slots {
        let language = version.documents()[document].language;
        let is_named = |node: &Node| match (language, node.class) {
            (Some(language), Some(class)) => language.grammar().is_named(class),
            _ => false,
        };
        let mut slots = Slots::default();
        for part in node.kids() {
            let (before, mut stack) = (slots.of.len(), vec![part]);
            while let Some(part) = stack.pop() {
                if part.shape.is_list() {
                    let items = walk::items(part).enumerate();
                    let items = items.filter(|(_, item)| item.shape != Shape::Extra);
                    slots
                        .of
                        .extend(items.map(|(at, _)| Some((part.id, at as u32))));
                } else if part.class.is_none() {
                    stack.extend(part.kids().iter().rev());
                } else if is_named(part) && part.shape != Shape::Extra {
                    slots.of.push(None);
                }
            }
            if slots.of.len() > before {
                let only = before == 0 && part.shape == Shape::Opt;
                slots.all = only.then_some(part.id);
            }
        }
        if row.receives && !slots.of.is_empty() {
            slots.of.remove(0);
            slots.all = None;
        }
        slots
    }

    /// Which places an operation takes.
    fn taken_by(&self, op: &Op) -> Indices {
        let taken = |at: &u32| match op {
            Op::Delete(node) => self.all == Some(*node),
            Op::DeleteItems { list, items } => {
                let place = self.of[*at as usize];
                place.is_some_and(|(of, index)| of == *list && items.contains(index))
            }
            _ => false,
        };
        Indices::sorted((0..self.of.len() as u32).filter(taken))
    }

    /// The operation that takes these; none if there is none.
    fn without(&self, which: &Indices) -> Option<Op> {
        if which.len() as usize == self.of.len()
            && let Some(all) = self.all
        {
            return Some(Op::Delete(all));
        }
        let places = which.ranges().iter().cloned().flatten();
        let places: Option<Vec<_>> = places.map(|at| self.of[at as usize]).collect();
        let places = places?;
        let (list, _) = *places.first()?;
        let items = Indices::sorted(places.iter().map(|(_, index)| *index));
        let one = places.iter().all(|(of, _)| *of == list);
        one.then_some(Op::DeleteItems { list, items })
    }
}

/// Whether an operation of an edit is about something below what goes by the edit.
fn lies_inside(version: &Version, edit: &Edit, op: &Op) -> bool {
    let (Op::Delete(place) | Op::DeleteItems { list: place, .. } | Op::Replace { node: place, .. }) =
        op
    else {
        return false;
    };
    let Some(trail) = version.trail(*place) else {
        return false;
    };
    (0..trail.nodes.len() - 1).any(|depth| {
        let above = trail.nodes[depth].id;
        edit.ops.iter().any(|op| match op {
            Op::Delete(node) | Op::Replace { node, .. } => *node == above,
            Op::DeleteItems { list, items } if *list == above => trail
                .child(depth)
                .is_some_and(|(index, _)| items.contains(index)),
            _ => false,
        })
    })
}
