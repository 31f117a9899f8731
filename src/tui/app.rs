//! The state of the screen: what is selected, folded, scrolled; never the state of the run.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Context;
use super::diff;
use super::drag::Drag;
use super::folds::Folds;
use super::heat::Heat;
use super::layers::verdict::Page;
pub use super::layout::{Layout, Mode, Pane, Regions, Sizes, Wish};
use super::marks::{self, Marks};
use super::pace::Pace;
use super::panes::program::Colours;
pub use super::pending::Pending;
use super::prompt::Prompt;
pub use super::scroll::Scroll;
use super::search::Search;
use super::selection;
use super::setup::Setup;
use super::theme::{Look, Role};
use super::toast::Toasts;
use super::versions::Versions;
use crate::program::Edit;
use crate::program::{NodeId, Version};
use crate::reduce::{Command, Decided, Decision, Ending, Snapshot, Sought, State, sweep};
use crate::session::player::Move;

/// A page that lies over the panes. The topmost has the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The keys, from this line on.
    Help(usize),
    /// The result.
    Result,
    /// Why the run stands still, from this line on.
    Trouble(usize),
    /// A verdict, from this line on.
    Verdict(usize),
    /// The candidate as a diff, from this line on.
    Candidate(usize),
    /// All that is known of the selected node, from this line on.
    Inspection(usize),
    /// What differs between two versions, from this line on.
    Difference(usize),
    /// What the selected pass does, from this line on.
    Pass(usize),
    /// What the test looks for, with this part selected.
    Property(usize),
}

/// What follows from a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Nothing, not even a new frame.
    Nothing,
    /// The screen looks different now.
    Draw,
    /// The run is told.
    Send(Command),
    /// The player of a recording is told.
    Play(Move),
    /// To the shell, for a while.
    Suspend,
    /// The user's editor on the program.
    Edit,
    /// The user wants to leave.
    Leave,
}

/// A letter is awaited, for this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// To remember the selected node under it.
    Mark,
    /// To go to its node.
    Go,
}

/// What a curve is drawn over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    /// Tests.
    #[default]
    Tests,
    /// Time.
    Time,
}

/// A command of the user's in the curve.
#[derive(Clone, Debug)]
pub struct Marker {
    /// Tests by then.
    pub tests: u64,
    /// Time since the start.
    pub time: Duration,
    /// The command's name.
    pub name: String,
}

/// How long a change is shown.
pub const FLASH: Duration = Duration::from_secs(1);

/// Of how many versions, and of what is looked for.
type Measured = (usize, Option<Arc<Sought>>);

