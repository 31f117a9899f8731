//! The tree: only its visible rows are computed and drawn.
//!
//! ```text
//!  ╭◆ Tree ── translation_unit › function_definition ── following ╮
//!  │  ▾ int a; int main() {…    translation_unit *       163    │   fold marker, first words, kind, `*` for a list below, tokens
//!  │⟳   ▸ a                     declaration                3    │   mark, the name that it declares
//!  │    ▸ Δ2 b                  declaration                5    │   in a pair: tokens without twins, and their number
//!  │p   ▸ { return 0; }         body: compound_sta…        7    │   something in it must stay; field
//! ```
//!
//! In a project the directories and files stand above the trees (`file_line.rs`).

use std::path::Path;
use std::sync::Arc;

use super::file_line::{FileMarks, draw_file_line};
use super::layout::PaneKind;
use super::pane_action::PaneAction;
use super::pane_context::PaneContext;
use super::scroll::ScrollState;
use crate::program::{ConstraintRule, ConstraintSet, ProgramNode, Version, text_excerpt, walk};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::program_view::file_folds::{FileFolds, FileRow};
use crate::tui::program_view::folds::{PaneRow, TreeRow};
use crate::tui::program_view::heat::HeatMap;
use crate::tui::program_view::node_selection::NodeSelection;
use crate::tui::program_view::pair_alignment::SIDES;
use crate::tui::program_view::selection::outer_row;
use crate::tui::program_view::steering::rule_mark;
use crate::tui::program_view::visibility::{self, NodeVisibility, file_head};
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// The state of the pane. The folds belong to the selection, which the tree shares with the program.
#[derive(Debug, Default)]
pub struct TreePane {
    /// The rows that are visible.
    pub scroll: ScrollState,
    /// How much the run spends on each node.
    pub heat: HeatMap,
}

impl TreePane {
    /// Moves by rows, folds and unfolds.
    pub fn navigate(&self, selection: &mut NodeSelection, version: &Version, action: PaneAction) {
        if selection.selected_path(version).is_none() {
            return;
        }
        selection.update_shown_rows(version);
        let row = selection.row_number(version);
        let last = selection.folds.row_count(version).saturating_sub(1);
        let page = self.scroll.page_length();
        match action {
            PaneAction::Up => selection.select_row(version, row.saturating_sub(1)),
            PaneAction::Down => selection.select_row(version, (row + 1).min(last)),
            PaneAction::PageUp => selection.select_row(version, row.saturating_sub(page)),
            PaneAction::PageDown => selection.select_row(version, (row + page).min(last)),
            PaneAction::Top => selection.select_row(version, 0),
            PaneAction::Bottom => selection.select_row(version, last),
            PaneAction::UnfoldAll => selection.folds.set_all(version, true),
            PaneAction::FoldAll => {
                selection.folds.set_all(version, false);
                // The selected node may be folded away now: its visible ancestor is selected.
                let row = selection.row_number(version);
                selection.select_row(version, row);
            }
            _ => match selection.file_row {
                Some(row) => fold_file_row(selection, version, row, action),
                None => fold_node(selection, version, action),
            },
        }
    }

    /// Selects the row on a line of the pane.
    pub fn select_line(&self, selection: &mut NodeSelection, version: &Version, line: usize) {
        selection.update_shown_rows(version);
        selection.select_row(version, self.scroll.top + line);
    }

