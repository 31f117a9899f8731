//! Pages that lie over the panes.

pub mod candidate;
pub mod difference;
pub mod help;
pub mod inspection;
pub mod pass;
pub mod property;
pub mod result;
pub mod stall;
pub mod verdict;

use ratatui::layout::Rect;

use crate::tui::app::App;
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::panes;
use crate::tui::program_view::diff::DiffLine;
use crate::tui::theme::Role;

/// A rectangle of at most this size in the middle of another.
pub fn centered_rect(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}

/// The widest a page of text is.
const WIDEST: u16 = 110;

/// How many cells a line of a page of text has on a screen of this width.
fn line_width(screen: usize) -> usize {
    screen.min(WIDEST.into()).saturating_sub(6)
}

/// A text in paragraphs, on lines of at most `cells` cells. An empty paragraph is an empty line.
fn wrap_paragraphs(paragraphs: &[(String, Role)], cells: usize, mark: &str) -> Vec<(String, Role)> {
    let mut lines = Vec::new();
    for (paragraph, role) in paragraphs {
        let indent: String = paragraph.chars().take_while(|c| *c == ' ').collect();
        let room = cells.saturating_sub(indent.len());
        let wrapped = text::wrap_text(paragraph, room, usize::MAX, mark);
        if wrapped.is_empty() {
            lines.push((String::new(), *role));
        }
        let line = |line: String| (format!("{indent}{line}"), *role);
        lines.extend(wrapped.into_iter().map(line));
    }
    lines
}

/// What closes a page: the key of the command that opens it, and that of all pages.
fn close_hint(app: &App, opens: &str) -> String {
    let keys = &app.setup.keys;
    format!(
        "{} or {}",
        keys.first_key_name(opens),
        keys.describe_keys(&[("close", "closes")])
    )
}

/// Draws a page with a diff from line `top` on, or with what there is to say in place of one; the line it did begin with.
fn draw_diff_page(
    canvas: &mut ClippedCanvas,
    title: &str,
    right: &str,
    lines: Result<&[DiffLine], &str>,
    top: usize,
) -> usize {
    let len = lines.map_or(1, <[DiffLine]>::len);
    let high = len.saturating_add(2).min(u16::MAX.into()) as u16;
    let mut page = canvas.sub_canvas(centered_rect(canvas.area, WIDEST, high.max(5)));
    page.clear();
    let mut inside = page.draw_pane_frame(title, right, true, PaneEdges::ALONE);
    match lines {
        Ok(lines) => panes::candidate::draw_diff_lines(lines, &mut inside, top),
        Err(said) => {
            inside.draw_text(1, 0, said, Role::Dim);
            0
        }
    }
}

/// Draws a page of lines from line `top` on; the line it did begin with, for a page does not scroll beyond its end.
fn draw_text_page(
    canvas: &mut ClippedCanvas,
    title: &str,
    right: &str,
    lines: &[(String, Role)],
    top: usize,
) -> usize {
    let high = lines.len().saturating_add(4).min(u16::MAX.into()) as u16;
    let mut page = canvas.sub_canvas(centered_rect(canvas.area, WIDEST, high));
    page.clear();
    let mut inside = page.draw_pane_frame(title, right, true, PaneEdges::ALONE);
    let blank = usize::from(inside.height() > lines.len());
    let top = top.min(lines.len().saturating_sub(inside.height()));
    let shown = lines.iter().skip(top).take(inside.height());
    for (y, (line, role)) in shown.enumerate() {
        inside.draw_text(2, y + blank, line, *role);
    }
    top
}
