//! Marking what must stay: pins as flags on leaves, summed up the tree.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::constraints::ConstraintSet;
use super::node::{NodeFlags, NodeId, ProgramNode, TokenId};
use super::version::{Document, Version};

/// The same version with exactly the tokens marked that these constraints keep. Costs a walk over the program; nodes keep their identities.
pub fn mark_pinned(version: &Version, constraints: &ConstraintSet) -> Version {
    let roots = version.documents().iter().map(|document| document.root.id);
    mark_pinned_below(version, constraints, &roots.collect::<Vec<_>>())
}

/// The same where only tokens below these nodes are newly marked: costs a walk over them and over what was marked.
pub fn mark_pinned_below(
    version: &Version,
    constraints: &ConstraintSet,
    nodes: &[NodeId],
) -> Version {
    let pinned = constraints.pinned_tokens();
    let none = version
        .documents()
        .iter()
        .all(|document| document.root.sums().pinned == 0);
    if pinned.is_empty() && none {
        return version.clone();
    }
    let frozen = constraints.frozen_tokens();
    let marks = |ids: &[TokenId]| {
        let of = |set: &FxHashSet<TokenId>, flag| match ids.iter().any(|id| set.contains(id)) {
            true => flag,
            false => NodeFlags::NONE,
        };
        of(&pinned, NodeFlags::PINNED).union(of(&frozen, NodeFlags::FROZEN))
    };
    let paths = nodes.iter().filter_map(|&node| version.path_to(node));
    let around = paths.flat_map(|path| path.nodes.into_iter().map(|node| node.id));
    let near = MarkScope {
        nodes: nodes.iter().copied().collect(),
        around: around.collect(),
    };
    let documents = version.documents().iter().map(|document| Document {
        root: mark_subtree(&document.root, &near, &marks).unwrap_or_else(|| document.root.clone()),
        ..document.clone()
    });
    version.with_documents(documents.collect())
}

/// Where something may change.
struct MarkScope {
    nodes: FxHashSet<NodeId>,
    /// The nodes and their ancestors.
    around: FxHashSet<NodeId>,
}

/// A node on the way: how many of its children were visited, and those that changed.
struct MarkFrame<'a> {
    node: &'a Arc<ProgramNode>,
    next: usize,
    /// Whether it is one of the nodes to be marked, or inside one.
    inside: bool,
    changed: Vec<(usize, Arc<ProgramNode>)>,
}

/// The node with the marks that `marks` gives its tokens; none if it has them already.
fn mark_subtree(
    root: &Arc<ProgramNode>,
    near: &MarkScope,
    marks: &impl Fn(&[TokenId]) -> NodeFlags,
) -> Option<Arc<ProgramNode>> {
    let mut stack = vec![MarkFrame {
        node: root,
        next: 0,
        inside: near.nodes.contains(&root.id),
        changed: Vec::new(),
    }];
    loop {
        let top = stack.last_mut().expect("left by returning");
        if let Some(child) = top.node.children().get(top.next) {
            top.next += 1;
            let inside = top.inside || near.nodes.contains(&child.id);
            if inside || child.sums().pinned > 0 || near.around.contains(&child.id) {
                stack.push(MarkFrame {
                    node: child,
                    next: 0,
                    inside,
                    changed: Vec::new(),
                });
            }
            continue;
        }
        let frame = stack.pop().expect("just looked at");
        let done = rebuild_marked(&frame, marks);
        match (stack.last_mut(), done) {
            (None, done) => return done,
            (Some(above), Some(node)) => above.changed.push((above.next - 1, node)),
            (Some(_), None) => {}
        }
    }
}

fn rebuild_marked(
    frame: &MarkFrame,
    marks: &impl Fn(&[TokenId]) -> NodeFlags,
) -> Option<Arc<ProgramNode>> {
    let node = frame.node;
    let mut head = node.head();
    if node.shape.is_leaf() {
        let all = NodeFlags::PINNED.union(NodeFlags::FROZEN);
        head.flags = head.flags.difference(all).union(marks(node.ids()));
        return (head.flags != node.flags).then(|| node.with_head(head));
    }
    (!frame.changed.is_empty()).then(|| {
        let mut children = node.children().to_vec();
        for (at, child) in &frame.changed {
            children[*at] = child.clone();
        }
        ProgramNode::new_inner(head, children)
    })
}