    /// Draws the tree with its frame.
    pub fn draw_pane(
        &mut self,
        context: &PaneContext,
        selection: &mut NodeSelection,
        canvas: &mut ClippedCanvas,
        edges: PaneEdges,
    ) {
        let Some(snapshot) = &context.view.snapshot else {
            return;
        };
        let version = &snapshot.version;
        let focused = context.focus == PaneKind::Tree;
        let following = match selection.follow {
            _ if selection.folds.is_unfolding() => "unfolding",
            true => "following",
            false if context.view.is_finished() => "",
            false if canvas.width() < 44 => "",
            false => "following: off, F starts it",
        };
        let side = match context.view.is_pair() {
            true => SIDES.get(selection.shown_document(version)),
            false => None,
        };
        let side = side.map_or_else(String::new, |(name, ..)| format!("  {name}"));
        selection.update_shown_rows(version);
        selection.folds.update_files(version);
        let name = match selection.folds.files().map(FileFolds::whole_totals) {
            Some(whole) => format!(
                "Files  {} of {}",
                text::format_number(whole.files.into()),
                text::format_number(whole.all_files.into())
            ),
            None => format!("Tree{side}"),
        };
        let title = match selection_title(context, selection, version) {
            path if path.is_empty() && selection.folds.files().is_some() => name,
            path => format!("{name}  {path}"),
        };
        let mut inside = canvas.draw_pane_frame(&title, following, focused, edges);
        let at = selection.row_number(version);
        let len = selection.folds.row_count(version);
        self.scroll
            .scroll_to_followed(at, len, inside.height(), selection.follow);
        let marks = &context.view.edit_marks;
        let rows = selection
            .folds
            .visible_rows(version, marks, self.scroll.top, inside.height());
        let changed = context.view.flashing_node(context.now);
        let failing = selection
            .folds
            .files_mut()
            .map(|files| files.failing_files(&snapshot.constraints));
        let files = selection.folds.files().zip(failing.as_deref());
        for (line, row) in rows.iter().enumerate() {
            match row {
                PaneRow::Node(row) => {
                    self.draw_row(context, &mut inside, line, row, version);
                }
                PaneRow::File(file) => {
                    if let Some((files, failing)) = files {
                        let marks = FileMarks {
                            heat: &self.heat,
                            failing,
                            graph: context.view.files.graph.as_deref(),
                        };
                        let tree = files.tree();
                        let name = match file.row {
                            FileRow::Entry(at) => tree.name_of(at),
                            FileRow::Gone(_) => Path::new(""),
                        };
                        draw_file_line(
                            context,
                            &marks,
                            &mut inside,
                            line,
                            (file, tree),
                            (name, Role::Text),
                        );
                    }
                }
            }
            if changed.is_some() && changed == row.node_id() {
                let style = inside.theme.role_style(Role::Changed);
                inside.set_line_style(0, line, inside.width(), style);
            }
            if self.scroll.top + line == at {
                inside.mark_selected_line(line, focused);
            }
        }
    }

    fn draw_row(
        &self,
        context: &PaneContext,
        inside: &mut ClippedCanvas,
        line: usize,
        row: &TreeRow,
        version: &Version,
    ) {
        let glyphs = inside.theme.glyphs;
        let width = inside.width();
        let heat = self.heat.heat_level(row.node.id);
        let heat = heat.map(|(level, role)| (glyphs.heat[level], role));
        let steered = steering_mark(context, row, &glyphs).or_else(|| pin_mark(row, &glyphs));
        // What is tried is marked first, and its other mark stands behind it.
        let marks = match row.removed {
            true => [Some((glyphs.trying, Role::Trying)), steered.or(heat)],
            false => [steered, heat],
        };
        for (x, (mark, role)) in marks
            .into_iter()
            .enumerate()
            .filter_map(|(x, mark)| Some((x, mark?)))
        {
            inside.draw_text(x, line, mark, role);
        }
        if let Some(letter) = context.bookmarks.letter_of(row.node.id) {
            inside.draw_text(
                width.saturating_sub(1),
                line,
                &letter.to_string(),
                Role::Note,
            );
        }
        let tokens = text::format_number(row.node.sums().tokens.into());
        let end = inside.draw_text_before(width.saturating_sub(1), line, &tokens, Role::Number);

        // Indentation is limited; a deeper row shows its depth as a number.
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
        if let Some(count) = unpaired_count(context, version, row) {
            let count = text::format_number(count as u64);
            let mark = format!("{}{count}", glyphs.difference);
            x = inside.draw_text(x, line, &mark, Role::Note) + 1;
        }
        // Kinds stand in one column, so that they can be read from top to bottom.
        let (kind_width, kind_x) = kind_column(width);
        let constraints = context
            .view
            .snapshot
            .as_ref()
            .map(|snapshot| &snapshot.constraints);
        let is_place = constraints.is_some_and(|all| is_place(all, version, row.node));
        draw_kind(context, inside, line, row, version, is_place);
        let room = |x: usize| kind_x.min(end).saturating_sub(x + 1);
        let role = match row.removed {
            true => Role::Deleted,
            false => Role::Text,
        };
        let name = declared_name(version, row);
        if let Some(name) = &name {
            let name = text::displayable_line(name, glyphs.braille);
            let name = text::truncate_middle(&name, room(x), glyphs.cut);
            x = inside.draw_text(x, line, &name, role) + 2;
        }
        // Behind a name the text says more, where there is much room.
        let rest = match name.is_some() {
            true => Role::Dim,
            false => role,
        };
        let least = match name.is_some() {
            true => kind_width,
            false => 4,
        };
        if room(x) >= least {
            let words = text_excerpt(row.node, room(x));
            let plain = text::displayable_line(&words, glyphs.braille);
            let plain = text::truncate_end(&plain, room(x), glyphs.cut);
            inside.draw_text(x, line, &plain, rest);
        }
    }
}

/// The mark of a row that must stay, or that has something in it that must.
fn pin_mark(row: &TreeRow, glyphs: &ScreenGlyphs) -> Option<(&'static str, Role)> {
    let sums = row.node.sums();
    let mark = match sums.pinned {
        0 => return None,
        all if all == sums.leaves => glyphs.pinned,
        _ => glyphs.partly,
    };
    Some((mark, Role::Pinned))
}

