//! What the grammar allows to remove, and the edits that remove it.
//!
//! A *part* is an element of a list or an optional part of a node. An element is identified by the node without its separator, because that
//! node stays the same when the element becomes the first of its list.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::program::names::{DeclarationSite, NameSymbol};
use crate::program::{
    Edit, EditOp, IndexRanges, NodeId, NodePath, NodeShape, PathFinder, ProgramNode, Replacement,
    Version, strip_separator, walk,
};
use crate::protocol::abandon::count_round;

/// A node on the way down a tree.
#[derive(Clone, Copy)]
pub struct WalkedNode<'a> {
    /// The node.
    pub node: &'a Arc<ProgramNode>,
    /// How many nodes of the parser's tree, and how many removable parts, are around it.
    pub level: u32,
    /// Whether the grammar allows to remove it.
    pub removable: bool,
}

impl<'a> WalkedNode<'a> {
    /// The node from which a walk starts.
    pub fn from_node(node: &'a Arc<ProgramNode>) -> WalkedNode<'a> {
        WalkedNode {
            node,
            level: 0,
            removable: false,
        }
    }

    /// Whether it counts as a node for a reducer, not only as a group of the normal form.
    pub fn counts_as_level(&self) -> bool {
        self.removable || self.node.class.is_some()
    }

    /// The nodes directly below, in order, without separators and comments.
    pub fn child_nodes(self) -> impl Iterator<Item = WalkedNode<'a>> {
        let node = self.node;
        let level = self.level + u32::from(self.counts_as_level());
        let may = node.shape.is_list() && (!node.must_keep_one() || node.len() > 1);
        let children = walk::iter_items(node).filter(|child| child.shape != NodeShape::Extra);
        children.map(move |child| WalkedNode {
            node: strip_separator(child),
            level,
            removable: may || child.shape == NodeShape::Opt,
        })
    }
}

/// Everything below `from`, itself included, parents first, in document order.
pub fn walk_down(from: WalkedNode<'_>) -> impl Iterator<Item = WalkedNode<'_>> {
    let mut stack = vec![from];
    std::iter::from_fn(move || {
        let seen = stack.pop()?;
        let first = stack.len();
        stack.extend(seen.child_nodes());
        stack[first..].reverse();
        Some(seen)
    })
}

/// Every node of a document that counts for a reducer, and whether the grammar allows to remove it.
pub fn walk_parts(root: &Arc<ProgramNode>) -> impl Iterator<Item = WalkedNode<'_>> {
    walk_down(WalkedNode::from_node(root)).skip(1)
}

/// The nearest nodes below `from` that count, in document order.
pub fn nearest_nodes<'a>(from: WalkedNode<'a>) -> Vec<WalkedNode<'a>> {
    let (mut found, mut stack) = (Vec::new(), from.child_nodes().collect::<Vec<_>>());
    stack.reverse();
    while let Some(seen) = stack.pop() {
        if seen.counts_as_level() {
            found.push(seen);
        } else {
            let first = stack.len();
            stack.extend(seen.child_nodes());
            stack[first..].reverse();
        }
    }
    found
}

/// The list that the node at the end of `path` is an element of, and the element's index.
fn list_position(path: &NodePath) -> Option<(NodeId, u32)> {
    let mut nodes = path.nodes.iter().rev().peekable();
    let mut child = *nodes.next()?;
    if let Some(link) = nodes.next_if(|above| above.shape == NodeShape::Link) {
        if strip_separator(link).id != child.id {
            return None;
        }
        child = link;
    }
    let mut index = 0;
    for above in nodes {
        let before = above
            .children()
            .iter()
            .take_while(|other| other.id != child.id);
        index += before.map(|other| other.sums().items).sum::<u32>();
        match above.shape {
            NodeShape::Chunk => child = above,
            shape => return shape.is_list().then_some((above.id, index)),
        }
    }
    None
}

