//! The minimap: one column that stands for the whole document, row by row: what is tried, what is kept or pointed at, and where the heat is.
//!
//! The walk goes only into nodes that stand on more than one row, so it costs what is visible, however long the program is.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::edit_marks::{EditMarks, NodeMark};
use super::heat::HeatMap;
use super::lines::count_line_ends;
use crate::program::{ConstraintRule, ConstraintSet, NodeId, ProgramNode, Version, walk};
use crate::tui::theme::Role;

/// Places of a candidate beyond this number have no mark.
const MOST_PLACES: usize = 256;

/// What a row of the minimap stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MinimapRow {
    /// Whether the current candidate removes any of it.
    pub tried: bool,
    /// Whether any of it is pinned.
    pub pinned: bool,
    /// The rule that says most about it, besides pins.
    pub rule: Option<ConstraintRule>,
    /// The level of the hottest node in it, and its role.
    pub heat: Option<(usize, Role)>,
}

/// The rows of constraints that are no pins: the first and the last line of each, counted from 0. The last one says most.
pub fn steered_lines(
    constraints: &ConstraintSet,
    root: &Arc<ProgramNode>,
) -> Vec<(ConstraintRule, u32, u32)> {
    let shown = constraints.iter().filter(|constraint| {
        !constraint.rule.is_pin() && constraint.rule != ConstraintRule::Mention
    });
    let lines = shown.filter_map(|constraint| {
        let (first, last) = constraint.lines_in(root)?;
        Some((constraint.rule, first, last))
    });
    lines.collect()
}

/// The rows of a minimap of this height.
pub fn minimap_rows(
    version: &Version,
    document: usize,
    marks: &EditMarks,
    steered: &[(ConstraintRule, u32, u32)],
    heat: &HeatMap,
    height: usize,
) -> Vec<MinimapRow> {
    let mut rows = vec![MinimapRow::default(); height];
    let Some(root) = version.documents().get(document) else {
        return rows;
    };
    let root = &root.root;
    let lines = u64::from(root.sums().newlines) + 1;
    // A short document needs one row for each line.
    let used = (height as u64).min(lines);
    let row_of = |line: u32| (u64::from(line) * used / lines) as usize;
    let around = nodes_around(version, marks);
    let mut stack = vec![(root, marks.mark_root(root), 0u32)];
    while let Some((node, mark, line)) = stack.pop() {
        let sums = node.sums();
        // The white space before a node stands on the lines before it.
        let before = walk::leaf_at(node, 0).map_or(0, |leaf| count_line_ends(leaf.trivia()));
        let (first, last) = (row_of(line + before), row_of(line + sums.newlines));
        let shown = first..=last.min(height.saturating_sub(1));
        let Some(part) = rows.get_mut(shown) else {
            continue;
        };
        if mark.removed {
            part.iter_mut().for_each(|row| row.tried = true);
            continue;
        }
        let is_single = part.len() <= 1;
        if is_single || node.shape.is_leaf() {
            for row in part {
                row.pinned |= sums.pinned > 0;
                let hot = heat.level_of_tests(node.id);
                row.heat = [row.heat, hot].into_iter().flatten().max_by_key(level);
                let holds_tried =
                    around.contains(&node.id) || marks.removes_elements_below(mark, node);
                if is_single && !row.tried && holds_tried {
                    push_children(&mut stack, marks, node, mark, line);
                }
            }
        } else {
            push_children(&mut stack, marks, node, mark, line);
        }
    }
    for (rule, first, last) in steered {
        let shown = row_of(*first)..=row_of(*last).min(height.saturating_sub(1));
        let part = rows.get_mut(shown).into_iter().flatten();
        part.for_each(|row| row.rule = Some(*rule));
    }
    rows
}

fn level(heat: &(usize, Role)) -> usize {
    heat.0
}

fn push_children<'a>(
    stack: &mut Vec<(&'a Arc<ProgramNode>, NodeMark, u32)>,
    marks: &EditMarks,
    node: &'a Arc<ProgramNode>,
    mark: NodeMark,
    line: u32,
) {
    let (mut item, mut line) = (0, line);
    for child in node.children() {
        stack.push((child, marks.mark_child(mark, item, child), line));
        item += child.sums().items;
        line += child.sums().newlines;
    }
}

/// The nodes that the candidate changes, and all around them.
fn nodes_around(version: &Version, marks: &EditMarks) -> FxHashSet<NodeId> {
    let places = marks.places().take(MOST_PLACES);
    let paths = places.filter_map(|place| version.path_to(place));
    let nodes = paths.flat_map(|path| path.nodes.into_iter().map(|node| node.id));
    nodes.collect()
}
