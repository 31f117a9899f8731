//! Applying an edit: a new version that shares all but the paths to the places that change.
//!
//! The work is in proportion to the edit and its depth in the tree, never to the program. It has three steps: *plan* finds each place and
//! what happens to it, *rebuild* copies the paths to the places, bottom up, and *join* repairs the white space where something was removed
//! (see [`super::whitespace_join`]).
//!
//! A pass without syntax may also delete a token that the grammar requires. The node that loses it is opaque until the text is read again
//! at the end of the pass, because no other edit can build on a derivation that no longer holds.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::build::{CHUNK_LENGTH, NodeDraft, NodeIdSource, chunk_children};
use super::edit::{AppliedEdit, Edit, EditError, EditOp, IndexRanges, Replacement, SpaceChange};
use super::layout::restore_layout;
use super::least_space::split_by_document;
use super::node::{FRESH_BIT, NodeFlags, NodeHead, NodeId, NodeShape, ProgramNode};
use super::path_finder::PathFinder;
use super::replacement::{self, ReplacementNode};
use super::stand_ins;
use super::text::SharedText;
use super::version::{Document, DocumentFreedom, NodePath, ParentMap, Version};
use super::walk;
use super::whitespace_join::{LeafGaps, replace_trivia};
use crate::protocol::abandon::count_round;

/// The version that `edit` makes of `base`, without the parser's trees.
///
/// # Errors
/// When the edit names something that is not there, when two of its changes overlap, or when the grammar does not allow what would be left.
pub fn apply_edit(base: &Version, edit: &Edit) -> Result<(Version, AppliedEdit), EditError> {
    let without_nodes = || AppliedEdit {
        edit: edit.clone(),
        inserted: Arc::default(),
        copied: Arc::default(),
    };
    if let Some(texts) = edit.new_texts() {
        let version = super::rewrite::rewrite_texts(base, texts)?;
        return Ok((restore_layout(version), without_nodes()));
    }
    if let [EditOp::Respace(changes)] = &edit.ops[..] {
        let (documents, change) = (respace_documents(base, changes), without_nodes());
        let version = base.with_edit(&change, documents, base.parents().clone());
        return Ok((restore_layout(version), change));
    }
    let mut plan = EditPlan::default();
    let mut strip = false;
    let mut paths = PathFinder::new(base);
    for op in &edit.ops {
        count_round();
        match op {
            EditOp::Delete(node) => plan.plan_deletion(base, &mut paths, *node)?,
            EditOp::DeleteItems { list, items } => {
                plan.plan_item_removal(&mut paths, *list, items)?
            }
            EditOp::Replace { node, piece } => {
                plan.plan_replacement(base, &mut paths, *node, piece)?
            }
            EditOp::StripMarkers => strip = true,
            EditOp::Respace(_) | EditOp::Rewrite(_) | EditOp::Simplify(_) => {
                return Err(EditError::Overlap);
            }
        }
    }
    let mut parents = base.parents().clone();
    let salt = base.content_hash();
    let mut documents = Vec::with_capacity(base.documents().len());
    let mut fresh = FreshNodeIds {
        salt,
        made: plan.made,
        parents: &mut parents,
    };
    for document in base.documents() {
        let mut root = document.root.clone();
        if let Some(NodeEdit::Remove) = plan.node_edits.get(&root.id) {
            documents.push(document.without_file());
            continue;
        }
        if plan.node_edits.contains_key(&root.id) {
            root = TreeRebuilder {
                document,
                plan: &plan.node_edits,
                fresh: &mut fresh,
                gaps: LeafGaps::default(),
            }
            .rebuild_tree()?;
        }
        let is_free = document.freedom == DocumentFreedom::Free;
        if strip && is_free && root.flags.contains(NodeFlags::MARKER) {
            root = super::whitespace_join::strip_markers(document, &root);
        }
        if !is_free && !Arc::ptr_eq(&root, &document.root) {
            return Err(EditError::FixedText);
        }
        documents.push(document.with_edited_root(root));
    }
    let change = AppliedEdit {
        edit: edit.clone(),
        inserted: plan.inserted.into(),
        copied: plan.copied.into(),
    };
    let version = base.with_edit(&change, documents, parents);
    Ok((restore_layout(version), change))
}

