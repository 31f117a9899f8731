//! The parts of the default strategy that can be switched off, to see what each is worth.

use super::alike::Ways;
use super::closed::Closed;
use super::filter::Filtered;
use super::gc::Gc;
use super::grown::Grown;
use super::guard::Guard;
use super::learn::Learn;
use super::open::Open;
use super::{Options, Pass};
use crate::dialogue::{Answer, Dialogue, Step};
use crate::program::{Change, Edit, View, Why};

/// A part of the default strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// See `closed.rs`.
    Closed,
    /// See `gc.rs`.
    Gc,
    /// See `guard.rs`.
    Guard,
    /// See `learn.rs`.
    Learn,
    /// See `hollow.rs`.
    Hollow,
    /// See `bodies.rs`.
    Bodies,
    /// See `alike.rs`.
    Alike,
    /// See `batch.rs`.
    Batch,
}

/// All parts: the name on the command line, and what goes without it.
pub static PARTS: &[(&str, Part, &str)] = &[
    (
        "closed",
        Part::Closed,
        "declarations of names that are in use are not asked about",
    ),
    ("gc", Part::Gc, "what became unreferenced goes at once"),
    (
        "guard",
        Part::Guard,
        "no candidate loses the declaration of a name that it uses",
    ),
    (
        "learn",
        Part::Learn,
        "what failed twice and never passed is not asked again",
    ),
    (
        "hollow",
        Part::Hollow,
        "all bodies and structures are emptied at once",
    ),
    ("bodies", Part::Bodies, "bodies are emptied in batches"),
    (
        "alike",
        Part::Alike,
        "what passed in two places is asked about all places like them",
    ),
    (
        "batch",
        Part::Batch,
        "edits of a kind that often pass are asked about one version and taken together",
    ),
];

/// A set of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts(u8);

impl Parts {
    /// These and `part`.
    pub fn with(self, part: Part) -> Parts {
        Parts(self.0 | 1 << part as u8)
    }

    /// Whether `part` is one of them.
    pub fn has(self, part: Part) -> bool {
        self.0 & 1 << part as u8 != 0
    }

    /// Their names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let all = PARTS.iter();
        all.filter(move |(_, part, _)| self.has(*part))
            .map(|(name, ..)| *name)
    }

    /// These and the part of that name; none if there is no such part.
    pub fn named(self, name: &str) -> Option<Parts> {
        let (_, part, _) = PARTS.iter().find(|(known, ..)| *known == name)?;
        Some(self.with(*part))
    }
}

impl Options {
    /// This pass, unless it goes without.
    pub(super) fn part(&self, part: Part, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        if self.without.has(part) {
            Box::new(Nothing)
        } else {
            pass
        }
    }

    /// How nodes that are alike are asked about together.
    pub(super) fn ways(&self) -> Ways {
        Ways {
            alike: !self.without.has(Part::Alike),
            batch: !self.without.has(Part::Batch),
        }
    }

    /// With `Open` around it: what the constraints forbid is never asked.
    pub fn open(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        Filtered::boxed(pass, Open)
    }

    /// With [`Closed`] around it.
    pub(super) fn closed(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        self.around(Part::Closed, pass, |pass| Filtered::boxed(pass, Closed))
    }

    /// With [`Grown`] around it, which is [`Closed`] and more: for a pass that takes what was asked.
    pub(super) fn grown(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        let grown = |pass| Filtered::boxed(pass, Grown::default());
        self.around(Part::Closed, pass, grown)
    }

    /// With [`Guard`] around it.
    pub(super) fn guarded(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        self.around(Part::Guard, pass, |pass| Filtered::boxed(pass, Guard))
    }

    /// With [`Learn`] around it.
    pub(super) fn learned(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        let learn = |pass| Filtered::boxed(pass, Learn::default());
        self.around(Part::Learn, pass, learn)
    }

    /// With [`Gc`] around it.
    pub(super) fn collected(&self, pass: Box<dyn Pass>) -> Box<dyn Pass> {
        self.around(Part::Gc, pass, Gc::boxed)
    }

    fn around(
        &self,
        part: Part,
        pass: Box<dyn Pass>,
        wrap: impl FnOnce(Box<dyn Pass>) -> Box<dyn Pass>,
    ) -> Box<dyn Pass> {
        if self.without.has(part) {
            pass
        } else {
            wrap(pass)
        }
    }
}

/// A pass that was switched off.
#[derive(Clone, Copy, Debug)]
struct Nothing;

impl Dialogue for Nothing {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, _: &View) -> Step<Edit, Why> {
        Step::Done
    }

    fn told(&mut self, _: &View, _: &Edit, _: Answer) {}

    fn taken(&mut self, _: &View, _: &Change) {}

    fn constrained(&mut self, _: &View) {}
}
