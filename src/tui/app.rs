//! The state of the screen: what is selected, folded, scrolled; never the state of the run.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use super::pending_commands::PendingCommand;
use super::setup::ScreenSetup;
use super::theme::{ResolvedTheme, Role};
use super::throughput::ThroughputMeter;
use crate::oracle::Verdict;
use crate::program::Edit;
use crate::program::{NodeId, Version};
use crate::reduce::{
    ActiveProperty, Decision, DecisionDetails, EngineCommand, RunSnapshot, RunState,
    count_remaining_candidates,
};
use crate::session::player::PlayerCommand;
use crate::tui::ScreenContext;
use crate::tui::drawing::toast::ToastStack;
use crate::tui::handlers::drag::BorderDrag;
use crate::tui::handlers::versions::VersionSelection;
use crate::tui::pages::verdict::VerdictPage;
pub use crate::tui::panes::layout::{
    LayoutMode, LayoutRequest, PaneKind, PaneLayout, PaneSizes, ScreenAreas,
};
use crate::tui::panes::program::HighlightCache;
pub use crate::tui::panes::scroll::ScrollState;
use crate::tui::program_view::diff;
use crate::tui::program_view::edit_marks::{self, EditMarks};
use crate::tui::program_view::folds::FoldState;
use crate::tui::program_view::heat::HeatMap;
use crate::tui::program_view::search::NodeSearch;
use crate::tui::program_view::selection;
use crate::tui::prompt::line::PromptLine;

/// A page that lies over the panes. The topmost has the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayPage {
    /// The keys, from this line on.
    Help(usize),
    /// The result.
    Result,
    /// Why the run stands still, from this line on.
    Stall(usize),
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
pub enum KeyEffect {
    /// Nothing, not even a new frame.
    Nothing,
    /// The screen looks different now.
    Redraw,
    /// The run is told.
    Send(EngineCommand),
    /// The player of a recording is told.
    Play(PlayerCommand),
    /// To the shell, for a while.
    Suspend,
    /// The user's editor on the program.
    Edit,
    /// The user wants to leave.
    Quit,
}

/// A letter is awaited, for this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookmarkAction {
    /// To remember the selected node under it.
    Set,
    /// To go to its node.
    Jump,
}

/// What a curve is drawn over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChartAxis {
    /// Tests.
    #[default]
    Tests,
    /// Time.
    Time,
}

