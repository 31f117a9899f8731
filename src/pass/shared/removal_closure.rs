//! Declarations without a use, and the declarations that only they used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::program::names::{
    DeclarationKind, DeclarationSite, NameGraph, NameSymbol, SymbolLosses,
};
use crate::program::{
    Edit, EditOp, NodeId, NodePath, NodeShape, ProgramNode, Version, strip_separator, walk,
};
use crate::protocol::IndexRanges;

/// An element of a list that contains a declaration.
struct DeclaringElement<'a> {
    list: &'a ProgramNode,
    index: u32,
    node: &'a Arc<ProgramNode>,
}

/// How to find the element that contains the declaration at the end of a path.
type ElementFinder = for<'a> fn(&NodePath<'a>, NodeId) -> Option<DeclaringElement<'a>>;

/// What is removed so far.
pub(in crate::pass) struct RemovalClosure<'a> {
    version: &'a Version,
    names: &'a NameGraph,
    lost_uses: SymbolLosses,
    copied_uses: FxHashSet<NameSymbol>,
    lists: BTreeMap<NodeId, BTreeSet<u32>>,
    /// The elements that are removed.
    pub nodes: BTreeSet<NodeId>,
    /// Their tokens.
    pub tokens: u32,
}

impl<'a> RemovalClosure<'a> {
    /// Begins without elements, and with this loss from another edit.
    pub fn new(version: &'a Version, loss: SymbolLosses) -> RemovalClosure<'a> {
        RemovalClosure {
            version,
            names: version.name_graph(),
            lost_uses: loss,
            copied_uses: FxHashSet::default(),
            lists: BTreeMap::new(),
            nodes: BTreeSet::new(),
            tokens: 0,
        }
    }

    /// The edit whose loss this is adds uses of these symbols: their declarations stay.
    pub fn with_copied_uses(
        mut self,
        symbols: impl Iterator<Item = NameSymbol>,
    ) -> RemovalClosure<'a> {
        self.copied_uses.extend(symbols);
        self
    }

    /// The edit that removes all of it.
    pub fn to_edit(&self) -> Edit {
        let lists = self
            .lists
            .iter()
            .filter(|(list, _)| !self.is_inside_removed(**list));
        lists
            .map(|(&list, items)| EditOp::DeleteItems {
                list,
                items: IndexRanges::from_sorted(items.iter().copied()),
            })
            .collect()
    }

    /// The first list that loses something.
    pub fn first_list(&self) -> Option<NodeId> {
        self.lists.keys().next().copied()
    }

    /// Adds all declarations of a symbol and what belongs to it, if nothing that stays uses it or what else they declare. Returns the
    /// symbols that they used; none if they stay.
    pub fn add_symbol(&mut self, symbol: NameSymbol) -> Option<Vec<NameSymbol>> {
        let collectable = matches!(
            self.names.declaration_kind(symbol)?,
            DeclarationKind::Function
                | DeclarationKind::Var
                | DeclarationKind::Type
                | DeclarationKind::Struct
                | DeclarationKind::Member
                | DeclarationKind::Import
                | DeclarationKind::Binding
        );
        if !collectable || self.names.symbol_count(symbol).declares == 0 {
            return None;
        }
        let paths: Vec<(NodePath, NodeId)> = self
            .names
            .declaration_sites(symbol)
            .iter()
            .chain(self.names.attached_sites(symbol))
            .filter_map(
                |&DeclarationSite {
                     leaf,
                     first_leaf: from,
                     ..
                 }| Some((self.version.path_to(leaf)?, from)),
            )
            .collect();
        // Whole declarations first; else the declarator alone, where there are several.
        let config: &[ElementFinder] = match self.names.must_be_used(symbol) {
            true => &[whole_statement, whole_declaration, single_declarator],
            false => &[whole_declaration, single_declarator],
        };
        config.iter().find_map(|item| {
            let items = paths
                .iter()
                .filter(|(path, _)| !path.nodes.iter().any(|node| self.nodes.contains(&node.id)))
                .map(|(path, from)| item(path, *from))
                .collect::<Option<Vec<_>>>()?;
            self.add_elements(symbol, items)
        })
    }

