//! The versions of the run, the newest first, as the tree that they are.
//!
//! ```text
//!  ├ History ────────────────────────── 5 versions ┤
//!  │ ◉    5    163 tokens  perses  drop …     here │   where the run stands
//!  │ │ ○  4    170 tokens  perses  …        undone │   left by an undo
//!  │ ●─╯  2    185 tokens  bodies  …               │   what both were made of
//! ```

use super::super::app::{App, Pane};
use super::super::canvas::{Canvas, Edges};
use super::super::graph::Graph;
use super::super::text;
use super::super::theme::Role;
use super::gist;
use crate::reduce::{Past, Snapshot};

/// Draws the pane.
pub fn draw(app: &mut App, canvas: &mut Canvas, edges: Edges) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let focused = app.focus() == Pane::History;
    let right = match snapshot.home {
        Some(home) => format!("inside an excursion from {home}"),
        None => text::count(snapshot.history.len() as u64, "version"),
    };
    let mut inside = canvas.pane("History", &right, focused, edges);
    let (row, len) = (app.versions.row(&snapshot), snapshot.history.len());
    app.versions.scroll.show(row, len, inside.height());
    let top = app.versions.scroll.top;
    let rows = rows(app, &snapshot, top + inside.height());
    let lanes = rows.iter().skip(top).map(|(graph, _)| text::width(graph));
    let lanes = lanes.max().unwrap_or(0);
    for (y, (graph, past)) in rows.iter().skip(top).enumerate() {
        line(app, &snapshot, past, &mut inside, y, (graph, lanes));
        if focused && top + y == row {
            let style = inside.look.of(Role::Selection);
            inside.tint(0, y, inside.width(), style);
        }
    }
}

/// The newest versions, so many, each with its row of the graph.
fn rows<'a>(app: &App, snapshot: &'a Snapshot, count: usize) -> Vec<(String, &'a Past)> {
    let glyphs = &app.look.glyphs;
    let mut graph = Graph::default();
    let mut line = Some(snapshot.number);
    let newest = snapshot.history.iter().rev().take(count);
    let row = |past: &'a std::sync::Arc<Past>| {
        let node = match past.number {
            number if number == snapshot.number => glyphs.present,
            _ if past.away => glyphs.away,
            number if is_on(snapshot, &mut line, number) => glyphs.version,
            _ => glyphs.left,
        };
        (graph.row(past.number, past.parent, node, glyphs), &**past)
    };
    newest.map(row).collect()
}

/// Whether a version is on the way from the present one back to the original; `line` goes down that way, as the numbers do.
fn is_on(snapshot: &Snapshot, line: &mut Option<u64>, number: u64) -> bool {
    while let Some(on) = line.filter(|on| *on > number) {
        let past = snapshot.history.get(on as usize);
        *line = past.and_then(|past| past.parent);
    }
    *line == Some(number)
}

fn line(
    app: &App,
    snapshot: &Snapshot,
    past: &Past,
    inside: &mut Canvas,
    y: usize,
    (graph, lanes): (&str, usize),
) {
    let glyphs = inside.look.glyphs;
    let width = inside.width();
    let here = past.number == snapshot.number;
    let off = !here && !is_on(snapshot, &mut Some(snapshot.number), past.number);
    let role = match (here, off) {
        (true, _) => Role::Running,
        (_, true) => Role::Dim,
        _ => Role::Text,
    };
    inside.say(1, y, graph, role);
    let digits = snapshot.history.len().to_string().len().max(2);
    let number = format!("{:>digits$}", past.number);
    let mut x = inside.say(lanes + 2, y, &number, Role::Dim) + 2;
    let whole = text::number(snapshot.original.0.into()).len();
    let tokens = text::number(past.version.tokens().into());
    x = inside.say(x, y, &format!("{tokens:>whole$}"), Role::Number) + 2;
    let smallest = app
        .smallest
        .as_ref()
        .is_some_and(|(_, number)| *number == past.number);
    let tags = [
        (
            app.versions.marked == Some(past.number),
            "marked",
            Role::Note,
        ),
        (smallest, "smallest", Role::Interesting),
        (past.away, "excursion", Role::Note),
        (off && !past.away, "undone", Role::Dim),
        (here, "here", Role::Running),
    ];
    let mut end = width.saturating_sub(1);
    for (_, tag, role) in tags.into_iter().rev().filter(|(is, ..)| *is) {
        end = inside.say_before(end, y, tag, role).saturating_sub(1);
    }
    x = inside.say(
        x,
        y,
        &text::cut_end(past.pass, end.saturating_sub(x), glyphs.cut),
        Role::Kind,
    );
    x += if past.pass.is_empty() { 0 } else { 2 };
    let gist = gist(&past.sentence, &glyphs);
    let room = end.saturating_sub(x);
    inside.say(x, y, &text::cut_middle(&gist, room, glyphs.cut), role);
}