/// A command of the user's in the curve.
#[derive(Clone, Debug)]
pub struct ChartMarker {
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
type Measured = (usize, Option<Arc<ActiveProperty>>);

/// The screen.
#[derive(Debug)]
pub struct App {
    /// What the screen says besides the run.
    pub context: ScreenContext,
    /// What the user has settled.
    pub setup: ScreenSetup,
    /// How things look now.
    pub theme: ResolvedTheme,
    /// Which panes are shown.
    pub layout: &'static PaneLayout,
    /// What the user has moved.
    pub sizes: PaneSizes,
    /// Whether the pane that has the keys stands alone.
    pub zoomed: bool,
    /// What the mouse drags.
    pub drag: Option<BorderDrag>,
    /// The newest snapshot that was taken over.
    pub snapshot: Option<Arc<RunSnapshot>>,
    /// Before there is one, of a run that goes on: how many decisions are made again, of how many.
    pub resume_progress: Option<(Decision, Decision)>,
    /// What the question in the air would take away; while the run stands still and nothing is asked, the last one that was not taken.
    pub edit_marks: EditMarks,
    /// What is folded in the tree.
    pub folds: FoldState,
    /// The selected node.
    pub selected: Option<NodeId>,
    /// Where the tree is scrolled to.
    pub tree_scroll: ScrollState,
    /// Where the program is scrolled to.
    pub program_scroll: ScrollState,
    /// Where the verdicts are scrolled to.
    pub verdicts_scroll: ScrollState,
    /// Where the passes are scrolled to, and which is selected; none is the one that runs.
    pub passes_scroll: ScrollState,
    /// See `passes`.
    pub chosen_pass: Option<usize>,
    /// What is selected of the versions.
    pub versions: VersionSelection,
    /// The smallest version, of so many, that has what is looked for.
    pub smallest: Option<(Measured, u64)>,
    /// How many questions a sweep over the version of this number has.
    pub sweep: Option<(u64, Option<u32>)>,
    /// Where the candidate is scrolled to.
    pub candidate_scroll: usize,
    /// The verdict that the user is on; none is the newest, whichever that is.
    pub chosen_verdict: Option<Decision>,
    /// Which verdicts are shown.
    pub filter: Option<Verdict>,
    /// The page of a verdict.
    pub verdict_page: Option<VerdictPage>,
    /// The candidate as a diff, with the version and the decision that it is of.
    pub diff: Option<((u64, Decision), Vec<diff::DiffLine>)>,
    /// How many cells of the program's lines are left of the pane.
    pub column_offset: usize,
    /// The line of the program that the user is on.
    pub cursor_line: u32,
    /// Whether the selection follows what is being tried.
    pub follow: bool,
    /// The pages over the panes.
    pub layers: Vec<OverlayPage>,
    /// What is typed.
    pub prompt: Option<PromptLine>,
    /// What was looked for.
    pub search: Option<NodeSearch>,
    /// The user's marks.
    pub bookmarks: BTreeMap<char, NodeId>,
    /// A letter is awaited.
    pub pending_bookmark: Option<BookmarkAction>,
    /// What the run spends where.
    pub heat: HeatMap,
    /// What the curve is drawn over.
    pub axis: ChartAxis,
    /// The user's commands in the curve.
    pub markers: Vec<ChartMarker>,
    /// What the last take has changed, and when.
    pub changed_node: Option<(NodeId, Instant)>,
    /// The commands that the run has not yet obeyed, in their order.
    pub pending: Vec<PendingCommand>,
    /// Why the last key did nothing.
    pub status_message: Option<String>,
    /// What is told for a moment.
    pub toasts: ToastStack,
    /// What the screen itself noticed and a user should still know at the end.
    pub notes: Vec<String>,
    /// The colours of the visible text.
    pub highlights: HighlightCache,
    /// Where the panes were in the last frame.
    pub areas: ScreenAreas,
    /// How many decisions there were, and tests started, when the run last stood still by itself.
    pub(in crate::tui) last_stall: Option<(u64, u64)>,
    chosen_pane: PaneKind,
    pub(in crate::tui) throughput: ThroughputMeter,
}

impl App {
    /// A screen that has not seen a snapshot.
    pub fn new(context: ScreenContext, setup: ScreenSetup) -> App {
        App {
            throughput: ThroughputMeter::new(context.paused_time),
            context,
            theme: setup.theme.clone(),
            layout: setup.layout,
            setup,
            sizes: PaneSizes::default(),
            zoomed: false,
            drag: None,
            snapshot: None,
            resume_progress: None,
            edit_marks: EditMarks::default(),
            folds: FoldState::default(),
            selected: None,
            tree_scroll: ScrollState::default(),
            program_scroll: ScrollState::default(),
            verdicts_scroll: ScrollState::default(),
            passes_scroll: ScrollState::default(),
            chosen_pass: None,
            versions: VersionSelection::default(),
            smallest: None,
            sweep: None,
            candidate_scroll: 0,
            chosen_verdict: None,
            filter: None,
            verdict_page: None,
            diff: None,
            column_offset: 0,
            cursor_line: 0,
            follow: true,
            layers: Vec::new(),
            prompt: None,
            search: None,
            bookmarks: BTreeMap::new(),
            pending_bookmark: None,
            heat: HeatMap::default(),
            axis: ChartAxis::default(),
            markers: Vec::new(),
            changed_node: None,
            pending: Vec::new(),
            status_message: None,
            toasts: ToastStack::default(),
            notes: Vec::new(),
            highlights: HighlightCache::default(),
            areas: ScreenAreas::default(),
            last_stall: None,
            chosen_pane: PaneKind::default(),
        }
    }

