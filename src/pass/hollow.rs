//! hollow: all bodies of functions and all fields of structures go at once, else the bodies alone, else the fields alone.
//!
//! One to three questions at the start. Most bugs need the inside of a function, but for those that do not it is most of the work.
//! It has no paper.

use std::sync::Arc;

use super::braces::{braces, empty};
use super::{Again, Kind, Part};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::names;
use crate::program::{Action, Change, Edit, View, Why};

/// Empties everything at once.
pub static HOLLOW: Kind = Kind {
    name: "hollow",
    what: "empties all bodies of functions and all structures at once, else only the ones or the others",
    again: Again::Never,
    syntactic: true,
    start: |_, options| {
        let pass = options.part(Part::Hollow, Box::new(Hollow::default()));
        options.collected(options.closed(pass))
    },
};

/// What to empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Both,
    Bodies,
    Fields,
}

/// The three questions, in order.
const WHATS: [What; 3] = [What::Both, What::Bodies, What::Fields];

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Hollow {
    at: usize,
    take: Option<Arc<Edit>>,
}

impl Hollow {
    fn question(&self, view: &View) -> Option<(Edit, Why)> {
        let what = *WHATS.get(self.at)?;
        let all = braces(&view.version);
        let is_body = |owner| owner == names::Kind::Function;
        let bodies = all.iter().filter(|braces| is_body(braces.owner)).count() as u32;
        let fields = all.len() as u32 - bodies;
        let (bodies, fields) = match what {
            What::Both if bodies == 0 || fields == 0 => return None,
            What::Both => (bodies, fields),
            What::Bodies => (bodies, 0),
            What::Fields => (0, fields),
        };
        let picked = all.iter().filter(|braces| match what {
            What::Both => true,
            What::Bodies => is_body(braces.owner),
            What::Fields => !is_body(braces.owner),
        });
        let edit: Edit = picked
            .filter_map(|braces| empty(&view.version, braces.node))
            .collect();
        let why = Why {
            pass: HOLLOW.name,
            action: Action::Empty { bodies, fields },
            node: None,
        };
        (!edit.ops.is_empty()).then_some((edit, why))
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
        while self.at < WHATS.len() {
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
            self.at = WHATS.len();
        }
    }

    fn constrained(&mut self, _: &View) {
        *self = Hollow::default();
    }
}
