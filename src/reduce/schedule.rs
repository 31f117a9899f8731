//! The order of the passes: a dialogue itself, around the pass whose turn it is.
//!
//! After each pass the tree is brought into agreement with the parser; a pass that runs to a fixpoint begins anew as long as its last
//! run made the program smaller. The user may change the order, switch passes off and on, and have an edit of his own asked about
//! before all others.

use std::sync::Arc;

use super::command::PassVerb;
use super::odds::Odds;
use crate::dialogue::{Answer, Dialogue, Step};
use crate::display::Shown;
use crate::pass::{self, Again, Heed, Kind, Pass};
use crate::program::{Change, Edit, View, Why};

/// A pass in its place.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The pass.
    pub kind: &'static Kind,
    /// Whether it runs.
    pub on: bool,
    /// Whether the user cut it short.
    pub skipped: bool,
}

/// Whose turn it is.
#[derive(Clone, Debug)]
pub struct Turn {
    /// All passes in their order.
    pub order: Arc<[Slot]>,
    /// The one whose turn it is, an index of `order`; its length when all are done.
    pub at: usize,
    /// Which time it runs, from 1.
    pub round: u32,
}

impl PartialEq for Turn {
    fn eq(&self, other: &Turn) -> bool {
        (self.at, self.round) == (other.at, other.round) && Arc::ptr_eq(&self.order, &other.order)
    }
}

/// The state of the schedule. Cloning it costs the same for a small program and a large one.
#[derive(Clone)]
pub struct Schedule {
    options: pass::Options,
    turn: Turn,
    odds: Odds,
    /// The program's size when this round began.
    size: (u32, u32),
    /// Whether something was refused since a pass that doubts the parser had its turn.
    refused: bool,
    running: Option<Box<dyn Pass>>,
    /// The user put an end to a pass: before the next one the tree is brought into agreement with the parser.
    cut: bool,
    proposal: Option<Arc<Proposal>>,
}

/// An edit of the user's, on its way to the test.
struct Proposal {
    edit: Edit,
    why: Why,
    interesting: bool,
}

fn size(view: &View) -> (u32, u32) {
    (view.version.tokens(), view.version.bytes())
}

impl Schedule {
    /// All passes, from the first.
    pub fn new(options: pass::Options) -> Schedule {
        let slot = |kind: &&'static Kind| Slot {
            kind,
            on: true,
            skipped: false,
        };
        Schedule {
            options,
            turn: Turn {
                order: options.strategy.passes.iter().map(slot).collect(),
                at: 0,
                round: 1,
            },
            odds: Odds::default(),
            size: (u32::MAX, u32::MAX),
            refused: false,
            running: None,
            cut: false,
            proposal: None,
        }
    }

    /// How likely a question is to be answered with yes, by the answers so far.
    pub fn odds(&self, edit: &Edit) -> f64 {
        self.odds.of(edit)
    }

    /// Whose turn it is.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Whether a pass has its turn when it is reached.
    fn is_due(&self, slot: &Slot) -> bool {
        let is_wanted = match slot.kind.parser {
            Heed::Doubted(name) if self.running.is_none() => self.refused && self.runs(name),
            _ => true,
        };
        slot.on && is_wanted
    }

    /// Whether the pass of this name runs, if there is one: the user may have switched it off, or cut it short.
    fn runs(&self, name: &str) -> bool {
        let named = |slot: &&Slot| slot.kind.name == name;
        let slot = self.turn.order.iter().find(named);
        slot.is_none_or(|slot| slot.on && !slot.skipped)
    }

    /// The place of the pass that has its turn next: those that are off, or have nothing to doubt, are passed over.
    fn next(&self) -> usize {
        let rest = self.turn.order.iter().skip(self.turn.at);
        let passed = rest.take_while(|slot| !self.is_due(slot)).count();
        self.turn.at + passed
    }

    /// What it is about to ask: the name of a pass; none at its end, or before an edit of the user's.
    pub fn upcoming(&self) -> Option<&'static str> {
        let slot = self.turn.order.get(self.next());
        slot.filter(|_| self.proposal.is_none())
            .map(|slot| slot.kind.name)
    }

    fn current(&self) -> Option<&'static Kind> {
        self.turn.order.get(self.turn.at).map(|slot| slot.kind)
    }

    /// Whether what is asked now is meant to be a program by the grammar. The user may write what he likes.
    pub fn syntactic(&self) -> bool {
        self.proposal.is_none()
            && self
                .current()
                .is_none_or(|kind| kind.parser == Heed::Obeyed)
    }

    /// The tree agrees with the parser again: the next round or pass.
    pub fn settled(&mut self, view: &View) {
        if std::mem::take(&mut self.cut) {
            return;
        }
        let Some(kind) = self.current() else {
            return;
        };
        let smaller = size(view) < self.size;
        match kind.again {
            Again::Fixpoint if smaller => {
                self.turn.round += 1;
                self.size = size(view);
                if let Some(running) = &mut self.running {
                    running.constrained(view);
                }
                return;
            }
            Again::From(name) if smaller => {
                let place = self.place(name).ok();
                let place = place.filter(|&place| self.turn.order[place].on);
                let at = self.turn.at;
                self.turn.at = place.unwrap_or(at).min(at);
                // They have their turn again.
                if self.turn.order[self.turn.at..=at]
                    .iter()
                    .any(|slot| slot.skipped)
                {
                    let first = self.turn.at;
                    self.change(|order| {
                        order[first..=at]
                            .iter_mut()
                            .for_each(|slot| slot.skipped = false)
                    });
                }
            }
            _ => self.turn.at += 1,
        }
        (self.turn.round, self.running) = (1, None);
    }
}

