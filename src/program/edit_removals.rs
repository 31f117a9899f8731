//! What an edit removes from a version: nodes, runs of nodes, and what of them stays. Nodes that are not there are left out.

use std::sync::Arc;

use super::edit::{Edit, EditOp, Replacement};
use super::node::{NodeId, ProgramNode};
use super::path_finder::PathFinder;
use super::placement::strip_separator;
use super::version::Version;
use super::walk;

impl EditOp {
    /// The nodes that are removed: one as a whole, or elements of a list with their separators.
    pub fn removed_nodes<'a>(
        &'a self,
        base: &'a Version,
    ) -> impl Iterator<Item = &'a Arc<ProgramNode>> {
        let whole = self.removed_node().and_then(|node| base.find_node(node));
        let items = self.removed_items().and_then(|(list, items)| {
            let list = base.find_node(list)?;
            Some(walk::selected_items(list, items))
        });
        whole.into_iter().chain(items.into_iter().flatten())
    }

    /// The same as runs of neighbours, each by its first node and its last: for callers that only need the ends of a run.
    pub fn removed_runs<'a, 'b>(
        &'b self,
        paths: &mut PathFinder<'a>,
    ) -> impl Iterator<Item = (&'a Arc<ProgramNode>, &'a Arc<ProgramNode>)> + use<'a, 'b> {
        let whole = self.removed_node().and_then(|node| paths.find_node(node));
        let list = self
            .removed_items()
            .and_then(|(list, items)| Some((paths.find_node(list)?, items)));
        let runs = list.into_iter().flat_map(|(list, items)| {
            items.ranges().iter().filter_map(|range| {
                let first = walk::item_at(list, range.start as usize)?;
                Some((first, walk::item_at(list, range.end as usize - 1)?))
            })
        });
        whole.map(|node| (node, node)).into_iter().chain(runs)
    }

    /// What stays of the removed node, in order: a node at or below it, or the elements of a list below it without their separators.
    pub fn kept_nodes<'a>(&self, base: &'a Version) -> Vec<&'a Arc<ProgramNode>> {
        let there = |_: &&Replacement| self.removed_nodes(base).next().is_some();
        match self.replacement().filter(there) {
            Some(Replacement::Node(kept)) => base.find_node(*kept).into_iter().collect(),
            Some(Replacement::Items(list)) => {
                let list = base.find_node(*list).into_iter();
                list.flat_map(|list| walk::iter_items(list).map(strip_separator))
                    .collect()
            }
            Some(Replacement::Leaves(_)) => {
                let own = self.kept_node().and_then(|own| base.find_node(own));
                own.into_iter().collect()
            }
            Some(Replacement::Pieces(_)) => {
                let kept = self.kept_pieces();
                kept.filter_map(|kept| base.find_node(kept)).collect()
            }
            Some(Replacement::Tokens(_)) | None => Vec::new(),
        }
    }
}

impl Edit {
    /// The first node that is removed; the list where that element is not there. None for an edit of the whole program.
    pub fn first_removed_node(&self, base: &Version) -> Option<NodeId> {
        self.ops.iter().find_map(|op| match op.removed_items() {
            Some((list, _)) => {
                let first = op.removed_nodes(base).next();
                Some(first.map_or(list, |item| strip_separator(item).id))
            }
            None => op.removed_node(),
        })
    }
}
