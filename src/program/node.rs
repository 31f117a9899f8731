//! The nodes of a program's tree, in Perses normal form: immutable and shared between versions.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use super::hash::{ContentHash, TokenHash};
use super::text::{SharedBytes, SharedText, SourceSpan};
use crate::grammar::{ExprId, NodeClass};

/// The identity of a node, stable through edits and parses. Nodes of the original are numbered from 1 in document order (a node after its
/// descendants). The identity of a later node is a function of the version that it was made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u64);

/// The identity of a token: for the original, the number of a leaf, comments included, counted from 1; for new text, a function of the
/// version and the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenId(pub u64);

/// Identities of nodes and tokens that are not of the original have this bit.
pub const FRESH_BIT: u64 = 1 << 63;

/// What a node is in the normal form (Perses, ICSE 2018, §3.1), which determines what a reducer may do to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeShape {
    /// A leaf: a token of the program.
    Token,
    /// A leaf outside the grammar: a comment.
    Extra,
    /// The end of a document: empty text, and the white space before it.
    End,
    /// A sequence of parts that the grammar fixes. Something that fits its place may replace it.
    Regular,
    /// A list of any length: every element may be removed.
    Star,
    /// A list of at least one element.
    Plus,
    /// A part that may be removed.
    Opt,
    /// A list with separators: the first element, then [`NodeShape::Link`]s. At least one element stays.
    Sep,
    /// A separator with the element after it, or one more link of a chain (`else if`).
    Link,
    /// Parts that belong together, such as one round of a list.
    Item,
    /// What the grammar does not explain: any part may be removed.
    Opaque,
    /// A part of a long list, so that an edit copies a few dozen children instead of sixty thousand. It has no meaning for a reducer.
    Chunk,
}

impl NodeShape {
    /// Whether the children are the elements of a list.
    pub fn is_list(self) -> bool {
        matches!(
            self,
            NodeShape::Star | NodeShape::Plus | NodeShape::Sep | NodeShape::Opaque
        )
    }

    /// Whether this is a leaf of the tree.
    pub fn is_leaf(self) -> bool {
        matches!(self, NodeShape::Token | NodeShape::Extra | NodeShape::End)
    }
}

/// Facts about a node besides its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeFlags(u8);

impl NodeFlags {
    /// Nothing special.
    pub const NONE: NodeFlags = NodeFlags(0);
    /// A line marker lies in the white space of this node's text.
    pub const MARKER: NodeFlags = NodeFlags(1);
    /// Of an opaque node: the parser reported an error here. An opaque node without it is incomplete because of an edit.
    pub const FAULT: NodeFlags = NodeFlags(2);
    /// Of an optional part and its tokens: the parser does not see them ([`Language::mask_text`](crate::language::Language::mask_text)). The bit has
    /// the other meaning in opaque nodes only.
    pub const HIDDEN: NodeFlags = NodeFlags(2);
    /// A list made of a chain of one recursive kind (`a + b + c`). With one element left it becomes that element.
    pub const CHAIN: NodeFlags = NodeFlags(4);
    /// A link's node whose tail is the rest of the chain (`else if (…) …`).
    pub const CHAINED: NodeFlags = NodeFlags(8);
    /// A token below is bound to a line: a directive, or a comment up to the end of its line. Newlines mean something there.
    pub const LINES: NodeFlags = NodeFlags(64);
    /// The flags that a node inherits from its descendants.
    const INHERITED: NodeFlags = NodeFlags(1 | 64);

    /// The user wants this leaf to stay.
    pub const PINNED: NodeFlags = NodeFlags(16);
    /// The user wants the white space before this leaf to stay as it is.
    pub const FROZEN: NodeFlags = NodeFlags(32);

    /// A piece of binary data: no white space may be inserted before it.
    pub const RAW: NodeFlags = NodeFlags(128);
    /// Of an inner node, where it has the place of [`NodeFlags::RAW`]: a part that the parser requires is absent in it or below it, or was once
    /// (`stand_ins.rs`).
    pub const LACKING: NodeFlags = NodeFlags(128);

