//! The header: the file, the test, and the state of the run.
//!
//! ```text
//!   lop  bug.c  "grep -q 'internal compiler error'"              ● running  perses  2/2 workers  41 tests/s
//! ```

use std::borrow::Cow;

use crate::display::EscapeHidden;
use crate::reduce::{FinishReason, PassLine, PassState, ReplayStatus, RunSnapshot, RunState};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::progress::format_rate;
use crate::tui::pending_commands::CommandQueue;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The greatest width of the pending commands.
const MOST_PENDING_WIDTH: usize = 40;

/// Draws the header. On a small screen it is the only line about the run, so the most important parts come first.
pub fn draw_header(view: &RunView, pending: &CommandQueue, canvas: &mut ClippedCanvas) {
    let paused = view.run_state().is_some_and(RunState::is_suspended);
    let theme = canvas.theme;
    let base = theme.role_style(if paused { Role::Paused } else { Role::Header });
    let width = canvas.width();
    canvas.draw_styled(0, 0, &" ".repeat(width), base);
    let Some(snapshot) = &view.snapshot else {
        canvas.draw_styled(
            1,
            0,
            &text::truncate_end(
                &startup_text(view),
                width.saturating_sub(1),
                theme.glyphs.cut,
            ),
            base,
        );
        return;
    };
    let (left, whole) = snapshot.primary_sizes();
    let objective = snapshot.version.objective();
    let sizes = format!(
        "{}{} of {}",
        if view.is_pair() { "difference " } else { "" },
        text::format_number(left.into()),
        text::format_count(whole.into(), objective.unit())
    );
    if width < 60 {
        let state = match &snapshot.replay {
            Some(replay) => short_position_text(view, snapshot, replay),
            None => state_text(view, pending, snapshot).0,
        };
        let short = if width < 24 {
            text::format_number(left.into())
        } else {
            sizes
        };
        let speed = view
            .tests_per_second()
            .map(|speed| format!("{}/s", format_rate(speed)));
        let mut x = usize::from(width > 20);
        for part in [Some(short), Some(state), speed].into_iter().flatten() {
            // A part is drawn whole or not at all.
            if x + text::text_width(&part) <= width {
                x = canvas.draw_styled(x, 0, &part, base) + 2;
            }
        }
        return;
    }
    let played = snapshot.replay.is_some();
    let (state, role) = state_text(view, pending, snapshot);
    let pass = snapshot
        .passes
        .iter()
        .find(|pass| matches!(pass.state, PassState::Running(_)) && !view.is_finished())
        .map(running_pass_name)
        .unwrap_or_default();
    let speed = view
        .tests_per_second()
        .filter(|_| !played)
        .map(|speed| format!("{:>6} tests/s", format_rate(speed)));
    let (busy, all) = snapshot.workers;
    let workers = format!("{busy}/{}", text::format_count(all as u64, "worker"));
    let mut end = width.saturating_sub(1);
    for (part, role) in [
        (speed.as_deref().unwrap_or_default(), None),
        (
            if view.is_finished() || played {
                ""
            } else {
                &workers
            },
            None,
        ),
        (&pass, None),
        (state.as_str(), Some(role)),
    ] {
        if part.is_empty() {
            continue;
        }
        let style = role
            .filter(|_| !paused)
            .map_or(base, |role| base.patch(theme.role_style(role)));
        if let Some(x) = end.checked_sub(text::text_width(part)) {
            canvas.draw_styled(x, 0, part, style);
            end = x.saturating_sub(2);
        }
    }
    let mut x = canvas.draw_styled(1, 0, "lop", base) + 2;
    let title = text::truncate_middle(
        &title_text(view),
        end.saturating_sub(x) / 2,
        theme.glyphs.cut,
    );
    x = canvas.draw_styled(x, 0, &title, base) + 2;
    let room = end.saturating_sub(x + 2);
    if room > 8 && !view.context.test.is_empty() {
        let test = text::truncate_middle(&view.context.test, room, theme.glyphs.cut);
        // Dim text is unreadable on the background of a paused run.
        let dim = if paused {
            base
        } else {
            base.patch(theme.role_style(Role::Dim))
        };
        canvas.draw_styled(x, 0, &test, dim);
    }
}

