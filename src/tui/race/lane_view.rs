//! A lane of a race: the run of a strategy, as the screen knows it.

use std::sync::Arc;
use std::time::Instant;

use crate::oracle::ClientState;
use crate::reduce::RunSnapshot;
use crate::tui::app::PaneKind;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::panes::pane_context::PaneContext;
use crate::tui::panes::program::ProgramPane;
use crate::tui::program_view::bookmarks::NodeBookmarks;
use crate::tui::program_view::node_selection::NodeSelection;
use crate::tui::run_view::{RunView, ScreenContext};
use crate::tui::setup::ScreenSetup;

/// A lane.
#[derive(Debug)]
pub struct LaneView {
    /// The strategy.
    pub name: String,
    /// The run.
    pub view: RunView,
    /// What it waits for.
    pub client: ClientState,
    /// What the program follows.
    selection: NodeSelection,
    program: ProgramPane,
    bookmarks: NodeBookmarks,
}

impl LaneView {
    /// A lane that has not begun.
    pub fn new(name: String, setup: &ScreenSetup) -> LaneView {
        LaneView {
            name,
            view: RunView::new(ScreenContext::default(), setup.clone()),
            client: ClientState::default(),
            selection: NodeSelection::default(),
            program: ProgramPane::default(),
            bookmarks: NodeBookmarks::default(),
        }
    }

    /// Whether its run has ended.
    pub fn is_over(&self) -> bool {
        let snapshot = self.view.snapshot.as_deref();
        snapshot.is_some_and(|snapshot| snapshot.state.is_finished())
    }

    /// Applies a snapshot, unless it is known.
    pub fn apply_snapshot(&mut self, new: Arc<RunSnapshot>) {
        let old = self.view.snapshot.clone();
        match &old {
            Some(old) if Arc::ptr_eq(old, &new) => return,
            Some(old) if old.number != new.number => {
                self.selection.move_to_version(&old.version, &new.version);
                self.program.scroll.anchor_selection();
            }
            Some(_) => {}
            None => self.selection.start_at_top(&new.version),
        }
        if let Some(tried) = self.view.apply_snapshot(new.clone()) {
            self.selection.follow_node(&new.version, tried);
        }
    }

    /// Draws its program, with what is tried marked.
    pub fn draw_program(&mut self, now: Instant, canvas: &mut ClippedCanvas) {
        let tried = self.view.update_derived();
        if let Some((tried, snapshot)) = tried.zip(self.view.snapshot.clone()) {
            self.selection.follow_node(&snapshot.version, tried);
        }
        let context = PaneContext {
            view: &self.view,
            search: None,
            bookmarks: &self.bookmarks,
            // No line of it is a cursor.
            focus: PaneKind::Progress,
            now,
        };
        self.program
            .draw_text(&context, &mut self.selection, canvas);
    }
}
