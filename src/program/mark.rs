//! Marking what must stay: pins as flags on leaves, summed up the tree.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::constraints::Constraints;
use super::node::{Body, Flags, Node, TokId};
use super::version::{Document, Version};

/// The same version with the tokens marked that these constraints keep, and no others. Costs a walk over the program, once for a
/// command and once after a parse; nodes keep their identities.
pub fn mark(version: &Version, constraints: &Constraints) -> Version {
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
    let documents = version.documents().iter().map(|document| Document {
        root: marked(&document.root, &marks).unwrap_or_else(|| document.root.clone()),
        ..document.clone()
    });
    version.with_documents(documents.collect())
}

/// A node on the way: how far its children are seen, and those that changed.
struct Frame<'a> {
    node: &'a Arc<Node>,
    next: usize,
    changed: Vec<(usize, Arc<Node>)>,
}

/// The node with the marks that its tokens have by `marks`; none if it has them already.
fn marked(root: &Arc<Node>, marks: &impl Fn(&[TokId]) -> Flags) -> Option<Arc<Node>> {
    let mut stack = vec![Frame {
        node: root,
        next: 0,
        changed: Vec::new(),
    }];
    loop {
        let top = stack.last_mut().expect("left by returning");
        if let Some(kid) = top.node.kids().get(top.next) {
            top.next += 1;
            stack.push(Frame {
                node: kid,
                next: 0,
                changed: Vec::new(),
            });
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
