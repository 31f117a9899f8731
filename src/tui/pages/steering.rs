//! What is in force, one row each: a row can be removed, or its line typed again with a change.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, draw_text_page, line_width};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::{PaneAction, step_index};
use crate::tui::program_view::steering::list_steering;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The page of what is in force.
#[derive(Debug, Default)]
pub struct SteeringPage {
    /// The row that the user is on.
    row: usize,
}

impl OverlayPage for SteeringPage {
    fn kind(&self) -> PageKind {
        PageKind::Steering
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let view = context.view;
        let glyphs = view.theme.glyphs;
        let Some(snapshot) = &view.snapshot else {
            return;
        };
        let items = list_steering(snapshot, &glyphs);
        self.row = self.row.min(items.len().saturating_sub(1));
        let room = line_width(canvas.width());
        let mut lines: Vec<(String, Role)> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let (cursor, role) = match at == self.row {
                true => (">", Role::Note),
                false => (" ", Role::Text),
            };
            let words = text::displayable_line(&item.text, glyphs.braille);
            let line = format!("{cursor} {} {words}", item.mark);
            lines.push((text::truncate_middle(&line, room, glyphs.cut), role));
        }
        if items.is_empty() {
            lines.push(("Nothing is in force any more.".into(), Role::Dim));
        }
        let right = view.setup.keys.describe_keys(&[
            ("remove", "removes"),
            ("retype", "changes"),
            ("close", "closes"),
        ]);
        let mut scroll = PageScroll::default();
        scroll.scroll_to(self.row.saturating_sub(canvas.height() / 2));
        draw_text_page(canvas, "In force", &right, &lines, &mut scroll);
    }

    fn navigate(&mut self, action: PaneAction, view: &RunView) {
        let Some(snapshot) = &view.snapshot else {
            return;
        };
        let rows = list_steering(snapshot, &view.theme.glyphs).len();
        self.row = step_index(self.row, action, 10).min(rows.saturating_sub(1));
    }

    fn selected_row(&self) -> usize {
        self.row
    }
}
