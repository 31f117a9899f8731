//! The candidate of a row of the log, in the place of the program: its diff, and below it what the test printed.

use std::sync::Arc;

use super::candidate::draw_diff_lines;
use super::sentences::verdict_mark;
use crate::reduce::{Decision, DecisionDetails, LoggedDecision, RunSnapshot};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::program_view::diff;
use crate::tui::program_view::diff_line::{DiffLine, DiffLineKind};
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The diff of a candidate that was decided; the error says why there is none.
pub type LoggedDiff = Result<Vec<DiffLine>, &'static str>;

/// The candidate that was shown last, made once.
#[derive(Debug, Default)]
pub struct LogCandidate {
    shown: Option<(Decision, LoggedDiff)>,
}

/// The diff of a candidate.
pub fn diff_logged(snapshot: &RunSnapshot, logged: &LoggedDecision) -> LoggedDiff {
    // An edit that is a whole text is known of the last decisions only.
    let details = find_details(snapshot, logged.decision);
    let edit = logged.edit.as_ref();
    let edit = edit.or(details.as_ref().map(|details| &details.edit));
    let edit =
        edit.ok_or("its text is kept for the last decisions only: replay the session to see it")?;
    diff::diff_edit(&logged.base, edit).ok_or("it has no diff")
}

/// All that is known of a decision, with what the test printed: of the last decisions, and of those that made a version.
pub fn find_details(snapshot: &RunSnapshot, number: Decision) -> Option<&Arc<DecisionDetails>> {
    let recent = &snapshot.decided;
    if let Ok(at) = recent.binary_search_by(|known| known.decision.cmp(&number)) {
        return recent.get(at);
    }
    let history = &snapshot.history;
    let at = history.binary_search_by(|past| past.decision.cmp(&number));
    history.get(at.ok()?)?.decided.as_ref()
}

/// The line before the first change, with two lines around it.
fn first_change(lines: &[DiffLine]) -> usize {
    let is_change =
        |line: &DiffLine| matches!(line.kind, DiffLineKind::Removed | DiffLineKind::Added);
    lines
        .iter()
        .position(is_change)
        .unwrap_or(0)
        .saturating_sub(3)
}

impl LogCandidate {
    /// Draws the candidate with a frame: the diff, and the test's output below it.
    pub fn draw_pane(
        &mut self,
        view: &RunView,
        snapshot: &RunSnapshot,
        logged: &LoggedDecision,
        canvas: &mut ClippedCanvas,
        edges: PaneEdges,
    ) {
        let glyphs = canvas.theme.glyphs;
        let is_shown = |shown: &&(Decision, LoggedDiff)| shown.0 == logged.decision;
        if self.shown.as_ref().filter(is_shown).is_none() {
            self.shown = Some((logged.decision, diff_logged(snapshot, logged)));
        }
        let title = format!("Candidate {}", text::format_number(logged.decision));
        let keys = &view.setup.keys;
        let right = keys.describe_keys(&[("details", "shows more")]);
        let (mark, _) = verdict_mark(logged.verdict, &glyphs);
        let title = format!("{title} {mark}");
        let mut inside = canvas.draw_pane_frame(&title, &right, false, edges);
        let printed = printed_lines(snapshot, logged, glyphs.braille);
        let area = inside.area;
        let (width, high) = (inside.width(), inside.height());
        // The output has at most a third of the lines, and its end is what matters.
        let most = high / 3;
        let below = (printed.len() + 1).min(most);
        let diff_area = ratatui::layout::Rect {
            height: (high - below) as u16,
            ..area
        };
        match self.shown.as_ref().map(|(_, diff)| diff) {
            Some(Ok(lines)) => {
                let top = first_change(lines);
                draw_diff_lines(lines, &mut inside.sub_canvas(diff_area), top);
            }
            Some(Err(reason)) => {
                inside.draw_text(1, 0, reason, Role::Dim);
            }
            None => {}
        }
        if below < 2 {
            return;
        }
        let first = high - below;
        inside.draw_text(1, first, "The test printed", Role::Title);
        let last = printed.iter().rev().take(below - 1).rev();
        for (y, line) in last.enumerate() {
            let line = text::truncate_end(line, width.saturating_sub(2), glyphs.cut);
            inside.draw_text(1, first + 1 + y, &line, Role::Kind);
        }
    }
}

/// What the test printed, as far as it is known.
fn printed_lines(snapshot: &RunSnapshot, logged: &LoggedDecision, unicode: bool) -> Vec<String> {
    if logged.time.is_none() {
        return Vec::new();
    }
    match find_details(snapshot, logged.decision) {
        None => vec!["(the output is kept for the last decisions only)".into()],
        Some(details) => {
            let lines = text::displayable_lines(&details.output.to_bytes(), unicode);
            match lines.is_empty() {
                true => vec!["(nothing)".into()],
                false => lines,
            }
        }
    }
}
