//! The frame of a race: headline, who is ahead, the lanes, the common picture, and the keys.
//!
//! | width | the lanes |
//! | --- | --- |
//! | 100 columns and more, 30 for each lane | columns, each with its program |
//! | less | lines: name and figures, and the sentence where there is room |

use std::iter;
use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::lane_drawing::{draw_lane_column, draw_lane_lines};
use super::race_curves::draw_race_curves;
use super::race_keys::{RaceAction, list_hints, list_race_keys};
use super::{RaceScreen, describe_standings};
use crate::oracle::RunnerPace;
use crate::tui::drawing::canvas::{ClippedCanvas, PaneEdges};
use crate::tui::drawing::text;
use crate::tui::frame::{draw_narration, narration_height};
use crate::tui::pages::text_page::centered_rect;
use crate::tui::theme::Role;

/// The least width of the screen, and of a lane, with columns.
const COLUMNS_FROM: u16 = 100;
const LEAST_COLUMN: u16 = 30;
/// The least height of the common picture, and its greatest beside columns.
const LEAST_CURVES: u16 = 7;
const MOST_CURVES: u16 = 22;
/// The lines of a lane that is no column.
const MOST_LANE_LINES: u16 = 3;
/// The width of the names of keys in the help.
const KEYS_WIDTH: usize = 16;

impl RaceScreen {
    /// Draws everything on an empty buffer. `now` is the time of the frame.
    pub fn draw_frame(&mut self, buffer: &mut Buffer, now: Instant) {
        let area = buffer.area;
        if area.is_empty() {
            return;
        }
        let theme = self.theme.clone();
        buffer.set_style(area, theme.role_style(Role::Text));
        let mut screen = ClippedCanvas::new(buffer, &theme);
        let line = |y: u16| Rect {
            y: area.y + y,
            height: 1,
            ..area
        };
        self.draw_headline(&mut screen.sub_canvas(line(0)));
        let lanes = self.lanes.len().max(1) as u16;
        // The lanes come first, then who is ahead, then the keys.
        let above = match area.height > lanes + 1 {
            true => 2,
            false => 1,
        };
        let below = u16::from(area.height > lanes + above);
        if above == 2 {
            self.draw_standings(&mut screen.sub_canvas(line(1)));
        }
        if below == 1 {
            self.draw_hints(&mut screen.sub_canvas(line(area.height - 1)));
        }
        let body = area.height - above - below;
        let narration = self.narration();
        let told = narration.as_ref().map_or(0, |narration| {
            narration_height(narration, area.width).min(body.saturating_sub(1))
        });
        if let Some(narration) = &narration {
            let lines = Rect {
                height: told,
                ..line(above)
            };
            draw_narration(narration, &mut screen.sub_canvas(lines));
        }
        let body = Rect {
            y: area.y + above + told,
            height: body - told,
            ..area
        };
        if body.height == 0 {
            return;
        }
        if let Some(lane) = self.lanes.get_mut(self.chosen).filter(|_| self.is_zoomed) {
            draw_lane_column(lane, self.chosen, true, now, &mut screen.sub_canvas(body));
        } else if area.width >= COLUMNS_FROM && area.width / lanes >= LEAST_COLUMN {
            self.draw_columns(body, now, &mut screen);
        } else {
            self.draw_lines(body, now, &mut screen);
        }
        if self.shows_help {
            self.draw_help(&mut screen);
        }
    }

