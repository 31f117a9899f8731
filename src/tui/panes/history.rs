//! The versions of the run, the newest first, drawn as a tree.
//!
//! ```text
//!  ├ History ────────────────────────── 5 versions ┤
//!  │ ◉    5    163 tokens  perses  drop …     here │   the current version
//!  │ │ ○  4    170 tokens  perses  …        undone │   left by an undo
//!  │ ●─╯  2    185 tokens  bodies  …               │   the parent of both
//! ```

use std::sync::Arc;

use super::history_graph::HistoryGraph;
use super::layout::PaneKind;
use super::pane_action::{PaneAction, step_index};
use super::pane_context::PaneContext;
use super::scroll::ScrollState;
use super::sentences::question_summary;
use crate::program::{Edit, Version};
use crate::reduce::{RunSnapshot, VersionRecord};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::{quoted_text, text};
use crate::tui::program_view::diff;
use crate::tui::program_view::diff_line::DiffLine;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// Two versions with more tokens than this together are not compared in full, because that reads every token.
const MOST_COMPARED_TOKENS: u32 = 100_000;

/// The state of the pane.
#[derive(Debug, Default)]
pub struct HistoryPane {
    scroll: ScrollState,
    /// The selected version; none for the current one.
    selected: Option<u64>,
    /// The version that others are compared with; none for the parent of each.
    marked: Option<u64>,
}

/// Two versions and the lines in which they differ.
#[derive(Debug)]
pub struct VersionComparison {
    /// The older version.
    pub old: Arc<VersionRecord>,
    /// The newer version.
    pub new: Arc<VersionRecord>,
    /// The lines that differ, with those around them; none if the versions are too large to compare.
    pub lines: Option<Vec<DiffLine>>,
}

impl VersionComparison {
    /// The difference of two versions. Of large ones only the edit that made one of the other is shown, unless it was a whole text.
    pub fn between(old: &Arc<VersionRecord>, new: &Arc<VersionRecord>) -> VersionComparison {
        let is_step = |edit: &&Edit| new.parent == Some(old.number) && !edit.is_rewrite();
        let step = new.edit.as_ref().filter(is_step);
        let of_edit = step.and_then(|edit| diff::diff_edit(&old.version, edit));
        let is_small =
            old.version.token_count() + new.version.token_count() <= MOST_COMPARED_TOKENS;
        let of_versions = || is_small.then(|| diff::diff_versions(&old.version, &new.version));
        VersionComparison {
            lines: of_edit
                .filter(|lines| !lines.is_empty())
                .or_else(of_versions),
            old: old.clone(),
            new: new.clone(),
        }
    }
}

impl HistoryPane {
    /// The number of the selected version.
    pub fn selected_number(&self, snapshot: &RunSnapshot) -> u64 {
        let last = snapshot.history.len().saturating_sub(1) as u64;
        self.selected.unwrap_or(snapshot.number).min(last)
    }

