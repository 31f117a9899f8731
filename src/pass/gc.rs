//! gc: what became unreferenced by a take goes, all of it in one question.
//!
//! A wrapper: after a take it looks at the names that lost a use, and gathers the declarations that nothing uses any more but
//! themselves; then at the names that those used, and so on. What nothing used from the start is a root and not touched: it never lost
//! a use. Parameters, fields and enumerators stay, since their places count for others.
//!
//! What shows the bug may itself be unreferenced by now (a function, when its last call went), and then the question fails for many
//! others. So where many would have gone it is asked once more without the heaviest declaration that lost a use, and what that uses.
//!
//! It has no paper: it is what a linker does with sections.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Pass;
use crate::dialogue::{Answer, Dialogue, Indices, Step};
use crate::program::names::{Declared, Kind, Loss, Names, Symbol};
use crate::program::{
    Action, Change, Edit, Node, NodeId, Op, Shape, Trail, Version, View, Why, walk,
};

const NAME: &str = "gc";
/// With fewer declarations than this a failure is not worth another question.
const MANY: u32 = 8;

/// A pass with gc after every take.
#[derive(Clone)]
pub struct Gc {
    inner: Box<dyn Pass>,
    now: Now,
}

/// What gc itself wants.
#[derive(Clone)]
enum Now {
    Nothing,
    Ask(Arc<Question>),
    /// Less may have been asked than was wanted.
    Take(Arc<Edit>),
}

/// What nothing uses any more.
struct Question {
    edit: Edit,
    why: Why,
    /// What may be worth to be left out after a failure.
    heaviest: Option<Symbol>,
}

impl Gc {
    /// This pass with gc after every take.
    pub fn boxed(inner: Box<dyn Pass>) -> Box<dyn Pass> {
        let now = Now::Nothing;
        Box::new(Gc { inner, now })
    }
}

impl Dialogue for Gc {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        match &self.now {
            Now::Nothing => self.inner.step(view),
            Now::Ask(question) => Step::Ask(question.edit.clone(), question.why.clone()),
            Now::Take(edit) => Step::Take((**edit).clone()),
        }
    }

    fn ahead(&self, view: &View, most: usize) -> Vec<Edit> {
        match &self.now {
            Now::Nothing => self.inner.ahead(view, most),
            Now::Ask(_) | Now::Take(_) => Vec::new(),
        }
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        self.now = match std::mem::replace(&mut self.now, Now::Nothing) {
            Now::Ask(_) if answer.is_yes() => Now::Take(Arc::new(asked.clone())),
            Now::Ask(question) => match question.heaviest {
                Some(_) => Now::ask(unused(&view.version, question.heaviest)),
                None => Now::Nothing,
            },
            now => {
                self.inner.told(view, asked, answer);
                now
            }
        };
    }

    fn taken(&mut self, view: &View, change: &Change) {
        self.inner.taken(view, change);
        self.now = Now::ask(unused(&view.version, None));
    }

    fn constrained(&mut self, view: &View) {
        self.now = Now::Nothing;
        self.inner.constrained(view);
    }
}

impl Now {
    fn ask(question: Option<Question>) -> Now {
        question.map_or(Now::Nothing, |question| Now::Ask(Arc::new(question)))
    }
}

/// The declarations that the last edit left without a use, if there are any, without this one and what it uses.
fn unused(version: &Version, without: Option<Symbol>) -> Option<Question> {
    let names = version.names();
    let mut doomed = Doomed {
        version,
        names,
        loss: Loss::default(),
        lists: BTreeMap::new(),
        nodes: BTreeSet::new(),
        tokens: 0,
    };
    let lost = names.lost();
    let mut open: BTreeSet<Symbol> = lost.iter().copied().collect();
    let (mut unused, mut heaviest) = (Vec::new(), None);
    while let Some(symbol) = open.pop_first() {
        let before = doomed.tokens;
        if without == Some(symbol) {
            continue;
        }
        if let Some(touched) = doomed.add(symbol) {
            unused.push(symbol);
            if lost.binary_search(&symbol).is_ok() {
                heaviest = heaviest.max(Some((doomed.tokens - before, symbol)));
            }
            open.extend(touched.into_iter().filter(|touched| *touched != symbol));
        }
    }
    let name = names.name(*unused.first()?).clone();
    let lists = doomed
        .lists
        .iter()
        .filter(|(list, _)| !doomed.inside(**list));
    let edit: Edit = lists
        .map(|(&list, items)| Op::DeleteItems {
            list,
            items: Indices::sorted(items.iter().copied()),
        })
        .collect();
    let node = doomed.lists.keys().next().copied();
    let go = doomed.nodes.len() as u32;
    let action = Action::DropUnused {
        go,
        name,
        others: unused.len() as u32 - 1,
    };
    let why = Why {
        pass: NAME,
        action,
        node,
    };
    let again = without.is_none() && go >= MANY;
    let heaviest = heaviest.filter(|_| again).map(|(_, symbol)| symbol);
    Some(Question {
        edit,
        why,
        heaviest,
    })
}