/// The file that is reduced, or both files of a pair.
fn title_text(view: &RunView) -> Cow<'_, str> {
    let pair = view.snapshot.as_ref().filter(|_| view.is_pair());
    match pair.map(|snapshot| snapshot.version.documents()) {
        Some([seed, variant]) => {
            let names = [seed, variant].map(|document| document.path.escape_hidden());
            names.join(&format!(" {} ", view.theme.glyphs.arrow)).into()
        }
        _ => Cow::Borrowed(&view.context.title),
    }
}

/// The text before the first snapshot.
fn startup_text(view: &RunView) -> String {
    match view.resume_progress {
        _ if view.context.replay => "lop  reading the session".into(),
        None => "lop  reading the program".into(),
        Some((done, all)) => format!(
            "lop  {}  resuming: decision {} of {}   (q leaves it unchanged)",
            view.context.title,
            text::format_number(done),
            text::format_number(all)
        ),
    }
}

/// The state of the run, or the pending commands; in a replay, the position.
fn state_text(view: &RunView, pending: &CommandQueue, snapshot: &RunSnapshot) -> (String, Role) {
    if let Some(replay) = &snapshot.replay {
        return position_text(view, snapshot, replay);
    }
    let glyphs = &view.theme.glyphs;
    let suspended = snapshot.state.is_suspended();
    let mark = if suspended {
        glyphs.paused
    } else {
        glyphs.running
    };
    let words = pending.status_texts();
    let pending_text = (!words.is_empty()).then(|| {
        let words = text::displayable_line(&words.join(", "), glyphs.braille);
        let words = text::truncate_end(&words, MOST_PENDING_WIDTH, glyphs.cut);
        format!("{mark} {words}")
    });
    match (&snapshot.state, pending_text) {
        (RunState::Finished(FinishReason::Complete), _) => {
            (format!("{} done", glyphs.interesting), Role::Interesting)
        }
        (RunState::Finished(FinishReason::Stopped), _) => ("stopped".into(), Role::Note),
        (RunState::Finished(FinishReason::Failed(_)), _) => {
            (format!("{} failed", glyphs.uninteresting), Role::Failed)
        }
        (RunState::Running, Some(pending_text)) => (pending_text, Role::Note),
        (RunState::Paused(_) | RunState::Stalled(_), Some(pending_text)) => {
            (pending_text, Role::Paused)
        }
        (RunState::Running, None) => (format!("{} running", glyphs.running), Role::Running),
        (RunState::Paused(_) | RunState::Stalled(_), None) => {
            (format!("{} PAUSED", glyphs.paused), Role::Paused)
        }
    }
}

fn direction_mark(view: &RunView, replay: &ReplayStatus) -> (&'static str, Role) {
    let glyphs = &view.theme.glyphs;
    match (replay.playing, replay.backwards) {
        (false, _) => (glyphs.paused, Role::Paused),
        (true, false) => (glyphs.forwards, Role::Running),
        (true, true) => (glyphs.backwards, Role::Running),
    }
}

/// The position in the recording, in short.
fn short_position_text(view: &RunView, snapshot: &RunSnapshot, replay: &ReplayStatus) -> String {
    let (mark, _) = direction_mark(view, replay);
    let (at, of) = (snapshot.counts.decisions, replay.decisions);
    format!(
        "{mark} {}/{}",
        text::format_number(at),
        text::format_number(of)
    )
}

/// The position in the recording, and how it is played.
fn position_text(view: &RunView, snapshot: &RunSnapshot, replay: &ReplayStatus) -> (String, Role) {
    let (mark, role) = direction_mark(view, replay);
    let more = if replay.reading { ", reading" } else { "" };
    let position = format!(
        "{mark} replay {}x  {} of {}{more}  version {}",
        replay.speed,
        text::format_number(snapshot.counts.decisions),
        text::format_count(replay.decisions, "decision"),
        snapshot.number
    );
    (position, role)
}

/// The name of the running pass, with its round where that is one of the smart schedule.
fn running_pass_name(pass: &PassLine) -> String {
    match (pass.state, &pass.scope) {
        (PassState::Running(round), Some(_)) => format!("{}, smart: round {round}", pass.name),
        _ => pass.name.to_owned(),
    }
}
