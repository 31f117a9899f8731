//! The sentence below the headline: what is asked, whole, and how far its test is; then the objects and the reason.
//!
//! ```text
//!  ▶ Can 7 unused declarations go?   −366 tokens                                       question 10 · 0.4 s of 32 s · 2/2
//!    safe_mod_func…, safe_div_func…, safe_lshift… ×2, …, transparent_crc; 7 stay, `main` still uses `platform_main_end`
//! ```

use std::time::Instant;

use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::{quoted_text, text};
use crate::tui::panes::run_sentence::RunSentence;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The column where the words begin, behind the mark.
const INDENT: usize = 3;
/// The blanks before the change of tokens, and behind it.
const GAP: usize = 3;
/// The fewest cells of a piece of code in a question that is to stand on one line.
const LEAST_CODE: usize = 20;
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
    // Code in the question is shortened a little to have it on one line; else it goes on in the second one.
    let change = match sentence.change.is_empty() {
        true => 0,
        false => text::text_width(&sentence.change) + GAP,
    };
    let room = end.saturating_sub(INDENT);
    let headline = &sentence.headline;
    let one_line = room.saturating_sub(change);
    let one_line = quoted_text::shorten_quotes(headline, one_line, LEAST_CODE, glyphs.cut);
    let lines = match one_line {
        Some(line) => vec![line],
        None => {
            let both = room + width.saturating_sub(INDENT + change);
            let headline = quoted_text::fit_sentence(headline, both, glyphs.cut);
            let first = text::wrap_text(&headline, room, usize::MAX, glyphs.cut);
            let first = first.into_iter().next().unwrap_or_default();
            let rest = headline.get(first.len()..).unwrap_or_default().trim_start();
            let room = width.saturating_sub(INDENT + change);
            let rest = text::truncate_end(rest, room, glyphs.cut);
            vec![first, rest]
        }
    };
    let (mut x, mut y) = (INDENT, 0);
    for (at, line) in lines.iter().enumerate() {
        (x, y) = (canvas.draw_text(INDENT, at, line, Role::Title), at);
    }
    if change > 0 {
        // The question may have the first line to itself.
        x += if x > INDENT { GAP } else { 0 };
        x = canvas.draw_text(x, y, &sentence.change, Role::Number);
    }
    x = match y {
        0 => INDENT,
        _ => x + GAP,
    };
    let room = width.saturating_sub(x);
    let detail = quoted_text::fit_details(&sentence.detail, room, glyphs.cut);
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
