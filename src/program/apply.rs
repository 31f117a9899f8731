//! Making an edit: a new version that shares all but the paths to the places that change.
//!
//! The work is in proportion to the edit and its depth in the tree, never to the program. It has three steps: *plan* finds each
//! place and what becomes of it, *rebuild* copies the paths to the places, bottom up, and *seams* mends the white space where
//! something went (see [`super::seam`]).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::build::{CHUNK, Draft, Names, chunked};
use super::edit::{Change, Edit, EditError, Indices, Op, Piece};
use super::node::{Flags, Head, Node, NodeId, Shape};
use super::piece::{self, Piecework};
use super::seam::Gaps;
use super::version::{Document, Parents, Trail, Version};
use super::walk;

/// The version that `edit` makes of `base`, without the parser's trees.
///
/// # Errors
/// When the edit names what is not there, when two of its changes meet, or when the grammar does not allow what would be left.
pub fn apply(base: &Version, edit: &Edit) -> Result<(Version, Change), EditError> {
    if let [Op::Rewrite(texts)] = &edit.ops[..] {
        let version = super::rewrite::rewrite(base, texts)?;
        let (edit, came) = (edit.clone(), Arc::default());
        return Ok((version, Change { edit, came }));
    }
    let mut plan = Plan::default();
    let mut strip = false;
    for op in &edit.ops {
        match op {
            Op::Delete(node) => plan.put(base, *node, Fate::Go)?,
            Op::DeleteItems { list, items } => plan.put_items(base, *list, items)?,
            Op::Replace { node, piece } => plan.put_piece(base, *node, piece)?,
            Op::StripMarkers => strip = true,
            Op::Rewrite(_) => return Err(EditError::Overlap),
        }
    }
    let mut parents = base.parents().clone();
    let salt = base.hash();
    let mut documents = Vec::with_capacity(base.documents().len());
    let mut fresh = Fresh {
        salt,
        made: plan.made,
        parents: &mut parents,
    };
    for document in base.documents() {
        let mut root = document.root.clone();
        if plan.fates.contains_key(&root.id) {
            root = Rebuild {
                document,
                plan: &plan.fates,
                fresh: &mut fresh,
                gaps: Gaps::default(),
            }
            .run()?;
        }
        if strip && root.flags.has(Flags::MARKER) {
            root = super::seam::strip_markers(document, &root);
        }
        documents.push(Document {
            root,
            ..document.clone()
        });
    }
    let version = base.edited(edit, documents, parents);
    let (edit, came) = (edit.clone(), plan.came.into());
    Ok((version, Change { edit, came }))
}

/// What becomes of a node on the way.
enum Fate {
    /// Something below it changes.
    Path,
    /// It goes.
    Go,
    /// These stand in its place; each with the leaf that stood behind it, if that goes too.
    Become(Vec<Piecework>),
    /// These elements of it go.
    Lose(Indices),
}

#[derive(Default)]
struct Plan {
    fates: FxHashMap<NodeId, Fate>,
    made: u64,
    came: Vec<NodeId>,
}

impl Plan {
    fn put(&mut self, base: &Version, node: NodeId, fate: Fate) -> Result<(), EditError> {
        let trail = base.trail(node).ok_or(EditError::Gone)?;
        self.put_at(&trail, fate)
    }

    fn put_at(&mut self, trail: &Trail, fate: Fate) -> Result<(), EditError> {
        let (node, path) = trail
            .nodes
            .split_last()
            .expect("a trail has at least the root");
        if path.is_empty() && !matches!(fate, Fate::Path) {
            return Err(EditError::Shape);
        }
        for ancestor in path.iter().rev() {
            match self.fates.get(&ancestor.id) {
                None => self.fates.insert(ancestor.id, Fate::Path),
                Some(Fate::Path | Fate::Lose(_)) => break,
                Some(_) => return Err(EditError::Overlap),
            };
        }
        let losing = matches!(fate, Fate::Lose(_));
        match self.fates.insert(node.id, fate) {
            None => Ok(()),
            // A list may lose elements while others of them change.
            Some(Fate::Path) if losing => Ok(()),
            Some(_) => Err(EditError::Overlap),
        }
    }

