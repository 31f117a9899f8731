//! Moving the selection: in the tree by rows, in the program by lines. Each shows the place in the other.

use std::sync::Arc;

use super::app::{App, Layer, Mode, Pane};
use super::commands::Action;
use super::folds;
use super::lines;
use super::selection;
use crate::program::{Node, NodeId, Shape, Trail, Version};
use crate::reduce::{PassLine, PassState, Snapshot};

/// The first row below the one at the end of `trail`.
fn inner<'a>(version: &Version, trail: &Trail<'a>) -> Option<&'a Arc<Node>> {
    folds::first_row_below(&version.documents()[trail.document], trail.node())
}

/// How many cells the text moves sideways at once.
const SIDEWAYS: usize = 8;

impl App {
    /// Moves in the pane or page that has the keys.
    pub(super) fn walk(&mut self, action: Action) {
        if let Some(
            Layer::Help(top)
            | Layer::Trouble(top)
            | Layer::Verdict(top)
            | Layer::Candidate(top)
            | Layer::Difference(top)
            | Layer::Pass(top)
            | Layer::Inspection(top),
        ) = self.layers.last_mut()
        {
            *top = moved(*top, action, 10);
            return;
        }
        let Some(snapshot) = self.snapshot.clone() else {
            return;
        };
        if let Some(Layer::Property(part)) = self.layers.last_mut() {
            let parts = snapshot.property.as_ref().map_or(0, |all| all.parts.len());
            *part = moved(*part, action, 10).min(parts.saturating_sub(1));
            return;
        }
        match action {
            Action::Left | Action::Right => {
                self.stop_following();
                self.left = match action {
                    Action::Left => self.left.saturating_sub(SIDEWAYS),
                    _ => (self.left + SIDEWAYS).min(1 << 20),
                };
            }
            _ if self.focus() == Pane::Verdicts => self.walk_verdicts(action),
            _ if self.focus() == Pane::Passes => self.walk_passes(action),
            _ if self.focus() == Pane::History => self.walk_versions(&snapshot, action),
            _ if self.focus() == Pane::Candidate => {
                self.candidate = moved(self.candidate, action, 10);
            }
            Action::Heaviest => {
                self.stop_following();
                self.go_to_heaviest(&snapshot.version);
            }
            _ => {
                self.stop_following();
                match self.focus() {
                    Pane::Tree => {
                        let selected = self.selected;
                        self.walk_tree(&snapshot.version, action);
                        if self.selected != selected {
                            self.left = 0;
                        }
                    }
                    Pane::Program => self.walk_program(&snapshot.version, action),
                    _ => {}
                }
            }
        }
    }

    fn walk_tree(&mut self, version: &Version, action: Action) {
        let Some(trail) = self.selected.and_then(|selected| version.trail(selected)) else {
            return;
        };
        let id = trail.node().id;
        let row = self.folds.number(version, &trail);
        let last = self.folds.len(version).saturating_sub(1);
        let page = self.tree.height.saturating_sub(1).max(1);
        let open = self.folds.is_open(id);
        match action {
            Action::Up => self.select_row(version, row.saturating_sub(1)),
            Action::Down => self.select_row(version, (row + 1).min(last)),
            Action::PageUp => self.select_row(version, row.saturating_sub(page)),
            Action::PageDown => self.select_row(version, (row + page).min(last)),
            Action::Top => self.select_row(version, 0),
            Action::Bottom => self.select_row(version, last),
            Action::Unfold if open => {
                if let Some(inner) = inner(version, &trail) {
                    self.select(version, inner.id);
                }
            }
            Action::Unfold => self.folds.set(&trail, true),
            Action::Fold if open && inner(version, &trail).is_some() => {
                self.folds.set(&trail, false)
            }
            Action::Fold => {
                if let Some(outer) = selection::outer(version, &trail) {
                    self.select(version, outer.id);
                }
            }
            Action::Toggle => self.folds.set(&trail, !open),
            Action::UnfoldAll => self.folds.set_all(version, true),
            Action::FoldAll => {
                self.folds.set_all(version, false);
                // The selection goes to the row that it is in now.
                let row = self.folds.number(version, &trail);
                self.select_row(version, row);
            }
            _ => {}
        }
    }

    fn walk_program(&mut self, version: &Version, action: Action) {
        let Some(trail) = self.selected.and_then(|selected| version.trail(selected)) else {
            return;
        };
        let last = lines::last(&version.documents()[trail.document].root);
        let page = self.program.height.saturating_sub(1).max(1) as u32;
        let target = match action {
            Action::Outer => selection::outer(version, &trail),
            Action::Inner => inner(version, &trail),
            _ => None,
        };
        if let Some(target) = target {
            self.left = 0;
            self.select(version, target.id);
            return;
        }
        let line = match action {
            Action::Up => self.line.saturating_sub(1),
            Action::Down => self.line + 1,
            Action::PageUp => self.line.saturating_sub(page),
            Action::PageDown => self.line.saturating_add(page),
            Action::Top => 0,
            Action::Bottom => last,
            _ => self.line,
        };
        self.select_line(version, trail.document, line.min(last));
    }

    fn walk_verdicts(&mut self, action: Action) {
        let page = self.verdicts.height.saturating_sub(1).max(1);
        let at = self.verdict().map_or(0, |(at, _)| at);
        self.choose_verdict(moved(at, action, page));
    }