/// The documents with other white space before some leaves.
fn respace_documents(base: &Version, changes: &[SpaceChange]) -> Vec<Document> {
    let parts = split_by_document(base, changes).into_iter();
    let documents = base.documents().iter().zip(parts);
    let respaced = documents.map(|(document, (first, changes))| {
        if document.freedom != DocumentFreedom::Free || document.is_gone {
            return document.clone();
        }
        let own = |change: &SpaceChange| {
            let space = SharedText::new(change.space.clone());
            (change.leaf - first, space)
        };
        let changes: Vec<(u32, SharedText)> = changes.iter().map(own).collect();
        document.with_edited_root(replace_trivia(document, &document.root, &changes))
    });
    respaced.collect()
}

/// What happens to a node that the plan names.
enum NodeEdit {
    /// Something below it changes.
    Descend,
    /// It is removed.
    Remove,
    /// It is removed, and compilers do without it although the grammar requires it.
    Omit,
    /// These nodes replace it; each with the leaf that stood behind it, if that is removed too.
    Replace(Vec<ReplacementNode>),
    /// These elements of it are removed.
    RemoveItems(IndexRanges),
}

#[derive(Default)]
struct EditPlan {
    node_edits: FxHashMap<NodeId, NodeEdit>,
    made: u64,
    inserted: Vec<NodeId>,
    /// See [`AppliedEdit::copied`].
    copied: Vec<(NodeId, NodeId)>,
}

impl EditPlan {
    fn plan_deletion(
        &mut self,
        base: &Version,
        paths: &mut PathFinder,
        node: NodeId,
    ) -> Result<(), EditError> {
        let path = paths.path_to(node).ok_or(EditError::NodeNotFound)?;
        let document = &base.documents()[path.document];
        if node == document.root.id {
            return self.plan_file_removal(base, document);
        }
        let language = document.language;
        let change = match stand_ins::is_dispensable(language, &path.nodes) {
            true => NodeEdit::Omit,
            false => NodeEdit::Remove,
        };
        self.plan_edit_at(path, change)
    }

    /// A file of several goes.
    fn plan_file_removal(&mut self, base: &Version, document: &Document) -> Result<(), EditError> {
        if !base.is_project() {
            return Err(EditError::Ungrammatical);
        }
        if document.freedom == DocumentFreedom::Fixed {
            return Err(EditError::FixedText);
        }
        if document.is_gone {
            return Err(EditError::NodeNotFound);
        }
        match self.node_edits.insert(document.root.id, NodeEdit::Remove) {
            None => Ok(()),
            Some(_) => Err(EditError::Overlap),
        }
    }

    fn plan_edit_at(&mut self, path: &NodePath, change: NodeEdit) -> Result<(), EditError> {
        let (node, ancestors) = path
            .nodes
            .split_last()
            .expect("a path has at least the root");
        if ancestors.is_empty() && !matches!(change, NodeEdit::Descend) {
            return Err(EditError::Ungrammatical);
        }
        for ancestor in ancestors.iter().rev() {
            match self.node_edits.get(&ancestor.id) {
                None => self.node_edits.insert(ancestor.id, NodeEdit::Descend),
                Some(NodeEdit::Descend | NodeEdit::RemoveItems(_)) => break,
                Some(_) => return Err(EditError::Overlap),
            };
        }
        let losing = matches!(change, NodeEdit::RemoveItems(_));
        match self.node_edits.insert(node.id, change) {
            None => Ok(()),
            // A list may lose elements while others of them change.
            Some(NodeEdit::Descend) if losing => Ok(()),
            Some(_) => Err(EditError::Overlap),
        }
    }