    /// Whether all of `other` holds.
    pub fn contains(self, other: NodeFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of `other` holds.
    pub fn intersects(self, other: NodeFlags) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    pub fn union(self, other: NodeFlags) -> NodeFlags {
        NodeFlags(self.0 | other.0)
    }

    /// What holds of both.
    fn intersection(self, other: NodeFlags) -> NodeFlags {
        NodeFlags(self.0 & other.0)
    }

    /// All flags but those of `other`.
    pub fn difference(self, other: NodeFlags) -> NodeFlags {
        NodeFlags(self.0 & !other.0)
    }
}

/// What a node knows about all that is below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubtreeSums {
    /// Tokens, without comments.
    pub tokens: u32,
    /// Leaves of any kind.
    pub leaves: u32,
    /// Bytes, the white space before each leaf included.
    pub bytes: u32,
    /// Line ends in those bytes.
    pub newlines: u32,
    /// The elements below a chunk of a list; 1 for any other node.
    pub items: u32,
    /// Leaves that must stay.
    pub pinned: u32,
}

impl SubtreeSums {
    fn append_sums(&mut self, next: &SubtreeSums) {
        self.tokens += next.tokens;
        self.leaves += next.leaves;
        self.bytes += next.bytes;
        self.newlines += next.newlines;
        self.items += next.items;
        self.pinned += next.pinned;
    }
}

/// What a node knows about the text of all below it. A leaf derives it from its text, so that it needs no room there.
#[derive(Clone, Copy, Debug, Default)]
struct SubtreeText {
    /// The hash of the bytes.
    hash: ContentHash,
    /// The hash of the leaves' texts, white space left out.
    token_hash: TokenHash,
    /// Where the bytes stand in their file, if they stand there as one piece.
    span: Option<SourceSpan>,
}

impl SubtreeText {
    fn from_leaf(trivia: &[u8], text: &[u8], span: Option<SourceSpan>) -> SubtreeText {
        let own = ContentHash::from_bytes(text);
        SubtreeText {
            hash: ContentHash::from_bytes(trivia).followed_by(own, text.len() as u64),
            token_hash: TokenHash::from_text_hash(own),
            span,
        }
    }

    fn append_text(&mut self, next: &SubtreeText, sums: &SubtreeSums) {
        self.hash = self.hash.followed_by(next.hash, u64::from(sums.bytes));
        self.token_hash = self.token_hash.followed_by(next.token_hash, sums.leaves);
        self.span = self
            .span
            .zip(next.span)
            .and_then(|(own, next)| own.followed_by(next));
    }
}

/// A node. Everything but its text or its children follows from its place in the grammar and its descendants.
///
/// Leaves are more than half of all nodes, so a node is as large as a leaf must be, and most of what an inner node knows of all below is in a place of its own.
#[derive(Debug)]
pub struct ProgramNode {
    /// Its identity.
    pub id: NodeId,
    /// Its shape, which determines what may be done to it.
    pub shape: NodeShape,
    /// Facts about the node itself, and `MARKER`, `LINES` and `LACKING` of all below.
    pub flags: NodeFlags,
    /// The number of the field that it fills in its parent, as tree-sitter numbers fields; 0 for none.
    pub field: u16,
    /// The kind of node in the parser's tree; none for the groups of the normal form.
    pub class: Option<NodeClass>,
    /// The outermost expression of the grammar that this node alone derives: its replacements must fit this expression.
    pub expected: Option<ExprId>,
    /// Line ends in the bytes of all below.
    newlines: u32,
    /// Text or children.
    body: NodeBody,
}

/// What a node consists of.
#[derive(Debug)]
enum NodeBody {
    Leaf(LeafBody),
    Inner {
        /// See [`SubtreeSums::tokens`]. There is room for these two here.
        tokens: u32,
        /// See [`SubtreeSums::leaves`].
        leaves: u32,
        inner: Box<InnerBody>,
    },
}

/// What a leaf consists of: its identities, the white space before it, and its text.
#[derive(Debug)]
pub struct LeafBody(LeafForm);

#[derive(Debug)]
enum LeafForm {
    /// A short leaf of one token, whose text stands in its source behind the white space before it: nearly all are like that.
    Short {
        token: TokenId,
        source: SharedBytes,
        text_start: u32,
        trivia_length: u16,
        text_length: u8,
    },
    /// Any other leaf.
    Other(Box<OtherLeaf>),
}

