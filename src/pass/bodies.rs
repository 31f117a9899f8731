//! Bodies of functions are emptied, many at once: half of them, a quarter, and so on, as long as that leads anywhere. The halving is
//! that of `complements.rs` (Hodován and Kiss, A-TEST 2016); the rest has no paper.
//!
//! A body that was asked about counts as done, also where a filter spared some of it: the main loop goes on with it.

use std::sync::Arc;

use super::braces::{Braces, Left, can_go, question};
use super::{Again, Heed, Kind, Part, halving};
use crate::dialogue::{Answer, Dialogue, Indices, Step};
use crate::minimize::{List, Minimizer};
use crate::program::{self, Change, Edit, NodeId, Version, View, Why, names};

/// Bodies of functions.
pub static BODIES: Kind = Kind {
    name: "bodies",
    what: "empties bodies of functions, in batches that are halved",
    again: Again::Never,
    parser: Heed::Obeyed,
    start: |view, options| {
        let pass = options.part(Part::Bodies, Box::new(Bodies::new(view)));
        options.collected(options.grown(pass))
    },
};

/// After so many failures in a row it gives up: the main loop knows more of each body.
const PATIENCE: u32 = 14;

/// See the module's text.
#[derive(Clone)]
pub struct Bodies {
    bodies: Arc<[NodeId]>,
    minimizer: Box<dyn Minimizer>,
    asked: Indices,
    take: Option<Arc<Edit>>,
    failed: u32,
}

fn find(view: &View) -> Arc<[NodeId]> {
    let version = &view.version;
    let all = program::bodies(version)
        .filter(|(trail, owner)| *owner == names::Kind::Function && can_go(version, trail));
    all.map(|(trail, _)| trail.node().id).collect()
}

fn list(bodies: &[NodeId]) -> List {
    List::new(vec![1; bodies.len()].into(), 0)
}

impl Bodies {
    /// Begins on this version.
    pub fn new(view: &View) -> Bodies {
        let bodies = find(view);
        Bodies {
            minimizer: halving(&list(&bodies)),
            bodies,
            asked: Indices::default(),
            take: None,
            failed: 0,
        }
    }

    /// Those of the set that are there.
    fn picked<'a>(&self, version: &'a Version, set: &Indices) -> impl Iterator<Item = Braces<'a>> {
        let ranges = set.ranges().iter().cloned();
        ranges.flatten().filter_map(|at| {
            let trail = version.trail(self.bodies[at as usize])?;
            Some((trail, names::Kind::Function))
        })
    }
}

impl Dialogue for Bodies {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        if let Some(edit) = &self.take {
            return Step::Take((**edit).clone());
        }
        loop {
            let list = list(&self.bodies);
            if self.failed >= PATIENCE {
                return Step::Done;
            }
            let Step::Ask(set, ()) = self.minimizer.step(&list) else {
                return Step::Done;
            };
            let picked = self.picked(&view.version, &set);
            let Some((edit, why)) = question(BODIES.name, &view.version, picked, Left::Nothing)
            else {
                // Somebody else emptied them, or they are gone.
                self.minimizer.told(&list, &set, Answer::Refused);
                continue;
            };
            self.asked = set;
            return Step::Ask(edit, why);
        }
    }

    fn told(&mut self, _: &View, asked: &Edit, answer: Answer) {
        let list = list(&self.bodies);
        self.minimizer.told(&list, &self.asked, answer);
        match answer {
            Answer::Yes => (self.take, self.failed) = (Some(Arc::new(asked.clone())), 0),
            Answer::No => self.failed += 1,
            Answer::Refused => {}
        }
    }

    fn taken(&mut self, _: &View, _: &Change) {
        if self.take.take().is_none() {
            return;
        }
        let gone = std::mem::take(&mut self.asked);
        let left = self.bodies.iter().enumerate();
        let left = left.filter(|&(at, _)| !gone.contains(at as u32));
        self.bodies = left.map(|(_, &body)| body).collect();
        self.minimizer.taken(&list(&self.bodies), &gone);
    }

    fn constrained(&mut self, view: &View) {
        self.bodies = find(view);
        self.minimizer = halving(&list(&self.bodies));
        (self.take, self.failed) = (None, 0);
    }
}
