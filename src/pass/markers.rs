//! Line markers (`# 1 "file.c"`) go first, in one edit: they are noise for the reader and for the tree, but a test may need them.
//! It has no paper.

use super::{Again, Heed, Kind};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{Action, Change, Edit, Flags, Op, View, Why};

/// Takes out line markers.
pub static MARKERS: Kind = Kind {
    name: "line markers",
    what: "takes out the preprocessor's line markers, all at once",
    again: Again::Never,
    parser: Heed::Obeyed,
    start: |_, _| Box::new(Markers::default()),
};

/// Asks once.
#[derive(Clone, Debug, Default)]
pub struct Markers {
    answer: Option<Answer>,
    done: bool,
}

impl Dialogue for Markers {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        let marked = view
            .version
            .documents()
            .iter()
            .any(|document| document.root.flags.has(Flags::MARKER));
        match self.answer {
            _ if self.done || !marked => Step::Done,
            None => Step::Ask(
                Op::StripMarkers.into(),
                Why {
                    pass: MARKERS.name,
                    action: Action::StripMarkers,
                    node: None,
                },
            ),
            Some(Answer::Yes) => Step::Take(Op::StripMarkers.into()),
            Some(Answer::No | Answer::Refused) => Step::Done,
        }
    }

    fn told(&mut self, _: &View, _: &Edit, answer: Answer) {
        self.answer = Some(answer);
    }

    fn taken(&mut self, _: &View, _: &Change) {
        self.done = true;
    }

    fn constrained(&mut self, _: &View) {}
}
