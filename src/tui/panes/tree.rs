//! The tree: the visible rows of it, and nothing of the rest.
//!
//! ```text
//!  ╭◆ Tree ── translation_unit › function_definition ── following ╮
//!  │  ▾ translation_unit *      int a; int main() {…       163    │   fold marker, kind, `*` for a list below
//!  │⟳   ▸ declaration           int a;                       3    │   mark, first words, tokens
//!  │p   ▸ body: compound_sta…   { return 0; }                7    │   something in it must stay; field
//! ```

use std::time::Instant;

use crate::program::{NodeShape, Version, text_excerpt};
use crate::tui::app::{App, FLASH, PaneKind};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::program_view::folds::{self, NodeVisibility, TreeRow};
use crate::tui::theme::Role;

/// Draws the tree with its frame.
pub fn draw_tree_pane(app: &mut App, canvas: &mut ClippedCanvas, now: Instant, edges: PaneEdges) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let version = &snapshot.version;
    let focused = app.focused_pane() == PaneKind::Tree;
    let following = match app.follow {
        _ if app.folds.is_unfolding() => "unfolding",
        true => "following",
        false if app.is_finished() => "",
        false => "following: off, F starts it",
    };
    let title = format!("Tree  {}", selection_path(app, version));
    let mut inside = canvas.draw_pane_frame(&title, following, focused, edges);
    let trail = app.selected.and_then(|selected| version.path_to(selected));
    let at = trail.map_or(0, |trail| app.folds.row_number(version, &trail));
    let len = app.folds.row_count(version);
    app.tree_scroll.scroll_to(at, len, inside.height());
    let rows = app.folds.visible_rows(
        version,
        &app.edit_marks,
        app.tree_scroll.top,
        inside.height(),
    );
    let changed = app.changed_node.filter(|(_, since)| now < *since + FLASH);
    for (line, row) in rows.iter().enumerate() {
        draw_tree_row(app, &mut inside, line, row, version);
        if changed.is_some_and(|(node, _)| node == row.node.id) {
            let style = inside.theme.role_style(Role::Changed);
            inside.set_line_style(0, line, inside.width(), style);
        }
        if app.tree_scroll.top + line == at {
            let role = if focused {
                Role::Selection
            } else {
                Role::Linked
            };
            let style = inside.theme.role_style(role);
            inside.set_line_style(0, line, inside.width(), style);
        }
    }
}

/// The kinds from the document to the selected row.
fn selection_path(app: &App, version: &Version) -> String {
    let Some(trail) = app.selected.and_then(|selected| version.path_to(selected)) else {
        return String::new();
    };
    let document = &version.documents()[trail.document];
    // Deep trees have long paths; the ends are what fits a title.
    let mut kinds = trail
        .nodes
        .iter()
        .rev()
        .filter(|node| folds::node_visibility(document, node) == NodeVisibility::Row);
    let mut near: Vec<&str> = kinds
        .by_ref()
        .take(8)
        .map(|node| version.kind_name(trail.document, node))
        .collect();
    if kinds.next().is_some() {
        near.push(app.theme.glyphs.cut);
    }
    near.reverse();
    near.join(&format!(" {} ", app.theme.glyphs.inside))
}

fn draw_tree_row(
    app: &App,
    inside: &mut ClippedCanvas,
    line: usize,
    row: &TreeRow,
    version: &Version,
) {
    let glyphs = inside.theme.glyphs;
    let width = inside.width();
    let document = &version.documents()[row.document];
    if row.removed {
        inside.draw_text(0, line, glyphs.trying, Role::Trying);
    } else if row.node.sums.pinned == row.node.sums.leaves {
        inside.draw_text(0, line, glyphs.pinned, Role::Pinned);
    } else if row.node.sums.pinned > 0 {
        inside.draw_text(0, line, glyphs.partly, Role::Pinned);
    }
    if let Some((level, role)) = app.heat.heat_level(row.node.id) {
        inside.draw_text(1, line, glyphs.heat[level], role);
    }
    let letter = app.bookmarks.iter().find(|(_, node)| **node == row.node.id);
    if let Some((letter, _)) = letter {
        inside.draw_text(
            width.saturating_sub(1),
            line,
            &letter.to_string(),
            Role::Note,
        );
    }
    let tokens = text::format_number(row.node.sums.tokens.into());
    let end = inside.draw_text_before(width.saturating_sub(1), line, &tokens, Role::Number);

    // Deep rows are not moved out of the pane: beyond half of it the depth is a number.
    let most = (width / 4).max(2);
    let mut x = 2 + 2 * (row.depth as usize).min(most / 2);
    if row.depth as usize > most / 2 {
        x = inside.draw_text(x, line, &format!("{} ", row.depth), Role::Dim);
    }
    let fold = match row.open {
        Some(true) => glyphs.open,
        Some(false) => glyphs.closed,
        None => " ",
    };
    x = inside.draw_text(x, line, fold, Role::Dim) + 1;
    let room = |x: usize| end.saturating_sub(x + 1);
    if let Some(field) = field_name(document, row) {
        let field = text::truncate_middle(&field, room(x) / 3, glyphs.cut);
        x = inside.draw_text(x, line, &field, Role::Field);
        x = if field.is_empty() {
            x
        } else {
            inside.draw_text(x, line, ": ", Role::Dim)
        };
    }
    let star = if folds::has_list(document, row.node) {
        " *"
    } else {
        ""
    };
    let kind = text::truncate_middle(
        version.kind_name(row.document, row.node),
        room(x).saturating_sub(2).min(28),
        glyphs.cut,
    );
    let query = app.search.as_ref().map(|search| &search.query);
    let full = version.kind_name(row.document, row.node);
    let role = match row.node.shape {
        _ if query.is_some_and(|query| query.matches_kind(full)) => Role::Match,
        NodeShape::Extra => Role::Dim,
        _ if row.removed => Role::Trying,
        _ => Role::Kind,
    };
    x = inside.draw_text(x, line, &kind, role);
    x = inside.draw_text(x, line, star, Role::Dim);
    // First words stand in a column, so that kinds and words can be read down.
    x = (x + 2).max(if width >= 60 {
        (2 + most + 24).min(width / 2)
    } else {
        0
    });
    if room(x) >= 4 {
        let words = text_excerpt(row.node, room(x));
        let plain: String = words
            .chars()
            .map(|c| {
                if glyphs.braille || c.is_ascii() {
                    c
                } else {
                    '~'
                }
            })
            .collect();
        inside.draw_text(
            x,
            line,
            &text::truncate_end(&plain, room(x), glyphs.cut),
            if row.removed {
                Role::Deleted
            } else {
                Role::Text
            },
        );
    }
}

/// The name of the field that the node fills.
fn field_name(document: &crate::program::Document, row: &TreeRow) -> Option<String> {
    let language = document.language.filter(|_| row.node.field != 0)?;
    language.field_name(row.node.field)
}