    fn put_items(
        &mut self,
        base: &Version,
        list: NodeId,
        items: &Indices,
    ) -> Result<(), EditError> {
        let trail = base.trail(list).ok_or(EditError::Gone)?;
        let node = trail.node();
        let length = node.len() as u32;
        if !node.shape.is_list()
            || items.is_empty()
            || items.ranges().last().is_some_and(|last| last.end > length)
        {
            return Err(EditError::Gone);
        }
        if node.keeps_one() && items.len() == length {
            return Err(EditError::Shape);
        }
        self.put_at(&trail, Fate::Lose(items.clone()))
    }

    fn put_piece(&mut self, base: &Version, node: NodeId, piece: &Piece) -> Result<(), EditError> {
        let trail = base.trail(node).ok_or(EditError::Gone)?;
        let pieces = piece::pieces(base, &trail, piece, &mut self.made)?;
        self.came.extend(pieces.iter().map(|piece| piece.node.id));
        self.put_at(&trail, Fate::Become(pieces))
    }
}

/// Identities made after the original was read have this bit.
pub const FRESH: u64 = 1 << 63;

/// Names for nodes that an edit makes: a function of the version and of how many it made before.
struct Fresh<'a> {
    salt: super::hash::Hash,
    made: u64,
    parents: &'a mut Parents,
}

impl Names for Fresh<'_> {
    fn name(&mut self, _: &Draft, kids: &[Arc<Node>]) -> NodeId {
        self.name_chunk(kids)
    }

    fn name_chunk(&mut self, _: &[Arc<Node>]) -> NodeId {
        self.made += 1;
        NodeId(self.salt.derive(self.made) | FRESH)
    }

    fn adopt(&mut self, parent: NodeId, kids: &[Arc<Node>]) {
        for kid in kids {
            self.parents.set(kid.id, parent);
        }
    }
}

struct Rebuild<'a, 'b> {
    document: &'a Document,
    plan: &'a FxHashMap<NodeId, Fate>,
    fresh: &'a mut Fresh<'b>,
    gaps: Gaps,
}

/// A node whose children are being gone through.
struct Frame<'a> {
    node: &'a Arc<Node>,
    next: usize,
    done: Vec<Arc<Node>>,
    /// For a list that loses elements, and its chunks: which go, and the index of the next child's first element.
    losing: Option<(Losing<'a>, u32)>,
    /// Whether it has lost a part that the grammar wants there.
    torn: bool,
}

#[derive(Clone, Copy)]
struct Losing<'a> {
    items: &'a Indices,
    /// The element that becomes the first of a separated list: its separator goes.
    bare: Option<u32>,
}

impl<'a> Frame<'a> {
    fn open(node: &'a Arc<Node>, losing: Option<(Losing<'a>, u32)>) -> Frame<'a> {
        Frame {
            node,
            next: 0,
            done: Vec::with_capacity(node.kids().len()),
            losing,
            torn: false,
        }
    }

    /// `kid` has gone. An optional part, a comment or an element of a free list leaves nothing open; for a chunk its list speaks.
    fn miss(&mut self, kid: &Node) {
        let free = matches!(kid.shape, Shape::Opt | Shape::Extra)
            || matches!(self.node.shape, Shape::Star | Shape::Opaque);
        self.torn |= !free;
    }
}