    /// The selected version.
    pub fn selected_version<'a>(
        &self,
        snapshot: &'a RunSnapshot,
    ) -> Option<&'a Arc<VersionRecord>> {
        snapshot
            .history
            .get(self.selected_number(snapshot) as usize)
    }

    /// Selects a version by its number.
    pub fn select_version(&mut self, snapshot: &RunSnapshot, number: u64) {
        self.selected = (number != snapshot.number).then_some(number);
    }

    /// Selects the version on a row of the list, the newest first. A selection on the current version follows it.
    pub fn select_row(&mut self, snapshot: &RunSnapshot, row: usize) {
        let last = snapshot.history.len().saturating_sub(1);
        let number = last.saturating_sub(row) as u64;
        self.selected = (number != snapshot.number).then_some(number);
    }

    /// The row of the selected version.
    pub fn selected_row(&self, snapshot: &RunSnapshot) -> usize {
        let last = snapshot.history.len().saturating_sub(1);
        last.saturating_sub(self.selected_number(snapshot) as usize)
    }

    /// Compares the selected version with the marked one, or with its parent.
    ///
    /// # Errors
    /// When there is nothing to compare.
    pub fn compare_selected(
        &self,
        snapshot: &RunSnapshot,
    ) -> Result<VersionComparison, &'static str> {
        let new = self
            .selected_version(snapshot)
            .ok_or("there is no version yet")?;
        let old = self.marked.or(new.parent);
        let old = old.ok_or("it is the original: mark another version to compare with")?;
        let old = snapshot.history.get(old as usize);
        let old = old.ok_or("the marked version no longer exists")?;
        if old.number == new.number {
            return Err("it is the marked version itself");
        }
        Ok(VersionComparison::between(old, new))
    }

    /// Selects the version on a line of the pane.
    pub fn select_line(&mut self, snapshot: &RunSnapshot, line: usize) {
        self.select_row(snapshot, self.scroll.top + line);
    }

    /// Moves among the versions.
    pub fn navigate(&mut self, snapshot: &RunSnapshot, action: PaneAction) {
        let page = self.scroll.page_length();
        let row = step_index(self.selected_row(snapshot), action, page);
        self.select_row(snapshot, row);
    }

    /// Marks the selected version as the one to compare with, or removes the mark. Returns the marked version.
    pub fn toggle_base_version(&mut self, snapshot: &RunSnapshot) -> Option<u64> {
        let selected = self.selected_number(snapshot);
        self.marked = (self.marked != Some(selected)).then_some(selected);
        self.marked
    }

    /// Draws the pane.
    pub fn draw_pane(
        &mut self,
        context: &PaneContext,
        canvas: &mut ClippedCanvas,
        edges: PaneEdges,
    ) {
        let Some(snapshot) = &context.view.snapshot else {
            return;
        };
        let focused = context.focus == PaneKind::History;
        let right = match snapshot.detour_base {
            Some(base) => format!("inside a detour from {base}"),
            None => text::format_count(snapshot.history.len() as u64, "version"),
        };
        let mut inside = canvas.draw_pane_frame("History", &right, focused, edges);
        let (row, len) = (self.selected_row(snapshot), snapshot.history.len());
        self.scroll.scroll_to(row, len, inside.height());
        let top = self.scroll.top;
        let rows = history_rows(&context.view.theme.glyphs, snapshot, top + inside.height());
        let lanes = rows
            .iter()
            .skip(top)
            .map(|(graph, _)| text::text_width(graph));
        let lanes = lanes.max().unwrap_or(0);
        for (y, (graph, past)) in rows.iter().skip(top).enumerate() {
            self.draw_line(snapshot, past, &mut inside, y, (graph, lanes));
            if focused && top + y == row {
                let style = inside.theme.role_style(Role::Selection);
                inside.set_line_style(0, y, inside.width(), style);
            }
        }
    }

    fn draw_line(
        &self,
        snapshot: &RunSnapshot,
        past: &VersionRecord,
        inside: &mut ClippedCanvas,
        y: usize,
        (graph, lanes): (&str, usize),
    ) {
        let glyphs = inside.theme.glyphs;
        let width = inside.width();
        let here = past.number == snapshot.number;
        let is_undone = !here && !is_ancestor(snapshot, &mut Some(snapshot.number), past.number);
        let role = match (here, is_undone) {
            (true, _) => Role::Running,
            (_, true) => Role::Dim,
            _ => Role::Text,
        };
        inside.draw_text(1, y, graph, role);
        let digits = snapshot.history.len().to_string().len().max(2);
        let number = format!("{:>digits$}", past.number);
        let mut x = inside.draw_text(lanes + 2, y, &number, Role::Dim) + 2;
        let whole = text::format_number(snapshot.primary_sizes().1.into()).len();
        let size = text::format_number(past.version.size().primary().into());
        x = inside.draw_text(x, y, &format!("{size:>whole$}"), Role::Number) + 2;
        let smallest = snapshot.smallest == Some(past.number);
        let detour = detour_tag(snapshot, past, &glyphs);
        let tags = [
            (self.marked == Some(past.number), "marked", Role::Note),
            (smallest, "smallest", Role::Interesting),
            (
                detour.is_some(),
                detour.as_deref().unwrap_or_default(),
                Role::Note,
            ),
            (is_undone && !past.in_detour, "undone", Role::Dim),
            (here, "here", Role::Running),
        ];
        let mut end = width.saturating_sub(1);
        for (_, tag, role) in tags.into_iter().rev().filter(|(is, ..)| *is) {
            end = inside.draw_text_before(end, y, tag, role).saturating_sub(1);
        }
        x = inside.draw_text(
            x,
            y,
            &text::truncate_end(past.pass, end.saturating_sub(x), glyphs.cut),
            Role::Kind,
        );
        x += if past.pass.is_empty() { 0 } else { 2 };
        let summary = question_summary(&past.sentence, &glyphs);
        let room = end.saturating_sub(x);
        inside.draw_text(
            x,
            y,
            &quoted_text::fit_summary(&summary, room, glyphs.cut),
            role,
        );
    }
}

