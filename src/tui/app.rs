//! The state of the screen: what is selected, folded, scrolled; never the state of the run.

use std::sync::Arc;
use std::time::Duration;

use super::Context;
use super::commands::{self, Action};
use super::folds::Folds;
use super::keys::Key;
use super::layers::verdict::Page;
pub use super::layout::{Focus, Mode, Regions};
use super::marks::{self, Marks};
use super::pace::Pace;
use super::panes::program::Colours;
use super::selection;
use super::theme::Look;
use crate::program::Edit;
use crate::program::{NodeId, Version};
use crate::reduce::{Command, Decided, Decision, Ending, Snapshot, State, Stride};

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
}

/// What follows from a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing, not even a new frame.
    Nothing,
    /// The screen looks different now.
    Draw,
    /// The run is told.
    Send(Command),
    /// To the shell, for a while.
    Suspend,
    /// The user wants to leave.
    Leave,
}

/// A place in a list of rows or lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scroll {
    /// The first that is visible.
    pub top: usize,
    /// How many are visible, as of the last frame.
    pub height: usize,
    /// How far below the top the selected one was in the last frame.
    line: usize,
    /// The rows changed under the selection: it stays where it is on the screen.
    stick: bool,
}

impl Scroll {
    /// Scrolls so that number `at` of `len` is visible on `height` lines, moving no more than needed.
    pub fn show(&mut self, at: usize, len: usize, height: usize) {
        if std::mem::take(&mut self.stick) {
            self.top = at.saturating_sub(self.line);
        }
        let shown = self.top..self.top + height;
        if !shown.contains(&at) {
            let far = at + height < shown.start || at > shown.end + height;
            self.top = match at < shown.start {
                _ if far => at.saturating_sub(height / 3),
                true => at,
                false => (at + 1).saturating_sub(height),
            };
        }
        self.top = self.top.min(len.saturating_sub(height));
        self.height = height;
        self.line = at.saturating_sub(self.top);
    }
}

/// The screen.
#[derive(Debug)]
pub struct App {
    /// What the screen says besides the run.
    pub context: Context,
    /// How things look.
    pub look: Look,
    /// The newest snapshot that was taken over.
    pub snapshot: Option<Arc<Snapshot>>,
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
    /// The verdict that the user is on; none is the newest, whichever that is.
    pub chosen_verdict: Option<Decision>,
    /// The page of a verdict.
    pub page: Option<Page>,
    /// How many cells of the program's lines are left of the pane.
    pub left: usize,
    /// The line of the program that the user is on.
    pub line: u32,
    /// Whether the selection follows what is being tried.
    pub follow: bool,
    /// The pages over the panes.
    pub layers: Vec<Layer>,
    /// A command that the run has not yet obeyed, and how many tests had been started, or for a step decided, when it was sent.
    pub pending: Option<(Command, u64)>,
    /// Why the last key did nothing.
    pub said: Option<String>,
    /// The colours of the visible text.
    pub colours: Colours,
    /// Where the panes were in the last frame.
    pub regions: Regions,
    /// How many decisions there were, and tests started, when the run last stood still by itself.
    troubled: Option<(u64, u64)>,
    chosen: Focus,
    pace: Pace,
}

