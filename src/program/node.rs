//! The nodes of a program's tree, in Perses normal form: immutable and shared between versions.

use std::sync::Arc;

use smallvec::SmallVec;

use super::hash::{Gist, Hash};
use super::text::{Span, Text};
use crate::grammar::{Class, ExId};

/// The identity of a node, stable through edits and parses. Nodes of the original are numbered from 1 in document order (a node
/// after its descendants); what comes later has an identity that is a function of the version it was made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u64);

/// The identity of a token: the number of a leaf of the original, comments included, counted from 1; for new text a function of
/// the version and the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokId(pub u64);

/// What a node is in the normal form (Perses, ICSE 2018, §3.1), and so what a reducer may do to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A leaf: a token of the program.
    Token,
    /// A leaf outside the grammar: a comment.
    Extra,
    /// The end of a document: no text, only what stands before it.
    End,
    /// A sequence of parts that the grammar fixes; may be replaced by something that fits its place.
    Regular,
    /// A list of any length: every element may go.
    Star,
    /// A list of at least one element.
    Plus,
    /// A part that may go.
    Opt,
    /// A list with separators: the first element, then [`Shape::Link`]s. At least one element stays.
    Sep,
    /// A separator with the element after it, or one more link of a chain (`else if`).
    Link,
    /// Parts that belong together, such as one round of a list.
    Item,
    /// What the grammar does not explain: any part may be tried.
    Opaque,
    /// A stretch of a long list, so that an edit copies a few dozen children, not sixty thousand. Of no meaning to a reducer.
    Chunk,
}

impl Shape {
    /// Whether the children are the elements of a list.
    pub fn is_list(self) -> bool {
        matches!(self, Shape::Star | Shape::Plus | Shape::Sep | Shape::Opaque)
    }

    /// Whether this is a leaf of the tree.
    pub fn is_leaf(self) -> bool {
        matches!(self, Shape::Token | Shape::Extra | Shape::End)
    }
}

/// Facts about a node that are no part of its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// Nothing special.
    pub const NONE: Flags = Flags(0);
    /// A line marker lies in the white space of this node's text.
    pub const MARKER: Flags = Flags(1);
    /// Of an opaque node: the parser reported an error here. Without it an edit tore the node.
    pub const FAULT: Flags = Flags(2);
    /// A list made of a chain of one recursive kind (`a + b + c`): with one element left it is that element.
    pub const CHAIN: Flags = Flags(4);
    /// A link's node whose tail is the rest of the chain (`else if (…) …`).
    pub const CHAINED: Flags = Flags(8);
    /// A token that is bound to a line is below: a directive, a comment up to the end of its line. Newlines mean something there.
    pub const LINES: Flags = Flags(64);
    /// What a node has from its descendants.
    const INHERITED: Flags = Flags(1 | 64);

    /// The user wants this leaf to stay.
    pub const PINNED: Flags = Flags(16);
    /// The user wants what stands before this leaf to stay as it is.
    pub const FROZEN: Flags = Flags(32);

    /// A piece of what is no text: no white space may come before it.
    pub const RAW: Flags = Flags(128);

    /// Whether all of `other` holds.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of `other` holds.
    pub fn meets(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// What holds of both.
    fn common(self, other: Flags) -> Flags {
        Flags(self.0 & other.0)
    }

    /// All but `other`.
    pub fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }
}

/// What a node knows about all that is below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Tokens; comments are none.
    pub tokens: u32,
    /// Leaves of any kind.
    pub leaves: u32,
    /// Bytes, the white space before each leaf included.
    pub bytes: u32,
    /// Line ends in those bytes.
    pub newlines: u32,
    /// Elements of the list that a chunk is a stretch of; 1 for any other node.
    pub items: u32,
    /// Leaves that must stay.
    pub pinned: u32,
    /// The hash of those bytes.
    pub hash: Hash,
    /// The hash of the leaves' texts, white space left out.
    pub gist: Gist,
    /// Where those bytes stand in the file they came from, if they stand there as one piece: then they can be copied in one go.
    pub span: Option<Span>,
}