/// The screen.
#[derive(Debug)]
pub struct App {
    /// What the screen says besides the run.
    pub context: Context,
    /// What the user has settled.
    pub setup: Setup,
    /// How things look now.
    pub look: Look,
    /// Which panes are shown.
    pub layout: &'static Layout,
    /// What the user has moved.
    pub sizes: Sizes,
    /// Whether the pane that has the keys stands alone.
    pub zoomed: bool,
    /// What the mouse drags.
    pub drag: Option<Drag>,
    /// The newest snapshot that was taken over.
    pub snapshot: Option<Arc<Snapshot>>,
    /// Before there is one, of a run that goes on: how many decisions are made again, of how many.
    pub again: Option<(Decision, Decision)>,
    /// What the question in the air would take away; while the run stands still and nothing is asked, the last one that was not taken.
    pub marks: Marks,
    /// What is folded in the tree.
    pub folds: Folds,
    /// The selected node.
    pub selected: Option<NodeId>,
    /// Where the tree is scrolled to.
    pub tree: Scroll,
    /// Where the program is scrolled to.
    pub program: Scroll,
    /// Where the verdicts are scrolled to.
    pub verdicts: Scroll,
    /// Where the passes are scrolled to, and which is selected; none is the one that runs.
    pub passes: Scroll,
    /// See `passes`.
    pub chosen_pass: Option<usize>,
    /// What is selected of the versions.
    pub versions: Versions,
    /// The smallest version, of so many, that has what is looked for.
    pub smallest: Option<(Measured, u64)>,
    /// How many questions a sweep over the version of this number has.
    pub sweep: Option<(u64, Option<u32>)>,
    /// Where the candidate is scrolled to.
    pub candidate: usize,
    /// The verdict that the user is on; none is the newest, whichever that is.
    pub chosen_verdict: Option<Decision>,
    /// Which verdicts are shown.
    pub filter: Option<Ending>,
    /// The page of a verdict.
    pub page: Option<Page>,
    /// The candidate as a diff, with the version and the decision that it is of.
    pub diff: Option<((u64, Decision), Vec<diff::Line>)>,
    /// How many cells of the program's lines are left of the pane.
    pub left: usize,
    /// The line of the program that the user is on.
    pub line: u32,
    /// Whether the selection follows what is being tried.
    pub follow: bool,
    /// The pages over the panes.
    pub layers: Vec<Layer>,
    /// What is typed.
    pub prompt: Option<Prompt>,
    /// What was looked for.
    pub search: Option<Search>,
    /// The user's marks.
    pub letters: BTreeMap<char, NodeId>,
    /// A letter is awaited.
    pub awaited: Option<Awaited>,
    /// What the run spends where.
    pub heat: Heat,
    /// What the curve is drawn over.
    pub axis: Axis,
    /// The user's commands in the curve.
    pub markers: Vec<Marker>,
    /// What the last take has changed, and when.
    pub changed: Option<(NodeId, Instant)>,
    /// The commands that the run has not yet obeyed, in their order.
    pub pending: Vec<Pending>,
    /// Why the last key did nothing.
    pub said: Option<String>,
    /// What is told for a moment.
    pub toasts: Toasts,
    /// What the screen itself noticed and a user should still know at the end.
    pub notes: Vec<String>,
    /// The colours of the visible text.
    pub colours: Colours,
    /// Where the panes were in the last frame.
    pub regions: Regions,
    /// How many decisions there were, and tests started, when the run last stood still by itself.
    pub(super) troubled: Option<(u64, u64)>,
    chosen: Pane,
    pub(super) pace: Pace,
}

impl App {
    /// A screen that has not seen a snapshot.
    pub fn new(context: Context, setup: Setup) -> App {
        App {
            pace: Pace::new(context.rested),
            context,
            look: setup.look.clone(),
            layout: setup.layout,
            setup,
            sizes: Sizes::default(),
            zoomed: false,
            drag: None,
            snapshot: None,
            again: None,
            marks: Marks::default(),
            folds: Folds::default(),
            selected: None,
            tree: Scroll::default(),
            program: Scroll::default(),
            verdicts: Scroll::default(),
            passes: Scroll::default(),
            chosen_pass: None,
            versions: Versions::default(),
            smallest: None,
            sweep: None,
            candidate: 0,
            chosen_verdict: None,
            filter: None,
            page: None,
            diff: None,
            left: 0,
            line: 0,
            follow: true,
            layers: Vec::new(),
            prompt: None,
            search: None,
            letters: BTreeMap::new(),
            awaited: None,
            heat: Heat::default(),
            axis: Axis::default(),
            markers: Vec::new(),
            changed: None,
            pending: Vec::new(),
            said: None,
            toasts: Toasts::default(),
            notes: Vec::new(),
            colours: Colours::default(),
            regions: Regions::default(),
            troubled: None,
            chosen: Pane::default(),
        }
    }

    /// What decides where the panes are.
    pub fn wish(&self) -> Wish {
        let passes = self.snapshot.as_ref();
        Wish {
            layout: self.layout,
            sizes: self.sizes,
            focus: self.chosen,
            zoomed: self.zoomed,
            passes: passes.map_or(0, |snapshot| snapshot.passes.len()),
        }
    }

