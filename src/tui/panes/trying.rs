//! The current candidate and the reason for it. In a paused run, the last candidate and its verdict.
//!
//! ```text
//!  ├ Trying ──────────────────────────────────────────────────────────────┤
//!  │ perses  if_statement `if (g_147)…` could be its compound_statement    │
//!  │ candidate 1,204   5 tokens fewer   waiting for the test 0.40 s        │
//! ```

use std::time::{Duration, Instant};

use super::pane_context::PaneContext;
use super::sentences::{question_text, verdict_mark};
use crate::oracle::Verdict;
use crate::program::TokenChange;
use crate::reduce::{DecisionDetails, FinishReason, PassState, RunSnapshot, RunState};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// Planning for less time than this shows no clock.
const PLANNING_WITHOUT_CLOCK: Duration = Duration::from_secs(1);

/// Draws the pane.
pub fn draw_trying_pane(context: &PaneContext, canvas: &mut ClippedCanvas, edges: PaneEdges) {
    let view = context.view;
    let Some(snapshot) = &view.snapshot else {
        return;
    };
    let title = match &snapshot.state {
        RunState::Running => "Trying",
        RunState::Paused(Some(reason)) => &format!("Paused: {reason}"),
        RunState::Paused(None) | RunState::Stalled(_) => "Paused",
        RunState::Finished(_) => "Finished",
    };
    let limit = snapshot
        .limit
        .map(|limit| format!("limit {}", text::format_duration(limit)))
        .unwrap_or_default();
    let mut inside = canvas.draw_pane_frame(title, &limit, false, edges);
    let glyphs = inside.theme.glyphs;
    let (width, height) = (inside.width().saturating_sub(2), inside.height());
    // A stalled run shows its reason as the sentence already.
    let note = view.notes.last().or(snapshot.notes.last());
    let note = note.filter(|_| view.stall_reason().is_none());
    let lines = height
        .saturating_sub(1 + usize::from(note.is_some() && height > 2))
        .max(1);
    let sentence = text::wrap_text(
        &candidate_sentence(view, snapshot, &glyphs),
        width,
        lines,
        glyphs.cut,
    );
    for (y, line) in sentence.iter().enumerate() {
        let is_headline = y == 0 && !matches!(snapshot.state, RunState::Running);
        inside.draw_text(
            1,
            y,
            line,
            if is_headline { Role::Title } else { Role::Text },
        );
    }
    let (facts, role) = candidate_facts(view, snapshot, &glyphs, context.now);
    inside.draw_text(
        1,
        lines,
        &text::truncate_end(&facts, width, glyphs.cut),
        role,
    );
    if let Some(note) = note {
        let note = text::truncate_end(
            &text::displayable_line(note, glyphs.braille),
            width,
            glyphs.cut,
        );
        inside.draw_text(1, lines + 1, &note, Role::Note);
    }
}

/// The last decision, shown while the run is paused and tests no candidate.
fn last_decision(snapshot: &RunSnapshot) -> Option<&DecisionDetails> {
    let is_idle = snapshot.current_test.is_none() && matches!(snapshot.state, RunState::Paused(_));
    snapshot
        .decided
        .last()
        .filter(|_| is_idle)
        .map(AsRef::as_ref)
}

