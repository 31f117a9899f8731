//! The sentence of the run on a narrow screen: what is asked, the reason, and how far the test is.
//!
//! ```text
//!  ├ Trying ─────────────────────────────────────────────────────── limit 16.0 s ─┤
//!  │ Can 49 of the 112 elements of the list `typedef signed char int…` of         │
//!  │ translation_unit go?  7 stay, `main` still uses `strcmp`                    │
//!  │ top level  question 6 · −2,895 tokens · 0.63 s of 16 s · 2/2                 │
//! ```

use super::pane_context::PaneContext;
use super::run_sentence::RunSentence;
use crate::reduce::RunState;
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::theme::Role;

/// Draws the pane.
pub fn draw_trying_pane(context: &PaneContext, canvas: &mut ClippedCanvas, edges: PaneEdges) {
    let view = context.view;
    let Some(snapshot) = &view.snapshot else {
        return;
    };
    let (title, is_running) = match &snapshot.state {
        RunState::Running => ("Trying", true),
        RunState::Paused(_) | RunState::Stalled(_) => ("Paused", false),
        RunState::Finished(_) => ("Finished", false),
    };
    // The pass of the question that the sentence is about; while none is asked, the running one.
    let pass = match view
        .asked_question()
        .filter(|_| !is_running || snapshot.current_test.is_some())
    {
        _ if view.is_finished() => "",
        Some(asked) => asked.why.pass,
        None => snapshot.running_pass().map_or("", |pass| pass.name),
    };
    let mut inside = canvas.draw_pane_frame(title, pass, false, edges);
    let glyphs = inside.theme.glyphs;
    let (width, height) = (inside.width().saturating_sub(2), inside.height());
    let sentence = RunSentence::new(view, snapshot, &glyphs, context.now);
    let note = view.shown_note();
    let change = Some(&sentence.change).filter(|change| !change.is_empty());
    let mut facts: Vec<&str> = sentence.facts.iter().map(String::as_str).collect();
    if let Some(change) = change {
        facts.insert(facts.len().min(1), change);
    }
    let rest = usize::from(!facts.is_empty()) + usize::from(note.is_some() && height > 2);
    let lines = height.saturating_sub(rest).max(1);
    let wrapped = text::wrap_text(&sentence.whole(), width, lines, glyphs.cut);
    for (y, line) in wrapped.iter().enumerate() {
        let role = match y == 0 && !is_running {
            true => Role::Title,
            false => Role::Text,
        };
        inside.draw_text(1, y, line, role);
    }
    let facts = text::truncate_end(&facts.join(glyphs.dot), width, glyphs.cut);
    let role = match is_running {
        true => Role::Dim,
        false => sentence.role.unwrap_or(Role::Dim),
    };
    let mut y = lines;
    if !facts.is_empty() {
        inside.draw_text(1, y, &facts, role);
        y += 1;
    }
    if let Some(note) = note {
        let note = text::displayable_line(note, glyphs.braille);
        inside.draw_text(
            1,
            y,
            &text::truncate_end(&note, width, glyphs.cut),
            Role::Note,
        );
    }
}
