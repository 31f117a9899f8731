//! All that is known of the selected node: what it is, how it may go, what closes it, and what was tried on it.

use super::super::app::App;
use super::super::canvas::Canvas;
use super::super::panes::{question, verdict};
use super::super::text;
use super::super::theme::Role;
use super::{line_width, page, paragraphs};
use crate::reduce::{Inspection, inspect};

/// How many pieces and how many questions are shown.
const SHOWN: usize = 40;

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw(app: &App, canvas: &mut Canvas, top: usize) -> usize {
    let right = app.setup.keys.ways(&[("close", "closes")]);
    let known = app.snapshot.as_ref().zip(app.selected);
    let Some(known) = known.and_then(|(snapshot, node)| inspect(snapshot, node)) else {
        let gone = [("nothing is selected".to_owned(), Role::Dim)];
        return page(canvas, "Node", &right, &gone, top);
    };
    let lines = lines(app, &known);
    let cut = app.look.glyphs.cut;
    let lines = paragraphs(&lines, line_width(canvas.width()), cut);
    page(canvas, &known.kind, &right, &lines, top)
}

fn lines(app: &App, known: &Inspection) -> Vec<(String, Role)> {
    let glyphs = &app.look.glyphs;
    let safe = |line: &str| text::safe(line, glyphs.braille);
    let mut lines = vec![(text::count(known.tokens.into(), "token"), Role::Number)];
    let mut say = |line: String, role| lines.push((line, role));
    match (&known.closed, known.goes) {
        (Some(closed), _) => say(safe(closed), Role::Pinned),
        (None, Some(goes)) => say(format!("It may go: {goes}."), Role::Text),
        (None, None) => say("It may not go by itself.".into(), Role::Text),
    }
    for (name, text) in [("its rule", &known.rule), ("in its place", &known.expected)] {
        if let Some(text) = text {
            say(String::new(), Role::Text);
            say(name.into(), Role::Title);
            say(format!("  {}", safe(text)), Role::Kind);
        }
    }
    if !known.pieces.is_empty() {
        say(String::new(), Role::Text);
        say("Pieces of it that may stand there".into(), Role::Title);
    }
    for (begins, tokens) in known.pieces.iter().take(SHOWN) {
        say(
            format!("  {}  {}", text::number((*tokens).into()), safe(begins)),
            Role::Kind,
        );
    }
    say(String::new(), Role::Text);
    let tried = match known.tried.len() {
        0 => "Nothing was asked about it yet".into(),
        questions => format!("{} about it", text::count(questions as u64, "question")),
    };
    say(tried, Role::Title);
    for tried in known.tried.iter().take(SHOWN) {
        let (mark, role) = verdict(tried.ending, glyphs);
        let number = text::number(tried.decision);
        say(
            format!("  {mark} {number}  {}", question(&tried.sentence, glyphs)),
            role,
        );
    }
    lines
}