    /// The lanes side by side, and the curves below.
    fn draw_columns(&mut self, body: Rect, now: Instant, screen: &mut ClippedCanvas) {
        let curves = (body.height * 2 / 5).clamp(LEAST_CURVES, MOST_CURVES);
        let curves = curves.min(body.height);
        let lanes = self.lanes.len() as u16;
        let height = body.height - curves;
        let mut x = body.x;
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            // The last ones share what does not divide.
            let width = (body.x + body.width - x) / (lanes - number as u16);
            let area = Rect {
                x,
                width,
                height,
                ..body
            };
            let is_chosen = number == self.chosen;
            draw_lane_column(lane, number, is_chosen, now, &mut screen.sub_canvas(area));
            x += width;
        }
        let below = Rect {
            y: body.y + height,
            height: curves,
            ..body
        };
        draw_race_curves(
            &self.lanes,
            self.chosen,
            self.has_log_axis,
            &mut screen.sub_canvas(below),
        );
    }

    /// The lanes one below the other, with as many lines each as leave room for the curves.
    fn draw_lines(&mut self, body: Rect, now: Instant, screen: &mut ClippedCanvas) {
        let lanes = self.lanes.len() as u16;
        let has_room = |lines: &u16| lines * lanes + LEAST_CURVES <= body.height;
        let lines = (1..=MOST_LANE_LINES).rev().find(has_room).unwrap_or(1);
        for (number, lane) in self.lanes.iter().enumerate() {
            let top = number as u16 * lines;
            if top + lines > body.height {
                break;
            }
            let area = Rect {
                y: body.y + top,
                height: lines,
                ..body
            };
            let is_chosen = number == self.chosen;
            draw_lane_lines(lane, number, is_chosen, now, &mut screen.sub_canvas(area));
        }
        let used = (lanes * lines).min(body.height);
        let below = Rect {
            y: body.y + used,
            height: body.height - used,
            ..body
        };
        draw_race_curves(
            &self.lanes,
            self.chosen,
            self.has_log_axis,
            &mut screen.sub_canvas(below),
        );
    }

    /// The file, the test, and how the race runs.
    fn draw_headline(&self, canvas: &mut ClippedCanvas) {
        let theme = canvas.theme;
        let glyphs = theme.glyphs;
        // A lesson says itself what comes next.
        let is_paused = !self.is_running && !self.is_over() && !self.is_in_lesson();
        let base = theme.role_style(match is_paused {
            true => Role::Paused,
            false => Role::Header,
        });
        let width = canvas.width();
        canvas.draw_styled(0, 0, &" ".repeat(width), base);
        let pace = self.pace_text();
        let state = match (self.is_over(), is_paused) {
            (false, false) if self.is_in_lesson() => pace,
            (true, _) => format!("{} all done", glyphs.interesting),
            (false, true) => format!("{pace}   {} PAUSED", glyphs.paused),
            (false, false) => format!("{} {pace}", glyphs.running),
        };
        let mut end = width.saturating_sub(1);
        if let Some(x) = end.checked_sub(text::text_width(&state)) {
            canvas.draw_styled(x, 0, &state, base);
            end = x.saturating_sub(2);
        }
        let mut x = 1;
        let title = format!("lop race  {}", self.title);
        for (part, modifier) in [
            (title, Modifier::BOLD),
            (self.test.clone(), Modifier::empty()),
        ] {
            let part = text::displayable_line(&part, glyphs.braille);
            let part = text::truncate_middle(&part, end.saturating_sub(x), glyphs.cut);
            x = canvas.draw_styled(x, 0, &part, base.add_modifier(modifier)) + 3;
        }
    }

    /// Who is ahead, or how the race ended.
    fn draw_standings(&self, canvas: &mut ClippedCanvas) {
        let words = match describe_standings(&self.standings()) {
            words if words.is_empty() => "no lane has removed anything yet".to_owned(),
            words => words,
        };
        let words = text::truncate_end(
            &words,
            canvas.width().saturating_sub(2),
            canvas.theme.glyphs.cut,
        );
        let role = match self.is_over() {
            true => Role::Interesting,
            false => Role::Text,
        };
        canvas.draw_text(1, 0, &words, role);
    }

    /// The keys, as many as there is room for.
    fn draw_hints(&self, canvas: &mut ClippedCanvas) {
        let mut x = 1;
        for (action, key, word) in list_hints(&self.setup.keys, self.is_in_lesson()) {
            let word = match action {
                RaceAction::Pause | RaceAction::Step | RaceAction::SwitchPace if self.is_over() => {
                    continue;
                }
                RaceAction::Faster if !self.is_lesson_at_work() => continue,
                RaceAction::Pause if !self.is_running => "go",
                RaceAction::SwitchPace if self.pace == RunnerPace::Free => "by tests",
                RaceAction::Zoom if self.is_zoomed => "back",
                _ => word,
            };
            let width = text::text_width(&key) + text::text_width(word) + 1;
            if x + width > canvas.width() {
                continue;
            }
            x = canvas.draw_text(x, 0, &key, Role::Key) + 1;
            x = canvas.draw_text(x, 0, word, Role::Dim) + 2;
        }
    }

    fn draw_help(&self, screen: &mut ClippedCanvas) {
        let rows = list_race_keys(&self.setup.keys);
        let widths = rows.iter().map(|(_, what)| text::text_width(what));
        let width = (KEYS_WIDTH + widths.max().unwrap_or(0) + 4).min(screen.width());
        let room = width.saturating_sub(KEYS_WIDTH + 4);
        let cut = screen.theme.glyphs.cut;
        // A long row goes on below.
        let mut lines: Vec<(&str, String)> = Vec::new();
        for (keys, what) in &rows {
            let parts = text::wrap_text(what, room, usize::MAX, cut);
            let names = iter::once(keys.as_str()).chain(iter::repeat(""));
            lines.extend(names.zip(parts));
        }
        let area = centered_rect(screen.area, width as u16, lines.len() as u16 + 2);
        let mut page = screen.sub_canvas(area);
        page.clear();
        let mut inside = page.draw_pane_frame("Help", "any key closes", true, PaneEdges::ALONE);
        for (y, (keys, what)) in lines.iter().enumerate() {
            inside.draw_text(1, y, keys, Role::Key);
            inside.draw_text(KEYS_WIDTH, y, what, Role::Text);
        }
    }
}
