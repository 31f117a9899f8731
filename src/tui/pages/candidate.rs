//! The page of the candidate, as a diff.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, close_hint, draw_diff_page};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::panes::candidate::{CandidateDiff, change_text};
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::run_view::RunView;

/// The page of the candidate.
#[derive(Debug, Default)]
pub struct CandidatePage {
    diff: CandidateDiff,
    scroll: PageScroll,
}

impl OverlayPage for CandidatePage {
    fn kind(&self) -> PageKind {
        PageKind::Candidate
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let lines = self.diff.update_lines(context.view);
        let change = lines.map_or_else(String::new, |_| change_text(context.view));
        let parts = [change, close_hint(&context.view.setup.keys, "candidate")];
        let right = parts.join("   ").trim_start().to_owned();
        let lines = lines.ok_or("no candidate is being tested");
        draw_diff_page(canvas, "Candidate", &right, lines, &mut self.scroll);
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        match self.diff.step_change(self.scroll.top(), action) {
            Some(top) => self.scroll.scroll_to(top),
            None => self.scroll.navigate(action),
        }
    }
}
