//! Moves in a pane that shows text: sideways, and from node to node.

use std::ops::Range;

use super::pane_action::PaneAction;
use crate::program::{NodePath, Version};
use crate::tui::program_view::node_selection::NodeSelection;
use crate::tui::program_view::selection::outer_row;
use crate::tui::program_view::visibility::first_row_below;

/// The number of cells that the text scrolls sideways at once.
const SIDEWAYS_STEP: usize = 8;

/// The most cells that are scrolled out on the left.
const MOST_SIDEWAYS: usize = 1 << 20;

/// The number of cells that stay visible beside a part of a line.
const CONTEXT: usize = 8;

/// The cells to scroll out on the left, so that these columns are visible in `room` cells: none where they are without that.
pub fn offset_showing(columns: Range<usize>, room: usize) -> usize {
    match columns.len() + 2 * CONTEXT < room {
        _ if columns.end < room => 0,
        true => (columns.end + CONTEXT).saturating_sub(room),
        false => columns.start.saturating_sub(CONTEXT),
    }
}

/// Scrolls sideways. The result is whether the action does that.
pub fn scroll_sideways(column_offset: &mut usize, action: PaneAction) -> bool {
    match action {
        PaneAction::Left => *column_offset = column_offset.saturating_sub(SIDEWAYS_STEP),
        PaneAction::Right => *column_offset = (*column_offset + SIDEWAYS_STEP).min(MOST_SIDEWAYS),
        _ => return false,
    }
    true
}

/// Goes from the node at the end of `path` to the one around it, or to the first in it, and back to the beginning of its line. The result is
/// whether the action does that, and there is such a node.
pub fn go_to_near_node(
    column_offset: &mut usize,
    selection: &mut NodeSelection,
    version: &Version,
    path: &NodePath,
    action: PaneAction,
) -> bool {
    let target = match action {
        PaneAction::Outer => outer_row(version, path),
        PaneAction::Inner => first_row_below(&version.documents()[path.document], path.node()),
        _ => None,
    };
    let Some(target) = target else {
        return false;
    };
    *column_offset = 0;
    selection.select_node(version, target.id);
    true
}
