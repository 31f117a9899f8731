//! What is known about a file or a directory of a project: which files need it, which it needs, and what was tried on it.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::inspection::inspection_lines;
use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, close_hint, draw_text_page, line_width, wrap_paragraphs};
use crate::display::EscapeHidden;
use crate::program::{ConstraintSet, Version};
use crate::reduce::inspect_node;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::program_view::file_graph::FileGraph;
use crate::tui::program_view::file_tree::FileTree;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// How many files are named.
const MOST_NAMED: usize = 40;

/// The page of a file or a directory.
#[derive(Debug)]
pub struct FilePage {
    tree: Arc<FileTree>,
    entry: usize,
    /// What the lines are of, and the lines.
    lines: Option<(FileLinesKey, Vec<(String, Role)>)>,
    scroll: PageScroll,
}

/// What the lines of a page are of.
#[derive(Debug)]
struct FileLinesKey {
    /// The number of the version.
    version: u64,
    /// The number of decisions.
    decisions: u64,
    graph: Option<Arc<FileGraph>>,
    constraints: Arc<ConstraintSet>,
}

impl FileLinesKey {
    fn is_same(&self, other: &FileLinesKey) -> bool {
        let graphs = [self, other].map(|key| key.graph.as_ref().map(Arc::as_ptr));
        (self.version, self.decisions) == (other.version, other.decisions)
            && graphs[0] == graphs[1]
            && Arc::ptr_eq(&self.constraints, &other.constraints)
    }
}

impl FilePage {
    /// The page of an entry.
    pub fn new(tree: Arc<FileTree>, entry: usize) -> FilePage {
        FilePage {
            tree,
            entry,
            lines: None,
            scroll: PageScroll::default(),
        }
    }

    fn update_lines(&mut self, view: &RunView) {
        let Some(snapshot) = &view.snapshot else {
            return;
        };
        let graph = view.files.graph.as_ref();
        let key = FileLinesKey {
            version: snapshot.number,
            decisions: snapshot.counts.decisions,
            graph: graph.cloned(),
            constraints: snapshot.constraints.clone(),
        };
        let known = self.lines.as_ref();
        if known.is_some_and(|(known, _)| known.is_same(&key)) {
            return;
        }
        let version = &snapshot.version;
        let totals = self.tree.totals_in(self.entry, version);
        let tokens = text::format_count(totals.tokens.into(), "token");
        let size = match self.tree.entries()[self.entry].document {
            Some(_) => tokens,
            None => format!(
                "{tokens} in {}",
                text::format_count(totals.files.into(), "file")
            ),
        };
        let mut lines = vec![(size, Role::Number)];
        match graph {
            None => {
                let wait = "Which file needs which is being found out.";
                lines.push((wait.into(), Role::Dim));
            }
            Some(graph) => {
                let users = self.files_by(version, |file| graph.users_of(file));
                let needs = self.files_by(version, |file| graph.needs_of(file));
                push_files(&USERS, &users, &mut lines);
                push_files(&NEEDS, &needs, &mut lines);
            }
        }
        let document = self.tree.entries()[self.entry].document;
        let root = document.map(|number| version.documents()[number].root.id);
        if let Some(known) = root.and_then(|root| inspect_node(snapshot, root, view.clock)) {
            lines.push((String::new(), Role::Text));
            // The tokens are known.
            let known = inspection_lines(&known, &view.theme.glyphs).into_iter();
            lines.extend(known.filter(|(_, role)| *role != Role::Number));
        }
        self.lines = Some((key, lines));
    }

    /// The paths of the files outside that this finds for a file inside, in the order of the tree.
    fn files_by<'a>(
        &self,
        version: &Version,
        of_file: impl Fn(usize) -> &'a [usize],
    ) -> Vec<String> {
        let inside: FxHashSet<usize> = self.tree.documents_in(self.entry).collect();
        let found = inside.iter().flat_map(|file| of_file(*file)).copied();
        let found = found.filter(|file| !inside.contains(file));
        let found = found.filter(|file| !version.documents()[*file].is_gone);
        let mut entries: Vec<usize> = found.map(|file| self.tree.entry_of(file)).collect();
        entries.sort_unstable();
        entries.dedup();
        let paths = entries.into_iter().map(|at| &self.tree.entries()[at].path);
        paths
            .map(|path| path.escape_hidden().into_owned())
            .collect()
    }
}

/// The heading of a list of files: for one of them, after the count of several, and for none.
type CountHeading = [&'static str; 3];

const USERS: CountHeading = ["1 file needs it", "need it", "No other file needs it"];
const NEEDS: CountHeading = [
    "1 file is needed by it",
    "are needed by it",
    "It needs no other file",
];

/// Adds a heading and the names of files below it.
fn push_files(heading: &CountHeading, files: &[String], lines: &mut Vec<(String, Role)>) {
    lines.push((String::new(), Role::Text));
    let [one, many, none] = *heading;
    let heading = match files.len() {
        0 => none.to_owned(),
        1 => one.to_owned(),
        count => format!("{} {many}", text::format_count(count as u64, "file")),
    };
    lines.push((heading, Role::Title));
    let named = files.iter().take(MOST_NAMED);
    lines.extend(named.map(|path| (format!("  {path}"), Role::Kind)));
    if files.len() > MOST_NAMED {
        let more = text::format_number((files.len() - MOST_NAMED) as u64);
        lines.push((format!("  and {more} more"), Role::Dim));
    }
}

impl OverlayPage for FilePage {
    fn kind(&self) -> PageKind {
        PageKind::Inspection
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        self.update_lines(context.view);
        let glyphs = canvas.theme.glyphs;
        let lines = self.lines.as_ref().map_or(&[][..], |(_, lines)| lines);
        let lines: Vec<(String, Role)> = lines
            .iter()
            .map(|(line, role)| (text::displayable_line(line, glyphs.braille), *role))
            .collect();
        let lines = wrap_paragraphs(&lines, line_width(canvas.width()), glyphs.cut);
        let right = close_hint(&context.view.setup.keys, "inspect");
        let path = self.tree.entries()[self.entry].path.escape_hidden();
        let title = text::displayable_line(&path, glyphs.braille);
        draw_text_page(canvas, &title, &right, &lines, &mut self.scroll);
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}
