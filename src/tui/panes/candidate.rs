//! The candidate as a diff: what is tried, or was tried last.
//!
//! ```text
//!  ├ Candidate ───────────── 5 tokens fewer ┤
//!  │   10      int x = 1;                   │
//!  │ - 11      while (x) --x;               │
//!  │   12      return x;                    │
//! ```

use crate::tui::app::{App, PaneKind};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::program_view::diff::{self, DiffLine, DiffLineKind};
use crate::tui::theme::Role;

/// Makes the diff of what is shown, unless it is there already; whether there is one.
pub fn update_diff(app: &mut App) -> bool {
    let Some(snapshot) = app.snapshot.clone() else {
        return false;
    };
    let shown = app.shown_edit();
    let of = shown.map(|(decision, ..)| (snapshot.number, decision));
    if app.diff.as_ref().map(|(known, _)| *known) != of {
        let lines = shown.and_then(|(_, edit, version)| diff::diff_edit(version, edit));
        app.diff = of.zip(lines);
    }
    app.diff.is_some()
}

/// Draws lines from line `top` on; the line it did begin with.
pub fn draw_diff_lines(lines: &[DiffLine], canvas: &mut ClippedCanvas, top: usize) -> usize {
    let top = top.min(lines.len().saturating_sub(canvas.height()));
    let glyphs = canvas.theme.glyphs;
    let last = lines.iter().map(|line| line.number).max().unwrap_or(0);
    let digits = last.to_string().len().max(3);
    for (y, line) in lines.iter().skip(top).take(canvas.height()).enumerate() {
        let (sign, role) = match line.kind {
            DiffLineKind::Unchanged => (" ", Role::Text),
            DiffLineKind::Removed => ("-", Role::Removed),
            DiffLineKind::Added => ("+", Role::Added),
            DiffLineKind::Omitted => (glyphs.cut, Role::Dim),
        };
        let mut x = canvas.draw_text(1, y, sign, role) + 1;
        if line.number > 0 {
            canvas.draw_text(x, y, &format!("{:>digits$}", line.number), Role::Dim);
        }
        x += digits + 2;
        let room = canvas.width().saturating_sub(x);
        let safe = text::displayable_line(&line.text, glyphs.braille);
        canvas.draw_text(x, y, &text::truncate_end(&safe, room, glyphs.cut), role);
    }
    top
}

/// How much smaller the candidate is.
pub fn saved_text(app: &App) -> String {
    let Some(snapshot) = &app.snapshot else {
        return String::new();
    };
    let last = || snapshot.decided.last().map(|last| last.saved);
    let saved = snapshot.current_test.as_ref().map(|trying| trying.saved);
    match saved.or_else(last) {
        None | Some(0) => String::new(),
        Some(saved) => format!("{} fewer", text::format_count(saved.into(), "token")),
    }
}

/// Draws the pane.
pub fn draw_candidate_pane(app: &mut App, canvas: &mut ClippedCanvas, edges: PaneEdges) {
    let there = update_diff(app);
    let right = if there {
        saved_text(app)
    } else {
        String::new()
    };
    let focused = app.focused_pane() == PaneKind::Candidate;
    let mut inside = canvas.draw_pane_frame("Candidate", &right, focused, edges);
    match &app.diff {
        Some((_, diff)) => {
            app.candidate_scroll = draw_diff_lines(diff, &mut inside, app.candidate_scroll)
        }
        None => {
            inside.draw_text(1, 0, "nothing is asked now", Role::Dim);
        }
    }
}