/// The mark of what the user points at, besides pins: around a row, or in one whose inside is not shown.
fn steering_mark(
    context: &PaneContext,
    row: &TreeRow,
    glyphs: &ScreenGlyphs,
) -> Option<(&'static str, Role)> {
    const RULES: [ConstraintRule; 4] = [
        ConstraintRule::Focus,
        ConstraintRule::Lock,
        ConstraintRule::Suspect,
        ConstraintRule::Doubt,
    ];
    let constraints = &context.view.snapshot.as_ref()?.constraints;
    let is_closed = row.open != Some(true);
    let is_marked = |rule: &&ConstraintRule| {
        constraints.rule_covers(**rule, row.node)
            || is_closed && constraints.rule_overlaps(**rule, row.node)
    };
    let rule = RULES.iter().find(is_marked)?;
    Some(rule_mark(*rule, glyphs))
}

/// The width of the column of kinds, and where it begins, in a pane of this width.
fn kind_column(width: usize) -> (usize, usize) {
    /// The cells that the numbers of tokens need.
    const NUMBERS: usize = 9;
    let kinds = match width {
        0..44 => 12,
        44..52 => 16,
        52..60 => 20,
        _ => 24,
    };
    (kinds, width.saturating_sub(kinds + NUMBERS))
}

/// Draws the field and the kind of a row, dim: names come first.
fn draw_kind(
    context: &PaneContext,
    inside: &mut ClippedCanvas,
    line: usize,
    row: &TreeRow,
    version: &Version,
    is_place: bool,
) {
    let glyphs = inside.theme.glyphs;
    let document = &version.documents()[row.document];
    let (kinds, x) = kind_column(inside.width());
    let full = version.kind_name(row.document, row.node);
    let star = if visibility::has_list(document, row.node) {
        " *"
    } else {
        ""
    };
    let place = if is_place { glyphs.place } else { "" };
    let room = kinds.saturating_sub(star.len() + 2 * usize::from(is_place));
    let words = match field_name(document, row).filter(|field| !field.is_empty()) {
        Some(field) if text::text_width(&field) + text::text_width(full) + 2 <= room => {
            format!("{field}: {full}")
        }
        _ => full.to_owned(),
    };
    let query = context.search.map(|search| &search.query);
    let role = match query.is_some_and(|query| query.matches_kind(full)) {
        true => Role::Match,
        false if row.removed => Role::Trying,
        false => Role::Dim,
    };
    let words = text::truncate_end(&words, room, glyphs.cut);
    let x = inside.draw_text(x, line, &words, role);
    let x = inside.draw_text(x, line, star, Role::Dim);
    inside.draw_text(x + 1, line, place, Role::Note);
}

/// The name that a node declares, by the fields of its grammar: `main()` for a function. None if it declares nothing.
fn declared_name(version: &Version, row: &TreeRow) -> Option<String> {
    /// Nodes with more children, or further down, are not looked at.
    const MOST_CHILDREN: usize = 16;
    const MOST_STEPS: usize = 12;
    const NAME_FIELDS: [&str; 2] = ["name", "declarator"];
    let document = &version.documents()[row.document];
    let language = document.language?;
    let is_name = |node: &&Arc<ProgramNode>| {
        let field = language.field_name(node.field).filter(|_| node.field != 0);
        field.is_some_and(|field| NAME_FIELDS.contains(&field.as_str()))
    };
    let (mut at, mut found, mut calls) = (row.node, false, false);
    for _ in 0..MOST_STEPS {
        let kids = at.children().iter().take(MOST_CHILDREN);
        // Groups and lists of the normal form stand between a node and its parts.
        let inner = |kid: &Arc<ProgramNode>| kid.class.is_none() && !kid.shape.is_leaf();
        let deeper = || {
            let groups = at.children().iter().take(MOST_CHILDREN);
            groups
                .filter(|kid| inner(kid))
                .flat_map(|kid| kid.children().iter().take(MOST_CHILDREN))
                .find(is_name)
        };
        let Some(next) = kids.clone().find(is_name).or_else(deeper) else {
            break;
        };
        calls |= version.kind_name(row.document, next) == "function_declarator";
        (at, found) = (next, true);
    }
    let is_word = |leaf: &&Arc<ProgramNode>| {
        let first = leaf.text().first();
        first.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
    };
    let leaf = walk::iter_leaves(at)
        .take(MOST_CHILDREN)
        .find(is_word)
        .filter(|_| found)?;
    let name = String::from_utf8_lossy(leaf.text()).into_owned();
    Some(match calls {
        true => format!("{name}()"),
        false => name,
    })
}

