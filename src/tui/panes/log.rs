//! The log: the question that is asked now, then all that were asked, the newest on top; those that made a version name it. Below them stands
//! the curve of sizes.
//!
//! ```text
//!  ├ Log ───────────────────────────────────────── all ✓ ✗ ⊘ ┤
//!  │ ▶  10   −366  7 of the 35 declarations            0.4 s │   being asked
//!  │ ✗   9    −41  14 of the 35 declarations  exit 1  0.38 s │
//!  │ ✓   8 −1,097  28 of the 63 declarations      v3  2.19 s │   it made version 3
//!  │ 6k ▇▇▇▆▆▅▃▃▂▂▂▁▁▁▁                                      │
//!  │ 9 tests  ✓ 3  ✗ 6  ⊘ 0  7.63 s                          │
//! ```

use std::sync::Arc;

use super::layout::PaneKind;
use super::log_candidate::CandidateScroll;
use super::pane_action::{PaneAction, step_index};
use super::pane_context::PaneContext;
use super::progress::{ProgressPane, draw_counters};
use super::scroll::ScrollState;
use super::sentences::{format_short_change, question_summary, verdict_mark};
use super::verdict_filter;
use crate::oracle::Verdict;
use crate::reduce::{CurrentTest, Decision, LoggedDecision, RunSnapshot, RunState};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::{quoted_text, text};
use crate::tui::program_view::opened_candidate::CandidateReader;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// A narrower pane leaves out how a candidate ended.
const LEAST_OUTCOME_WIDTH: usize = 48;
/// A pane with at least this many lines inside has the curve too.
const LEAST_CURVE_HEIGHT: usize = 6;
/// A pane with at least this many lines inside has the counters.
const LEAST_COUNTERS_HEIGHT: usize = 4;

/// The state of the pane.
#[derive(Debug, Default)]
pub struct LogPane {
    scroll: ScrollState,
    /// The selected decision; none for the newest.
    selected: Option<Decision>,
    /// The kind of verdict that is shown; none for all.
    pub filter: Option<Verdict>,
    /// How the candidate of the selected row is scrolled.
    pub candidate: CandidateScroll,
    /// How many decisions were looked at, and the positions of those that the filter shows.
    looked_at: usize,
    matching: Vec<u32>,
}

impl LogPane {
    /// Looks for new decisions that the filter shows.
    fn update_matching(&mut self, snapshot: &RunSnapshot) {
        let all = snapshot.log.decisions();
        if all.len() < self.looked_at {
            (self.looked_at, self.matching) = (0, Vec::new());
        }
        let Some(kind) = self.filter else {
            self.looked_at = all.len();
            return;
        };
        let new = all.iter().enumerate().skip(self.looked_at);
        let shown = new.filter(|(_, logged)| logged.verdict == kind);
        self.matching.extend(shown.map(|(at, _)| at as u32));
        self.looked_at = all.len();
    }

    /// How many decisions are shown.
    fn row_count(&self, snapshot: &RunSnapshot) -> usize {
        match self.filter {
            None => snapshot.log.decisions().len(),
            Some(_) => self.matching.len(),
        }
    }

