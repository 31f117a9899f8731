//! The tree: the visible rows of it, and nothing of the rest.
//!
//! ```text
//!  ╭◆ Tree ── translation_unit › function_definition ── following ╮
//!  │  ▾ translation_unit *      int a; int main() {…       163    │   fold marker, kind, `*` for a list below
//!  │⟳   ▸ declaration           int a;                       3    │   mark, first words, tokens
//!  │p   ▸ body: compound_sta…   { return 0; }                7    │   something in it must stay; field
//! ```

use std::time::Instant;

use super::super::app::{App, FLASH, Pane};
use super::super::canvas::{Canvas, Edges};
use super::super::folds::{self, Part, Row};
use super::super::text;
use super::super::theme::Role;
use crate::program::{Shape, Version, beginning};

/// Draws the tree with its frame.
pub fn draw(app: &mut App, canvas: &mut Canvas, now: Instant, edges: Edges) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let version = &snapshot.version;
    let focused = app.focus() == Pane::Tree;
    let following = match app.follow {
        _ if app.folds.is_unfolding() => "unfolding",
        true => "following",
        false if app.finished() => "",
        false => "following: off, F starts it",
    };
    let title = format!("Tree  {}", path(app, version));
    let mut inside = canvas.pane(&title, following, focused, edges);
    let trail = app.selected.and_then(|selected| version.trail(selected));
    let at = trail.map_or(0, |trail| app.folds.number(version, &trail));
    let len = app.folds.len(version);
    app.tree.show(at, len, inside.height());
    let rows = app
        .folds
        .rows(version, &app.marks, app.tree.top, inside.height());
    let changed = app.changed.filter(|(_, since)| now < *since + FLASH);
    for (line, row) in rows.iter().enumerate() {
        draw_row(app, &mut inside, line, row, version);
        if changed.is_some_and(|(node, _)| node == row.node.id) {
            let style = inside.look.of(Role::Changed);
            inside.tint(0, line, inside.width(), style);
        }
        if app.tree.top + line == at {
            let role = if focused {
                Role::Selection
            } else {
                Role::Linked
            };
            let style = inside.look.of(role);
            inside.tint(0, line, inside.width(), style);
        }
    }
}

/// The kinds from the document to the selected row.
fn path(app: &App, version: &Version) -> String {
    let Some(trail) = app.selected.and_then(|selected| version.trail(selected)) else {
        return String::new();
    };
    let document = &version.documents()[trail.document];
    // Deep trees have long paths; the ends are what fits a title.
    let mut kinds = trail
        .nodes
        .iter()
        .rev()
        .filter(|node| folds::part(document, node) == Part::Row);
    let mut near: Vec<&str> = kinds
        .by_ref()
        .take(8)
        .map(|node| version.kind(trail.document, node))
        .collect();
    if kinds.next().is_some() {
        near.push(app.look.glyphs.cut);
    }
    near.reverse();
    near.join(&format!(" {} ", app.look.glyphs.inside))
}

fn draw_row(app: &App, inside: &mut Canvas, line: usize, row: &Row, version: &Version) {
    let glyphs = inside.look.glyphs;
    let width = inside.width();
    let document = &version.documents()[row.document];
    if row.gone {
        inside.say(0, line, glyphs.trying, Role::Trying);
    } else if row.node.sums.pinned == row.node.sums.leaves {
        inside.say(0, line, glyphs.pinned, Role::Pinned);
    } else if row.node.sums.pinned > 0 {
        inside.say(0, line, glyphs.partly, Role::Pinned);
    }
    if let Some((level, role)) = app.heat.of(row.node.id) {
        inside.say(1, line, glyphs.heat[level], role);
    }
    let letter = app.letters.iter().find(|(_, node)| **node == row.node.id);
    if let Some((letter, _)) = letter {
        inside.say(
            width.saturating_sub(1),
            line,
            &letter.to_string(),
            Role::Note,
        );
    }
    let tokens = text::number(row.node.sums.tokens.into());
    let end = inside.say_before(width.saturating_sub(1), line, &tokens, Role::Number);

    // Deep rows are not moved out of the pane: beyond half of it the depth is a number.
    let most = (width / 4).max(2);
    let mut x = 2 + 2 * (row.depth as usize).min(most / 2);
    if row.depth as usize > most / 2 {
        x = inside.say(x, line, &format!("{} ", row.depth), Role::Dim);
    }
    let fold = match row.open {
        Some(true) => glyphs.open,
        Some(false) => glyphs.closed,
        None => " ",
    };
    x = inside.say(x, line, fold, Role::Dim) + 1;
    let room = |x: usize| end.saturating_sub(x + 1);
    if let Some(field) = field(document, row) {
        let field = text::cut_middle(&field, room(x) / 3, glyphs.cut);
        x = inside.say(x, line, &field, Role::Field);
        x = if field.is_empty() {
            x
        } else {
            inside.say(x, line, ": ", Role::Dim)
        };
    }
    let star = if folds::has_list(document, row.node) {
        " *"
    } else {
        ""
    };
    let kind = text::cut_middle(
        version.kind(row.document, row.node),
        room(x).saturating_sub(2).min(28),
        glyphs.cut,
    );
    let query = app.search.as_ref().map(|search| &search.query);
    let full = version.kind(row.document, row.node);
    let role = match row.node.shape {
        _ if query.is_some_and(|query| query.is_kind(full)) => Role::Match,
        Shape::Extra => Role::Dim,
        _ if row.gone => Role::Trying,
        _ => Role::Kind,
    };
    x = inside.say(x, line, &kind, role);
    x = inside.say(x, line, star, Role::Dim);
    // First words stand in a column, so that kinds and words can be read down.
    x = (x + 2).max(if width >= 60 {
        (2 + most + 24).min(width / 2)
    } else {
        0
    });
    if room(x) >= 4 {
        let words = beginning(row.node, room(x));
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
        inside.say(
            x,
            line,
            &text::cut_end(&plain, room(x), glyphs.cut),
            if row.gone { Role::Deleted } else { Role::Text },
        );
    }
}

/// The name of the field that the node fills.
fn field(document: &crate::program::Document, row: &Row) -> Option<String> {
    let language = document.language.filter(|_| row.node.field != 0)?;
    language.field_name(row.node.field)
}
