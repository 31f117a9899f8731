//! One frame: the panes where the layout puts them, then the pages over them.

use std::time::Instant;

use ratatui::buffer::Buffer;

use super::app::{App, Layer};
use super::canvas::{Canvas, Edges};
use super::layers;
use super::layout::{self, Mode};
use super::panes;
use super::theme::Role;

impl App {
    /// Draws everything on an empty buffer. `now` is what a test's waiting time is counted to.
    pub fn draw(&mut self, buffer: &mut Buffer, now: Instant) {
        let area = buffer.area;
        let passes = self
            .snapshot
            .as_ref()
            .map_or(0, |snapshot| snapshot.passes.len());
        self.regions = layout::regions(area, self.chosen(), passes);
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
                    let top = top.min(layers::help::last(self, screen.height()));
                    self.layers[at] = Layer::Help(top);
                    layers::help::draw(self, &mut screen, top);
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
            }
        }
    }

    fn draw_panes(&mut self, screen: &mut Canvas, now: Instant) {
        let regions = self.regions;
        panes::status::header(self, &mut screen.part(regions.header));
        if regions.mode == Mode::Tiny {
            panes::program::draw_text(self, &mut screen.part(regions.program));
        }
        if matches!(regions.mode, Mode::Line | Mode::Tiny) {
            return;
        }
        // Panes of one column share their lines: the highest and the lowest close it.
        let column = |part: ratatui::layout::Rect| Edges {
            first: part.y == regions.header.y + 1,
            last: part.y + part.height == regions.footer.y,
        };
        panes::tree::draw(self, &mut screen.part(regions.tree), column(regions.tree));
        panes::trying::draw(
            self,
            &mut screen.part(regions.trying),
            now,
            column(regions.trying),
        );
        panes::progress::draw(
            self,
            &mut screen.part(regions.progress),
            column(regions.progress),
        );
        panes::verdicts::draw(
            self,
            &mut screen.part(regions.verdicts),
            column(regions.verdicts),
        );
        panes::program::draw(
            self,
            &mut screen.part(regions.program),
            column(regions.program),
        );
        panes::passes::draw(
            self,
            &mut screen.part(regions.passes),
            column(regions.passes),
        );
        panes::status::footer(self, &mut screen.part(regions.footer));
    }
}