    /// The decision on a row, the newest on the first one.
    fn decision_at<'a>(
        &self,
        snapshot: &'a RunSnapshot,
        row: usize,
    ) -> Option<&'a Arc<LoggedDecision>> {
        let at = self.row_count(snapshot).checked_sub(row + 1)?;
        let at = match self.filter {
            None => at,
            Some(_) => *self.matching.get(at)? as usize,
        };
        snapshot.log.decisions().get(at)
    }

    /// The row of the selected decision.
    pub fn selected_row(&self, snapshot: &RunSnapshot) -> usize {
        let Some(selected) = self.selected else {
            return 0;
        };
        // The rows go down by number: the first one that is not newer.
        let (mut low, mut high) = (0, self.row_count(snapshot));
        while low < high {
            let middle = low + (high - low) / 2;
            let logged = self.decision_at(snapshot, middle);
            match logged.is_some_and(|logged| logged.decision > selected) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low.min(self.row_count(snapshot).saturating_sub(1))
    }

    /// The selected decision, or the newest one.
    pub fn selected_decision<'a>(
        &self,
        snapshot: &'a RunSnapshot,
    ) -> Option<&'a Arc<LoggedDecision>> {
        self.decision_at(snapshot, self.selected_row(snapshot))
    }

    /// The decision that the user went to; none while the newest is selected.
    pub fn chosen_decision<'a>(
        &self,
        snapshot: &'a RunSnapshot,
    ) -> Option<&'a Arc<LoggedDecision>> {
        self.selected?;
        self.selected_decision(snapshot)
    }

    /// The decision whose candidate stands in the place of the program: the one that is selected while the log is focused, or that of an accepted step
    /// while the run is followed.
    pub fn candidate_in_program<'a>(
        &self,
        snapshot: &'a RunSnapshot,
        focus: PaneKind,
        follows: bool,
    ) -> Option<&'a Arc<LoggedDecision>> {
        let chosen = self.chosen_decision(snapshot);
        let chosen = chosen.filter(|_| focus == PaneKind::Log);
        chosen.or_else(|| accepted_step(snapshot).filter(|_| follows))
    }

    /// Selects the decision on a row. A selection of the newest follows the newest.
    fn select_row(&mut self, snapshot: &RunSnapshot, row: usize) {
        let row = row.min(self.row_count(snapshot).saturating_sub(1));
        let selected = self.decision_at(snapshot, row).filter(|_| row > 0);
        self.selected = selected.map(|logged| logged.decision);
    }

    /// Selects a decision by its number, and shows all kinds.
    pub fn select_decision(&mut self, snapshot: &RunSnapshot, number: Decision) {
        self.set_filter(snapshot, None);
        self.selected = Some(number);
    }

    /// Selects the newest decision, whichever it is: the log follows the run.
    pub fn follow_newest(&mut self) {
        self.selected = None;
    }

    /// Whether the newest decision is selected, whichever it is.
    pub fn follows_newest(&self) -> bool {
        self.selected.is_none()
    }

    /// Gives the keys to the candidate of the selected row, also of the newest, or back to the rows.
    pub fn give_keys(&mut self, snapshot: &RunSnapshot, to_candidate: bool) {
        let selected = self
            .selected_decision(snapshot)
            .map(|logged| logged.decision);
        if to_candidate {
            self.selected = selected;
        }
        self.candidate.has_keys = to_candidate;
    }

    /// Selects the decision on a line of the pane; the question that is asked now has none.
    pub fn select_line(&mut self, snapshot: &RunSnapshot, line: usize) {
        self.update_matching(snapshot);
        let asked = usize::from(self.asked_now(snapshot).is_some());
        self.select_row(snapshot, self.scroll.top + line.saturating_sub(asked));
    }

    /// Moves among the decisions, or in the candidate of the selected one.
    pub fn navigate(
        &mut self,
        snapshot: &RunSnapshot,
        candidates: &CandidateReader,
        action: PaneAction,
    ) {
        self.update_matching(snapshot);
        if self.candidate.has_keys || !action.moves_by_rows() {
            let shown = self.chosen_decision(snapshot).map(|logged| logged.decision);
            let diff = shown.and_then(|shown| Some((shown, candidates.find_diff(shown)?)));
            if let Some((shown, Ok(lines))) = diff {
                self.candidate.navigate(shown, lines, action);
            }
            return;
        }
        let row = self.selected_row(snapshot);
        self.select_row(snapshot, step_index(row, action, self.scroll.page_length()));
    }

    /// Shows the decisions of a kind, or all, and selects the newest.
    pub fn set_filter(&mut self, snapshot: &RunSnapshot, filter: Option<Verdict>) {
        (self.filter, self.selected) = (filter, None);
        (self.looked_at, self.matching) = (0, Vec::new());
        self.update_matching(snapshot);
    }

    /// Keeps the selected row at its place on the screen when a new snapshot changes the rows.
    pub fn anchor_selection(&mut self) {
        if self.selected.is_some() {
            self.scroll.anchor_selection();
        }
    }

    /// The question that is asked now, if all kinds are shown.
    fn asked_now<'a>(&self, snapshot: &'a RunSnapshot) -> Option<&'a CurrentTest> {
        let asked = snapshot.current_test.as_ref();
        asked.filter(|_| self.filter.is_none())
    }

    /// Draws the pane, with the curve below the rows unless another pane has it.
    pub fn draw_pane(
        &mut self,
        context: &PaneContext,
        progress: Option<&ProgressPane>,
        canvas: &mut ClippedCanvas,
        edges: PaneEdges,
    ) {
        let Some(snapshot) = &context.view.snapshot else {
            return;
        };
        self.update_matching(snapshot);
        let focused = context.focus == PaneKind::Log && !self.candidate.has_keys;
        let glyphs = canvas.theme.glyphs;
        let kinds = match self.filter {
            Some(_) => format!(
                "only {}: {}",
                verdict_filter::filter_name(self.filter),
                self.matching.len()
            ),
            None => format!(
                "all {} {} {}",
                glyphs.interesting, glyphs.uninteresting, glyphs.invalid
            ),
        };
        let mut inside = canvas.draw_pane_frame("Log", &kinds, focused, edges);
        let height = inside.height();
        let mut rows = height;
        if let Some(progress) = progress {
            if height >= LEAST_COUNTERS_HEIGHT {
                rows -= 1;
                draw_counters(context.view, snapshot, &mut inside, rows);
            }
            if height >= LEAST_CURVE_HEIGHT {
                rows -= 1;
                progress.draw_curve_line(snapshot, &mut inside, rows);
            }
        }
        let newest = snapshot.counts.decisions + 1;
        let digits = text::format_number(newest).len().max(3);
        let mut y = 0;
        if let Some(trying) = self.asked_now(snapshot).filter(|_| rows > 0) {
            let waited = match snapshot.replay {
                Some(_) => String::new(),
                None if context.view.hides_verdict => String::new(),
                None => {
                    let since = context.now.saturating_duration_since(trying.since);
                    text::format_duration(since)
                }
            };
            let row = LogRow {
                mark: (glyphs.forwards, Role::Trying),
                number: trying.decision,
                change: format_short_change(trying.change, &glyphs),
                question: question_summary(&trying.sentence, &glyphs),
                pass: trying.why.pass,
                outcome: (String::new(), Role::Dim),
                time: waited,
            };
            row.draw_row(&mut inside, y, digits);
            y += 1;
        }
        let at = self.selected_row(snapshot);
        let room = rows.saturating_sub(y);
        self.scroll.scroll_to(at, self.row_count(snapshot), room);
        let top = self.scroll.top;
        for row in top..top + room {
            let Some(logged) = self.decision_at(snapshot, row) else {
                break;
            };
            logged_row(snapshot, logged, &glyphs).draw_row(&mut inside, y, digits);
            if context.focus == PaneKind::Log && row == at {
                inside.mark_selected_line(y, true);
            }
            y += 1;
        }
    }
}