/// Folds or unfolds the selected node, or goes into it or out of it. Around a file is its directory.
fn fold_node(selection: &mut NodeSelection, version: &Version, action: PaneAction) {
    let Some(path) = selection.selected_path(version) else {
        return;
    };
    let document = &version.documents()[path.document];
    let file = selection.selected_file(version);
    // The row of a file is that of the head of its tree.
    let path = match file.and_then(|_| version.path_to(file_head(document).id)) {
        Some(head) => head,
        None => path,
    };
    let open = selection.folds.is_open(path.node().id);
    let inner = || visibility::first_row_below(document, path.node());
    match action {
        PaneAction::Unfold if open => {
            if let Some(inner) = inner() {
                selection.select_node(version, inner.id);
            }
        }
        PaneAction::Unfold => selection.folds.set_open(&path, true),
        PaneAction::Fold if open && inner().is_some() => selection.folds.set_open(&path, false),
        PaneAction::Fold => {
            let files = selection.folds.files();
            let directory = file.zip(files).map(|(file, files)| {
                let entry = files.tree().entry_of(file);
                files.tree().entries()[entry].parent
            });
            let outer = outer_row(version, &path).map(|outer| outer.id);
            let outer = outer.or(files.map(|_| file_head(document).id));
            match (directory, outer) {
                (Some(Some(directory)), _) => {
                    selection.select_file_row(version, FileRow::Entry(directory));
                }
                (None, Some(outer)) => selection.select_node(version, outer),
                (Some(None), _) | (None, None) => {}
            }
        }
        PaneAction::Toggle => selection.folds.set_open(&path, !open),
        _ => {}
    }
}

/// The same for a directory, or for files that are gone.
fn fold_file_row(
    selection: &mut NodeSelection,
    version: &Version,
    row: FileRow,
    action: PaneAction,
) {
    let number = selection.row_number(version);
    let Some(files) = selection.folds.files_mut() else {
        return;
    };
    let open = files.is_open(row);
    match action {
        PaneAction::Unfold if open => selection.select_row(version, number + 1),
        PaneAction::Unfold => files.set_open(row, true),
        PaneAction::Fold if open => files.set_open(row, false),
        PaneAction::Toggle => files.set_open(row, !open),
        PaneAction::Fold => {
            let outer = match row {
                FileRow::Gone(directory) => directory.map(FileRow::Entry),
                FileRow::Entry(at) => {
                    let around = files.tree().entries()[at].parent;
                    match files.totals_at(at).files {
                        0 => Some(FileRow::Gone(around)),
                        _ => around.map(FileRow::Entry),
                    }
                }
            };
            if let Some(outer) = outer {
                selection.select_file_row(version, outer);
            }
        }
        _ => {}
    }
}

/// Whether it is the outermost node of all that is in the place of the failure.
fn is_place(constraints: &ConstraintSet, version: &Version, node: &Arc<ProgramNode>) -> bool {
    let covers = |node: &Arc<ProgramNode>| constraints.rule_covers(ConstraintRule::Place, node);
    let around = || {
        version
            .path_to(node.id)
            .map(|path| path.parent().is_some_and(covers))
    };
    covers(node) && around() == Some(false)
}

/// How many tokens of a row have no twins in the other program of a pair, if any have none.
fn unpaired_count(context: &PaneContext, version: &Version, row: &TreeRow) -> Option<usize> {
    let pair = context.view.pair.as_ref()?;
    let count = pair.count_below(&version.path_to(row.node.id)?);
    (count > 0).then_some(count)
}

/// The kinds on the path from the document to the selected row; nothing for a directory or a file.
fn selection_title(context: &PaneContext, selection: &NodeSelection, version: &Version) -> String {
    if selection.file_row.is_some() || selection.selected_file(version).is_some() {
        return String::new();
    }
    let Some(path) = selection.selected_path(version) else {
        return String::new();
    };
    let document = &version.documents()[path.document];
    // Deep trees have long paths; the title has the end of the path.
    let mut kinds = path
        .nodes
        .iter()
        .rev()
        .filter(|node| visibility::node_visibility(document, node) == NodeVisibility::Row);
    let mut near: Vec<&str> = kinds
        .by_ref()
        .take(8)
        .map(|node| version.kind_name(path.document, node))
        .collect();
    if kinds.next().is_some() {
        near.push(context.view.theme.glyphs.cut);
    }
    near.reverse();
    near.join(&format!(" {} ", context.view.theme.glyphs.inside))
}

/// The name of the field that the node fills.
fn field_name(document: &crate::program::Document, row: &TreeRow) -> Option<String> {
    let language = document.language.filter(|_| row.node.field != 0)?;
    language.field_name(row.node.field)
}