/// What a version is to a detour: the first of one, with what it adds; inside one; or its last, with what is gone since it began.
fn detour_tag(
    snapshot: &RunSnapshot,
    past: &VersionRecord,
    glyphs: &ScreenGlyphs,
) -> Option<String> {
    let size = |version: &Version| i64::from(version.size().primary());
    let change_since = |number: Option<u64>| {
        let older = snapshot.history.get(number? as usize)?;
        let change = size(&past.version) - size(&older.version);
        let sign = if change > 0 { "+" } else { glyphs.minus };
        Some((
            change,
            format!("{sign}{}", text::format_number(change.unsigned_abs())),
        ))
    };
    if past.ended_detour.is_some() {
        let change = change_since(past.ended_detour).map(|(_, words)| words);
        return Some(format!("detour kept {}", change.unwrap_or_default()));
    }
    let is_over = snapshot.detour_base.is_none_or(|base| past.number < base);
    let word = if past.in_detour && is_over {
        "detour dropped"
    } else {
        "detour"
    };
    let leaves = past.edit.as_ref().is_some_and(Edit::begins_detour);
    let grown = change_since(past.parent).filter(|(change, _)| leaves && *change > 0);
    match (grown, past.in_detour) {
        (Some((_, words)), _) => Some(format!("{word} {words}")),
        (None, in_detour) => in_detour.then(|| word.into()),
    }
}

/// The `count` newest versions, each with its row of the graph.
fn history_rows<'a>(
    glyphs: &ScreenGlyphs,
    snapshot: &'a RunSnapshot,
    count: usize,
) -> Vec<(String, &'a VersionRecord)> {
    let mut graph = HistoryGraph::default();
    let mut ancestor = Some(snapshot.number);
    let newest = snapshot.history.iter().rev().take(count);
    let row = |past: &'a std::sync::Arc<VersionRecord>| {
        let node = match past.number {
            number if number == snapshot.number => glyphs.current_version,
            _ if past.in_detour => glyphs.detour,
            number if is_ancestor(snapshot, &mut ancestor, number) => glyphs.version,
            _ => glyphs.undone,
        };
        (
            graph.render_row(past.number, past.parent, node, glyphs),
            &**past,
        )
    };
    newest.map(row).collect()
}

/// Whether a version is an ancestor of the current one, or the current one itself. `ancestor` keeps the place in the chain of ancestors
/// for the next call, with a smaller number.
pub fn is_ancestor(snapshot: &RunSnapshot, ancestor: &mut Option<u64>, number: u64) -> bool {
    while let Some(newer) = ancestor.filter(|newer| *newer > number) {
        let past = snapshot.history.get(newer as usize);
        *ancestor = past.and_then(|past| past.parent);
    }
    *ancestor == Some(number)
}
