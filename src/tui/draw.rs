//! One frame: the panes where the layout puts them, then the pages over them.

use std::time::Instant;

use ratatui::buffer::Buffer;

use super::app::{App, Layer};
use super::canvas::{Canvas, Edges};
use super::layers;
use super::layout::{self, Mode, Pane};
use super::panes;
use super::theme::Role;

impl App {
    /// Draws everything on an empty buffer. `now` is what a test's waiting time is counted to.
    pub fn draw(&mut self, buffer: &mut Buffer, now: Instant) {
        let area = buffer.area;
        self.regions = layout::regions(area, &self.wish());
        if area.is_empty() {
            return;
        }
        let look = self.look.clone();
        buffer.set_style(area, look.of(Role::Text));
        let mut screen = Canvas::new(buffer, &look);
        self.draw_panes(&mut screen, now);
        if self.regions.mode == Mode::Line {
            return;
        }
        for at in 0..self.layers.len() {
            match self.layers[at] {
                Layer::Help(top) => {
                    let top = layers::help::draw(self, &mut screen, top);
                    self.layers[at] = Layer::Help(top);
                }
                Layer::Result => layers::result::draw(self, &mut screen),
                Layer::Trouble(top) => {
                    let top = layers::trouble::draw(self, &mut screen, top);
                    self.layers[at] = Layer::Trouble(top);
                }
                Layer::Verdict(top) => {
                    let top = layers::verdict::draw(self, &mut screen, top);
                    self.layers[at] = Layer::Verdict(top);
                }
                Layer::Candidate(top) => {
                    let top = layers::candidate::draw(self, &mut screen, top);
                    self.layers[at] = Layer::Candidate(top);
                }
                Layer::Difference(top) => {
                    let top = layers::difference::draw(self, &mut screen, top);
                    self.layers[at] = Layer::Difference(top);
                }
                Layer::Pass(top) => {
                    let top = layers::pass::draw(self, &mut screen, top);
                    self.layers[at] = Layer::Pass(top);
                }
                Layer::Property(part) => layers::property::draw(self, &mut screen, part),
                Layer::Inspection(top) => {
                    let top = layers::inspection::draw(self, &mut screen, top);
                    self.layers[at] = Layer::Inspection(top);
                }
            }
        }
        layers::prompt::draw(self, &mut screen);
        self.toasts.draw(&mut screen, now);
    }

    fn draw_panes(&mut self, screen: &mut Canvas, now: Instant) {
        let regions = self.regions;
        panes::status::header(self, &mut screen.part(regions.header));
        if regions.mode == Mode::Tiny {
            panes::program::draw_text(self, &mut screen.part(regions.of(Pane::Program)), now);
        }
        if matches!(regions.mode, Mode::Line | Mode::Tiny) {
            return;
        }
        // Panes of one column share their lines: the highest and the lowest close it.
        let mut each = |pane: Pane, draw: &mut dyn FnMut(&mut Canvas, Edges)| {
            let part = regions.of(pane);
            let edges = Edges {
                first: part.y == regions.header.y + 1,
                last: part.y + part.height == regions.footer.y,
            };
            if !part.is_empty() {
                draw(&mut screen.part(part), edges);
            }
        };
        each(Pane::Tree, &mut |part, edges| {
            panes::tree::draw(self, part, now, edges)
        });
        each(Pane::Trying, &mut |part, edges| {
            panes::trying::draw(self, part, now, edges)
        });
        each(Pane::Candidate, &mut |part, edges| {
            panes::candidate::draw(self, part, edges)
        });
        each(Pane::Progress, &mut |part, edges| {
            panes::progress::draw(self, part, edges)
        });
        each(Pane::Verdicts, &mut |part, edges| {
            panes::verdicts::draw(self, part, edges)
        });
        each(Pane::Program, &mut |part, edges| {
            panes::program::draw(self, part, now, edges)
        });
        each(Pane::Passes, &mut |part, edges| {
            panes::passes::draw(self, part, edges)
        });
        each(Pane::History, &mut |part, edges| {
            panes::history::draw(self, part, edges)
        });
        panes::status::footer(self, &mut screen.part(regions.footer));
    }
}
