//! The page of the difference between two versions.

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, draw_diff_page};
use crate::reduce::VersionRecord;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::history::VersionComparison;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::run_view::RunView;

/// The page of a difference.
#[derive(Debug)]
pub struct DifferencePage {
    comparison: VersionComparison,
    scroll: PageScroll,
}

impl DifferencePage {
    /// The page of two versions.
    pub fn new(comparison: VersionComparison) -> DifferencePage {
        DifferencePage {
            comparison,
            scroll: PageScroll::default(),
        }
    }
}

impl OverlayPage for DifferencePage {
    fn kind(&self) -> PageKind {
        PageKind::Difference
    }

    fn draw_page(&mut self, _: &PageContext, canvas: &mut ClippedCanvas) {
        let comparison = &self.comparison;
        let (old, new) = (&comparison.old, &comparison.new);
        let title = format!(
            "Version {} {} {}",
            old.number, canvas.theme.glyphs.arrow, new.number
        );
        let tokens = |past: &VersionRecord| text::format_number(past.version.token_count().into());
        let right = format!("from {} to {} tokens", tokens(old), tokens(new));
        let lines = match &comparison.lines {
            Some(lines) if !lines.is_empty() => Ok(&lines[..]),
            Some(_) => Err("they differ in white space only"),
            None => Err("they are too large to compare on the screen"),
        };
        draw_diff_page(canvas, &title, &right, lines, &mut self.scroll);
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }
}
