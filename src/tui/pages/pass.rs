//! One pass: what it does, in a whole sentence, and how it went so far.

use super::{close_hint, draw_text_page, line_width, wrap_paragraphs};
use crate::reduce::{PassLine, PassState};
use crate::tui::app::{App, OverlayPage};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::theme::Role;

impl App {
    /// Opens the page of the selected pass, and stays on it.
    pub(in crate::tui) fn show_pass(&mut self) {
        self.chosen_pass = Some(self.selected_pass());
        self.layers.push(OverlayPage::Pass(0));
    }
}

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw_pass_page(app: &App, canvas: &mut ClippedCanvas, top: usize) -> usize {
    let snapshot = app.snapshot.as_ref();
    let Some(pass) = snapshot.and_then(|snapshot| snapshot.passes.get(app.selected_pass())) else {
        return 0;
    };
    let cut = app.theme.glyphs.cut;
    let lines = wrap_paragraphs(
        &pass_lines(pass, app.is_finished()),
        line_width(canvas.width()),
        cut,
    );
    draw_text_page(canvas, pass.name, &close_hint(app, "describe"), &lines, top)
}

fn pass_lines(pass: &PassLine, ended: bool) -> Vec<(String, Role)> {
    let state = match pass.state {
        PassState::Waiting => "its turn has not come".to_owned(),
        PassState::Running(_) if ended => "it was at work when the run ended".into(),
        PassState::Running(round) if round > 1 => format!("it is at work, in round {round}"),
        PassState::Running(_) => "it is at work".into(),
        PassState::Done => "it has asked all it had to ask".into(),
        PassState::Skipped => "it was skipped".into(),
        PassState::Disabled => "it is disabled".into(),
    };
    let mut lines = vec![
        (pass.what.to_owned(), Role::Text),
        (String::new(), Role::Text),
        (state, Role::Note),
    ];
    if pass.tried == 0 {
        return lines;
    }
    let (tried, tokens) = (pass.tried, pass.tokens);
    let each = tokens as f64 / tried as f64;
    let facts = [
        ("asked", text::format_count(tried, "question")),
        ("taken", text::format_count(pass.accepted, "edit")),
        (
            "gone",
            format!("{}, {each:.1} a test", text::format_count(tokens, "token")),
        ),
        ("time", text::format_duration(pass.time)),
        ("refused", text::format_count(pass.rejected, "question")),
        ("cut short", text::format_count(pass.timed_out, "test")),
    ];
    lines.push((String::new(), Role::Text));
    lines.extend(facts.map(|(name, value)| (format!("{name:<11}{value}"), Role::Text)));
    lines
}
