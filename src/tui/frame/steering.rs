//! The steering line: what is in force, and the key that changes it.
//!
//! ```text
//!  ◆ focus arg_foo   ? suspect x   P pin main (26)   ■ break invalid   ⊘ bodies off                          I changes these
//! ```

use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::program_view::steering::list_steering;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The greatest width of an item.
const MOST_WIDTH: usize = 40;

/// Draws the line. What has no room is counted.
pub fn draw_steering(view: &RunView, canvas: &mut ClippedCanvas) {
    let Some(snapshot) = view.snapshot.as_ref().filter(|_| canvas.height() > 0) else {
        return;
    };
    let glyphs = canvas.theme.glyphs;
    let items = list_steering(snapshot, &glyphs);
    let how = format!(
        "{} changes these",
        view.setup.keys.first_key_name("in-force")
    );
    let width = canvas.width().saturating_sub(1);
    let end = canvas
        .draw_text_before(width, 0, &how, Role::Dim)
        .saturating_sub(2);
    let mut x = 1;
    for (at, item) in items.iter().enumerate() {
        let words = text::displayable_line(&item.text, glyphs.braille);
        let words = text::truncate_middle(&words, MOST_WIDTH, glyphs.cut);
        let more = format!("{} more", items.len() - at);
        // The last one needs no room for the number of others.
        let kept = match at + 1 == items.len() {
            true => 0,
            false => text::text_width(&more) + 3,
        };
        if x + 2 + text::text_width(&words) + kept > end {
            canvas.draw_text(x, 0, &more, Role::Dim);
            break;
        }
        x = canvas.draw_text(x, 0, item.mark, item.role) + 1;
        x = canvas.draw_text(x, 0, &words, Role::Text) + 3;
    }
}
