//! The state of the screen: panes, pages, and what they share. The state of the run is not part of it.

use super::commands::facts::{RunPhase, ScreenFacts};
use super::drawing::toast::ToastStack;
use super::guess::GuessGame;
use super::highlighting::{HighlightRequest, HighlightUpdate};
pub use super::pages::kind::PageKind;
use super::pages::page::{OverlayPage, PageStack};
use super::panes::arrangement::PaneArrangement;
pub use super::panes::layout::PaneKind;
use super::panes::pane_states::PaneStates;
use super::pending_commands::CommandQueue;
use super::program_view::bookmarks::NodeBookmarks;
use super::program_view::file_trail::FileTrail;
use super::program_view::node_selection::NodeSelection;
use super::program_view::opened_candidate::{CandidateRequest, OpenedCandidate};
use super::program_view::search::NodeSearch;
use super::program_view::steering::is_steered;
use super::prompt::line::PromptLine;
use super::run_view::{RunView, ScreenContext};
use super::setup::ScreenSetup;
use super::theme::{ResolvedTheme, Role};
use crate::lesson::LessonPlayer;
use crate::reduce::{EngineCommand, RunSnapshot, RunState};
use crate::session::player::PlayerCommand;

/// What the driver must do after a key.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyEffect {
    /// Nothing; the frame is still valid.
    Nothing,
    /// Draw a new frame.
    Redraw,
    /// Send commands to the run, in this order.
    Send(Vec<EngineCommand>),
    /// Send a command to the player of the recording.
    Play(PlayerCommand),
    /// Suspend the process, as Ctrl-Z does.
    Suspend,
    /// Open the program in the user's editor.
    Edit,
    /// Compare the result with its neighbours.
    Contrast,
    /// Leave the screen.
    Quit,
}

/// The screen.
#[derive(Debug)]
pub struct App {
    /// The run as the screen knows it, and the theme.
    pub view: RunView,
    /// The layout, the sizes and the focus of the panes.
    pub arrangement: PaneArrangement,
    /// The states of the panes.
    pub panes: PaneStates,
    /// The pages over the panes.
    pub pages: PageStack,
    /// The open prompt.
    pub prompt: Option<PromptLine>,
    /// The selected node, the line, and the folds of the tree.
    pub selection: NodeSelection,
    /// The current search.
    pub search: Option<NodeSearch>,
    /// The nodes that the user marked.
    pub bookmarks: NodeBookmarks,
    /// Where the user was in other files.
    pub trail: FileTrail,
    /// The commands that the run has not yet applied.
    pub pending: CommandQueue,
    /// What the last key did, or why it did nothing.
    pub status_message: Option<String>,
    /// Messages that disappear after a few seconds.
    pub toasts: ToastStack,
    /// The lesson that is played.
    pub lesson: Option<LessonPlayer>,
    /// Steps in two keys, and guesses.
    pub guess: GuessGame,
    /// Whether the key that pauses and resumes was pressed before there was a run.
    pub is_pause_due: bool,
}

impl App {
    /// A screen without a snapshot yet.
    pub fn new(context: ScreenContext, setup: ScreenSetup) -> App {
        App {
            lesson: context.lesson.clone().map(LessonPlayer::new),
            guess: GuessGame::new(context.guess),
            arrangement: PaneArrangement::new(setup.layout),
            view: RunView::new(context, setup),
            panes: PaneStates::default(),
            pages: PageStack::default(),
            prompt: None,
            selection: NodeSelection::default(),
            search: None,
            bookmarks: NodeBookmarks::default(),
            trail: FileTrail::default(),
            pending: CommandQueue::default(),
            status_message: None,
            toasts: ToastStack::default(),
            is_pause_due: false,
        }
    }

    /// The facts that decide which commands are active and which of them are enabled.
    pub fn facts(&self) -> ScreenFacts {
        let snapshot = self.view.snapshot.as_deref();
        let phase = snapshot.map(|snapshot| match snapshot.state {
            RunState::Running => RunPhase::Running,
            RunState::Paused(_) => RunPhase::Paused,
            RunState::Stalled(_) => RunPhase::Stalled,
            RunState::Finished(_) => RunPhase::Finished,
        });
        let mut below_help = self.pages.kinds().rev();
        ScreenFacts {
            prompt: self.prompt.is_some(),
            page: self.pages.top_kind(),
            page_below_help: below_help.find(|kind| *kind != PageKind::Help),
            focus: self.arrangement.focused_pane(),
            replay: self.view.context.replay,
            is_pair: self.view.is_pair(),
            is_project: self.view.is_project(),
            phase,
            follows: self.selection.follow && self.panes.log.follows_newest(),
            has_accepted: snapshot.is_some_and(|snapshot| snapshot.number > 0),
            has_versions: snapshot.is_some_and(|snapshot| !snapshot.history.is_empty()),
            has_property: snapshot.is_some_and(|snapshot| snapshot.property.is_some()),
            has_verdict: snapshot.is_some_and(|snapshot| !snapshot.log.decisions().is_empty()),
            has_candidate: self.view.shown_edit().is_some(),
            is_steered: snapshot.is_some_and(is_steered),
            has_search: self.search.is_some(),
            is_lesson: self.is_in_lesson(),
            can_guess: self.can_guess(),
            can_contrast: self.view.context.can_contrast && !self.view.is_pair(),
            can_go_on: self.view.can_go_on(),
            can_ask_more: self.view.more_effort().is_some(),
        }
    }

