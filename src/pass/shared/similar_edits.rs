//! Similar edits: what was done to two places is done to all similar places, in few tests.
//!
//! A program often refers to dozens of declarations that are reduced in the same way: by removing the initialiser, the parameters, the
//! pointer. Where edits of a kind ([`EditKind`]) succeed one after the other, the next candidate has as many places as succeeded so far,
//! twice as many after that, and half as many after a failure. This is galloping (MacIver) over nodes instead of elements of a list. n
//! places that may all change cost O(log n) tests instead of n.
//!
//! Where edits of a kind succeed now and then, the next ones are tested in a batch (`batch.rs`).

use std::sync::Arc;

use super::batch::{self, EditBatch};
use super::edit_stats::{EditKind, EditKindStats};
use super::elements::LONG_LIST_LENGTH;
use super::replacements::{ReplacementSearch, replacement_candidates};
use crate::program::{
    Edit, EditAction, EditOp, EditReason, NodeId, NodePath, NodeShape, ProgramNode, Replacement,
    Version, strip_separator, walk,
};
use crate::protocol::{Feedback, IndexRanges, ProposerStep};

/// The most nodes that are searched for similar places.
const MAX_SEARCHED_NODES: usize = 4096;
/// How many levels of nodes with a kind are searched below a node in the queue. Lighter nodes are not in the queue yet, but below its nodes.
const SEARCHED_LEVELS: u32 = 3;

/// Which kinds of groups are formed.
#[derive(Clone, Copy, Debug)]
pub struct GroupingConfig {
    /// Galloping.
    pub gallop: bool,
    /// Batches.
    pub batch: bool,
}

impl GroupingConfig {
    /// Each node by itself.
    pub const NONE: GroupingConfig = GroupingConfig {
        gallop: false,
        batch: false,
    };
}

/// Several places that change in one candidate or one batch.
#[derive(Clone)]
pub struct EditGroup {
    /// What the edits are.
    pub kind: EditKind,
    /// The parent of each place.
    pub parents: Arc<[NodeId]>,
    state: EditGroupState,
}

#[derive(Clone)]
enum EditGroupState {
    /// All places in one candidate, and the interesting edit, as tested.
    Gallop {
        proposal: Arc<(Edit, EditReason)>,
        places: u32,
        yes: Option<Arc<Edit>>,
    },
    /// Each place by itself, and then together.
    Batch {
        batch: EditBatch,
        sites: Arc<[EditSite]>,
    },
}

/// A place, and what happens to it: a list and the element that is removed, or a node and its replacement.
pub type EditSite = (NodeId, NodeId);

/// The site of an edit of one place.
pub fn edit_site(version: &Version, edit: &Edit) -> Option<EditSite> {
    match &edit.ops[..] {
        [EditOp::Delete(node)] => Some((*node, *node)),
        [
            EditOp::Replace {
                node,
                piece: Replacement::Node(piece) | Replacement::Items(piece),
            },
        ] => Some((*node, *piece)),
        [EditOp::DeleteItems { list, items }] if items.len() == 1 => {
            let first = items.ranges().first()?.start as usize;
            let item = walk::item_at(version.find_node(*list)?, first)?;
            Some((*list, strip_separator(item).id))
        }
        _ => None,
    }
}

/// An edit of one place, its reason, and the parent of the place.
struct SiteProposal {
    edit: Edit,
    why: EditReason,
    parent: Option<NodeId>,
}

