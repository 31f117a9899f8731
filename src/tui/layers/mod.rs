//! Pages that lie over the panes.

pub mod help;
pub mod result;

use ratatui::layout::Rect;

/// A rectangle of at most this size in the middle of another.
pub fn middle(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}
