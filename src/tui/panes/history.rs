//! The versions of the run, the newest first, as the tree that they are.
//!
//! ```text
//!  ├ History ────────────────────────── 5 versions ┤
//!  │ ◉    5    163 tokens  perses  drop …     here │   where the run stands
//!  │ │ ○  4    170 tokens  perses  …        undone │   left by an undo
//!  │ ●─╯  2    185 tokens  bodies  …               │   what both were made of
//! ```

use super::history_graph::HistoryGraph;
use super::question_summary;
use crate::reduce::{RunSnapshot, VersionRecord};
use crate::tui::app::{App, PaneKind};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::theme::Role;

/// Draws the pane.
pub fn draw_history_pane(app: &mut App, canvas: &mut ClippedCanvas, edges: PaneEdges) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let focused = app.focused_pane() == PaneKind::History;
    let right = match snapshot.detour_base {
        Some(home) => format!("inside an excursion from {home}"),
        None => text::format_count(snapshot.history.len() as u64, "version"),
    };
    let mut inside = canvas.draw_pane_frame("History", &right, focused, edges);
    let (row, len) = (app.versions.selected_row(&snapshot), snapshot.history.len());
    app.versions.scroll.scroll_to(row, len, inside.height());
    let top = app.versions.scroll.top;
    let rows = history_rows(app, &snapshot, top + inside.height());
    let lanes = rows
        .iter()
        .skip(top)
        .map(|(graph, _)| text::text_width(graph));
    let lanes = lanes.max().unwrap_or(0);
    for (y, (graph, past)) in rows.iter().skip(top).enumerate() {
        draw_history_line(app, &snapshot, past, &mut inside, y, (graph, lanes));
        if focused && top + y == row {
            let style = inside.theme.role_style(Role::Selection);
            inside.set_line_style(0, y, inside.width(), style);
        }
    }
}

/// The newest versions, so many, each with its row of the graph.
fn history_rows<'a>(
    app: &App,
    snapshot: &'a RunSnapshot,
    count: usize,
) -> Vec<(String, &'a VersionRecord)> {
    let glyphs = &app.theme.glyphs;
    let mut graph = HistoryGraph::default();
    let mut line = Some(snapshot.number);
    let newest = snapshot.history.iter().rev().take(count);
    let row = |past: &'a std::sync::Arc<VersionRecord>| {
        let node = match past.number {
            number if number == snapshot.number => glyphs.current_version,
            _ if past.in_detour => glyphs.detour,
            number if is_ancestor(snapshot, &mut line, number) => glyphs.version,
            _ => glyphs.undone,
        };
        (
            graph.render_row(past.number, past.parent, node, glyphs),
            &**past,
        )
    };
    newest.map(row).collect()
}

/// Whether a version is on the way from the present one back to the original; `line` goes down that way, as the numbers do.
fn is_ancestor(snapshot: &RunSnapshot, line: &mut Option<u64>, number: u64) -> bool {
    while let Some(on) = line.filter(|on| *on > number) {
        let past = snapshot.history.get(on as usize);
        *line = past.and_then(|past| past.parent);
    }
    *line == Some(number)
}

fn draw_history_line(
    app: &App,
    snapshot: &RunSnapshot,
    past: &VersionRecord,
    inside: &mut ClippedCanvas,
    y: usize,
    (graph, lanes): (&str, usize),
) {
    let glyphs = inside.theme.glyphs;
    let width = inside.width();
    let here = past.number == snapshot.number;
    let off = !here && !is_ancestor(snapshot, &mut Some(snapshot.number), past.number);
    let role = match (here, off) {
        (true, _) => Role::Running,
        (_, true) => Role::Dim,
        _ => Role::Text,
    };
    inside.draw_text(1, y, graph, role);
    let digits = snapshot.history.len().to_string().len().max(2);
    let number = format!("{:>digits$}", past.number);
    let mut x = inside.draw_text(lanes + 2, y, &number, Role::Dim) + 2;
    let whole = text::format_number(snapshot.original.0.into()).len();
    let tokens = text::format_number(past.version.token_count().into());
    x = inside.draw_text(x, y, &format!("{tokens:>whole$}"), Role::Number) + 2;
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
        (past.in_detour, "excursion", Role::Note),
        (off && !past.in_detour, "undone", Role::Dim),
        (here, "here", Role::Running),
    ];
    let mut end = width.saturating_sub(1);
    for (_, tag, role) in tags.into_iter().rev().filter(|(is, ..)| *is) {
        end = inside.draw_text_before(end, y, tag, role).saturating_sub(1);
    }
    x = inside.draw_text(
        x,
        y,
        &text::truncate_end(past.pass, end.saturating_sub(x), glyphs.cut),
        Role::Kind,
    );
    x += if past.pass.is_empty() { 0 } else { 2 };
    let gist = question_summary(&past.sentence, &glyphs);
    let room = end.saturating_sub(x);
    inside.draw_text(x, y, &text::truncate_middle(&gist, room, glyphs.cut), role);
}
