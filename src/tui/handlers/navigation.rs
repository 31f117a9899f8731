//! Moving the selection: in the tree by rows, in the program by lines. Each shows the place in the other.

use std::sync::Arc;

use crate::program::{NodeId, NodePath, NodeShape, ProgramNode, Version};
use crate::reduce::{PassLine, PassState, RunSnapshot};
use crate::tui::app::{App, LayoutMode, OverlayPage, PaneKind};
use crate::tui::commands::PaneAction;
use crate::tui::program_view::folds;
use crate::tui::program_view::lines;
use crate::tui::program_view::selection;

/// The first row below the one at the end of `trail`.
fn first_inner_row<'a>(version: &Version, trail: &NodePath<'a>) -> Option<&'a Arc<ProgramNode>> {
    folds::first_row_below(&version.documents()[trail.document], trail.node())
}

/// How many cells the text moves sideways at once.
const SIDEWAYS: usize = 8;

impl App {
    /// Moves in the pane or page that has the keys.
    pub(in crate::tui) fn navigate_focused(&mut self, action: PaneAction) {
        if let Some(
            OverlayPage::Help(top)
            | OverlayPage::Stall(top)
            | OverlayPage::Verdict(top)
            | OverlayPage::Candidate(top)
            | OverlayPage::Difference(top)
            | OverlayPage::Pass(top)
            | OverlayPage::Inspection(top),
        ) = self.layers.last_mut()
        {
            *top = step_index(*top, action, 10);
            return;
        }
        let Some(snapshot) = self.snapshot.clone() else {
            return;
        };
        if let Some(OverlayPage::Property(part)) = self.layers.last_mut() {
            let parts = snapshot.property.as_ref().map_or(0, |all| all.parts.len());
            *part = step_index(*part, action, 10).min(parts.saturating_sub(1));
            return;
        }
        match action {
            PaneAction::Left | PaneAction::Right => {
                self.stop_following();
                self.column_offset = match action {
                    PaneAction::Left => self.column_offset.saturating_sub(SIDEWAYS),
                    _ => (self.column_offset + SIDEWAYS).min(1 << 20),
                };
            }
            _ if self.focused_pane() == PaneKind::Verdicts => self.navigate_verdicts(action),
            _ if self.focused_pane() == PaneKind::Passes => self.navigate_passes(action),
            _ if self.focused_pane() == PaneKind::History => {
                self.navigate_versions(&snapshot, action)
            }
            _ if self.focused_pane() == PaneKind::Candidate => {
                self.candidate_scroll = step_index(self.candidate_scroll, action, 10);
            }
            PaneAction::Heaviest => {
                self.stop_following();
                self.go_to_heaviest(&snapshot.version);
            }
            _ => {
                self.stop_following();
                match self.focused_pane() {
                    PaneKind::Tree => {
                        let selected = self.selected;
                        self.navigate_tree(&snapshot.version, action);
                        if self.selected != selected {
                            self.column_offset = 0;
                        }
                    }
                    PaneKind::Program => self.navigate_program(&snapshot.version, action),
                    _ => {}
                }
            }
        }
    }

    fn navigate_tree(&mut self, version: &Version, action: PaneAction) {
        let Some(trail) = self.selected.and_then(|selected| version.path_to(selected)) else {
            return;
        };
        let id = trail.node().id;
        let row = self.folds.row_number(version, &trail);
        let last = self.folds.row_count(version).saturating_sub(1);
        let page = self.tree_scroll.height.saturating_sub(1).max(1);
        let open = self.folds.is_open(id);
        match action {
            PaneAction::Up => self.select_row(version, row.saturating_sub(1)),
            PaneAction::Down => self.select_row(version, (row + 1).min(last)),
            PaneAction::PageUp => self.select_row(version, row.saturating_sub(page)),
            PaneAction::PageDown => self.select_row(version, (row + page).min(last)),
            PaneAction::Top => self.select_row(version, 0),
            PaneAction::Bottom => self.select_row(version, last),
            PaneAction::Unfold if open => {
                if let Some(inner) = first_inner_row(version, &trail) {
                    self.select_node(version, inner.id);
                }
            }
            PaneAction::Unfold => self.folds.set_open(&trail, true),
            PaneAction::Fold if open && first_inner_row(version, &trail).is_some() => {
                self.folds.set_open(&trail, false)
            }
            PaneAction::Fold => {
                if let Some(outer) = selection::outer_row(version, &trail) {
                    self.select_node(version, outer.id);
                }
            }
            PaneAction::Toggle => self.folds.set_open(&trail, !open),
            PaneAction::UnfoldAll => self.folds.set_all(version, true),
            PaneAction::FoldAll => {
                self.folds.set_all(version, false);
                // The selection goes to the row that it is in now.
                let row = self.folds.row_number(version, &trail);
                self.select_row(version, row);
            }
            _ => {}
        }
    }

