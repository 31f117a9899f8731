//! One frame: the panes where the layout puts them, then the pages over them.

use std::time::Instant;

use ratatui::buffer::Buffer;

use super::app::{App, OverlayPage};
use super::pages;
use super::panes;
use super::theme::Role;
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::panes::layout::{self, LayoutMode, PaneKind};

impl App {
    /// Draws everything on an empty buffer. `now` is what a test's waiting time is counted to.
    pub fn draw_frame(&mut self, buffer: &mut Buffer, now: Instant) {
        let area = buffer.area;
        self.areas = layout::compute_areas(area, &self.layout_request());
        if area.is_empty() {
            return;
        }
        let look = self.theme.clone();
        buffer.set_style(area, look.role_style(Role::Text));
        let mut screen = ClippedCanvas::new(buffer, &look);
        self.draw_panes(&mut screen, now);
        if self.areas.mode == LayoutMode::Line {
            return;
        }
        for at in 0..self.layers.len() {
            match self.layers[at] {
                OverlayPage::Help(top) => {
                    let top = pages::help::draw_help_page(self, &mut screen, top);
                    self.layers[at] = OverlayPage::Help(top);
                }
                OverlayPage::Result => pages::result::draw_result_page(self, &mut screen),
                OverlayPage::Stall(top) => {
                    let top = pages::stall::draw_stall_page(self, &mut screen, top);
                    self.layers[at] = OverlayPage::Stall(top);
                }
                OverlayPage::Verdict(top) => {
                    let top = pages::verdict::draw_verdict_page(self, &mut screen, top);
                    self.layers[at] = OverlayPage::Verdict(top);
                }
                OverlayPage::Candidate(top) => {
                    let top = pages::candidate::draw_candidate_page(self, &mut screen, top);
                    self.layers[at] = OverlayPage::Candidate(top);
                }
                OverlayPage::Difference(top) => {
                    let top = pages::difference::draw_difference_page(self, &mut screen, top);
                    self.layers[at] = OverlayPage::Difference(top);
                }
                OverlayPage::Pass(top) => {
                    let top = pages::pass::draw_pass_page(self, &mut screen, top);
                    self.layers[at] = OverlayPage::Pass(top);
                }
                OverlayPage::Property(part) => {
                    pages::property::draw_property_page(self, &mut screen, part)
                }
                OverlayPage::Inspection(top) => {
                    let top = pages::inspection::draw_inspection_page(self, &mut screen, top);
                    self.layers[at] = OverlayPage::Inspection(top);
                }
            }
        }
        crate::tui::prompt::draw::draw_prompt(self, &mut screen);
        self.toasts.draw_toasts(&mut screen, now);
    }

    fn draw_panes(&mut self, screen: &mut ClippedCanvas, now: Instant) {
        let regions = self.areas;
        panes::status::draw_header(self, &mut screen.sub_canvas(regions.header));
        if regions.mode == LayoutMode::Tiny {
            panes::program::draw_program_text(
                self,
                &mut screen.sub_canvas(regions.pane_area(PaneKind::Program)),
                now,
            );
        }
        if matches!(regions.mode, LayoutMode::Line | LayoutMode::Tiny) {
            return;
        }
        // Panes of one column share their lines: the highest and the lowest close it.
        let mut each = |pane: PaneKind, draw: &mut dyn FnMut(&mut ClippedCanvas, PaneEdges)| {
            let part = regions.pane_area(pane);
            let edges = PaneEdges {
                first: part.y == regions.header.y + 1,
                last: part.y + part.height == regions.footer.y,
            };
            if !part.is_empty() {
                draw(&mut screen.sub_canvas(part), edges);
            }
        };
        each(PaneKind::Tree, &mut |part, edges| {
            panes::tree::draw_tree_pane(self, part, now, edges)
        });
        each(PaneKind::Trying, &mut |part, edges| {
            panes::trying::draw_trying_pane(self, part, now, edges)
        });
        each(PaneKind::Candidate, &mut |part, edges| {
            panes::candidate::draw_candidate_pane(self, part, edges)
        });
        each(PaneKind::Progress, &mut |part, edges| {
            panes::progress::draw_progress_pane(self, part, edges)
        });
        each(PaneKind::Verdicts, &mut |part, edges| {
            panes::verdicts::draw_verdicts_pane(self, part, edges)
        });
        each(PaneKind::Program, &mut |part, edges| {
            panes::program::draw_program_pane(self, part, now, edges)
        });
        each(PaneKind::Passes, &mut |part, edges| {
            panes::passes::draw_passes_pane(self, part, edges)
        });
        each(PaneKind::History, &mut |part, edges| {
            panes::history::draw_history_pane(self, part, edges)
        });
        panes::status::draw_footer(self, &mut screen.sub_canvas(regions.footer));
    }
}
