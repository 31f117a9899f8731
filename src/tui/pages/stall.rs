//! Why the run is paused, and what to do.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, draw_text_page, line_width, wrap_paragraphs};
use crate::display::EscapeHidden;
use crate::reduce::{RunSnapshot, RunState};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;

/// The page of a run that is stalled or paused.
#[derive(Debug, Default)]
pub struct StallPage {
    scroll: PageScroll,
}

impl OverlayPage for StallPage {
    fn kind(&self) -> PageKind {
        PageKind::Stall
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let view = context.view;
        let Some(snapshot) = &view.snapshot else {
            return;
        };
        let Some(reason) = view.stall_reason() else {
            self.draw_pause(view, snapshot, canvas);
            return;
        };
        let (glyphs, keys) = (&view.theme.glyphs, &view.setup.keys);
        let safe = |line: &str| text::displayable_line(line, glyphs.braille);
        let number = text::format_number(snapshot.counts.decisions + 1);
        let mut lines = vec![
            (
                format!("The run is paused at question {number}: it has no verdict."),
                Role::Title,
            ),
            (String::new(), Role::Text),
        ];
        lines.extend(reason.lines().map(|line| (safe(line), Role::Note)));
        lines.push((String::new(), Role::Text));
        if !view.context.test.is_empty() {
            let test = format!("The test is {}", view.context.test);
            lines.push((safe(&test), Role::Dim));
            lines.push((String::new(), Role::Text));
        }
        let output = safe(&view.context.output.escape_hidden());
        lines.extend([
            ("What to do".into(), Role::Title),
            (
                format!(
                    "  fix the test, or what it needs, then {}: it tests the same candidate again",
                    keys.describe_keys(&[("pause", "resumes")])
                ),
                Role::Text,
            ),
            (
                format!(
                    "  or {}: the best version so far is in {output}",
                    keys.describe_keys(&[("quit", "leaves")])
                ),
                Role::Text,
            ),
        ]);
        let lines = wrap_paragraphs(&lines, line_width(canvas.width()), glyphs.cut);
        let right = keys.describe_keys(&[("pause", "resumes"), ("close", "closes")]);
        draw_text_page(canvas, "Paused", &right, &lines, &mut self.scroll);
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}

impl StallPage {
    /// Draws why the run is paused that could go on: by the user, or where it was told to stop.
    fn draw_pause(&mut self, view: &RunView, snapshot: &RunSnapshot, canvas: &mut ClippedCanvas) {
        let RunState::Paused(reason) = &snapshot.state else {
            self.scroll.reset();
            return;
        };
        let (glyphs, keys) = (&view.theme.glyphs, &view.setup.keys);
        let number = text::format_number(snapshot.counts.decisions + 1);
        let why = match reason {
            Some(reason) => text::displayable_line(reason, glyphs.braille),
            None if snapshot.counts.decisions == 0 => "nothing was tested yet".into(),
            None => "you paused it".into(),
        };
        let lines = [
            (
                format!("The run is paused before question {number}"),
                Role::Title,
            ),
            (String::new(), Role::Text),
            (format!("Why: {why}"), Role::Note),
            (String::new(), Role::Text),
            (
                keys.describe_keys(&[("pause", "goes on"), ("step", "asks one question")]),
                Role::Text,
            ),
        ];
        let lines = wrap_paragraphs(&lines, line_width(canvas.width()), glyphs.cut);
        let right = keys.describe_keys(&[("pause", "resumes"), ("close", "closes")]);
        draw_text_page(canvas, "Paused", &right, &lines, &mut self.scroll);
    }
}