    fn navigate_program(&mut self, version: &Version, action: PaneAction) {
        let Some(trail) = self.selected.and_then(|selected| version.path_to(selected)) else {
            return;
        };
        let last = lines::last_line(&version.documents()[trail.document].root);
        let page = self.program_scroll.height.saturating_sub(1).max(1) as u32;
        let target = match action {
            PaneAction::Outer => selection::outer_row(version, &trail),
            PaneAction::Inner => first_inner_row(version, &trail),
            _ => None,
        };
        if let Some(target) = target {
            self.column_offset = 0;
            self.select_node(version, target.id);
            return;
        }
        let line = match action {
            PaneAction::Up => self.cursor_line.saturating_sub(1),
            PaneAction::Down => self.cursor_line + 1,
            PaneAction::PageUp => self.cursor_line.saturating_sub(page),
            PaneAction::PageDown => self.cursor_line.saturating_add(page),
            PaneAction::Top => 0,
            PaneAction::Bottom => last,
            _ => self.cursor_line,
        };
        self.select_line(version, trail.document, line.min(last));
    }

    fn navigate_verdicts(&mut self, action: PaneAction) {
        let page = self.verdicts_scroll.height.saturating_sub(1).max(1);
        let at = self.selected_verdict().map_or(0, |(at, _)| at);
        self.select_verdict(step_index(at, action, page));
    }

    /// Goes to the verdict that so many of those shown are newer than. Who is on the newest stays on the newest.
    fn select_verdict(&mut self, at: usize) {
        let listed = self.filtered_verdicts();
        let at = at.min(listed.len().saturating_sub(1));
        let chosen = listed.get(at).filter(|_| at > 0);
        self.chosen_verdict = chosen.map(|decided| decided.decision);
    }

    fn navigate_passes(&mut self, action: PaneAction) {
        let last = self
            .snapshot
            .as_ref()
            .map_or(0, |snapshot| snapshot.passes.len().saturating_sub(1));
        let page = self.passes_scroll.height.saturating_sub(1).max(1);
        self.chosen_pass = Some(step_index(self.selected_pass(), action, page).min(last));
    }

    /// The number of the pass that the user is on: the one that runs, unless another was chosen.
    pub fn selected_pass(&self) -> usize {
        let running = |snapshot: &std::sync::Arc<RunSnapshot>| {
            let runs = |pass: &PassLine| matches!(pass.state, PassState::Running(_));
            snapshot.passes.iter().position(runs)
        };
        let running = self.snapshot.as_ref().and_then(running);
        self.chosen_pass.or(running).unwrap_or(0)
    }

    /// Goes to a node, wherever it is: its row is selected, and shown.
    pub(in crate::tui) fn go_to_node(&mut self, version: &Version, node: NodeId) {
        self.stop_following();
        self.column_offset = 0;
        let Some(trail) = version.path_to(node) else {
            return;
        };
        let row = selection::enclosing_row(version, &trail);
        self.select_node(version, row.node().id);
        self.cursor_line = selection::first_line(&trail);
    }