impl EditGroup {
    /// The group that begins with an edit of one place, if a group is due. `others` are nodes that overlap neither with it nor with each
    /// other, with their tokens, heaviest first.
    /// other, with their tokens, heaviest first.
    pub fn try_start(
        version: &Version,
        stats: &EditKindStats,
        config: GroupingConfig,
        first: (&Edit, &EditReason),
        others: impl Iterator<Item = (NodeId, u32)>,
    ) -> Option<EditGroup> {
        let (edit, why) = first;
        let kind = EditKind::from_edit(version, edit)?;
        let record = stats.record_for(&kind);
        let gallop = config.gallop && record.next_group_size() > 1;
        let (most, least) = match gallop {
            true => (
                record.next_group_size() as usize,
                record.min_group_size(&kind),
            ),
            false if config.batch && record.suits_batch() => {
                (batch::MAX_BATCH_EDITS, batch::MIN_BATCH_EDITS)
            }
            false => return None,
        };
        let node = why.node.and_then(|node| version.path_to(node))?;
        // A batch is for nodes that would be tried soon: much lighter nodes may be removed with something heavier before that.
        let lightest = if gallop {
            0
        } else {
            node.node().sums().tokens / 2
        };
        let mut places = vec![SiteProposal {
            edit: edit.clone(),
            why: why.clone(),
            parent: node.parent().map(|above| above.id),
        }];
        let others = others.take_while(|&(_, tokens)| tokens >= lightest);
        let mut look = MAX_SEARCHED_NODES;
        for node in others.filter_map(|(node, _)| version.find_node(node)) {
            if places.len() >= most.max(least) || look == 0 {
                break;
            }
            collect_below(version, node, kind, why.pass, &mut look, &mut places);
        }
        if places.len() < least {
            return None;
        }
        places.truncate(most);
        let above = places.iter().filter_map(|place| place.parent).collect();
        let now = match gallop {
            true => EditGroupState::start_gallop(&places),
            false => EditGroupState::start_batch(version, places),
        };
        Some(EditGroup {
            kind,
            parents: above,
            state: now,
        })
    }

    /// How many places the candidate at hand changes; in a batch, where it may be a merge, one.
    pub fn place_count(&self) -> u32 {
        match &self.state {
            EditGroupState::Gallop { places, .. } => *places,
            EditGroupState::Batch { .. } => 1,
        }
    }

    /// The next candidate, or the edit to accept; done when there is none.
    pub fn propose(&mut self) -> ProposerStep<Edit, EditReason> {
        match &mut self.state {
            EditGroupState::Gallop { yes: Some(yes), .. } => ProposerStep::Accept((**yes).clone()),
            EditGroupState::Gallop { proposal, .. } => {
                ProposerStep::Test(proposal.0.clone(), proposal.1.clone())
            }
            EditGroupState::Batch { batch, .. } => batch.propose(),
        }
    }

    /// The verdict on `tested`. Returns whether the group has ended with nothing to accept.
    pub fn on_verdict(
        &mut self,
        tested: &Edit,
        feedback: Feedback,
        stats: &mut EditKindStats,
    ) -> bool {
        match &mut self.state {
            EditGroupState::Gallop { places, yes, .. } => {
                stats.record_verdict(self.kind, *places, feedback);
                *yes = feedback.is_interesting().then(|| Arc::new(tested.clone()));
                yes.is_none()
            }
            EditGroupState::Batch { batch, .. } => {
                if batch.on_verdict(tested, feedback) {
                    stats.record_verdict(self.kind, 1, feedback);
                }
                batch.propose() == ProposerStep::Done
            }
        }
    }

    /// The edits after the current one that are proposed whatever the verdicts are.
    pub fn independent_edits(&self, most: usize) -> Vec<Edit> {
        match &self.state {
            EditGroupState::Gallop { .. } => Vec::new(),
            EditGroupState::Batch { batch, .. } => batch.independent_edits(most),
        }
    }

    /// What need not be tested again when its node is tried, now that the group has ended.
    pub fn failed_sites(&self) -> Vec<EditSite> {
        match &self.state {
            EditGroupState::Gallop { .. } => Vec::new(),
            EditGroupState::Batch { batch, sites } => {
                batch.failed_indices().map(|at| sites[at]).collect()
            }
        }
    }
}

impl EditGroupState {
    fn start_gallop(places: &[SiteProposal]) -> EditGroupState {
        let first = &places[0].why;
        let action = EditAction::SimilarPlaces {
            action: Box::new(first.action.clone()),
            others: places.len() as u32 - 1,
        };
        let why = EditReason {
            action,
            ..first.clone()
        };
        let edit = batch::join_edits(places.iter().map(|place| &place.edit));
        EditGroupState::Gallop {
            proposal: Arc::new((edit, why)),
            places: places.len() as u32,
            yes: None,
        }
    }

