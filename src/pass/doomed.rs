//! Declarations that nothing uses any more, and what they used alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::dialogue::Indices;
use crate::program::names::{Declared, Kind, Loss, Names, Symbol};
use crate::program::{Edit, Node, NodeId, Op, Shape, Trail, Version, element, walk};

/// An element of a list that declares something.
struct Item<'a> {
    list: &'a Node,
    index: u32,
    node: &'a Arc<Node>,
}

/// How the element is found that declares what is at the end of a trail.
type Way = for<'a> fn(&Trail<'a>, NodeId) -> Option<Item<'a>>;

/// What goes so far.
pub(super) struct Doomed<'a> {
    version: &'a Version,
    names: &'a Names,
    loss: Loss,
    lists: BTreeMap<NodeId, BTreeSet<u32>>,
    /// The elements that go.
    pub nodes: BTreeSet<NodeId>,
    /// Their tokens.
    pub tokens: u32,
}

impl<'a> Doomed<'a> {
    /// Nothing is doomed yet; so much is lost anyway.
    pub fn new(version: &'a Version, loss: Loss) -> Doomed<'a> {
        Doomed {
            version,
            names: version.names(),
            loss,
            lists: BTreeMap::new(),
            nodes: BTreeSet::new(),
            tokens: 0,
        }
    }

    /// The edit that lets all of it go.
    pub fn edit(&self) -> Edit {
        let lists = self.lists.iter().filter(|(list, _)| !self.inside(**list));
        lists
            .map(|(&list, items)| Op::DeleteItems {
                list,
                items: Indices::sorted(items.iter().copied()),
            })
            .collect()
    }

    /// The first of the lists that lose something.
    pub fn first(&self) -> Option<NodeId> {
        self.lists.keys().next().copied()
    }

    /// Dooms all declarations of a symbol and what belongs to it, if nothing that stays uses it or what else they declare; the symbols that they used.
    pub fn add(&mut self, symbol: Symbol) -> Option<Vec<Symbol>> {
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
        let ways: &[Way] = match self.names.must_be_used(symbol) {
            true => &[statement, whole, part],
            false => &[whole, part],
        };
        ways.iter().find_map(|item| {
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
    let place = trail.nodes.iter().rposition(|node| is_list(node.shape))?;
    item_of(trail, place).filter(|item| item.begins(from, trail.node().id))
}

/// The element that is one declarator of several.
fn part<'a>(trail: &Trail<'a>, _: NodeId) -> Option<Item<'a>> {
    let place = trail.nodes.iter().rposition(|node| node.shape.is_list())?;
    item_of(trail, place).filter(|item| item.list.shape == Shape::Sep)
}

/// The outermost element that is the whole declaration: where statements have separators, and declarators too.
fn statement<'a>(trail: &Trail<'a>, from: NodeId) -> Option<Item<'a>> {
    let lists = (0..trail.nodes.len()).filter(|&place| trail.nodes[place].shape.is_list());
    let mut items = lists.filter_map(|place| item_of(trail, place));
    items.find(|item| item.begins(from, trail.node().id))
}

/// The element around the end of the trail of the list at this place of it.
fn item_of<'a>(trail: &Trail<'a>, place: usize) -> Option<Item<'a>> {
    let (index, node) = trail.child(place)?;
    let list = trail.nodes[place];
    Some(Item { list, index, node })
}

impl Item<'_> {
    /// Whether the first token of the element is one of these.
    fn begins(&self, from: NodeId, to: NodeId) -> bool {
        let mut leaves = walk::leaves(element(self.node));
        let first = leaves.find(|leaf| leaf.shape == Shape::Token);
        first.is_some_and(|first| (from..=to).contains(&first.id))
    }
}
