//! The program: its visible lines, coloured by the parser's own tree, with what the candidate lacks struck through.
//!
//! ```text
//!  ╭ Program ───────────── 163 of 6,291 tokens ╮
//!  │   1  int g_147;                           │
//!  │⟳  2  if (g_147) { … }                     │   struck through: it would go
//!  │   3  return 0;                            │   underlaid: it is selected in the tree
//! ```

use std::ops::Range;
use std::sync::Arc;

use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;

use super::super::app::{App, Focus};
use super::super::canvas::{Canvas, Edges};
use super::super::lines::{self, Line, Stretch};
use super::super::text;
use super::super::theme::{Look, Role};
use crate::program::{NodeId, Version, walk};

/// Cells between tab stops.
const TAB: usize = 4;

/// Programs beyond this size are shown without colours: printing them for the query would cost more than a frame.
const COLOURED: u32 = 4 << 20;

/// The colours of the visible text, kept until the program or the visible part of it changes.
#[derive(Debug, Default)]
pub struct Colours {
    /// The version and the document that `text` is of.
    of: Option<(u64, usize)>,
    text: Arc<[u8]>,
    range: Range<usize>,
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
        let (Some(language), Some(tree)) = (
            document.language,
            tree.filter(|_| document.root.sums.bytes <= COLOURED),
        ) else {
            self.of = None;
            self.runs.clear();
            return;
        };
        if self.of != Some((number, index)) {
            self.text = walk::render(&document.root).into();
            self.of = Some((number, index));
            self.range = 0..0;
        }
        if self.range != range {
            let found = language.highlight(tree, &self.text, range.clone());
            self.runs = found
                .into_iter()
                .map(|(range, capture)| (range, look.syntax.of(capture)))
                .collect();
            self.range = range;
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
pub fn draw(app: &mut App, canvas: &mut Canvas, edges: Edges) {
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
            documents[index].path.display()
        ),
        _ => "Program".to_owned(),
    };
    let focused = app.focus() == Focus::Program;
    let mut inside = canvas.pane(&title, &size, focused, edges);
    draw_text(app, &mut inside);
}

/// The document that is shown: the one with the selection.
fn shown(app: &App, version: &Version) -> usize {
    app.selected
        .and_then(|selected| version.trail(selected))
        .map_or(0, |trail| trail.document)
}

/// Draws the visible lines, without a frame.
pub fn draw_text(app: &mut App, canvas: &mut Canvas) {
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
    for (row, line) in lines.iter().enumerate() {
        // What follows the last line end is a line only if there is something.
        let ended = first + row + 1 == count && count > 1;
        if ended && line.stretches.is_empty() && first + row != app.line as usize {
            break;
        }
        draw_line(app, canvas, row, first + row, digits, line);
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
    }
    let here = number == app.line as usize && app.focus() == Focus::Program;
    let role = if here { Role::Focus } else { Role::Dim };
    let mut x = canvas.say(1, row, &format!("{:>digits$}", number + 1), role);
    x += if canvas.width() > 30 { 2 } else { 1 };
    let gutter = x;
    let mut column = 0;
    let mut run = (String::new(), Style::new());
    for stretch in &line.stretches {
        let mut byte = stretch.byte as usize;
        for part in String::from_utf8_lossy(stretch.bytes).graphemes(true) {
            let style = style(app, stretch, byte);
            byte += part.len();
            if style != run.1 {
                x = canvas.put(x, row, &std::mem::take(&mut run.0), run.1);
                run.1 = style;
            }
            let blank = TAB - column % TAB;
            let shown = match part {
                "\t" => &"    "[..blank],
                _ if part.chars().any(char::is_control) => "?",
                _ if !look.glyphs.braille && !part.is_ascii() => "?",
                _ => part,
            };
            if column >= app.left {
                run.0.push_str(shown);
            }
            column += text::width(shown);
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

fn style(app: &App, stretch: &Stretch, byte: usize) -> Style {
    let look = &app.look;
    let mut style = look.of(Role::Text).patch(app.colours.at(byte));
    if stretch.selected {
        style = style.patch(look.of(Role::Linked));
    }
    if stretch.gone {
        style = style.patch(look.of(Role::Deleted));
    }
    // A line under or through white space is noise.
    if stretch.bytes.iter().all(u8::is_ascii_whitespace) && !stretch.gone {
        style = style.remove_modifier(Modifier::UNDERLINED);
    }
    style
}
