//! The user's own edits: asked about before all else, and taken as one more step if they are interesting.

use std::sync::Arc;

use super::command::Try;
use super::engine::Engine;
use super::obey::Outcome;
use super::speculate::Refusal;
use crate::pass;
use crate::program::{Action, Edit, NodeId, Op, Piece, Target, Why};

/// Who asks, for sentences and counters: the user.
pub(super) const USER: &str = "you";

impl Engine {
    fn one(&self, target: &Target) -> Result<NodeId, String> {
        let nodes = target.find(&self.present().asking.view.version);
        match &nodes.map_err(|error| error.to_string())?[..] {
            [node] => Ok(node.id),
            nodes => Err(format!("{target} is {} places; name one", nodes.len())),
        }
    }

    pub(super) fn attempt(&mut self, attempt: &Try) -> Outcome {
        let version = self.present().asking.view.version.clone();
        let (edit, action, node) = match attempt {
            Try::Delete(target) => {
                let nodes = target.find(&version).map_err(|error| error.to_string())?;
                let nodes: Vec<NodeId> = nodes.iter().map(|node| node.id).collect();
                (
                    Some(pass::removal(&version, &nodes)),
                    Action::DropNode,
                    nodes.first().copied(),
                )
            }
            Try::Replace(place, piece) => {
                let (node, below) = (self.one(place)?, self.one(piece)?);
                let piece = Piece::Node(below);
                let edit = Edit::from(Op::Replace { node, piece });
                (Some(edit), Action::ReplaceBy(below), Some(node))
            }
            Try::KeepOnly(target) => {
                let node = self.one(target)?;
                (pass::only(&version, node), Action::KeepOnly, Some(node))
            }
        };
        let edit = edit.filter(|edit| !edit.ops.is_empty());
        let edit = edit.ok_or("the grammar does not let that go")?;
        self.wish(edit, action, node, false)
    }

    pub(super) fn edit(&mut self, text: &Arc<[u8]>, larger: bool) -> Outcome {
        let edit = Edit::from(Op::Rewrite([text.clone()].into()));
        self.wish(edit, Action::Edited, None, larger)
    }

    fn wish(&mut self, edit: Edit, action: Action, node: Option<NodeId>, larger: bool) -> Outcome {
        let is_text = matches!(action, Action::Edited);
        let why = Why {
            pass: USER,
            action,
            node,
        };
        let proposed = edit.clone();
        // A whole text is parsed for that.
        let refusal = self.work_out(move |asking| asking.refusal(&proposed));
        let larger = match refusal
            .ok_or("it was not looked at: the run was stopped, or the system gave no thread")?
        {
            None => false,
            Some(Refusal::Larger(_)) if larger && self.excursion.is_none() => true,
            Some(Refusal::Larger(_)) if larger => {
                return Err("an excursion inside of an excursion".into());
            }
            Some(refusal @ Refusal::Larger(_)) if is_text => {
                return Err(format!("{refusal}; `edit!` tries it all the same"));
            }
            Some(refusal) => return Err(refusal.to_string()),
        };
        self.change_present(|asking| asking.propose(edit, why, larger));
        // While the run stands still the user's own question is asked all the same.
        if self.paused {
            self.at.steps = self.at.steps.max(1);
        }
        Ok(None)
    }
}
