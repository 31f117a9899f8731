//! Passes over lists of files, whose questions name the files.

use super::file_removal::name_moved_files;
use super::unit_list::{UnitListPass, UnitSource};
use crate::pass::PassOptions;
use crate::program::{AppliedEdit, Edit, EditReason, NodeId, View};
use crate::protocol::{AlgorithmState, Feedback, Proposer, ProposerStep};

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
}

impl Proposer for FileListPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        match self.lists.propose(view) {
            ProposerStep::Test(edit, why) => {
                let action =
                    name_moved_files(&view.version, &edit, self.destination).unwrap_or(why.action);
                ProposerStep::Test(edit, EditReason { action, ..why })
            }
            step => step,
        }
    }

    fn describe_algorithm(&self, view: &View) -> Option<AlgorithmState<NodeId>> {
        self.lists.describe_algorithm(view)
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
