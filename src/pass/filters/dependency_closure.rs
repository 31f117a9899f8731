//! The declaration of a name that is still used stays.
//!
//! Elements of lists are spared when they declare a name that something outside of the removed part uses. What a spared element uses is
//! used from outside too, and so on. The rest is proposed; if nothing is left, the candidate is rejected. Only the name of a member is
//! known. So it spares nothing while another member of that name stays, and never the type that it belongs to.
//!
//! Kalhauge and Palsberg, "Binary Reduction of Dependency Graphs", ESEC/FSE 2019, show that only closed sets of a dependency graph are
//! worth a test. They search among these sets; here the proposal of a pass is shrunk to one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{EditFilter, FilterKind, FilteredPass};
use crate::pass::StrategyFeature;
use crate::program::names::{DeclarationKind, NameRole, NameSymbol, removed_places};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, NameFact, NameUse, NodeId, NodeShape, PathFinder, View,
    format_names, quote_text, recount_action,
};
use crate::protocol::IndexRanges;
use crate::protocol::abandon::count_round;

/// The dependency closure.
pub static DEPENDENCY_CLOSURE: FilterKind = FilterKind {
    name: "dependency closure",
    description: "spares declarations of names that are used outside of what is removed, and then what those use",
    feature: Some(StrategyFeature::DependencyClosure),
    wrap: |pass| FilteredPass::new_boxed(pass, ClosureFilter),
};

/// See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClosureFilter;

/// Of so many elements that stay it is told who uses their names.
const MAX_TOLD_USES: usize = 4;

/// The most further names that a sentence counts.
const MAX_COUNTED_NAMES: usize = 64;

impl EditFilter for ClosureFilter {
    fn filter_edit(
        &self,
        view: &View,
        edit: &Edit,
        why: &EditReason,
    ) -> Option<(Edit, EditReason)> {
        let going = removed_places(&view.version, edit);
        let spared = SparedElements::from_edit(view, edit, &going);
        if spared.is_empty() {
            let free = match spared.open {
                true => None,
                false => removed_names_fact(view, &going),
            };
            let why = match free {
                Some(fact) => with_clause(why, fact),
                None => why.clone(),
            };
            return Some((edit.clone(), why));
        }
        let (whole, edit) = (edit, spared.shrink_edit(edit));
        if edit.ops.is_empty() {
            return None;
        }
        let names = view.version.name_graph();
        let uses = spared.uses.iter().map(|&(symbol, user)| NameUse {
            name: names.symbol_name(symbol).clone(),
            user,
        });
        let fact = NameFact::StillUsed {
            stay: spared.items.len() as u32,
            uses: uses.collect(),
        };
        let action = recount_action(&why.action, &view.version, whole, &edit);
        let action = action.unwrap_or_else(|| why.action.clone());
        Some((edit, with_name_fact(why, action, fact)))
    }
}

/// The reason, and a clause about the names.
pub(in crate::pass) fn with_clause(why: &EditReason, clause: String) -> EditReason {
    with_name_fact(why, why.action.clone(), NameFact::Clause(clause.into()))
}

/// The action, and a fact about the names.
fn with_name_fact(why: &EditReason, action: EditAction, fact: NameFact) -> EditReason {
    let action = match action {
        EditAction::WithNameFact { action, .. } => action,
        action => Box::new(action),
    };
    let action = EditAction::WithNameFact { action, fact };
    EditReason {
        action,
        ..why.clone()
    }
}

/// The names that are removed with all their uses.
fn removed_names_fact(view: &View, going: &IndexRanges) -> Option<String> {
    let names = view.version.name_graph();
    let mut declared = names.declared_in(&view.version, going);
    let first = declared.next()?;
    let others = declared.take(MAX_COUNTED_NAMES + 1).count();
    let name = names.symbol_name(first);
    Some(match others {
        ..=MAX_COUNTED_NAMES => format!("nothing else uses {}", format_names(name, others as u32)),
        _ => format!("nothing else uses {} and many more names", quote_text(name)),
    })
}

