//! The sentence below the headline: what is asked, whole, and how far its test is; then the objects and the reason.
//!
//! ```text
//!  ▶ Can 7 unused declarations go?   −366 tokens                                       question 10 · 0.4 s of 32 s · 2/2
//!    safe_mod_func…, safe_div_func…, safe_lshift… ×2, …, transparent_crc; 7 stay, `main` still uses `platform_main_end`
//! ```

use std::time::Instant;

use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::run_sentence::RunSentence;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The column where the words begin, behind the mark.
const INDENT: usize = 3;
/// A note with less room than this is not shown.
const LEAST_NOTE: usize = 20;

/// Draws the sentence on two lines. What is asked comes first: if it needs more than its line, it goes on in the second one.
pub fn draw_sentence(view: &RunView, now: Instant, canvas: &mut ClippedCanvas) {
    let Some(snapshot) = view.snapshot.as_ref().filter(|_| canvas.height() > 0) else {
        return;
    };
    let glyphs = canvas.theme.glyphs;
    let sentence = RunSentence::new(view, snapshot, &glyphs, now);
    let width = canvas.width().saturating_sub(1);
    let facts = sentence.facts.join(glyphs.dot);
    let mut end = canvas.draw_text_before(width, 0, &facts, Role::Dim);
    if !facts.is_empty() {
        end = end.saturating_sub(2);
    }
    if !sentence.mark.is_empty() {
        canvas.draw_text(1, 0, sentence.mark, sentence.role.unwrap_or(Role::Dim));
    }
    // The words of the first line, and what is left of them for the second.
    let change = match sentence.change.is_empty() {
        true => 0,
        false => text::text_width(&sentence.change) + 3,
    };
    let room = end.saturating_sub(INDENT);
    let headline = &sentence.headline;
    let fits = text::text_width(headline) + change <= room;
    let first_room = room.saturating_sub(change);
    let first = text::wrap_text(headline, first_room, usize::MAX, glyphs.cut);
    let first = first.first().map_or("", String::as_str);
    let x = canvas.draw_text(INDENT, 0, first, Role::Title);
    if change > 0 {
        canvas.draw_text(x + 3, 0, &sentence.change, Role::Number);
    }
    let mut x = INDENT;
    if !fits {
        let rest = headline.get(first.len()..).unwrap_or_default().trim_start();
        let rest = text::truncate_middle(rest, width.saturating_sub(x), glyphs.cut);
        x = canvas.draw_text(x, 1, &rest, Role::Title) + 2;
    }
    let room = width.saturating_sub(x);
    let detail = text::truncate_end(&sentence.detail, room, glyphs.cut);
    let x = canvas.draw_text(x, 1, &detail, Role::Text) + 3;
    if let Some(note) = view.shown_note() {
        let room = width.saturating_sub(x);
        let note = text::displayable_line(note, glyphs.braille);
        let note = text::truncate_end(&note, room, glyphs.cut);
        if room >= LEAST_NOTE {
            canvas.draw_text_before(width, 1, &note, Role::Note);
        }
    }
}
