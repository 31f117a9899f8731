//! One pass: what it does, in a whole sentence, and how it went so far.

use super::super::app::{App, Layer};
use super::super::canvas::Canvas;
use super::super::text;
use super::super::theme::Role;
use super::{closes, line_width, page, paragraphs};
use crate::reduce::{PassLine, PassState};

impl App {
    /// Opens the page of the selected pass, and stays on it.
    pub(in super::super) fn show_pass(&mut self) {
        self.chosen_pass = Some(self.pass());
        self.layers.push(Layer::Pass(0));
    }
}

/// Draws the page from line `top` on; the line it did begin with.
pub fn draw(app: &App, canvas: &mut Canvas, top: usize) -> usize {
    let snapshot = app.snapshot.as_ref();
    let Some(pass) = snapshot.and_then(|snapshot| snapshot.passes.get(app.pass())) else {
        return 0;
    };
    let cut = app.look.glyphs.cut;
    let lines = paragraphs(
        &lines(pass, app.finished()),
        line_width(canvas.width()),
        cut,
    );
    page(canvas, pass.name, &closes(app, "describe"), &lines, top)
}

fn lines(pass: &PassLine, ended: bool) -> Vec<(String, Role)> {
    let state = match pass.state {
        PassState::Waiting => "its turn has not come".to_owned(),
        PassState::Running(_) if ended => "it was at work when the run ended".into(),
        PassState::Running(round) if round > 1 => format!("it is at work, in round {round}"),
        PassState::Running(_) => "it is at work".into(),
        PassState::Done => "it has asked all it had to ask".into(),
        PassState::Skipped => "it was skipped".into(),
        PassState::Off => "it is disabled".into(),
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
        ("asked", text::count(tried, "question")),
        ("taken", text::count(pass.taken, "edit")),
        (
            "gone",
            format!("{}, {each:.1} a test", text::count(tokens, "token")),
        ),
        ("time", text::time(pass.time)),
        ("refused", text::count(pass.refused, "question")),
        ("cut short", text::count(pass.timed_out, "test")),
    ];
    lines.push((String::new(), Role::Text));
    lines.extend(facts.map(|(name, value)| (format!("{name:<11}{value}"), Role::Text)));
    lines
}