    /// Selects a node, and opens all it lies in.
    fn select_node(&mut self, version: &Version, id: NodeId) {
        if let Some(trail) = version.path_to(id) {
            self.selected = Some(id);
            self.folds.reveal_node(&trail);
            self.cursor_line = selection::first_line(&trail);
        }
    }

    fn select_row(&mut self, version: &Version, row: usize) {
        if let Some(row) = self
            .folds
            .visible_rows(version, &self.edit_marks, row, 1)
            .first()
        {
            self.selected = Some(row.node.id);
            self.update_cursor_line(version);
        }
    }

    /// Goes to a line of a document. What begins there is selected; on a line where nothing begins the selection stays.
    fn select_line(&mut self, version: &Version, document: usize, line: u32) {
        let begins = lines::first_leaf_from(&version.documents()[document].root, line)
            .filter(|leaf| leaf.text_line() == line && leaf.node.shape != NodeShape::End);
        if let Some(trail) = begins.and_then(|leaf| version.path_to(leaf.node.id)) {
            let node = selection::outermost_row_at(version, &trail);
            self.select_node(version, node.id);
        }
        self.cursor_line = line;
    }

    /// A click on a cell of the screen: selects the row or line there.
    pub fn on_click(&mut self, column: u16, row: u16) -> bool {
        let Some(snapshot) = self
            .snapshot
            .clone()
            .filter(|_| self.layers.is_empty() && self.prompt.is_none())
        else {
            return false;
        };
        let Some((focus, line)) = self.pane_at(column, row) else {
            return false;
        };
        if matches!(focus, PaneKind::Tree | PaneKind::Program) {
            self.stop_following();
        }
        self.focus_pane(focus);
        let version = &snapshot.version;
        match focus {
            PaneKind::Tree => {
                self.column_offset = 0;
                self.select_row(version, self.tree_scroll.top + line);
            }
            PaneKind::Program => {
                let document = self
                    .selected
                    .and_then(|selected| version.path_to(selected))
                    .map_or(0, |trail| trail.document);
                let last = lines::last_line(&version.documents()[document].root);
                self.select_line(
                    version,
                    document,
                    ((self.program_scroll.top + line) as u32).min(last),
                );
            }
            PaneKind::Verdicts => self.select_verdict(self.verdicts_scroll.top + line),
            PaneKind::Passes => {
                let last = snapshot.passes.len().saturating_sub(1);
                self.chosen_pass = Some((self.passes_scroll.top + line).min(last));
            }
            PaneKind::History => {
                let row = self.versions.scroll.top + line;
                self.versions.select_row(&snapshot, row);
            }
            _ => {}
        }
        true
    }

    /// The wheel turned over a cell of the screen: moves in the pane there.
    pub fn on_mouse_wheel(&mut self, column: u16, row: u16, action: PaneAction) -> bool {
        if self.layers.is_empty() {
            let Some((focus, _)) = self.pane_at(column, row) else {
                return false;
            };
            self.focus_pane(focus);
        }
        (0..3).for_each(|_| self.navigate_focused(action));
        true
    }

    /// The pane at a cell of the screen, and the line within it.
    fn pane_at(&self, column: u16, row: u16) -> Option<(PaneKind, usize)> {
        let at = ratatui::layout::Position { x: column, y: row };
        let framed = usize::from(self.areas.mode != LayoutMode::Tiny);
        let within = |pane: PaneKind| {
            let area = self.areas.pane_area(pane);
            let line = usize::from(row.checked_sub(area.y)?).checked_sub(framed)?;
            area.contains(at).then_some((pane, line))
        };
        PaneKind::WITH_KEYS.into_iter().find_map(within)
    }
}

/// Where one is in a list after a step; beyond its end means at its end.
pub(in crate::tui) fn step_index(at: usize, action: PaneAction, page: usize) -> usize {
    match action {
        PaneAction::Up => at.saturating_sub(1),
        PaneAction::Down => at + 1,
        PaneAction::PageUp => at.saturating_sub(page),
        PaneAction::PageDown => at + page,
        PaneAction::Top => 0,
        PaneAction::Bottom => usize::MAX / 2,
        _ => at,
    }
}
