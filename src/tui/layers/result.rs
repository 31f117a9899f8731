//! The end of a run: what came of it, where it is, and what to do with it. The page stays until the user leaves.

use super::super::app::App;
use super::super::canvas::Canvas;
use super::super::lines;
use super::super::marks::Marks;
use super::super::panes::progress::holds;
use super::super::panes::verdict;
use super::super::text;
use super::super::theme::Role;
use super::{middle, paragraphs};
use crate::display::{Shown, shown_page};
use crate::oracle::quoted;
use crate::reduce::{Ending, Finish, Snapshot, State};

/// The most lines of the program that the page shows.
const PROGRAM: usize = 16;

/// The most other failures that it lists.
const OTHERS: usize = 4;

/// Draws the page.
pub fn draw(app: &App, canvas: &mut Canvas) {
    let Some(snapshot) = &app.snapshot else {
        return;
    };
    let State::Finished(finish) = &snapshot.state else {
        return;
    };
    let mut lines = lines(app, snapshot, finish);
    let most = canvas.width().saturating_sub(6).min(100);
    let is_wide = |line: &(String, Role)| text::width(&line.0) > most;
    lines = lines
        .into_iter()
        .flat_map(|line| match is_wide(&line) {
            true => paragraphs(&[line], most, app.look.glyphs.cut),
            false => vec![line],
        })
        .collect();
    let room = canvas.height().saturating_sub(lines.len() + 8);
    lines.extend(program(app, snapshot, room.min(PROGRAM)));
    let widest = lines.iter().map(|(line, _)| text::width(line)).max();
    let cells = widest.unwrap_or(0).clamp(40, 100) as u16;
    let area = middle(canvas.area, cells + 6, lines.len() as u16 + 4);
    let mut page = canvas.part(area);
    page.clear();
    let right = [("close", "closes"), ("quit", "leaves")];
    let right = app.setup.keys.ways(&right);
    let mut inside = page.pane("Result", &right, true, super::ALONE);
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
    if let Some(claim) = &snapshot.claim {
        lines.push((format!("It is {claim}"), Role::Text));
    }
    let mut say = |line: String| lines.push((line, Role::Text));
    let fact = |name: &str, value: String| format!("{name:<10}{value}");
    let sizes = |from: u32, to: u32| {
        format!(
            "{} {arrow} {}",
            text::number(from.into()),
            text::number(to.into())
        )
    };
    say(String::new());
    let gone = text::gone(left, tokens);
    say(fact(
        "tokens",
        format!("{}   {gone} % gone", sizes(tokens, left)),
    ));
    say(fact("bytes", sizes(bytes, left_bytes)));
    let time = text::time(app.worked());
    let (tests, known) = (text::number(counts.tests), text::number(counts.cached));
    say(fact(
        "tests",
        format!("{tests} in {time}   {known} more were known"),
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
    say(fact("verdicts", verdicts.join("  ")));
    if let Some(holds) = holds(snapshot) {
        let repeated = text::number(counts.repeated);
        say(fact("repeated", format!("{repeated}   {holds}")));
    }
    say(String::new());
    say(format!("The result is in {}", app.context.output.shown()));
    for other in snapshot.others.iter().take(OTHERS) {
        let (path, seen) = (other.path.shown(), other.seen);
        say(format!(
            "Another failure, {}, is in {path} (seen {seen}x)",
            other.name
        ));
    }
    let notes = app.notes.iter().rev().take(2);
    let notes = notes.chain(snapshot.notes.iter().rev().take(2));
    lines.extend(notes.map(|note| (note.clone(), Role::Note)));
    lines.push((String::new(), Role::Text));
    lines.push(("What to do next".into(), Role::Title));
    let look = format!("look at it: less {}", quoted(&app.context.output));
    let other = snapshot.others.first().map(|other| {
        format!(
            "reduce another failure: lop {} with a test for it",
            quoted(&other.path)
        )
    });
    for next in app.context.next.iter().chain([&look]).chain(&other) {
        lines.push((format!("  {next}"), Role::Text));
    }
    lines
}

/// How the program begins, on at most `room` lines.
fn program(app: &App, snapshot: &Snapshot, room: usize) -> Vec<(String, Role)> {
    let Some(document) = snapshot.version.documents().first().filter(|_| room >= 3) else {
        return Vec::new();
    };
    let marks = Marks::default();
    let visible = lines::visible(&document.root, &marks, None, 0, room, 400);
    let mut shown = vec![(String::new(), Role::Text)];
    for line in visible {
        let bytes: Vec<u8> = line
            .stretches
            .iter()
            .flat_map(|stretch| stretch.bytes)
            .copied()
            .collect();
        let text = text::safe(&shown_page(&bytes), app.look.glyphs.braille);
        shown.push((format!("  {}", text.trim_end()), Role::Kind));
    }
    while shown.len() > 1 && shown.last().is_some_and(|(line, _)| line.trim().is_empty()) {
        shown.pop();
    }
    let all = document.root.sums.newlines as usize + 1;
    if all > room + 1 {
        shown.push((
            format!(
                "  {} {} more",
                app.look.glyphs.cut,
                text::count((all - room) as u64, "line")
            ),
            Role::Dim,
        ));
    }
    shown
}
