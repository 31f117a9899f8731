//! A frame as a picture: cells to SVG.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// The size of a cell, in units of the picture. Lines of a frame join where cells are as high as a line of text.
const CELL: (f64, f64) = (9.0, 18.0);
const INK: &str = "#c5cad3";
const PAPER: &str = "#16181d";

/// The picture of a frame: an SVG that shows every cell with its colours. The same bytes for the same frame.
pub fn picture(buffer: &Buffer) -> String {
    let (width, height) = (
        f64::from(buffer.area.width) * CELL.0,
        f64::from(buffer.area.height) * CELL.1,
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <style>text{{font:15px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n"
    );
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let first = &buffer[(buffer.area.x + x, buffer.area.y + y)];
            let mut run = String::new();
            let mut cells = 0;
            while let Some(cell) = buffer
                .cell((buffer.area.x + x + cells, buffer.area.y + y))
                .filter(|cell| alike(first, cell))
            {
                if cell.symbol().is_empty() {
                    cells += 1;
                    continue;
                }
                run.push_str(cell.symbol());
                cells += cell.symbol().width().max(1) as u16;
            }
            draw_run(&mut svg, (x, y), cells, &run, first);
            x += cells.max(1);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn alike(one: &Cell, other: &Cell) -> bool {
    (one.fg, one.bg, one.modifier) == (other.fg, other.bg, other.modifier)
}

fn draw_run(svg: &mut String, (x, y): (u16, u16), cells: u16, run: &str, cell: &Cell) {
    let (left, top) = (f64::from(x) * CELL.0, f64::from(y) * CELL.1);
    let width = f64::from(cells) * CELL.0;
    let (mut ink, mut paper) = (colour(cell.fg, INK), colour(cell.bg, PAPER));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut ink, &mut paper);
    }
    // Writing to a string does not fail.
    if paper != PAPER {
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{}\" fill=\"{paper}\"/>",
            CELL.1
        );
    }
    if run.trim().is_empty() {
        return;
    }
    let mut style = String::new();
    if cell.modifier.contains(Modifier::BOLD) {
        style.push_str(" font-weight=\"bold\"");
    }
    if cell.modifier.contains(Modifier::ITALIC) {
        style.push_str(" font-style=\"italic\"");
    }
    if cell.modifier.contains(Modifier::DIM) {
        style.push_str(" opacity=\"0.6\"");
    }
    let line = match (
        cell.modifier.contains(Modifier::CROSSED_OUT),
        cell.modifier.contains(Modifier::UNDERLINED),
    ) {
        (true, true) => " text-decoration=\"line-through underline\"",
        (true, false) => " text-decoration=\"line-through\"",
        (false, true) => " text-decoration=\"underline\"",
        (false, false) => "",
    };
    let base = top + CELL.1 * 0.76;
    let text = run
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let _ = writeln!(
        svg,
        "<text x=\"{left}\" y=\"{base}\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{ink}\"{style}{line} xml:space=\"preserve\">{text}</text>"
    );
}

/// A colour as SVG writes it.
fn colour(colour: Color, default: &str) -> String {
    const NAMED: [&str; 16] = [
        "#000000", "#cd3131", "#0dbc79", "#c8b428", "#2472c8", "#bc3fbc", "#11a8cd", "#bec3c8",
        "#666666", "#ff7d6e", "#78e18c", "#f5cd6e", "#6ea5fa", "#d670d6", "#5fd7e1", "#ffffff",
    ];
    let number = match colour {
        Color::Reset => return default.to_owned(),
        Color::Rgb(r, g, b) => return format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Indexed(index @ 16..=231) => {
            let index = index - 16;
            let light = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
            return format!(
                "#{:02x}{:02x}{:02x}",
                light(index / 36),
                light(index / 6 % 6),
                light(index % 6)
            );
        }
        Color::Indexed(index @ 232..) => {
            let shade = 8 + 10 * (index - 232);
            return format!("#{shade:02x}{shade:02x}{shade:02x}");
        }
        Color::Indexed(index) => usize::from(index),
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    NAMED[number].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
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
        let svg = picture(&buffer);
        assert!(svg.contains("fill=\"#010203\""));
        assert!(svg.contains(">a&lt;b</text>"));
        assert!(
            svg.contains("<rect x=\"27\" y=\"0\" width=\"36\" height=\"18\" fill=\"#ff0000\"/>")
        );
        assert!(svg.contains("text-decoration=\"line-through\""));
        assert!(svg.contains("日") && svg.contains("本"));
    }
}
