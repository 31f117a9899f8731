//! All that is known about the selected node: its kind, how it may be removed, what keeps it, and what was tried on it.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, draw_text_page, line_width, wrap_paragraphs};
use crate::reduce::{NodeInspection, cite, inspect_node};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::panes::sentences::{question_summary, verdict_mark};
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// How many replacements are shown.
const MOST_SHOWN: usize = 40;

/// The page of the selected node.
#[derive(Debug, Default)]
pub struct InspectionPage {
    scroll: PageScroll,
}

impl OverlayPage for InspectionPage {
    fn kind(&self) -> PageKind {
        PageKind::Inspection
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let view = context.view;
        let right = view.setup.keys.describe_keys(&[("close", "closes")]);
        let known = view.snapshot.as_ref().zip(context.selected);
        let known = known.and_then(|(snapshot, node)| inspect_node(snapshot, node, view.clock));
        let Some(known) = known else {
            let gone = [("nothing is selected".to_owned(), Role::Dim)];
            draw_text_page(canvas, "Node", &right, &gone, &mut self.scroll);
            return;
        };
        let glyphs = &view.theme.glyphs;
        let lines = inspection_lines(&known, glyphs);
        let lines = wrap_paragraphs(&lines, line_width(canvas.width()), glyphs.cut);
        draw_text_page(canvas, &known.kind, &right, &lines, &mut self.scroll);
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}

/// What is known about a node, line by line: why it is still there, the evidence, then its size and what the grammar says.
pub fn inspection_lines(known: &NodeInspection, glyphs: &ScreenGlyphs) -> Vec<(String, Role)> {
    let safe = |line: &str| text::displayable_line(line, glyphs.braille);
    let mut lines = vec![(safe(&known.answer.sentence), Role::Title)];
    let mut say = |line: String, role| lines.push((line, role));
    say(String::new(), Role::Text);
    for tried in &known.answer.evidence {
        let (mark, role) = verdict_mark(tried.verdict, glyphs);
        let how = match &*tried.exit {
            "" => cite(tried),
            exit => format!("{}, {exit}", cite(tried)),
        };
        let what = question_summary(&tried.sentence, glyphs);
        say(format!("  {mark} {}: {what}", safe(&how)), role);
    }
    if !known.answer.evidence.is_empty() {
        say(String::new(), Role::Text);
    }
    say(
        text::format_count(known.tokens.into(), "token"),
        Role::Number,
    );
    match known.removable_because {
        _ if known.answer.is_closed => {}
        Some(goes) => say(format!("It may go: {goes}."), Role::Text),
        None => say("It may not go by itself.".into(), Role::Text),
    }
    for (name, text) in [
        ("its rule", &known.rule),
        ("allowed in its place", &known.expected),
    ] {
        if let Some(text) = text {
            say(String::new(), Role::Text);
            say(name.into(), Role::Title);
            say(format!("  {}", safe(text)), Role::Kind);
        }
    }
    if !known.replacements.is_empty() {
        say(String::new(), Role::Text);
        say("Parts of it that may replace it".into(), Role::Title);
    }
    for (begins, tokens) in known.replacements.iter().take(MOST_SHOWN) {
        say(
            format!(
                "  {}  {}",
                text::format_number((*tokens).into()),
                safe(begins)
            ),
            Role::Kind,
        );
    }
    lines
}
