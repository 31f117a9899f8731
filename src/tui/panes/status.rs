//! The lines at the top and at the bottom.
//!
//! ```text
//!   lop  bug.c  "grep -q 'internal compiler error'"              ● running  perses  2/2 workers  41 tests/s
//!   space pause  F follow  tab pane  ? help  q quit                                  95 % gone
//! ```

use super::super::app::{App, Awaited, Pending};
use super::super::canvas::Canvas;
use super::super::commands::{self, Entry};
use super::super::text;
use super::super::theme::Role;
use super::progress::rate;
use crate::reduce::{Finish, PassState, Snapshot, State};

/// How many cells the commands have that the run has not yet obeyed.
const AWAITED: usize = 40;

/// Draws the line at the top; on small screens it is all there is on the run, so what matters most comes first.
pub fn header(app: &App, canvas: &mut Canvas) {
    let paused = app.state().is_some_and(State::stands);
    let look = canvas.look;
    let base = look.of(if paused { Role::Paused } else { Role::Header });
    let width = canvas.width();
    canvas.put(0, 0, &" ".repeat(width), base);
    let Some(snapshot) = &app.snapshot else {
        canvas.put(
            1,
            0,
            &text::cut_end(&beginning(app), width.saturating_sub(1), look.glyphs.cut),
            base,
        );
        return;
    };
    let sizes = format!(
        "{} of {}",
        text::number(snapshot.version.tokens().into()),
        text::count(snapshot.original.0.into(), "token")
    );
    if width < 60 {
        let state = match &snapshot.replay {
            Some(replay) => app.short_position(snapshot, replay),
            None => state(app, snapshot).0,
        };
        let short = if width < 24 {
            text::number(snapshot.version.tokens().into())
        } else {
            sizes
        };
        let speed = app
            .tests_a_second()
            .map(|speed| format!("{}/s", rate(speed)));
        let mut x = usize::from(width > 20);
        for part in [Some(short), Some(state), speed].into_iter().flatten() {
            // A number is there whole or not at all.
            if x + text::width(&part) <= width {
                x = canvas.put(x, 0, &part, base) + 2;
            }
        }
        return;
    }
    let played = snapshot.replay.is_some();
    let (state, role) = state(app, snapshot);
    let pass = snapshot
        .passes
        .iter()
        .find(|pass| matches!(pass.state, PassState::Running(_)) && !app.finished())
        .map_or("", |pass| pass.name);
    let speed = app
        .tests_a_second()
        .filter(|_| !played)
        .map(|speed| format!("{:>6} tests/s", rate(speed)));
    let (busy, all) = snapshot.workers;
    let workers = format!("{busy}/{}", text::count(all as u64, "worker"));
    let mut end = width.saturating_sub(1);
    for (part, role) in [
        (speed.as_deref().unwrap_or_default(), None),
        (
            if app.finished() || played {
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
            .map_or(base, |role| base.patch(look.of(role)));
        if let Some(x) = end.checked_sub(text::width(part)) {
            canvas.put(x, 0, part, style);
            end = x.saturating_sub(2);
        }
    }
    let mut x = canvas.put(1, 0, "lop", base) + 2;
    let title = text::cut_middle(
        &app.context.title,
        end.saturating_sub(x) / 2,
        look.glyphs.cut,
    );
    x = canvas.put(x, 0, &title, base) + 2;
    let room = end.saturating_sub(x + 2);
    if room > 8 && !app.context.test.is_empty() {
        let test = text::cut_middle(&app.context.test, room, look.glyphs.cut);
        // On the colour of a pause nothing is dim.
        let dim = if paused {
            base
        } else {
            base.patch(look.of(Role::Dim))
        };
        canvas.put(x, 0, &test, dim);
    }
}

/// What there is to say before there is anything to see.
fn beginning(app: &App) -> String {
    match app.again {
        _ if app.context.replay => "lop  reading the session".into(),
        None => "lop  reading the program".into(),
        Some((done, all)) => format!(
            "lop  {}  going on: decision {} of {}   (q leaves it as it was)",
            app.context.title,
            text::number(done),
            text::number(all)
        ),
    }
}

/// What the run does, and what it has been told and not yet done; or how its recording is played.
fn state(app: &App, snapshot: &Snapshot) -> (String, Role) {
    if let Some(replay) = &snapshot.replay {
        return app.position(snapshot, replay);
    }
    let glyphs = &app.look.glyphs;
    let standing = snapshot.state.stands();
    let mark = if standing {
        glyphs.paused
    } else {
        glyphs.running
    };
    let words: Vec<String> = app.pending.iter().map(Pending::words).collect();
    let awaited = (!words.is_empty()).then(|| {
        let words = text::safe(&words.join(", "), glyphs.braille);
        let words = text::cut_end(&words, AWAITED, glyphs.cut);
        format!("{mark} {words}")
    });
    match (&snapshot.state, awaited) {
        (State::Finished(Finish::Complete), _) => {
            (format!("{} done", glyphs.interesting), Role::Interesting)
        }
        (State::Finished(Finish::Stopped), _) => ("stopped".into(), Role::Note),
        (State::Finished(Finish::Failed(_)), _) => {
            (format!("{} failed", glyphs.boring), Role::Failed)
        }
        (State::Running, Some(awaited)) => (awaited, Role::Note),
        (State::Paused(_) | State::Stuck(_), Some(awaited)) => (awaited, Role::Paused),
        (State::Running, None) => (format!("{} running", glyphs.running), Role::Running),
        (State::Paused(_) | State::Stuck(_), None) => {
            (format!("{} PAUSED", glyphs.paused), Role::Paused)
        }
    }
}

/// How many hits a search has, and on which of them one is.
fn found(app: &App) -> Option<String> {
    let search = app.search.as_ref()?;
    let all = text::number(search.found() as u64);
    let number = search.number(app.selected);
    let found = match number {
        Some(number) => format!("{} of {all} found", text::number(number as u64)),
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
fn need(entry: &Entry) -> usize {
    let at = NEEDED.iter().position(|name| *name == entry.name);
    at.unwrap_or(NEEDED.len())
}

/// Draws the line at the bottom: what can be done now, or why the last key did nothing. What has no room there is told above, where it
/// can be read whole.
pub fn footer(app: &mut App, canvas: &mut Canvas) {
    let mut end = canvas.width().saturating_sub(1);
    if let Some(snapshot) = &app.snapshot {
        let gone = format!(
            "{:>3} % gone",
            text::gone(snapshot.version.tokens(), snapshot.original.0)
        );
        end = canvas
            .say_before(end, 0, &gone, Role::Number)
            .saturating_sub(2);
    }
    if let Some(found) = found(app) {
        let x = canvas.say_before(end, 0, &found, Role::Note);
        end = x.saturating_sub(2);
    }
    let room = end.saturating_sub(1);
    let fits = |said: &mut String| app.prompt.is_some() || text::width(said) <= room;
    if let Some(said) = app.said.take_if(|said| !fits(said)) {
        app.toasts.tell(said, Role::Note);
    }
    let awaited = app.awaited.map(|awaited| match awaited {
        Awaited::Mark => "a letter to remember this node by".to_owned(),
        Awaited::Go => "the letter of the node to go to".to_owned(),
    });
    if let Some(said) = awaited.as_ref().or(app.said.as_ref()) {
        let said = text::cut_end(said, room, canvas.look.glyphs.cut);
        canvas.say(1, 0, &said, Role::Note);
        return;
    }
    let paused = match app.replay() {
        Some(replay) => !replay.playing,
        None => app.state().is_some_and(State::stands),
    };
    let hint = |entry: &'static Entry| {
        let key = app.setup.keys.of(entry).first()?.name();
        let word = match entry.hint? {
            "pause" if paused && app.context.replay => "play",
            "pause" if paused => "go on",
            "undo" if app.context.replay => "version before",
            "go on from it" if app.context.replay => "go to it",
            "backwards" if app.replay().is_some_and(|replay| replay.backwards) => "forwards",
            "quit" if app.finished() || app.context.replay => "leave",
            word => word,
        };
        let width = text::width(&key) + text::width(word) + 3;
        Some((need(entry), key, word, width))
    };
    let hints: Vec<_> = commands::hints(app).filter_map(hint).collect();
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
        x = canvas.say(x, 0, key, Role::Key) + 1;
        x = canvas.say(x, 0, word, Role::Dim) + 2;
    }
}
