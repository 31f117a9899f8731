//! A frame as a picture: cells to SVG.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use crate::tui::theme::palette;

/// The size of a cell, in units of the picture.
const CELL_WIDTH: u32 = 9;
const CELL_HEIGHT: u32 = 18;
/// The baseline of letters, from the top of a cell.
const BASELINE: u32 = 14;
const INK: &str = "#c5cad3";
const PAPER: &str = "#16181d";

/// The picture of a frame: an SVG that shows every cell with its colours. It is the same bytes for the same frame.
///
/// Every word has its own position, and frames and curves are drawn as lines and dots. So columns are aligned and lines join with
/// any font.
pub fn render_svg(buffer: &Buffer) -> String {
    let mut svg = svg_header(buffer.area);
    svg.push_str(&svg_background());
    let (papers, inks) = frame_shapes(buffer);
    for shape in papers.into_iter().chain(inks) {
        svg.push_str(&shape);
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// The first element of a picture of an area of cells.
pub(in crate::tui) fn svg_header(area: Rect) -> String {
    let (width, height) = (
        u32::from(area.width) * CELL_WIDTH,
        u32::from(area.height) * CELL_HEIGHT,
    );
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n"
    )
}

/// The background of a picture, and the opening tag of the group of its shapes.
pub(in crate::tui) fn svg_background() -> String {
    format!(
        "<rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n\
         <g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\">\n"
    )
}

/// The shapes of a frame: the backgrounds, and the text and lines over them. Two shapes of one kind never overlap.
pub(in crate::tui) fn frame_shapes(buffer: &Buffer) -> (Vec<String>, Vec<String>) {
    let area = buffer.area;
    let (mut papers, mut inks) = (Vec::new(), Vec::new());
    let mut draw = |run: Option<CellRun>| {
        if let Some(run) = run {
            run.emit_shapes(&mut papers, &mut inks);
        }
    };
    for y in 0..area.height {
        let mut run: Option<CellRun> = None;
        let mut x = 0;
        while let Some(cell) = buffer.cell((area.x + x, area.y + y)) {
            if run.as_ref().is_none_or(|run| !run.has_same_style(cell)) {
                draw(run.take());
                run = Some(CellRun::new(
                    u32::from(x) * CELL_WIDTH,
                    u32::from(y) * CELL_HEIGHT,
                    cell,
                ));
            }
            let cells = cell.symbol().width().max(1) as u16;
            if let Some(run) = &mut run {
                run.push_symbol(cell.symbol(), u32::from(cells));
            }
            x += cells;
        }
        draw(run);
    }
    (papers, inks)
}

/// Neighbouring cells with the same style.
struct CellRun<'a> {
    cell: &'a Cell,
    left: u32,
    top: u32,
    /// Where the next cell begins.
    right: u32,
    /// The words: the left end, the right end and the letters of each.
    words: Vec<(u32, u32, String)>,
    /// The SVG paths of lines and of dots.
    lines: String,
    dots: String,
    /// The left end of the first symbol and the right end of the last.
    inked: Option<(u32, u32)>,
}

