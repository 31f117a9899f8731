//! What differs between two versions.

use crate::tui::app::App;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw_difference_page(app: &App, canvas: &mut ClippedCanvas, top: usize) -> usize {
    let Some(difference) = &app.versions.difference else {
        return 0;
    };
    let (old, new) = (&difference.old, &difference.new);
    let title = format!(
        "Version {} {} {}",
        old.number, canvas.theme.glyphs.arrow, new.number
    );
    let tokens = |past: &crate::reduce::VersionRecord| {
        text::format_number(past.version.token_count().into())
    };
    let right = format!("from {} to {} tokens", tokens(old), tokens(new));
    let lines = match &difference.lines {
        Some(lines) if !lines.is_empty() => Ok(&lines[..]),
        Some(_) => Err("they differ in white space only"),
        None => Err("they are too large to be compared here"),
    };
    super::draw_diff_page(canvas, &title, &right, lines, top)
}
