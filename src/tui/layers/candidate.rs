//! The candidate as a diff, on a page of its own.

use super::super::app::App;
use super::super::canvas::Canvas;
use super::super::panes::candidate;

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw(app: &mut App, canvas: &mut Canvas, top: usize) -> usize {
    let there = candidate::fit(app);
    let saved = if there {
        candidate::saved(app)
    } else {
        String::new()
    };
    let said = [saved, super::closes(app, "candidate")];
    let right = said.join("   ").trim_start().to_owned();
    let lines = app.diff.as_ref().map(|(_, diff)| &diff[..]);
    let lines = lines.ok_or("nothing is asked now");
    super::diff(canvas, "Candidate", &right, lines, top)
}
