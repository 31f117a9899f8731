//! Lines between panes, moved by the mouse.

use ratatui::layout::{Position, Rect};

use crate::tui::app::App;
use crate::tui::panes::layout::{LayoutMode, PaneKind, ScreenAreas};

/// A line that is being moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BorderDrag {
    /// The line between the columns.
    Split,
    /// The line above this pane; and where it was last.
    Above(PaneKind, u16),
}

/// The panes that can lie below others.
const PANES: [PaneKind; 7] = [
    PaneKind::Tree,
    PaneKind::Trying,
    PaneKind::Candidate,
    PaneKind::Progress,
    PaneKind::Verdicts,
    PaneKind::Program,
    PaneKind::Passes,
];

/// The line at a cell of the screen, if there is one that can be moved.
fn find_border(regions: &ScreenAreas, zoomed: bool, at: Position) -> Option<BorderDrag> {
    if regions.mode != LayoutMode::Wide || zoomed {
        return None;
    }
    let top = regions.header.y + 1;
    if at.y >= top
        && at.y < regions.footer.y
        && (at.x == regions.split || at.x + 1 == regions.split)
    {
        return Some(BorderDrag::Split);
    }
    let is_line = |area: Rect| area.contains(at) && area.y == at.y && area.y > top;
    let below = PANES
        .into_iter()
        .find(|pane| is_line(regions.pane_area(*pane)))?;
    Some(BorderDrag::Above(below, at.y))
}

impl App {
    /// The mouse went down on a cell: begins to move a line, or clicks.
    pub fn on_mouse_down(&mut self, column: u16, row: u16) -> bool {
        let at = Position { x: column, y: row };
        self.drag = match self.layers.is_empty() {
            true => find_border(&self.areas, self.zoomed, at),
            false => None,
        };
        self.drag.is_some() || self.on_click(column, row)
    }

    /// The mouse moved while it was down.
    pub fn on_mouse_drag(&mut self, column: u16, row: u16) -> bool {
        match &mut self.drag {
            None => false,
            Some(BorderDrag::Split) => {
                self.sizes.set_split(self.areas.header.width, column);
                true
            }
            Some(BorderDrag::Above(pane, last)) => {
                let by = *last as i16 - row as i16;
                *last = row;
                self.sizes.adjust_height(*pane, by);
                true
            }
        }
    }

    /// The mouse went up.
    pub fn on_mouse_up(&mut self) {
        self.drag = None;
    }
}