/// What the user tells it.
impl Schedule {
    /// This edit is asked about before all else.
    pub fn propose(&mut self, edit: Edit, why: Why) {
        let interesting = false;
        self.proposal = Some(Arc::new(Proposal {
            edit,
            why,
            interesting,
        }));
    }

    /// The user's edit is not asked about any more; whether there was one.
    pub fn withdraw(&mut self) -> bool {
        self.proposal.take().is_some()
    }

    /// Whether this edit is the user's, and on its way.
    pub fn proposes(&self, edit: &Edit) -> bool {
        self.proposal
            .as_ref()
            .is_some_and(|proposal| proposal.edit == *edit)
    }

    /// All passes have their turn again, from the first.
    pub fn rewind(&mut self) {
        self.cut(0);
    }

    /// All passes have their turn again, if none is left.
    pub fn revive(&mut self) {
        if self.turn.at >= self.turn.order.len() {
            (self.turn.at, self.turn.round, self.running) = (0, 1, None);
        }
    }

    /// Where the pass of this name stands.
    ///
    /// # Errors
    /// When there is none of that name; the sentence lists them.
    pub fn place(&self, name: &str) -> Result<usize, String> {
        let mut order = self.turn.order.iter();
        order
            .position(|slot| slot.kind.name == name)
            .ok_or_else(|| {
                let names: Vec<_> = self.turn.order.iter().map(|slot| slot.kind.name).collect();
                format!(
                    "there is no pass `{}`; there are {}",
                    name.shown(),
                    names.join(", ")
                )
            })
    }

    /// The pass at hand ends here, and the one at `next` begins.
    fn cut(&mut self, next: usize) {
        (self.turn.at, self.turn.round) = (next, 1);
        self.cut |= self.running.take().is_some();
    }

    fn change(&mut self, change: impl FnOnce(&mut Vec<Slot>)) {
        let mut order = self.turn.order.to_vec();
        change(&mut order);
        self.turn.order = order.into();
    }

    /// The pass at hand ends here, for now.
    ///
    /// # Errors
    /// When none is at hand.
    pub fn skip(&mut self) -> Result<(), String> {
        let at = self.turn.at;
        self.current().ok_or("no pass is running")?;
        self.change(|order| order[at].skipped = true);
        self.cut(at + 1);
        Ok(())
    }

    /// Does this to the pass of this name.
    ///
    /// # Errors
    /// When there is none of that name, or it cannot be done.
    pub fn order_pass(&mut self, verb: PassVerb, name: &str) -> Result<(), String> {
        let (place, at) = (self.place(name)?, self.turn.at);
        match verb {
            PassVerb::Disable => {
                self.change(|order| order[place].on = false);
                if place == at {
                    self.cut(at + 1);
                }
            }
            PassVerb::Enable => {
                self.change(|order| order[place].on = true);
                if place < at {
                    self.cut(place);
                }
            }
            PassVerb::Restart => {
                self.change(|order| (order[place].on, order[place].skipped) = (true, false));
                // Whoever wants it again has a reason.
                self.refused = true;
                self.running = None;
                self.cut |= place != at;
                self.cut(place);
            }
            PassVerb::Earlier if place == 0 => return Err(format!("{name} is the first already")),
            PassVerb::Later if place + 1 == self.turn.order.len() => {
                return Err(format!("{name} is the last already"));
            }
            PassVerb::Earlier => self.swap(place - 1),
            PassVerb::Later => self.swap(place),
        }
        Ok(())
    }

    /// The passes at `first` and after it change places. If the one that runs now stands later for it, the other one begins.
    fn swap(&mut self, first: usize) {
        self.change(|order| order.swap(first, first + 1));
        match self.turn.at {
            // One whose turn has passed would be skipped by mere moving: it runs now.
            at if at == first || at == first + 1 => self.cut(first),
            _ => {}
        }
    }

    /// These passes are next, in this order; those that are not named follow.
    ///
    /// # Errors
    /// When there is none of a name.
    pub fn reorder(&mut self, names: &[Arc<str>]) -> Result<(), String> {
        let mut places = Vec::new();
        for name in names {
            let place = self.place(name)?;
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let order = self.turn.order.clone();
        let named = |place: &usize| places.contains(place);
        let done: Vec<usize> = (0..self.turn.at).filter(|place| !named(place)).collect();
        let rest = (self.turn.at..order.len()).filter(|place| !named(place));
        let at = done.len();
        let all: Vec<usize> = done
            .iter()
            .copied()
            .chain(places.iter().copied())
            .chain(rest)
            .collect();
        let goes_on = all.get(at) == Some(&self.turn.at);
        self.change(|slots| *slots = all.iter().map(|&place| order[place]).collect());
        match goes_on {
            true => self.turn.at = at,
            false => self.cut(at),
        }
        Ok(())
    }
}

impl Dialogue for Schedule {
    type View = View;
    type Edit = Edit;
    type Why = Why;
    type Change = Change;

