//! From drafts to nodes: numbering, and the chunks that make an edit of a long list cheap.

use std::collections::VecDeque;
use std::sync::Arc;

use smallvec::SmallVec;

use super::node::{Flags, Head, Node, NodeId, Shape, TokId};
use super::text::Text;
use crate::grammar::{Class, ExId};

/// Children of a chunk when it is made; a stretch that grows to twice as many is cut up again.
pub const CHUNK: usize = 32;

/// A node that is being put together and has no identity yet.
#[derive(Debug)]
pub struct Draft {
    /// See [`Shape`].
    pub shape: Shape,
    /// See [`Node::flags`].
    pub flags: Flags,
    /// See [`Node::field`].
    pub field: u16,
    /// See [`Node::class`].
    pub class: Option<Class>,
    /// See [`Node::expected`].
    pub expected: Option<ExId>,
    /// Whether it begins a line.
    pub begins_line: bool,
    /// Its identity, once it is sealed.
    id: Option<NodeId>,
    /// Text or children.
    pub body: DraftBody,
}

/// What a draft consists of.
#[derive(Debug)]
pub enum DraftBody {
    /// A leaf: its identities, the white space before it, its text.
    Leaf(SmallVec<[TokId; 1]>, Text, Text),
    /// Children. A queue, because chains grow at either end.
    Inner(VecDeque<Draft>),
    /// The finished children of a sealed draft.
    Sealed(Vec<Arc<Node>>),
}

impl Draft {
    /// An inner draft of this shape. What is opaque here is so by the parser's fault.
    pub fn inner(shape: Shape, kids: impl Into<VecDeque<Draft>>) -> Draft {
        let kids = kids.into();
        let flags = match shape {
            Shape::Opaque => Flags::FAULT,
            _ => Flags::NONE,
        };
        Draft {
            shape,
            flags,
            field: 0,
            class: None,
            expected: None,
            begins_line: kids.front().is_some_and(|first| first.begins_line),
            id: None,
            body: DraftBody::Inner(kids),
        }
    }

    /// A leaf.
    pub fn leaf(shape: Shape, ids: SmallVec<[TokId; 1]>, trivia: Text, text: Text) -> Draft {
        let begins_line = trivia.contains(&b'\n');
        let body = DraftBody::Leaf(ids, trivia, text);
        Draft {
            shape,
            flags: Flags::NONE,
            field: 0,
            class: None,
            expected: None,
            begins_line,
            id: None,
            body,
        }
    }

    /// Its children; none for a leaf, and none to look at any more when it is sealed.
    pub fn kids(&self) -> Option<&VecDeque<Draft>> {
        match &self.body {
            DraftBody::Leaf(..) | DraftBody::Sealed(_) => None,
            DraftBody::Inner(kids) => Some(kids),
        }
    }

    /// Its children, to change.
    pub fn kids_mut(&mut self) -> Option<&mut VecDeque<Draft>> {
        match &mut self.body {
            DraftBody::Leaf(..) | DraftBody::Sealed(_) => None,
            DraftBody::Inner(kids) => Some(kids),
        }
    }

    /// Finishes all that is below, and gives the draft its identity. What stands around it may still say what is expected of it.
    ///
    /// A node costs a third of a draft, so a long document is sealed piece by piece.
    pub fn seal(&mut self, names: &mut impl Names) {
        let kids = self.kids_mut().map(std::mem::take);
        let mut finished = |kid| {
            let kid = finish(kid, names);
            // What is as it was is shared with the version before.
            let before = names.before(kid.id);
            before.filter(|before| before.is_as(&kid)).unwrap_or(kid)
        };
        let kids = kids.map(|kids| kids.into_iter().map(&mut finished).collect());
        self.id = Some(match kids {
            None => names.name(self, &[]),
            Some(kids) => {
                let (id, kids) = adopted(self, kids, names);
                self.body = DraftBody::Sealed(kids);
                id
            }
        });
    }

    /// Counts the identities of a sealed draft, and of all below, from so many nodes and tokens on.
    pub fn shift(&mut self, nodes: u64, tokens: u64) {
        if let Some(id) = &mut self.id {
            id.0 += nodes;
        }
        match &mut self.body {
            DraftBody::Leaf(ids, ..) => ids.iter_mut().for_each(|id| id.0 += tokens),
            DraftBody::Sealed(kids) => kids
                .iter_mut()
                .for_each(|kid| Node::shift(kid, nodes, tokens)),
            DraftBody::Inner(_) => {}
        }
    }

    fn head(&self, id: NodeId) -> Head {
        let &Draft {
            shape,
            flags,
            field,
            class,
            expected,
            ..
        } = self;
        Head {
            id,
            shape,
            flags,
            field,
            class,
            expected,
        }
    }
}