/// An element of a list that declares something.
struct Item<'a> {
    list: &'a Node,
    index: u32,
    node: &'a Arc<Node>,
}

/// What goes so far.
struct Doomed<'a> {
    version: &'a Version,
    names: &'a Names,
    loss: Loss,
    lists: BTreeMap<NodeId, BTreeSet<u32>>,
    nodes: BTreeSet<NodeId>,
    tokens: u32,
}

impl<'a> Doomed<'a> {
    /// Dooms all declarations of a symbol and what belongs to it, if nothing that stays uses it or what else they declare; the symbols that they used.
    fn add(&mut self, symbol: Symbol) -> Option<Vec<Symbol>> {
        let collectable = matches!(
            self.names.kind(symbol)?,
            Kind::Function
                | Kind::Var
                | Kind::Type
                | Kind::Struct
                | Kind::Member
                | Kind::Import
                | Kind::Binding
        );
        if !collectable || self.names.count(symbol).declares == 0 {
            return None;
        }
        let trails: Vec<(Trail, NodeId)> = self
            .names
            .declared_by(symbol)
            .iter()
            .chain(self.names.belongings(symbol))
            .filter_map(|&Declared { leaf, from, .. }| Some((self.version.trail(leaf)?, from)))
            .collect();
        // Whole declarations first; else the declarator alone, where there are several.
        [whole, part].into_iter().find_map(|item| {
            let items = trails
                .iter()
                .filter(|(trail, _)| !trail.nodes.iter().any(|node| self.nodes.contains(&node.id)))
                .map(|(trail, from)| item(trail, *from))
                .collect::<Option<Vec<_>>>()?;
            self.doom(symbol, items)
        })
    }

    fn doom(&mut self, symbol: Symbol, items: Vec<Item>) -> Option<Vec<Symbol>> {
        let mut own = Loss::default();
        let mut fresh = BTreeMap::new();
        for item in &items {
            if fresh.insert((item.list.id, item.index), item).is_none() {
                own.add(self.names, item.node);
            }
        }
        let used = |symbol| {
            let goes = self.loss.of(symbol).uses + own.of(symbol).uses;
            self.names.count(symbol).uses > goes
        };
        let declared = own.iter().filter(|(_, count)| count.declares > 0);
        let emptied = fresh.values().any(|item| {
            let known = self.lists.get(&item.list.id).map_or(0, BTreeSet::len);
            let of_list = |key: &&(NodeId, u32)| key.0 == item.list.id;
            item.list.keeps_one() && known + fresh.keys().filter(of_list).count() == item.list.len()
        });
        if emptied || used(symbol) || declared.map(|(symbol, _)| symbol).any(used) {
            return None;
        }
        for (&(list, index), item) in &fresh {
            self.lists.entry(list).or_default().insert(index);
            self.nodes.insert(item.node.id);
            self.tokens += item.node.sums.tokens;
        }
        let touched: Vec<Symbol> = own.iter().map(|(symbol, _)| symbol).collect();
        for (symbol, count) in own.iter() {
            self.loss.put(symbol, count);
        }
        Some(touched)
    }

    /// Whether what goes of this list goes anyway, with something around it.
    fn inside(&self, list: NodeId) -> bool {
        let trail = self.version.trail(list);
        trail.is_some_and(|trail| trail.nodes.iter().any(|node| self.nodes.contains(&node.id)))
    }
}

/// The element that is the whole declaration, which began with the leaf `from`. That may be gone (`static`), so the element begins with
/// it or with a leaf between it and the name: the leaves of a text are numbered in their order.
fn whole<'a>(trail: &Trail<'a>, from: NodeId) -> Option<Item<'a>> {
    let is_list = |shape| matches!(shape, Shape::Star | Shape::Plus | Shape::Opaque);
    let item = element_of(trail, is_list)?;
    let first = walk::leaves(item.node).find(|leaf| leaf.shape == Shape::Token)?;
    (from..=trail.node().id).contains(&first.id).then_some(item)
}

/// The element that is one declarator of several.
fn part<'a>(trail: &Trail<'a>, _: NodeId) -> Option<Item<'a>> {
    element_of(trail, |shape| shape.is_list()).filter(|item| item.list.shape == Shape::Sep)
}

/// The innermost element around the end of the trail of a list of such a shape.
fn element_of<'a>(trail: &Trail<'a>, is_list: impl Fn(Shape) -> bool) -> Option<Item<'a>> {
    let place = trail.nodes.iter().rposition(|node| is_list(node.shape))?;
    let list = trail.nodes[place];
    let below = &trail.nodes[place + 1..];
    let depth = below.iter().position(|node| node.shape != Shape::Chunk)?;
    // The number of elements before it: those before its chunk, and so on down.
    let index = trail.nodes[place..=place + 1 + depth]
        .windows(2)
        .map(|pair| {
            let before = pair[0].kids().iter().take_while(|kid| kid.id != pair[1].id);
            before.map(|kid| kid.sums.items).sum::<u32>()
        })
        .sum();
    Some(Item {
        list,
        index,
        node: below[depth],
    })
}