    fn add_elements(
        &mut self,
        symbol: NameSymbol,
        items: Vec<DeclaringElement>,
    ) -> Option<Vec<NameSymbol>> {
        let mut own = SymbolLosses::default();
        let mut fresh = BTreeMap::new();
        for item in &items {
            if fresh.insert((item.list.id, item.index), item).is_none() {
                own.add_node(self.names, item.node);
            }
        }
        let used = |symbol| {
            let goes = self.lost_uses.count_of(symbol).uses + own.count_of(symbol).uses;
            self.copied_uses.contains(&symbol) || self.names.symbol_count(symbol).uses > goes
        };
        let declared = own.iter().filter(|(_, count)| count.declares > 0);
        let emptied = fresh.values().any(|item| {
            let known = self.lists.get(&item.list.id).map_or(0, BTreeSet::len);
            let of_list = |key: &&(NodeId, u32)| key.0 == item.list.id;
            item.list.must_keep_one()
                && known + fresh.keys().filter(of_list).count() == item.list.len()
        });
        if emptied || used(symbol) || declared.map(|(symbol, _)| symbol).any(used) {
            return None;
        }
        for (&(list, index), item) in &fresh {
            self.lists.entry(list).or_default().insert(index);
            self.nodes.insert(item.node.id);
            self.tokens += item.node.sums().tokens;
        }
        let touched: Vec<NameSymbol> = own.iter().map(|(symbol, _)| symbol).collect();
        for (symbol, count) in own.iter() {
            self.lost_uses.add_count(symbol, count);
        }
        Some(touched)
    }

    /// Whether the removed elements of this list are inside another removed element.
    fn is_inside_removed(&self, list: NodeId) -> bool {
        let path = self.version.path_to(list);
        path.is_some_and(|path| path.nodes.iter().any(|node| self.nodes.contains(&node.id)))
    }
}

/// The element that is the whole declaration, which began with the leaf `from`. That leaf may be gone (`static`), so the element begins
/// with it or with a leaf between it and the name: the leaves of a text are numbered in their order.
fn whole_declaration<'a>(path: &NodePath<'a>, from: NodeId) -> Option<DeclaringElement<'a>> {
    let is_list = |shape| matches!(shape, NodeShape::Star | NodeShape::Plus | NodeShape::Opaque);
    let place = path.nodes.iter().rposition(|node| is_list(node.shape))?;
    element_at(path, place).filter(|item| item.begins_between(from, path.node().id))
}

/// The element that is one declarator of several.
fn single_declarator<'a>(path: &NodePath<'a>, _: NodeId) -> Option<DeclaringElement<'a>> {
    let place = path.nodes.iter().rposition(|node| node.shape.is_list())?;
    element_at(path, place).filter(|item| item.list.shape == NodeShape::Sep)
}

/// The outermost element that is the whole declaration: where statements have separators, and declarators too.
fn whole_statement<'a>(path: &NodePath<'a>, from: NodeId) -> Option<DeclaringElement<'a>> {
    let lists = (0..path.nodes.len()).filter(|&place| path.nodes[place].shape.is_list());
    let mut items = lists.filter_map(|place| element_at(path, place));
    items.find(|item| item.begins_between(from, path.node().id))
}

/// The element that contains the end of the path, of the list at this place of the path.
fn element_at<'a>(path: &NodePath<'a>, place: usize) -> Option<DeclaringElement<'a>> {
    let (index, node) = path.child_below(place)?;
    let list = path.nodes[place];
    Some(DeclaringElement { list, index, node })
}

impl DeclaringElement<'_> {
    /// Whether the first token of the element is one of these.
    fn begins_between(&self, from: NodeId, to: NodeId) -> bool {
        let mut leaves = walk::iter_leaves(strip_separator(self.node));
        let first = leaves.find(|leaf| leaf.shape == NodeShape::Token);
        first.is_some_and(|first| (from..=to).contains(&first.id))
    }
}
