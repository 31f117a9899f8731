//! The candidate as a diff, on a page of its own.

use super::super::app::App;
use super::super::canvas::{Canvas, Edges};
use super::super::panes::candidate;
use super::super::theme::Role;
use super::{WIDEST, middle};

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw(app: &mut App, canvas: &mut Canvas, top: usize) -> usize {
    let there = candidate::fit(app);
    let right = if there {
        candidate::saved(app)
    } else {
        String::new()
    };
    let len = app.diff.as_ref().map_or(1, |(_, diff)| diff.len());
    let high = len.saturating_add(2).min(u16::MAX.into()) as u16;
    let mut page = canvas.part(middle(canvas.area, WIDEST, high.max(5)));
    page.clear();
    let edges = Edges {
        first: true,
        last: true,
    };
    let mut inside = page.pane("Candidate", &right, true, edges);
    match &app.diff {
        Some((_, diff)) => candidate::lines(diff, &mut inside, top),
        None => {
            inside.say(1, 0, "nothing is asked now", Role::Dim);
            0
        }
    }
}
