//! The words of a line of a pair: which ones both programs have, and which ones only one of them.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, close_hint, draw_text_page, line_width, wrap_paragraphs};
use crate::program::Version;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::program_view::edit_marks::EditMarks;
use crate::tui::program_view::lines::{self, VisibleLine};
use crate::tui::program_view::pair_alignment::{PairRow, SIDES};
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// Longer lines are cut, in bytes.
const MOST_BYTES: usize = 20_000;

/// The page of the words of a line.
#[derive(Debug)]
pub struct WordsPage {
    lines: Vec<(String, Role)>,
    scroll: PageScroll,
}

impl WordsPage {
    /// The page of a row.
    pub fn new(version: &Version, row: PairRow) -> WordsPage {
        let mut shown = Vec::new();
        for (document, (side, sign, role)) in SIDES.iter().enumerate() {
            let Some(line) = row.lines[document] else {
                shown.push((format!("{side}: no line"), Role::Title));
                continue;
            };
            let root = &version.documents()[document].root;
            let marks = EditMarks::default();
            let found = lines::visible_lines(root, &marks, None, line, 1, MOST_BYTES);
            let (marked, alone) = found
                .first()
                .map(|line| mark_words(version, line))
                .unwrap_or_default();
            shown.push((format!("{side}, line {}", line + 1), Role::Title));
            shown.push((format!("  {}", marked.trim()), Role::Text));
            let alone = match alone.is_empty() {
                true => ("  every word is in both programs".into(), Role::Dim),
                false => (format!("  {sign} {}", alone.join("  ")), *role),
            };
            shown.push(alone);
        }
        WordsPage {
            lines: shown,
            scroll: PageScroll::default(),
        }
    }
}

impl OverlayPage for WordsPage {
    fn kind(&self) -> PageKind {
        PageKind::Words
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let glyphs = canvas.theme.glyphs;
        let safe = self.lines.iter();
        let safe = safe.map(|(line, role)| (text::displayable_line(line, glyphs.braille), *role));
        let safe: Vec<(String, Role)> = safe.collect();
        let lines = wrap_paragraphs(&safe, line_width(canvas.width()), glyphs.cut);
        let right = close_hint(&context.view.setup.keys, "words");
        draw_text_page(canvas, "Words", &right, &lines, &mut self.scroll);
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}

/// The text of a line with brackets around the words that only its program has, and these words: neighbours as one.
fn mark_words(version: &Version, line: &VisibleLine) -> (String, Vec<String>) {
    let Some(twins) = version.twins() else {
        return Default::default();
    };
    let (mut marked, mut alone): (String, Vec<String>) = Default::default();
    let mut open = false;
    let mut blank = String::new();
    for segment in &line.segments {
        let text = String::from_utf8_lossy(segment.bytes);
        let Some(token) = segment.token else {
            blank.push_str(&text);
            continue;
        };
        let only_here = twins.twin_of(token).is_none();
        match (open, only_here) {
            (false, true) => {
                marked.push_str(&blank);
                marked.push('[');
                alone.push(String::new());
            }
            (true, false) => {
                marked.push(']');
                marked.push_str(&blank);
            }
            _ => marked.push_str(&blank),
        }
        if let Some(word) = alone.last_mut().filter(|_| only_here) {
            if open {
                word.push_str(&blank);
            }
            word.push_str(&text);
        }
        marked.push_str(&text);
        open = only_here;
        blank.clear();
    }
    if open {
        marked.push(']');
    }
    (marked, alone)
}