impl<'a> Rebuild<'a, '_> {
    fn run(mut self) -> Result<Arc<Node>, EditError> {
        let mut stack = vec![Frame::open(&self.document.root, None)];
        loop {
            let top = stack
                .last_mut()
                .expect("the root's frame is left by returning");
            let Some(mut kid) = top.node.kids().get(top.next) else {
                let frame = stack.pop().expect("just looked at");
                let (old, torn) = (frame.node, frame.torn);
                let closed = self.close(frame)?;
                match stack.last_mut() {
                    Some(parent) => {
                        if torn && (closed.is_none() || old.shape == Shape::Chunk) {
                            parent.miss(old);
                        }
                        if let Some(node) = &closed {
                            self.fresh.parents.set(node.id, parent.node.id);
                        }
                        parent.done.extend(closed);
                    }
                    None => {
                        let root = closed.ok_or(EditError::Shape)?;
                        return Ok(self.gaps.mend(self.document, root));
                    }
                }
                continue;
            };
            top.next += 1;
            if let Some((losing, at)) = &mut top.losing {
                let (losing, start) = (*losing, *at);
                *at += kid.sums.items;
                if losing.items.covers(start..*at) {
                    self.gaps.lose(walk::leaf(kid, 0));
                    continue;
                }
                let touched = losing.items.meets(start..*at)
                    || losing.bare.is_some_and(|bare| (start..*at).contains(&bare));
                if touched && kid.shape == Shape::Chunk {
                    stack.push(Frame::open(kid, Some((losing, start))));
                    continue;
                }
                if losing.bare == Some(start) && kid.shape == Shape::Link {
                    self.gaps.lose(walk::leaf(kid, 0));
                    kid = super::place::element(kid);
                    self.fresh.parents.set(kid.id, top.node.id);
                }
            }
            match self.plan.get(&kid.id) {
                None => {
                    top.done.push(kid.clone());
                    self.gaps.keep(kid.sums.leaves);
                }
                Some(Fate::Go) => {
                    self.gaps.lose(walk::leaf(kid, 0));
                    top.miss(kid);
                }
                Some(Fate::Become(pieces)) => {
                    for piece in pieces {
                        let node = in_place_of(kid, &piece.node);
                        self.gaps.push(piece.lost_before.clone(), piece.moved);
                        self.gaps.keep(node.sums.leaves);
                        if piece.statement {
                            self.gaps.end_statement();
                        }
                        match (&piece.lost_after, piece.node.id.0 & FRESH) {
                            (None, FRESH) => self.gaps.touch(),
                            (lost, _) => self.gaps.push(lost.clone(), false),
                        }
                        self.fresh.parents.set(node.id, top.node.id);
                        top.done.push(node);
                    }
                }
                Some(Fate::Path) => stack.push(Frame::open(kid, None)),
                Some(Fate::Lose(items)) => {
                    let first = items
                        .ranges()
                        .first()
                        .filter(|range| range.start == 0)
                        .map(|range| range.end);
                    let bare = first.filter(|_| kid.shape == Shape::Sep);
                    stack.push(Frame::open(kid, Some((Losing { items, bare }, 0))));
                }
            }
        }
    }

    /// The node over its new children; none when nothing of it is left.
    fn close(&mut self, frame: Frame<'a>) -> Result<Option<Arc<Node>>, EditError> {
        let Frame {
            node, done, torn, ..
        } = frame;
        if done.is_empty() {
            return Ok(None);
        }
        if torn && node.id != self.document.root.id && node.shape != Shape::Chunk {
            return Ok(Some(Node::inner(
                Head {
                    field: node.field,
                    ..Head::plain(node.id, Shape::Opaque)
                },
                done,
            )));
        }
        if let [only] = &done[..]
            && only.flags.has(Flags::CHAIN)
            && only.len() == 1
        {
            return self.last_of_chain(node, only).map(Some);
        }
        let mut done = done;
        if (node.shape.is_list() || node.shape == Shape::Chunk) && done.len() > 2 * CHUNK {
            done = chunked(done, self.fresh);
            self.fresh.adopt(node.id, &done);
        }
        Ok(Some(Node::inner(node.head(), done)))
    }

    /// A chain with one element left is that element, if the grammar allows it there.
    fn last_of_chain(
        &mut self,
        node: &Arc<Node>,
        chain: &Arc<Node>,
    ) -> Result<Arc<Node>, EditError> {
        let element = walk::item(chain, 0).ok_or(EditError::Shape)?;
        let fits = match (self.document.language, element.class, node.expected) {
            (Some(language), Some(class), Some(expected)) => {
                language.grammar().fits(class, expected)
            }
            _ => false,
        };
        if !fits {
            return Err(EditError::Shape);
        }
        Ok(in_place_of(node, element))
    }
}

/// `piece` with what the place of `goes` says of whoever stands there.
fn in_place_of(goes: &Node, piece: &Arc<Node>) -> Arc<Node> {
    let chained = if goes.flags.has(Flags::CHAINED) {
        Flags::CHAINED
    } else {
        Flags::NONE
    };
    let head = piece.head();
    let head = Head {
        expected: goes.expected,
        field: goes.field,
        flags: head.flags.without(Flags::CHAINED).with(chained),
        ..head
    };
    piece.with_head(head)
}
