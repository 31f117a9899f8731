//! The rows of the tree pane that are directories and files of a project.
//!
//! ```text
//!  │  ▾ lib  2 files                      ⇄ 3     121    │   a directory: what is in it, and the sum of its tokens
//!  │⟳   ▸ Port.kt                         ⇄ 2      44    │   a file; the candidate removes it; two files need it
//!  │    ▸ Store.kt                     ◎  ⇄ 1      77    │   the failure is in it
//!  │    ▸ 12 files gone                                  │   folded away; unfolded, each is struck through
//! ```

use std::path::Path;

use rustc_hash::FxHashMap;

use super::pane_context::PaneContext;
use crate::display::EscapeHidden;
use crate::program::{Version, walk};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::program_view::file_folds::FileRow;
use crate::tui::program_view::file_graph::FileGraph;
use crate::tui::program_view::file_tree::FileTree;
use crate::tui::program_view::folds::FileLine;
use crate::tui::program_view::heat::HeatMap;
use crate::tui::theme::Role;

/// The cells of the number of tokens, and of the number of files that need one.
const TOKENS_WIDTH: usize = 8;
const NEEDS_WIDTH: usize = 6;
/// On a narrower pane the second number is not shown.
const LEAST_WIDTH: usize = 34;

/// What the rows show besides the files themselves.
pub struct FileMarks<'a> {
    /// How much the run spends on each entry.
    pub heat: &'a HeatMap,
    /// How many files of each entry have a place of the failure.
    pub failing: &'a FxHashMap<usize, u32>,
    /// Which file needs which, once that is known.
    pub graph: Option<&'a FileGraph>,
}

/// Draws the row of a directory or a file, with this name.
pub fn draw_file_line(
    context: &PaneContext,
    marks: &FileMarks,
    inside: &mut ClippedCanvas,
    line: usize,
    (file, tree): (&FileLine, &FileTree),
    (name, plain): (&Path, Role),
) {
    let glyphs = inside.theme.glyphs;
    let width = inside.width();
    let totals = &file.totals;
    if file.removed {
        inside.draw_text(0, line, glyphs.trying, Role::Trying);
    } else if totals.pinned > 0 {
        let all = totals.pinned == totals.leaves;
        let glyph = if all { glyphs.pinned } else { glyphs.partly };
        inside.draw_text(0, line, glyph, Role::Pinned);
    }
    let x = 2 + 2 * (file.depth as usize).min(width / 8);
    let fold = match file.open {
        Some(true) => glyphs.open,
        Some(false) => glyphs.closed,
        None => " ",
    };
    let x = inside.draw_text(x, line, fold, Role::Dim) + 1;
    let FileRow::Entry(at) = file.row else {
        let gone = format!("{} gone", text::format_count(file.files.into(), "file"));
        let room = width.saturating_sub(x + 1);
        inside.draw_text(
            x,
            line,
            &text::truncate_end(&gone, room, glyphs.cut),
            Role::Dim,
        );
        return;
    };
    if let Some((level, role)) = marks.heat.entry_level(at) {
        inside.draw_text(1, line, glyphs.heat[level], role);
    }
    let entry = &tree.entries()[at];
    let is_gone = totals.files == 0;
    let mut end = width.saturating_sub(1);
    if let Some(letter) = file
        .head
        .and_then(|head| context.bookmarks.letter_of(head.id))
    {
        inside.draw_text(end, line, &letter.to_string(), Role::Note);
    }
    if !is_gone {
        let tokens = text::format_number(totals.tokens.into());
        let left = inside.draw_text_before(end, line, &tokens, Role::Number);
        end = left.min(end.saturating_sub(TOKENS_WIDTH));
    }
    if width >= LEAST_WIDTH && !is_gone {
        let snapshot = context.view.snapshot.as_ref();
        let documents = snapshot.map_or(&[][..], |snapshot| snapshot.version.documents());
        let is_there = |user: &&usize| documents.get(**user).is_some_and(|file| !file.is_gone);
        let users = entry.document.zip(marks.graph);
        let users = users.map_or(0, |(document, graph)| {
            graph.users_of(document).iter().filter(is_there).count()
        });
        if users > 0 {
            let needed = format!("{} {}", glyphs.needed, text::format_number(users as u64));
            inside.draw_text_before(end, line, &needed, Role::Dim);
        }
        end = end.saturating_sub(NEEDS_WIDTH);
    }
    let has_place = marks.failing.contains_key(&at);
    // A directory that is open leaves the mark to what is in it.
    if has_place && (entry.document.is_some() || file.open == Some(false)) {
        end = end.saturating_sub(2);
        inside.draw_text(end, line, glyphs.place, Role::Note);
    }
    let room = |x: usize| end.saturating_sub(x + 1);
    let query = context.search.map(|search| &search.query);
    let role = match entry.document {
        _ if query.is_some_and(|query| query.matches_path(name)) => Role::Match,
        _ if is_gone => Role::Deleted,
        _ if file.removed => Role::Trying,
        Some(_) => plain,
        None => Role::Kind,
    };
    let name = name.escape_hidden();
    let name = text::displayable_line(&name, glyphs.braille);
    let name = text::truncate_middle(&name, room(x), glyphs.cut);
    let x = inside.draw_text(x, line, &name, role) + 2;
    let version = context.view.snapshot.as_ref();
    let version = version.map(|snapshot| &snapshot.version);
    let target = entry.document.filter(|_| !is_gone).zip(version);
    if let Some(target) = target.and_then(|(file, version)| link_target(context, file, version)) {
        let target = text::displayable_line(&target, glyphs.braille);
        let target = format!("{} {target}", glyphs.arrow);
        let target = text::truncate_middle(&target, room(x), glyphs.cut);
        inside.draw_text(x.saturating_sub(1), line, &target, Role::Dim);
    }
    if entry.document.is_none() {
        let all = text::format_count(totals.all_files.into(), "file");
        let count = match totals.files {
            0 => all,
            there if there == totals.all_files => all,
            there => format!("{} of {all}", text::format_number(there.into())),
        };
        if text::text_width(&count) <= room(x) {
            inside.draw_text(x, line, &count, Role::Dim);
        }
    }
}

/// The path that a file holds which is a symbolic link.
fn link_target(context: &PaneContext, file: usize, version: &Version) -> Option<String> {
    let document = version.documents().get(file)?;
    let is_link = context.view.context.links.contains(&file);
    is_link.then(|| {
        let text = walk::render_text(&document.root);
        String::from_utf8_lossy(&text)
            .trim_end()
            .escape_hidden()
            .into_owned()
    })
}