    /// The focused pane.
    pub fn focused_pane(&self) -> PaneKind {
        self.arrangement.focused_pane()
    }

    /// Applies a configuration that was read again.
    pub fn apply_setup(&mut self, setup: ScreenSetup) {
        if setup.layout != self.view.setup.layout {
            let is_lesson = self.view.context.lesson.is_some();
            let scope = self.view.layout_scope();
            self.arrangement.layout = setup.initial_layout(scope, is_lesson);
        }
        self.show_theme(setup.theme.clone());
        self.view.setup = setup;
    }

    /// Shows this theme from now on.
    pub fn show_theme(&mut self, theme: ResolvedTheme) {
        self.view.theme = theme;
        self.panes.program.forget_highlights();
    }

    /// What the last frame needs to know of colours that no tree says; none if it was asked already.
    pub fn take_highlight_request(&mut self) -> Option<HighlightRequest> {
        self.panes.program.take_highlight_request()
    }

    /// Takes what the highlighter tells.
    pub fn apply_highlights(&mut self, update: HighlightUpdate) {
        match update {
            HighlightUpdate::Lines(lines) => self.panes.program.apply_highlights(lines),
            HighlightUpdate::Problem(problem) => self.add_notice(&problem),
        }
    }

    /// Opens the candidate that the next frame shows: that of the page on top, or of the row that is selected in the log.
    pub(in crate::tui) fn open_shown_candidate(&mut self) {
        let Some(snapshot) = &self.view.snapshot else {
            return;
        };
        let is_logged = self.arrangement.focused_pane() == PaneKind::Log;
        // What is not shown has no keys.
        let is_shown = !self
            .arrangement
            .areas
            .pane_area(PaneKind::Program)
            .is_empty();
        self.panes.log.candidate.has_keys &= is_logged && is_shown;
        let (log, focus) = (&self.panes.log, self.arrangement.focused_pane());
        let of_log = || log.candidate_in_program(snapshot, focus, self.selection.follow);
        if let Some(logged) = self.pages.logged_decision().or_else(of_log) {
            self.view.candidates.open_candidate(logged);
        }
    }

    /// What the last frame needs of a candidate that takes long to read; none if it was asked already.
    pub fn take_candidate_request(&mut self) -> Option<CandidateRequest> {
        self.view.candidates.take_request()
    }

    /// Takes a candidate that was read.
    pub fn apply_candidate(&mut self, opened: OpenedCandidate) {
        self.view.candidates.finish_reading(opened);
    }

    /// Opens a page on top of the others.
    pub fn open_page(&mut self, page: impl OverlayPage + 'static) {
        self.pages.open_page(page);
    }

    /// Shows a message at the bottom.
    pub(in crate::tui) fn show_status(&mut self, message: String) -> KeyEffect {
        self.status_message = Some(message);
        KeyEffect::Redraw
    }

    /// Shows a message for a few seconds, and keeps it among the notes.
    pub fn add_notice(&mut self, notice: &str) {
        const MOST_NOTES: usize = 20;
        self.toasts.push_toast(notice, Role::Note);
        let notes = &mut self.view.notes;
        if notes.last().map(String::as_str) != Some(notice) && notes.len() < MOST_NOTES {
            notes.push(notice.to_owned());
        }
    }

    /// Says what an attached screen is to somebody who has just opened it.
    pub fn greet_attached_user(&mut self) {
        let leave = self.view.setup.keys.first_key_name("quit");
        let greeting = format!("attached: {leave} leaves, and the run goes on; :stop ends the run");
        self.toasts.push_toast(greeting, Role::Note);
    }

    /// Stops following the run: the user moves the selection from now on.
    pub(in crate::tui) fn stop_following(&mut self) {
        if let Some(snapshot) = &self.view.snapshot {
            self.selection.stop_following(&snapshot.version);
        }
    }

    /// Counts new decisions for the heat. Returns whether there are more.
    pub(in crate::tui) fn count_heat(&mut self, snapshot: &RunSnapshot) -> bool {
        let files = self.selection.folds.files();
        let files = files.map(|files| &**files.tree());
        self.panes.tree.heat.count_new_decisions(snapshot, files)
    }

    /// Advances the search, the unfolding and the heat by one slice, short enough that no key waits for it. Returns whether there was
    /// work, so that the loop calls it again at once.
    pub fn run_idle_work(&mut self) -> bool {
        const NODES_PER_SLICE: usize = 20_000;
        let Some(snapshot) = self.view.snapshot.clone() else {
            return false;
        };
        let unfolding = self.selection.folds.advance_unfolding(NODES_PER_SLICE);
        let counting = unfolding | self.count_heat(&snapshot);
        let search = self.search.as_mut().filter(|search| !search.is_done());
        let searched = search
            .map(|search| search.search_nodes(NODES_PER_SLICE))
            .is_some();
        self.go_to_pending_hit(&snapshot.version);
        counting || searched
    }
}
