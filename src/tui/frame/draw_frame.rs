//! One frame: the panes in the areas of the layout, then the pages, the prompt and the toasts over them.

use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{footer, header, narration, sentence, steering};
use crate::tui::app::{App, PageKind, PaneKind};
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::pages::page::PageContext;
use crate::tui::panes::layout::{FrameContents, LayoutMode};
use crate::tui::panes::log_candidate::draw_logged_candidate;
use crate::tui::panes::pane_context::PaneContext;
use crate::tui::panes::pane_states::PaneStates;
use crate::tui::panes::trying;
use crate::tui::program_view::steering::is_steered;
use crate::tui::prompt::draw::draw_prompt;
use crate::tui::theme::Role;

/// All panes, in the order of drawing.
const PANES: [PaneKind; 12] = [
    PaneKind::Tree,
    PaneKind::Graph,
    PaneKind::Trying,
    PaneKind::Candidate,
    PaneKind::Progress,
    PaneKind::Log,
    PaneKind::Program,
    PaneKind::Pair,
    PaneKind::Difference,
    PaneKind::Passes,
    PaneKind::History,
    PaneKind::Algorithm,
];

/// Less height than this shows nothing of a page.
const LEAST_PAGE_HEIGHT: u16 = 3;

impl App {
    /// Draws everything on an empty buffer. `now` is the time of the frame, for the elapsed time of a test.
    pub fn draw_frame(&mut self, buffer: &mut Buffer, now: Instant) {
        let area = buffer.area;
        let snapshot = self.view.snapshot.as_ref();
        let narration = self.narration();
        let told = narration.as_ref();
        let told = told.map_or(0, |told| narration::narration_height(told, area.width));
        let contents = FrameContents {
            passes: snapshot.map_or(0, |snapshot| snapshot.passes.len()),
            is_steered: snapshot.is_some_and(|snapshot| is_steered(snapshot)),
            narration: told,
        };
        self.arrangement.update_areas(area, contents);
        self.update_marks(now);
        self.open_shown_candidate();
        if area.is_empty() {
            return;
        }
        let theme = self.view.theme.clone();
        buffer.set_style(area, theme.role_style(Role::Text));
        let mut screen = ClippedCanvas::new(buffer, &theme);
        let areas = self.arrangement.areas;
        header::draw_header(
            &self.view,
            &self.pending,
            &mut screen.sub_canvas(areas.header),
        );
        if let Some(narration) = &narration {
            narration::draw_narration(narration, &mut screen.sub_canvas(areas.narration));
        }
        sentence::draw_sentence(&self.view, now, &mut screen.sub_canvas(areas.sentence));
        steering::draw_steering(&self.view, &mut screen.sub_canvas(areas.steering));
        self.draw_panes(&mut screen, now);
        if matches!(areas.mode, LayoutMode::Narrow | LayoutMode::Wide) {
            footer::draw_footer(self, &mut screen.sub_canvas(areas.footer));
        }
        if areas.mode == LayoutMode::Line {
            // The headline stays, and what was opened has the lines below it.
            let below = Rect {
                y: area.y + areas.header.height,
                height: area.height - areas.header.height,
                ..area
            };
            if below.height < LEAST_PAGE_HEIGHT {
                return;
            }
            screen = screen.into_part(below);
        }
        let facts = self.facts();
        let context = PageContext {
            view: &self.view,
            selected: self.selection.node,
            facts: &facts,
        };
        self.pages.draw_pages(&context, &mut screen);
        draw_prompt(self, &mut screen);
        // What is typed into, or read, is not covered: they are shown after it.
        if self.prompt.is_none() && self.pages.top_kind() != Some(PageKind::Help) {
            self.toasts.draw_toasts(&mut screen, now);
        }
    }