    /// Goes to the verdict that so many of those shown are newer than. Who is on the newest stays on the newest.
    fn choose_verdict(&mut self, at: usize) {
        let listed = self.listed();
        let at = at.min(listed.len().saturating_sub(1));
        let chosen = listed.get(at).filter(|_| at > 0);
        self.chosen_verdict = chosen.map(|decided| decided.decision);
    }

    fn walk_passes(&mut self, action: Action) {
        let last = self
            .snapshot
            .as_ref()
            .map_or(0, |snapshot| snapshot.passes.len().saturating_sub(1));
        let page = self.passes.height.saturating_sub(1).max(1);
        self.chosen_pass = Some(moved(self.pass(), action, page).min(last));
    }

    /// The number of the pass that the user is on: the one that runs, unless another was chosen.
    pub fn pass(&self) -> usize {
        let running = |snapshot: &std::sync::Arc<Snapshot>| {
            let runs = |pass: &PassLine| matches!(pass.state, PassState::Running(_));
            snapshot.passes.iter().position(runs)
        };
        let running = self.snapshot.as_ref().and_then(running);
        self.chosen_pass.or(running).unwrap_or(0)
    }

    /// Goes to a node, wherever it is: its row is selected, and shown.
    pub(super) fn go_to(&mut self, version: &Version, node: NodeId) {
        self.stop_following();
        self.left = 0;
        let Some(trail) = version.trail(node) else {
            return;
        };
        let row = selection::row_of(version, &trail);
        self.select(version, row.node().id);
        self.line = selection::first_line(&trail);
    }

    /// Selects a node, and opens all it lies in.
    fn select(&mut self, version: &Version, id: NodeId) {
        if let Some(trail) = version.trail(id) {
            self.selected = Some(id);
            self.folds.reveal(&trail);
            self.line = selection::first_line(&trail);
        }
    }

    fn select_row(&mut self, version: &Version, row: usize) {
        if let Some(row) = self.folds.rows(version, &self.marks, row, 1).first() {
            self.selected = Some(row.node.id);
            self.find_line(version);
        }
    }

    /// Goes to a line of a document. What begins there is selected; on a line where nothing begins the selection stays.
    fn select_line(&mut self, version: &Version, document: usize, line: u32) {
        let begins = lines::first_from(&version.documents()[document].root, line)
            .filter(|leaf| leaf.text_line() == line && leaf.node.shape != Shape::End);
        if let Some(trail) = begins.and_then(|leaf| version.trail(leaf.node.id)) {
            let node = selection::beginning_with(version, &trail);
            self.select(version, node.id);
        }
        self.line = line;
    }

    /// A click on a cell of the screen: selects the row or line there.
    pub fn click(&mut self, column: u16, row: u16) -> bool {
        let Some(snapshot) = self
            .snapshot
            .clone()
            .filter(|_| self.layers.is_empty() && self.prompt.is_none())
        else {
            return false;
        };
        let Some((focus, line)) = self.under(column, row) else {
            return false;
        };
        if matches!(focus, Pane::Tree | Pane::Program) {
            self.stop_following();
        }
        self.choose(focus);
        let version = &snapshot.version;
        match focus {
            Pane::Tree => {
                self.left = 0;
                self.select_row(version, self.tree.top + line);
            }
            Pane::Program => {
                let document = self
                    .selected
                    .and_then(|selected| version.trail(selected))
                    .map_or(0, |trail| trail.document);
                let last = lines::last(&version.documents()[document].root);
                self.select_line(
                    version,
                    document,
                    ((self.program.top + line) as u32).min(last),
                );
            }
            Pane::Verdicts => self.choose_verdict(self.verdicts.top + line),
            Pane::Passes => {
                let last = snapshot.passes.len().saturating_sub(1);
                self.chosen_pass = Some((self.passes.top + line).min(last));
            }
            Pane::History => {
                let row = self.versions.scroll.top + line;
                self.versions.choose(&snapshot, row);
            }
            _ => {}
        }
        true
    }

    /// The wheel turned over a cell of the screen: moves in the pane there.
    pub fn wheel(&mut self, column: u16, row: u16, action: Action) -> bool {
        if self.layers.is_empty() {
            let Some((focus, _)) = self.under(column, row) else {
                return false;
            };
            self.choose(focus);
        }
        (0..3).for_each(|_| self.walk(action));
        true
    }

    /// The pane at a cell of the screen, and the line within it.
    fn under(&self, column: u16, row: u16) -> Option<(Pane, usize)> {
        let at = ratatui::layout::Position { x: column, y: row };
        let framed = usize::from(self.regions.mode != Mode::Tiny);
        let within = |pane: Pane| {
            let area = self.regions.of(pane);
            let line = usize::from(row.checked_sub(area.y)?).checked_sub(framed)?;
            area.contains(at).then_some((pane, line))
        };
        Pane::WITH_KEYS.into_iter().find_map(within)
    }
}

/// Where one is in a list after a step; beyond its end means at its end.
pub(super) fn moved(at: usize, action: Action, page: usize) -> usize {
    match action {
        Action::Up => at.saturating_sub(1),
        Action::Down => at + 1,
        Action::PageUp => at.saturating_sub(page),
        Action::PageDown => at + page,
        Action::Top => 0,
        Action::Bottom => usize::MAX / 2,
        _ => at,
    }
}