    fn plan_item_removal(
        &mut self,
        paths: &mut PathFinder,
        list: NodeId,
        items: &IndexRanges,
    ) -> Result<(), EditError> {
        let path = paths.path_to(list).ok_or(EditError::NodeNotFound)?;
        let node = path.node();
        let length = node.len() as u32;
        if !node.shape.is_list()
            || items.is_empty()
            || items.ranges().last().is_some_and(|last| last.end > length)
        {
            return Err(EditError::NodeNotFound);
        }
        if node.must_keep_one() && items.len() == length {
            return Err(EditError::Ungrammatical);
        }
        self.plan_edit_at(path, NodeEdit::RemoveItems(items.clone()))
    }

    fn plan_replacement(
        &mut self,
        base: &Version,
        paths: &mut PathFinder,
        node: NodeId,
        piece: &Replacement,
    ) -> Result<(), EditError> {
        let path = paths.path_to(node).ok_or(EditError::NodeNotFound)?;
        let pieces = replacement::resolve_replacement(base, path, piece, &mut self.made)?;
        self.inserted
            .extend(pieces.iter().map(|piece| piece.node.id));
        if let Replacement::Leaves(leaves) = piece {
            let copies = leaves.iter().zip(&pieces);
            let copies = copies.map(|(leaf, piece)| (*leaf, piece.node.id));
            self.copied
                .extend(copies.filter(|(leaf, copy)| leaf != copy));
        }
        self.plan_edit_at(path, NodeEdit::Replace(pieces))
    }
}

/// Identities for nodes that an edit makes: a function of the version and of the number of nodes that the edit made before.
struct FreshNodeIds<'a> {
    salt: super::hash::ContentHash,
    made: u64,
    parents: &'a mut ParentMap,
}

impl NodeIdSource for FreshNodeIds<'_> {
    fn assign_id(&mut self, _: &NodeDraft, children: &[Arc<ProgramNode>]) -> NodeId {
        self.assign_chunk_id(children)
    }

    fn assign_chunk_id(&mut self, _: &[Arc<ProgramNode>]) -> NodeId {
        self.made += 1;
        NodeId(self.salt.derive_id(self.made) | FRESH_BIT)
    }

    fn record_children(&mut self, parent: NodeId, children: &[Arc<ProgramNode>]) {
        for child in children {
            self.parents.set(child.id, parent);
        }
    }
}

struct TreeRebuilder<'a, 'b> {
    document: &'a Document,
    plan: &'a FxHashMap<NodeId, NodeEdit>,
    fresh: &'a mut FreshNodeIds<'b>,
    gaps: LeafGaps,
}

/// A node whose children are being processed.
struct RebuildFrame<'a> {
    node: &'a Arc<ProgramNode>,
    next: usize,
    done: Vec<Arc<ProgramNode>>,
    /// For a list that loses elements, and its chunks: which are removed, and the index of the next child's first element.
    removal: Option<(ItemRemoval<'a>, u32)>,
    /// Whether it has lost a part that the grammar requires.
    incomplete: bool,
    /// Whether a part of it is gone because all inside the part is: no grammar allows that edit, and a pass without syntax makes it.
    emptied: bool,
    /// Whether it has lost a part that the grammar requires and compilers do not.
    omits: bool,
}

#[derive(Clone, Copy)]
struct ItemRemoval<'a> {
    items: &'a IndexRanges,
    /// The element that becomes the first of a separated list: its separator is removed.
    unseparated: Option<u32>,
}

impl<'a> RebuildFrame<'a> {
    fn new(node: &'a Arc<ProgramNode>, losing: Option<(ItemRemoval<'a>, u32)>) -> RebuildFrame<'a> {
        RebuildFrame {
            node,
            next: 0,
            done: Vec::with_capacity(node.children().len()),
            removal: losing,
            incomplete: false,
            emptied: false,
            omits: false,
        }
    }

    /// `child` was removed. An optional part, a comment or an element of a list that may be empty leaves nothing incomplete. For a chunk,
    /// its list decides.
    fn record_removal(&mut self, child: &ProgramNode) {
        let free = matches!(child.shape, NodeShape::Opt | NodeShape::Extra)
            || matches!(self.node.shape, NodeShape::Star | NodeShape::Opaque);
        self.incomplete |= !free;
    }
}

