//! The candidate of a row of the log, in the place of the program: its diff, and below it what the test printed.

use std::sync::Arc;

use super::candidate::draw_diff_lines;
use super::history::is_ancestor;
use super::pane_action::{PaneAction, step_index};
use super::sentences::verdict_mark;
use super::text_moves::scroll_sideways;
use crate::reduce::{
    Decision, DecisionDetails, LoggedDecision, RECENT_DECISIONS, ResultOrigin, RunSnapshot,
};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::program_view::diff_line::{DiffLine, DiffLineKind};
use crate::tui::program_view::file_changes::find_change;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// What stands in the place of a diff that is being made.
pub fn reading_note(number: Decision) -> String {
    format!("reading question {}…", text::format_number(number))
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

/// How the candidate of a row is scrolled.
#[derive(Debug, Default)]
pub struct CandidateScroll {
    /// Whether moves up and down scroll it; else they select rows.
    pub has_keys: bool,
    /// The candidate that was scrolled, and its line at the top; others begin at their first change.
    top: Option<(Decision, usize)>,
    /// The number of cells that are scrolled out on the left.
    column: usize,
    /// The number of visible lines, as of the last frame.
    height: usize,
}

impl CandidateScroll {
    /// The line at the top of a candidate with this diff.
    fn top_line(&self, number: Decision, lines: &[DiffLine]) -> usize {
        let scrolled = self.top.filter(|(scrolled, _)| *scrolled == number);
        let top = scrolled.map_or_else(|| first_change(lines), |(_, top)| top);
        top.min(lines.len().saturating_sub(self.height))
    }

    /// Scrolls a candidate with this diff.
    pub fn navigate(&mut self, number: Decision, lines: &[DiffLine], action: PaneAction) {
        if scroll_sideways(&mut self.column, action) {
            return;
        }
        let top = self.top_line(number, lines);
        let page = self.height.saturating_sub(1).max(1);
        let moved = match action {
            PaneAction::NextChange => find_change(lines, top, true),
            PaneAction::PreviousChange => find_change(lines, top, false),
            action => Some(step_index(top, action, page)),
        };
        self.top = Some((number, moved.unwrap_or(top)));
        // The end is the last page.
        self.top = Some((number, self.top_line(number, lines)));
    }

    /// The visible lines and all of them, where not all are visible.
    fn describe_position(&self, number: Decision, lines: &[DiffLine]) -> Option<String> {
        let top = self.top_line(number, lines);
        let end = lines.len().min(top + self.height);
        let number = |at: usize| text::format_number(at as u64);
        (end - top < lines.len()).then(|| {
            format!(
                "{}–{} of {}",
                number(top + 1),
                number(end),
                number(lines.len())
            )
        })
    }
}

/// Draws the candidate with a frame: the diff, and the test's output below it.
pub fn draw_logged_candidate(
    scroll: &mut CandidateScroll,
    view: &RunView,
    snapshot: &RunSnapshot,
    logged: &LoggedDecision,
    canvas: &mut ClippedCanvas,
    edges: PaneEdges,
) {
    let glyphs = canvas.theme.glyphs;
    let title = format!("Candidate {}", text::format_number(logged.decision));
    let (mark, _) = verdict_mark(logged.verdict, &glyphs);
    let branch = match is_ancestor(snapshot, &mut Some(snapshot.number), logged.version) {
        true => String::new(),
        false => format!(" of version {}, which was left", logged.version),
    };
    let title = format!("{title} {mark}{branch}");
    let printed = printed_lines(snapshot, logged, glyphs.braille);
    let high = canvas.lines_in_frame(edges);
    // The output has at most a third of the lines, and its end is what matters.
    let below = (printed.len() + 1).min(high / 3);
    scroll.height = high - below;
    let diff = view.candidates.find_diff(logged.decision);
    let position = match diff {
        Some(Ok(lines)) => scroll.describe_position(logged.decision, lines),
        _ => None,
    };
    let keys = match scroll.has_keys {
        true => [("rows", "leads back")],
        false => [("details", "shows more")],
    };
    let keys = view.setup.keys.describe_keys(&keys);
    let right: Vec<String> = position.into_iter().chain([keys]).collect();
    let mut inside = canvas.draw_pane_frame(&title, &right.join("  "), scroll.has_keys, edges);
    let area = inside.area;
    let (width, high) = (inside.width(), inside.height());
    let below = below.min(high);
    let diff_area = ratatui::layout::Rect {
        height: (high - below) as u16,
        ..area
    };
    match diff {
        Some(Ok(lines)) => {
            let place = (scroll.top_line(logged.decision, lines), scroll.column);
            draw_diff_lines(lines, &mut inside.sub_canvas(diff_area), place);
        }
        Some(Err(reason)) => {
            inside.draw_text(1, 0, reason, Role::Dim);
        }
        None => {
            inside.draw_text(1, 0, &reading_note(logged.decision), Role::Dim);
        }
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

/// What the test printed, or why that is not known.
fn printed_lines(snapshot: &RunSnapshot, logged: &LoggedDecision, unicode: bool) -> Vec<String> {
    if logged.time.is_none() {
        return Vec::new();
    }
    let details = find_details(snapshot, logged.decision);
    if let Some(reason) = explain_lost_output(details.map(|details| &**details)) {
        return vec![format!("({reason})")];
    }
    let output = details.map(|details| details.output.to_bytes());
    let lines = text::displayable_lines(&output.unwrap_or_default(), unicode);
    match lines.is_empty() {
        true => vec!["(nothing)".into()],
        false => lines,
    }
}

/// Why it is not known what a test printed; none if it is known.
pub fn explain_lost_output(details: Option<&DecisionDetails>) -> Option<String> {
    match details {
        None => Some(format!(
            "the output is kept for the last {RECENT_DECISIONS} questions only"
        )),
        Some(details) if details.origin == ResultOrigin::Journal => {
            Some("the output is not in the journal".into())
        }
        Some(_) => None,
    }
}
