//! Why the run stands still though nobody told it to, and what to do.

use super::super::app::{App, Layer};
use super::super::canvas::Canvas;
use super::super::text;
use super::super::theme::Role;
use super::{line_width, page, paragraphs};
use crate::display::Shown;
use crate::reduce::{Snapshot, State};

impl App {
    /// Why the run stands still, when that was not the user.
    pub fn trouble(&self) -> Option<&str> {
        match self.state() {
            Some(State::Stuck(reason)) => Some(reason),
            _ => None,
        }
    }

    /// A page says why the run stands still, from the moment it does until it goes on.
    pub(in super::super) fn hear_trouble(&mut self, new: &Snapshot) {
        let is_page = |layer: &Layer| matches!(layer, Layer::Trouble(_));
        if !matches!(new.state, State::Stuck(_)) {
            self.layers.retain(|layer| !is_page(layer));
            return;
        }
        if self.state() != Some(&new.state) {
            self.layers.push(Layer::Trouble(0));
        }
        let (decisions, started) = (new.counts.decisions, new.counts.started);
        let last = self.troubled.replace((decisions, started));
        if last.is_some_and(|(before, tests)| before == decisions && tests < started) {
            self.said = Some("it was tried again and failed again".into());
        }
    }
}

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw(app: &App, canvas: &mut Canvas, top: usize) -> usize {
    let (Some(reason), Some(snapshot)) = (app.trouble(), &app.snapshot) else {
        return 0;
    };
    let (glyphs, keys) = (&app.look.glyphs, &app.setup.keys);
    let safe = |line: &str| text::safe(line, glyphs.braille);
    let candidate = text::number(snapshot.counts.decisions + 1);
    let mut lines = vec![
        (
            format!("The run stands still at candidate {candidate}: there is no verdict on it."),
            Role::Title,
        ),
        (String::new(), Role::Text),
    ];
    lines.extend(reason.lines().map(|line| (safe(line), Role::Note)));
    lines.push((String::new(), Role::Text));
    if !app.context.test.is_empty() {
        let test = format!("The test is {}", app.context.test);
        lines.push((safe(&test), Role::Dim));
        lines.push((String::new(), Role::Text));
    }
    let output = safe(&app.context.output.shown());
    lines.extend([
        ("What to do".into(), Role::Title),
        (
            format!(
                "  mend the test, or what it needs, then {}: it asks the same again",
                keys.ways(&[("pause", "goes on")])
            ),
            Role::Text,
        ),
        (
            format!(
                "  or {}: the best version so far is in {output}",
                keys.ways(&[("quit", "leaves")])
            ),
            Role::Text,
        ),
    ]);
    let lines = paragraphs(&lines, line_width(canvas.width()), glyphs.cut);
    let right = keys.ways(&[("pause", "goes on"), ("close", "closes")]);
    page(canvas, "Paused", &right, &lines, top)
}
