//! The candidate as a diff, on a page of its own.

use crate::tui::app::App;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::panes::candidate;

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw_candidate_page(app: &mut App, canvas: &mut ClippedCanvas, top: usize) -> usize {
    let there = candidate::update_diff(app);
    let saved = if there {
        candidate::saved_text(app)
    } else {
        String::new()
    };
    let said = [saved, super::close_hint(app, "candidate")];
    let right = said.join("   ").trim_start().to_owned();
    let lines = app.diff.as_ref().map(|(_, diff)| &diff[..]);
    let lines = lines.ok_or("nothing is asked now");
    super::draw_diff_page(canvas, "Candidate", &right, lines, top)
}
