//! The order of the passes: a dialogue itself, around the pass whose turn it is.
//!
//! After each pass the tree is brought into agreement with the parser; a pass that runs to a fixpoint begins anew as long as its last
//! run made the program smaller.

use super::odds::Odds;
use crate::dialogue::{Answer, Dialogue, Step};
use crate::pass::{self, Again, Pass};
use crate::program::{Change, Edit, View, Why};

/// The state of the schedule. Cloning it costs the same for a small program and a large one.
#[derive(Clone)]
pub struct Schedule {
    options: pass::Options,
    /// The pass whose turn it is, an index of the strategy's passes; its length when all are done.
    at: usize,
    round: u32,
    odds: Odds,
    /// The program's size when this round began.
    size: (u32, u32),
    running: Option<Box<dyn Pass>>,
}

fn size(view: &View) -> (u32, u32) {
    (view.version.tokens(), view.version.bytes())
}

impl Schedule {
    /// All passes, from the first.
    pub fn new(options: pass::Options) -> Schedule {
        Schedule {
            options,
            at: 0,
            round: 1,
            odds: Odds::default(),
            size: (u32::MAX, u32::MAX),
            running: None,
        }
    }

    /// How likely a question is to be answered with yes, by the answers so far.
    pub fn odds(&self, edit: &Edit) -> f64 {
        self.odds.of(edit)
    }

    /// The index of the pass whose turn it is and its round; the number of passes when all are done.
    pub fn turn(&self) -> (usize, u32) {
        (self.at, self.round)
    }

    /// Whether the pass whose turn it is asks about programs by the grammar.
    pub fn syntactic(&self) -> bool {
        let kind = self.options.strategy.passes.get(self.at);
        kind.is_none_or(|kind| kind.syntactic)
    }
}

impl Dialogue for Schedule {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        let Some(kind) = self.options.strategy.passes.get(self.at) else {
            return Step::Done;
        };
        let running = self.running.get_or_insert_with(|| {
            self.size = size(view);
            (kind.start)(view, &self.options)
        });
        match running.step(view) {
            Step::Done => Step::Settle,
            step => step,
        }
    }

    fn ahead(&self, view: &View, most: usize) -> Vec<Edit> {
        let running = self.running.as_ref();
        running.map_or_else(Vec::new, |running| running.ahead(view, most))
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        self.odds.told(asked, answer);
        if let Some(running) = &mut self.running {
            running.told(view, asked, answer);
        }
    }

    fn taken(&mut self, view: &View, change: &Change) {
        if let Some(running) = &mut self.running {
            running.taken(view, change);
        }
    }

    /// The tree agrees with the parser again: the next round or pass.
    fn constrained(&mut self, view: &View) {
        let passes = self.options.strategy.passes;
        let Some(kind) = passes.get(self.at) else {
            return;
        };
        let smaller = size(view) < self.size;
        match kind.again {
            Again::Fixpoint if smaller => {
                self.round += 1;
                self.size = size(view);
                if let Some(running) = &mut self.running {
                    running.constrained(view);
                }
                return;
            }
            Again::From(name) if smaller => {
                let place = passes.iter().position(|kind| kind.name == name);
                self.at = place.unwrap_or(self.at);
            }
            _ => self.at += 1,
        }
        (self.round, self.running) = (1, None);
    }
}
