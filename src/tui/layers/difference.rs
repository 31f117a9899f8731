//! What differs between two versions.

use super::super::app::App;
use super::super::canvas::Canvas;
use super::super::text;

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
    let lines = match &difference.lines {
        Some(lines) if !lines.is_empty() => Ok(&lines[..]),
        Some(_) => Err("they differ in white space only"),
        None => Err("they are too large to be compared here"),
    };
    super::diff(canvas, &title, &right, lines, top)
}
