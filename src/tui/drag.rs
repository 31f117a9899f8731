//! Lines between panes, moved by the mouse.

use ratatui::layout::{Position, Rect};

use super::app::App;
use super::layout::{Mode, Pane, Regions};

/// A line that is being moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drag {
    /// The line between the columns.
    Split,
    /// The line above this pane; and where it was last.
    Above(Pane, u16),
}

/// The panes that can lie below others.
const PANES: [Pane; 7] = [
    Pane::Tree,
    Pane::Trying,
    Pane::Candidate,
    Pane::Progress,
    Pane::Verdicts,
    Pane::Program,
    Pane::Passes,
];

/// The line at a cell of the screen, if there is one that can be moved.
fn line(regions: &Regions, zoomed: bool, at: Position) -> Option<Drag> {
    if regions.mode != Mode::Wide || zoomed {
        return None;
    }
    let top = regions.header.y + 1;
    if at.y >= top
        && at.y < regions.footer.y
        && (at.x == regions.split || at.x + 1 == regions.split)
    {
        return Some(Drag::Split);
    }
    let is_line = |area: Rect| area.contains(at) && area.y == at.y && area.y > top;
    let below = PANES.into_iter().find(|pane| is_line(regions.of(*pane)))?;
    Some(Drag::Above(below, at.y))
}

impl App {
    /// The mouse went down on a cell: begins to move a line, or clicks.
    pub fn press(&mut self, column: u16, row: u16) -> bool {
        let at = Position { x: column, y: row };
        self.drag = match self.layers.is_empty() {
            true => line(&self.regions, self.zoomed, at),
            false => None,
        };
        self.drag.is_some() || self.click(column, row)
    }

    /// The mouse moved while it was down.
    pub fn pull(&mut self, column: u16, row: u16) -> bool {
        match &mut self.drag {
            None => false,
            Some(Drag::Split) => {
                self.sizes.put_split(self.regions.header.width, column);
                true
            }
            Some(Drag::Above(pane, last)) => {
                let by = *last as i16 - row as i16;
                *last = row;
                self.sizes.heighten(*pane, by);
                true
            }
        }
    }

    /// The mouse went up.
    pub fn release(&mut self) {
        self.drag = None;
    }
}