    /// Makes what the frame needs of the version and its candidate. A selection that follows the run goes to a new candidate.
    fn update_marks(&mut self, now: Instant) {
        let tried = self.view.update_derived().filter(|_| self.selection.follow);
        if let Some((tried, snapshot)) = tried.zip(self.view.snapshot.clone()) {
            self.selection.follow_node(&snapshot.version, tried);
        }
        if let Some(snapshot) = &self.view.snapshot {
            self.selection.follow_into_file(&snapshot.version, now);
        }
    }

    fn draw_panes(&mut self, screen: &mut ClippedCanvas, now: Instant) {
        let areas = self.arrangement.areas;
        let context = PaneContext {
            view: &self.view,
            search: self.search.as_ref(),
            bookmarks: &self.bookmarks,
            focus: self.arrangement.focused_pane(),
            now,
        };
        let (panes, selection) = (&mut self.panes, &mut self.selection);
        if areas.mode == LayoutMode::Line {
            return;
        }
        if areas.mode == LayoutMode::Tiny {
            for pane in PANES.into_iter().filter(|pane| pane.is_text()) {
                let part = &mut screen.sub_canvas(areas.pane_area(pane));
                match pane {
                    _ if part.area.is_empty() => {}
                    PaneKind::Program => panes.program.draw_text(&context, selection, part),
                    pane => panes.pair_pane(pane).draw_text(&context, selection, part),
                }
            }
            return;
        }
        for pane in PANES {
            let area = areas.pane_area(pane);
            if area.is_empty() {
                continue;
            }
            // Panes of one column share their borders; the first and the last close the column.
            let edges = PaneEdges {
                first: areas.has_gaps || area.y == areas.body_top(),
                last: areas.has_gaps || area.y + area.height == areas.footer.y,
            };
            let part = &mut screen.sub_canvas(area);
            match pane {
                PaneKind::Tree => panes.tree.draw_pane(&context, selection, part, edges),
                PaneKind::Graph => {
                    let heat = &panes.tree.heat;
                    panes
                        .graph
                        .draw_pane(&context, selection, heat, part, edges);
                }
                PaneKind::Trying => trying::draw_trying_pane(&context, part, edges),
                PaneKind::Candidate => panes.candidate.draw_pane(&context, part, edges),
                PaneKind::Progress => panes.progress.draw_pane(&context, part, edges),
                PaneKind::Log => {
                    // The curve stands below the log unless it has a pane of its own.
                    let has_pane = !areas.pane_area(PaneKind::Progress).is_empty();
                    let progress = Some(&panes.progress).filter(|_| !has_pane);
                    panes.log.draw_pane(&context, progress, part, edges);
                }
                PaneKind::Program
                    if draw_logged(&context, panes, selection.follow, part, edges) => {}
                PaneKind::Program => {
                    let heat = &panes.tree.heat;
                    panes
                        .program
                        .draw_pane(&context, selection, heat, part, edges);
                }
                PaneKind::Pair | PaneKind::Difference => panes
                    .pair_pane(pane)
                    .draw_pane(&context, selection, part, edges),
                PaneKind::Passes => panes.passes.draw_pane(&context, part, edges),
                PaneKind::Algorithm => panes.algorithm.draw_pane(&context, part, edges),
                PaneKind::History => panes.history.draw_pane(&context, part, edges),
            }
        }
    }
}

/// Draws a candidate in the place of the program: the one that is selected in the log, or that of an accepted step while the run is followed. Returns
/// whether there is one.
fn draw_logged(
    context: &PaneContext,
    panes: &mut PaneStates,
    follows: bool,
    canvas: &mut ClippedCanvas,
    edges: PaneEdges,
) -> bool {
    let Some(snapshot) = context.view.snapshot.as_ref() else {
        return false;
    };
    let log = &mut panes.log;
    let Some(logged) = log
        .candidate_in_program(snapshot, context.focus, follows)
        .cloned()
    else {
        return false;
    };
    let scroll = &mut log.candidate;
    draw_logged_candidate(scroll, context.view, snapshot, &logged, canvas, edges);
    true
}
