//! The lines at the top and at the bottom.
//!
//! ```text
//!   lop  bug.c  "grep -q 'internal compiler error'"              ● running  perses  2/2 workers  41 tests/s
//!   space pause  F follow  tab pane  ? help  q quit                                  95 % gone
//! ```

use super::progress::format_rate;
use crate::reduce::{FinishReason, PassState, RunSnapshot, RunState};
use crate::tui::app::{App, BookmarkAction, PendingCommand};
use crate::tui::commands::{self, ScreenCommand};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::theme::Role;

/// How many cells the commands have that the run has not yet obeyed.
const AWAITED: usize = 40;

/// Draws the line at the top; on small screens it is all there is on the run, so what matters most comes first.
pub fn draw_header(app: &App, canvas: &mut ClippedCanvas) {
    let paused = app.run_state().is_some_and(RunState::is_suspended);
    let look = canvas.theme;
    let base = look.role_style(if paused { Role::Paused } else { Role::Header });
    let width = canvas.width();
    canvas.draw_styled(0, 0, &" ".repeat(width), base);
    let Some(snapshot) = &app.snapshot else {
        canvas.draw_styled(
            1,
            0,
            &text::truncate_end(&startup_text(app), width.saturating_sub(1), look.glyphs.cut),
            base,
        );
        return;
    };
    let sizes = format!(
        "{} of {}",
        text::format_number(snapshot.version.token_count().into()),
        text::format_count(snapshot.original.0.into(), "token")
    );
    if width < 60 {
        let state = match &snapshot.replay {
            Some(replay) => app.short_position_text(snapshot, replay),
            None => state_text(app, snapshot).0,
        };
        let short = if width < 24 {
            text::format_number(snapshot.version.token_count().into())
        } else {
            sizes
        };
        let speed = app
            .tests_per_second()
            .map(|speed| format!("{}/s", format_rate(speed)));
        let mut x = usize::from(width > 20);
        for part in [Some(short), Some(state), speed].into_iter().flatten() {
            // A number is there whole or not at all.
            if x + text::text_width(&part) <= width {
                x = canvas.draw_styled(x, 0, &part, base) + 2;
            }
        }
        return;
    }
    let played = snapshot.replay.is_some();
    let (state, role) = state_text(app, snapshot);
    let pass = snapshot
        .passes
        .iter()
        .find(|pass| matches!(pass.state, PassState::Running(_)) && !app.is_finished())
        .map_or("", |pass| pass.name);
    let speed = app
        .tests_per_second()
        .filter(|_| !played)
        .map(|speed| format!("{:>6} tests/s", format_rate(speed)));
    let (busy, all) = snapshot.workers;
    let workers = format!("{busy}/{}", text::format_count(all as u64, "worker"));
    let mut end = width.saturating_sub(1);
    for (part, role) in [
        (speed.as_deref().unwrap_or_default(), None),
        (
            if app.is_finished() || played {
                ""
            } else {
                &workers
            },
            None,
        ),
        (pass, None),
        (state.as_str(), Some(role)),
    ] {
        if part.is_empty() {
            continue;
        }
        let style = role
            .filter(|_| !paused)
            .map_or(base, |role| base.patch(look.role_style(role)));
        if let Some(x) = end.checked_sub(text::text_width(part)) {
            canvas.draw_styled(x, 0, part, style);
            end = x.saturating_sub(2);
        }
    }
    let mut x = canvas.draw_styled(1, 0, "lop", base) + 2;
    let title = text::truncate_middle(
        &app.context.title,
        end.saturating_sub(x) / 2,
        look.glyphs.cut,
    );
    x = canvas.draw_styled(x, 0, &title, base) + 2;
    let room = end.saturating_sub(x + 2);
    if room > 8 && !app.context.test.is_empty() {
        let test = text::truncate_middle(&app.context.test, room, look.glyphs.cut);
        // On the colour of a pause nothing is dim.
        let dim = if paused {
            base
        } else {
            base.patch(look.role_style(Role::Dim))
        };
        canvas.draw_styled(x, 0, &test, dim);
    }
}

/// What there is to say before there is anything to see.
fn startup_text(app: &App) -> String {
    match app.resume_progress {
        _ if app.context.replay => "lop  reading the session".into(),
        None => "lop  reading the program".into(),
        Some((done, all)) => format!(
            "lop  {}  going on: decision {} of {}   (q leaves it as it was)",
            app.context.title,
            text::format_number(done),
            text::format_number(all)
        ),
    }
}