    /// Whether the run goes on, as far as the screen knows.
    pub fn state(&self) -> Option<&State> {
        self.snapshot.as_deref().map(|snapshot| &snapshot.state)
    }

    /// Whether the run has ended.
    pub fn finished(&self) -> bool {
        matches!(self.state(), Some(State::Finished(_)))
    }

    /// The pane that has the keys.
    pub fn focus(&self) -> Pane {
        self.wish().focus(self.regions.mode)
    }

    /// Gives the keys to a pane.
    pub fn choose(&mut self, pane: Pane) {
        self.chosen = pane;
    }

    /// Takes over what the user has settled anew.
    pub fn settle(&mut self, setup: Setup) {
        self.look = setup.look.clone();
        self.colours = Colours::default();
        if setup.layout != self.setup.layout {
            self.layout = setup.layout;
        }
        self.setup = setup;
    }

    /// Tells something for a moment, and keeps it among the notes.
    pub fn notice(&mut self, what: &str) {
        const MOST: usize = 20;
        self.toasts.tell(what, Role::Note);
        if self.notes.last().map(String::as_str) != Some(what) && self.notes.len() < MOST {
            self.notes.push(what.to_owned());
        }
    }

    /// What the screen may do while nothing happens; whether it did or has more of it. So much at a time that no key waits for it.
    pub fn work(&mut self) -> bool {
        const NODES: usize = 20_000;
        let Some(snapshot) = self.snapshot.clone() else {
            return false;
        };
        let counting = self.folds.work(NODES) | self.heat.hear(&snapshot);
        let search = self.search.as_mut().filter(|search| !search.is_done());
        let looked = search.map(|search| search.work(NODES)).is_some();
        self.go_to_found(&snapshot.version);
        counting || looked
    }

    /// Takes over a snapshot.
    pub fn take(&mut self, new: Arc<Snapshot>) {
        self.pace.hear(self.snapshot.as_deref(), &new);
        self.hear_trouble(&new);
        self.hear_player(&new);
        self.hear_beginning(&new);
        let ended = !self.finished() && matches!(new.state, State::Finished(_));
        let heard = self.snapshot.as_deref().unwrap_or(&new).obeyed.0;
        match self.snapshot.take() {
            None => {
                self.folds = Folds::new(&new.version);
                self.selected = selection::top(&new.version);
            }
            Some(old) if old.number != new.number => {
                self.hold(&old.version, &new.version);
                self.changed = changed(&new).map(|place| (place, new.now));
            }
            Some(_) => {}
        }
        self.heat.hear(&new);
        let shown = shown(&new);
        self.marks = shown.map(Marks::of).unwrap_or_default();
        let place = shown.and_then(|edit| marks::place(&new.version, edit));
        if self.chosen_verdict.is_some() {
            self.verdicts.stick();
        }
        self.snapshot = Some(new.clone());
        self.acknowledge(&new, heard);
        self.measure(&new);
        if let Some(place) = place.filter(|_| self.follow) {
            self.go_along(place);
        }
        if ended && !self.context.replay {
            self.stop_following();
            self.layers.clear();
            self.layers.push(Layer::Result);
        }
    }

    /// Finds the smallest version, and how many questions a sweep over the present one has: once for each version.
    fn measure(&mut self, new: &Snapshot) {
        /// A sweep over a larger program is not counted on the screen's thread.
        const SWEPT: u32 = 2_000;
        let versions = new.history.len();
        let of = (versions, new.sought.clone());
        if self.smallest.as_ref().is_none_or(|(was, _)| *was != of) {
            self.smallest = new.smallest().map(|past| (of, past.number));
        }
        if self.sweep.is_none_or(|(of, _)| of != new.number) {
            self.sweep = Some((new.number, sweep(&new.version, SWEPT)));
        }
    }

