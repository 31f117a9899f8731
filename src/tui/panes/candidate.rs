//! The candidate as a diff: what is tried, or was tried last.
//!
//! ```text
//!  ├ Candidate ───────────── 5 tokens fewer ┤
//!  │   10      int x = 1;                   │
//!  │ - 11      while (x) --x;               │
//!  │   12      return x;                    │
//! ```

use super::super::app::{App, Pane};
use super::super::canvas::{Canvas, Edges};
use super::super::diff::{self, Fate, Line};
use super::super::text;
use super::super::theme::Role;

/// Makes the diff of what is shown, unless it is there already; whether there is one.
pub fn fit(app: &mut App) -> bool {
    let Some(snapshot) = app.snapshot.clone() else {
        return false;
    };
    let shown = app.shown_edit();
    let of = shown.map(|(decision, ..)| (snapshot.number, decision));
    if app.diff.as_ref().map(|(known, _)| *known) != of {
        let lines = shown.and_then(|(_, edit, version)| diff::diff(version, edit));
        app.diff = of.zip(lines);
    }
    app.diff.is_some()
}

/// Draws lines from line `top` on; the line it did begin with.
pub fn lines(lines: &[Line], canvas: &mut Canvas, top: usize) -> usize {
    let top = top.min(lines.len().saturating_sub(canvas.height()));
    let glyphs = canvas.look.glyphs;
    let last = lines.iter().map(|line| line.number).max().unwrap_or(0);
    let digits = last.to_string().len().max(3);
    for (y, line) in lines.iter().skip(top).take(canvas.height()).enumerate() {
        let (sign, role) = match line.fate {
            Fate::Stays => (" ", Role::Text),
            Fate::Goes => ("-", Role::Removed),
            Fate::Comes => ("+", Role::Added),
            Fate::Cut => (glyphs.cut, Role::Dim),
        };
        let mut x = canvas.say(1, y, sign, role) + 1;
        if line.number > 0 {
            canvas.say(x, y, &format!("{:>digits$}", line.number), Role::Dim);
        }
        x += digits + 2;
        let room = canvas.width().saturating_sub(x);
        let safe = text::safe(&line.text, glyphs.braille);
        canvas.say(x, y, &text::cut_end(&safe, room, glyphs.cut), role);
    }
    top
}

/// How much smaller the candidate is.
pub fn saved(app: &App) -> String {
    let Some(snapshot) = &app.snapshot else {
        return String::new();
    };
    let last = || snapshot.decided.last().map(|last| last.saved);
    let saved = snapshot.trying.as_ref().map(|trying| trying.saved);
    match saved.or_else(last) {
        None | Some(0) => String::new(),
        Some(saved) => format!("{} fewer", text::count(saved.into(), "token")),
    }
}

/// Draws the pane.
pub fn draw(app: &mut App, canvas: &mut Canvas, edges: Edges) {
    let there = fit(app);
    let right = if there { saved(app) } else { String::new() };
    let focused = app.focus() == Pane::Candidate;
    let mut inside = canvas.pane("Candidate", &right, focused, edges);
    match &app.diff {
        Some((_, diff)) => app.candidate = lines(diff, &mut inside, app.candidate),
        None => {
            inside.say(1, 0, "nothing is asked now", Role::Dim);
        }
    }
}