/// A leaf whose white space is new, the end of a document, a token that the parser reads where there were several, or a long one.
#[derive(Clone, Debug)]
struct OtherLeaf {
    ids: Box<[TokenId]>,
    trivia: SharedText,
    text: SharedText,
}

/// The children of an inner node, and what it knows of all below it, but for what the node says itself.
#[derive(Debug)]
struct InnerBody {
    children: NodeChildren,
    /// See [`SubtreeText::hash`].
    hash: ContentHash,
    /// See [`SubtreeText::token_hash`].
    token_hash: TokenHash,
    /// The source of [`SubtreeText::span`], if there is one, and where in it that begins. It has as many bytes as the node.
    source: Option<NonZeroUsize>,
    start: u32,
    /// See [`SubtreeSums::bytes`].
    bytes: u32,
    /// See [`SubtreeSums::items`].
    items: u32,
    /// See [`SubtreeSums::pinned`].
    pinned: u32,
}

/// The children of an inner node. Where it has one, which many have, they need no place of their own.
#[derive(Debug)]
enum NodeChildren {
    One(Arc<ProgramNode>),
    Many(Box<[Arc<ProgramNode>]>),
}

impl NodeChildren {
    fn new(children: Vec<Arc<ProgramNode>>) -> NodeChildren {
        match <[_; 1]>::try_from(children) {
            Ok([only]) => NodeChildren::One(only),
            Err(children) => NodeChildren::Many(children.into_boxed_slice()),
        }
    }

    fn as_slice(&self) -> &[Arc<ProgramNode>] {
        match self {
            NodeChildren::One(only) => std::slice::from_ref(only),
            NodeChildren::Many(children) => children,
        }
    }

    fn as_mut_slice(&mut self) -> &mut [Arc<ProgramNode>] {
        match self {
            NodeChildren::One(only) => std::slice::from_mut(only),
            NodeChildren::Many(children) => children,
        }
    }

    /// Moves all of them there.
    fn move_to(&mut self, doomed: &mut Vec<Arc<ProgramNode>>) {
        match std::mem::replace(self, NodeChildren::Many(Box::default())) {
            NodeChildren::One(only) => doomed.push(only),
            NodeChildren::Many(children) => doomed.extend(children),
        }
    }
}

impl InnerBody {
    fn span(&self) -> Option<SourceSpan> {
        let source = self.source?;
        Some(SourceSpan::with_length(source, self.start, self.bytes))
    }
}

impl LeafBody {
    /// A leaf of these texts.
    pub fn new(ids: &[TokenId], trivia: SharedText, text: SharedText) -> LeafBody {
        let is_together = trivia.span().followed_by(text.span()).is_some();
        if is_together {
            let (from, range) = (trivia.span().range().start, text.span().range());
            return LeafBody::in_source(ids, &text.into_source(), from, range);
        }
        LeafBody(LeafForm::Other(Box::new(OtherLeaf {
            ids: ids.into(),
            trivia,
            text,
        })))
    }

    /// The leaf at this place of a source, and the white space from `from` on before it.
    pub fn in_source(
        ids: &[TokenId],
        source: &SharedBytes,
        from: usize,
        range: Range<usize>,
    ) -> LeafBody {
        let lengths = (u16::try_from(range.start - from), u8::try_from(range.len()));
        LeafBody(match (ids, lengths) {
            (&[token], (Ok(trivia_length), Ok(text_length))) => LeafForm::Short {
                token,
                source: source.clone(),
                text_start: range.start as u32,
                trivia_length,
                text_length,
            },
            _ => LeafForm::Other(Box::new(OtherLeaf {
                ids: ids.into(),
                trivia: SharedText::from_source(source, from..range.start),
                text: SharedText::from_source(source, range),
            })),
        })
    }

    /// See [`ProgramNode::ids`].
    pub fn ids(&self) -> &[TokenId] {
        match &self.0 {
            LeafForm::Short { token, .. } => std::slice::from_ref(token),
            LeafForm::Other(leaf) => &leaf.ids,
        }
    }