    fn start_batch(version: &Version, places: Vec<SiteProposal>) -> EditGroupState {
        let (sites, questions) = places
            .into_iter()
            .filter_map(|place| Some((edit_site(version, &place.edit)?, (place.edit, place.why))))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        EditGroupState::Batch {
            batch: EditBatch::new(questions),
            sites: sites.into(),
        }
    }
}

/// The edits of this kind at a node, or at nodes below it. Visits `look` nodes at most.
fn collect_below(
    version: &Version,
    node: &Arc<ProgramNode>,
    kind: EditKind,
    pass: &'static str,
    look: &mut usize,
    places: &mut Vec<SiteProposal>,
) {
    let mut stack = vec![(node, 0)];
    while let Some((node, level)) = stack.pop() {
        if *look == 0 {
            return;
        }
        *look -= 1;
        let found = match may_match(node, kind) {
            true => version.path_to(node.id),
            false => None,
        };
        let found = found.map(|path| matching_edits(version, &path, kind, pass));
        match found.filter(|found| !found.is_empty()) {
            Some(found) => places.extend(found),
            None => {
                let level = level + u32::from(node.class.is_some());
                if level <= SEARCHED_LEVELS {
                    stack.extend(node.children().iter().rev().map(|child| (child, level)));
                }
            }
        }
    }
}

/// Whether an edit of the node may be of this kind, judged by the node alone.
fn may_match(node: &ProgramNode, kind: EditKind) -> bool {
    match node.shape {
        NodeShape::Opt => node.class == kind.node,
        NodeShape::Regular | NodeShape::Item => node.class == kind.node && !kind.is_element(),
        shape => shape.is_list() && kind.is_element() && node.len() < LONG_LIST_LENGTH,
    }
}

/// The edits of this kind at the node at the end of the path, if [`may_match`] accepts the node.
fn matching_edits(
    version: &Version,
    path: &NodePath,
    kind: EditKind,
    pass: &'static str,
) -> Vec<SiteProposal> {
    let node = path.node();
    let alike = |edit: &Edit| EditKind::from_edit(version, edit) == Some(kind);
    let proposal = match node.shape {
        NodeShape::Opt => {
            let why = EditReason {
                pass,
                action: EditAction::DropOptional,
                node: Some(node.id),
            };
            Some((EditOp::Delete(node.id).into(), why)).filter(|(edit, _)| alike(edit))
        }
        NodeShape::Regular | NodeShape::Item => {
            replacement_candidates(version, path, ReplacementSearch::Outermost)
                .iter()
                .filter_map(|candidate| candidate.to_proposal(pass, node.id))
                .find(|(edit, _)| alike(edit))
        }
        _ => return matching_elements(version, path, kind, pass),
    };
    let above = path.parent().map(|above| above.id);
    let proposal = proposal.into_iter();
    proposal
        .map(|(edit, why)| SiteProposal {
            edit,
            why,
            parent: above,
        })
        .collect()
}

/// The elements of this kind of a short list, from the back to the front. One stays if the grammar requires one.
fn matching_elements(
    version: &Version,
    path: &NodePath,
    kind: EditKind,
    pass: &'static str,
) -> Vec<SiteProposal> {
    let list = path.node();
    let length = list.len() as u32;
    let may = length.saturating_sub(u32::from(list.must_keep_one())) as usize;
    let single = |at: u32| {
        let items = IndexRanges::from_range(at..at + 1);
        let list = list.id;
        Edit::from(EditOp::DeleteItems { list, items })
    };
    let alike = (0..length).rev().filter_map(|at| {
        let edit =
            Some(single(at)).filter(|edit| EditKind::from_edit(version, edit) == Some(kind))?;
        let action = EditAction::DropItems {
            go: 1,
            of: length,
            first: walk::item_at(list, at as usize).map(|item| strip_separator(item).id),
        };
        let node = Some(list.id);
        let why = EditReason { pass, action, node };
        Some(SiteProposal {
            edit,
            why,
            parent: None,
        })
    });
    alike.take(may).collect()
}
