//! What pages have in common: a rectangle in the middle of the screen, lines of text or of a diff, and a scroll position.

use ratatui::layout::Rect;

use crate::tui::commands::bindings::KeyBindings;
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::panes::candidate::draw_diff_lines;
use crate::tui::panes::pane_action::{PaneAction, step_index};
use crate::tui::program_view::diff_line::DiffLine;
use crate::tui::theme::Role;

/// The scroll position of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageScroll {
    /// The line at the top, as of the last frame.
    top: usize,
    /// How many lines were visible in the last frame.
    height: usize,
}

impl PageScroll {
    /// Scrolls. A position beyond the end is corrected when the page is drawn.
    pub fn navigate(&mut self, action: PaneAction) {
        // A line of the page before stays visible.
        let page = self.height.saturating_sub(1).max(1);
        self.top = step_index(self.top, action, page);
    }

    /// The line at the top, as of the last frame.
    pub fn top(&self) -> usize {
        self.top
    }

    /// Puts a line at the top.
    pub fn scroll_to(&mut self, top: usize) {
        self.top = top;
    }

    /// The line at the top, for a text of `lines` lines on `height` lines of the screen.
    pub fn first_line(&mut self, lines: usize, height: usize) -> usize {
        self.height = height;
        self.top = self.top.min(lines.saturating_sub(height));
        self.top
    }

    /// Goes back to the top.
    pub fn reset(&mut self) {
        self.top = 0;
    }
}

/// A rectangle of at most this size in the middle of `area`. Where little of the width would be left beside it, it takes all: a frame
/// beside that of a pane is hard to read.
pub fn centered_rect(area: Rect, width: u16, height: u16) -> Rect {
    const LEAST_BESIDE: u16 = 6;
    let width = match area.width.saturating_sub(width) < LEAST_BESIDE {
        true => area.width,
        false => width,
    };
    let height = height.min(area.height);
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}

/// The greatest width of a page.
const MOST_WIDTH: u16 = 110;

/// The width of a text line on a page, on a screen of this width.
pub fn line_width(screen: usize) -> usize {
    screen.min(MOST_WIDTH.into()).saturating_sub(6)
}

/// Wraps paragraphs to lines of at most `cells` cells. An empty paragraph is an empty line.
pub fn wrap_paragraphs(
    paragraphs: &[(String, Role)],
    cells: usize,
    mark: &str,
) -> Vec<(String, Role)> {
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

/// The keys that close a page: that of the command that opens it, and that of all pages.
pub fn close_hint(keys: &KeyBindings, opens: &str) -> String {
    format!(
        "{} or {}",
        keys.first_key_name(opens),
        keys.describe_keys(&[("close", "closes")])
    )
}

/// Draws a page with a diff, or with the reason why there is none.
pub fn draw_diff_page(
    canvas: &mut ClippedCanvas,
    title: &str,
    right: &str,
    lines: Result<&[DiffLine], &str>,
    scroll: &mut PageScroll,
) {
    let length = lines.map_or(1, <[DiffLine]>::len);
    let height = length.saturating_add(2).min(u16::MAX.into()) as u16;
    let mut page = canvas.sub_canvas(centered_rect(canvas.area, MOST_WIDTH, height.max(5)));
    page.clear();
    let mut inside = page.draw_pane_frame(title, right, true, PaneEdges::ALONE);
    match lines {
        Ok(lines) => {
            let top = scroll.first_line(lines.len(), inside.height());
            draw_diff_lines(lines, &mut inside, (top, 0));
        }
        Err(reason) => {
            inside.draw_text(1, 0, reason, Role::Dim);
            scroll.reset();
        }
    }
}

/// Draws a page of lines.
pub fn draw_text_page(
    canvas: &mut ClippedCanvas,
    title: &str,
    right: &str,
    lines: &[(String, Role)],
    scroll: &mut PageScroll,
) {
    let height = lines.len().saturating_add(4).min(u16::MAX.into()) as u16;
    let mut page = canvas.sub_canvas(centered_rect(canvas.area, MOST_WIDTH, height));
    page.clear();
    let mut inside = page.draw_pane_frame(title, right, true, PaneEdges::ALONE);
    let blank = usize::from(inside.height() > lines.len());
    let top = scroll.first_line(lines.len(), inside.height());
    let shown = lines.iter().skip(top).take(inside.height());
    for (y, (line, role)) in shown.enumerate() {
        inside.draw_text(2, y + blank, line, *role);
    }
}