/// The current candidate in words, or the last one, or why there is none.
fn candidate_sentence(view: &RunView, snapshot: &RunSnapshot, glyphs: &ScreenGlyphs) -> String {
    let asked = snapshot
        .current_test
        .as_ref()
        .map(|trying| (&trying.why, &trying.sentence));
    let asked = asked.or_else(|| last_decision(snapshot).map(|last| (&last.why, &last.sentence)));
    let asked = asked.map(|(why, said)| format!("{}  {}", why.pass, question_text(said, glyphs)));
    match (&snapshot.state, asked) {
        (RunState::Running | RunState::Paused(_), Some(asked)) => asked,
        (RunState::Running, None) => planning_text(snapshot),
        (RunState::Paused(_), None) => {
            let actions = [("pause", "starts"), ("step", "tests one candidate")];
            format!(
                "nothing is tested yet: {}",
                view.setup.keys.describe_keys(&actions)
            )
        }
        (RunState::Stalled(reason), _) => text::displayable_line(reason, glyphs.braille),
        (RunState::Finished(FinishReason::Complete), _) => "nothing is left to try".into(),
        (RunState::Finished(FinishReason::Stopped), _) => {
            "stopped: the best version is kept".into()
        }
        (RunState::Finished(FinishReason::Failed(reason)), _) => {
            text::displayable_line(reason, glyphs.braille)
        }
    }
}

/// What the run does while it tests no candidate.
fn planning_text(snapshot: &RunSnapshot) -> String {
    let running = |state| matches!(state, PassState::Running(_));
    if let Some(pass) = snapshot.planning.and_then(|planned| planned.pass)
        && let Some(line) = snapshot.passes.iter().find(|line| line.name == pass)
        && !running(line.state)
    {
        return format!("{pass}  is planning its first candidate: {}", line.what);
    }
    match snapshot.passes.iter().find(|pass| running(pass.state)) {
        Some(pass) if pass.tried == 0 => {
            format!(
                "{}  is planning its first candidate: {}",
                pass.name, pass.what
            )
        }
        Some(pass) => format!("{}  is planning the next candidate", pass.name),
        None => "the program is read; the first pass is planning its candidates".into(),
    }
}

fn candidate_facts(
    view: &RunView,
    snapshot: &RunSnapshot,
    glyphs: &ScreenGlyphs,
    now: Instant,
) -> (String, Role) {
    if let RunState::Stalled(_) = snapshot.state {
        let actions = [
            ("pause", "resumes"),
            ("why", "says more"),
            ("quit", "leaves"),
        ];
        let actions = view.setup.keys.describe_keys(&actions);
        return (format!("fix the test, then {actions}"), Role::Note);
    }
    if let Some(last) = last_decision(snapshot) {
        let (mark, role) = verdict_mark(last.verdict, glyphs);
        let what = match last.verdict {
            Verdict::Interesting => match last.change {
                TokenChange(0) => "accepted".into(),
                TokenChange(change @ ..0) => format!(
                    "accepted: {} gone",
                    text::format_count(change.unsigned_abs(), "token")
                ),
                change => format!("accepted: {change}"),
            },
            Verdict::Uninteresting => "rejected: uninteresting".into(),
            Verdict::Invalid => "rejected: invalid".into(),
            Verdict::TimedOut => match last.bound.filter(|bound| !bound.is_time_limit()) {
                Some(bound) => format!("rejected: beyond its limit of {}", bound.name()),
                None => "rejected: timed out".into(),
            },
        };
        let how = match last.time {
            Some(time) => format!("{}   {}", last.exit, text::format_duration(time)),
            None => "known before".into(),
        };
        let number = text::format_number(last.decision);
        return (format!("{mark} {number}  {what}   {how}"), role);
    }
    let Some(trying) = &snapshot.current_test else {
        let since = snapshot
            .planning
            .map_or(snapshot.now, |planned| planned.since);
        let thinks = now.saturating_duration_since(since);
        let long = snapshot.state == RunState::Running && thinks >= PLANNING_WITHOUT_CLOCK;
        let facts = long.then(|| format!("for {}", text::format_duration(thinks)));
        return (facts.unwrap_or_default(), Role::Dim);
    };
    let waited = now.saturating_duration_since(trying.since);
    let change = trying.change;
    let waiting = match snapshot.replay {
        // In a recording no test is waited for.
        Some(_) => String::new(),
        None => format!("   waiting for the test {}", text::format_duration(waited)),
    };
    let number = text::format_number(trying.decision);
    (format!("candidate {number}   {change}{waiting}"), Role::Dim)
}