impl App {
    /// A screen that has not seen a snapshot.
    pub fn new(context: Context, look: Look) -> App {
        App {
            context,
            look,
            snapshot: None,
            marks: Marks::default(),
            folds: Folds::default(),
            selected: None,
            tree: Scroll::default(),
            program: Scroll::default(),
            verdicts: Scroll::default(),
            chosen_verdict: None,
            page: None,
            left: 0,
            line: 0,
            follow: true,
            layers: Vec::new(),
            pending: None,
            said: None,
            colours: Colours::default(),
            regions: Regions::default(),
            troubled: None,
            chosen: Focus::default(),
            pace: Pace::default(),
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
    pub fn focus(&self) -> Focus {
        self.regions.mode.focus(self.chosen)
    }

    /// The focus that the user chose, whether or not there is such a pane now.
    pub fn chosen(&self) -> Focus {
        self.chosen
    }

    /// Gives the keys to a pane.
    pub fn choose(&mut self, focus: Focus) {
        self.chosen = focus;
    }

    /// Tests a second: of the last seconds while it runs, of the whole run at its end, nothing while it stands still.
    pub fn tests_a_second(&self) -> Option<f64> {
        self.pace.rate(self.snapshot.as_deref()?)
    }

    /// How long the run has been at work: the time since it began, without the time in which it stood still.
    pub fn worked(&self) -> Duration {
        let snapshot = self.snapshot.as_deref();
        snapshot.map_or(Duration::ZERO, |snapshot| self.pace.worked(snapshot))
    }

    /// Takes over a snapshot.
    pub fn take(&mut self, new: Arc<Snapshot>) {
        self.pace.hear(self.snapshot.as_deref(), &new);
        self.hear_trouble(&new);
        let ended = !self.finished() && matches!(new.state, State::Finished(_));
        match self.snapshot.take() {
            None => {
                self.folds = Folds::new(&new.version);
                self.selected = selection::top(&new.version);
            }
            Some(old) if old.number != new.number => self.hold(&old.version, &new.version),
            Some(_) => {}
        }
        let shown = shown(&new);
        self.marks = shown.map(Marks::of).unwrap_or_default();
        let place = shown.and_then(|edit| marks::place(&new.version, edit));
        self.verdicts.stick = self.chosen_verdict.is_some();
        self.snapshot = Some(new.clone());
        if self
            .pending
            .as_ref()
            .is_some_and(|(command, before)| obeyed(command, *before, &new))
        {
            self.pending = None;
        }
        if let Some(place) = place.filter(|_| self.follow) {
            self.go_along(place);
        }
        if ended {
            self.stop_following();
            self.layers.clear();
            self.layers.push(Layer::Result);
        }
    }

    /// The selection stays with its node; when that is gone, with the nearest thing that is left.
    fn hold(&mut self, old: &Version, new: &Version) {
        self.selected = self
            .selected
            .and_then(|selected| selection::survivor(old, new, selected));
        self.tree.stick = true;
        self.program.stick = true;
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

    /// The verdict that the user is on, and how many newer ones there are.
    pub fn verdict(&self) -> Option<(usize, Arc<Decided>)> {
        let decided = &self.snapshot.as_deref()?.decided;
        let newest = decided.last()?.decision;
        let chosen = self.chosen_verdict.unwrap_or(newest);
        let at = (newest.saturating_sub(chosen) as usize).min(decided.len() - 1);
        Some((at, decided[decided.len() - 1 - at].clone()))
    }

    /// Why the run stands still, when that was not the user.
    pub fn trouble(&self) -> Option<&str> {
        match self.state() {
            Some(State::Paused(Some(reason))) => Some(reason),
            _ => None,
        }
    }

    /// A page says why the run stands still, from the moment it does until it goes on.
    fn hear_trouble(&mut self, new: &Snapshot) {
        let is_page = |layer: &Layer| matches!(layer, Layer::Trouble(_));
        if !matches!(new.state, State::Paused(Some(_))) {
            self.layers.retain(|layer| !is_page(layer));
            return;
        }
        if self.state() != Some(&new.state) {
            self.layers.push(Layer::Trouble(0));
        }
        let (decisions, started) = (new.counts.decisions, new.counts.started);
        let last = self.troubled.replace((decisions, started));
        if last.is_some_and(|(before, tests)| before == decisions && tests < started) {
            self.said = Some("it was tried again and failed again".into());
        }
    }

    /// The user moves: from here on the selection is theirs.
    pub fn stop_following(&mut self) {
        if let Some(snapshot) = self.snapshot.clone().filter(|_| self.follow) {
            self.follow = false;
            self.folds.keep_followed(&snapshot.version);
        }
    }

    /// A key was pressed.
    pub fn key(&mut self, key: Key) -> Effect {
        let said = self.said.take();
        let Some(entry) = commands::find(self, key) else {
            return if said.is_some() {
                Effect::Draw
            } else {
                Effect::Nothing
            };
        };
        if let Some(reason) = (entry.disabled)(self) {
            self.said = Some(format!("{}: {reason}", entry.name));
            return Effect::Draw;
        }
        self.act(entry.action)
    }

    fn act(&mut self, action: Action) -> Effect {
        match action {
            Action::Quit => return Effect::Leave,
            Action::Suspend => return Effect::Suspend,
            Action::Pause => {
                let pausing = self
                    .pending
                    .as_ref()
                    .is_some_and(|(command, _)| *command == Command::Pause);
                let runs = self.state() == Some(&State::Running);
                return self.send(if runs && !pausing {
                    Command::Pause
                } else {
                    Command::Resume
                });
            }
            Action::Step => return self.send(Command::Step(Stride::Question)),
            Action::Follow => {
                (self.follow, self.left) = (true, 0);
                if let Some(snapshot) = self.snapshot.clone() {
                    self.take(snapshot);
                }
            }
            Action::NextPane => self.turn(1),
            Action::PreviousPane => self.turn(-1),
            Action::Help => match self
                .layers
                .iter()
                .position(|layer| matches!(layer, Layer::Help(_)))
            {
                Some(at) => {
                    self.layers.remove(at);
                }
                None => self.layers.push(Layer::Help(0)),
            },
            Action::Result => self.layers.push(Layer::Result),
            Action::Trouble => self.layers.push(Layer::Trouble(0)),
            Action::Details => {
                self.page = self.verdict().map(|(_, decided)| Page::new(decided));
                self.layers.push(Layer::Verdict(0));
            }
            Action::Close => {
                self.layers.pop();
            }
            _ => self.walk(action),
        }
        Effect::Draw
    }

    fn send(&mut self, command: Command) -> Effect {
        let before = self.snapshot.as_ref().map_or(0, |snapshot| match command {
            Command::Step(_) => snapshot.counts.decisions,
            _ => snapshot.counts.started,
        });
        self.pending = Some((command.clone(), before));
        Effect::Send(command)
    }

    fn turn(&mut self, by: isize) {
        let panes = self.regions.mode.panes();
        let at = panes
            .iter()
            .position(|pane| *pane == self.focus())
            .unwrap_or(0);
        self.chosen = panes[(at as isize + by).rem_euclid(panes.len() as isize) as usize];
    }
}

/// The edit to mark: the question in the air; where the run stands still and nothing is asked, the last one unless it was taken.
fn shown(snapshot: &Snapshot) -> Option<&Edit> {
    if let Some(trying) = &snapshot.trying {
        return Some(&trying.edit);
    }
    let last = snapshot.decided.last()?;
    let stands = matches!(snapshot.state, State::Paused(_));
    (stands && last.ending != Ending::Interesting).then_some(&last.edit)
}

/// Whether a snapshot shows that a command was obeyed.
fn obeyed(command: &Command, before: u64, snapshot: &Snapshot) -> bool {
    match command {
        _ if matches!(snapshot.state, State::Finished(_)) => true,
        Command::Pause => matches!(snapshot.state, State::Paused(_)),
        // A test that is still broken stops the run again at once.
        Command::Resume => snapshot.state == State::Running || snapshot.counts.started > before,
        Command::Step(_) => {
            snapshot.counts.decisions > before && matches!(snapshot.state, State::Paused(_))
        }
        Command::Stop => false,
        _ => true,
    }
}