impl<'a> CellRun<'a> {
    fn new(left: u32, top: u32, cell: &'a Cell) -> CellRun<'a> {
        let (words, lines, dots) = Default::default();
        CellRun {
            cell,
            left,
            top,
            right: left,
            words,
            lines,
            dots,
            inked: None,
        }
    }

    fn has_same_style(&self, cell: &Cell) -> bool {
        (self.cell.fg, self.cell.bg, self.cell.modifier) == (cell.fg, cell.bg, cell.modifier)
    }

    fn push_symbol(&mut self, symbol: &str, cells: u32) {
        let left = self.right;
        self.right += cells * CELL_WIDTH;
        // Writing to a string does not fail.
        match symbol.chars().next() {
            None | Some(' ') => return,
            Some(c) if box_line_path(c).is_some() => {
                let _ = write!(
                    self.lines,
                    "M{left} {}{}",
                    self.top,
                    box_line_path(c).unwrap_or_default()
                );
            }
            Some(c @ '\u{2800}'..='\u{28ff}') => self.push_braille(left, c),
            Some(_) => {
                let letter = symbol
                    .replace('&', "&amp;")
                    .replace('<', "&lt;")
                    .replace('>', "&gt;");
                match self.words.last_mut() {
                    Some((_, end, word)) if *end == left => {
                        *end = self.right;
                        word.push_str(&letter);
                    }
                    _ => self.words.push((left, self.right, letter)),
                }
            }
        }
        self.inked = Some((self.inked.map_or(left, |(first, _)| first), self.right));
    }

    fn push_braille(&mut self, left: u32, c: char) {
        let dots = c as u32 - 0x2800;
        for (bit, (x, y)) in [
            (0, 0),
            (0, 1),
            (0, 2),
            (1, 0),
            (1, 1),
            (1, 2),
            (0, 3),
            (1, 3),
        ]
        .into_iter()
        .enumerate()
        {
            if dots & 1 << bit != 0 {
                let _ = write!(
                    self.dots,
                    "M{} {}h3v3h-3z",
                    left + 1 + 4 * x,
                    self.top + 1 + 4 * y + y / 2
                );
            }
        }
    }

    fn emit_shapes(self, papers: &mut Vec<String>, inks: &mut Vec<String>) {
        let CellRun {
            cell, left, top, ..
        } = self;
        let (mut ink, mut paper) = (svg_colour(cell.fg, INK), svg_colour(cell.bg, PAPER));
        let has = |modifier| cell.modifier.contains(modifier);
        if has(Modifier::REVERSED) {
            std::mem::swap(&mut ink, &mut paper);
        }
        if paper != PAPER {
            let width = self.right - left;
            papers.push(format!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{CELL_HEIGHT}\" fill=\"{paper}\"/>\n"
            ));
        }
        let mut style = String::new();
        for (modifier, attribute) in [
            (Modifier::BOLD, " font-weight=\"bold\""),
            (Modifier::ITALIC, " font-style=\"italic\""),
            (Modifier::DIM, " opacity=\"0.6\""),
        ] {
            if has(modifier) {
                style.push_str(attribute);
            }
        }
        let base = top + BASELINE;
        for (left, right, word) in self.words {
            // Not every SVG renderer supports a position for each letter, but all support one for each word.
            let length = right - left;
            inks.push(format!(
                "<text x=\"{left}\" y=\"{base}\" textLength=\"{length}\" fill=\"{ink}\"{style}>{word}</text>\n"
            ));
        }
        if !self.dots.is_empty() {
            inks.push(format!(
                "<path d=\"{}\" fill=\"{ink}\"{style}/>\n",
                self.dots
            ));
        }
        let mut lines = self.lines;
        for (modifier, y) in [
            (Modifier::CROSSED_OUT, top + BASELINE - 5),
            (Modifier::UNDERLINED, top + BASELINE + 2),
        ] {
            if let Some((first, last)) = self.inked.filter(|_| has(modifier)) {
                let _ = write!(lines, "M{first} {y}H{last}");
            }
        }
        if !lines.is_empty() {
            inks.push(format!(
                "<path d=\"{lines}\" stroke=\"{ink}\" fill=\"none\"{style}/>\n"
            ));
        }
    }
}

/// The SVG path of a box-drawing character, from the top left corner of its cell.
fn box_line_path(c: char) -> Option<&'static str> {
    Some(match c {
        '─' => "m0 9h9",
        '│' => "m4.5 0v18",
        '╭' => "m4.5 18v-5q0-4 4.5-4",
        '╮' => "m4.5 18v-5q0-4-4.5-4",
        '╯' => "m4.5 0v5q0 4-4.5 4",
        '╰' => "m4.5 0v5q0 4 4.5 4",
        '├' => "m4.5 0v18m0-9h4.5",
        '┤' => "m4.5 0v18m0-9h-4.5",
        _ => return None,
    })
}

/// A colour as SVG writes it.
fn svg_colour(colour: Color, default: &str) -> String {
    match palette::to_rgb(colour) {
        Some((r, g, b)) => format!("#{r:02x}{g:02x}{b:02x}"),
        None => default.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    #[test]
    fn every_cell_is_in_the_picture() {
        let mut buffer = Buffer::empty(Rect {
            x: 0,
            y: 0,
            width: 8,
            height: 1,
        });
        buffer.set_string(0, 0, "a<b", Style::new().fg(Color::Rgb(1, 2, 3)));
        buffer.set_string(
            3,
            0,
            "日本",
            Style::new()
                .bg(Color::Indexed(196))
                .add_modifier(Modifier::CROSSED_OUT),
        );
        let svg = render_svg(&buffer);
        assert!(svg.contains("x=\"0\" y=\"14\" textLength=\"27\" fill=\"#010203\">a&lt;b</text>"));
        assert!(
            svg.contains("<rect x=\"27\" y=\"0\" width=\"36\" height=\"18\" fill=\"#ff0000\"/>")
        );
        assert!(svg.contains("M27 9H63"), "it is struck through");
        assert!(svg.contains("日") && svg.contains("本"));
    }
}
