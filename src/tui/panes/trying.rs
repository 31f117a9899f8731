//! What is being tried, and why: the sentence that teaches.
//!
//! ```text
//!  ├ Trying ──────────────────────────────────────────────────────────────┤
//!  │ perses  if_statement `if (g_147)…` could be its compound_statement    │
//!  │ candidate 1,204   5 tokens fewer   waiting for the test 0.40 s        │
//! ```

use std::time::Instant;

use super::super::app::App;
use super::super::canvas::{Canvas, Edges};
use super::super::text;
use super::super::theme::Role;
use crate::reduce::{Finish, Snapshot, State};

/// Draws the pane.
pub fn draw(app: &App, canvas: &mut Canvas, now: Instant, edges: Edges) {
    let Some(snapshot) = &app.snapshot else {
        return;
    };
    let title = match &snapshot.state {
        State::Running => "Trying",
        State::Paused(_) => "Paused",
        State::Finished(_) => "Finished",
    };
    let limit = snapshot
        .limit
        .map(|limit| format!("limit {}", text::time(limit)))
        .unwrap_or_default();
    let mut inside = canvas.pane(title, &limit, false, edges);
    if let State::Paused(_) = snapshot.state {
        let style = inside.look.of(Role::Paused);
        inside.put(1, 0, "", style);
    }
    let (width, height) = (inside.width().saturating_sub(2), inside.height());
    let note = snapshot.notes.last();
    let lines = height
        .saturating_sub(1 + usize::from(note.is_some() && height > 2))
        .max(1);
    let mark = inside.look.glyphs.cut;
    for (y, line) in text::wrap(&sentence(snapshot), width, lines, mark)
        .iter()
        .enumerate()
    {
        inside.say(
            1,
            y,
            line,
            if y == 0 && !matches!(snapshot.state, State::Running) {
                Role::Title
            } else {
                Role::Text
            },
        );
    }
    inside.say(
        1,
        lines,
        &text::cut_end(&facts(snapshot, now), width, mark),
        Role::Dim,
    );
    if let Some(note) = note {
        inside.say(1, lines + 1, &text::cut_end(note, width, mark), Role::Note);
    }
}

/// What is asked, or why nothing is.
pub fn sentence(snapshot: &Snapshot) -> String {
    let asked = snapshot.trying.as_ref().map(|trying| {
        // How much would go stands on the line of facts.
        let said = &trying.sentence;
        let question = said
            .rsplit_once(" (")
            .filter(|(_, rest)| rest.ends_with(" fewer)"))
            .map_or(said.as_str(), |(question, _)| question);
        format!("{}  {question}", trying.why.pass)
    });
    match (&snapshot.state, asked) {
        (State::Running, Some(asked)) => asked,
        (State::Running, None) => "thinking about the next question".into(),
        (State::Paused(None), None) => {
            "nothing is asked: space goes on, . asks one question".into()
        }
        (State::Paused(None), Some(asked)) => asked,
        (State::Paused(Some(reason)), _) => format!("{reason}: space tries again"),
        (State::Finished(Finish::Complete), _) => "nothing is left to try".into(),
        (State::Finished(Finish::Stopped), _) => "stopped: the best version is kept".into(),
        (State::Finished(Finish::Failed(reason)), _) => reason.clone(),
    }
}

fn facts(snapshot: &Snapshot, now: Instant) -> String {
    let Some(trying) = &snapshot.trying else {
        return match snapshot.state {
            State::Paused(_) => format!(
                "before candidate {}",
                text::number(snapshot.counts.decisions + 1)
            ),
            _ => String::new(),
        };
    };
    let waited = now.saturating_duration_since(trying.since);
    let fewer = match trying.saved {
        0 => "no token fewer".to_owned(),
        saved => format!("{} fewer", text::count(saved.into(), "token")),
    };
    format!(
        "candidate {}   {fewer}   waiting for the test {}",
        text::number(trying.decision),
        text::time(waited)
    )
}
