//! A canvas: a part of the screen. Drawing is clipped to it, for any size of the terminal.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::text;
use crate::display::sanitize_line;
use crate::tui::theme::{ResolvedTheme, Role};

/// A part of the screen.
pub struct ClippedCanvas<'a> {
    buffer: &'a mut Buffer,
    /// The theme.
    pub theme: &'a ResolvedTheme,
    /// Its area on the screen.
    pub area: Rect,
}

/// Whether a pane is the first or the last of its column; neighbours share a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneEdges {
    /// No pane is above it.
    pub first: bool,
    /// No pane is below it.
    pub last: bool,
}

impl PaneEdges {
    /// The edges of a page, which has no neighbours.
    pub const ALONE: PaneEdges = PaneEdges {
        first: true,
        last: true,
    };
}

impl<'a> ClippedCanvas<'a> {
    /// A canvas of a whole buffer.
    pub fn new(buffer: &'a mut Buffer, theme: &'a ResolvedTheme) -> ClippedCanvas<'a> {
        let area = buffer.area;
        ClippedCanvas {
            buffer,
            theme,
            area,
        }
    }

    /// A canvas of a part of this one.
    pub fn sub_canvas(&mut self, area: Rect) -> ClippedCanvas<'_> {
        ClippedCanvas {
            area: area.intersection(self.area),
            buffer: self.buffer,
            theme: self.theme,
        }
    }

    /// A part of this canvas, in its place.
    pub fn into_part(self, area: Rect) -> ClippedCanvas<'a> {
        ClippedCanvas {
            area: area.intersection(self.area),
            ..self
        }
    }

    /// Its width in cells.
    pub fn width(&self) -> usize {
        self.area.width.into()
    }

    /// Its height in cells.
    pub fn height(&self) -> usize {
        self.area.height.into()
    }

    /// Draws a text at a column and a line, and returns the next column. All text of the screen is drawn here, with hidden characters
    /// escaped: none controls the terminal or changes the order of a row.
    pub fn draw_styled(&mut self, x: usize, y: usize, text: &str, style: Style) -> usize {
        if y >= self.height() || x >= self.width() {
            return x;
        }
        let (left, top) = (self.area.x + x as u16, self.area.y + y as u16);
        let (end, _) =
            self.buffer
                .set_stringn(left, top, sanitize_line(text), self.width() - x, style);
        usize::from(end - self.area.x)
    }

    /// Draws a text in the style of a role.
    pub fn draw_text(&mut self, x: usize, y: usize, text: &str, role: Role) -> usize {
        self.draw_styled(x, y, text, self.theme.role_style(role))
    }

    /// Draws a text that ends before column `end`, and returns the column where it begins. Draws nothing if there is no room.
    pub fn draw_text_before(&mut self, end: usize, y: usize, text: &str, role: Role) -> usize {
        match end.min(self.width()).checked_sub(text::text_width(text)) {
            Some(x) => {
                self.draw_text(x, y, text, role);
                x
            }
            None => end,
        }
    }

    /// Marks a line as the selected one of a pane, or of another pane that has the focus.
    pub fn mark_selected_line(&mut self, y: usize, focused: bool) {
        let role = match focused {
            true => Role::Selection,
            false => Role::Linked,
        };
        let style = self.theme.role_style(role);
        self.set_line_style(0, y, self.width(), style);
    }

    /// Applies a style to `width` cells of a line, from column `x` on.
    pub fn set_line_style(&mut self, x: usize, y: usize, width: usize, style: Style) {
        if y < self.height() && x < self.width() {
            let width = width.min(self.width() - x) as u16;
            self.buffer.set_style(
                Rect {
                    x: self.area.x + x as u16,
                    y: self.area.y + y as u16,
                    width,
                    height: 1,
                },
                style,
            );
        }
    }

    /// Makes all cells blank.
    pub fn clear(&mut self) {
        let blank = " ".repeat(self.width());
        let plain = self.theme.role_style(Role::Text);
        for y in 0..self.height() {
            for x in 0..self.area.width {
                if let Some(cell) = self
                    .buffer
                    .cell_mut((self.area.x + x, self.area.y + y as u16))
                {
                    cell.reset();
                }
            }
            self.draw_styled(0, y, &blank, plain);
        }
    }

    /// How many lines there are inside the frame of a pane.
    pub fn lines_in_frame(&self, edges: PaneEdges) -> usize {
        self.height().saturating_sub(1 + usize::from(edges.last))
    }

    /// Draws the frame of a pane and returns the canvas inside.
    ///
    /// ```text
    ///  ╭ title ─────── right ╮    first
    ///  │ inside              │
    ///  ├ title ─────── right ┤    after another pane
    ///  │ inside              │
    ///  ╰─────────────────────╯    last
    /// ```
    pub fn draw_pane_frame(
        &mut self,
        title: &str,
        right: &str,
        focused: bool,
        edges: PaneEdges,
    ) -> ClippedCanvas<'_> {
        let theme = self.theme;
        let [across, down, ..] = theme.glyphs.frame;
        let [_, _, nw, ne, se, sw] = theme.glyphs.frame;
        let (west, east) = match (edges.first, theme.glyphs.braille) {
            (true, _) => (nw, ne),
            (false, true) => ("├", "┤"),
            (false, false) => (down, down),
        };
        let line = theme.role_style(if focused { Role::Focus } else { Role::Border });
        let (width, height) = (self.width(), self.height());
        if width < 4 || height < 2 {
            return self.sub_canvas(Rect::default());
        }
        self.draw_styled(0, 0, west, line);
        self.draw_styled(1, 0, &across.repeat(width - 2), line);
        self.draw_styled(width - 1, 0, east, line);
        let room = width - 4;
        let numbers = if text::text_width(right) + 4 <= room {
            format!(" {right} ")
        } else {
            String::new()
        };
        if !right.is_empty() && !numbers.is_empty() {
            self.draw_text_before(width - 2, 0, &numbers, Role::Dim);
        }
        let mark = if focused { theme.glyphs.focus } else { "" };
        let name = text::truncate_middle(
            title,
            room.saturating_sub(text::text_width(&numbers) + text::text_width(mark) + 2),
            theme.glyphs.cut,
        );
        let x = self.draw_text(1, 0, mark, Role::Focus);
        let name = match name.is_empty() {
            true => name,
            false => format!(" {name} "),
        };
        let style = theme.role_style(Role::Title);
        self.draw_styled(
            x,
            0,
            &name,
            if focused {
                style.patch(theme.role_style(Role::Focus))
            } else {
                style
            },
        );
        let bottom = height - usize::from(edges.last);
        for y in 1..bottom {
            self.draw_styled(0, y, down, line);
            self.draw_styled(width - 1, y, down, line);
        }
        if edges.last {
            self.draw_styled(0, bottom, sw, line);
            self.draw_styled(1, bottom, &across.repeat(width - 2), line);
            self.draw_styled(width - 1, bottom, se, line);
        }
        let area = self.area;
        self.sub_canvas(Rect {
            x: area.x + 1,
            y: area.y + 1,
            width: area.width - 2,
            height: (bottom - 1) as u16,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::palette::TerminalPalette;

    #[test]
    fn no_cell_gets_what_is_hidden() {
        let theme = ResolvedTheme::built_in(TerminalPalette::FULL);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 1));
        let mut canvas = ClippedCanvas::new(&mut buffer, &theme);
        let end = canvas.draw_styled(0, 0, "a\x1b\u{202e}\u{200b}é", Style::new());
        let row: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(row.trim_end(), "a<U+001B><U+202E><U+200B>é");
        assert_eq!(end, row.trim_end().chars().count());
    }
}
