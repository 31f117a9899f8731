//! The user's own edits: the schedule's next question before all others, and accepted as one more step if they are interesting.

use std::sync::Arc;

use super::{CommandResult, ReductionEngine};
use crate::pass;
use crate::program::pair::PatchSide;
use crate::program::{
    DetourBound, Edit, EditAction, EditOp, EditReason, NodeId, NodeTarget, Replacement, Version,
};
use crate::reduce::commands::ManualEdit;
use crate::reduce::proposer::EditRejection;
use crate::reduce::reporting::USER;

/// The edit that removes these nodes, or the files that consist of nothing but them.
fn removal_by_hand(version: &Version, nodes: &[NodeId]) -> Edit {
    let file_of = |node: &NodeId| {
        let path = version.path_to(*node)?;
        let root = path.nodes[0];
        let is_all = path.node().sums().tokens == root.sums().tokens;
        is_all.then_some(root.id)
    };
    let files: Vec<NodeId> = nodes.iter().filter_map(file_of).collect();
    match version.is_project() && files.len() == nodes.len() {
        true => pass::delete_files(version, &files),
        false => pass::removal_edit(version, nodes),
    }
}

impl ReductionEngine {
    fn find_single_node(&self, target: &NodeTarget) -> Result<NodeId, String> {
        let nodes = target.find_nodes(&self.root_node().proposer.view.version);
        match &nodes.map_err(|error| error.to_string())?[..] {
            [node] => Ok(node.id),
            nodes => Err(format!("{target} is {} places; name one", nodes.len())),
        }
    }

    pub(super) fn execute_try(&mut self, attempt: &ManualEdit) -> CommandResult {
        let version = self.root_node().proposer.view.version.clone();
        let (edit, action, node) = match attempt {
            ManualEdit::Delete(target) => {
                let nodes = target
                    .find_nodes(&version)
                    .map_err(|error| error.to_string())?;
                let nodes: Vec<NodeId> = nodes.iter().map(|node| node.id).collect();
                let edit = removal_by_hand(&version, &nodes);
                let files = pass::name_removed_files(&version, &edit);
                let files = files.filter(|_| version.is_project());
                let action = files.unwrap_or(EditAction::DropNode);
                (Some(edit), action, nodes.first().copied())
            }
            ManualEdit::Replace(place, piece) => {
                let (node, below) = (self.find_single_node(place)?, self.find_single_node(piece)?);
                let piece = Replacement::Node(below);
                let edit = Edit::from(EditOp::Replace { node, piece });
                (Some(edit), EditAction::ReplaceBy(below), Some(node))
            }
            ManualEdit::KeepOnly(target) => {
                let node = self.find_single_node(target)?;
                (
                    pass::keep_only_edit(&version, node),
                    EditAction::KeepOnly,
                    Some(node),
                )
            }
        };
        let edit = edit.filter(|edit| !edit.ops.is_empty());
        let edit = edit.ok_or("the grammar does not let that go")?;
        let edit = pass::remove_twins_too(&version, edit);
        self.propose_manual_edit(edit, action, node, false)
    }

    /// Proposes a text of the user's. In a pair the other program stays as it is.
    pub(super) fn execute_edit(
        &mut self,
        side: Option<PatchSide>,
        text: &Arc<[u8]>,
        larger: bool,
    ) -> CommandResult {
        let version = &self.root_node().proposer.view.version;
        if version.is_project() {
            return Err("edit is for one program, and this run has several files".into());
        }
        let (texts, question) = match (version.documents(), side) {
            ([_], None) => (
                [Some(text.clone())].into(),
                "Is the program as you edited it interesting?",
            ),
            ([seed, variant], Some(side)) => {
                let texts = match side {
                    PatchSide::Seed => [Some(text.clone()), variant.text()],
                    PatchSide::Variant => [seed.text(), Some(text.clone())],
                };
                (texts.into(), "Is the pair as you edited it interesting?")
            }
            (_, None) => {
                return Err(
                    "this run has a pair: type edit seed FILE, or edit variant FILE".into(),
                );
            }
            (_, Some(_)) => return Err("this run has one program: type edit FILE".into()),
        };
        let edit = Edit::from(EditOp::Rewrite(texts));
        self.propose_manual_edit(edit, EditAction::Question(question.into()), None, larger)
    }

    fn propose_manual_edit(
        &mut self,
        mut edit: Edit,
        action: EditAction,
        node: Option<NodeId>,
        larger: bool,
    ) -> CommandResult {
        let is_text = edit.is_rewrite();
        let why = EditReason {
            pass: USER,
            action,
            node,
        };
        let proposed = edit.clone();
        // Its trees are parsed from the whole text.
        let refusal = self.compute_on_root(move |proposer| proposer.rejection_reason(&proposed));
        let larger = match refusal
            .ok_or("it was not looked at: the run was stopped, or the system gave no thread")?
        {
            None => false,
            Some(EditRejection::Larger(_)) if larger && self.detour_base.is_none() => true,
            Some(EditRejection::Larger(_)) if larger => {
                return Err("a detour inside a detour".into());
            }
            Some(refusal @ EditRejection::Larger(_)) if is_text => {
                return Err(format!("{refusal}; `edit!` tries it all the same"));
            }
            Some(refusal) => return Err(refusal.to_string()),
        };
        edit.detour = larger.then_some(DetourBound::Unbounded);
        self.change_root(|proposer| proposer.propose_manual_edit(edit, why));
        // The user's own edit is tested even while the run is paused.
        if self.paused {
            self.root_state.steps = self.root_state.steps.max(1);
        }
        Ok(None)
    }
}