    /// See [`ProgramNode::text`].
    pub fn text(&self) -> &[u8] {
        match &self.0 {
            &LeafForm::Short {
                ref source,
                text_start,
                text_length,
                ..
            } => &source[text_start as usize..][..text_length.into()],
            LeafForm::Other(leaf) => &leaf.text,
        }
    }

    /// See [`ProgramNode::trivia`].
    pub fn trivia(&self) -> &[u8] {
        match &self.0 {
            &LeafForm::Short {
                ref source,
                text_start,
                trivia_length,
                ..
            } => {
                let end = text_start as usize;
                &source[end - usize::from(trivia_length)..end]
            }
            LeafForm::Other(leaf) => &leaf.trivia,
        }
    }

    /// Where the white space and the text stand in their files.
    pub fn spans(&self) -> [SourceSpan; 2] {
        match &self.0 {
            &LeafForm::Short {
                ref source,
                text_start: start,
                trivia_length,
                text_length,
                ..
            } => [
                SourceSpan::new(source, start - u32::from(trivia_length)..start),
                SourceSpan::new(source, start..start + u32::from(text_length)),
            ],
            LeafForm::Other(leaf) => [leaf.trivia.span(), leaf.text.span()],
        }
    }

    /// See [`ProgramNode::leaf_texts`].
    fn texts(&self) -> (SharedText, SharedText) {
        match &self.0 {
            LeafForm::Short { source, .. } => {
                let text = |span: SourceSpan| SharedText::from_source(source, span.range());
                let [trivia, own] = self.spans().map(text);
                (trivia, own)
            }
            LeafForm::Other(leaf) => (leaf.trivia.clone(), leaf.text.clone()),
        }
    }

    fn source(&self) -> &SharedBytes {
        match &self.0 {
            LeafForm::Short { source, .. } => source,
            LeafForm::Other(leaf) => leaf.text.source(),
        }
    }

    /// Where the white space and the text stand in their file, if they stand there as one piece.
    fn whole_span(&self) -> Option<SourceSpan> {
        let [trivia, text] = self.spans();
        trivia.followed_by(text)
    }

    /// Adds this offset to its identities.
    pub fn shift_ids(&mut self, tokens: u64) {
        match &mut self.0 {
            LeafForm::Short { token, .. } => token.0 += tokens,
            LeafForm::Other(leaf) => leaf.ids.iter_mut().for_each(|id| id.0 += tokens),
        }
    }
}

// A program of ten megabytes has five million nodes, so each byte of a node is five megabytes. Two million of them are inner nodes.
const _: () = assert!(size_of::<ProgramNode>() <= 48 && size_of::<InnerBody>() <= 64);

/// All of a node but its children, its sums and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeHead {
    /// See [`ProgramNode::id`].
    pub id: NodeId,
    /// See [`ProgramNode::shape`].
    pub shape: NodeShape,
    /// See [`ProgramNode::flags`].
    pub flags: NodeFlags,
    /// See [`ProgramNode::field`].
    pub field: u16,
    /// See [`ProgramNode::class`].
    pub class: Option<NodeClass>,
    /// See [`ProgramNode::expected`].
    pub expected: Option<ExprId>,
}

impl NodeHead {
    /// A node with this shape and nothing else.
    pub fn with_shape(id: NodeId, shape: NodeShape) -> NodeHead {
        NodeHead {
            id,
            shape,
            flags: NodeFlags::NONE,
            field: 0,
            class: None,
            expected: None,
        }
    }
}

impl ProgramNode {
    /// A leaf with these identities: several where the parser reads several old tokens as one, and none at the end of a document. `head.flags`
    /// must say whether `trivia` holds a line marker, and whether the token is bound to its line.
    pub fn new_leaf(
        head: NodeHead,
        ids: &[TokenId],
        trivia: SharedText,
        text: SharedText,
    ) -> Arc<ProgramNode> {
        ProgramNode::from_leaf(head, LeafBody::new(ids, trivia, text))
    }

    /// The same of what it consists of.
    pub(super) fn from_leaf(head: NodeHead, leaf: LeafBody) -> Arc<ProgramNode> {
        let newlines = count_newlines(leaf.trivia()) + count_newlines(leaf.text());
        ProgramNode::from_parts(head, newlines, NodeBody::Leaf(leaf))
    }

