//! The end of a run: what came of it, where it is, and what to do with it. The page stays until the user leaves.

use super::super::app::App;
use super::super::canvas::{Canvas, Edges};
use super::super::panes::verdict;
use super::super::text;
use super::super::theme::Role;
use super::middle;
use crate::reduce::{Ending, Finish, Snapshot, State};

/// Draws the page.
pub fn draw(app: &App, canvas: &mut Canvas) {
    let Some(snapshot) = &app.snapshot else {
        return;
    };
    let State::Finished(finish) = &snapshot.state else {
        return;
    };
    let lines = lines(app, snapshot, finish);
    let width = lines
        .iter()
        .map(|(line, _)| text::width(line))
        .max()
        .unwrap_or(0)
        .clamp(40, 100)
        + 6;
    let area = middle(canvas.area, width as u16, lines.len() as u16 + 4);
    let mut page = canvas.part(area);
    page.clear();
    let mut inside = page.pane(
        "Result",
        "esc looks around, q leaves",
        true,
        Edges {
            first: true,
            last: true,
        },
    );
    let room = inside.width().saturating_sub(4);
    let first = usize::from(inside.height() > lines.len());
    for (y, (line, role)) in lines.iter().enumerate() {
        inside.say(
            2,
            y + first,
            &text::cut_middle(line, room, inside.look.glyphs.cut),
            *role,
        );
    }
}

fn lines(app: &App, snapshot: &Snapshot, finish: &Finish) -> Vec<(String, Role)> {
    let glyphs = &app.look.glyphs;
    let arrow = glyphs.arrow;
    let (tokens, bytes) = snapshot.original;
    let (left, left_bytes) = (snapshot.version.tokens(), snapshot.version.bytes());
    let counts = &snapshot.counts;
    let mut lines = vec![match finish {
        Finish::Complete => (
            format!(
                "{} {} is done: nothing is left to try",
                glyphs.interesting, app.context.title
            ),
            Role::Interesting,
        ),
        Finish::Stopped => (
            format!(
                "{} was stopped: the best version is kept",
                app.context.title
            ),
            Role::Note,
        ),
        Finish::Failed(reason) => (format!("{} {reason}", glyphs.boring), Role::Failed),
    }];
    let mut say = |line: String| lines.push((line, Role::Text));
    say(String::new());
    say(format!(
        "{:>11} {arrow} {}   {} % gone",
        text::number(tokens.into()),
        text::count(left.into(), "token"),
        text::gone(left, tokens)
    ));
    say(format!(
        "{:>11} {arrow} {}",
        text::number(bytes.into()),
        text::count(left_bytes.into(), "byte")
    ));
    let time = snapshot.now.saturating_duration_since(snapshot.started);
    say(format!(
        "{:>11} in {}   {} were known",
        text::count(counts.tests, "test"),
        text::time(time),
        text::number(counts.cached)
    ));
    let endings = [
        (Ending::Interesting, counts.interesting, "interesting"),
        (Ending::Boring, counts.boring, "boring"),
        (Ending::Invalid, counts.invalid, "invalid"),
        (Ending::TimedOut, counts.timed_out, "timed out"),
    ];
    let verdicts = endings.map(|(ending, number, word)| {
        format!(
            "{} {} {word}",
            verdict(ending, glyphs).0,
            text::number(number)
        )
    });
    say(format!("{:>11} {}", "", verdicts.join("  ")));
    say(String::new());
    say(format!("The result is in {}", app.context.output.display()));
    lines.extend(
        snapshot
            .notes
            .iter()
            .rev()
            .take(2)
            .map(|note| (note.clone(), Role::Note)),
    );
    if !app.context.next.is_empty() {
        lines.push((String::new(), Role::Text));
        lines.push(("What to do next".into(), Role::Title));
        lines.extend(
            app.context
                .next
                .iter()
                .map(|next| (format!("  {next}"), Role::Text)),
        );
    }
    lines
}
