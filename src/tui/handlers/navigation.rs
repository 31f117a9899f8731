//! Moves and clicks: each goes to the page on top, or to a pane.

use ratatui::layout::Position;

use crate::tui::app::{App, PaneKind};
use crate::tui::commands::key_context::KeyContext;
use crate::tui::panes::pane_action::PaneAction;

impl App {
    /// Applies a move to the page on top, or to the focused pane.
    pub(in crate::tui) fn navigate_focused(&mut self, action: PaneAction) {
        if !self.pages.is_empty() {
            self.pages.navigate_top(action, &self.view);
            return;
        }
        let Some(snapshot) = self.view.snapshot.clone() else {
            return;
        };
        self.view.update_derived();
        let file_row = self.focused_file_row();
        let (panes, selection, version) = (&mut self.panes, &mut self.selection, &snapshot.version);
        match self.arrangement.focused_pane() {
            PaneKind::Log => panes.log.navigate(&snapshot, &self.view.candidates, action),
            PaneKind::Passes => panes.passes.navigate(&snapshot, action),
            PaneKind::History => panes.history.navigate(&snapshot, action),
            PaneKind::Candidate => panes.candidate.navigate(action),
            PaneKind::Algorithm => panes.algorithm.navigate(action),
            pane if action == PaneAction::Heaviest && KeyContext::Nodes.includes_pane(pane) => {
                selection.stop_following(version);
                if let Some(target) = selection.heaviest_row(version, file_row) {
                    self.go_to_target(version, target);
                }
            }
            PaneKind::Tree => {
                selection.stop_following(version);
                let selected = selection.node;
                panes.tree.navigate(selection, version, action);
                if selection.node != selected {
                    panes.program.column_offset = 0;
                }
            }
            PaneKind::Graph => {
                selection.stop_following(version);
                panes.program.column_offset = 0;
                panes.graph.navigate(selection, version, action);
            }
            PaneKind::Program => {
                selection.stop_following(version);
                panes.program.navigate(selection, version, action);
            }
            pane @ (PaneKind::Pair | PaneKind::Difference) => {
                selection.stop_following(version);
                if let Some(pair) = &self.view.pair {
                    let pane = panes.pair_pane(pane);
                    pane.navigate(selection, version, pair, action);
                }
            }
            PaneKind::Trying | PaneKind::Progress => {}
        }
    }

    /// Handles a press of the mouse button: starts to drag a border, or clicks. Returns whether to redraw.
    pub fn on_mouse_down(&mut self, column: u16, row: u16) -> bool {
        self.arrangement.drag = None;
        if self.pages.is_empty() {
            self.arrangement.start_drag(Position { x: column, y: row });
        }
        self.arrangement.drag.is_some() || self.on_click(column, row)
    }

    /// Handles a move of the mouse with its button down.
    pub fn on_mouse_drag(&mut self, column: u16, row: u16) -> bool {
        self.arrangement.continue_drag(column, row)
    }

    /// Handles the release of the mouse button.
    pub fn on_mouse_up(&mut self) {
        self.arrangement.drag = None;
    }

    /// Handles a click on a cell of the screen: selects the row or line there.
    pub fn on_click(&mut self, column: u16, row: u16) -> bool {
        let free = self.pages.is_empty() && self.prompt.is_none();
        let Some(snapshot) = self.view.snapshot.clone().filter(|_| free) else {
            return false;
        };
        let Some((pane, line)) = self.arrangement.pane_at(column, row) else {
            return false;
        };
        if self.give_log_keys_at(pane) && pane == PaneKind::Program {
            return true;
        }
        self.arrangement.focus_pane(pane);
        let (panes, selection, version) = (&mut self.panes, &mut self.selection, &snapshot.version);
        match pane {
            PaneKind::Tree => {
                selection.stop_following(version);
                panes.program.column_offset = 0;
                panes.tree.select_line(selection, version, line);
            }
            PaneKind::Graph => {
                selection.stop_following(version);
                panes.program.column_offset = 0;
                panes.graph.select_line(selection, version, line);
            }
            PaneKind::Program => {
                selection.stop_following(version);
                panes.program.select_line(selection, version, line);
            }
            PaneKind::Log => panes.log.select_line(&snapshot, line),
            PaneKind::Passes => panes.passes.select_line(&snapshot, line),
            PaneKind::History => panes.history.select_line(&snapshot, line),
            PaneKind::Pair | PaneKind::Difference => {
                selection.stop_following(version);
                if let Some(pair) = &self.view.pair {
                    let at = Position { x: column, y: row };
                    panes
                        .pair_pane(pane)
                        .select_cell(selection, version, pair, at);
                }
            }
            PaneKind::Trying | PaneKind::Candidate | PaneKind::Progress | PaneKind::Algorithm => {}
        }
        true
    }

    /// The pointer is in the log, or in the candidate of its selected row, while the log is focused: moves are meant for that. Returns whether it is so.
    fn give_log_keys_at(&mut self, pane: PaneKind) -> bool {
        let Some(snapshot) = &self.view.snapshot else {
            return false;
        };
        let log = &mut self.panes.log;
        let shows = log.chosen_decision(snapshot).is_some();
        let is_meant = match pane {
            PaneKind::Log => true,
            PaneKind::Program => shows && self.arrangement.focused_pane() == PaneKind::Log,
            _ => false,
        };
        if is_meant {
            log.candidate.has_keys = pane == PaneKind::Program;
        }
        is_meant && self.arrangement.focused_pane() == PaneKind::Log
    }

    /// Handles the wheel over a cell of the screen: moves in the pane there.
    pub fn on_mouse_wheel(&mut self, column: u16, row: u16, action: PaneAction) -> bool {
        if self.pages.is_empty() {
            let Some((pane, _)) = self.arrangement.pane_at(column, row) else {
                return false;
            };
            if !self.give_log_keys_at(pane) {
                self.arrangement.focus_pane(pane);
            }
        }
        (0..3).for_each(|_| self.navigate_focused(action));
        true
    }
}