impl Sums {
    fn of_leaf(head: Head, trivia: &Text, text: &Text) -> Sums {
        let newlines = |bytes: &[u8]| bytes.iter().filter(|&&b| b == b'\n').count() as u32;
        let own = Hash::of(text);
        Sums {
            tokens: u32::from(head.shape == Shape::Token),
            leaves: 1,
            bytes: (trivia.len() + text.len()) as u32,
            newlines: newlines(trivia) + newlines(text),
            items: 1,
            pinned: u32::from(head.flags.has(Flags::PINNED)),
            hash: Hash::of(trivia).then(own, text.len() as u64),
            gist: Gist::of(own),
            span: trivia.span().then(text.span()),
        }
    }

    fn add(&mut self, next: &Sums) {
        self.tokens += next.tokens;
        self.leaves += next.leaves;
        self.bytes += next.bytes;
        self.newlines += next.newlines;
        self.items += next.items;
        self.pinned += next.pinned;
        self.hash = self.hash.then(next.hash, u64::from(next.bytes));
        self.gist = self.gist.then(next.gist, next.leaves);
        self.span = self
            .span
            .zip(next.span)
            .and_then(|(own, next)| own.then(next));
    }
}

/// A node. Everything but [`Body`] is what its place in the grammar and its descendants say of it.
#[derive(Debug)]
pub struct Node {
    /// Who it is.
    pub id: NodeId,
    /// What may be done to it.
    pub shape: Shape,
    /// Facts of its own, and `MARKER` and `LINES` of what is below.
    pub flags: Flags,
    /// The number of the field it fills in its parent, as tree-sitter counts fields; 0 for none.
    pub field: u16,
    /// The kind of node the parser saw; none for the groups of the normal form.
    pub class: Option<Class>,
    /// The outermost expression of the grammar that this node alone derives: what may stand in its place.
    pub expected: Option<ExId>,
    /// What is below.
    pub sums: Sums,
    /// Text or children.
    pub body: Body,
}

/// What a node consists of.
#[derive(Debug)]
pub enum Body {
    /// A leaf.
    Leaf {
        /// Its identities: several when the parser now reads several old tokens as one.
        ids: SmallVec<[TokId; 1]>,
        /// White space and line markers before it.
        trivia: Text,
        /// The token itself.
        text: Text,
    },
    /// An inner node.
    Inner(Box<[Arc<Node>]>),
}

/// All of a node but its children, its sums and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// See [`Node::id`].
    pub id: NodeId,
    /// See [`Node::shape`].
    pub shape: Shape,
    /// See [`Node::flags`].
    pub flags: Flags,
    /// See [`Node::field`].
    pub field: u16,
    /// See [`Node::class`].
    pub class: Option<Class>,
    /// See [`Node::expected`].
    pub expected: Option<ExId>,
}

impl Head {
    /// A node of this shape and nothing else to say.
    pub fn plain(id: NodeId, shape: Shape) -> Head {
        Head {
            id,
            shape,
            flags: Flags::NONE,
            field: 0,
            class: None,
            expected: None,
        }
    }
}

impl Node {
    /// A leaf. `head.flags` must say whether `trivia` holds a line marker, and whether the token is bound to its line.
    pub fn leaf(head: Head, ids: SmallVec<[TokId; 1]>, trivia: Text, text: Text) -> Arc<Node> {
        let sums = Sums::of_leaf(head, &trivia, &text);
        Node::make(head, sums, Body::Leaf { ids, trivia, text })
    }

    /// An inner node over these children.
    pub fn inner(head: Head, kids: Vec<Arc<Node>>) -> Arc<Node> {
        let mut sums = Sums::default();
        let mut flags = head.flags.without(Flags::INHERITED);
        sums.span = kids.first().and_then(|kid| kid.sums.span.map(Span::start));
        for kid in &kids {
            sums.add(&kid.sums);
            flags = flags.with(kid.flags.common(Flags::INHERITED));
        }
        if head.shape != Shape::Chunk {
            sums.items = 1;
        }
        Node::make(
            Head { flags, ..head },
            sums,
            Body::Inner(kids.into_boxed_slice()),
        )
    }