    /// An inner node over these children.
    pub fn new_inner(head: NodeHead, children: Vec<Arc<ProgramNode>>) -> Arc<ProgramNode> {
        let (mut sums, mut text) = (SubtreeSums::default(), SubtreeText::default());
        let mut flags = head.flags.difference(NodeFlags::INHERITED);
        for (at, child) in children.iter().enumerate() {
            let own = child.subtree_text();
            if at == 0 {
                text.span = own.span.map(SourceSpan::empty_at_start);
            }
            let below = child.sums();
            text.append_text(&own, &below);
            sums.append_sums(&below);
            let inherited = match child.shape.is_leaf() {
                true => NodeFlags::INHERITED,
                false => NodeFlags::INHERITED.union(NodeFlags::LACKING),
            };
            flags = flags.union(child.flags.intersection(inherited));
        }
        if head.shape != NodeShape::Chunk {
            sums.items = 1;
        }
        ProgramNode::from_parts(
            NodeHead { flags, ..head },
            sums.newlines,
            NodeBody::Inner {
                tokens: sums.tokens,
                leaves: sums.leaves,
                inner: Box::new(InnerBody {
                    children: NodeChildren::new(children),
                    hash: text.hash,
                    token_hash: text.token_hash,
                    source: text.span.map(SourceSpan::source),
                    start: text.span.map_or(0, SourceSpan::start),
                    bytes: sums.bytes,
                    items: sums.items,
                    pinned: sums.pinned,
                }),
            },
        )
    }

    fn from_parts(head: NodeHead, newlines: u32, body: NodeBody) -> Arc<ProgramNode> {
        let NodeHead {
            id,
            shape,
            flags,
            field,
            class,
            expected,
        } = head;
        Arc::new(ProgramNode {
            id,
            shape,
            flags,
            field,
            class,
            expected,
            newlines,
            body,
        })
    }

    /// Adds these offsets to the node and token identities of a tree that is not shared.
    pub(super) fn shift_ids(root: &mut Arc<ProgramNode>, nodes: u64, tokens: u64) {
        let mut open = vec![root];
        while let Some(node) = open.pop().and_then(Arc::get_mut) {
            node.id.0 += nodes;
            match &mut node.body {
                NodeBody::Leaf(leaf) => leaf.shift_ids(tokens),
                NodeBody::Inner { inner, .. } => open.extend(inner.children.as_mut_slice()),
            }
        }
    }

    /// Whether the other node and all below it have the same identities, shapes and bytes.
    pub(super) fn is_identical(&self, other: &ProgramNode) -> bool {
        let mut open = vec![(self, other)];
        while let Some((own, other)) = open.pop() {
            let same = match own.shape.is_leaf() {
                true => {
                    own.ids() == other.ids()
                        && own.trivia() == other.trivia()
                        && own.text() == other.text()
                }
                false => {
                    let pairs = own.children().iter().zip(other.children());
                    open.extend(pairs.map(|(own, other)| (&**own, &**other)));
                    own.children().len() == other.children().len()
                }
            };
            if !same || own.head() != other.head() {
                return false;
            }
        }
        true
    }

    /// All but children, sums and text.
    pub fn head(&self) -> NodeHead {
        let &ProgramNode {
            id,
            shape,
            flags,
            field,
            class,
            expected,
            ..
        } = self;
        NodeHead {
            id,
            shape,
            flags,
            field,
            class,
            expected,
        }
    }

    /// The same node with another head.
    pub fn with_head(&self, head: NodeHead) -> Arc<ProgramNode> {
        match self.leaf_texts() {
            Some((trivia, text)) => ProgramNode::new_leaf(head, self.ids(), trivia, text),
            None => ProgramNode::new_inner(head, self.children().to_vec()),
        }
    }

    /// What it knows of all below.
    pub fn sums(&self) -> SubtreeSums {
        match &self.body {
            &NodeBody::Inner {
                tokens,
                leaves,
                ref inner,
            } => SubtreeSums {
                tokens,
                leaves,
                bytes: inner.bytes,
                newlines: self.newlines,
                items: inner.items,
                pinned: inner.pinned,
            },
            NodeBody::Leaf(leaf) => SubtreeSums {
                tokens: u32::from(self.shape == NodeShape::Token),
                leaves: 1,
                bytes: (leaf.trivia().len() + leaf.text().len()) as u32,
                newlines: self.newlines,
                items: 1,
                pinned: u32::from(self.flags.contains(NodeFlags::PINNED)),
            },
        }
    }