impl<'a> TreeRebuilder<'a, '_> {
    fn rebuild_tree(mut self) -> Result<Arc<ProgramNode>, EditError> {
        let mut stack = vec![RebuildFrame::new(&self.document.root, None)];
        loop {
            count_round();
            let top = stack
                .last_mut()
                .expect("the root's frame is left by returning");
            let Some(mut child) = top.node.children().get(top.next) else {
                let frame = stack.pop().expect("just looked at");
                let (old, emptied, omits) = (frame.node, frame.emptied, frame.omits);
                let vanishes = emptied && stand_ins::may_lack_parts(self.document.language, old);
                let incomplete = frame.incomplete || vanishes;
                let closed = self.close_frame(frame)?;
                match stack.last_mut() {
                    Some(parent) => {
                        if incomplete && (closed.is_none() || old.shape == NodeShape::Chunk) {
                            parent.record_removal(old);
                        }
                        parent.emptied |= closed.is_none() && (incomplete || emptied);
                        // A group of the normal form has no parts of its own.
                        parent.omits |= omits && old.class.is_none();
                        if let Some(node) = &closed {
                            self.fresh.parents.set(node.id, parent.node.id);
                        }
                        parent.done.extend(closed);
                    }
                    None => {
                        let root = closed.ok_or(EditError::Ungrammatical)?;
                        return Ok(self.gaps.repair_joins(self.document, root));
                    }
                }
                continue;
            };
            top.next += 1;
            if let Some((losing, at)) = &mut top.removal {
                let (losing, start) = (*losing, *at);
                *at += child.sums().items;
                if losing.items.contains_range(start..*at) {
                    self.gaps.remove_leaf_run(walk::leaf_at(child, 0));
                    continue;
                }
                let touched = losing.items.intersects_range(start..*at)
                    || losing
                        .unseparated
                        .is_some_and(|bare| (start..*at).contains(&bare));
                if touched && child.shape == NodeShape::Chunk {
                    stack.push(RebuildFrame::new(child, Some((losing, start))));
                    continue;
                }
                if losing.unseparated == Some(start) && child.shape == NodeShape::Link {
                    self.gaps.remove_leaf_run(walk::leaf_at(child, 0));
                    child = super::placement::strip_separator(child);
                    self.fresh.parents.set(child.id, top.node.id);
                }
            }
            match self.plan.get(&child.id) {
                None => {
                    top.done.push(child.clone());
                    self.gaps.keep_leaves(child.sums().leaves);
                }
                Some(NodeEdit::Remove) => {
                    self.gaps.remove_leaf_run(walk::leaf_at(child, 0));
                    top.record_removal(child);
                }
                Some(NodeEdit::Omit) => {
                    self.gaps.remove_leaf_run(walk::leaf_at(child, 0));
                    top.omits = true;
                }
                Some(NodeEdit::Replace(pieces)) => {
                    top.incomplete |= pieces.iter().any(|piece| piece.is_loose);
                    for piece in pieces {
                        let node = adapt_to_place(child, &piece.node);
                        self.gaps
                            .remove_run(piece.lost_before.clone(), piece.inherits_trivia);
                        self.gaps.keep_leaves(node.sums().leaves);
                        if piece.ends_statement {
                            self.gaps.end_statement();
                        }
                        match (&piece.lost_after, piece.node.id.0 & FRESH_BIT) {
                            (None, FRESH_BIT) => self.gaps.mark_inserted(),
                            (lost, _) => self.gaps.remove_run(lost.clone(), false),
                        }
                        self.fresh.parents.set(node.id, top.node.id);
                        top.done.push(node);
                    }
                }
                Some(NodeEdit::Descend) => stack.push(RebuildFrame::new(child, None)),
                Some(NodeEdit::RemoveItems(items)) => {
                    let first = items
                        .ranges()
                        .first()
                        .filter(|range| range.start == 0)
                        .map(|range| range.end);
                    let bare = first.filter(|_| child.shape == NodeShape::Sep);
                    stack.push(RebuildFrame::new(
                        child,
                        Some((
                            ItemRemoval {
                                items,
                                unseparated: bare,
                            },
                            0,
                        )),
                    ));
                }
            }
        }
    }

    /// The node over its new children; none when nothing of it is left.
    fn close_frame(
        &mut self,
        frame: RebuildFrame<'a>,
    ) -> Result<Option<Arc<ProgramNode>>, EditError> {
        let RebuildFrame {
            node,
            done,
            incomplete,
            emptied,
            omits,
            ..
        } = frame;
        let lacking = (omits || stand_ins::is_lacking(node))
            && stand_ins::may_lack_parts(self.document.language, node);
        if done.is_empty() {
            // A node of the parser is not empty, even if compilers do without each of its parts.
            return match lacking && !incomplete && !emptied {
                true => Err(EditError::Ungrammatical),
                false => Ok(None),
            };
        }
        let absent = match lacking && !incomplete {
            true => stand_ins::find_absence(self.document.language, node, &done),
            false => None,
        };
        let incomplete = incomplete || lacking && omits && absent.is_none();
        if incomplete && node.id != self.document.root.id && node.shape != NodeShape::Chunk {
            return Ok(Some(ProgramNode::new_inner(
                NodeHead {
                    field: node.field,
                    ..NodeHead::with_shape(node.id, NodeShape::Opaque)
                },
                done,
            )));
        }
        if let [only] = &done[..]
            && only.flags.contains(NodeFlags::CHAIN)
            && only.len() == 1
        {
            return self.collapse_chain(node, only).map(Some);
        }
        let mut done = done;
        if (node.shape.is_list() || node.shape == NodeShape::Chunk) && done.len() > 2 * CHUNK_LENGTH
        {
            done = chunk_children(done, self.fresh);
            self.fresh.record_children(node.id, &done);
        }
        let mut head = node.head();
        head.flags = match absent {
            Some(true) => head.flags.union(NodeFlags::LACKING),
            _ => head.flags.difference(NodeFlags::LACKING),
        };
        Ok(Some(ProgramNode::new_inner(head, done)))
    }

    /// A chain with one element left becomes that element, if the grammar allows it there.
    fn collapse_chain(
        &mut self,
        node: &Arc<ProgramNode>,
        chain: &Arc<ProgramNode>,
    ) -> Result<Arc<ProgramNode>, EditError> {
        let element = walk::item_at(chain, 0).ok_or(EditError::Ungrammatical)?;
        let fits = match (self.document.language, element.class, node.expected) {
            (Some(language), Some(class), Some(expected)) => {
                language.grammar().class_fits(class, expected)
            }
            _ => false,
        };
        if !fits {
            return Err(EditError::Ungrammatical);
        }
        Ok(adapt_to_place(node, element))
    }
}

