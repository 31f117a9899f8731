//! One verdict with all that is known of it: the question, the answer, and what the test printed.

use std::sync::Arc;

use super::super::app::App;
use super::super::canvas::Canvas;
use super::super::palette::Glyphs;
use super::super::panes::{question, verdict};
use super::super::text;
use super::super::theme::Role;
use super::{line_width, page, paragraphs};
use crate::reduce::{Decided, Ending};

/// The page of a verdict. Its lines are made once for a width: tests may print much.
#[derive(Debug)]
pub struct Page {
    decided: Arc<Decided>,
    width: usize,
    lines: Vec<(String, Role)>,
}

impl Page {
    /// The page of this verdict.
    pub fn new(decided: Arc<Decided>) -> Page {
        Page {
            decided,
            width: 0,
            lines: Vec::new(),
        }
    }

    fn fit(&mut self, width: usize, glyphs: &Glyphs) {
        if self.width != width || self.lines.is_empty() {
            self.width = width;
            self.lines = paragraphs(&text(&self.decided, glyphs), width, glyphs.cut);
        }
    }
}

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw(app: &mut App, canvas: &mut Canvas, top: usize) -> usize {
    let glyphs = canvas.look.glyphs;
    let right = app.setup.keys.ways(&[("close", "closes")]);
    let Some(shown) = &mut app.page else {
        return 0;
    };
    shown.fit(line_width(canvas.width()), &glyphs);
    let title = format!("Candidate {}", text::number(shown.decided.decision));
    page(canvas, &title, &right, &shown.lines, top)
}

fn text(decided: &Decided, glyphs: &Glyphs) -> Vec<(String, Role)> {
    let (mark, role) = verdict(decided.ending, glyphs);
    let ending = match decided.ending {
        Ending::Interesting => "interesting: the edit was taken",
        Ending::Boring => "boring: the program stayed as it was",
        Ending::Invalid => "invalid: the test said 125, the candidate says nothing",
        Ending::TimedOut => match decided.bound.filter(|bound| !bound.is_time()) {
            Some(_) => "counts as timed out: the test took more than it may",
            None => "timed out: the test was killed at its limit",
        },
    };
    let mut facts = vec![match decided.saved {
        0 => "no token fewer".into(),
        saved => format!("{} fewer", text::count(saved.into(), "token")),
    }];
    match decided.time {
        Some(time) => facts.extend([
            decided.exit.clone(),
            format!("test took {}", text::time(time)),
        ]),
        None => facts.push("known from an earlier test of the same text".into()),
    }
    let asked = format!(
        "{}  {}",
        decided.why.pass,
        question(&decided.sentence, glyphs)
    );
    let mut lines = vec![
        (asked, Role::Text),
        (String::new(), Role::Text),
        (format!("{mark} {ending}"), role),
        (facts.join("   "), Role::Dim),
        (String::new(), Role::Text),
    ];
    let printed = text::safe_lines(&decided.output.bytes(), glyphs.braille);
    if decided.time.is_some() {
        let printed = if printed.is_empty() {
            "The test printed nothing"
        } else {
            "The test printed"
        };
        lines.push((printed.into(), Role::Title));
    }
    lines.extend(printed.into_iter().map(|line| (line, Role::Kind)));
    lines
}