    /// The selection stays with its node; when that is gone, with the nearest thing that is left.
    fn hold(&mut self, old: &Version, new: &Version) {
        self.selected = self
            .selected
            .and_then(|selected| selection::survivor(old, new, selected));
        self.tree.stick();
        self.program.stick();
        self.find_line(new);
    }

    /// Selects what is being tried.
    fn go_along(&mut self, place: NodeId) {
        let Some(snapshot) = self.snapshot.clone() else {
            return;
        };
        let version = &snapshot.version;
        let Some(trail) = version.trail(place) else {
            return;
        };
        let row = selection::row_of(version, &trail);
        self.selected = Some(row.node().id);
        self.folds.follow(version, Some(&row));
        self.find_line(version);
    }

    /// The user's line is where the selected node begins.
    pub fn find_line(&mut self, version: &Version) {
        if let Some(trail) = self.selected.and_then(|selected| version.trail(selected)) {
            self.line = selection::first_line(&trail);
        }
    }

    /// The edit that is shown and the version that it is of: the one that is tried or, while the run stands still, was tried last.
    pub fn shown_edit(&self) -> Option<(Decision, &Edit, &Version)> {
        let snapshot = self.snapshot.as_deref()?;
        if let Some(trying) = &snapshot.trying {
            return Some((trying.decision, &trying.edit, &snapshot.version));
        }
        let last = last_tried(snapshot)?;
        let history = &snapshot.history;
        let made = history
            .iter()
            .rev()
            .find(|past| last.ending == Ending::Interesting && past.decision == last.decision);
        let before = made.and_then(|made| history.get(made.parent? as usize));
        let version = before.map_or(&snapshot.version, |before| &before.version);
        Some((last.decision, &last.edit, version))
    }

    /// The verdicts that are shown, the newest first.
    pub fn listed(&self) -> Vec<Arc<Decided>> {
        let decided = self.snapshot.iter().flat_map(|snapshot| &snapshot.decided);
        let is_shown =
            |decided: &&Arc<Decided>| self.filter.is_none_or(|kind| decided.ending == kind);
        let mut listed: Vec<_> = decided.filter(is_shown).cloned().collect();
        listed.reverse();
        listed
    }

    /// The verdict that the user is on, and how many newer ones are shown.
    pub fn verdict(&self) -> Option<(usize, Arc<Decided>)> {
        let listed = self.listed();
        let last = listed.len().checked_sub(1)?;
        let at = match self.chosen_verdict {
            None => 0,
            Some(chosen) => listed
                .iter()
                .position(|decided| decided.decision <= chosen)
                .unwrap_or(last),
        };
        Some((at, listed[at].clone()))
    }

    /// The user moves: from here on the selection is theirs.
    pub fn stop_following(&mut self) {
        if let Some(snapshot) = self.snapshot.clone().filter(|_| self.follow) {
            self.follow = false;
            self.folds.keep_followed(&snapshot.version);
        }
    }
}

/// The edit to mark: the question in the air; where the run stands still and nothing is asked, the last one unless it was taken.
fn shown(snapshot: &Snapshot) -> Option<&Edit> {
    let left = || last_tried(snapshot).filter(|last| last.ending != Ending::Interesting);
    let trying = snapshot.trying.as_ref().map(|trying| &trying.edit);
    trying.or_else(|| Some(&left()?.edit))
}

/// What was tried last, while the run stands still.
fn last_tried(snapshot: &Snapshot) -> Option<&Arc<Decided>> {
    snapshot.decided.last().filter(|_| snapshot.state.stands())
}

/// Where the last take was, of what is left.
fn changed(snapshot: &Snapshot) -> Option<NodeId> {
    let taken = |decided: &&Arc<Decided>| decided.ending == Ending::Interesting;
    let last = snapshot.decided.iter().rev().find(taken)?;
    let version = &snapshot.version;
    let trail = version.trail(last.why.node?)?;
    Some(selection::row_of(version, &trail).node().id)
}
