//! The hunks of a pair on the selected line: what each consists of, and which candidate was without it last.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, close_hint, draw_text_page, line_width, wrap_paragraphs};
use super::verdict::verdict_lines;
use crate::program::{NodeId, Version};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::program_view::pair_alignment::SIDES;
use crate::tui::program_view::pair_view::PairView;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The page of the hunks of a line. It says what was known when it was opened.
#[derive(Debug)]
pub struct HunkPage {
    title: String,
    lines: Vec<(String, Role)>,
    scroll: PageScroll,
}

impl HunkPage {
    /// The page of the hunks with these numbers.
    pub fn new(view: &RunView, version: &Version, pair: &PairView, hunks: &[usize]) -> HunkPage {
        let count = pair.alignment.hunks().len();
        let numbers: Vec<String> = hunks.iter().map(|at| (at + 1).to_string()).collect();
        let noun = if hunks.len() == 1 { "Hunk" } else { "Hunks" };
        let mut lines = Vec::new();
        for at in hunks {
            if !lines.is_empty() {
                lines.push((String::new(), Role::Text));
            }
            push_hunk(view, version, pair, *at, &mut lines);
        }
        HunkPage {
            title: format!("{noun} {} of {count}", numbers.join(", ")),
            lines,
            scroll: PageScroll::default(),
        }
    }
}

impl OverlayPage for HunkPage {
    fn kind(&self) -> PageKind {
        PageKind::Inspection
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let keys = &context.view.setup.keys;
        let cut = canvas.theme.glyphs.cut;
        let lines = wrap_paragraphs(&self.lines, line_width(canvas.width()), cut);
        let right = close_hint(keys, "inspect");
        draw_text_page(canvas, &self.title, &right, &lines, &mut self.scroll);
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}

/// Adds the lines about a hunk.
fn push_hunk(
    view: &RunView,
    version: &Version,
    pair: &PairView,
    number: usize,
    lines: &mut Vec<(String, Role)>,
) {
    let glyphs = &view.theme.glyphs;
    let hunk = &pair.alignment.hunks()[number];
    let mut tokens: Vec<NodeId> = Vec::new();
    for (document, (side, sign, role)) in SIDES.iter().enumerate() {
        let here = pair.alignment.hunk_tokens(hunk, document);
        tokens.extend(here.iter().map(|token| token.node));
        let text = pair.hunk_text(version, hunk, document);
        let line = here.first().map(|token| token.line + 1);
        if let Some(line) = line {
            let text = text::displayable_line(&text, glyphs.braille);
            lines.push((format!("{sign} {text}"), *role));
            lines.push((format!("  in the {side}, from line {line} on"), Role::Dim));
        }
    }
    lines.push((String::new(), Role::Text));
    let Some(last) = view.trials.last_without(&tokens) else {
        lines.push(("No candidate was without it yet.".into(), Role::Title));
        return;
    };
    let without = view.trials.count_without(last.decision, &tokens);
    let how_much = match without == tokens.len() {
        true => "it".to_owned(),
        false => format!("{without} of its {} tokens", tokens.len()),
    };
    let candidate = text::format_number(last.decision);
    let said = format!(
        "The last candidate without {how_much} was {candidate}, of the pass {}",
        last.why.pass
    );
    lines.push((said, Role::Title));
    lines.extend(verdict_lines(last, glyphs));
}