    fn make(head: Head, sums: Sums, body: Body) -> Arc<Node> {
        let Head {
            id,
            shape,
            flags,
            field,
            class,
            expected,
        } = head;
        Arc::new(Node {
            id,
            shape,
            flags,
            field,
            class,
            expected,
            sums,
            body,
        })
    }

    /// Counts the identities in a tree that nobody else has from so many nodes and tokens on.
    pub(super) fn shift(root: &mut Arc<Node>, nodes: u64, tokens: u64) {
        let mut open = vec![root];
        while let Some(node) = open.pop().and_then(Arc::get_mut) {
            node.id.0 += nodes;
            match &mut node.body {
                Body::Leaf { ids, .. } => ids.iter_mut().for_each(|id| id.0 += tokens),
                Body::Inner(kids) => open.extend(kids.iter_mut()),
            }
        }
    }

    /// Whether the other node and all below it have the same identities, shapes and bytes.
    pub(super) fn is_as(&self, other: &Node) -> bool {
        let mut open = vec![(self, other)];
        while let Some((own, other)) = open.pop() {
            let same = match (&own.body, &other.body) {
                (Body::Inner(own), Body::Inner(other)) => {
                    let pairs = own.iter().zip(other.iter());
                    open.extend(pairs.map(|(own, other)| (&**own, &**other)));
                    own.len() == other.len()
                }
                (
                    Body::Leaf { ids, trivia, text },
                    Body::Leaf {
                        ids: other_ids,
                        trivia: other_trivia,
                        text: other_text,
                    },
                ) => ids == other_ids && trivia == other_trivia && text == other_text,
                _ => false,
            };
            if !same || own.head() != other.head() {
                return false;
            }
        }
        true
    }

    /// All but children, sums and text.
    pub fn head(&self) -> Head {
        let &Node {
            id,
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

    /// The same node with another head.
    pub fn with_head(&self, head: Head) -> Arc<Node> {
        match &self.body {
            Body::Leaf { ids, trivia, text } => {
                Node::leaf(head, ids.clone(), trivia.clone(), text.clone())
            }
            Body::Inner(kids) => Node::inner(head, kids.to_vec()),
        }
    }

    /// The children as they are stored: those of a long list are in chunks.
    pub fn kids(&self) -> &[Arc<Node>] {
        match &self.body {
            Body::Leaf { .. } => &[],
            Body::Inner(kids) => kids,
        }
    }

    /// The text of a leaf without the white space before it; empty for an inner node.
    pub fn text(&self) -> &[u8] {
        match &self.body {
            Body::Leaf { text, .. } => text,
            Body::Inner(_) => &[],
        }
    }

    /// The white space before a leaf; empty for an inner node.
    pub fn trivia(&self) -> &[u8] {
        match &self.body {
            Body::Leaf { trivia, .. } => trivia,
            Body::Inner(_) => &[],
        }
    }

    /// How many elements a list has (chunks looked through), or how many parts another node has.
    pub fn len(&self) -> usize {
        self.kids().iter().map(|kid| kid.sums.items as usize).sum()
    }

    /// Whether it has no parts.
    pub fn is_empty(&self) -> bool {
        self.kids().is_empty()
    }

    /// Whether the list must keep one element.
    pub fn keeps_one(&self) -> bool {
        matches!(self.shape, Shape::Plus | Shape::Sep)
    }
}

impl Drop for Node {
    /// Takes the tree down without recursion: programs nest a hundred thousand deep.
    fn drop(&mut self) {
        let Body::Inner(kids) = &mut self.body else {
            return;
        };
        let mut doomed: Vec<Arc<Node>> = std::mem::take(kids).into_vec();
        while let Some(kid) = doomed.pop() {
            if let Some(mut node) = Arc::into_inner(kid)
                && let Body::Inner(kids) = &mut node.body
            {
                doomed.extend(std::mem::take(kids).into_vec());
            }
        }
    }
}
