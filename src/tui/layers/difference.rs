//! What differs between two versions.

use super::super::app::App;
use super::super::canvas::{Canvas, Edges};
use super::super::panes::candidate;
use super::super::text;
use super::super::theme::Role;
use super::{WIDEST, middle};

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw(app: &App, canvas: &mut Canvas, top: usize) -> usize {
    let Some(difference) = &app.versions.difference else {
        return 0;
    };
    let (old, new) = (&difference.old, &difference.new);
    let title = format!(
        "Version {} {} {}",
        old.number, canvas.look.glyphs.arrow, new.number
    );
    let tokens = |past: &crate::reduce::Past| text::number(past.version.tokens().into());
    let right = format!("from {} to {} tokens", tokens(old), tokens(new));
    let len = difference.lines.as_ref().map_or(1, Vec::len);
    let high = len.saturating_add(2).min(u16::MAX.into()) as u16;
    let mut page = canvas.part(middle(canvas.area, WIDEST, high.max(5)));
    page.clear();
    let edges = Edges {
        first: true,
        last: true,
    };
    let mut inside = page.pane(&title, &right, true, edges);
    let said = match &difference.lines {
        Some(lines) if !lines.is_empty() => return candidate::lines(lines, &mut inside, top),
        Some(_) => "they differ in white space only",
        None => "they are too large to be compared here",
    };
    inside.say(1, 0, said, Role::Dim);
    0
}