    /// What decides where the panes are.
    pub fn layout_request(&self) -> LayoutRequest {
        let passes = self.snapshot.as_ref();
        LayoutRequest {
            layout: self.layout,
            sizes: self.sizes,
            focus: self.chosen_pane,
            zoomed: self.zoomed,
            passes: passes.map_or(0, |snapshot| snapshot.passes.len()),
        }
    }

    /// Whether the run goes on, as far as the screen knows.
    pub fn run_state(&self) -> Option<&RunState> {
        self.snapshot.as_deref().map(|snapshot| &snapshot.state)
    }

    /// Whether the run has ended.
    pub fn is_finished(&self) -> bool {
        matches!(self.run_state(), Some(RunState::Finished(_)))
    }

    /// The pane that has the keys.
    pub fn focused_pane(&self) -> PaneKind {
        self.layout_request().focused_pane(self.areas.mode)
    }

    /// Gives the keys to a pane.
    pub fn focus_pane(&mut self, pane: PaneKind) {
        self.chosen_pane = pane;
    }

    /// Takes over what the user has settled anew.
    pub fn apply_setup(&mut self, setup: ScreenSetup) {
        self.theme = setup.theme.clone();
        self.highlights = HighlightCache::default();
        if setup.layout != self.setup.layout {
            self.layout = setup.layout;
        }
        self.setup = setup;
    }

    /// Tells something for a moment, and keeps it among the notes.
    pub fn add_notice(&mut self, what: &str) {
        const MOST: usize = 20;
        self.toasts.push_toast(what, Role::Note);
        if self.notes.last().map(String::as_str) != Some(what) && self.notes.len() < MOST {
            self.notes.push(what.to_owned());
        }
    }

    /// What the screen may do while nothing happens; whether it did or has more of it. So much at a time that no key waits for it.
    pub fn run_idle_work(&mut self) -> bool {
        const NODES: usize = 20_000;
        let Some(snapshot) = self.snapshot.clone() else {
            return false;
        };
        let counting =
            self.folds.advance_unfolding(NODES) | self.heat.count_new_decisions(&snapshot);
        let search = self.search.as_mut().filter(|search| !search.is_done());
        let looked = search.map(|search| search.search_nodes(NODES)).is_some();
        self.go_to_pending_hit(&snapshot.version);
        counting || looked
    }

    /// Takes over a snapshot.
    pub fn apply_snapshot(&mut self, new: Arc<RunSnapshot>) {
        self.throughput.on_snapshot(self.snapshot.as_deref(), &new);
        self.update_stall_page(&new);
        self.show_player_message(&new);
        self.update_property_page(&new);
        let ended = !self.is_finished() && matches!(new.state, RunState::Finished(_));
        let heard = self.snapshot.as_deref().unwrap_or(&new).last_command.0;
        match self.snapshot.take() {
            None => {
                self.folds = FoldState::new(&new.version);
                self.selected = selection::top_row(&new.version);
            }
            Some(old) if old.number != new.number => {
                self.keep_selection(&old.version, &new.version);
                self.changed_node = last_accepted_node(&new).map(|place| (place, new.now));
            }
            Some(_) => {}
        }
        self.heat.count_new_decisions(&new);
        let shown = edit_to_mark(&new);
        self.edit_marks = shown.map(EditMarks::from_edit).unwrap_or_default();
        let place = shown.and_then(|edit| edit_marks::first_edited_node(&new.version, edit));
        if self.chosen_verdict.is_some() {
            self.verdicts_scroll.anchor_selection();
        }
        self.snapshot = Some(new.clone());
        self.acknowledge_commands(&new, heard);
        self.update_version_stats(&new);
        if let Some(place) = place.filter(|_| self.follow) {
            self.follow_node(place);
        }
        if ended && !self.context.replay {
            self.stop_following();
            self.layers.clear();
            self.layers.push(OverlayPage::Result);
        }
    }

    /// Finds the smallest version, and how many questions a sweep over the present one has: once for each version.
    fn update_version_stats(&mut self, new: &RunSnapshot) {
        /// A sweep over a larger program is not counted on the screen's thread.
        const SWEPT: u32 = 2_000;
        let versions = new.history.len();
        let of = (versions, new.active_property.clone());
        if self.smallest.as_ref().is_none_or(|(was, _)| *was != of) {
            self.smallest = new.smallest_version().map(|past| (of, past.number));
        }
        if self.sweep.is_none_or(|(of, _)| of != new.number) {
            self.sweep = Some((new.number, count_remaining_candidates(&new.version, SWEPT)));
        }
    }

