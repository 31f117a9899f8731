//! The interface of a page, and the stack of the open pages.

use std::fmt::Debug;
use std::sync::Arc;

use super::kind::PageKind;
use crate::program::NodeId;
use crate::reduce::LoggedDecision;
use crate::tui::commands::facts::ScreenFacts;
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::run_view::RunView;

/// What a page reads besides its own state.
#[derive(Clone, Copy, Debug)]
pub struct PageContext<'a> {
    /// The run.
    pub view: &'a RunView,
    /// The selected node.
    pub selected: Option<NodeId>,
    /// The facts that decide which commands are enabled.
    pub facts: &'a ScreenFacts,
}

/// A page that lies over the panes.
pub trait OverlayPage: Debug {
    /// Which page it is.
    fn kind(&self) -> PageKind;

    /// Draws the page over the panes and the pages below it.
    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas);

    /// Applies a move; most pages scroll.
    fn navigate(&mut self, action: PaneAction, view: &RunView);

    /// The decision of the log whose candidate the page shows.
    fn logged_decision(&self) -> Option<&Arc<LoggedDecision>> {
        None
    }

    /// The user chooses the selected row: whether that confirms a choice about which the page warns already. Else it warns from now on.
    fn confirm_selected(&mut self) -> bool {
        true
    }

    /// The selected row, on a page with rows to choose from.
    fn selected_row(&self) -> usize {
        0
    }
}

/// The open pages, the topmost last.
#[derive(Debug, Default)]
pub struct PageStack(Vec<Box<dyn OverlayPage>>);

impl PageStack {
    /// Opens a page on top.
    pub fn open_page(&mut self, page: impl OverlayPage + 'static) {
        self.0.push(Box::new(page));
    }

    /// Closes the topmost page.
    pub fn close_top(&mut self) {
        self.0.pop();
    }

    /// Closes the pages of a kind.
    pub fn close_kind(&mut self, kind: PageKind) {
        self.0.retain(|page| page.kind() != kind);
    }

    /// Closes the pages of other kinds.
    pub fn close_others(&mut self, kind: PageKind) {
        self.0.retain(|page| page.kind() == kind);
    }

    /// Opens a page below the others.
    pub fn open_below(&mut self, page: impl OverlayPage + 'static) {
        self.0.insert(0, Box::new(page));
    }

    /// Whether no page is open.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Which pages are open, the topmost last.
    pub fn kinds(&self) -> impl DoubleEndedIterator<Item = PageKind> + '_ {
        self.0.iter().map(|page| page.kind())
    }

    /// Which page is on top.
    pub fn top_kind(&self) -> Option<PageKind> {
        self.kinds().next_back()
    }

    /// Applies a move to the topmost page.
    pub fn navigate_top(&mut self, action: PaneAction, view: &RunView) {
        if let Some(page) = self.0.last_mut() {
            page.navigate(action, view);
        }
    }

    /// The decision of the log whose candidate the topmost page shows.
    pub fn logged_decision(&self) -> Option<&Arc<LoggedDecision>> {
        self.0.last()?.logged_decision()
    }

    /// The selected row of the topmost page.
    pub fn selected_row(&self) -> usize {
        self.0.last().map_or(0, |page| page.selected_row())
    }

    /// Whether the topmost page lets its selected row be chosen: it has warned about it, or warns about nothing.
    pub fn confirm_selected(&mut self) -> bool {
        self.0.last_mut().is_none_or(|page| page.confirm_selected())
    }

    /// Draws all pages, each over those below it.
    pub fn draw_pages(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        for page in &mut self.0 {
            page.draw_page(context, canvas);
        }
    }
}
