//! closed: what declares a name that is still used stays where it is.
//!
//! Elements of lists that would go are spared when they declare a name that something outside of them uses; what a spared element
//! uses is used from outside too, and so on. What is left is asked; if nothing is left, there is no question.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::filter::Filter;
use crate::dialogue::Indices;
use crate::program::names::{Count, Fact, Names, Role, Symbol, loss};
use crate::program::{Action, Edit, NameFact, Op, View, Why, walk};

/// See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Closed;

impl Filter for Closed {
    fn sift(&self, view: &View, edit: &Edit, why: &Why) -> Option<(Edit, Why)> {
        let names = view.version.names();
        let mut set = Set::of(view, edit);
        let spared = set.close(names);
        let Some(&first) = spared.first() else {
            let why = match set.free(names) {
                Some(fact) => knowing(why, why.action.clone(), fact),
                None => why.clone(),
            };
            return Some((edit.clone(), why));
        };
        let edit = set.edit(edit);
        if edit.ops.is_empty() {
            return None;
        }
        let fact = NameFact::Spared {
            items: set.spared(),
            name: names.name(first).clone(),
        };
        let action = set.action(view, &edit, &why.action);
        Some((edit, knowing(why, action, fact)))
    }
}

fn knowing(why: &Why, action: Action, fact: NameFact) -> Why {
    let action = Action::Known {
        action: Box::new(action),
        fact,
    };
    Why {
        action,
        ..why.clone()
    }
}

/// The elements that would go, and their facts.
struct Set {
    items: Vec<Item>,
    facts: Vec<Fact>,
    /// What would go of each symbol, and which elements declare it.
    going: FxHashMap<Symbol, (Count, SmallVec<[u32; 2]>)>,
}

struct Item {
    /// The operation that takes it out, and its index there.
    op: usize,
    index: u32,
    /// Where its facts end.
    end: usize,
    stays: bool,
}

impl Set {
    fn of(view: &View, edit: &Edit) -> Set {
        let names = view.version.names();
        let mut set = Set {
            items: Vec::new(),
            facts: Vec::new(),
            going: FxHashMap::default(),
        };
        // What is no element of a list goes in any case.
        let others = edit
            .ops
            .iter()
            .filter(|op| !matches!(op, Op::DeleteItems { .. }));
        let others: Edit = others.cloned().collect();
        for (symbol, count) in loss(&view.version, &others).iter() {
            set.going.insert(symbol, (count, SmallVec::new()));
        }
        for (op, items) in edit.ops.iter().enumerate() {
            let Op::DeleteItems { list, items } = items else {
                continue;
            };
            let Some(list) = view.version.node(*list) else {
                continue;
            };
            let indices = items.ranges().iter().cloned().flatten();
            for (index, item) in indices.zip(walk::picked(list, items)) {
                let number = set.items.len() as u32;
                for fact in names.below(item) {
                    set.facts.push(fact);
                    let (count, declaring) = set.going.entry(fact.symbol).or_default();
                    *count = count.plus(fact.count());
                    if fact.role == Role::Declares && declaring.last() != Some(&number) {
                        declaring.push(number);
                    }
                }
                let end = set.facts.len();
                set.items.push(Item {
                    op,
                    index,
                    end,
                    stays: false,
                });
            }
        }
        set
    }

    /// Spares elements until no name is used outside that is declared inside; the names that were.
    fn close(&mut self, names: &Names) -> Vec<Symbol> {
        let mut open: Vec<Symbol> = self.going.keys().copied().collect();
        open.sort_unstable();
        let mut kept = Vec::new();
        while let Some(symbol) = open.pop() {
            let Some((count, declaring)) = self.going.get(&symbol) else {
                continue;
            };
            if count.declares == 0 || names.count(symbol).uses <= count.uses {
                continue;
            }
            kept.push(symbol);
            for item in declaring.clone() {
                let item = item as usize;
                if std::mem::replace(&mut self.items[item].stays, true) {
                    continue;
                }
                let start = item
                    .checked_sub(1)
                    .map_or(0, |before| self.items[before].end);
                for fact in &self.facts[start..self.items[item].end] {
                    if let Some((count, _)) = self.going.get_mut(&fact.symbol) {
                        *count = count.minus(fact.count());
                        open.push(fact.symbol);
                    }
                }
            }
        }
        kept
    }

    fn spared(&self) -> u32 {
        self.items.iter().filter(|item| item.stays).count() as u32
    }

    /// The edit without the spared elements.
    fn edit(&self, edit: &Edit) -> Edit {
        let ops = edit.ops.iter().enumerate().filter_map(|(number, op)| {
            let Op::DeleteItems { list, .. } = op else {
                return Some(op.clone());
            };
            let items = self
                .items
                .iter()
                .filter(|item| item.op == number && !item.stays);
            let items = Indices::sorted(items.map(|item| item.index));
            let list = *list;
            (!items.is_empty()).then_some(Op::DeleteItems { list, items })
        });
        ops.collect()
    }

    /// The action, with the number of elements that go now.
    fn action(&self, view: &View, edit: &Edit, action: &Action) -> Action {
        match (action, &edit.ops[..]) {
            (Action::DropItems { of, .. }, [Op::DeleteItems { list, items }]) => {
                let first = view.version.node(*list).and_then(|list| {
                    let first = items.ranges().first()?.start;
                    walk::item(list, first as usize).cloned()
                });
                Action::DropItems {
                    go: items.len(),
                    of: *of,
                    first: first.map(|item| crate::program::element(&item).id),
                }
            }
            _ => action.clone(),
        }
    }

    /// The names that go with all their uses.
    fn free(&self, names: &Names) -> Option<NameFact> {
        let first = self
            .facts
            .iter()
            .find(|fact| fact.role == Role::Declares)?
            .symbol;
        let declared = self.going.values().filter(|(count, _)| count.declares > 0);
        Some(NameFact::Free {
            name: names.name(first).clone(),
            others: declared.count() as u32 - 1,
        })
    }
}