/// Whether a use of this name counts against the edit at all. A member counts for itself, not for the type that it belongs to: other
/// members of its name exist outside of the program, and the type has a name of its own.
pub(in crate::pass) fn use_blocks_edit(view: &View, edit: &Edit, symbol: NameSymbol) -> bool {
    let names = view.version.name_graph();
    if names.declaration_kind(symbol) != Some(DeclarationKind::Member) {
        return true;
    }
    let lists: FxHashMap<NodeId, &IndexRanges> = edit.item_removals().collect();
    names.declaration_sites(symbol).iter().any(|declared| {
        let Some(path) = view.version.path_to(declared.leaf) else {
            return false;
        };
        let is_own = |shape| matches!(shape, NodeShape::Star | NodeShape::Plus | NodeShape::Opaque);
        let own = path.nodes.iter().rposition(|node| is_own(node.shape));
        let own = own.unwrap_or(0);
        (own..path.nodes.len()).any(|depth| {
            let items = lists.get(&path.nodes[depth].id);
            items.is_some_and(|items| {
                let child = path.child_below(depth);
                child.is_some_and(|(index, _)| items.contains(index))
            })
        })
    })
}

/// The elements that stay.
#[derive(Default)]
pub(in crate::pass) struct SparedElements {
    /// The operation that would remove each, and its index there.
    items: FxHashSet<(usize, u32)>,
    /// Of the first of them, in the order in which they were found: a name that it declares, and who uses that. Empty if none stays.
    uses: Vec<(NameSymbol, NodeId)>,
    /// Whether something outside uses a removed name, even if that spares nothing.
    open: bool,
}

impl SparedElements {
    /// Whether nothing stays.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Spares elements until no name that is declared inside the removed part is used outside of it.
    pub fn from_edit(view: &View, edit: &Edit, going: &IndexRanges) -> SparedElements {
        let names = view.version.name_graph();
        let mut spared = SparedElements::default();
        let stays = |symbol: &NameSymbol| {
            let last = || !names.declared_outside(&view.version, *symbol, going);
            names.needs_all_declarations(*symbol) || last() && use_blocks_edit(view, edit, *symbol)
        };
        let mut open = names.escaping_symbols(&view.version, going);
        spared.open = !open.is_empty();
        open.retain(stays);
        if open.is_empty() {
            return spared;
        }
        let ops = edit.ops.iter().enumerate();
        let lists = ops.filter_map(|(number, op)| {
            let (list, items) = op.removed_items()?;
            Some((list, (number, items)))
        });
        let lists: FxHashMap<NodeId, (usize, &IndexRanges)> = lists.collect();
        let mut seen: FxHashSet<NameSymbol> = open.iter().copied().collect();
        let mut paths = PathFinder::new(&view.version);
        // The elements that stay and use a name, as far as anybody is told of it.
        let mut users: FxHashMap<NameSymbol, NodeId> = FxHashMap::default();
        while let Some(symbol) = open.pop() {
            let declared = names.declaration_sites(symbol).iter();
            for declared in declared.filter(|declared| going.contains(declared.place)) {
                count_round();
                let Some(path) = paths.path_to(declared.leaf) else {
                    continue;
                };
                let above = path.nodes.iter().enumerate();
                let mut item = above.filter_map(|(depth, node)| {
                    let (op, items) = lists.get(&node.id)?;
                    let (index, item) = path.child_below(depth)?;
                    items.contains(index).then_some((*op, index, item))
                });
                let Some((op, index, item)) = item.next_back() else {
                    continue;
                };
                if spared.items.insert((op, index)) {
                    let is_told = spared.uses.len() < MAX_TOLD_USES;
                    if is_told {
                        let outside = || names.first_use_outside(&view.version, symbol, going);
                        let user = users.get(&symbol).copied().or_else(outside);
                        // Without a use that is left, the declaration itself stands for it.
                        spared.uses.push((symbol, user.unwrap_or(declared.leaf)));
                    }
                    let uses = names
                        .occurrences_below(item)
                        .filter(|fact| fact.role == NameRole::Uses);
                    let uses = uses
                        .map(|fact| fact.symbol)
                        .filter(|used| seen.insert(*used) && stays(used));
                    for used in uses {
                        open.push(used);
                        if is_told {
                            users.insert(used, item.id);
                        }
                    }
                }
            }
        }
        spared
    }

    /// The edit without the spared elements.
    fn shrink_edit(&self, edit: &Edit) -> Edit {
        let mut spared: Vec<_> = self.items.iter().copied().collect();
        spared.sort_unstable();
        let ops = edit.ops.iter().enumerate().filter_map(|(number, op)| {
            let Some((list, items)) = op.removed_items() else {
                return Some(op.clone());
            };
            let from = spared.partition_point(|(op, _)| *op < number);
            let own = spared[from..].iter().take_while(|(op, _)| *op == number);
            let items = items.without_sorted(own.map(|(_, index)| *index));
            (!items.is_empty()).then_some(EditOp::DeleteItems { list, items })
        });
        ops.collect()
    }
}
