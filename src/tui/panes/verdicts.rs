//! The last verdicts, the newest on top. A long sentence is cut in the middle, because its beginning and its end differ from the next one's.
//!
//! ```text
//!  ├ Verdicts ─────────────────────────────────────────────────────┤
//!  │ ✓ 1,203 perses  can declar…`int l_2;` go?       −22    0.41 s │
//!  │ ✗ 1,202 perses  if_stateme…`{ f(); }`        exit 1    0.38 s │
//! ```

use std::sync::Arc;

use super::layout::PaneKind;
use super::pane_action::{PaneAction, step_index};
use super::pane_context::PaneContext;
use super::scroll::ScrollState;
use super::sentences::{question_summary, verdict_mark};
use super::verdict_filter;
use crate::oracle::Verdict;
use crate::reduce::{Decision, DecisionDetails, RunSnapshot};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::theme::Role;

/// The state of the pane.
#[derive(Debug, Default)]
pub struct VerdictsPane {
    scroll: ScrollState,
    /// The selected verdict; none for the newest.
    selected: Option<Decision>,
    /// The kind of verdict that is shown; none for all.
    pub filter: Option<Verdict>,
}

impl VerdictsPane {
    /// The shown verdicts, the newest first.
    fn listed_verdicts(&self, snapshot: &RunSnapshot) -> Vec<Arc<DecisionDetails>> {
        let is_shown = |decided: &&Arc<DecisionDetails>| {
            self.filter.is_none_or(|kind| decided.verdict == kind)
        };
        let mut listed: Vec<_> = snapshot.decided.iter().filter(is_shown).cloned().collect();
        listed.reverse();
        listed
    }

    /// The row of the selected verdict; none when no verdict is shown.
    fn selected_row(&self, listed: &[Arc<DecisionDetails>]) -> Option<usize> {
        let last = listed.len().checked_sub(1)?;
        let Some(selected) = self.selected else {
            return Some(0);
        };
        let row = listed
            .iter()
            .position(|decided| decided.decision <= selected);
        Some(row.unwrap_or(last))
    }

    /// The selected verdict, and how many newer ones are shown.
    pub fn selected_verdict(
        &self,
        snapshot: &RunSnapshot,
    ) -> Option<(usize, Arc<DecisionDetails>)> {
        let listed = self.listed_verdicts(snapshot);
        let row = self.selected_row(&listed)?;
        Some((row, listed[row].clone()))
    }

    /// Selects the verdict on a row. A selection of the newest follows the newest.
    fn select_row(&mut self, snapshot: &RunSnapshot, row: usize) {
        let listed = self.listed_verdicts(snapshot);
        let row = row.min(listed.len().saturating_sub(1));
        let selected = listed.get(row).filter(|_| row > 0);
        self.selected = selected.map(|decided| decided.decision);
    }

    /// Selects the verdict on a line of the pane.
    pub fn select_line(&mut self, snapshot: &RunSnapshot, line: usize) {
        self.select_row(snapshot, self.scroll.top + line);
    }

    /// Moves among the verdicts.
    pub fn navigate(&mut self, snapshot: &RunSnapshot, action: PaneAction) {
        let row = self.selected_verdict(snapshot).map_or(0, |(row, _)| row);
        self.select_row(snapshot, step_index(row, action, self.scroll.page_length()));
    }

    /// Shows the verdicts of a kind, or all, and selects the newest.
    pub fn set_filter(&mut self, filter: Option<Verdict>) {
        (self.filter, self.selected) = (filter, None);
    }

    /// Keeps the selected row at its place on the screen when a new snapshot changes the rows.
    pub fn anchor_selection(&mut self) {
        if self.selected.is_some() {
            self.scroll.anchor_selection();
        }
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
        let focused = context.focus == PaneKind::Verdicts;
        let listed = self.listed_verdicts(snapshot);
        let only = match self.filter {
            Some(_) => format!(
                "only {}: {}",
                verdict_filter::filter_name(self.filter),
                listed.len()
            ),
            None => String::new(),
        };
        let mut inside = canvas.draw_pane_frame("Verdicts", &only, focused, edges);
        let width = inside.width();
        let at = self.selected_row(&listed).unwrap_or(0);
        self.scroll.scroll_to(at, listed.len(), inside.height());
        let top = self.scroll.top;
        let newest = snapshot
            .decided
            .last()
            .map_or(0, |decided| decided.decision);
        let digits = text::format_number(newest).len().max(3);
        for (y, decided) in listed.iter().skip(top).take(inside.height()).enumerate() {
            let glyphs = inside.theme.glyphs;
            let (mark, role) = verdict_mark(decided.verdict, &glyphs);
            let mut x = inside.draw_text(1, y, mark, role) + 1;
            x = inside.draw_text(
                x,
                y,
                &format!("{:>digits$}", text::format_number(decided.decision)),
                Role::Dim,
            ) + 1;
            x = inside.draw_text(x, y, decided.why.pass, Role::Kind) + 2;
            let time = match decided.time {
                Some(time) => text::format_duration(time),
                None => "known".into(),
            };
            let mut end = inside.draw_text_before(
                width.saturating_sub(1),
                y,
                &format!("{time:>8}"),
                Role::Number,
            );
            let outcome = match decided.verdict {
                Verdict::Interesting => {
                    let sign = match decided.change.0 {
                        1.. => "+",
                        _ => glyphs.minus,
                    };
                    let tokens = decided.change.0.unsigned_abs();
                    format!("{sign}{}", text::format_number(tokens))
                }
                Verdict::TimedOut => match decided.bound.filter(|bound| !bound.is_time_limit()) {
                    Some(bound) => bound.name().into(),
                    None => "timed out".into(),
                },
                Verdict::Invalid => "invalid".into(),
                Verdict::Uninteresting => decided.exit.clone(),
            };
            if width >= 48 {
                end = inside.draw_text_before(
                    end.saturating_sub(1),
                    y,
                    &text::truncate_middle(&outcome, 12, glyphs.cut),
                    role,
                );
            }
            let room = end.saturating_sub(x + 1);
            inside.draw_text(
                x,
                y,
                &text::truncate_middle(
                    &question_summary(&decided.sentence, &glyphs),
                    room,
                    glyphs.cut,
                ),
                Role::Text,
            );
            if focused && top + y == at {
                let style = inside.theme.role_style(Role::Selection);
                inside.set_line_style(0, y, width, style);
            }
        }
    }
}