    /// The selection stays with its node; when that is gone, with the nearest thing that is left.
    fn keep_selection(&mut self, old: &Version, new: &Version) {
        self.selected = self
            .selected
            .and_then(|selected| selection::surviving_node(old, new, selected));
        self.tree_scroll.anchor_selection();
        self.program_scroll.anchor_selection();
        self.update_cursor_line(new);
    }

    /// Selects what is being tried.
    fn follow_node(&mut self, place: NodeId) {
        let Some(snapshot) = self.snapshot.clone() else {
            return;
        };
        let version = &snapshot.version;
        let Some(trail) = version.path_to(place) else {
            return;
        };
        let row = selection::enclosing_row(version, &trail);
        self.selected = Some(row.node().id);
        self.folds.follow_path(version, Some(&row));
        self.update_cursor_line(version);
    }

    /// The user's line is where the selected node begins.
    pub fn update_cursor_line(&mut self, version: &Version) {
        if let Some(trail) = self.selected.and_then(|selected| version.path_to(selected)) {
            self.cursor_line = selection::first_line(&trail);
        }
    }

    /// The edit that is shown and the version that it is of: the one that is tried or, while the run stands still, was tried last.
    pub fn shown_edit(&self) -> Option<(Decision, &Edit, &Version)> {
        let snapshot = self.snapshot.as_deref()?;
        if let Some(trying) = &snapshot.current_test {
            return Some((trying.decision, &trying.edit, &snapshot.version));
        }
        let last = last_tried(snapshot)?;
        let history = &snapshot.history;
        let made = history
            .iter()
            .rev()
            .find(|past| last.ending == Verdict::Interesting && past.decision == last.decision);
        let before = made.and_then(|made| history.get(made.parent? as usize));
        let version = before.map_or(&snapshot.version, |before| &before.version);
        Some((last.decision, &last.edit, version))
    }

    /// The verdicts that are shown, the newest first.
    pub fn filtered_verdicts(&self) -> Vec<Arc<DecisionDetails>> {
        let decided = self.snapshot.iter().flat_map(|snapshot| &snapshot.decided);
        let is_shown =
            |decided: &&Arc<DecisionDetails>| self.filter.is_none_or(|kind| decided.ending == kind);
        let mut listed: Vec<_> = decided.filter(is_shown).cloned().collect();
        listed.reverse();
        listed
    }

    /// The verdict that the user is on, and how many newer ones are shown.
    pub fn selected_verdict(&self) -> Option<(usize, Arc<DecisionDetails>)> {
        let listed = self.filtered_verdicts();
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
            self.folds.keep_followed_path(&snapshot.version);
        }
    }
}

/// The edit to mark: the question in the air; where the run stands still and nothing is asked, the last one unless it was taken.
fn edit_to_mark(snapshot: &RunSnapshot) -> Option<&Edit> {
    let left = || last_tried(snapshot).filter(|last| last.ending != Verdict::Interesting);
    let trying = snapshot.current_test.as_ref().map(|trying| &trying.edit);
    trying.or_else(|| Some(&left()?.edit))
}

/// What was tried last, while the run stands still.
fn last_tried(snapshot: &RunSnapshot) -> Option<&Arc<DecisionDetails>> {
    snapshot
        .decided
        .last()
        .filter(|_| snapshot.state.is_suspended())
}

/// Where the last take was, of what is left.
fn last_accepted_node(snapshot: &RunSnapshot) -> Option<NodeId> {
    let taken = |decided: &&Arc<DecisionDetails>| decided.ending == Verdict::Interesting;
    let last = snapshot.decided.iter().rev().find(taken)?;
    let version = &snapshot.version;
    let trail = version.path_to(last.why.node?)?;
    Some(selection::enclosing_row(version, &trail).node().id)
}
