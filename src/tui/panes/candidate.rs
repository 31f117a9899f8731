//! The current candidate, or the last one, as a diff.
//!
//! ```text
//!  ├ Candidate ───────────── 5 tokens fewer ┤
//!  │   10      int x = 1;                   │
//!  │ - 11      while (x) --x;               │
//!  │   12      return x;                    │
//! ```

use std::ops::Range;

use super::layout::PaneKind;
use super::pane_action::{PaneAction, step_index};
use super::pane_context::PaneContext;
use super::text_moves::offset_showing;
use crate::program::TokenChange;
use crate::reduce::Decision;
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::program_view::diff;
use crate::tui::program_view::diff_line::{DiffLine, DiffLineKind};
use crate::tui::program_view::file_changes::find_change;
use crate::tui::program_view::hunk_diff::diff_hunks;
use crate::tui::program_view::pair_view::PairView;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The diff of the shown candidate, computed once for each candidate.
#[derive(Debug, Default)]
pub struct CandidateDiff {
    /// The lines, with the version and the decision that they belong to.
    lines: Option<((u64, Decision), Vec<DiffLine>)>,
}

impl CandidateDiff {
    /// Computes the diff of the shown candidate, unless it is known already. Returns its lines.
    pub fn update_lines(&mut self, view: &RunView) -> Option<&[DiffLine]> {
        let snapshot = view.snapshot.as_ref()?;
        let shown = view.shown_edit();
        let key = shown.map(|(decision, ..)| (snapshot.number, decision));
        if self.lines.as_ref().map(|(known, _)| *known) != key {
            let lines = shown.and_then(|(_, edit, version)| {
                let mut lines = diff::diff_edit(version, edit)?;
                let shown = view.pair.as_ref();
                let shown = shown.filter(|pair| pair.is_of(snapshot.number, version));
                // A candidate that was accepted is one of an earlier version.
                let earlier = match shown {
                    None => PairView::from_version(snapshot.number, version),
                    Some(_) => None,
                };
                if let Some(pair) = shown.or(earlier.as_ref()) {
                    lines.extend(diff_hunks(pair, version, edit));
                }
                Some(lines)
            });
            self.lines = key.zip(lines);
        }
        self.lines()
    }

    /// The lines of the diff that was computed last.
    fn lines(&self) -> Option<&[DiffLine]> {
        self.lines.as_ref().map(|(_, lines)| &lines[..])
    }

    /// The line at the top after a move to another change of the diff; none if there is no other, or it is another move.
    pub fn step_change(&self, top: usize, action: PaneAction) -> Option<usize> {
        let forward = match action {
            PaneAction::NextChange => true,
            PaneAction::PreviousChange => false,
            _ => return None,
        };
        find_change(self.lines()?, top, forward)
    }
}

/// The state of the pane.
#[derive(Debug, Default)]
pub struct CandidatePane {
    diff: CandidateDiff,
    /// The first line that is shown.
    scroll: usize,
}

impl CandidatePane {
    /// Scrolls.
    pub fn navigate(&mut self, action: PaneAction) {
        self.scroll = match self.diff.step_change(self.scroll, action) {
            Some(top) => top,
            None => step_index(self.scroll, action, 10),
        };
    }

    /// Draws the pane.
    pub fn draw_pane(
        &mut self,
        context: &PaneContext,
        canvas: &mut ClippedCanvas,
        edges: PaneEdges,
    ) {
        let lines = self.diff.update_lines(context.view);
        let right = lines.map_or_else(String::new, |_| change_text(context.view));
        let focused = context.focus == PaneKind::Candidate;
        let mut inside = canvas.draw_pane_frame("Candidate", &right, focused, edges);
        match lines {
            Some(lines) => self.scroll = draw_diff_lines(lines, &mut inside, (self.scroll, 0)),
            None => {
                inside.draw_text(1, 0, "no candidate is being tested", Role::Dim);
            }
        }
    }
}