/// `piece` with what belongs to the place of `goes`: the expected expression, the field, and whether it is a link's node.
fn adapt_to_place(goes: &ProgramNode, piece: &Arc<ProgramNode>) -> Arc<ProgramNode> {
    let chained = if goes.flags.contains(NodeFlags::CHAINED) {
        NodeFlags::CHAINED
    } else {
        NodeFlags::NONE
    };
    let head = piece.head();
    let head = NodeHead {
        expected: goes.expected,
        field: goes.field,
        flags: head.flags.difference(NodeFlags::CHAINED).union(chained),
        ..head
    };
    piece.with_head(head)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program::read_program;
    use crate::protocol::abandon::{AbandonFlag, unless_abandoned};

    #[test]
    fn an_edit_of_many_places_can_be_abandoned() {
        let text: Arc<[u8]> = "/* a */ int v;\n".repeat(1000).into_bytes().into();
        let base = read_program(vec![(Path::new("a.c").into(), text)]).expect("it can be read");
        let comments = walk::iter_comments(&base.documents()[0].root);
        let edit: Edit = comments.map(|leaf| EditOp::Delete(leaf.id)).collect();
        let flag = AbandonFlag::default();
        let made = unless_abandoned(&flag, || apply_edit(&base, &edit).is_ok());
        assert_eq!(made, Some(true));
        flag.abandon();
        let made = unless_abandoned(&flag, || apply_edit(&base, &edit).is_ok());
        assert_eq!(made, None);
    }
}
