//! The program: its visible lines, coloured by the parser's own tree, with what the candidate lacks struck through.
//!
//! ```text
//!  ╭ Program ───────────── 163 of 6,291 tokens ╮
//!  │   1  int g_147;                           │
//!  │⟳  2  if (g_147) { … }                     │   struck through: it would go
//!  │   3  return 0;                            │   underlaid: it is selected in the tree
//! ```

use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;

use super::super::app::{App, FLASH, Pane};
use super::super::canvas::{Canvas, Edges};
use super::super::lines::{self, Line, Stretch};
use super::super::selection;
use super::super::text;
use super::super::theme::{Look, Role};
use crate::display::{Shown, shown_first};
use crate::program::{NodeId, Version};

/// Cells between tab stops.
const TAB: usize = 4;

/// The colours of the visible text, kept until the program or the visible part of it changes.
#[derive(Debug, Default)]
pub struct Colours {
    /// The version, the document and the bytes that `runs` are of.
    of: Option<(u64, usize, Range<usize>)>,
    runs: Vec<(Range<usize>, Style)>,
}

impl Colours {
    fn show(
        &mut self,
        look: &Look,
        number: u64,
        version: &Version,
        index: usize,
        range: Range<usize>,
    ) {
        let document = &version.documents()[index];
        let tree = version.trees().get(index).and_then(Option::as_ref);
        let (Some(language), Some(tree)) = (document.language, tree) else {
            (self.of, self.runs) = (None, Vec::new());
            return;
        };
        let of = Some((number, index, range.clone()));
        if self.of != of {
            let bytes = |range| lines::bytes(&document.root, range);
            let found = language.highlight(tree, &bytes, range);
            let style = |(range, capture): (_, &str)| (range, look.syntax.of(capture));
            self.runs = found.into_iter().map(style).collect();
            self.of = of;
        }
    }

    fn at(&self, byte: usize) -> Style {
        let after = self.runs.partition_point(|(range, _)| range.end <= byte);
        self.runs
            .get(after)
            .filter(|(range, _)| range.contains(&byte))
            .map_or(Style::new(), |(_, style)| *style)
    }
}

/// Draws the program with its frame.
pub fn draw(app: &mut App, canvas: &mut Canvas, now: Instant, edges: Edges) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let (left, whole) = (snapshot.version.tokens(), snapshot.original.0);
    let size = format!(
        "{} of {}",
        text::number(left.into()),
        text::count(whole.into(), "token")
    );
    let documents = snapshot.version.documents();
    let title = match (documents, shown(app, &snapshot.version)) {
        ([_, _, ..], index) => format!(
            "Program {} {}",
            app.look.glyphs.inside,
            documents[index].path.shown()
        ),
        _ => "Program".to_owned(),
    };
    let focused = app.focus() == Pane::Program;
    let mut inside = canvas.pane(&title, &size, focused, edges);
    draw_text(app, &mut inside, now);
}

/// The document that is shown: the one with the selection.
fn shown(app: &App, version: &Version) -> usize {
    app.selected
        .and_then(|selected| version.trail(selected))
        .map_or(0, |trail| trail.document)
}

/// Draws the visible lines, without a frame.
pub fn draw_text(app: &mut App, canvas: &mut Canvas, now: Instant) {
    let Some(snapshot) = app.snapshot.clone() else {
        return;
    };
    let version = &snapshot.version;
    let index = shown(app, version);
    let Some(document) = version.documents().get(index) else {
        return;
    };
    let root = &document.root;
    let count = root.sums.newlines as usize + 1;
    app.line = app.line.min(root.sums.newlines);
    app.program.show(app.line as usize, count, canvas.height());
    let first = app.program.top;
    // Characters are at most four bytes, so this many bytes fill the line.
    let bytes = 4 * (app.left + canvas.width()) + 16;
    // With everything selected nothing stands out.
    let all = |id: NodeId| {
        version
            .node(id)
            .is_none_or(|node| node.sums.tokens == root.sums.tokens)
    };
    let selected = app.selected.filter(|selected| !all(*selected));
    let lines = lines::visible(
        root,
        &app.marks,
        selected,
        first as u32,
        canvas.height(),
        bytes,
    );
    let ends = |stretch: &Stretch| stretch.byte as usize + stretch.bytes.len();
    let start = lines
        .iter()
        .find_map(|line| line.stretches.first())
        .map_or(0, |stretch| stretch.byte as usize);
    let end = lines
        .iter()
        .rev()
        .find_map(|line| line.stretches.last())
        .map_or(start, ends);
    app.colours
        .show(&app.look, snapshot.number, version, index, start..end);
    let digits = count.to_string().len().max(3);
    let changed = app.changed.filter(|(_, since)| now < *since + FLASH);
    let changed = changed
        .and_then(|(node, _)| version.trail(node))
        .filter(|trail| trail.document == index)
        .map(|trail| selection::first_line(&trail) as usize);
    for (row, line) in lines.iter().enumerate() {
        // What follows the last line end is a line only if there is something.
        let ended = first + row + 1 == count && count > 1;
        if ended && line.stretches.is_empty() && first + row != app.line as usize {
            break;
        }
        draw_line(app, canvas, row, first + row, digits, line);
        if changed == Some(first + row) {
            let style = canvas.look.of(Role::Changed);
            canvas.tint(0, row, digits + 2, style);
        }
    }
}

