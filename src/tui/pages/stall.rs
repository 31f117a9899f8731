//! Why the run stands still though nobody told it to, and what to do.

use super::{draw_text_page, line_width, wrap_paragraphs};
use crate::display::EscapeHidden;
use crate::reduce::{RunSnapshot, RunState};
use crate::tui::app::{App, OverlayPage};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::theme::Role;

impl App {
    /// Why the run stands still, when that was not the user.
    pub fn stall_reason(&self) -> Option<&str> {
        match self.run_state() {
            Some(RunState::Stalled(reason)) => Some(reason),
            _ => None,
        }
    }

    /// A page says why the run stands still, from the moment it does until it goes on.
    pub(in crate::tui) fn update_stall_page(&mut self, new: &RunSnapshot) {
        let is_page = |layer: &OverlayPage| matches!(layer, OverlayPage::Stall(_));
        if !matches!(new.state, RunState::Stalled(_)) {
            self.layers.retain(|layer| !is_page(layer));
            return;
        }
        if self.run_state() != Some(&new.state) {
            self.layers.push(OverlayPage::Stall(0));
        }
        let (decisions, started) = (new.counts.decisions, new.counts.started);
        let last = self.last_stall.replace((decisions, started));
        if last.is_some_and(|(before, tests)| before == decisions && tests < started) {
            self.status_message = Some("it was tried again and failed again".into());
        }
    }
}

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw_stall_page(app: &App, canvas: &mut ClippedCanvas, top: usize) -> usize {
    let (Some(reason), Some(snapshot)) = (app.stall_reason(), &app.snapshot) else {
        return 0;
    };
    let (glyphs, keys) = (&app.theme.glyphs, &app.setup.keys);
    let safe = |line: &str| text::displayable_line(line, glyphs.braille);
    let candidate = text::format_number(snapshot.counts.decisions + 1);
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
    let output = safe(&app.context.output.escape_hidden());
    lines.extend([
        ("What to do".into(), Role::Title),
        (
            format!(
                "  mend the test, or what it needs, then {}: it asks the same again",
                keys.describe_keys(&[("pause", "goes on")])
            ),
            Role::Text,
        ),
        (
            format!(
                "  or {}: the best version so far is in {output}",
                keys.describe_keys(&[("quit", "leaves")])
            ),
            Role::Text,
        ),
    ]);
    let lines = wrap_paragraphs(&lines, line_width(canvas.width()), glyphs.cut);
    let right = keys.describe_keys(&[("pause", "goes on"), ("close", "closes")]);
    draw_text_page(canvas, "Paused", &right, &lines, top)
}
