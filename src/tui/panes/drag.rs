//! Borders between panes, which the mouse can drag.

use ratatui::layout::{Position, Rect};

use super::layout::{LayoutMode, PaneKind, ScreenAreas};

/// A border that is being dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BorderDrag {
    /// The border between the columns.
    Split,
    /// The border above this pane, and its row at the last event.
    Above(PaneKind, u16),
}

/// The panes that can lie below others.
const STACKABLE_PANES: [PaneKind; 7] = [
    PaneKind::Tree,
    PaneKind::Candidate,
    PaneKind::Progress,
    PaneKind::Log,
    PaneKind::Program,
    PaneKind::Passes,
    PaneKind::Algorithm,
];

/// The border at a cell of the screen, if there is one that can be moved.
pub fn find_border(areas: &ScreenAreas, zoomed: bool, at: Position) -> Option<BorderDrag> {
    if areas.mode != LayoutMode::Wide || zoomed {
        return None;
    }
    let top = areas.body_top();
    // A pane over both columns has no border between them.
    let spans = |pane: &PaneKind| {
        let area = areas.pane_area(*pane);
        area.contains(at) && area.width == areas.header.width
    };
    let between = !PaneKind::WITH_KEYS.iter().any(spans);
    let in_body = at.y >= top && at.y < areas.footer.y;
    if in_body && between && (at.x == areas.split || at.x + 1 == areas.split) {
        return Some(BorderDrag::Split);
    }
    let is_line = |area: Rect| area.contains(at) && area.y == at.y && area.y > top;
    let below = STACKABLE_PANES
        .into_iter()
        .find(|pane| is_line(areas.pane_area(*pane)))?;
    Some(BorderDrag::Above(below, at.y))
}