impl Drop for Draft {
    /// Without recursion, as for [`Node`].
    fn drop(&mut self) {
        let DraftBody::Inner(kids) = &mut self.body else {
            return;
        };
        let mut doomed: Vec<Draft> = std::mem::take(kids).into();
        while let Some(mut draft) = doomed.pop() {
            if let DraftBody::Inner(kids) = &mut draft.body {
                doomed.extend(std::mem::take(kids));
            }
        }
    }
}

/// Gives out identities while a tree is finished, and hears who is whose child.
pub trait Names {
    /// The identity of a node whose children are known (they come first).
    fn name(&mut self, draft: &Draft, kids: &[Arc<Node>]) -> NodeId;
    /// The identity of a chunk of these children.
    fn name_chunk(&mut self, kids: &[Arc<Node>]) -> NodeId;
    /// `parent` has these children now.
    fn adopt(&mut self, parent: NodeId, kids: &[Arc<Node>]);
    /// The node of this identity, if there was one before.
    fn before(&self, _: NodeId) -> Option<Arc<Node>> {
        None
    }
}

/// Makes nodes of a draft, children first.
pub fn finish(root: Draft, names: &mut impl Names) -> Arc<Node> {
    struct Frame {
        draft: Draft,
        todo: std::collections::vec_deque::IntoIter<Draft>,
        done: Vec<Arc<Node>>,
    }
    let open = |mut draft: Draft| {
        let todo = draft
            .kids_mut()
            .map(std::mem::take)
            .unwrap_or_default()
            .into_iter();
        Frame {
            draft,
            todo,
            done: Vec::new(),
        }
    };
    let mut stack = vec![open(root)];
    loop {
        let top = stack
            .last_mut()
            .expect("the root's frame is left by returning");
        if let Some(kid) = top.todo.next() {
            stack.push(open(kid));
            continue;
        }
        let Some(Frame { draft, done, .. }) = stack.pop() else {
            unreachable!("checked above")
        };
        let node = close(draft, done, names);
        match stack.last_mut() {
            Some(parent) => parent.done.push(node),
            None => return node,
        }
    }
}

fn close(mut draft: Draft, kids: Vec<Arc<Node>>, names: &mut impl Names) -> Arc<Node> {
    let (id, kids) = match (draft.id, &mut draft.body) {
        (id, DraftBody::Leaf(ids, trivia, text)) => {
            let (ids, trivia, text) = (ids.clone(), trivia.clone(), text.clone());
            let id = id.unwrap_or_else(|| names.name(&draft, &[]));
            return Node::leaf(draft.head(id), ids, trivia, text);
        }
        (Some(id), DraftBody::Sealed(kids)) => (id, std::mem::take(kids)),
        _ => adopted(&draft, kids, names),
    };
    Node::inner(draft.head(id), kids)
}

/// The identity of an inner draft, and its children as they are stored.
fn adopted(
    draft: &Draft,
    kids: Vec<Arc<Node>>,
    names: &mut impl Names,
) -> (NodeId, Vec<Arc<Node>>) {
    let kids = if draft.shape.is_list() {
        chunked(kids, names)
    } else {
        kids
    };
    let id = names.name(draft, &kids);
    names.adopt(id, &kids);
    (id, kids)
}

/// Puts a long row of children into chunks, level by level, until few are left.
pub fn chunked(mut kids: Vec<Arc<Node>>, names: &mut impl Names) -> Vec<Arc<Node>> {
    while kids.len() > 2 * CHUNK {
        let mut level = Vec::with_capacity(kids.len() / CHUNK + 1);
        let mut row = kids.into_iter().peekable();
        while row.peek().is_some() {
            let stretch: Vec<_> = row.by_ref().take(CHUNK).collect();
            let id = names.name_chunk(&stretch);
            names.adopt(id, &stretch);
            level.push(Node::inner(Head::plain(id, Shape::Chunk), stretch));
        }
        kids = level;
    }
    kids
}

/// The last child of a draft.
pub fn last_kid(draft: &Draft) -> Option<&Draft> {
    draft.kids()?.back()
}

/// The last child of a draft, to change.
pub fn last_kid_mut(draft: &mut Draft) -> Option<&mut Draft> {
    draft.kids_mut()?.back_mut()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_of_any_depth_can_be_dropped() {
        let mut draft = Draft::leaf(Shape::Token, SmallVec::new(), Text::empty(), Text::empty());
        for _ in 0..100_000 {
            draft = Draft::inner(Shape::Regular, [draft]);
        }
        drop(draft);
    }
}
