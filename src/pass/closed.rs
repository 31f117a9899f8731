//! closed: what declares a name that is still used stays where it is.
//!
//! Elements of lists that would go are spared when they declare a name that something outside of them uses; what a spared element
//! uses is used from outside too, and so on. What is left is asked; if nothing is left, there is no question. A member, of which only
//! the name is known, holds nothing back while another of its name stays, and never what it is a member of.
//!
//! That only closed sets of a dependency graph are worth a test is in Kalhauge and Palsberg, "Binary Reduction of Dependency Graphs",
//! ESEC/FSE 2019. They search among these sets; here what a pass would ask shrinks to one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::filter::Filter;
use crate::dialogue::Indices;
use crate::program::names::{Kind, Role, Symbol, going};
use crate::program::{Action, Edit, NameFact, NodeId, Op, Shape, View, Why, element, walk};

/// See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Closed;

/// More names than these are many.
const MANY: usize = 64;

impl Filter for Closed {
    fn sift(&self, view: &View, edit: &Edit, why: &Why) -> Option<(Edit, Why)> {
        let going = going(&view.version, edit);
        let spared = Spared::of(view, edit, &going);
        let Some(first) = spared.first else {
            let free = match spared.open {
                true => None,
                false => free(view, &going),
            };
            let why = match free {
                Some(fact) => knowing(why, why.action.clone(), fact),
                None => why.clone(),
            };
            return Some((edit.clone(), why));
        };
        let edit = spared.edit(edit);
        if edit.ops.is_empty() {
            return None;
        }
        let fact = NameFact::Spared {
            items: spared.items.len() as u32,
            name: view.version.names().name(first).clone(),
        };
        let action = action(view, &edit, &why.action);
        Some((edit, knowing(why, action, fact)))
    }
}

/// The action, and what is known of the names.
pub(super) fn knowing(why: &Why, action: Action, fact: NameFact) -> Why {
    let action = match action {
        Action::Known { action, .. } => action,
        action => Box::new(action),
    };
    let action = Action::Known { action, fact };
    Why {
        action,
        ..why.clone()
    }
}

/// The names that go with all their uses.
fn free(view: &View, going: &Indices) -> Option<NameFact> {
    let names = view.version.names();
    let mut declared = names.declared_in(&view.version, going);
    let first = declared.next()?;
    let others = declared.take(MANY + 1).count();
    Some(NameFact::Free {
        name: names.name(first).clone(),
        others: (others <= MANY).then_some(others as u32),
    })
}

/// Whether a use of this name speaks against the edit at all. A member speaks for itself, not for what it is a member of: there are
/// others of its name outside of the program, and that has a name of its own.
pub(super) fn holds(view: &View, edit: &Edit, symbol: Symbol) -> bool {
    let names = view.version.names();
    if names.kind(symbol) != Some(Kind::Member) {
        return true;
    }
    let lists = edit.ops.iter().filter_map(|op| match op {
        Op::DeleteItems { list, items } => Some((*list, items)),
        _ => None,
    });
    let lists: FxHashMap<NodeId, &Indices> = lists.collect();
    names.declared_by(symbol).iter().any(|declared| {
        let Some(trail) = view.version.trail(declared.leaf) else {
            return false;
        };
        let is_own = |shape| matches!(shape, Shape::Star | Shape::Plus | Shape::Opaque);
        let own = trail.nodes.iter().rposition(|node| is_own(node.shape));
        let own = own.unwrap_or(0);
        (own..trail.nodes.len()).any(|depth| {
            let items = lists.get(&trail.nodes[depth].id);
            items.is_some_and(|items| {
                let child = trail.child(depth);
                child.is_some_and(|(index, _)| items.contains(index))
            })
        })
    })
}

/// The elements that stay.
#[derive(Default)]
pub(super) struct Spared {
    /// By the operation that would take them out, and their index there.
    items: FxHashSet<(usize, u32)>,
    /// A name that the first of them declares.
    pub first: Option<Symbol>,
    /// Whether something outside uses a name that goes, though that may hold nothing back.
    open: bool,
}

impl Spared {
    /// Spares elements until no name is used outside of what goes that is declared inside.
    pub fn of(view: &View, edit: &Edit, going: &Indices) -> Spared {
        let names = view.version.names();
        let mut spared = Spared::default();
        let stays = |symbol: &Symbol| {
            let last = || !names.declared_outside(&view.version, *symbol, going);
            names.needs_all(*symbol) || last() && holds(view, edit, *symbol)
        };
        let mut open = names.reaching(&view.version, going);
        spared.open = !open.is_empty();
        open.retain(stays);
        if open.is_empty() {
            return spared;
        }
        let ops = edit.ops.iter().enumerate();
        let lists = ops.filter_map(|(number, op)| match op {
            Op::DeleteItems { list, items } => Some((*list, (number, items))),
            _ => None,
        });
        let lists: FxHashMap<NodeId, (usize, &Indices)> = lists.collect();
        let mut seen: FxHashSet<Symbol> = open.iter().copied().collect();
        while let Some(symbol) = open.pop() {
            let declared = names.declared_by(symbol).iter();
            for declared in declared.filter(|declared| going.contains(declared.at)) {
                let Some(trail) = view.version.trail(declared.leaf) else {
                    continue;
                };
                let above = trail.nodes.iter().enumerate();
                let mut item = above.filter_map(|(depth, node)| {
                    let (op, items) = lists.get(&node.id)?;
                    let (index, item) = trail.child(depth)?;
                    items.contains(index).then_some((*op, index, item))
                });
                let Some((op, index, item)) = item.next_back() else {
                    continue;
                };
                spared.first.get_or_insert(symbol);
                if spared.items.insert((op, index)) {
                    let uses = names.below(item).filter(|fact| fact.role == Role::Uses);
                    open.extend(
                        uses.map(|fact| fact.symbol)
                            .filter(|used| seen.insert(*used) && stays(used)),
                    );
                }
            }
        }
        spared
    }

    /// The edit without the spared elements.
    fn edit(&self, edit: &Edit) -> Edit {
        let mut spared: Vec<_> = self.items.iter().copied().collect();
        spared.sort_unstable();
        let ops = edit.ops.iter().enumerate().filter_map(|(number, op)| {
            let Op::DeleteItems { list, items } = op else {
                return Some(op.clone());
            };
            let from = spared.partition_point(|(op, _)| *op < number);
            let own = spared[from..].iter().take_while(|(op, _)| *op == number);
            let items = without(items, own.map(|(_, index)| *index));
            let list = *list;
            (!items.is_empty()).then_some(Op::DeleteItems { list, items })
        });
        ops.collect()
    }
}

/// The set without these of its elements, which ascend.
fn without(set: &Indices, gone: impl Iterator<Item = u32>) -> Indices {
    let mut gone = gone.peekable();
    let mut left = Vec::new();
    for range in set.ranges() {
        let mut start = range.start;
        while let Some(index) = gone.next_if(|index| *index < range.end) {
            left.push(start..index);
            start = index + 1;
        }
        left.push(start..range.end);
    }
    left.into_iter().collect()
}

/// The action, with the number of elements that go now.
fn action(view: &View, edit: &Edit, action: &Action) -> Action {
    match (action, &edit.ops[..]) {
        (Action::DropItems { of, .. }, [Op::DeleteItems { list, items }]) => {
            let first = view.version.node(*list).and_then(|list| {
                let first = items.ranges().first()?.start;
                walk::item(list, first as usize).cloned()
            });
            Action::DropItems {
                go: items.len(),
                of: *of,
                first: first.map(|item| element(&item).id),
            }
        }
        _ => action.clone(),
    }
}