/// The element behind this one in its list.
pub fn next_element(version: &Version, node: NodeId) -> Option<&Arc<ProgramNode>> {
    let (list, index) = list_position(&version.path_to(node)?)?;
    walk::item_at(version.find_node(list)?, index as usize + 1)
}

/// The edit that removes these parts. Nodes that do not exist any more, or must stay, are left out; of a list that must keep an element,
/// the first stays. The edit may be empty.
pub fn removal_edit(version: &Version, nodes: &[NodeId]) -> Edit {
    collect_removals(version, nodes, |node| node.shape == NodeShape::Opt)
}

/// The edit that removes these nodes, whatever the grammar says. No two of them overlap, and no list that must keep an element loses all.
pub fn deletion_edit(version: &Version, nodes: &[NodeId]) -> Edit {
    collect_removals(version, nodes, |_| true)
}

/// Elements of lists go together; of the other nodes those go that may.
fn collect_removals(
    version: &Version,
    nodes: &[NodeId],
    may_go: impl Fn(&ProgramNode) -> bool,
) -> Edit {
    let mut edit = Edit::default();
    let mut lists: FxHashMap<NodeId, Vec<u32>> = FxHashMap::default();
    let mut order = Vec::new();
    let mut paths = PathFinder::new(version);
    for &node in nodes {
        count_round();
        let Some(path) = paths.path_to(node) else {
            continue;
        };
        match list_position(path) {
            Some((list, index)) => {
                let items = lists.entry(list).or_default();
                if items.is_empty() {
                    order.push(list);
                }
                items.push(index);
            }
            None if may_go(path.node()) => edit.ops.push(EditOp::Delete(path.node().id)),
            None => {}
        }
    }
    for list in order {
        let Some((node, mut items)) = version.find_node(list).zip(lists.remove(&list)) else {
            continue;
        };
        items.sort_unstable();
        items.dedup();
        if node.must_keep_one() && items.len() == node.len() {
            items.remove(0);
        }
        if !items.is_empty() {
            let items = IndexRanges::from_sorted(items);
            edit.ops.push(EditOp::DeleteItems { list, items });
        }
    }
    edit
}

/// The edit that removes all of the list around this node but the node, or replaces the node around it by it; none if there is nothing
/// around it.
pub fn keep_only_edit(version: &Version, node: NodeId) -> Option<Edit> {
    let path = version.path_to(node)?;
    let list = list_position(&path).and_then(|(list, at)| Some((version.find_node(list)?, at)));
    if let Some((list, at)) = list.filter(|(list, _)| list.len() > 1) {
        let others = (0..list.len() as u32).filter(|&other| other != at);
        let items = IndexRanges::from_sorted(others);
        return Some(
            EditOp::DeleteItems {
                list: list.id,
                items,
            }
            .into(),
        );
    }
    let mut above = path.ancestors();
    let around = above
        .find(|above| above.shape == NodeShape::Regular && above.class.is_some())?
        .id;
    let piece = Replacement::Node(node);
    Some(
        EditOp::Replace {
            node: around,
            piece,
        }
        .into(),
    )
}

/// The element of a list that declares a symbol as a whole: the outermost one that begins with the declaration.
pub fn declaring_elements(version: &Version, symbol: NameSymbol) -> Vec<NodeId> {
    elements_at(version, version.name_graph().declaration_sites(symbol))
}

/// The same for these sites.
pub fn elements_at(version: &Version, sites: &[DeclarationSite]) -> Vec<NodeId> {
    let elements = sites.iter().filter_map(|site| {
        let path = version.path_to(site.leaf)?;
        let mut places = 1..path.nodes.len();
        let place = places.find(|&at| {
            let above = path.nodes[at - 1].shape;
            let begins = walk::leaf_at(path.nodes[at], 0)
                .is_some_and(|leaf| (site.first_leaf..=site.leaf).contains(&leaf.id));
            begins && (above.is_list() || above == NodeShape::Chunk)
        })?;
        Some(path.nodes[place].id)
    });
    elements.collect()
}
