//! Passes over lists of files, whose questions name the files.

use rustc_hash::FxHashSet;

use super::unit_list::{UnitListPass, UnitSource};
use crate::display::EscapeHidden;
use crate::pass::PassOptions;
use crate::program::{AppliedEdit, Edit, EditAction, EditOp, EditReason, NodeId, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// A pass over lists of files.
#[derive(Clone)]
pub struct FileListPass {
    lists: UnitListPass,
    /// Where a file goes, and where several go: `""`, or ` into …`.
    destination: [&'static str; 2],
}

impl FileListPass {
    /// A pass whose files go.
    pub fn new(source: &'static UnitSource, options: &PassOptions) -> FileListPass {
        FileListPass {
            lists: UnitListPass::new(source, options),
            destination: ["", ""],
        }
    }

    /// The same for files that go into others: the words behind *go*, for one file and for several.
    #[must_use]
    pub fn with_destination(self, destination: [&'static str; 2]) -> FileListPass {
        FileListPass {
            destination,
            ..self
        }
    }

    /// The question about the files that an edit removes: all names of a few, the first of many.
    fn name_files(&self, view: &View, edit: &Edit) -> Option<EditAction> {
        let removed: FxHashSet<NodeId> = edit.ops.iter().filter_map(EditOp::removed_node).collect();
        let documents = view.version.documents().iter();
        let files = documents.filter(|document| removed.contains(&document.root.id));
        let names: Vec<_> = files
            .map(|document| document.path.escape_hidden())
            .collect();
        let [one, several] = self.destination;
        let question = match &names[..] {
            [] => return None,
            [only] => format!("can the file {only} go{one}?"),
            [first, second] => format!("can the files {first} and {second} go{several}?"),
            [first, second, ..] => format!(
                "can {} files go{several}: {first}, {second}, and others?",
                names.len()
            ),
        };
        Some(EditAction::Question(question.into()))
    }
}

impl Proposer for FileListPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        match self.lists.propose(view) {
            ProposerStep::Test(edit, why) => {
                let action = self.name_files(view, &edit).unwrap_or(why.action);
                ProposerStep::Test(edit, EditReason { action, ..why })
            }
            step => step,
        }
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        self.lists.on_verdict(view, tested, feedback);
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        self.lists.on_accept(view, change);
    }

    fn invalidate(&mut self, view: &View) {
        self.lists.invalidate(view);
    }
}