fn draw_line(
    app: &App,
    canvas: &mut Canvas,
    row: usize,
    number: usize,
    digits: usize,
    line: &Line,
) {
    let look = &app.look;
    if line.gone {
        canvas.say(0, row, look.glyphs.trying, Role::Trying);
    } else if line.pinned {
        canvas.say(0, row, look.glyphs.pinned, Role::Pinned);
    }
    let here = number == app.line as usize && app.focus() == Pane::Program;
    let role = if here { Role::Focus } else { Role::Dim };
    let mut x = canvas.say(1, row, &format!("{:>digits$}", number + 1), role);
    x += if canvas.width() > 30 { 2 } else { 1 };
    let gutter = x;
    let mut column = 0;
    let mut run = (String::new(), Style::new());
    for stretch in &line.stretches {
        let base = base(app, stretch);
        for (at, part) in parts(stretch.bytes, look.glyphs.braille) {
            let style = style(app, stretch, &base, stretch.byte as usize + at);
            if style != run.1 {
                x = canvas.put(x, row, &std::mem::take(&mut run.0), run.1);
                run.1 = style;
            }
            let blank = TAB - column % TAB;
            let shown = match &*part {
                "\t" => &"    "[..blank],
                part => part,
            };
            let cells = text::width(shown);
            match app.left.saturating_sub(column) {
                0 => run.0.push_str(shown),
                // Left of what is shown of the line, or half of it.
                before => run.0.push_str(&shown_end(shown, cells, before)),
            }
            column += cells;
            if column > app.left + canvas.width() {
                break;
            }
        }
    }
    canvas.put(x, row, &run.0, run.1);
    if app.left > 0 && column > 0 && canvas.width() > gutter {
        // In the last cell before the text: it hides none of it.
        canvas.say(gutter - 1, row, look.glyphs.before, Role::Dim);
    }
    if column > app.left + canvas.width() - gutter.min(canvas.width()) {
        canvas.say(canvas.width() - 1, row, look.glyphs.cut, Role::Dim);
    }
}

/// What is shown of a stretch, from character to character, each with the place of its first byte. A tab is one still.
fn parts(bytes: &[u8], unicode: bool) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut start = 0;
    bytes.utf8_chunks().flat_map(move |chunk| {
        let (valid, invalid) = (chunk.valid(), chunk.invalid());
        let (first, after) = (start, start + valid.len());
        start = after + invalid.len();
        let parts = valid.grapheme_indices(true).map(move |(at, part)| {
            let shown = match part {
                "\t" => Cow::Borrowed(part),
                _ => shown_first(&valid[at..], part.len()),
            };
            let known = unicode || shown.is_ascii();
            (first + at, if known { shown } else { "?".into() })
        });
        let bytes = invalid.iter().enumerate();
        let bytes = bytes.map(move |(at, _)| (after + at, invalid[at..=at].shown()));
        parts.chain(bytes)
    })
}

/// The end of a part without its first cells.
fn shown_end(part: &str, cells: usize, before: usize) -> String {
    match part.is_ascii() {
        true => part.get(before..).unwrap_or_default().to_owned(),
        false => " ".repeat(cells.saturating_sub(before)),
    }
}

/// What is laid over the colours of a stretch.
fn base(app: &App, stretch: &Stretch) -> Style {
    let look = &app.look;
    let mut style = Style::new();
    if stretch.selected {
        style = style.patch(look.of(Role::Linked));
    }
    let search = app.search.as_ref();
    if search.is_some_and(|search| search.query.is_in(stretch.bytes)) {
        style = style.patch(look.of(Role::Match));
    }
    if stretch.gone {
        style = style.patch(look.of(Role::Deleted));
    }
    style
}

fn style(app: &App, stretch: &Stretch, base: &Style, byte: usize) -> Style {
    let text = app.look.of(Role::Text).patch(app.colours.at(byte));
    let style = text.patch(*base);
    // A line under or through white space is noise.
    if stretch.bytes.iter().all(u8::is_ascii_whitespace) && !stretch.gone {
        return style.remove_modifier(Modifier::UNDERLINED);
    }
    style
}