    /// The children as they are stored: those of a long list are in chunks.
    pub fn children(&self) -> &[Arc<ProgramNode>] {
        match &self.body {
            NodeBody::Leaf(_) => &[],
            NodeBody::Inner { inner, .. } => inner.children.as_slice(),
        }
    }

    fn leaf(&self) -> Option<&LeafBody> {
        match &self.body {
            NodeBody::Leaf(leaf) => Some(leaf),
            NodeBody::Inner { .. } => None,
        }
    }

    /// The identities of a leaf: one for most; several when the parser now reads several old tokens as one; none for an inner node.
    pub fn ids(&self) -> &[TokenId] {
        self.leaf().map_or(&[], LeafBody::ids)
    }

    /// The text of a leaf without the white space before it; empty for an inner node.
    pub fn text(&self) -> &[u8] {
        self.leaf().map_or(&[], LeafBody::text)
    }

    /// The white space and line markers before a leaf; empty for an inner node.
    pub fn trivia(&self) -> &[u8] {
        self.leaf().map_or(&[], LeafBody::trivia)
    }

    /// Of a leaf, the white space before it and its text, which share the bytes of their files.
    pub fn leaf_texts(&self) -> Option<(SharedText, SharedText)> {
        self.leaf().map(LeafBody::texts)
    }

    fn subtree_text(&self) -> SubtreeText {
        match &self.body {
            NodeBody::Inner { inner, .. } => SubtreeText {
                hash: inner.hash,
                token_hash: inner.token_hash,
                span: inner.span(),
            },
            NodeBody::Leaf(leaf) => {
                SubtreeText::from_leaf(leaf.trivia(), leaf.text(), leaf.whole_span())
            }
        }
    }

    /// The hash of all bytes below, the white space before each leaf included.
    pub fn content_hash(&self) -> ContentHash {
        self.subtree_text().hash
    }

    /// The hash of the texts of all leaves below, white space left out.
    pub fn token_hash(&self) -> TokenHash {
        self.subtree_text().token_hash
    }

    /// Where all bytes below stand in their file, if they stand there as one piece: then they can be copied at once.
    pub fn span(&self) -> Option<SourceSpan> {
        match &self.body {
            NodeBody::Leaf(leaf) => leaf.whole_span(),
            NodeBody::Inner { inner, .. } => inner.span(),
        }
    }

    /// Of a leaf, where the white space before it and its text stand in their files.
    pub fn leaf_spans(&self) -> Option<[SourceSpan; 2]> {
        self.leaf().map(LeafBody::spans)
    }

    /// The bytes at this place, if a leaf is of the same source.
    pub fn source_bytes(&self, span: SourceSpan) -> Option<&[u8]> {
        span.bytes_in(self.leaf()?.source())
    }

    /// How many elements a list has (chunks looked through), or how many parts another node has.
    pub fn len(&self) -> usize {
        self.children()
            .iter()
            .map(|child| child.sums().items as usize)
            .sum()
    }

    /// Whether it has no parts.
    pub fn is_empty(&self) -> bool {
        self.children().is_empty()
    }

    /// Whether the list must keep one element.
    pub fn must_keep_one(&self) -> bool {
        matches!(self.shape, NodeShape::Plus | NodeShape::Sep)
    }
}

impl Drop for ProgramNode {
    /// Drops the tree without recursion: programs nest a hundred thousand deep.
    fn drop(&mut self) {
        let NodeBody::Inner { inner, .. } = &mut self.body else {
            return;
        };
        let mut doomed = Vec::new();
        inner.children.move_to(&mut doomed);
        while let Some(child) = doomed.pop() {
            if let Some(mut node) = Arc::into_inner(child)
                && let NodeBody::Inner { inner, .. } = &mut node.body
            {
                inner.children.move_to(&mut doomed);
            }
        }
    }
}

fn count_newlines(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u32
}