/// What the run does, and what it has been told and not yet done; or how its recording is played.
fn state_text(app: &App, snapshot: &RunSnapshot) -> (String, Role) {
    if let Some(replay) = &snapshot.replay {
        return app.position_text(snapshot, replay);
    }
    let glyphs = &app.theme.glyphs;
    let standing = snapshot.state.is_suspended();
    let mark = if standing {
        glyphs.paused
    } else {
        glyphs.running
    };
    let words: Vec<String> = app
        .pending
        .iter()
        .map(PendingCommand::status_text)
        .collect();
    let awaited = (!words.is_empty()).then(|| {
        let words = text::displayable_line(&words.join(", "), glyphs.braille);
        let words = text::truncate_end(&words, AWAITED, glyphs.cut);
        format!("{mark} {words}")
    });
    match (&snapshot.state, awaited) {
        (RunState::Finished(FinishReason::Complete), _) => {
            (format!("{} done", glyphs.interesting), Role::Interesting)
        }
        (RunState::Finished(FinishReason::Stopped), _) => ("stopped".into(), Role::Note),
        (RunState::Finished(FinishReason::Failed(_)), _) => {
            (format!("{} failed", glyphs.uninteresting), Role::Failed)
        }
        (RunState::Running, Some(awaited)) => (awaited, Role::Note),
        (RunState::Paused(_) | RunState::Stalled(_), Some(awaited)) => (awaited, Role::Paused),
        (RunState::Running, None) => (format!("{} running", glyphs.running), Role::Running),
        (RunState::Paused(_) | RunState::Stalled(_), None) => {
            (format!("{} PAUSED", glyphs.paused), Role::Paused)
        }
    }
}

/// How many hits a search has, and on which of them one is.
fn search_status(app: &App) -> Option<String> {
    let search = app.search.as_ref()?;
    let all = text::format_number(search.hit_count() as u64);
    let number = search.hit_number(app.selected);
    let found = match number {
        Some(number) => format!("{} of {all} found", text::format_number(number as u64)),
        None => format!("{all} found"),
    };
    Some(match search.is_done() {
        true => found,
        false => format!("{found}, looking"),
    })
}

/// The hints without which one is lost, the first the most needed.
const NEEDED: &[&str] = &[
    "close",
    "help",
    "quit",
    "pause",
    "next-pane",
    "step",
    "step-back",
    "prompt",
];

/// Which place a hint has among those that are needed.
fn hint_rank(entry: &ScreenCommand) -> usize {
    let at = NEEDED.iter().position(|name| *name == entry.name);
    at.unwrap_or(NEEDED.len())
}

/// Draws the line at the bottom: what can be done now, or why the last key did nothing. What has no room there is told above, where it
/// can be read whole.
pub fn draw_footer(app: &mut App, canvas: &mut ClippedCanvas) {
    let mut end = canvas.width().saturating_sub(1);
    if let Some(snapshot) = &app.snapshot {
        let gone = format!(
            "{:>3} % gone",
            text::percent_removed(snapshot.version.token_count(), snapshot.original.0)
        );
        end = canvas
            .draw_text_before(end, 0, &gone, Role::Number)
            .saturating_sub(2);
    }
    if let Some(found) = search_status(app) {
        let x = canvas.draw_text_before(end, 0, &found, Role::Note);
        end = x.saturating_sub(2);
    }
    let room = end.saturating_sub(1);
    let fits = |said: &mut String| app.prompt.is_some() || text::text_width(said) <= room;
    if let Some(said) = app.status_message.take_if(|said| !fits(said)) {
        app.toasts.push_toast(said, Role::Note);
    }
    let awaited = app.pending_bookmark.map(|awaited| match awaited {
        BookmarkAction::Set => "a letter to remember this node by".to_owned(),
        BookmarkAction::Jump => "the letter of the node to go to".to_owned(),
    });
    if let Some(said) = awaited.as_ref().or(app.status_message.as_ref()) {
        let said = text::truncate_end(said, room, canvas.theme.glyphs.cut);
        canvas.draw_text(1, 0, &said, Role::Note);
        return;
    }
    let paused = match app.replay_state() {
        Some(replay) => !replay.playing,
        None => app.run_state().is_some_and(RunState::is_suspended),
    };
    let hint = |entry: &'static ScreenCommand| {
        let key = app.setup.keys.command_keys(entry).first()?.name();
        let word = match entry.hint? {
            "pause" if paused && app.context.replay => "play",
            "pause" if paused => "go on",
            "undo" if app.context.replay => "version before",
            "go on from it" if app.context.replay => "go to it",
            "backwards" if app.replay_state().is_some_and(|replay| replay.backwards) => "forwards",
            "quit" if app.is_finished() || app.context.replay => "leave",
            word => word,
        };
        let width = text::text_width(&key) + text::text_width(word) + 3;
        Some((hint_rank(entry), key, word, width))
    };
    let hints: Vec<_> = commands::hinted_commands(app).filter_map(hint).collect();
    // Where not all have room, those have it that are needed most; each stays at its place.
    let mut ranked: Vec<usize> = (0..hints.len()).collect();
    ranked.sort_by_key(|at| hints[*at].0);
    let mut room = end + 1;
    ranked.retain(|at| {
        let width = hints[*at].3;
        let fits = width <= room;
        room -= if fits { width } else { 0 };
        fits
    });
    ranked.sort_unstable();
    let mut x = 1;
    for (_, key, word, _) in ranked.iter().map(|at| &hints[*at]) {
        x = canvas.draw_text(x, 0, key, Role::Key) + 1;
        x = canvas.draw_text(x, 0, word, Role::Dim) + 2;
    }
}
