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
}

impl Draft {
    /// An inner draft of this shape.
    pub fn inner(shape: Shape, kids: impl Into<VecDeque<Draft>>) -> Draft {
        let body = DraftBody::Inner(kids.into());
        Draft {
            shape,
            flags: Flags::NONE,
            field: 0,
            class: None,
            expected: None,
            body,
        }
    }

    /// A leaf.
    pub fn leaf(shape: Shape, ids: SmallVec<[TokId; 1]>, trivia: Text, text: Text) -> Draft {
        let body = DraftBody::Leaf(ids, trivia, text);
        Draft {
            shape,
            flags: Flags::NONE,
            field: 0,
            class: None,
            expected: None,
            body,
        }
    }

    /// Its children; none for a leaf.
    pub fn kids(&self) -> Option<&VecDeque<Draft>> {
        match &self.body {
            DraftBody::Leaf(..) => None,
            DraftBody::Inner(kids) => Some(kids),
        }
    }

    /// Its children, to change.
    pub fn kids_mut(&mut self) -> Option<&mut VecDeque<Draft>> {
        match &mut self.body {
            DraftBody::Leaf(..) => None,
            DraftBody::Inner(kids) => Some(kids),
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

fn close(draft: Draft, kids: Vec<Arc<Node>>, names: &mut impl Names) -> Arc<Node> {
    if let DraftBody::Leaf(ids, trivia, text) = &draft.body {
        return Node::leaf(
            draft.head(names.name(&draft, &[])),
            ids.clone(),
            trivia.clone(),
            text.clone(),
        );
    }
    let kids = if draft.shape.is_list() {
        chunked(kids, names)
    } else {
        kids
    };
    let id = names.name(&draft, &kids);
    names.adopt(id, &kids);
    Node::inner(draft.head(id), kids)
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