/// The decision that made the current version, in a run that has not gone on since: what went shows in the version before only.
fn accepted_step(snapshot: &RunSnapshot) -> Option<&Arc<LoggedDecision>> {
    let stands = matches!(snapshot.state, RunState::Paused(_)) && snapshot.current_test.is_none();
    let last = snapshot.log.decisions().last().filter(|_| stands)?;
    (version_made_by(snapshot, last) == Some(snapshot.number)).then_some(last)
}

/// What a row says.
struct LogRow<'a> {
    mark: (&'a str, Role),
    number: Decision,
    change: String,
    question: String,
    pass: &'a str,
    outcome: (String, Role),
    time: String,
}

impl LogRow<'_> {
    fn draw_row(&self, inside: &mut ClippedCanvas, y: usize, digits: usize) {
        /// A pane with this width names the pass.
        const PASS_WIDTH: usize = 90;
        let glyphs = inside.theme.glyphs;
        let width = inside.width();
        let (mark, role) = self.mark;
        let mut x = inside.draw_text(1, y, mark, role) + 1;
        let number = format!("{:>digits$}", text::format_number(self.number));
        x = inside.draw_text(x, y, &number, Role::Dim) + 1;
        let change = &self.change;
        let blank = 7usize.saturating_sub(text::text_width(change));
        x = inside.draw_text(x + blank, y, change, Role::Number) + 2;
        let mut end = width.saturating_sub(1);
        end = inside.draw_text_before(end, y, &format!("{:>8}", self.time), Role::Number);
        let (outcome, role) = &self.outcome;
        if width >= LEAST_OUTCOME_WIDTH && !outcome.is_empty() {
            let outcome = text::truncate_middle(outcome, 12, glyphs.cut);
            end = inside.draw_text_before(end.saturating_sub(1), y, &outcome, *role);
        }
        if width >= PASS_WIDTH {
            end = inside.draw_text_before(end.saturating_sub(2), y, self.pass, Role::Dim);
        }
        let room = end.saturating_sub(x + 1);
        let question = quoted_text::fit_summary(&self.question, room, glyphs.cut);
        inside.draw_text(x, y, &question, Role::Text);
    }
}

/// The number of the version that a decision made.
pub fn version_made_by(snapshot: &RunSnapshot, logged: &LoggedDecision) -> Option<u64> {
    if logged.verdict != Verdict::Interesting {
        return None;
    }
    let history = &snapshot.history;
    let found = history.binary_search_by(|past| past.decision.cmp(&logged.decision));
    found.ok().map(|at| at as u64)
}

fn logged_row<'a>(
    snapshot: &RunSnapshot,
    logged: &'a LoggedDecision,
    glyphs: &ScreenGlyphs,
) -> LogRow<'a> {
    let mark = verdict_mark(logged.verdict, glyphs);
    let outcome = match logged.verdict {
        Verdict::Interesting => match version_made_by(snapshot, logged) {
            Some(number) if snapshot.is_left(number) => format!("v{number} undone"),
            Some(number) => format!("v{number}"),
            None => "interesting".into(),
        },
        Verdict::TimedOut => match logged.bound.filter(|bound| !bound.is_time_limit()) {
            Some(bound) => bound.name().into(),
            None => "timed out".into(),
        },
        Verdict::Invalid => "invalid".into(),
        Verdict::Uninteresting => logged.exit.to_string(),
    };
    LogRow {
        mark,
        number: logged.decision,
        change: format_short_change(logged.sentence.change, glyphs),
        question: question_summary(&logged.sentence, glyphs),
        pass: logged.pass,
        outcome: (outcome, mark.1),
        time: match logged.time {
            Some(time) => text::format_duration(time),
            None => "known".into(),
        },
    }
}
