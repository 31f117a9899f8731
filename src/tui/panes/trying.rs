//! What is being tried, and why: the sentence that teaches. While the run stands still, what was tried last, and what came of it.
//!
//! ```text
//!  ├ Trying ──────────────────────────────────────────────────────────────┤
//!  │ perses  if_statement `if (g_147)…` could be its compound_statement    │
//!  │ candidate 1,204   5 tokens fewer   waiting for the test 0.40 s        │
//! ```

use std::time::{Duration, Instant};

use super::super::app::App;
use super::super::canvas::{Canvas, Edges};
use super::super::palette::Glyphs;
use super::super::text;
use super::super::theme::Role;
use super::{question, verdict};
use crate::reduce::{Decided, Ending, Finish, PassState, Snapshot, State};

/// A thought that takes less is not worth a clock.
const THOUGHT: Duration = Duration::from_secs(1);

/// Draws the pane.
pub fn draw(app: &App, canvas: &mut Canvas, now: Instant, edges: Edges) {
    let Some(snapshot) = &app.snapshot else {
        return;
    };
    let title = match &snapshot.state {
        State::Running => "Trying",
        State::Paused(Some(reason)) => &format!("Paused: {reason}"),
        State::Paused(None) | State::Stuck(_) => "Paused",
        State::Finished(_) => "Finished",
    };
    let limit = snapshot
        .limit
        .map(|limit| format!("limit {}", text::time(limit)))
        .unwrap_or_default();
    let mut inside = canvas.pane(title, &limit, false, edges);
    let glyphs = inside.look.glyphs;
    let (width, height) = (inside.width().saturating_sub(2), inside.height());
    // The note would say the trouble a second time.
    let note = app.notes.last().or(snapshot.notes.last());
    let note = note.filter(|_| app.trouble().is_none());
    let lines = height
        .saturating_sub(1 + usize::from(note.is_some() && height > 2))
        .max(1);
    let sentence = text::wrap(&sentence(app, snapshot, &glyphs), width, lines, glyphs.cut);
    for (y, line) in sentence.iter().enumerate() {
        let told = y == 0 && !matches!(snapshot.state, State::Running);
        inside.say(1, y, line, if told { Role::Title } else { Role::Text });
    }
    let (facts, role) = facts(app, snapshot, &glyphs, now);
    inside.say(1, lines, &text::cut_end(&facts, width, glyphs.cut), role);
    if let Some(note) = note {
        let note = text::cut_end(&text::safe(note, glyphs.braille), width, glyphs.cut);
        inside.say(1, lines + 1, &note, Role::Note);
    }
}

/// The last decision, where it is still to be seen: nothing is asked, and the run stands still.
fn last(snapshot: &Snapshot) -> Option<&Decided> {
    let waits = snapshot.trying.is_none() && matches!(snapshot.state, State::Paused(_));
    snapshot.decided.last().filter(|_| waits).map(AsRef::as_ref)
}

/// What is asked, or was asked last, or why nothing is.
fn sentence(app: &App, snapshot: &Snapshot, glyphs: &Glyphs) -> String {
    let asked = snapshot
        .trying
        .as_ref()
        .map(|trying| (&trying.why, &trying.sentence));
    let asked = asked.or_else(|| last(snapshot).map(|last| (&last.why, &last.sentence)));
    let asked = asked.map(|(why, said)| format!("{}  {}", why.pass, question(said, glyphs)));
    match (&snapshot.state, asked) {
        (State::Running | State::Paused(_), Some(asked)) => asked,
        (State::Running, None) => thought(snapshot),
        (State::Paused(_), None) => {
            let ways = [("pause", "goes on"), ("step", "asks one question")];
            format!("nothing is asked yet: {}", app.setup.keys.ways(&ways))
        }
        (State::Stuck(reason), _) => text::safe(reason, glyphs.braille),
        (State::Finished(Finish::Complete), _) => "nothing is left to try".into(),
        (State::Finished(Finish::Stopped), _) => "stopped: the best version is kept".into(),
        (State::Finished(Finish::Failed(reason)), _) => text::safe(reason, glyphs.braille),
    }
}

/// What happens while nothing is asked.
fn thought(snapshot: &Snapshot) -> String {
    let running = |state| matches!(state, PassState::Running(_));
    if let Some(pass) = snapshot.planned.and_then(|planned| planned.pass)
        && let Some(line) = snapshot.passes.iter().find(|line| line.name == pass)
        && !running(line.state)
    {
        return format!("{pass}  is planning its first question: {}", line.what);
    }
    match snapshot.passes.iter().find(|pass| running(pass.state)) {
        Some(pass) if pass.tried == 0 => {
            format!(
                "{}  is planning its first question: {}",
                pass.name, pass.what
            )
        }
        Some(pass) => format!("{}  is looking for the next question", pass.name),
        None => "the program is read; the first pass is planning what to ask".into(),
    }
}

fn facts(app: &App, snapshot: &Snapshot, glyphs: &Glyphs, now: Instant) -> (String, Role) {
    if let State::Stuck(_) = snapshot.state {
        let ways = [
            ("pause", "goes on"),
            ("why", "says more"),
            ("quit", "leaves"),
        ];
        let ways = app.setup.keys.ways(&ways);
        return (format!("mend the test, then {ways}"), Role::Note);
    }
    if let Some(last) = last(snapshot) {
        let (mark, role) = verdict(last.ending, glyphs);
        let what = match last.ending {
            Ending::Interesting => match last.saved {
                0 => "taken".into(),
                saved => format!("taken: {} gone", text::count(saved.into(), "token")),
            },
            Ending::Boring => "not taken: boring".into(),
            Ending::Invalid => "not taken: invalid".into(),
            Ending::TimedOut => match last.bound.filter(|bound| !bound.is_time()) {
                Some(bound) => format!("not taken: beyond its limit of {}", bound.word()),
                None => "not taken: timed out".into(),
            },
        };
        let how = match last.time {
            Some(time) => format!("{}   {}", last.exit, text::time(time)),
            None => "known before".into(),
        };
        let number = text::number(last.decision);
        return (format!("{mark} {number}  {what}   {how}"), role);
    }
    let Some(trying) = &snapshot.trying else {
        let since = snapshot
            .planned
            .map_or(snapshot.now, |planned| planned.since);
        let thinks = now.saturating_duration_since(since);
        let long = snapshot.state == State::Running && thinks >= THOUGHT;
        let facts = long.then(|| format!("for {}", text::time(thinks)));
        return (facts.unwrap_or_default(), Role::Dim);
    };
    let waited = now.saturating_duration_since(trying.since);
    let fewer = match trying.saved {
        0 => "no token fewer".to_owned(),
        saved => format!("{} fewer", text::count(saved.into(), "token")),
    };
    let waiting = match snapshot.replay {
        // Nobody waits for what is over.
        Some(_) => String::new(),
        None => format!("   waiting for the test {}", text::time(waited)),
    };
    let number = text::number(trying.decision);
    (format!("candidate {number}   {fewer}{waiting}"), Role::Dim)
}