/// Draws the lines from `top` on, without their first `column` cells; without any that is how far the first change is behind the right edge. Returns the line that is drawn first, which is less than `top` if `top` is
/// beyond the end.
pub fn draw_diff_lines(
    lines: &[DiffLine],
    canvas: &mut ClippedCanvas,
    (top, column): (usize, usize),
) -> usize {
    let top = top.min(lines.len().saturating_sub(canvas.height()));
    let glyphs = canvas.theme.glyphs;
    let last = lines.iter().map(|line| line.number).max().unwrap_or(0);
    let digits = last.to_string().len().max(3);
    let shown: Vec<&DiffLine> = lines.iter().skip(top).take(canvas.height()).collect();
    let offset = match changed_columns(&shown) {
        _ if column > 0 => column,
        Some(changed) => offset_showing(changed, canvas.width().saturating_sub(digits + 4)),
        None => 0,
    };
    for (y, line) in lines.iter().skip(top).take(canvas.height()).enumerate() {
        let (sign, role) = line.kind.sign(glyphs.cut);
        if line.kind == DiffLineKind::Heading {
            let safe = text::displayable_line(&line.text, glyphs.braille);
            canvas.draw_text(1, y, &safe, role);
            continue;
        }
        let mut x = canvas.draw_text(1, y, sign, role) + 1;
        if line.number > 0 {
            canvas.draw_text(x, y, &format!("{:>digits$}", line.number), Role::Dim);
        }
        x += digits + 2;
        let room = canvas.width().saturating_sub(x);
        let safe = text::displayable_line(&line.text, glyphs.braille);
        let safe = text::without_beginning(&safe, offset);
        if offset > 0 && !safe.is_empty() {
            canvas.draw_text(x.saturating_sub(1), y, glyphs.before, Role::Dim);
        }
        canvas.draw_text(x, y, &text::truncate_end(safe, room, glyphs.cut), role);
    }
    top
}

/// The columns in which the first line that goes differs from the line that comes in its place. None if no line comes.
fn changed_columns(lines: &[&DiffLine]) -> Option<Range<usize>> {
    let mut hunks = lines
        .chunk_by(|a, b| a.kind == b.kind)
        .zip(lines.chunk_by(|a, b| a.kind == b.kind).skip(1));
    let (removed, added) = hunks.find(|(before, behind)| {
        (before[0].kind, behind[0].kind) == (DiffLineKind::Removed, DiffLineKind::Added)
    })?;
    let [old, new] = [removed, added].map(|lines| text::displayable_line(&lines[0].text, true));
    let same = |(a, b): &(char, char)| a == b;
    let before = old.chars().zip(new.chars()).take_while(same).count();
    let after = old
        .chars()
        .rev()
        .zip(new.chars().rev())
        .take_while(same)
        .count();
    let length = old.chars().count();
    let end = length.saturating_sub(after).max(before);
    let cells =
        |characters: usize| text::text_width(&old.chars().take(characters).collect::<String>());
    Some(cells(before)..cells(end))
}

/// The number of tokens that the candidate removes or adds, in words.
pub fn change_text(view: &RunView) -> String {
    let Some(snapshot) = &view.snapshot else {
        return String::new();
    };
    let last = || snapshot.decided.last().map(|last| last.change);
    let change = snapshot.current_test.as_ref().map(|trying| trying.change);
    let change = change.or_else(last).and_then(TokenChange::describe);
    change.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_lines_that_change_the_first_ones_are_compared() {
        let line = |kind, text: &str| DiffLine::unnumbered(kind, text.to_owned());
        let lines = [
            line(DiffLineKind::Unchanged, "aaa bbb"),
            line(DiffLineKind::Removed, "aaa bbb"),
            line(DiffLineKind::Removed, "x"),
            line(DiffLineKind::Added, "aaa ccc"),
            line(DiffLineKind::Added, "y"),
        ];
        let lines: Vec<&DiffLine> = lines.iter().collect();
        assert_eq!(changed_columns(&lines), Some(4..7));
        assert_eq!(changed_columns(&lines[..3]), None);
    }
}
