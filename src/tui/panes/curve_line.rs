//! The curve of sizes on one line, below the log: from the original down to one token, on a logarithmic scale.

use super::chart_axis::{ChartAxis, size_at};
use super::progress::ProgressPane;
use crate::reduce::RunSnapshot;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::theme::Role;

impl ProgressPane {
    /// Draws the curve on a line, with the user's commands in it.
    pub fn draw_curve_line(&self, snapshot: &RunSnapshot, inside: &mut ClippedCanvas, y: usize) {
        let Some(most) = snapshot.curve.front().map(|point| point.size.primary()) else {
            return;
        };
        let glyphs = inside.theme.glyphs;
        let (left, _) = snapshot.primary_sizes();
        let before = text::format_number(most.into());
        let mut after = text::format_number(left.into());
        if self.axis == ChartAxis::Time {
            after += " over time";
        }
        let start = text::text_width(&before) + 2;
        let width = inside.width();
        let Some(cells) = width.checked_sub(start + text::text_width(&after) + 2) else {
            return;
        };
        if cells < 8 {
            return;
        }
        let whole = self.axis.length_of(snapshot);
        let span = f64::from(most.max(2)).ln();
        let highest = (glyphs.levels.len() - 1) as f64;
        let level = |cell: usize| {
            let at = cell as u64 * whole / (cells as u64 - 1).max(1);
            let size = size_at(&snapshot.curve, self.axis, at).primary().max(1);
            let share = f64::from(size).ln() / span;
            glyphs.levels[(share * highest).round().clamp(0.0, highest) as usize]
        };
        inside.draw_text(1, y, &before, Role::Dim);
        let line: String = (0..cells).map(level).collect();
        let x = inside.draw_text(start, y, &line, Role::Chart);
        inside.draw_text(x + 1, y, &after, Role::Dim);
        for marker in &self.markers {
            let at = marker.place_on(self.axis).min(whole);
            let cell = (at * (cells as u64 - 1) / whole) as usize;
            inside.draw_text(start + cell, y, glyphs.marker, Role::Note);
        }
    }
}
