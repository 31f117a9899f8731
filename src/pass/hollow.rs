//! hollow: all bodies of functions and all fields of structures go at once, else the bodies alone, else the fields alone.
//!
//! One to three questions at the start. Most bugs need the inside of a function, but for those that do not it is most of the work.
//! Where an empty body is no program (it must have a value), the language may have a filler, and then there is one question more.
//! It has no paper.

use std::sync::Arc;

use super::braces::{Left, question};
use super::{Again, Heed, Kind, Part};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{self, Action, Change, Edit, View, Why, names};

/// Empties everything at once.
pub static HOLLOW: Kind = Kind {
    name: "hollow",
    what: "empties all bodies of functions and all structures at once, else only the ones or the others; what cannot be empty gets its filler",
    again: Again::Never,
    parser: Heed::Obeyed,
    start: |_, options| {
        let pass = options.part(Part::Hollow, Box::new(Hollow::default()));
        options.collected(options.grown(pass))
    },
};

/// What to empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Both,
    Bodies,
    Fields,
}

/// The questions, in order.
const QUESTIONS: [(What, Left); 4] = [
    (What::Both, Left::Nothing),
    (What::Bodies, Left::Nothing),
    (What::Bodies, Left::Filler),
    (What::Fields, Left::Nothing),
];

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Hollow {
    at: usize,
    take: Option<Arc<Edit>>,
}

impl Hollow {
    fn question(&self, view: &View) -> Option<(Edit, Why)> {
        let (what, left) = *QUESTIONS.get(self.at)?;
        let picked = program::bodies(&view.version).filter(|(_, owner)| match what {
            What::Both => true,
            What::Bodies => *owner == names::Kind::Function,
            What::Fields => *owner != names::Kind::Function,
        });
        let (edit, why) = question(HOLLOW.name, &view.version, picked, left)?;
        let alone = |action: &Action| match action {
            Action::Empty { bodies, fields } => bodies.number == 0 || fields.number == 0,
            _ => false,
        };
        // It is the same as a question that follows.
        let follows = what == What::Both && alone(&why.action);
        (!follows).then_some((edit, why))
    }
}

impl Dialogue for Hollow {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        if let Some(edit) = &self.take {
            return Step::Take((**edit).clone());
        }
        while self.at < QUESTIONS.len() {
            if let Some((edit, why)) = self.question(view) {
                return Step::Ask(edit, why);
            }
            self.at += 1;
        }
        Step::Done
    }

    fn told(&mut self, _: &View, asked: &Edit, answer: Answer) {
        match answer {
            Answer::Yes => self.take = Some(Arc::new(asked.clone())),
            Answer::No | Answer::Refused => self.at += 1,
        }
    }

    fn taken(&mut self, _: &View, _: &Change) {
        if self.take.take().is_some() {
            // What follows after a success is for the passes that know more of each list.
            self.at = QUESTIONS.len();
        }
    }

    fn constrained(&mut self, _: &View) {
        *self = Hollow::default();
    }
}