    fn step(&mut self, view: &View) -> Step<Edit, Why> {
        if let Some(proposal) = &self.proposal {
            return match proposal.interesting {
                true => Step::Take(proposal.edit.clone()),
                false => Step::Ask(proposal.edit.clone(), proposal.why.clone()),
            };
        }
        if self.cut {
            return Step::Settle;
        }
        self.turn.at = self.next();
        let Some(kind) = self.current() else {
            return Step::Done;
        };
        let running = self.running.get_or_insert_with(|| {
            self.size = size(view);
            self.refused &= !matches!(kind.parser, Heed::Doubted(_));
            self.options.open((kind.start)(view, &self.options))
        });
        match running.step(view) {
            Step::Done => Step::Settle,
            step => step,
        }
    }

    fn ahead(&self, view: &View, most: usize) -> Vec<Edit> {
        // What comes after the user's own edit hangs on its answer.
        let running = self.running.as_ref().filter(|_| self.proposal.is_none());
        running.map_or_else(Vec::new, |running| running.ahead(view, most))
    }

    fn told(&mut self, view: &View, asked: &Edit, answer: Answer) {
        if let Some(proposal) = self.proposal.take() {
            if answer.is_yes() {
                let (edit, why) = (proposal.edit.clone(), proposal.why.clone());
                self.proposal = Some(Arc::new(Proposal {
                    edit,
                    why,
                    interesting: true,
                }));
            }
            return;
        }
        self.refused |= answer == Answer::Refused && self.syntactic();
        self.odds.told(asked, answer);
        if let Some(running) = &mut self.running {
            running.told(view, asked, answer);
        }
    }

    fn taken(&mut self, view: &View, change: &Change) {
        let proposed = self.proposal.take().is_some();
        let Some(running) = &mut self.running else {
            return;
        };
        match proposed {
            // A pass need not know edits that none of ours makes.
            true => {
                self.size = self.size.max(size(view));
                running.constrained(view);
            }
            false => running.taken(view, change),
        }
    }

    /// The rules changed, or another version is the present: the pass at hand looks at it anew.
    fn constrained(&mut self, view: &View) {
        // What is taken from here on is a success of this round, however small the program was before.
        self.size = self.size.max(size(view));
        if let Some(running) = &mut self.running {
            running.constrained(view);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(schedule: &Schedule) -> Vec<&'static str> {
        schedule
            .turn
            .order
            .iter()
            .map(|slot| slot.kind.name)
            .collect()
    }

    fn now(schedule: &Schedule) -> &'static str {
        schedule.current().map_or("nothing", |kind| kind.name)
    }

    fn hdd() -> Schedule {
        Schedule::new(pass::Options::of(pass::strategy("hdd").expect("known")))
    }

    #[test]
    fn passes_move_and_what_moves_before_the_one_at_hand_runs_now() {
        let mut schedule = hdd();
        assert_eq!(names(&schedule), ["line markers", "comments", "hdd"]);
        schedule
            .order_pass(PassVerb::Earlier, "hdd")
            .expect("it can");
        assert_eq!(
            (names(&schedule), now(&schedule)),
            (vec!["line markers", "hdd", "comments"], "line markers")
        );
        schedule
            .order_pass(PassVerb::Earlier, "hdd")
            .expect("it can");
        assert_eq!(
            (names(&schedule), now(&schedule)),
            (vec!["hdd", "line markers", "comments"], "hdd")
        );
        schedule.reorder(&["comments".into()]).expect("it can");
        assert_eq!(
            (names(&schedule), now(&schedule)),
            (vec!["comments", "hdd", "line markers"], "comments")
        );
        assert!(schedule.order_pass(PassVerb::Earlier, "comments").is_err());
        assert!(
            schedule
                .order_pass(PassVerb::Disable, "magic")
                .expect_err("no such")
                .contains("there are comments, hdd")
        );
    }

    #[test]
    fn a_pass_that_is_skipped_or_disabled_gives_way_to_the_next() {
        let mut schedule = hdd();
        schedule.skip().expect("one runs");
        assert_eq!(now(&schedule), "comments");
        schedule
            .order_pass(PassVerb::Disable, "comments")
            .expect("it can");
        assert_eq!(now(&schedule), "hdd");
        schedule
            .order_pass(PassVerb::Enable, "comments")
            .expect("it can");
        assert_eq!(now(&schedule), "comments");
        schedule
            .order_pass(PassVerb::Restart, "line markers")
            .expect("it can");
        assert_eq!(now(&schedule), "line markers");
    }
}
