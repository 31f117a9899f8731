//! Marking what must stay: pins as flags on leaves, summed up the tree.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::constraints::Constraints;
use super::node::{Body, Flags, Node, NodeId, TokId};
use super::version::{Document, Version};

/// The same version with the tokens marked that these constraints keep, and no others. Costs a walk over the program; nodes keep their
/// identities.
pub fn mark(version: &Version, constraints: &Constraints) -> Version {
    let roots = version.documents().iter().map(|document| document.root.id);
    mark_near(version, constraints, &roots.collect::<Vec<_>>())
}

/// The same where it is known that only tokens below these nodes are to be marked newly: costs a walk over them and over what was marked.
pub fn mark_near(version: &Version, constraints: &Constraints, nodes: &[NodeId]) -> Version {
    let pinned = constraints.pinned();
    let none = version
        .documents()
        .iter()
        .all(|document| document.root.sums.pinned == 0);
    if pinned.is_empty() && none {
        return version.clone();
    }
    let frozen = constraints.frozen();
    let marks = |ids: &[TokId]| {
        let of = |set: &FxHashSet<TokId>, flag| match ids.iter().any(|id| set.contains(id)) {
            true => flag,
            false => Flags::NONE,
        };
        of(&pinned, Flags::PINNED).with(of(&frozen, Flags::FROZEN))
    };
    let trails = nodes.iter().filter_map(|&node| version.trail(node));
    let around = trails.flat_map(|trail| trail.nodes.into_iter().map(|node| node.id));
    let near = Near {
        nodes: nodes.iter().copied().collect(),
        around: around.collect(),
    };
    let documents = version.documents().iter().map(|document| Document {
        root: marked(&document.root, &near, &marks).unwrap_or_else(|| document.root.clone()),
        ..document.clone()
    });
    version.with_documents(documents.collect())
}

/// Where something may change.
struct Near {
    nodes: FxHashSet<NodeId>,
    /// The nodes, and what is around them.
    around: FxHashSet<NodeId>,
}

/// A node on the way: how far its children are seen, and those that changed.
struct Frame<'a> {
    node: &'a Arc<Node>,
    next: usize,
    /// Whether it is one of the nodes to be marked, or inside of one.
    inside: bool,
    changed: Vec<(usize, Arc<Node>)>,
}

/// The node with the marks that its tokens have by `marks`; none if it has them already.
fn marked(root: &Arc<Node>, near: &Near, marks: &impl Fn(&[TokId]) -> Flags) -> Option<Arc<Node>> {
    let mut stack = vec![Frame {
        node: root,
        next: 0,
        inside: near.nodes.contains(&root.id),
        changed: Vec::new(),
    }];
    loop {
        let top = stack.last_mut().expect("left by returning");
        if let Some(kid) = top.node.kids().get(top.next) {
            top.next += 1;
            let inside = top.inside || near.nodes.contains(&kid.id);
            if inside || kid.sums.pinned > 0 || near.around.contains(&kid.id) {
                stack.push(Frame {
                    node: kid,
                    next: 0,
                    inside,
                    changed: Vec::new(),
                });
            }
            continue;
        }
        let frame = stack.pop().expect("just looked at");
        let done = close(&frame, marks);
        match (stack.last_mut(), done) {
            (None, done) => return done,
            (Some(above), Some(node)) => above.changed.push((above.next - 1, node)),
            (Some(_), None) => {}
        }
    }
}

fn close(frame: &Frame, marks: &impl Fn(&[TokId]) -> Flags) -> Option<Arc<Node>> {
    let node = frame.node;
    let mut head = node.head();
    match &node.body {
        Body::Leaf { ids, .. } => {
            let all = Flags::PINNED.with(Flags::FROZEN);
            head.flags = head.flags.without(all).with(marks(ids));
            (head.flags != node.flags).then(|| node.with_head(head))
        }
        Body::Inner(kids) if !frame.changed.is_empty() => {
            let mut kids = kids.to_vec();
            for (at, kid) in &frame.changed {
                kids[*at] = kid.clone();
            }
            Some(Node::inner(head, kids))
        }
        Body::Inner(_) => None,
    }
}
