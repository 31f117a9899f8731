//! Line markers (`# 1 "file.c"`) are removed first, in one edit: they are noise for the reader and in the tree, but a test may need them.
//! There is no paper on it.

use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{AppliedEdit, Edit, EditAction, EditOp, EditReason, NodeFlags, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// Removes line markers.
pub static MARKERS: PassKind = PassKind {
    name: "line markers",
    description: "removes the preprocessor's line markers, all at once",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Both,
    filters: &[],
    start: |_, _| Box::new(LineMarkersPass::default()),
};

/// Proposes once.
#[derive(Clone, Debug, Default)]
pub struct LineMarkersPass {
    feedback: Option<Feedback>,
    done: bool,
}

impl Proposer for LineMarkersPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        let marked = view
            .version
            .documents()
            .iter()
            .any(|document| document.root.flags.contains(NodeFlags::MARKER));
        match self.feedback {
            _ if self.done || !marked => ProposerStep::Done,
            None => ProposerStep::Test(
                EditOp::StripMarkers.into(),
                EditReason {
                    pass: MARKERS.name,
                    action: EditAction::Question(
                        "Can the line markers of the preprocessor go?".into(),
                    ),
                    node: None,
                },
            ),
            Some(Feedback::Interesting) => ProposerStep::Accept(EditOp::StripMarkers.into()),
            Some(Feedback::Uninteresting | Feedback::Rejected) => ProposerStep::Done,
        }
    }

    fn on_verdict(&mut self, _: &View, _: &Edit, feedback: Feedback) {
        self.feedback = Some(feedback);
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        self.done = true;
    }

    fn invalidate(&mut self, _: &View) {}
}
